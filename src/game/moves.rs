//! Moves in sixteen bits, and lists of them.

use std::fmt::Debug;
use std::hash::Hash;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;

/// Room in a move list. Chess has at most 218 legal moves in a position, xiangqi far fewer
/// pseudo-legal ones, even in set-up positions of full piece sets.
pub const MAX_MOVES: usize = 256;

/// Moves of one position, in order of generation.
pub type MoveList<M> = ArrayVec<M, MAX_MOVES>;

/// A move packed into sixteen bits that are never all zero, so that `Option<Move>` is two bytes.
///
/// The transposition table stores these bits; what comes back out of it may belong to another
/// position, which is why [`crate::game::Position::is_pseudo_legal`] takes any bits whatever.
pub trait PackedMove: Copy + Eq + Hash + Debug + Send + Sync + 'static {
    /// The sixteen bits of this move.
    fn to_bits(self) -> NonZeroU16;

    /// The move with these bits, whether or not it makes sense anywhere.
    fn from_bits(bits: NonZeroU16) -> Self;
}
