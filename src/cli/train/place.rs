//! Where a network will be written: asked before hours of learning, not after.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::CliError;
use crate::cli::train::refuse;

/// The files that a training writes.
pub(super) struct Places {
    /// The network.
    pub network: PathBuf,
    /// What an interrupted training goes on from.
    pub checkpoint: PathBuf,
}

/// The path with an ending more.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut longer = OsString::from(path);
    longer.push(ending);
    longer.into()
}

impl Places {
    /// The network's file as given, and the checkpoint beside it.
    pub fn of(out: &Path) -> Places {
        Places {
            network: out.to_owned(),
            checkpoint: with_ending(out, ".checkpoint"),
        }
    }

    /// All names that are written to: either file is first written with the ending `.new`. The
    /// longest is the last.
    fn all(&self) -> [PathBuf; 4] {
        [
            self.network.clone(),
            self.checkpoint.clone(),
            with_ending(&self.network, ".new"),
            with_ending(&self.checkpoint, ".new"),
        ]
    }

    /// Can the files be written, and is nothing lost by that?
    ///
    /// The network may replace the one that learning begins from: that is read before. Games are
    /// never replaced.
    pub fn check(&self, games: &[PathBuf], from: Option<&Path>) -> Result<(), CliError> {
        for path in &self.all() {
            check_kind(path)?;
            let from = from.filter(|_| *path != self.network);
            let inputs = games.iter().map(PathBuf::as_path).chain(from);
            if is_one_of(path, inputs) {
                let path = path.display();
                return Err(refuse(format!("{path}: it is one of the files to be read")));
            }
        }
        self.try_to_write().map_err(CliError::file(&self.network))
    }

    /// Writes a file under the longest of the names, and removes it.
    fn try_to_write(&self) -> io::Result<()> {
        let [.., longest] = self.all();
        File::create(&longest)?;
        fs::remove_file(&longest)
    }
}

/// Only a file is replaced by a file.
fn check_kind(path: &Path) -> Result<(), CliError> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() => Ok(()),
        Ok(_) => Err(refuse(format!(
            "{}: not a place for a file",
            path.display()
        ))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(CliError::file(path)(error)),
    }
}

/// Is this file there, and one of these, by whatever name?
fn is_one_of<'a>(path: &Path, mut files: impl Iterator<Item = &'a Path>) -> bool {
    fs::canonicalize(path)
        .is_ok_and(|path| files.any(|file| fs::canonicalize(file).is_ok_and(|file| file == path)))
}
