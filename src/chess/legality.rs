//! Is a move legal here, whatever its bits and wherever they come from?
//!
//! The answer is that of the generator, without generating: search asks it of moves out of the
//! transposition table, which may belong to another position or, torn, to none at all.

use crate::chess::attacks::{self, Sliders, line};
use crate::chess::bitboard::Bitboard;
use crate::chess::castling::Castling;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::PieceKind;
use crate::chess::square::{Rank, Square};
use crate::chess::state::State;

impl State {
    /// Is this one of the legal moves?
    pub(super) fn is_legal_move<S: Sliders>(&self, m: Move, sliders: S) -> bool {
        let (from, to) = (m.from(), m.to());
        let us = self.side_to_move();
        let (Some(piece), Some(kind)) = (self.piece_on(from), m.kind()) else {
            return false;
        };
        if piece.side() != us {
            return false;
        }
        match kind {
            MoveKind::Castling => {
                piece.kind() == PieceKind::King && self.may_castle_with(to, sliders)
            }
            MoveKind::EnPassant => {
                piece.kind() == PieceKind::Pawn
                    && self.en_passant() == Some(to)
                    && attacks::pawn(us, from).contains(to)
                    && self.en_passant_is_safe(from, to, sliders)
            }
            _ => {
                let promotes = piece.kind() == PieceKind::Pawn && to.rank() == Rank::Eighth.of(us);
                kind.promotion().is_some() == promotes
                    && self
                        .targets_of(piece.kind(), from, to, sliders)
                        .contains(to)
            }
        }
    }

    fn may_castle_with<S: Sliders>(&self, rook: Square, sliders: S) -> bool {
        let us = self.side_to_move();
        let castling = Castling::of(self.king(us), rook);
        self.castling_rooks_of(us).contains(rook)
            && self.checkers().is_empty()
            && self.castling_is_open(&castling)
            && self.king_danger(castling.king_path(), sliders).is_empty()
    }

    /// The legal targets of a piece of the side to move, special moves apart. For a king only
    /// `to` is looked at.
    fn targets_of<S: Sliders>(
        &self,
        kind: PieceKind,
        from: Square,
        to: Square,
        sliders: S,
    ) -> Bitboard {
        let us = self.side_to_move();
        let occupied = self.occupied();
        let reach = match kind {
            PieceKind::Pawn => self.pawn_reach(from),
            PieceKind::Knight => attacks::knight(from),
            PieceKind::Bishop => sliders.bishop(from, occupied),
            PieceKind::Rook => sliders.rook(from, occupied),
            PieceKind::Queen => sliders.queen(from, occupied),
            PieceKind::King => {
                let step = attacks::king(from) & Bitboard::of(to).without(self.side(us));
                return step.without(self.king_danger(step, sliders));
            }
        };
        let along = if self.pinned().contains(from) {
            line(self.king(us), from)
        } else {
            Bitboard::ALL
        };
        (reach & self.check_mask() & along).without(self.side(us))
    }

    /// Where a pawn of the side to move can go if its king does not matter.
    fn pawn_reach(&self, from: Square) -> Bitboard {
        let us = self.side_to_move();
        let pawn = Bitboard::of(from);
        let third = Bitboard::rank(Rank::Third.of(us));
        let one = pawn.ahead(us).without(self.occupied());
        let two = (one & third).ahead(us).without(self.occupied());
        one | two | attacks::pawn(us, from) & self.side(!us)
    }
}
