//! Compressed values: blocks of canonical Huffman codes, whose symbols stand for pairs of symbols
//! ("recursive pairing"), down to single values.
//!
//! To find value number `i`, a sparse index leads near the block that holds it, the lengths of
//! blocks lead to the block itself, and within it symbols are passed over until the one that
//! covers the value; that one is taken apart.

use crate::tablebase::bytes::{Bytes, Reader};

/// A table of one value: this bit of the flags.
const SINGLE_VALUE: u8 = 0x80;
/// Codes are read from windows of 64 bits.
const LONGEST_CODE: u8 = 32;
/// No table has blocks as large; neither has any as many values between entries of the index.
const MOST_BLOCK_BITS: u8 = 20;
const MOST_INDEX_BITS: u8 = 40;
/// A symbol that stands for a single value has this as its right half.
const LEAF: u16 = 0xFFF;
/// How many lengths of blocks are read at a time.
const LENGTHS_AT_A_TIME: u64 = 32;
/// Bytes of an entry of the index: block and offset.
const INDEX_ENTRY: u64 = 6;

#[derive(Clone, Copy, Debug)]
struct Symbol {
    /// The left symbol, or the value.
    left: u16,
    /// The right symbol, or [`LEAF`].
    right: u16,
    /// How many values it stands for, less one.
    surplus: u32,
}

/// Codes of one length.
#[derive(Clone, Copy, Debug)]
struct Length {
    /// The length in bits.
    bits: u8,
    /// The least code of this length, its bits at the top of the word.
    least: u64,
    /// The symbol of that code.
    symbol: u16,
}

/// The values of one arrangement.
#[derive(Clone, Debug)]
pub(super) struct Pairs {
    /// The flags of the header: what they mean is the table's affair.
    pub flags: u8,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Every position has this value.
    Single(u16),
    Blocks(Box<Blocks>),
}

#[derive(Clone, Debug)]
struct Blocks {
    /// Bytes of a block, as a power of two.
    block_bits: u8,
    /// Values between entries of the index, as a power of two.
    index_bits: u8,
    /// Blocks with data, and lengths of blocks.
    blocks: u64,
    lengths: u64,
    codes: Vec<Length>,
    symbols: Vec<Symbol>,
    index_entries: u64,
    /// Places in the file, known once [`Pairs::place`] and its kin were called.
    index_at: u64,
    lengths_at: u64,
    data_at: u64,
}

impl Pairs {
    /// Reads the header of `size` values.
    pub(super) fn read(reader: &mut Reader<'_>, size: u64) -> Option<Pairs> {
        let flags = reader.byte()?;
        if flags & SINGLE_VALUE != 0 {
            let kind = Kind::Single(u16::from(reader.byte()?));
            return Some(Pairs { flags, kind });
        }
        let kind = Kind::Blocks(Box::new(Blocks::read(reader, size)?));
        Some(Pairs { flags, kind })
    }

    fn blocks_mut(&mut self) -> Option<&mut Blocks> {
        match &mut self.kind {
            Kind::Single(_) => None,
            Kind::Blocks(blocks) => Some(blocks),
        }
    }

    /// The index begins here.
    pub(super) fn place_index(&mut self, reader: &mut Reader<'_>) -> Option<()> {
        if let Some(blocks) = self.blocks_mut() {
            blocks.index_at = reader.skip(INDEX_ENTRY.checked_mul(blocks.index_entries)?)?;
        }
        Some(())
    }

    /// The lengths of blocks begin here.
    pub(super) fn place_lengths(&mut self, reader: &mut Reader<'_>) -> Option<()> {
        if let Some(blocks) = self.blocks_mut() {
            blocks.lengths_at = reader.skip(2 * blocks.lengths)?;
        }
        Some(())
    }

    /// The blocks begin at the next multiple of 64.
    pub(super) fn place_data(&mut self, reader: &mut Reader<'_>) -> Option<()> {
        if let Some(blocks) = self.blocks_mut() {
            reader.align(64);
            blocks.data_at = reader.skip(blocks.blocks << blocks.block_bits)?;
        }
        Some(())
    }

    /// The value with this number.
    pub(super) fn value(&self, bytes: &Bytes, number: u64) -> Option<u16> {
        match &self.kind {
            Kind::Single(value) => Some(*value),
            Kind::Blocks(blocks) => blocks.value(bytes, number),
        }
    }
}

