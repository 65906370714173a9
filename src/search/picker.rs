//! The staged move picker: moves of a node, one at a time, the likeliest cutoffs first.
//!
//! ```text
//! table move
//! noisy moves that win the exchange, by gain and history
//! killers
//! quiet moves, by history
//! noisy moves that lose the exchange, in the order they were put off
//! ```
//! Moves are generated only when their stage is reached. Each legal move comes exactly once, and
//! nothing but legal moves comes.

use arrayvec::ArrayVec;

use crate::game::{MAX_MOVES, MoveList, Position, Score, Wanted};
use crate::search::histories::{Histories, Setting};

/// A noisy move's gain counts this many times its history.
const GAIN_WEIGHT: i32 = 32;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    TableMove,
    GenerateNoisy,
    Noisy,
    Killers,
    GenerateQuiet,
    Quiet,
    BadNoisy,
    Fixed,
    Done,
}

/// Which moves a picker gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scope {
    /// All legal moves.
    All,
    /// Noisy moves that win at least this much by static exchange.
    Noisy(Score),
}

/// Gives the moves of one node.
pub(crate) struct MovePicker<P: Position> {
    stage: Stage,
    scope: Scope,
    table_move: Option<P::Move>,
    killers: [Option<P::Move>; 2],
    next_killer: usize,
    /// Moves of the present stage; those before `next` are out.
    moves: MoveList<P::Move>,
    /// Their scores, apart from them so that the best is found many at a time.
    scores: ArrayVec<i32, MAX_MOVES>,
    next: usize,
    bad: MoveList<P::Move>,
    quiets: Quiets,
}

/// Which quiet moves are still wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Quiets {
    All,
    Checks,
    None,
}

impl<P: Position> MovePicker<P> {
    /// A picker of all legal moves. `table_move` may be any bits; `killers` any moves.
    pub fn new(position: &P, table_move: Option<P::Move>, killers: [Option<P::Move>; 2]) -> Self {
        let table_move = table_move.filter(|m| position.is_pseudo_legal(*m));
        Self::with(Scope::All, Stage::TableMove, table_move, killers)
    }

    /// A picker of noisy moves that win at least `threshold` by static exchange; the table move
    /// only if it is one of them.
    pub fn noisy(position: &P, table_move: Option<P::Move>, threshold: Score) -> Self {
        let table_move = table_move.filter(|m| {
            position.is_pseudo_legal(*m)
                && position.is_noisy(*m)
                && position.see_at_least(*m, threshold)
        });
        let scope = Scope::Noisy(threshold);
        Self::with(scope, Stage::TableMove, table_move, [None; 2])
    }

    /// A picker of given legal moves in given order.
    pub(crate) fn fixed(moves: impl Iterator<Item = P::Move>) -> Self {
        let mut picker = Self::with(Scope::All, Stage::Fixed, None, [None; 2]);
        picker.moves.extend(moves);
        picker
    }

    fn with(
        scope: Scope,
        stage: Stage,
        table_move: Option<P::Move>,
        killers: [Option<P::Move>; 2],
    ) -> Self {
        MovePicker {
            stage,
            scope,
            table_move,
            killers,
            next_killer: 0,
            moves: MoveList::<P::Move>::new(),
            scores: ArrayVec::new(),
            next: 0,
            bad: MoveList::<P::Move>::new(),
            quiets: Quiets::All,
        }
    }

    /// From now on gives no quiet moves other than those already given.
    pub fn skip_quiets(&mut self) {
        self.quiets = Quiets::None;
    }

    /// From now on gives no quiet moves but those that give check.
    pub fn only_checks(&mut self, position: &P) {
        if self.quiets != Quiets::All {
            return;
        }
        self.quiets = Quiets::Checks;
        if self.stage == Stage::Quiet {
            self.keep_checks(position);
        }
    }

