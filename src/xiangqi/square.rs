//! Squares of the padded 16x16 mailbox, and tables with a cell for each.
//!
//! The 9x10 board lies in the middle of 256 cells, three cells of padding to the left of file a
//! and below rank 0. The longest step of any piece is two files and two ranks, so a step from
//! the board always lands on a cell, and a single look at the cell tells whether that is still
//! on the board. A square is one byte and a [`Mailbox`] has 256 cells: no index is ever checked.
//!
//! ```text
//!        file  a b c d e f g h i
//! 0xC_         . . . . . . . . .   rank 9    Black
//!  ...
//! 0x8_         . . . . . . . . .   rank 5
//!              ------ river -----            bit 7 tells the two halves apart
//! 0x7_         . . . . . . . . .   rank 4
//!  ...
//! 0x3_         . . . . . . . . .   rank 0    Red
//!         0x_  3 4 5 6 7 8 9 A B
//! ```

use std::fmt;
use std::ops::{Index, IndexMut};

use crate::game::Side;

/// Files of the board, a to i.
pub const FILES: u8 = 9;
/// Ranks of the board, 0 to 9.
pub const RANKS: u8 = 10;

/// Padding cells before file a and before rank 0.
const PADDING: u8 = 3;
/// Set in the squares of Black's half.
const BLACK_HALF: u8 = 0x80;

/// A cell of the 16x16 mailbox: the file in the low nibble, the rank in the high one.
///
/// Squares made from files and ranks are on the board; a step may lead into the padding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// How many squares the board has.
    pub const COUNT: usize = FILES as usize * RANKS as usize;

    /// The square on this file and rank, if the board has it.
    pub const fn at(file: u8, rank: u8) -> Option<Square> {
        if file < FILES && rank < RANKS {
            Some(Square::on(file, rank))
        } else {
            None
        }
    }

    /// The square on this file and rank, both known to be on the board.
    pub(super) const fn on(file: u8, rank: u8) -> Square {
        debug_assert!(file < FILES && rank < RANKS);
        Square((rank + PADDING) << 4 | (file + PADDING))
    }

    /// The cell with this number, on the board or off it.
    pub const fn from_byte(byte: u8) -> Square {
        Square(byte)
    }

    /// The number of this cell in the mailbox; never zero for a square of the board.
    pub const fn byte(self) -> u8 {
        self.0
    }

    /// The square with this dense index, 0 (a0) to 89 (i9), counted rank by rank.
    pub const fn from_dense(index: u8) -> Option<Square> {
        Square::at(index % FILES, index / FILES)
    }

    /// The dense index of a square of the board: 0 for a0, 1 for b0, 89 for i9.
    #[inline]
    pub const fn dense(self) -> u8 {
        debug_assert!(self.is_on_board());
        self.rank() * FILES + self.file()
    }

    /// The file, 0 (a) to 8 (i), of a square of the board.
    #[inline]
    pub const fn file(self) -> u8 {
        (self.0 & 15).wrapping_sub(PADDING)
    }

    /// The rank, 0 (Red's back rank) to 9, of a square of the board.
    #[inline]
    pub const fn rank(self) -> u8 {
        (self.0 >> 4).wrapping_sub(PADDING)
    }

    /// Is this a square of the board, not a padding cell?
    pub const fn is_on_board(self) -> bool {
        self.file() < FILES && self.rank() < RANKS
    }

    /// The cell `step` further on. From a square of the board, any step of up to three files
    /// and three ranks stays in the mailbox.
    #[inline]
    pub const fn step(self, step: i8) -> Square {
        Square(self.0.wrapping_add_signed(step))
    }

    /// The difference of two squares, as a number that is the same for equal steps.
    #[inline]
    pub const fn difference(self, from: Square) -> u8 {
        self.0.wrapping_sub(from.0)
    }

    /// The cell half-way to another one that lies two files and two ranks away.
    #[inline]
    pub const fn midpoint(self, other: Square) -> Square {
        Square(((self.0 as u16 + other.0 as u16) / 2) as u8)
    }

    /// Do both squares lie on one file?
    #[inline]
    pub const fn shares_file(self, other: Square) -> bool {
        (self.0 ^ other.0) & 0x0F == 0
    }

    /// Do both squares lie on one rank?
    #[inline]
    pub const fn shares_rank(self, other: Square) -> bool {
        (self.0 ^ other.0) & 0xF0 == 0
    }

    /// Do both squares lie on the same bank of the river?
    #[inline]
    pub const fn shares_half(self, other: Square) -> bool {
        (self.0 ^ other.0) & BLACK_HALF == 0
    }

    /// Is this square across the river, seen from `side`?
    #[inline]
    pub const fn is_across(self, side: Side) -> bool {
        (self.0 & BLACK_HALF != 0) == matches!(side, Side::First)
    }

    /// Does this square belong to one of the two palaces?
    #[inline]
    pub const fn is_palace(self) -> bool {
        PALACES.0[self.0 as usize]
    }

    /// The squares of the board, from a0 rank by rank to i9.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..RANKS).flat_map(|rank| (0..FILES).map(move |file| Square::on(file, rank)))
    }
}