impl Blocks {
    fn read(reader: &mut Reader<'_>, size: u64) -> Option<Blocks> {
        let block_bits = reader.byte()?;
        let index_bits = reader.byte()?;
        let further_lengths = reader.byte()?;
        let blocks = u64::from(reader.u32()?);
        let longest = reader.byte()?;
        let shortest = reader.byte()?;
        let sane = block_bits <= MOST_BLOCK_BITS
            && (1..=MOST_INDEX_BITS).contains(&index_bits)
            && (1..=longest).contains(&shortest)
            && longest <= LONGEST_CODE;
        if !sane {
            return None;
        }
        let first_symbols = reader.u16s(usize::from(longest - shortest) + 1)?;
        let count = usize::from(reader.u16()?);
        let packed = reader.vec(3 * count + count % 2)?;
        Some(Blocks {
            block_bits,
            index_bits,
            blocks,
            lengths: blocks + u64::from(further_lengths),
            codes: codes(shortest, &first_symbols)?,
            symbols: symbols(&packed[..3 * count])?,
            index_entries: size.div_ceil(1 << index_bits),
            index_at: 0,
            lengths_at: 0,
            data_at: 0,
        })
    }

    fn value(&self, bytes: &Bytes, number: u64) -> Option<u16> {
        let (block, within) = self.find(bytes, number)?;
        let size = 1usize << self.block_bits;
        let mut data = vec![0; size];
        bytes.fill(self.data_at + (block << self.block_bits), &mut data)?;
        self.decode(&data, within)
    }

    /// The block that holds a value, and the value's number within it.
    fn find(&self, bytes: &Bytes, number: u64) -> Option<(u64, u64)> {
        let entry = number >> self.index_bits;
        if entry >= self.index_entries {
            return None;
        }
        let [b0, b1, b2, b3, o0, o1] = bytes.array(self.index_at + INDEX_ENTRY * entry)?;
        let mut block = u64::from(u32::from_le_bytes([b0, b1, b2, b3]));
        let offset = i64::from(u16::from_le_bytes([o0, o1]));
        // The entry is of the value in the middle of those it stands for.
        let spacing = 1u64 << self.index_bits;
        let distance = (number & (spacing - 1)) as i64 - (spacing / 2) as i64;
        let mut within = distance + offset;
        let mut lengths = LengthWindow::new(self, bytes);
        while within < 0 {
            block = block.checked_sub(1)?;
            within += lengths.of(block)?;
        }
        loop {
            let length = lengths.of(block)?;
            if within < length {
                break;
            }
            within -= length;
            block += 1;
        }
        (block < self.blocks).then_some((block, within as u64))
    }

    /// The value with this number in a block.
    fn decode(&self, data: &[u8], mut within: u64) -> Option<u16> {
        let mut at = 0;
        let mut symbol = loop {
            let window = window(data, at)?;
            let code = self.codes.iter().find(|code| window >= code.least)?;
            let further = (window - code.least) >> (64 - code.bits);
            let index = u64::from(code.symbol) + further;
            let symbol = self.symbols.get(usize::try_from(index).ok()?)?;
            at += usize::from(code.bits);
            if within <= u64::from(symbol.surplus) {
                break symbol;
            }
            within -= u64::from(symbol.surplus) + 1;
        };
        // Children stand for fewer values than their parents: this ends.
        while symbol.surplus > 0 {
            let left = self.symbols.get(usize::from(symbol.left))?;
            if within <= u64::from(left.surplus) {
                symbol = left;
            } else {
                within -= u64::from(left.surplus) + 1;
                symbol = self.symbols.get(usize::from(symbol.right))?;
            }
        }
        Some(symbol.left)
    }
}

/// The 64 bits from a bit on, filled up with zeros at the end; `None` from the end on.
fn window(data: &[u8], at: usize) -> Option<u64> {
    let rest = data.get(at / 8..).filter(|rest| !rest.is_empty())?;
    let mut bits = [0; 9];
    let count = rest.len().min(9);
    bits[..count].copy_from_slice(&rest[..count]);
    let [head @ .., last] = bits;
    let shift = at % 8;
    let low = match shift {
        0 => 0,
        _ => u64::from(last) >> (8 - shift),
    };
    Some(u64::from_be_bytes(head) << shift | low)
}

/// Lengths of blocks in values, read some at a time.
struct LengthWindow<'a> {
    blocks: &'a Blocks,
    bytes: &'a Bytes,
    /// The first block of the window, and what was read from there.
    first: u64,
    read: Vec<u8>,
}

impl<'a> LengthWindow<'a> {
    fn new(blocks: &'a Blocks, bytes: &'a Bytes) -> Self {
        LengthWindow {
            blocks,
            bytes,
            first: 0,
            read: Vec::new(),
        }
    }

