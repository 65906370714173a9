//! What a node teaches once it is searched: histories of moves, and corrections of the evaluation.

use crate::game::{Depth, Game, PackedMove, Position, Score};
use crate::search::Bound;
use crate::search::node::{Assessment, Findings};
use crate::search::params;
use crate::search::table::Hit;
use crate::search::worker::{MoveOf, Search};

/// Moves tried in vain that are remembered for blame.
const TRIED_MAX: usize = 64;

/// The moves of a node tried so far.
pub(crate) struct Tried<M> {
    /// All of them, pruned ones included.
    pub count: u32,
    /// Quiet ones that were searched, the first few.
    pub quiet: arrayvec::ArrayVec<M, TRIED_MAX>,
    /// Noisy ones that were searched, the first few.
    pub noisy: arrayvec::ArrayVec<M, TRIED_MAX>,
}

impl<M> Tried<M> {
    pub fn new() -> Self {
        Tried {
            count: 0,
            quiet: arrayvec::ArrayVec::new(),
            noisy: arrayvec::ArrayVec::new(),
        }
    }

    pub fn add(&mut self, m: M, quiet: bool) {
        let list = if quiet {
            &mut self.quiet
        } else {
            &mut self.noisy
        };
        // Beyond the room for them moves go without blame.
        let _ = list.try_push(m);
    }
}

impl<G: Game> Search<'_, G> {
    /// The static evaluation with what correction history adds.
    pub fn corrected(&self, raw: Score) -> Score {
        let worker = &*self.worker;
        (raw + worker.corrections.of(&worker.position)).clamp_eval()
    }

    /// Correction history learns from scores that contradict the static evaluation, unless a
    /// capture explains the difference.
    pub fn correct(
        &mut self,
        node: &Assessment<MoveOf<G>>,
        outcome: &Findings<MoveOf<G>>,
        bound: Bound,
        depth: Depth,
        ply: usize,
    ) {
        let Some(eval) = self.frame(ply).eval else {
            return;
        };
        let Some(raw) = node.raw else { return };
        let score = outcome.score;
        let contradicts = match bound {
            Bound::Lower => score > eval,
            Bound::Upper => score < eval,
            Bound::Exact => true,
        };
        let worker = &mut *self.worker;
        let noisy = outcome.best.is_some_and(|m| worker.position.is_noisy(m));
        if contradicts && !noisy && !score.is_decisive() {
            let error = score - raw;
            worker.corrections.learn(&worker.position, depth.0, error);
        }
    }

    /// The quiet move that led here gains history, or loses some, by how far the static evaluation
    /// turned its side's way.
    pub fn learn_turn(&mut self, eval: Score, ply: usize) {
        let Some(before) = ply.checked_sub(1).map(|ply| &self.worker.frames[ply]) else {
            return;
        };
        let (setting, earlier) = (before.setting, before.eval);
        if let (Some(step), Some(earlier)) = (before.quiet_step(), earlier) {
            let gained = params::turn_base(G::ID) - (earlier + eval).0;
            let most = params::turn_bonus_max(G::ID);
            let bonus = (gained * params::turn_bonus_factor(G::ID)).clamp(-most, most);
            self.worker
                .histories
                .reward_butterfly(&setting, step, bonus);
        }
    }

    /// A quiet move that cuts off by what the table says gains history.
    pub fn learn_table_cutoff(&mut self, hit: Option<Hit>, depth: Depth, ply: usize) {
        let best = hit.and_then(|h| h.best).map(PackedMove::from_bits);
        let position = &self.worker.position;
        let is_quiet = |m: &MoveOf<G>| position.is_pseudo_legal(*m) && !position.is_noisy(*m);
        if let Some(m) = best.filter(is_quiet) {
            self.settle_in(ply);
            let worker = &mut *self.worker;
            let setting = worker.frames[ply].setting.look(&worker.position);
            let bonus = bonus::<G>(params::table_cutoff_bonus_margin(G::ID), depth);
            let step = worker.position.step(m);
            worker.histories.reward_quiet(setting, step, bonus);
        }
    }

    /// No move was good enough here, so the quiet one that led here gains history.
    pub fn learn_failure(&mut self, depth: Depth, ply: usize) {
        let Some(before) = ply.checked_sub(1).map(|ply| &self.worker.frames[ply]) else {
            return;
        };
        let setting = before.setting;
        if let Some(step) = before.quiet_step() {
            let bonus = bonus::<G>(params::failure_bonus_margin(G::ID), depth);
            self.worker.histories.reward_quiet(&setting, step, bonus);
        }
    }

    /// A quiet move that cut off becomes a killer; it gains history and what was tried in vain
    /// before it loses some.
    pub fn learn_cutoff(
        &mut self,
        best: MoveOf<G>,
        tried: &Tried<MoveOf<G>>,
        depth: Depth,
        ply: usize,
    ) {
        let bonus = bonus::<G>(params::bonus_margin(G::ID), depth);
        let worker = &mut *self.worker;
        let (position, setting) = (&worker.position, worker.frames[ply].setting);
        if position.is_noisy(best) {
            worker.histories.reward_noisy(position.step(best), bonus);
        } else {
            worker.frames[ply].add_killer(best);
            worker
                .histories
                .reward_quiet(&setting, position.step(best), bonus);
            for m in &tried.quiet {
                worker
                    .histories
                    .reward_quiet(&setting, position.step(*m), -bonus);
            }
        }
        for m in &tried.noisy {
            worker.histories.reward_noisy(position.step(*m), -bonus);
        }
    }
}

/// The bonus for a move that proved good at this depth.
fn bonus<G: Game>(margin: i32, depth: Depth) -> i32 {
    (margin * depth.0).min(params::bonus_max(G::ID))
}
