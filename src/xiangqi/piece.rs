//! Pieces, and the thirty-two men with identities of their own.
//!
//! A *piece* is a kind and a side. A *man* is one particular piece of the set: its number, 0 to
//! 15 within its side, stays with it from the set-up to its capture. Numbers are dealt by kind
//! (0 the king, 1 and 2 the advisors, ...), so the number alone tells the kind.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use crate::game::Side;

/// The seven kinds of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum PieceKind {
    /// 帅 将, the general.
    King,
    /// 仕 士, the guard.
    Advisor,
    /// 相 象, the elephant.
    Bishop,
    /// 马, the horse.
    Knight,
    /// 车, the chariot.
    Rook,
    /// 炮.
    Cannon,
    /// 兵 卒, the soldier.
    Pawn,
}

impl PieceKind {
    /// All kinds, in order of their numbers.
    pub const ALL: [PieceKind; 7] = [
        PieceKind::King,
        PieceKind::Advisor,
        PieceKind::Bishop,
        PieceKind::Knight,
        PieceKind::Rook,
        PieceKind::Cannon,
        PieceKind::Pawn,
    ];

    /// The letter of Red's piece of this kind in a FEN.
    pub const fn letter(self) -> char {
        ['K', 'A', 'B', 'N', 'R', 'C', 'P'][self as usize]
    }
}

/// A kind and a side, numbered 0 to 13.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Piece {
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub kind: PieceKind,
}

impl Piece {
    /// How many pieces there are.
    pub const COUNT: usize = 14;

    /// 0 to 6 for Red's pieces in order of kinds, 7 to 13 for Black's.
    #[inline]
    pub const fn index(self) -> u8 {
        self.side as u8 * 7 + self.kind as u8
    }

    /// The piece with this letter in a FEN: capitals are Red's. `E` and `H` stand for elephant
    /// and horse beside the usual `B` and `N`.
    pub fn from_letter(letter: char) -> Option<Piece> {
        let side = if letter.is_ascii_uppercase() {
            Side::First
        } else {
            Side::Second
        };
        let kind = match letter.to_ascii_uppercase() {
            'K' => PieceKind::King,
            'A' => PieceKind::Advisor,
            'B' | 'E' => PieceKind::Bishop,
            'N' | 'H' => PieceKind::Knight,
            'R' => PieceKind::Rook,
            'C' => PieceKind::Cannon,
            'P' => PieceKind::Pawn,
            _ => return None,
        };
        Some(Piece { side, kind })
    }

    /// The letter of this piece in a FEN.
    pub const fn letter(self) -> char {
        match self.side {
            Side::First => self.kind.letter(),
            Side::Second => self.kind.letter().to_ascii_lowercase(),
        }
    }
}

/// The kinds of the sixteen men of a side, by number.
const KINDS: [PieceKind; 16] = [
    PieceKind::King,
    PieceKind::Advisor,
    PieceKind::Advisor,
    PieceKind::Bishop,
    PieceKind::Bishop,
    PieceKind::Knight,
    PieceKind::Knight,
    PieceKind::Rook,
    PieceKind::Rook,
    PieceKind::Cannon,
    PieceKind::Cannon,
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Pawn,
    PieceKind::Pawn,
];

const RED_BIT: u8 = 0x10;
const BLACK_BIT: u8 = 0x20;

/// The bit of a cell that says that a man of this side, or no square at all, is there.
const fn side_bit(side: Side) -> u8 {
    match side {
        Side::First => RED_BIT,
        Side::Second => BLACK_BIT,
    }
}

/// One particular man of the set: a side and a number below sixteen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Man(u8);

impl Man {
    /// The man with this number; numbers above 15 are cut to four bits.
    #[inline]
    pub const fn new(side: Side, id: u8) -> Man {
        Man(side_bit(side) | (id & 15))
    }

    /// Whose it is.
    #[inline]
    pub const fn side(self) -> Side {
        if self.0 & RED_BIT != 0 {
            Side::First
        } else {
            Side::Second
        }
    }

    /// Its number within its side, 0 to 15.
    #[inline]
    pub const fn id(self) -> u8 {
        self.0 & 15
    }

    /// What it is.
    #[inline]
    pub const fn kind(self) -> PieceKind {
        KINDS[(self.0 & 15) as usize]
    }

    /// Its kind and side.
    #[inline]
    pub const fn piece(self) -> Piece {
        Piece {
            side: self.side(),
            kind: self.kind(),
        }
    }
}

/// What a mailbox cell holds: a man, nothing, or no square at all.
///
/// One byte with a bit for each side; a cell off the board has both bits, so that one test
/// refuses own men and padding alike.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Cell(u8);

impl Cell {
    /// An empty square of the board.
    pub const EMPTY: Cell = Cell(0);
    /// Padding around the board.
    pub const OFF: Cell = Cell(RED_BIT | BLACK_BIT);

    /// The cell with this man on it.
    #[inline]
    pub const fn of(man: Man) -> Cell {
        Cell(man.0)
    }

    /// Is this an empty square of the board?
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// May `side` move here, as far as this cell goes: is it empty or held by the enemy?
    #[inline]
    pub const fn is_open_to(self, side: Side) -> bool {
        self.0 & side_bit(side) == 0
    }