    /// How many values a block holds.
    fn of(&mut self, block: u64) -> Option<i64> {
        if block >= self.blocks.lengths {
            return None;
        }
        let known = self.first..self.first + self.read.len() as u64 / 2;
        if !known.contains(&block) {
            self.first = block - block % LENGTHS_AT_A_TIME;
            let count = LENGTHS_AT_A_TIME.min(self.blocks.lengths - self.first);
            self.read.resize(2 * count as usize, 0);
            let place = self.blocks.lengths_at + 2 * self.first;
            self.bytes.fill(place, &mut self.read)?;
        }
        let at = 2 * (block - self.first) as usize;
        let pair = self.read.get(at..at + 2)?;
        Some(i64::from(u16::from_le_bytes([pair[0], pair[1]])) + 1)
    }
}

/// The least code of each length, from the first symbols of the lengths. Longer codes are
/// smaller; each length's codes begin where half of what the next longer one has ends.
fn codes(shortest: u8, first_symbols: &[u16]) -> Option<Vec<Length>> {
    let mut least = vec![0u64; first_symbols.len()];
    for i in (0..first_symbols.len().checked_sub(1)?).rev() {
        let here = least[i + 1] + u64::from(first_symbols[i]);
        least[i] = here.checked_sub(u64::from(first_symbols[i + 1]))? / 2;
    }
    let lengths = least.iter().zip(first_symbols).zip(shortest..);
    let codes = lengths.map(|((least, symbol), bits)| {
        let is_code = least.checked_shr(u32::from(bits)).unwrap_or(0) == 0;
        is_code.then(|| Length {
            bits,
            least: least << (64 - bits),
            symbol: *symbol,
        })
    });
    codes.collect()
}

/// Symbols with the number of values they stand for. Refuses symbols that are missing or contain
/// themselves.
fn symbols(packed: &[u8]) -> Option<Vec<Symbol>> {
    let halves = |bytes: &[u8]| Symbol {
        left: u16::from(bytes[0]) | u16::from(bytes[1] & 0xF) << 8,
        right: u16::from(bytes[2]) << 4 | u16::from(bytes[1] >> 4),
        surplus: 0,
    };
    let mut symbols: Vec<Symbol> = packed.chunks_exact(3).map(halves).collect();
    let mut states = vec![Visit::Not; symbols.len()];
    for start in 0..symbols.len() {
        measure(start, &mut symbols, &mut states)?;
    }
    Some(symbols)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    Not,
    Begun,
    Done,
}

/// Finds what a symbol and all below it stand for, with a stack of its own.
fn measure(start: usize, symbols: &mut [Symbol], states: &mut [Visit]) -> Option<()> {
    let mut stack = vec![start];
    while let Some(&index) = stack.last() {
        let symbol = *symbols.get(index)?;
        if states[index] == Visit::Done {
            stack.pop();
            continue;
        }
        if symbol.right == LEAF {
            states[index] = Visit::Done;
            continue;
        }
        let children = [symbol.left, symbol.right].map(usize::from);
        if states[index] == Visit::Not {
            states[index] = Visit::Begun;
            for child in children {
                match states.get(child)? {
                    Visit::Not => stack.push(child),
                    Visit::Begun => return None,
                    Visit::Done => {}
                }
            }
            continue;
        }
        let surplus = |child: usize| symbols[child].surplus;
        let sum = surplus(children[0]).checked_add(surplus(children[1]))?;
        symbols[index].surplus = sum.checked_add(1)?;
        states[index] = Visit::Done;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_begin_at_any_bit() {
        let data = [0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0, 0x12];
        assert_eq!(window(&data, 0), Some(0x1234_5678_9ABC_DEF0));
        assert_eq!(window(&data, 4), Some(0x2345_6789_ABCD_EF01));
        assert_eq!(window(&data, 64), Some(0x12 << 56));
        assert_eq!(window(&data, 72), None);
        assert_eq!(window(&[], 0), None);
    }

    #[test]
    fn symbols_that_contain_themselves_are_refused() {
        let leaf = [7, 0xF0, 0xFF];
        let pair = |left: u16, right: u16| {
            let middle = (left >> 8) as u8 | ((right & 0xF) as u8) << 4;
            [left as u8, middle, (right >> 4) as u8]
        };
        let good = [leaf, pair(0, 0), pair(1, 0)].concat();
        let surpluses: Vec<u32> = symbols(&good).unwrap().iter().map(|s| s.surplus).collect();
        assert_eq!(surpluses, [0, 1, 2]);
        assert!(symbols(&[leaf, pair(1, 0)].concat()).is_none(), "itself");
        assert!(
            symbols(&[pair(1, 1), pair(0, 0)].concat()).is_none(),
            "each other"
        );
        assert!(symbols(&[leaf, pair(0, 2)].concat()).is_none(), "missing");
    }
}
