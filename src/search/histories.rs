//! What earlier cutoffs teach about moves: history tables for ordering, pruning and reductions.
//!
//! Tables are flat boxed slices whose strides are products of a game's associated constants,
//! which fold to literals. Every thread has its own.

use std::marker::PhantomData;

use crate::game::{Position, Side, SquareSet, Step};

/// Plies back whose moves continuation history looks at.
pub(crate) const CONTINUATION_PLIES: [usize; 3] = [1, 2, 4];

/// Rows of the continuation table for the moves some plies back; `None` for null moves and
/// before the root.
pub(crate) type Continuations = [Option<u32>; CONTINUATION_PLIES.len()];

/// Butterfly boards: see [`Setting::board`].
const BOARDS: usize = 8;
/// Pawn structures that are told apart.
const STRUCTURE_SLOTS: usize = 512;
/// Plies from the root whose moves are remembered for themselves.
const LOW_PLIES: usize = 4;
/// History near the root counts this many times for ordering at the root, and less below.
const LOW_PLY_WEIGHT: i32 = 2;

/// A history value that knows its own maximum: bonuses pull it towards plus or minus `MAX` the
/// less, the closer it is ("history gravity").
#[derive(Clone, Copy, Default)]
struct Gravity(i16);

impl Gravity {
    const MAX: i32 = 16_384;

    fn add(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-Self::MAX, Self::MAX);
        let value = i32::from(self.0);
        self.0 = (value + bonus - value * bonus.abs() / Self::MAX) as i16;
    }
}

/// What the histories of quiet moves look at besides a move: the node where it is tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting {
    side: Side,
    /// Where the other side could capture, once somebody had to know.
    threats: Option<SquareSet>,
    /// The moves that led here.
    rows: Continuations,
    /// The pawn structure's slot.
    structure: usize,
    ply: usize,
}

impl Setting {
    /// Of a node that no move has been tried at yet.
    pub const NOWHERE: Setting = Setting {
        side: Side::First,
        threats: None,
        rows: [None; CONTINUATION_PLIES.len()],
        structure: 0,
        ply: 0,
    };

    /// Of a position `ply` plies from the root.
    pub fn new<P: Position>(position: &P, rows: Continuations, ply: usize) -> Setting {
        Setting {
            side: position.side_to_move(),
            threats: None,
            rows,
            structure: position.structure_key(0).0 as usize % STRUCTURE_SLOTS,
            ply,
        }
    }

    /// Finds out about threats, before the first quiet move is judged: many nodes are done with
    /// before it, and that takes time.
    #[inline]
    pub fn look<P: Position>(&mut self, position: &P) -> &Setting {
        if self.threats.is_none() {
            self.threats = Some(position.threatened());
        }
        self
    }

    /// Which of the butterfly boards a move is on: by side, and whether the squares that it leaves
    /// and goes to are threatened.
    fn board(&self, step: Step) -> usize {
        debug_assert!(self.threats.is_some(), "judged without a look");
        let threats = self.threats.unwrap_or(SquareSet::EMPTY);
        let threatened = |square| usize::from(threats.contains(square));
        4 * self.side.index() + 2 * threatened(step.from) + threatened(step.to)
    }
}

/// All history tables of one thread.
pub struct Histories<P> {
    /// By side, whether from-square and to-square are threatened, from-square and to-square of
    /// quiet moves ("butterfly boards").
    quiet: Box<[Gravity]>,
    /// By pawn structure, piece and to-square of quiet moves.
    structure: Box<[Gravity]>,
    /// By ply, from-square and to-square of quiet moves of this search near the root.
    low_ply: Box<[Gravity]>,
    /// By piece, to-square and victim of noisy moves.
    noisy: Box<[Gravity]>,
    /// By an earlier move's piece and to-square, and this move's.
    continuation: Box<[Gravity]>,
    game: PhantomData<fn() -> P>,
}

impl<P: Position> Histories<P> {
    const PIECE_TO: usize = P::PIECES * P::SQUARES;

