//! Sets of squares, for whoever does not know the board.

/// A set of dense square indices, as [`crate::game::Step`] has them; below 128.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct SquareSet(u128);

impl SquareSet {
    /// No square.
    pub const EMPTY: SquareSet = SquareSet(0);

    /// The squares whose bits are set; bit 0 is the square with the dense index 0.
    pub const fn from_bits(bits: u128) -> SquareSet {
        SquareSet(bits)
    }

    /// Is this square in the set? Indices beyond 127 are not.
    #[inline]
    pub const fn contains(self, square: u8) -> bool {
        square < 128 && self.0 >> square & 1 != 0
    }

    /// Adds a square; indices beyond 127 are left out.
    #[inline]
    pub const fn insert(&mut self, square: u8) {
        if square < 128 {
            self.0 |= 1 << square;
        }
    }

    /// Adds neighbouring squares: bit 0 is `first`.
    #[inline]
    pub const fn insert_row(&mut self, first: u8, row: u16) {
        if first < 128 {
            self.0 |= (row as u128) << first;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_in_the_set_that_were_put_there() {
        let mut set = SquareSet::EMPTY;
        set.insert(0);
        set.insert_row(81, 0b1_0000_0010);
        set.insert(200);
        let held: Vec<u8> = (0..=255).filter(|&sq| set.contains(sq)).collect();
        assert_eq!(held, [0, 82, 89]);
        assert_eq!(SquareSet::from_bits(1 | 1 << 82 | 1 << 89), set);
    }
}
