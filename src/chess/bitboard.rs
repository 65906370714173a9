//! Sets of squares in one machine word.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::chess::square::{File, Rank, Square};
use crate::game::Side;

/// A set of squares: bit `i` stands for the square with index `i`.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// Every square.
    pub const ALL: Bitboard = Bitboard(!0);
    /// The light squares: h1, a8 and their kind.
    pub const LIGHT: Bitboard = Bitboard(0x55AA_55AA_55AA_55AA);
    /// The squares on the rim.
    pub const RIM: Bitboard = Bitboard(0xFF81_8181_8181_81FF);

    /// The set of this one square.
    #[inline(always)]
    pub const fn of(sq: Square) -> Bitboard {
        Bitboard(1 << sq as u8)
    }

    /// All squares of a file.
    #[inline(always)]
    pub const fn file(file: File) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << file as u8)
    }

    /// All squares of a rank.
    #[inline(always)]
    pub const fn rank(rank: Rank) -> Bitboard {
        Bitboard(0xFF << (rank as u8 * 8))
    }

    /// Is there no square in the set?
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Is there any square in the set?
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Are there two squares or more?
    #[inline(always)]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// How many squares there are.
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Is the square in the set?
    #[inline(always)]
    pub const fn contains(self, sq: Square) -> bool {
        self.0 >> sq as u8 & 1 != 0
    }

    /// Have the sets a square in common?
    #[inline(always)]
    pub const fn meets(self, other: Bitboard) -> bool {
        self.0 & other.0 != 0
    }

    /// The squares of this set that are not in the other.
    #[inline(always)]
    pub const fn without(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    /// The union of the sets, for constants.
    #[inline(always)]
    pub const fn with(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }

    /// The square with the lowest index.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::wrapping(self.0.trailing_zeros() as u8))
        }
    }

    /// The square with the highest index.
    #[inline(always)]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::wrapping(63 - self.0.leading_zeros() as u8))
        }
    }

    /// The square with the lowest index of a set that has one.
    #[inline(always)]
    pub const fn lowest(self) -> Square {
        debug_assert!(self.0 != 0);
        Square::wrapping(self.0.trailing_zeros() as u8)
    }

    /// Every square moved one rank ahead, as `side` plays; off the last rank they vanish.
    #[inline(always)]
    pub const fn ahead(self, side: Side) -> Bitboard {
        match side {
            Side::First => Bitboard(self.0 << 8),
            Side::Second => Bitboard(self.0 >> 8),
        }
    }

    /// Every square moved one file towards the h-file; off the board they vanish.
    #[inline(always)]
    pub const fn east(self) -> Bitboard {
        Bitboard(self.0 << 1 & !Bitboard::file(File::A).0)
    }

    /// Every square moved one file towards the a-file; off the board they vanish.
    #[inline(always)]
    pub const fn west(self) -> Bitboard {
        Bitboard(self.0 >> 1 & !Bitboard::file(File::H).0)
    }

    /// The set from a picture: see [`bitboard!`](crate::bitboard).
    #[doc(hidden)]
    pub const fn from_picture(cells: [bool; 64]) -> Bitboard {
        let mut bits = 0;
        let mut i = 0;
        while i < 64 {
            if cells[i] {
                // The picture begins with the eighth rank.
                bits |= 1 << (i ^ 56);
            }
            i += 1;
        }
        Bitboard(bits)
    }
}

/// A [`Bitboard`](crate::chess::Bitboard) drawn as the board is seen by White: `X` in the set,
/// `.` not.
///
/// ```
/// use twofold::bitboard;
/// use twofold::chess::{Bitboard, Square};
///
/// let corners = bitboard! {
///     X . . . . . . X
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     . . . . . . . .
///     X . . . . . . .
/// };
/// assert_eq!(corners, Bitboard::of(Square::A1) | Bitboard::of(Square::A8) | Bitboard::of(Square::H8));
/// ```
#[macro_export]
macro_rules! bitboard {
    (@cell X) => { true };
    (@cell .) => { false };
    ($($cell:tt)*) => {
        $crate::chess::Bitboard::from_picture([$($crate::bitboard!(@cell $cell)),*])
    };
}

/// The squares of a set, the lowest index first.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let sq = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(sq)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        let union = |set, sq| set | Bitboard::of(sq);
        squares.into_iter().fold(Bitboard::EMPTY, union)
    }
}

impl BitAnd for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Bitboard) {
        self.0 ^= other.0;
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "bitboard! {{")?;
        for rank in Rank::ALL.into_iter().rev() {
            let cell = |file| match self.contains(Square::at(file, rank)) {
                true => "X",
                false => ".",
            };
            writeln!(f, "    {}", File::ALL.map(cell).join(" "))?;
        }
        f.write_str("}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_have_white_below() {
        let picture = bitboard! {
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
            . . . . . . . .
            . . . . X . . .
            . . . . . . . .
            . . . . . . . .
            X . . . . . . .
        };
        assert_eq!(picture, Bitboard::of(Square::A1) | Bitboard::of(Square::E4));
        assert_eq!(
            picture.into_iter().collect::<Vec<_>>(),
            [Square::A1, Square::E4]
        );
        assert_eq!(picture.len(), 2);
        assert!(format!("{picture:?}").contains("    . . . . X . . .\n"));
    }

    #[test]
    fn shifts_stop_at_the_rim() {
        let corner = Bitboard::of(Square::H8);
        assert!(corner.east().is_empty() && corner.ahead(Side::First).is_empty());
        assert_eq!(corner.west(), Bitboard::of(Square::G8));
        assert_eq!(corner.ahead(Side::Second), Bitboard::of(Square::H7));
        assert!(Bitboard::of(Square::A1).west().is_empty());
    }

    #[test]
    fn light_squares_are_light() {
        assert!(Bitboard::LIGHT.contains(Square::H1) && !Bitboard::LIGHT.contains(Square::A1));
        assert_eq!(Bitboard::LIGHT.len(), 32);
    }

    #[test]
    fn first_and_last() {
        let rank = Bitboard::rank(Rank::Second);
        assert_eq!(rank.first(), Some(Square::A2));
        assert_eq!(rank.last(), Some(Square::H2));
        assert_eq!(Bitboard::EMPTY.first(), None);
        assert!(rank.many() && !Bitboard::of(Square::C3).many());
    }
}