    /// Histories that know nothing.
    pub fn new() -> Self {
        Histories {
            quiet: vec![Gravity(0); BOARDS * P::SQUARES * P::SQUARES].into(),
            structure: vec![Gravity(0); STRUCTURE_SLOTS * Self::PIECE_TO].into(),
            low_ply: vec![Gravity(0); LOW_PLIES * P::SQUARES * P::SQUARES].into(),
            noisy: vec![Gravity(0); Self::PIECE_TO * (P::PIECES + 1)].into(),
            continuation: vec![Gravity(0); Self::PIECE_TO * Self::PIECE_TO].into(),
            game: PhantomData,
        }
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {
        self.quiet.fill(Gravity(0));
        self.structure.fill(Gravity(0));
        self.low_ply.fill(Gravity(0));
        self.noisy.fill(Gravity(0));
        self.continuation.fill(Gravity(0));
    }

    /// For a new search: what was near the root is elsewhere now.
    pub(crate) fn begin_search(&mut self) {
        self.low_ply.fill(Gravity(0));
    }

    /// The continuation row of a move.
    pub(crate) fn row(step: Step) -> u32 {
        (Self::piece_to(step) * Self::PIECE_TO) as u32
    }

    fn piece_to(step: Step) -> usize {
        usize::from(step.piece) * P::SQUARES + usize::from(step.to)
    }

    fn quiet_index(at: &Setting, step: Step) -> usize {
        let square = at.board(step) * P::SQUARES + usize::from(step.from);
        square * P::SQUARES + usize::from(step.to)
    }

    fn structure_index(at: &Setting, step: Step) -> usize {
        at.structure * Self::PIECE_TO + Self::piece_to(step)
    }

    fn low_ply_index(at: &Setting, step: Step) -> Option<usize> {
        let square = at.ply * P::SQUARES + usize::from(step.from);
        (at.ply < LOW_PLIES).then_some(square * P::SQUARES + usize::from(step.to))
    }

    fn noisy_index(step: Step) -> usize {
        let victim = step.victim.map_or(P::PIECES, usize::from);
        Self::piece_to(step) * (P::PIECES + 1) + victim
    }

    /// How well a quiet move has done: butterfly, continuation and pawn structure values.
    pub(crate) fn quiet(&self, at: &Setting, step: Step) -> i32 {
        let mut sum = i32::from(self.quiet[Self::quiet_index(at, step)].0);
        sum += i32::from(self.structure[Self::structure_index(at, step)].0);
        let column = Self::piece_to(step);
        for row in at.rows.iter().flatten() {
            sum += i32::from(self.continuation[*row as usize + column].0);
        }
        sum
    }

    /// The same for ordering moves; near the root with what this search has seen there.
    pub(crate) fn quiet_order(&self, at: &Setting, step: Step) -> i32 {
        let low = Self::low_ply_index(at, step).map_or(0, |i| i32::from(self.low_ply[i].0));
        self.quiet(at, step) + LOW_PLY_WEIGHT * low / (1 + at.ply as i32)
    }

    /// How well a noisy move has done.
    pub(crate) fn noisy(&self, step: Step) -> i32 {
        i32::from(self.noisy[Self::noisy_index(step)].0)
    }

    /// Credits (or with a negative bonus blames) a quiet move for itself, whatever led to it.
    pub(crate) fn reward_butterfly(&mut self, at: &Setting, step: Step, bonus: i32) {
        self.quiet[Self::quiet_index(at, step)].add(bonus);
    }

    /// Credits (or with a negative bonus blames) a quiet move.
    pub(crate) fn reward_quiet(&mut self, at: &Setting, step: Step, bonus: i32) {
        self.reward_butterfly(at, step, bonus);
        self.structure[Self::structure_index(at, step)].add(bonus);
        if let Some(index) = Self::low_ply_index(at, step) {
            self.low_ply[index].add(bonus);
        }
        let column = Self::piece_to(step);
        for row in at.rows.iter().flatten() {
            self.continuation[*row as usize + column].add(bonus);
        }
    }

    /// Credits (or with a negative bonus blames) a noisy move.
    pub(crate) fn reward_noisy(&mut self, step: Step, bonus: i32) {
        self.noisy[Self::noisy_index(step)].add(bonus);
    }
}

impl<P: Position> Default for Histories<P> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threatened_squares_and_sides_have_boards_of_their_own() {
        let step = Step {
            piece: 0,
            from: 3,
            to: 70,
            victim: None,
        };
        let mut boards = Vec::new();
        for side in Side::ALL {
            for squares in [&[][..], &[3], &[70], &[3, 70], &[3, 5]] {
                let mut threats = SquareSet::EMPTY;
                squares.iter().for_each(|square| threats.insert(*square));
                let setting = Setting {
                    side,
                    threats: Some(threats),
                    ..Setting::NOWHERE
                };
                boards.push(setting.board(step));
            }
        }
        assert_eq!(boards[1], boards[4], "5 is not the move's");
        boards.sort_unstable();
        boards.dedup();
        assert_eq!(boards, (0..BOARDS).collect::<Vec<_>>());
    }

    #[test]
    fn gravity_stays_within_its_maximum_and_forgets() {
        let mut entry = Gravity(0);
        for _ in 0..1000 {
            entry.add(1700);
            assert!(i32::from(entry.0) <= Gravity::MAX);
        }
        let top = entry.0;
        assert!(i32::from(top) > Gravity::MAX * 9 / 10);
        entry.add(-1700);
        assert!(
            entry.0 < top - 1700,
            "blame weighs more the higher the value"
        );
        entry.add(i32::MIN / 2);
        assert!(i32::from(entry.0) >= -Gravity::MAX);
    }
}
