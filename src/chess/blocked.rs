//! Blocked positions: where it is cheap to be certain that nobody can win any more.
//!
//! The laws of chess end a game at once when no series of legal moves can mate (FIDE 5.2.2).
//! In general that takes a search without end; a wall of pawns with nothing but kings on either
//! side of it takes none.

use crate::chess::attacks;
use crate::chess::bitboard::Bitboard;
use crate::chess::piece::PieceKind;
use crate::chess::state::State;
use crate::game::Side;

impl State {
    /// Is nothing on the board but kings and pawns, no pawn able ever to move or to capture, and
    /// no king able ever to capture a pawn? `false` says nothing.
    pub(super) fn is_walled_off(&self) -> bool {
        let pawns = self.kind(PieceKind::Pawn);
        let only_pawns = self.occupied() == pawns | self.kind(PieceKind::King);
        only_pawns
            && pawns.any()
            && self.en_passant().is_none()
            && Side::ALL.into_iter().all(|side| {
                let own = self.pieces(side, PieceKind::Pawn);
                let enemy = self.pieces(!side, PieceKind::Pawn);
                own.ahead(side).without(pawns).is_empty()
                    && !attacks::pawns(side, own).meets(enemy)
                    && !self.king_can_reach_a_pawn(side)
            })
    }

    /// Could this king, going wherever pawns let it, come to capture one? The other king is
    /// taken to be no obstacle, so that a "no" is certain.
    fn king_can_reach_a_pawn(&self, side: Side) -> bool {
        let enemy = self.pieces(!side, PieceKind::Pawn);
        let closed = attacks::pawns(!side, enemy) | self.pieces(side, PieceKind::Pawn);
        let mut region = Bitboard::of(self.king(side));
        loop {
            let row = region | region.east() | region.west();
            let near = row | row.ahead(Side::First) | row.ahead(Side::Second);
            let wider = region | near.without(closed);
            if wider.meets(enemy) {
                return true;
            }
            if wider == region {
                return false;
            }
            region = wider;
        }
    }
}
