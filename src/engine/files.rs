//! Files that options name.

use std::env;
use std::io::{self, ErrorKind};

use crate::named_file::{self, path_of};

/// Reads a file of at most so many bytes. A relative path counts from the working directory, or
/// else from that of the program.
///
/// # Errors
/// When it cannot be read. So also what is no regular file: a device may have no end.
pub fn read(name: &str, most: u64) -> io::Result<Vec<u8>> {
    let path = path_of(name);
    named_file::read(&path, most).or_else(|error| {
        let program = env::current_exe()?;
        match program.parent() {
            Some(folder) if error.kind() == ErrorKind::NotFound => {
                named_file::read(&folder.join(&path), most)
            }
            _ => Err(error),
        }
    })
}

/// What to tell the user of a file that an option names and that cannot be read: with the reason,
/// unless there just is no such file.
pub fn refusal(name: &str, error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => format!("cannot open '{name}'"),
        _ => format!("cannot open '{name}': {error}"),
    }
}
