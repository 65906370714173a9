//! Chess moves in sixteen bits.

use std::fmt;
use std::num::NonZeroU16;

use crate::chess::castling::Castling;
use crate::chess::piece::PieceKind;
use crate::chess::square::Square;
use crate::game::PackedMove;

/// What is special about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum MoveKind {
    /// Nothing: a piece goes to an empty square or captures what stands there.
    Normal,
    /// A pawn captures the one that has just passed it.
    EnPassant,
    /// King and rook move together.
    Castling,
    /// A pawn becomes a knight.
    PromoteKnight,
    /// A pawn becomes a bishop.
    PromoteBishop,
    /// A pawn becomes a rook.
    PromoteRook,
    /// A pawn becomes a queen.
    PromoteQueen,
}

impl MoveKind {
    /// The four promotions, the strongest first.
    pub const PROMOTIONS: [MoveKind; 4] = [
        MoveKind::PromoteQueen,
        MoveKind::PromoteKnight,
        MoveKind::PromoteRook,
        MoveKind::PromoteBishop,
    ];

    /// What the pawn becomes.
    #[inline(always)]
    pub const fn promotion(self) -> Option<PieceKind> {
        match self {
            MoveKind::PromoteKnight => Some(PieceKind::Knight),
            MoveKind::PromoteBishop => Some(PieceKind::Bishop),
            MoveKind::PromoteRook => Some(PieceKind::Rook),
            MoveKind::PromoteQueen => Some(PieceKind::Queen),
            _ => None,
        }
    }

    /// The kind with which a pawn becomes this piece.
    pub const fn promoting_to(kind: PieceKind) -> Option<MoveKind> {
        match kind {
            PieceKind::Knight => Some(MoveKind::PromoteKnight),
            PieceKind::Bishop => Some(MoveKind::PromoteBishop),
            PieceKind::Rook => Some(MoveKind::PromoteRook),
            PieceKind::Queen => Some(MoveKind::PromoteQueen),
            PieceKind::Pawn | PieceKind::King => None,
        }
    }
}

/// A move: from the lowest bit up, six bits of origin, six of target, three of [`MoveKind`] and
/// one that is always set, so that no move is zero.
///
/// Castling goes from the king's square to that of the *rook* it castles with, so that it is
/// never mistaken for another move, in Chess960 either.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    const MARK: u16 = 1 << 15;

    /// The move of this kind between two squares.
    #[inline(always)]
    pub const fn new(from: Square, to: Square, kind: MoveKind) -> Move {
        let bits = from as u16 | (to as u16) << 6 | (kind as u16) << 12 | Move::MARK;
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => unreachable!(),
        }
    }

    /// Where the moving piece stands.
    #[inline(always)]
    pub const fn from(self) -> Square {
        Square::wrapping(self.0.get() as u8)
    }

    /// Where it goes; for castling, where the rook stands.
    #[inline(always)]
    pub const fn to(self) -> Square {
        Square::wrapping((self.0.get() >> 6) as u8)
    }

    /// Where the king goes by this castling move.
    pub const fn castled_king(self) -> Square {
        Castling::of(self.from(), self.to()).king_to
    }

    /// What is special about it; `None` for bits that no generator ever makes.
    #[inline(always)]
    pub const fn kind(self) -> Option<MoveKind> {
        Some(match self.0.get() >> 12 {
            8 => MoveKind::Normal,
            9 => MoveKind::EnPassant,
            10 => MoveKind::Castling,
            11 => MoveKind::PromoteKnight,
            12 => MoveKind::PromoteBishop,
            13 => MoveKind::PromoteRook,
            14 => MoveKind::PromoteQueen,
            _ => return None,
        })
    }

    /// What the pawn becomes, if it does.
    #[inline(always)]
    pub const fn promotion(self) -> Option<PieceKind> {
        match self.kind() {
            Some(kind) => kind.promotion(),
            None => None,
        }
    }
}

impl PackedMove for Move {
    #[inline(always)]
    fn to_bits(self) -> NonZeroU16 {
        self.0
    }

    #[inline(always)]
    fn from_bits(bits: NonZeroU16) -> Move {
        Move(bits)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{} {:?}", self.from(), self.to(), self.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optional_move_is_two_bytes() {
        assert_eq!(size_of::<Option<Move>>(), 2);
    }

    #[test]
    fn parts_come_back() {
        let kinds = [MoveKind::Normal, MoveKind::EnPassant, MoveKind::Castling];
        for kind in kinds.into_iter().chain(MoveKind::PROMOTIONS) {
            let m = Move::new(Square::H7, Square::G8, kind);
            assert_eq!(
                (m.from(), m.to(), m.kind()),
                (Square::H7, Square::G8, Some(kind))
            );
            let promoted = kind.promotion().and_then(MoveKind::promoting_to);
            assert_eq!(promoted, kind.promotion().map(|_| kind));
        }
    }

    #[test]
    fn unused_bits_have_no_kind() {
        for high in (0..8).chain([15]) {
            let bits = NonZeroU16::new(high << 12 | 1).unwrap();
            assert_eq!(Move::from_bits(bits).kind(), None);
        }
    }
}
