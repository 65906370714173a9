//! A move in sixteen bits.

use std::fmt;
use std::num::NonZeroU16;

use crate::game::PackedMove;
use crate::xiangqi::Square;

/// A move: the square it leaves in the low byte, the square it goes to in the high one. No
/// square of the board is zero, so neither is a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    /// The move between two squares of the board.
    #[inline]
    pub fn new(from: Square, to: Square) -> Move {
        let bits = u16::from(from.byte()) | u16::from(to.byte()) << 8;
        debug_assert_ne!(bits, 0, "both squares are on the board");
        Move(NonZeroU16::new(bits).unwrap_or(NonZeroU16::MIN))
    }

    /// The square the piece leaves; off the board if these bits are no real move.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_byte(self.0.get() as u8)
    }

    /// The square the piece goes to; off the board if these bits are no real move.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_byte((self.0.get() >> 8) as u8)
    }
}

impl PackedMove for Move {
    #[inline]
    fn to_bits(self) -> NonZeroU16 {
        self.0
    }

    #[inline]
    fn from_bits(bits: NonZeroU16) -> Move {
        Move(bits)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{:?}", self.from(), self.to())
    }
}

const _: () = assert!(size_of::<Option<Move>>() == 2);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_and_squares_agree() {
        for from in Square::all() {
            for to in Square::all() {
                let m = Move::new(from, to);
                assert_eq!((m.from(), m.to()), (from, to));
                assert_eq!(Move::from_bits(m.to_bits()), m);
            }
        }
    }
}
