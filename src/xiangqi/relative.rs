//! Moves as players name them: which piece, which way, how far.
//!
//! Chinese notation (炮二平五) and its letters (WXF: `C2=5`) say the same in different characters.
//! Files and ranks count from the mover's own right and back rank; a piece that shares its file
//! with its like is told from it by its place, the front one first. [`Relative`] is what is said;
//! [`super::chinese`] and [`super::wxf`] write it, [`super::reading`] understands it.

use crate::game::{Position, Side};
use crate::xiangqi::square::{FILES, RANKS};
use crate::xiangqi::{Board, Move, PieceKind, Square};

/// Towards which side a piece moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// 进, towards the opponent.
    Forward,
    /// 退.
    Backward,
    /// 平, along the rank.
    Sideways,
}

/// A place on a file: `index` of `of`, the front piece being 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub index: u8,
    pub of: u8,
}

impl Place {
    /// Is it the foremost?
    pub fn is_front(self) -> bool {
        self.index == 0
    }

    /// Is it the rearmost?
    pub fn is_rear(self) -> bool {
        self.index + 1 == self.of
    }
}

/// How a move tells its piece from others of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Name {
    /// By the number of its file.
    File(u8),
    /// By its place on the only file where several of its kind stand.
    Tandem {
        /// The file's number.
        file: u8,
        /// Its place there.
        place: Place,
    },
    /// Pawns where two files hold several.
    Crowd {
        /// The number of its file.
        file: u8,
        /// Its place there.
        place: Place,
        /// Its number, from 1, in the series of all pawns on crowded files: file by file from the
        /// mover's right, from front to rear on each.
        number: u8,
    },
}

/// A move as it is named.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Relative {
    pub side: Side,
    pub kind: PieceKind,
    pub name: Name,
    pub way: Way,
    /// The file it goes to, or how many points ahead or back.
    pub number: u8,
}

/// The number of a file, 1 to 9 from the mover's right.
fn file_number(side: Side, sq: Square) -> u8 {
    match side {
        Side::First => FILES - sq.file(),
        Side::Second => sq.file() + 1,
    }
}

/// The rank, 0 to 9 from the mover's back rank.
fn own_rank(side: Side, sq: Square) -> u8 {
    match side {
        Side::First => sq.rank(),
        Side::Second => RANKS - 1 - sq.rank(),
    }
}

impl Relative {
    /// A legal move of this position as it is named; `None` if nothing stands where it starts.
    pub(super) fn of(board: &Board, m: Move) -> Option<Relative> {
        let side = board.side_to_move();
        let kind = board.placement().piece(m.from())?.kind;
        let (from, to) = (own_rank(side, m.from()), own_rank(side, m.to()));
        let way = match to.cmp(&from) {
            std::cmp::Ordering::Equal => Way::Sideways,
            std::cmp::Ordering::Greater => Way::Forward,
            std::cmp::Ordering::Less => Way::Backward,
        };
        let walks_straight = !matches!(
            kind,
            PieceKind::Advisor | PieceKind::Bishop | PieceKind::Knight
        );
        let number = match way {
            Way::Forward | Way::Backward if walks_straight => to.abs_diff(from),
            _ => file_number(side, m.to()),
        };
        Some(Relative {
            side,
            kind,
            name: name(board, side, kind, m.from()),
            way,
            number,
        })
    }
}

/// How the piece on a square is named.
fn name(board: &Board, side: Side, kind: PieceKind, sq: Square) -> Name {
    let file = file_number(side, sq);
    // Of two advisors or elephants on a file only one can go the way that is named.
    if matches!(
        kind,
        PieceKind::King | PieceKind::Advisor | PieceKind::Bishop
    ) {
        return Name::File(file);
    }
    let like = Like::of(board, side, kind);
    let Some(place) = like.place(file, own_rank(side, sq)) else {
        return Name::File(file);
    };
    let before = like.crowded().filter(|other| *other < file);
    match like.crowded().count() {
        1 => Name::Tandem { file, place },
        _ => Name::Crowd {
            file,
            place,
            number: before.map(|other| like.on(other)).sum::<u8>() + place.index + 1,
        },
    }
}

/// The pieces of one kind and side: own ranks by file number.
struct Like {
    ranks: [Vec<u8>; FILES as usize + 1],
}

impl Like {
    fn of(board: &Board, side: Side, kind: PieceKind) -> Like {
        let mut ranks: [Vec<u8>; FILES as usize + 1] = Default::default();
        for (man, sq) in board.placement().men() {
            if man.side() == side && man.kind() == kind {
                ranks[usize::from(file_number(side, sq))].push(own_rank(side, sq));
            }
        }
        Like { ranks }
    }

    /// How many stand on a file.
    fn on(&self, file: u8) -> u8 {
        self.ranks[usize::from(file)].len() as u8
    }

    /// The files with several.
    fn crowded(&self) -> impl Iterator<Item = u8> + '_ {
        (1..=FILES).filter(|file| self.on(*file) > 1)
    }

    /// The place of the one on this rank, if it shares its file.
    fn place(&self, file: u8, rank: u8) -> Option<Place> {
        let ahead = self.ranks[usize::from(file)].iter();
        let ahead = ahead.filter(|other| **other > rank).count() as u8;
        let of = self.on(file);
        (of > 1).then_some(Place { index: ahead, of })
    }
}
