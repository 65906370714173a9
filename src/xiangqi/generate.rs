//! Pseudo-legal moves: all, captures only, or the others; and counting them without a list.
//!
//! One walk over the piece lists serves every purpose. What is wanted is a type (`Filter`), and
//! so is what becomes of the moves (`Sink`): written to a list, or merely counted. The compiler
//! makes a separate loop of each combination.

use crate::game::{MoveList, Side, SquareSet, Wanted};
use crate::xiangqi::square::FILES;
use crate::xiangqi::steps::{self, DIAGONAL, LEAPS, ORTHOGONAL, RIGHT, forward, is_step};
use crate::xiangqi::{Cell, Ids, Man, Move, Piece, PieceKind, Placement, Square};

/// Which moves a walk gives.
trait Filter {
    const QUIET: bool;
    const NOISY: bool;

    /// May a man of `side` that steps go to this cell?
    #[inline(always)]
    fn accepts(cell: Cell, side: Side) -> bool {
        match (Self::QUIET, Self::NOISY) {
            (true, true) => cell.is_open_to(side),
            (true, false) => cell.is_empty(),
            (false, true) => cell.is_prey_of(side),
            (false, false) => false,
        }
    }

    /// The line squares among those that are empty or hold a victim.
    #[inline(always)]
    fn select(quiet: u16, victims: u16) -> u16 {
        (if Self::QUIET { quiet } else { 0 }) | (if Self::NOISY { victims } else { 0 })
    }
}

struct All;
struct Noisy;
struct Quiet;

impl Filter for All {
    const QUIET: bool = true;
    const NOISY: bool = true;
}
impl Filter for Noisy {
    const QUIET: bool = false;
    const NOISY: bool = true;
}
impl Filter for Quiet {
    const QUIET: bool = true;
    const NOISY: bool = false;
}

/// What becomes of the moves of a walk.
trait Sink {
    /// A single move.
    fn step(&mut self, from: Square, to: Square);
    /// A slider's moves: bits of its file and of its rank.
    fn lines(&mut self, from: Square, file: u16, rank: u16);
}

impl Sink for MoveList<Move> {
    #[inline(always)]
    fn step(&mut self, from: Square, to: Square) {
        self.push(Move::new(from, to));
    }

    #[inline(always)]
    fn lines(&mut self, from: Square, file: u16, rank: u16) {
        for bit in bits(file) {
            self.push(Move::new(from, Square::on(from.file(), bit)));
        }
        for bit in bits(rank) {
            self.push(Move::new(from, Square::on(bit, from.rank())));
        }
    }
}

/// How many moves came along.
struct Counter(u32);

impl Sink for Counter {
    #[inline(always)]
    fn step(&mut self, _from: Square, _to: Square) {
        self.0 += 1;
    }

    #[inline(always)]
    fn lines(&mut self, _from: Square, file: u16, rank: u16) {
        // One count of both lines together: without a CPU's own instruction it costs a dozen.
        self.0 += (u32::from(file) << 16 | u32::from(rank)).count_ones();
    }
}

/// The numbers of the bits that are set, ascending.
#[inline(always)]
fn bits(mut set: u16) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let bit = set.trailing_zeros() as u8;
        set &= set - 1;
        Some(bit)
    })
}

/// Appends the pseudo-legal moves of these men of `side`.
pub fn moves_of(
    placement: &Placement,
    side: Side,
    men: Ids,
    wanted: Wanted,
    out: &mut MoveList<Move>,
) {
    match wanted {
        Wanted::All => walk::<All, _>(placement, side, men, out),
        Wanted::Noisy => walk::<Noisy, _>(placement, side, men, out),
        Wanted::Quiet => walk::<Quiet, _>(placement, side, men, out),
    }
}

/// Where moves lead.
struct Reached(SquareSet);

impl Sink for Reached {
    #[inline(always)]
    fn step(&mut self, _from: Square, to: Square) {
        self.0.insert(to.dense());
    }

    #[inline(always)]
    fn lines(&mut self, from: Square, file: u16, rank: u16) {
        self.0.insert_row(from.rank() * FILES, rank);
        for bit in bits(file) {
            self.0.insert(bit * FILES + from.file());
        }
    }
}

/// The squares where `side` could capture: the targets of its moves, of cannons the captures only.
/// The empty squares behind a cannon's screen are left out.
pub fn threats_of(placement: &Placement, side: Side) -> SquareSet {
    let (men, cannons) = (placement.alive(side), Ids::of(PieceKind::Cannon));
    let mut reached = Reached(SquareSet::EMPTY);
    walk::<All, _>(placement, side, men & !cannons, &mut reached);
    walk::<Noisy, _>(placement, side, men & cannons, &mut reached);
    reached.0
}

/// How many pseudo-legal moves these men of `side` have.
pub fn count_of(placement: &Placement, side: Side, men: Ids) -> usize {
    let mut counter = Counter(0);
    walk::<All, _>(placement, side, men, &mut counter);
    counter.0 as usize
}

