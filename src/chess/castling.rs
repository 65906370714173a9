//! Castling, by the square of the rook, so that chess and Chess960 follow the same rules.

use crate::chess::attacks::between;
use crate::chess::bitboard::Bitboard;
use crate::chess::piece::PieceKind;
use crate::chess::square::{File, Rank, Square};
use crate::chess::state::State;
use crate::game::Side;

/// The side of the king on which the rook stands before castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wing {
    /// Towards the a-file: the king goes to the c-file, the rook to the d-file.
    Queen,
    /// Towards the h-file: the king goes to the g-file, the rook to the f-file.
    King,
}

impl Wing {
    /// Both wings, the king's first.
    pub const ALL: [Wing; 2] = [Wing::King, Wing::Queen];

    /// The wing on which a rook stands, seen from a king of the same rank.
    #[inline(always)]
    pub const fn of(king: Square, rook: Square) -> Wing {
        if rook as u8 > king as u8 {
            Wing::King
        } else {
            Wing::Queen
        }
    }

    const fn king_file(self) -> File {
        match self {
            Wing::King => File::G,
            Wing::Queen => File::C,
        }
    }

    const fn rook_file(self) -> File {
        match self {
            Wing::King => File::F,
            Wing::Queen => File::D,
        }
    }
}

/// The four squares of a castling move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Castling {
    pub king_from: Square,
    pub king_to: Square,
    pub rook_from: Square,
    pub rook_to: Square,
}

impl Castling {
    /// The castling of a king with a rook on its rank.
    #[inline(always)]
    pub(super) const fn of(king: Square, rook: Square) -> Castling {
        let wing = Wing::of(king, rook);
        Castling {
            king_from: king,
            king_to: Square::at(wing.king_file(), king.rank()),
            rook_from: rook,
            rook_to: Square::at(wing.rook_file(), king.rank()),
        }
    }

    /// The squares the king passes, its target included. None of them may be attacked.
    #[inline(always)]
    pub(super) fn king_path(&self) -> Bitboard {
        between(self.king_from, self.king_to) | Bitboard::of(self.king_to)
    }

    /// The squares that either piece passes or enters. Only the two may stand there.
    #[inline(always)]
    fn paths(&self) -> Bitboard {
        let rook_path = between(self.rook_from, self.rook_to) | Bitboard::of(self.rook_to);
        self.king_path() | rook_path
    }
}

impl State {
    /// A side's rooks that may still castle.
    #[inline(always)]
    pub(super) fn castling_rooks_of(&self, side: Side) -> Bitboard {
        self.castling_rooks() & Bitboard::rank(Rank::First.of(side))
    }

    /// The right to castle on a wing: the rook's square.
    pub fn castling_rook(&self, side: Side, wing: Wing) -> Option<Square> {
        let king = self.king(side);
        let mut rooks = self.castling_rooks_of(side).into_iter();
        rooks.find(|&rook| Wing::of(king, rook) == wing)
    }

    /// May the side to move castle with this rook, as far as can be seen without looking for
    /// attacks on the king's path? It must have the right to and not be in check, the paths must
    /// be free, and the rook must not shield its king along the rank (in Chess960 it may).
    #[inline(always)]
    pub(super) fn castling_is_open(&self, castling: &Castling) -> bool {
        let movers = Bitboard::of(castling.king_from) | Bitboard::of(castling.rook_from);
        let obstacles = self.occupied().without(movers);
        !self.pinned.contains(castling.rook_from) && !obstacles.meets(castling.paths())
    }

    /// Could this rook have a right to castle, by where it and its king stand?
    pub(super) fn may_own_right(&self, side: Side, rook: Square) -> bool {
        let first_rank = Rank::First.of(side);
        self.pieces(side, PieceKind::Rook).contains(rook)
            && rook.rank() == first_rank
            && self.king(side).rank() == first_rank
    }
}
