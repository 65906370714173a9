//! What the main thread says while it searches: which lines, when, with which bounds.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::game::{Depth, Game, Score};
use crate::search::node::Window;
use crate::search::report::{Bound, Info};
use crate::search::root::RootMove;
use crate::search::worker::{MoveOf, Search};

/// Bounds and current moves are of no interest before this.
const PATIENCE: Duration = Duration::from_secs(3);

impl<G: Game> Search<'_, G> {
    /// Reports the best lines of a completed iteration, the best first.
    pub fn say_lines(&mut self, depth: Depth, lines: usize) {
        if self.reporter.is_some() {
            for line in 0..lines {
                let root_move = self.worker.root_moves[line].clone();
                let (score, bound) = (root_move.shown, root_move.bound);
                self.say(&root_move, line + 1, depth, score, bound);
            }
        }
    }

    /// Reports that the score of the present line fell out of its window, if the search has
    /// lasted long enough for anybody to wonder.
    pub fn say_bound(&mut self, depth: Depth, score: Score, window: Window) {
        if self.reporter.is_none() || self.elapsed() < PATIENCE || self.line > 0 {
            return;
        }
        let bound = if score >= window.beta {
            Bound::Lower
        } else {
            Bound::Upper
        };
        let root_move = self.worker.root_moves[0].clone();
        self.say(&root_move, 1, depth, score, bound);
    }

    /// Reports the root move about to be searched, in a long search.
    pub fn say_current(&mut self, m: MoveOf<G>, number: u32) {
        let depth = self.root_depth;
        let number = self.line + number as usize;
        if self.reporter.is_some()
            && self.elapsed() >= PATIENCE
            && let Some(reporter) = &mut self.reporter
        {
            reporter.current_move(depth, m, number);
        }
    }

    /// Reports the chosen move as the last word, unless that was the last word already.
    pub fn say_final(&mut self, choice: &RootMove<MoveOf<G>>, depth: Depth) {
        let known = self.said == Some((choice.m, choice.shown));
        if !known || self.shared.limits.multi_pv > 1 {
            self.say(choice, 1, depth, choice.shown, Bound::Exact);
        }
    }

    fn say(
        &mut self,
        root_move: &RootMove<MoveOf<G>>,
        line: usize,
        depth: Depth,
        score: Score,
        bound: Bound,
    ) {
        let info = Info {
            depth,
            selective_depth: root_move.selective_depth.max(1),
            line,
            score: root_move.told(score),
            bound,
            nodes: self.all_nodes(),
            hashfull: self.shared.table.hashfull(),
            tablebase_hits: self.shared.tablebase_hits.load(Relaxed),
            time: self.elapsed(),
            pv: &root_move.pv,
        };
        self.said = (line == 1 && bound == Bound::Exact).then_some((root_move.m, score));
        if let Some(reporter) = &mut self.reporter {
            reporter.info(&info);
        }
    }

    fn elapsed(&self) -> Duration {
        self.shared.signals.started().elapsed()
    }
}