/// The moves of these men, kind by kind, the most valuable kinds first.
#[inline]
fn walk<F: Filter, S: Sink>(placement: &Placement, side: Side, men: Ids, out: &mut S) {
    for id in men & Ids::of(PieceKind::Rook) {
        let sq = placement.square(side, id);
        let (file, rank) = slide::<F>(placement, side, sq, |reach| reach.near);
        out.lines(sq, file, rank);
    }
    for id in men & Ids::of(PieceKind::Cannon) {
        let sq = placement.square(side, id);
        let (file, rank) = slide::<F>(placement, side, sq, |reach| reach.far);
        out.lines(sq, file, rank);
    }
    for id in men & Ids::of(PieceKind::Knight) {
        let sq = placement.square(side, id);
        for leap in &LEAPS {
            if placement.cell(sq.step(leap.leg)).is_empty() {
                try_step::<F, S>(placement, side, sq, sq.step(leap.targets[0]), out);
                try_step::<F, S>(placement, side, sq, sq.step(leap.targets[1]), out);
            }
        }
    }
    for id in men & Ids::of(PieceKind::Pawn) {
        let sq = placement.square(side, id);
        try_step::<F, S>(placement, side, sq, sq.step(forward(side)), out);
        if sq.is_across(side) {
            try_step::<F, S>(placement, side, sq, sq.step(-RIGHT), out);
            try_step::<F, S>(placement, side, sq, sq.step(RIGHT), out);
        }
    }
    walk_guards::<F, S>(placement, side, men, out);
}

/// The moves of elephants, advisors and the king.
#[inline]
fn walk_guards<F: Filter, S: Sink>(placement: &Placement, side: Side, men: Ids, out: &mut S) {
    for id in men & Ids::of(PieceKind::Bishop) {
        let sq = placement.square(side, id);
        for step in DIAGONAL {
            let to = sq.step(2 * step);
            if placement.cell(sq.step(step)).is_empty() && to.shares_half(sq) {
                try_step::<F, S>(placement, side, sq, to, out);
            }
        }
    }
    for id in men & Ids::of(PieceKind::Advisor) {
        let sq = placement.square(side, id);
        for step in DIAGONAL {
            let to = sq.step(step);
            if to.is_palace() {
                try_step::<F, S>(placement, side, sq, to, out);
            }
        }
    }
    for id in men & Ids::of(PieceKind::King) {
        let sq = placement.square(side, id);
        for step in ORTHOGONAL {
            let to = sq.step(step);
            if to.is_palace() {
                try_step::<F, S>(placement, side, sq, to, out);
            }
        }
    }
}

#[inline(always)]
fn try_step<F: Filter, S: Sink>(
    placement: &Placement,
    side: Side,
    from: Square,
    to: Square,
    out: &mut S,
) {
    if F::accepts(placement.cell(to), side) {
        out.step(from, to);
    }
}

/// A slider's targets on its file and on its rank; `hits` picks the men it can capture, own men
/// among them, which drop out here.
#[inline(always)]
fn slide<F: Filter>(
    placement: &Placement,
    side: Side,
    sq: Square,
    hits: impl Fn(steps::Reach) -> u16,
) -> (u16, u16) {
    let file = steps::along_file(sq, placement.file(sq));
    let rank = steps::along_rank(sq, placement.rank(sq));
    (
        F::select(file.quiet, hits(file) & placement.file_of(!side, sq)),
        F::select(rank.quiet, hits(rank) & placement.rank_of(!side, sq)),
    )
}

/// Would the walk give this move to `side`? Any two cells of the mailbox may be asked about.
pub fn is_pseudo_legal(placement: &Placement, side: Side, from: Square, to: Square) -> bool {
    let Some(man) = placement.cell(from).man() else {
        return false;
    };
    let target = placement.cell(to);
    if man.side() != side || !target.is_open_to(side) {
        return false;
    }
    if man.kind() == PieceKind::Cannon && target.is_empty() {
        let rook = Piece {
            side,
            kind: PieceKind::Rook,
        };
        return captures(placement, rook, from, to);
    }
    captures(placement, man.piece(), from, to)
}

/// Does a piece on `from` reach `to`, another square of the board, by the way it captures?
/// What stands on `to` plays no part, the facing of kings neither.
#[inline]
pub fn captures(placement: &Placement, piece: Piece, from: Square, to: Square) -> bool {
    let difference = to.difference(from);
    match piece.kind {
        PieceKind::King => to.is_palace() && is_step(difference, ORTHOGONAL, 1),
        PieceKind::Advisor => to.is_palace() && is_step(difference, DIAGONAL, 1),
        PieceKind::Bishop => {
            to.shares_half(from)
                && is_step(difference, DIAGONAL, 2)
                && placement.cell(from.midpoint(to)).is_empty()
        }
        PieceKind::Knight => steps::leg(from, to).is_some_and(|leg| placement.cell(leg).is_empty()),
        PieceKind::Rook => screens(placement, from, to) == Some(0),
        PieceKind::Cannon => screens(placement, from, to) == Some(1),
        PieceKind::Pawn => {
            to == from.step(forward(piece.side))
                || from.is_across(piece.side) && (to == from.step(RIGHT) || to == from.step(-RIGHT))
        }
    }
}

/// How many men stand between two different squares of one line.
#[inline]
fn screens(placement: &Placement, from: Square, to: Square) -> Option<u32> {
    let men = if from == to {
        return None;
    } else if from.shares_file(to) {
        placement.file(to) & steps::between(from.rank(), to.rank())
    } else if from.shares_rank(to) {
        placement.rank(to) & steps::between(from.file(), to.file())
    } else {
        return None;
    };
    Some(men.count_ones())
}

/// The man that a pseudo-legal move captures.
#[inline]
pub fn victim(placement: &Placement, m: Move) -> Option<Man> {
    placement.cell(m.to()).man()
}
