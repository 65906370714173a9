//! Files that options name.

use std::env;
use std::fs;
use std::io;
use std::path::Path;

/// Reads a file. A relative path counts from the working directory, or else from that of the
/// program.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    fs::read(path).or_else(|error| {
        let program = env::current_exe()?;
        match program.parent() {
            Some(folder) => fs::read(folder.join(path)),
            None => Err(error),
        }
    })
}
