//! What pieces are worth in exchanges, in centipawns: the rule book's round figures.
//!
//! Evaluation has tables of its own; these serve `gain` and static exchange evaluation, where
//! round and equal values (advisor and elephant, two advisors and a horse) keep the arithmetic
//! honest.

use crate::game::{Score, Side};
use crate::xiangqi::{PieceKind, Square};

/// The value of a piece of `side` on `sq`, a square of the board. A king's is beyond all sums of
/// the others.
#[inline]
pub const fn piece_value(kind: PieceKind, side: Side, sq: Square) -> Score {
    Score(match kind {
        PieceKind::King => 10_000,
        PieceKind::Advisor | PieceKind::Bishop => 200,
        PieceKind::Knight => 400,
        PieceKind::Rook => 900,
        PieceKind::Cannon => 450,
        // Across the river it moves sideways too; on the last rank only sideways.
        PieceKind::Pawn if sq.is_across(side) && !is_last_rank(side, sq) => 200,
        PieceKind::Pawn => 100,
    })
}

const fn is_last_rank(side: Side, sq: Square) -> bool {
    sq.rank()
        == match side {
            Side::First => 9,
            Side::Second => 0,
        }
}