    /// Of the moves at hand, keeps those that give check. Those given already count no more.
    fn keep_checks(&mut self, position: &P) {
        let mut kept = 0;
        for i in self.next..self.moves.len() {
            if position.gives_check(self.moves[i]) {
                self.moves[kept] = self.moves[i];
                self.scores[kept] = self.scores[i];
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        self.scores.truncate(kept);
        self.next = 0;
    }

    /// The next move, or `None` after the last. Quiet moves are judged by `setting`, that of the
    /// node.
    pub fn next(
        &mut self,
        position: &P,
        histories: &Histories<P>,
        setting: &mut Setting,
    ) -> Option<P::Move> {
        loop {
            let m = self.next_candidate(position, histories, setting)?;
            if P::LEGAL_GENERATOR || position.is_legal(m) {
                return Some(m);
            }
        }
    }

    fn next_candidate(
        &mut self,
        position: &P,
        histories: &Histories<P>,
        setting: &mut Setting,
    ) -> Option<P::Move> {
        loop {
            let found = match self.stage {
                Stage::TableMove => {
                    self.stage = Stage::GenerateNoisy;
                    self.table_move
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(position, histories);
                    self.stage = Stage::Noisy;
                    None
                }
                Stage::Noisy => self.next_noisy(position),
                Stage::Killers => self.next_killer(position),
                Stage::GenerateQuiet => {
                    if self.quiets != Quiets::None {
                        self.generate_quiet(position, histories, setting.look(position));
                    }
                    self.stage = Stage::Quiet;
                    None
                }
                Stage::Quiet => self.next_quiet(),
                Stage::BadNoisy => self.next_bad(),
                Stage::Fixed => {
                    let m = self.moves.get(self.next).copied();
                    self.next += 1;
                    return m;
                }
                Stage::Done => return None,
            };
            if found.is_some() {
                return found;
            }
        }
    }

    fn generate_noisy(&mut self, position: &P, histories: &Histories<P>) {
        let mut list = MoveList::<P::Move>::new();
        position.generate(Wanted::Noisy, &mut list);
        self.load(&list, |m| {
            GAIN_WEIGHT * position.gain(m).0 + histories.noisy(position.step(m))
        });
    }

    fn generate_quiet(&mut self, position: &P, histories: &Histories<P>, setting: &Setting) {
        let mut list = MoveList::<P::Move>::new();
        position.generate(Wanted::Quiet, &mut list);
        if self.quiets == Quiets::Checks {
            list.retain(|m| position.gives_check(*m));
        }
        self.load(&list, |m| histories.quiet_order(setting, position.step(m)));
    }

    /// Replaces the moves at hand by those of `list` not given yet.
    fn load(&mut self, list: &MoveList<P::Move>, score: impl Fn(P::Move) -> i32) {
        self.moves.clear();
        self.scores.clear();
        self.next = 0;
        for &m in list {
            if Some(m) != self.table_move && !self.was_killer(m) {
                self.moves.push(m);
                self.scores.push(score(m));
            }
        }
    }

    /// Killers given already; before their stage none is.
    fn was_killer(&self, m: P::Move) -> bool {
        self.stage > Stage::Killers && self.killers.contains(&Some(m))
    }

    /// Takes the best of the moves at hand: a step of a selection sort, as most nodes need few.
    fn take_best(&mut self) -> Option<P::Move> {
        let scores = self.scores.get_mut(self.next..)?;
        let highest = scores.iter().copied().max()?;
        let best = scores.iter().position(|score| *score == highest)?;
        scores.swap(0, best);
        self.moves.swap(self.next, self.next + best);
        self.next += 1;
        Some(self.moves[self.next - 1])
    }

    fn next_noisy(&mut self, position: &P) -> Option<P::Move> {
        let Some(m) = self.take_best() else {
            self.stage = match self.scope {
                Scope::All => Stage::Killers,
                Scope::Noisy(_) => Stage::Done,
            };
            return None;
        };
        match self.scope {
            Scope::Noisy(threshold) => position.see_at_least(m, threshold).then_some(m),
            Scope::All if position.see_at_least(m, Score(0)) => Some(m),
            Scope::All => {
                self.bad.push(m);
                None
            }
        }
    }

    fn next_killer(&mut self, position: &P) -> Option<P::Move> {
        while self.next_killer < self.killers.len() && self.quiets != Quiets::None {
            let slot = &mut self.killers[self.next_killer];
            self.next_killer += 1;
            let usable = slot.filter(|m| {
                Some(*m) != self.table_move
                    && position.is_pseudo_legal(*m)
                    && !position.is_noisy(*m)
                    && (self.quiets == Quiets::All || position.gives_check(*m))
            });
            // What is not given here must not be left out of the quiet moves.
            *slot = usable;
            if usable.is_some() {
                return usable;
            }
        }
        self.stage = Stage::GenerateQuiet;
        None
    }

    fn next_quiet(&mut self) -> Option<P::Move> {
        if self.quiets != Quiets::None
            && let Some(m) = self.take_best()
        {
            return Some(m);
        }
        self.stage = Stage::BadNoisy;
        self.next = 0;
        None
    }

    fn next_bad(&mut self) -> Option<P::Move> {
        let m = self.bad.get(self.next).copied();
        self.next += 1;
        if m.is_none() {
            self.stage = Stage::Done;
        }
        m
    }
}
