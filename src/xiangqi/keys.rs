//! Zobrist keys: one for each piece on each square, one for Black to move.

use crate::game::{Key, KeyStream, Side};
use crate::xiangqi::{Mailbox, Piece, Square};

const SEED: u64 = 0x5EED_0F7A_1196_0001;

struct Keys {
    pieces: [Mailbox<Key>; Piece::COUNT],
    black: Key,
}

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
    let (black, _) = stream.next();
    Keys { pieces, black }
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
