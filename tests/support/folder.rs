//! Folders for tests.
#![allow(dead_code)] // Each test binary uses its own share of it.

use std::fs;
use std::path::PathBuf;

/// A folder for one test, empty at first, gone afterwards.
pub struct Folder(pub PathBuf);

impl Folder {
    /// A folder with this name and the process's number in its own.
    pub fn new(name: &str) -> Folder {
        let name = format!("twofold-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).unwrap();
        Folder(path)
    }

    /// Its path.
    pub fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file in it, and returns its path.
    pub fn put(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.0.join(name), content).unwrap();
        self.file(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
