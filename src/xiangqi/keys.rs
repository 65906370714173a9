//! Zobrist keys: one for each piece on each square, one for Black to move, and marks for what
//! only the transposition table tells apart.

use crate::game::{Key, KeyStream, Side};
use crate::xiangqi::{Mailbox, Piece, Square};

const SEED: u64 = 0x5EED_0F7A_1196_0001;

struct Keys {
    pieces: [Mailbox<Key>; Piece::COUNT],
    black: Key,
    repeated: Key,
    counters: [Key; COUNTERS],
}

/// Steps of the no-capture counter that have a key of their own; those beyond share the last.
const COUNTERS: usize = 64;
/// Plies in a step of the counter.
const COUNTER_STEP: u16 = 8;
/// Up to here the counter makes no difference: the limit is far.
pub(super) const COUNTER_FREE: u16 = 12;

static KEYS: Keys = {
    let mut pieces = [const { Mailbox::filled(Key(0)) }; Piece::COUNT];
    let mut stream = KeyStream::new(SEED);
    let mut piece = 0;
    while piece < Piece::COUNT {
        let mut table = Mailbox::filled(Key(0));
        let mut index = 0;
        while let Some(sq) = Square::from_dense(index) {
            let (key, rest) = stream.next();
            table = table.with(sq, key);
            stream = rest;
            index += 1;
        }
        pieces[piece] = table;
        piece += 1;
    }
    let (black, stream) = stream.next();
    let (repeated, stream) = stream.next();
    let (counters, _) = stream.take();
    Keys {
        pieces,
        black,
        repeated,
        counters,
    }
};

/// The key of a piece on a square.
#[inline]
pub(super) fn piece_key(piece: Piece, sq: Square) -> Key {
    KEYS.pieces[usize::from(piece.index())][sq]
}

/// The part of the key that tells whose turn it is.
#[inline]
pub(super) fn side_key(side: Side) -> Key {
    match side {
        Side::First => Key(0),
        Side::Second => KEYS.black,
    }
}

/// Marks a position that has stood before.
#[inline]
pub(super) fn repeated_key() -> Key {
    KEYS.repeated
}

/// Marks the step in which the no-capture counter is.
#[inline]
pub(super) fn counter_key(quiet: u16) -> Key {
    match quiet.checked_sub(COUNTER_FREE + 1) {
        None => Key(0),
        Some(beyond) => KEYS.counters[usize::from(beyond / COUNTER_STEP).min(COUNTERS - 1)],
    }
}
