//! Bytes of a file at given places, never beyond its end.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::named_file;

/// A file that is read at given places, by several threads at a time.
#[derive(Debug)]
pub(super) struct Bytes {
    file: File,
    length: u64,
}

impl Bytes {
    pub(super) fn open(path: &Path) -> io::Result<Bytes> {
        let file = named_file::open(path)?;
        let length = file.metadata()?.len();
        Ok(Bytes { file, length })
    }

    /// Bytes of the file when it was opened.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Fills the buffer from this place on; `None` where the file ends before.
    pub(super) fn fill(&self, place: u64, buffer: &mut [u8]) -> Option<()> {
        let end = place.checked_add(buffer.len() as u64)?;
        if end > self.length {
            return None;
        }
        self.fill_from_system(place, buffer).ok()
    }

    #[cfg(unix)]
    fn fill_from_system(&self, place: u64, buffer: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, buffer, place)
    }

    #[cfg(windows)]
    fn fill_from_system(&self, mut place: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        while !buffer.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(&self.file, buffer, place)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                n => {
                    buffer = &mut buffer[n..];
                    place += n as u64;
                }
            }
        }
        Ok(())
    }

    /// As many bytes from a place on.
    pub(super) fn array<const N: usize>(&self, place: u64) -> Option<[u8; N]> {
        let mut array = [0; N];
        self.fill(place, &mut array)?;
        Some(array)
    }
}

/// Reads a file from its beginning on.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    bytes: &'a Bytes,
    /// The place of the next byte.
    pub place: u64,
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a Bytes, place: u64) -> Reader<'a> {
        Reader { bytes, place }
    }

    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let array = self.bytes.array(self.place)?;
        self.place += N as u64;
        Some(array)
    }

    pub(super) fn byte(&mut self) -> Option<u8> {
        Some(u8::from_le_bytes(self.array()?))
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes(self.array()?))
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(self.array()?))
    }

    pub(super) fn vec(&mut self, length: usize) -> Option<Vec<u8>> {
        let mut buffer = vec![0; length];
        self.bytes.fill(self.place, &mut buffer)?;
        self.place += length as u64;
        Some(buffer)
    }

    /// Numbers of two bytes, little-endian.
    pub(super) fn u16s(&mut self, count: usize) -> Option<Vec<u16>> {
        let bytes = self.vec(2 * count)?;
        let pairs = bytes.chunks_exact(2);
        Some(
            pairs
                .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
                .collect(),
        )
    }

    /// Leaves out as many bytes, which must be there.
    pub(super) fn skip(&mut self, count: u64) -> Option<u64> {
        let start = self.place;
        self.place = start.checked_add(count)?;
        (self.place <= self.bytes.length()).then_some(start)
    }

    /// Goes on to a multiple of a power of two.
    pub(super) fn align(&mut self, to: u64) {
        self.place = self.place.next_multiple_of(to);
    }
}
