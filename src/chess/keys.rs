//! The Zobrist keys of chess.

use crate::chess::piece::Piece;
use crate::chess::square::{File, Square};
use crate::game::{Key, KeyStream};

/// The constants that a position's key is made of.
struct Keys {
    pieces: [[Key; 64]; Piece::COUNT],
    castling: [Key; 64],
    en_passant: [Key; 8],
    turn: Key,
}

const fn make_keys() -> Keys {
    let mut stream = KeyStream::new(0x7477_6F66_6F6C_6431);
    let mut pieces = [[Key(0); 64]; Piece::COUNT];
    let mut i = 0;
    while i < Piece::COUNT {
        (pieces[i], stream) = stream.take::<64>();
        i += 1;
    }
    let (castling, stream) = stream.take::<64>();
    let (en_passant, stream) = stream.take::<8>();
    let (turn, _) = stream.next();
    Keys {
        pieces,
        castling,
        en_passant,
        turn,
    }
}

static KEYS: Keys = make_keys();

/// The key of a piece on a square.
#[inline(always)]
pub(super) fn piece(piece: Piece, sq: Square) -> Key {
    KEYS.pieces[piece.index()][sq.index()]
}

/// The key of the right to castle with the rook on this square.
#[inline(always)]
pub(super) fn castling(rook: Square) -> Key {
    KEYS.castling[rook.index()]
}

/// The key of a legal en passant capture on this file.
#[inline(always)]
pub(super) fn en_passant(file: File) -> Key {
    KEYS.en_passant[file.index()]
}

/// The key of Black's turn.
#[inline(always)]
pub(super) fn turn() -> Key {
    KEYS.turn
}