    /// Is there a man that `side` may capture?
    #[inline]
    pub const fn is_prey_of(self, side: Side) -> bool {
        self.0 & Cell::OFF.0
            == side_bit(match side {
                Side::First => Side::Second,
                Side::Second => Side::First,
            })
    }

    /// The man on this cell.
    #[inline]
    pub const fn man(self) -> Option<Man> {
        if self.0 == 0 || self.0 == Cell::OFF.0 {
            None
        } else {
            Some(Man(self.0))
        }
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.man() {
            Some(man) => write!(f, "{}{}", man.piece().letter(), man.id()),
            None => f.write_str(if self.is_empty() { "." } else { "#" }),
        }
    }
}

/// A set of men of one side, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ids(u16);

impl Ids {
    /// Nobody.
    pub const NONE: Ids = Ids(0);
    /// All sixteen.
    pub const ALL: Ids = Ids(u16::MAX);
    /// Chariots and cannons, which move along lines.
    pub const SLIDERS: Ids = Ids::of(PieceKind::Rook).union(Ids::of(PieceKind::Cannon));

    /// The men whose kinds alone can force a win: pawns, horses and chariots.
    pub const WINNERS: Ids = Ids::of(PieceKind::Pawn)
        .union(Ids::of(PieceKind::Knight))
        .union(Ids::of(PieceKind::Rook));

    /// All men of a kind.
    #[inline]
    pub const fn of(kind: PieceKind) -> Ids {
        Ids(match kind {
            PieceKind::King => 0x0001,
            PieceKind::Advisor => 0x0006,
            PieceKind::Bishop => 0x0018,
            PieceKind::Knight => 0x0060,
            PieceKind::Rook => 0x0180,
            PieceKind::Cannon => 0x0600,
            PieceKind::Pawn => 0xF800,
        })
    }

    /// The set of one man.
    #[inline]
    pub const fn only(id: u8) -> Ids {
        Ids(1 << (id & 15))
    }

    /// The men of both sets, as `|` gives them, for `const` code.
    pub const fn union(self, other: Ids) -> Ids {
        Ids(self.0 | other.0)
    }

    /// All others, for `const` code.
    pub const fn complement(self) -> Ids {
        Ids(!self.0)
    }

    /// Sixteen bits, one for each number.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Is this man in the set?
    #[inline]
    pub const fn contains(self, id: u8) -> bool {
        self.0 & Ids::only(id).0 != 0
    }

    /// Is nobody in the set?
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many are in the set.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }
}

impl BitAnd for Ids {
    type Output = Ids;

    #[inline]
    fn bitand(self, other: Ids) -> Ids {
        Ids(self.0 & other.0)
    }
}

impl BitOr for Ids {
    type Output = Ids;

    #[inline]
    fn bitor(self, other: Ids) -> Ids {
        Ids(self.0 | other.0)
    }
}

impl Not for Ids {
    type Output = Ids;

    #[inline]
    fn not(self) -> Ids {
        Ids(!self.0)
    }
}

impl BitAndAssign for Ids {
    #[inline]
    fn bitand_assign(&mut self, other: Ids) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Ids {
    #[inline]
    fn bitor_assign(&mut self, other: Ids) {
        self.0 |= other.0;
    }
}

/// The set of these numbers.
impl FromIterator<u8> for Ids {
    fn from_iter<I: IntoIterator<Item = u8>>(ids: I) -> Ids {
        ids.into_iter()
            .fold(Ids::NONE, |set, id| set | Ids::only(id))
    }
}

/// The numbers in ascending order.
impl Iterator for Ids {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let id = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_belongs_to_the_set_of_its_kind_only() {
        for id in 0..16 {
            let man = Man::new(Side::Second, id);
            for kind in PieceKind::ALL {
                assert_eq!(Ids::of(kind).contains(id), man.kind() == kind);
            }
            assert_eq!((man.id(), man.side()), (id, Side::Second));
        }
    }

    #[test]
    fn letters_and_indices_tell_all_fourteen_apart() {
        let mut seen = [false; Piece::COUNT];
        for side in Side::ALL {
            for kind in PieceKind::ALL {
                let piece = Piece { side, kind };
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
                assert!(!std::mem::replace(&mut seen[piece.index() as usize], true));
            }
        }
        assert_eq!(Piece::from_letter('h'), Piece::from_letter('n'));
        assert_eq!(Piece::from_letter('E'), Piece::from_letter('B'));
        for unknown in ['G', 'M', 'S', 'x', '1', '将'] {
            assert_eq!(Piece::from_letter(unknown), None);
        }
    }

    #[test]
    fn padding_is_open_to_nobody() {
        for side in Side::ALL {
            assert!(!Cell::OFF.is_open_to(side) && !Cell::OFF.is_prey_of(side));
            assert!(Cell::EMPTY.is_open_to(side) && !Cell::EMPTY.is_prey_of(side));
            let own = Cell::of(Man::new(side, 3));
            assert!(!own.is_open_to(side) && own.is_open_to(!side) && own.is_prey_of(!side));
            assert!(!own.is_prey_of(side));
        }
        assert_eq!(Cell::OFF.man(), None);
    }
}
