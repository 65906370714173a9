//! The two sides of a game.

use std::ops::Not;

/// One of the two players, in order of the first move of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Side {
    /// White in chess, Red in xiangqi.
    First,
    /// Black in both games.
    Second,
}

impl Side {
    /// Both sides, the one that opens the game first.
    pub const ALL: [Side; 2] = [Side::First, Side::Second];

    /// 0 for the first side, 1 for the second: an index into arrays of two.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Side {
    type Output = Side;

    fn not(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}
