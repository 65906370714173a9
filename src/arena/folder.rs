//! The folder of a match: one runner at a time works in it, and what a match leaves there is set
//! aside, never overwritten.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

/// The file that a runner keeps locked. The lock goes with the process, the file stays.
const LOCK_FILE: &str = "lock";
/// A runner that was killed while it started an engine leaves the lock with that process until
/// the engine's program is loaded: so often, and so long, it is tried again.
const TRIES: u32 = 20;
const PAUSE: Duration = Duration::from_millis(50);

/// The right to work in a folder, given back when it is dropped or the process ends.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Takes the lock; `None` if another runner holds it.
    ///
    /// # Errors
    /// The file cannot be opened or locked.
    pub fn take(dir: &Path) -> io::Result<Option<FolderLock>> {
        let path = dir.join(LOCK_FILE);
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)?;
        for _ in 0..TRIES {
            match file.try_lock() {
                Ok(()) => return Ok(Some(FolderLock { _file: file })),
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
                Err(TryLockError::Error(cause)) => return Err(cause),
            }
        }
        Ok(None)
    }

    /// Is a runner at work in this folder?
    ///
    /// # Errors
    /// The lock cannot be looked at.
    pub fn is_held(dir: &Path) -> io::Result<bool> {
        let file = match OpenOptions::new().write(true).open(dir.join(LOCK_FILE)) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(cause) => return Err(cause),
        };
        match file.try_lock() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(cause)) => Err(cause),
        }
    }
}

/// Is it a device, a pipe or a directory, in which a match cannot keep anything? What is not there
/// yet is none.
pub fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file())
}

/// The first of `path` with the ending, with the ending and `.1`, `.2` and so on that is free.
pub fn free_name(path: &Path, ending: &str) -> PathBuf {
    let with = |more: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        name.push(more);
        PathBuf::from(name)
    };
    let is_free = |name: &PathBuf| fs::symlink_metadata(name).is_err();
    let mut name = with("");
    let mut number = 0_u64;
    while !is_free(&name) {
        number += 1;
        name = with(&format!(".{number}"));
    }
    name
}

/// Renames a regular file of this folder to a free name that ends with `.old`. Anything else, a
/// file of another folder above all, stays as it is.
///
/// # Errors
/// The file cannot be renamed.
pub fn set_aside(dir: &Path, path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() && is_within(dir, path)? => {
            fs::rename(path, free_name(path, ".old"))
        }
        _ => Ok(()),
    }
}

/// Renames a folder of this folder to a free name that ends with `.old`, if it is there.
///
/// # Errors
/// It cannot be renamed.
pub fn set_folder_aside(dir: &Path, name: &str) -> io::Result<()> {
    let path = dir.join(name);
    match fs::symlink_metadata(&path) {
        Ok(found) if found.is_dir() => fs::rename(&path, free_name(&path, ".old")),
        _ => Ok(()),
    }
}

/// Can a folder within another one have this name? Paths, which may lead elsewhere, cannot.
pub fn is_plain_name(name: &str) -> bool {
    let is_special = matches!(name, "" | "." | "..");
    !is_special && !name.contains(['/', '\\', ':']) && !name.contains(char::is_control)
}

fn is_within(dir: &Path, path: &Path) -> io::Result<bool> {
    let place = path.canonicalize()?;
    Ok(place.starts_with(dir.canonicalize()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_runner_at_a_time() {
        let dir = std::env::temp_dir().join(format!("twofold-lock-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        assert!(!FolderLock::is_held(&dir).unwrap());
        let first = FolderLock::take(&dir).unwrap();
        assert!(FolderLock::is_held(&dir).unwrap());
        assert!(first.is_some());
        assert!(FolderLock::take(&dir).unwrap().is_none());
        drop(first);
        assert!(!FolderLock::is_held(&dir).unwrap());
        assert!(FolderLock::take(&dir).unwrap().is_some());
        fs::remove_dir_all(&dir).unwrap();
    }

    #[test]
    fn nothing_is_overwritten_and_nothing_of_others_is_moved() {
        let base = std::env::temp_dir().join(format!("twofold-aside-{}", std::process::id()));
        let dir = base.join("match");
        fs::create_dir_all(&dir).unwrap();
        let own = dir.join("games.pgn");
        for text in ["one", "two", "three"] {
            fs::write(&own, text).unwrap();
            set_aside(&dir, &own).unwrap();
            assert!(!own.exists());
        }
        let read = |name: &str| fs::read_to_string(dir.join(name)).unwrap();
        assert_eq!(read("games.pgn.old"), "one");
        assert_eq!(read("games.pgn.old.1"), "two");
        assert_eq!(read("games.pgn.old.2"), "three");
        let foreign = dir.join("../all.pgn");
        fs::write(&foreign, "others").unwrap();
        set_aside(&dir, &foreign).unwrap();
        assert_eq!(fs::read_to_string(&foreign).unwrap(), "others");
        assert!(!is_special(&foreign) && !is_special(&own));
        assert!(is_special(&dir));
        set_aside(&base, &dir).unwrap();
        assert!(dir.exists(), "a directory stays");
        let failures = |text: &str| {
            fs::create_dir_all(dir.join("failures")).unwrap();
            fs::write(dir.join("failures/game-1.log"), text).unwrap();
            set_folder_aside(&dir, "failures").unwrap();
        };
        failures("one");
        failures("two");
        set_folder_aside(&dir, "failures").unwrap();
        assert_eq!(read("failures.old/game-1.log"), "one");
        assert_eq!(read("failures.old.1/game-1.log"), "two");
        fs::remove_dir_all(&base).unwrap();
    }

    #[test]
    fn names_of_folders_are_no_paths() {
        for name in ["chess", "a b", "..x", "xiangqi-1.0+β"] {
            assert!(is_plain_name(name), "{name}");
        }
        for name in [
            "", ".", "..", "../../x", "/tmp/x", "a/b", "a\\b", "C:x", "\0",
        ] {
            assert!(!is_plain_name(name), "{name}");
        }
    }
}
