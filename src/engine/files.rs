//! Files that options name.

use std::env;
use std::io::{self, Read};
use std::path::Path;

use crate::named_file::{self, path_of};

/// Reads a file. A relative path counts from the working directory, or else from that of the
/// program.
///
/// # Errors
/// When it cannot be read. So also what is no regular file: a device may have no end.
pub fn read(name: &str) -> io::Result<Vec<u8>> {
    let path = path_of(name);
    read_regular(&path).or_else(|error| {
        let program = env::current_exe()?;
        match program.parent() {
            Some(folder) => read_regular(&folder.join(&path)),
            None => Err(error),
        }
    })
}

fn read_regular(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    named_file::open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}
