//! Endgame tables in the Syzygy format that say what a test wants them to say. They need not be
//! right: an engine that follows a wrong one has read it.

#![allow(dead_code)] // Each test binary uses its own share of it.

use std::fs;
use std::path::Path;

/// Results as tables number them.
pub const LOSS: u8 = 0;
pub const BLESSED_LOSS: u8 = 1;
pub const DRAW: u8 = 2;
pub const CURSED_WIN: u8 = 3;
pub const WIN: u8 = 4;

/// Endgames with the result for White to move and that for Black. Rooks lose to knights here, and
/// knights are of no use against anything else.
pub const MADE_UP: &[(&str, [u8; 2])] = &[
    ("KQvK", [WIN, LOSS]),
    ("KRvK", [WIN, LOSS]),
    ("KPvK", [WIN, LOSS]),
    ("KBvK", [DRAW, DRAW]),
    ("KNvK", [DRAW, DRAW]),
    ("KRvKN", [LOSS, WIN]),
    ("KBNvK", [CURSED_WIN, BLESSED_LOSS]),
];

const MAGIC: [u8; 4] = [0x71, 0xE8, 0x23, 0x5D];
/// Kinds of pieces by their codes, from 1 on.
const KINDS: &str = "PNBRQK";
/// Positions of three single pieces.
const TRIPLES: usize = 31_332;
/// Values in a block, two bits each.
const BLOCK_BITS: u8 = 6;
const BLOCK: usize = 4 << BLOCK_BITS;

/// A table of results with one value for all positions with White to move, and one for Black. The
/// sides must differ, and only White may have a pawn.
pub fn constant(name: &str, results: [u8; 2]) -> Vec<u8> {
    let mut file = header(name);
    let parts = if name.contains('P') { 4 } else { 1 };
    for _ in 0..parts {
        file.extend(results.map(|result| [0x80, result]).concat());
    }
    finished(file)
}

/// A table of results of three single pieces with values by chance, all kinds but blessed losses.
pub fn by_chance(name: &str, mut next: impl FnMut() -> u8) -> Vec<u8> {
    let mut file = header(name);
    let blocks = TRIPLES.div_ceil(BLOCK);
    // One entry of the index for each block.
    let index_bits = BLOCK.trailing_zeros() as u8;
    for _ in 0..2 {
        file.extend([0, BLOCK_BITS, index_bits, 0]);
        file.extend((blocks as u32).to_le_bytes());
        // All codes have two bits: four symbols, each of which stands for a value.
        file.extend([2, 2, 0, 0, 4, 0]);
        for value in [LOSS, DRAW, CURSED_WIN, WIN] {
            file.extend([value, 0xF0, 0xFF]);
        }
    }
    for _ in 0..2 {
        for block in 0..blocks as u32 {
            file.extend(block.to_le_bytes());
            file.extend((BLOCK as u16 / 2).to_le_bytes());
        }
    }
    for _ in 0..2 * blocks {
        file.extend((BLOCK as u16 - 1).to_le_bytes());
    }
    for _ in 0..2 {
        file.resize(file.len().next_multiple_of(64), 0);
        file.extend((0..blocks << BLOCK_BITS).map(|_| next()));
    }
    finished(file)
}

/// The beginning: magic number, flags, and the pieces, White's and Black's order being the same.
fn header(name: &str) -> Vec<u8> {
    let (white, black) = name.split_once('v').unwrap();
    let code = |letter| KINDS.find(letter).unwrap() as u8 + 1;
    let mut codes: Vec<u8> = white.chars().map(code).collect();
    codes.extend(black.chars().map(|letter| code(letter) | 8));
    // Pawns lead, or else kings do.
    let is_king = |code: &u8| code & 7 == 6;
    codes.sort_by_key(|code| (*code != 1, !is_king(code)));
    let has_pawns = codes[0] == 1;
    let mut file = MAGIC.to_vec();
    file.push(1 | u8::from(has_pawns) << 1 | (codes.len() as u8) << 4);
    for _ in 0..if has_pawns { 4 } else { 1 } {
        file.push(0);
        file.extend(codes.iter().map(|code| code | code << 4));
    }
    file.resize(file.len().next_multiple_of(2), 0);
    file
}

/// Blocks of 64 bytes, and a checksum that nobody reads.
fn finished(mut file: Vec<u8>) -> Vec<u8> {
    file.resize(file.len().next_multiple_of(64) + 16, 0);
    file
}

/// Writes constant tables of these endgames to a folder.
pub fn write(folder: &Path, tables: &[(&str, [u8; 2])]) {
    for (name, results) in tables {
        fs::write(
            folder.join(format!("{name}.rtbw")),
            constant(name, *results),
        )
        .unwrap();
    }
}
