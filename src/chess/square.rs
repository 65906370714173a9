//! Squares, files and ranks of the chess board.
//!
//! Square indices go from a1 = 0 along the rank to h8 = 63. A [`Square`] is always on the board,
//! so that a table of 64 needs no bounds check.

use std::fmt;

use crate::game::Side;

/// An enum of dense values with names, and the ways between them and their indices.
macro_rules! dense_enum {
    ($(#[$meta:meta])* $name:ident, $count:literal, $mask:literal; $first:ident $($rest:ident)*) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum $name { $first, $($rest),* }

        impl $name {
            /// All of them, in order of their indices.
            pub const ALL: [$name; $count] = [$name::$first, $($name::$rest),*];

            /// The value with this index.
            pub const fn new(index: u8) -> Option<$name> {
                if index < $count { Some($name::wrapping(index)) } else { None }
            }

            /// The value with this index, its surplus high bits ignored.
            #[inline(always)]
            #[allow(non_upper_case_globals)]
            pub const fn wrapping(index: u8) -> $name {
                $(const $rest: u8 = $name::$rest as u8;)*
                // The compiler sees that this is the identity.
                match index & $mask {
                    $($rest => $name::$rest,)*
                    _ => $name::$first,
                }
            }

            /// Its index, counted from 0.
            #[inline(always)]
            pub const fn index(self) -> usize {
                self as usize
            }
        }
    };
}

dense_enum! {
    /// A file, from White's left to right.
    File, 8, 7; A B C D E F G H
}

dense_enum! {
    /// A rank, from White's side up.
    Rank, 8, 7; First Second Third Fourth Fifth Sixth Seventh Eighth
}

dense_enum! {
    /// A square of the board.
    Square, 64, 63;
    A1 B1 C1 D1 E1 F1 G1 H1
    A2 B2 C2 D2 E2 F2 G2 H2
    A3 B3 C3 D3 E3 F3 G3 H3
    A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5
    A6 B6 C6 D6 E6 F6 G6 H6
    A7 B7 C7 D7 E7 F7 G7 H7
    A8 B8 C8 D8 E8 F8 G8 H8
}

impl File {
    /// The letter of this file, `a` to `h`.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }

    /// The file with this letter, in either case.
    pub const fn from_letter(letter: char) -> Option<File> {
        match letter.to_ascii_lowercase() {
            lower @ 'a'..='h' => File::new(lower as u8 - b'a'),
            _ => None,
        }
    }
}

impl Rank {
    /// The digit of this rank, `1` to `8`.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The rank with this digit.
    pub const fn from_digit(digit: char) -> Option<Rank> {
        match digit {
            '1'..='8' => Rank::new(digit as u8 - b'1'),
            _ => None,
        }
    }

    /// This rank as `side` counts: its first rank is where its pieces start.
    pub const fn of(self, side: Side) -> Rank {
        match side {
            Side::First => self,
            Side::Second => Rank::wrapping(7 - self as u8),
        }
    }
}

impl Square {
    /// The square where this file and rank cross.
    #[inline(always)]
    pub const fn at(file: File, rank: Rank) -> Square {
        Square::wrapping(rank as u8 * 8 + file as u8)
    }

    /// Its file.
    #[inline(always)]
    pub const fn file(self) -> File {
        File::wrapping(self as u8)
    }

    /// Its rank.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        Rank::wrapping(self as u8 >> 3)
    }

    /// The square straight ahead of this one as `side` plays; from its last rank, the first one.
    #[inline(always)]
    pub const fn ahead(self, side: Side) -> Square {
        match side {
            Side::First => Square::wrapping(self as u8 + 8),
            Side::Second => Square::wrapping((self as u8).wrapping_sub(8)),
        }
    }

    /// The square seen from the other side of the board: ranks mirrored.
    #[inline(always)]
    pub const fn mirrored(self) -> Square {
        Square::wrapping(self as u8 ^ 56)
    }

    /// Reads `e4`, in either case.
    pub fn parse(text: &str) -> Option<Square> {
        let mut chars = text.chars();
        let file = File::from_letter(chars.next()?)?;
        let rank = Rank::from_digit(chars.next()?)?;
        chars.next().is_none().then(|| Square::at(file, rank))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_files_and_ranks_agree() {
        for (i, sq) in Square::ALL.into_iter().enumerate() {
            assert_eq!(sq.index(), i);
            assert_eq!(Square::new(i as u8), Some(sq));
            assert_eq!(Square::at(sq.file(), sq.rank()), sq);
            assert_eq!(Square::parse(&sq.to_string()), Some(sq));
        }
        assert_eq!(Square::new(64), None);
        assert_eq!(Square::parse("E4"), Some(Square::E4));
        for bad in ["", "e", "e9", "i1", "e44", "\u{e9}4"] {
            assert_eq!(Square::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn ahead_and_mirror_follow_the_side() {
        assert_eq!(Square::E2.ahead(Side::First), Square::E3);
        assert_eq!(Square::E7.ahead(Side::Second), Square::E6);
        assert_eq!(Square::B1.mirrored(), Square::B8);
        assert_eq!(Rank::First.of(Side::Second), Rank::Eighth);
    }
}
