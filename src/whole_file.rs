//! Files that are there whole or not at all, whatever becomes of the process or the machine.
#![forbid(unsafe_code)]

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file so that there is the old one or the new one, and never half of it. It is written
/// under its name with the ending `.new`, forced to disk and renamed.
///
/// # Errors
/// It cannot be written, or its name is that of a device, a pipe or a folder, which a file must
/// not replace. What was begun is removed.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        let refused = "it is no regular file, and is not replaced by one";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, refused));
    }
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(".new");
    let fresh = PathBuf::from(fresh);
    let file = File::create(&fresh)?;
    let written = fill(file, bytes).and_then(|()| fs::rename(&fresh, path));
    if written.is_err() {
        // The first error is the one to tell.
        let _ = fs::remove_file(&fresh);
    }
    written?;
    sync_folder(path.parent().unwrap_or(Path::new(".")))
}

fn fill(mut file: File, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()
}

/// Forces the names in a folder to disk; only Unix has and needs that.
fn sync_folder(dir: &Path) -> io::Result<()> {
    if cfg!(unix) {
        let dir = if dir.as_os_str().is_empty() {
            Path::new(".")
        } else {
            dir
        };
        File::open(dir)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_whole() {
        let dir = std::env::temp_dir().join(format!("twofold-whole-{}", std::process::id()));
        fs::create_dir_all(dir.join("folder")).unwrap();
        let path = dir.join("a.json");
        for text in ["first", "second"] {
            write_whole(&path, text.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        assert!(write_whole(&dir.join("no/such"), b"x").is_err());
        let refused = write_whole(&dir.join("folder"), b"x").unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::InvalidInput);
        let left = fs::read_dir(&dir).unwrap().count();
        assert_eq!(left, 2, "nothing else is left");
        fs::remove_dir_all(&dir).unwrap();
    }
}
