//! Chess pieces.

use crate::game::Side;

/// What a piece is, whosever it is; the order is that of its values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum PieceKind {
    /// A pawn.
    Pawn,
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook.
    Rook,
    /// A queen.
    Queen,
    /// A king.
    King,
}

use PieceKind::{Bishop, King, Knight, Pawn, Queen, Rook};

impl PieceKind {
    /// All kinds, in order.
    pub const ALL: [PieceKind; 6] = [Pawn, Knight, Bishop, Rook, Queen, King];

    /// Its index, 0 to 5.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its English letter, upper case.
    pub const fn letter(self) -> char {
        match self {
            Pawn => 'P',
            Knight => 'N',
            Bishop => 'B',
            Rook => 'R',
            Queen => 'Q',
            King => 'K',
        }
    }

    /// The kind with this English letter, in either case.
    pub const fn from_letter(letter: char) -> Option<PieceKind> {
        Some(match letter.to_ascii_uppercase() {
            'P' => Pawn,
            'N' => Knight,
            'B' => Bishop,
            'R' => Rook,
            'Q' => Queen,
            'K' => King,
            _ => return None,
        })
    }
}

/// A piece of one side. Its index, 0 to 11, is the kind's for White and 6 more for Black.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Piece {
    WhitePawn,
    WhiteKnight,
    WhiteBishop,
    WhiteRook,
    WhiteQueen,
    WhiteKing,
    BlackPawn,
    BlackKnight,
    BlackBishop,
    BlackRook,
    BlackQueen,
    BlackKing,
}

impl Piece {
    /// Pieces of both sides.
    pub const COUNT: usize = 12;

    /// All pieces, in order of their indices.
    pub const ALL: [Piece; Piece::COUNT] = [
        Piece::WhitePawn,
        Piece::WhiteKnight,
        Piece::WhiteBishop,
        Piece::WhiteRook,
        Piece::WhiteQueen,
        Piece::WhiteKing,
        Piece::BlackPawn,
        Piece::BlackKnight,
        Piece::BlackBishop,
        Piece::BlackRook,
        Piece::BlackQueen,
        Piece::BlackKing,
    ];

    /// The piece of this side and kind.
    #[inline(always)]
    pub const fn new(side: Side, kind: PieceKind) -> Piece {
        Piece::ALL[side as usize * 6 + kind as usize]
    }

    /// Its index, below [`Piece::COUNT`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Whose it is.
    #[inline(always)]
    pub const fn side(self) -> Side {
        if (self as u8) < 6 {
            Side::First
        } else {
            Side::Second
        }
    }

    /// What it is.
    #[inline(always)]
    pub const fn kind(self) -> PieceKind {
        match self {
            Piece::WhitePawn | Piece::BlackPawn => Pawn,
            Piece::WhiteKnight | Piece::BlackKnight => Knight,
            Piece::WhiteBishop | Piece::BlackBishop => Bishop,
            Piece::WhiteRook | Piece::BlackRook => Rook,
            Piece::WhiteQueen | Piece::BlackQueen => Queen,
            Piece::WhiteKing | Piece::BlackKing => King,
        }
    }

    /// Its letter in a FEN: upper case for White.
    pub const fn letter(self) -> char {
        match self.side() {
            Side::First => self.kind().letter(),
            Side::Second => self.kind().letter().to_ascii_lowercase(),
        }
    }

    /// The piece with this letter in a FEN.
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let side = if letter.is_ascii_uppercase() {
            Side::First
        } else {
            Side::Second
        };
        match PieceKind::from_letter(letter) {
            Some(kind) => Some(Piece::new(side, kind)),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_sides_and_kinds_agree() {
        for (i, piece) in Piece::ALL.into_iter().enumerate() {
            assert_eq!(piece.index(), i);
            assert_eq!(Piece::new(piece.side(), piece.kind()), piece);
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
        }
        assert_eq!(Piece::from_letter('n'), Some(Piece::BlackKnight));
        assert_eq!(Piece::from_letter('x'), None);
        assert_eq!(size_of::<Option<Piece>>(), 1);
    }
}