/// In UCCI coordinates: `a0` to `i9`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_on_board() {
            fmt::Display::fmt(self, f)
        } else {
            write!(f, "off:{:02X}", self.0)
        }
    }
}

/// A table with a cell for every mailbox square, on the board or off it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mailbox<T>([T; 256]);

impl<T: Copy> Mailbox<T> {
    /// A table filled with one value.
    pub const fn filled(value: T) -> Mailbox<T> {
        Mailbox([value; 256])
    }

    /// This table with another value on one square; for tables built in `const` code.
    pub(super) const fn with(mut self, sq: Square, value: T) -> Mailbox<T> {
        self.0[sq.0 as usize] = value;
        self
    }
}

impl<T> Index<Square> for Mailbox<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, sq: Square) -> &T {
        &self.0[sq.0 as usize]
    }
}

impl<T> IndexMut<Square> for Mailbox<T> {
    #[inline(always)]
    fn index_mut(&mut self, sq: Square) -> &mut T {
        &mut self.0[sq.0 as usize]
    }
}

/// The nine squares of each palace.
static PALACES: Mailbox<bool> = {
    let mut table = Mailbox::filled(false);
    let mut i = 0;
    while i < 9 {
        table = table.with(Square::on(3 + i % 3, i / 3), true);
        table = table.with(Square::on(3 + i % 3, 7 + i / 3), true);
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_indices_number_the_board_without_a_gap() {
        let indices: Vec<u8> = Square::all().map(Square::dense).collect();
        assert_eq!(indices, (0..90).collect::<Vec<u8>>());
        for sq in Square::all() {
            assert_eq!(Square::from_dense(sq.dense()), Some(sq));
            assert_eq!(Square::at(sq.file(), sq.rank()), Some(sq));
            assert_ne!(sq.byte(), 0);
        }
        assert_eq!(Square::from_dense(90), None);
        let on_board = (0..=255)
            .filter(|&b| Square::from_byte(b).is_on_board())
            .count();
        assert_eq!(on_board, Square::COUNT);
    }

    #[test]
    fn names_are_those_of_ucci() {
        assert_eq!(Square::on(0, 0).to_string(), "a0");
        assert_eq!(Square::on(8, 9).to_string(), "i9");
        assert_eq!(Square::on(4, 2).to_string(), "e2");
    }

    #[test]
    fn the_river_runs_between_ranks_four_and_five() {
        for sq in Square::all() {
            assert_eq!(sq.is_across(Side::First), sq.rank() >= 5);
            assert_eq!(sq.is_across(Side::Second), sq.rank() <= 4);
        }
    }

    #[test]
    fn palaces_are_three_by_three() {
        for sq in Square::all() {
            let inside = (3..6).contains(&sq.file()) && !(3..7).contains(&sq.rank());
            assert_eq!(sq.is_palace(), inside, "{sq}");
        }
    }

    #[test]
    fn no_step_of_two_and_two_wraps_onto_the_board() {
        for sq in Square::all() {
            for ranks in -2i8..=2 {
                for files in -2i8..=2 {
                    let there = sq.step(16 * ranks + files);
                    let file = sq.file() as i8 + files;
                    let rank = sq.rank() as i8 + ranks;
                    let exists = (0..9).contains(&file) && (0..10).contains(&rank);
                    assert_eq!(there.is_on_board(), exists);
                    if exists {
                        assert_eq!(there, Square::on(file as u8, rank as u8));
                    }
                }
            }
        }
    }
}
