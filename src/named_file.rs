//! Files that clients name: in any encoding, and not everything that has a name.
#![forbid(unsafe_code)]

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Where bytes that are no text stand in a text: a private plane that nobody writes in.
const RAW: u32 = 0x10_FF00;

/// A line as text. Names of files may be in any encoding: bytes that are not UTF-8 become
/// characters of a private plane, and [`path_of`] makes bytes of them again.
pub fn text_of(line: &[u8]) -> String {
    let mut text = String::with_capacity(line.len());
    for chunk in line.utf8_chunks() {
        text.push_str(chunk.valid());
        let raw = chunk.invalid().iter();
        text.extend(raw.filter_map(|byte| char::from_u32(RAW + u32::from(*byte))));
    }
    text
}

/// The path that a text names, its bytes as they came.
#[cfg(unix)]
pub fn path_of(text: &str) -> PathBuf {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt;
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u8::try_from(u32::from(c).wrapping_sub(RAW)) {
            Ok(raw) => bytes.push(raw),
            Err(_) => bytes.extend(c.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    OsString::from_vec(bytes).into()
}

/// The path that a text names. Systems whose names are text have no others.
#[cfg(not(unix))]
pub fn path_of(text: &str) -> PathBuf {
    PathBuf::from(text)
}

/// Opens a file for reading.
///
/// # Errors
/// When it cannot be opened. So also what is no regular file: a device may have no end, and to open
/// a pipe waits for somebody to write.
pub fn open(path: &Path) -> io::Result<File> {
    match fs::metadata(path)?.is_file() {
        true => File::open(path),
        false => Err(io::Error::other("not a regular file")),
    }
}

/// Reads a file of at most so many bytes.
///
/// # Errors
/// When it cannot be opened (see [`open`]) or read, or when it is larger.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let mut bytes = Vec::new();
    if file.metadata()?.len() <= most {
        file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 <= most {
            return Ok(bytes);
        }
    }
    let reason = format!("larger than {} MiB", most >> 20);
    Err(io::Error::new(io::ErrorKind::FileTooLarge, reason))
}

/// A file's text without the byte order mark that editors of Windows put in front of it.
pub fn unmarked(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_of_the_encoding_is_no_part_of_a_text() {
        assert_eq!(unmarked("\u{feff}8/8 w"), "8/8 w");
        assert_eq!(unmarked("8/8 \u{feff}"), "8/8 \u{feff}");
    }

    #[test]
    fn a_file_larger_than_expected_is_not_read() {
        let path = std::env::temp_dir().join(format!("twofold-large-{}", std::process::id()));
        fs::write(&path, [7; 5]).unwrap();
        assert_eq!(read(&path, 5).unwrap(), [7; 5]);
        let refused = read(&path, 4).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::FileTooLarge);
        fs::remove_file(&path).unwrap();
        assert_eq!(read(&path, 5).unwrap_err().kind(), io::ErrorKind::NotFound);
        let folder = read(&std::env::temp_dir(), 5).unwrap_err();
        assert_eq!(folder.to_string(), "not a regular file");
    }

    #[test]
    fn names_in_any_encoding_come_back_byte_by_byte() {
        // "象棋" in GBK between two words, and in UTF-8.
        let gbk = b"my \xCF\xF3\xC6\xE5.dat";
        assert_eq!(text_of("象棋 a".as_bytes()), "象棋 a");
        let text = text_of(gbk);
        assert_eq!((&text[..3], text.chars().count()), ("my ", 11));
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            assert_eq!(path_of(&text).as_os_str().as_bytes(), gbk);
            assert_eq!(path_of("象棋"), Path::new("象棋"));
        }
    }
}
