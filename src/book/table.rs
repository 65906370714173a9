//! The part that both formats share: a sorted array of entries.

use std::marker::PhantomData;

use crate::game::{Book, BookMove, BookRefused, Notation};

/// An entry, whatever the format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The hash of the position.
    pub key: u64,
    /// The move, as the format writes it.
    pub raw: u16,
    /// Its weight.
    pub weight: u16,
}

/// What a format of a game's books has to say of positions, moves and bytes.
pub trait Format: Notation {
    /// The name of the format.
    const FORMAT: &'static str;
    /// Bytes of an entry.
    const ENTRY_BYTES: usize;

    /// The book in a file.
    ///
    /// # Errors
    /// When the file is damaged, or no book of this format.
    fn open(file: Vec<u8>) -> Result<Box<dyn Book<Self>>, BookRefused>;

    /// The entry in these [`Format::ENTRY_BYTES`] bytes.
    fn read_entry(bytes: &[u8]) -> Entry;

    /// Appends an entry.
    fn write_entry(entry: &Entry, file: &mut Vec<u8>);

    /// The keys and raw moves under which a legal move of this position is kept: two where the
    /// position is its own mirror image.
    fn filed(&self, m: Self::Move) -> Vec<(u64, u16)>;
}

/// The moves that entries mean, in their order; what no legal move is meant by is passed over.
pub(super) fn meant_moves<M>(
    entries: &[Entry],
    meant: impl Fn(&Entry) -> Option<M>,
) -> Vec<BookMove<M>> {
    let known = entries.iter().filter_map(|entry| {
        Some(BookMove {
            m: meant(entry)?,
            weight: entry.weight.into(),
        })
    });
    known.collect()
}

/// The entries of a book, known to be sorted.
pub(super) struct Table<P> {
    bytes: Vec<u8>,
    of: PhantomData<fn() -> P>,
}

impl<P: Format> Table<P> {
    /// Checks that this is such an array.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn new(bytes: Vec<u8>) -> Result<Self, BookRefused> {
        let size = P::ENTRY_BYTES;
        if bytes.is_empty() {
            return Err(BookRefused("the book is empty".to_owned()));
        }
        if !bytes.len().is_multiple_of(size) {
            let length = bytes.len();
            let text = format!("{length} bytes are no whole number of entries of {size} bytes");
            return Err(BookRefused(text));
        }
        let keys = bytes
            .chunks_exact(size)
            .map(|entry| P::read_entry(entry).key);
        let mut last = 0;
        for (index, key) in keys.enumerate() {
            if key < last {
                let text = format!(
                    "entry {} is out of order: a damaged book, or no {}",
                    index + 1,
                    P::FORMAT
                );
                return Err(BookRefused(text));
            }
            last = key;
        }
        let of = PhantomData;
        Ok(Table { bytes, of })
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len() / P::ENTRY_BYTES
    }

    fn entry(&self, index: usize) -> Entry {
        P::read_entry(&self.bytes[index * P::ENTRY_BYTES..][..P::ENTRY_BYTES])
    }

    /// The entries with this key, heaviest first.
    pub(super) fn find(&self, key: u64) -> Vec<Entry> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.entry(middle).key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let from_here = (low..self.len()).map(|index| self.entry(index));
        let mut found: Vec<Entry> = from_here.take_while(|entry| entry.key == key).collect();
        found.sort_by_key(|entry| std::cmp::Reverse(entry.weight));
        found
    }
}
