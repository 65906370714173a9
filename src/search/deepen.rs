//! Iterative deepening of one thread: aspiration windows, several lines (MultiPV), and when to
//! stop by choice.

use std::cmp::Reverse;

use crate::game::{Depth, Game, Score};
use crate::search::clock::{Settledness, stretch};
use crate::search::node::{Expected, Root, Window};
use crate::search::params;
use crate::search::root::RootMove;
use crate::search::worker::{MoveOf, Search, Stopped};

/// Beyond this half-width an aspiration window is opened wholly.
const ASPIRATION_MAX: i32 = 600;

/// What iterations so far say of how settled the choice is.
struct Progress<M> {
    best: Option<M>,
    stable_iterations: u32,
    last_score: Option<Score>,
}

impl<G: Game> Search<'_, G> {
    /// Deepens until a limit or a signal ends it.
    pub fn deepen(&mut self) {
        let last = self
            .shared
            .limits
            .depth
            .unwrap_or(Depth::MAX)
            .min(Depth::MAX);
        let mut progress = Progress {
            best: None,
            stable_iterations: 0,
            last_score: None,
        };
        let mut depth = Depth(1);
        let mut completed = None;
        while depth <= last {
            self.root_depth = depth;
            if self.iterate(depth).is_err() {
                if let Some(root_moves) = completed {
                    self.worker.root_moves = root_moves;
                }
                break;
            }
            if self.shared.limits.multi_pv > 1 {
                // Lines are of one iteration: half of the next and half of this would be neither in
                // order nor complete.
                completed = Some(self.worker.root_moves.clone());
            }
            self.worker.completed = depth;
            self.publish_nodes();
            if self.index == 0 && self.is_enough(depth, &mut progress) {
                break;
            }
            depth = depth + 1;
        }
        self.publish_nodes();
        self.worker.said = self.said.take();
    }

    /// One iteration over all lines asked for.
    fn iterate(&mut self, depth: Depth) -> Result<(), Stopped> {
        for root_move in &mut self.worker.root_moves {
            root_move.previous = root_move.score;
            root_move.score = -Score::INFINITE;
        }
        let lines = self.lines();
        for line in 0..lines {
            self.line = line;
            let result = self.aspire(depth);
            self.sort_from(line);
            self.sort_lines(line);
            result?;
            self.unstoppable = false;
        }
        self.say_lines(depth, lines);
        Ok(())
    }

    /// How many lines are searched.
    fn lines(&self) -> usize {
        let most = self.worker.root_moves.len();
        self.shared.limits.multi_pv.clamp(1, most)
    }

    /// Searches one line with a narrow window around its last score, widened on the side where
    /// the score falls out of it.
    fn aspire(&mut self, depth: Depth) -> Result<(), Stopped> {
        let expected = self.worker.root_moves[self.line].previous;
        let mut width = params::aspiration_base(G::ID);
        let mut window = Window::FULL;
        let narrow = depth.0 >= params::aspiration_min_depth(G::ID) && !expected.is_decisive();
        if narrow {
            window = Window {
                alpha: expected - Score(width),
                beta: expected + Score(width),
            };
        }
        let mut reduced = depth;
        loop {
            self.worker.selective_depth = 0;
            let before = window;
            let score = self.alpha_beta::<Root>(window, reduced, 0, Expected::FailLow)?;
            self.sort_from(self.line);
            if score <= window.alpha && window.alpha > -Score::INFINITE {
                window.beta = Score((window.alpha.0 + window.beta.0) / 2);
                window.alpha = widened(score, -width);
                reduced = depth;
            } else if score >= window.beta && window.beta < Score::INFINITE {
                window.beta = widened(score, width);
                // The move that failed high is likely to do so at any depth: find out cheaply.
                reduced = Depth((reduced.0 - 1).max(depth.0 - 3).max(1));
            } else {
                return Ok(());
            }
            self.say_bound(depth, score, before);
            width += width / 2;
        }
    }

    /// Brings the best of the moves from `line` on to the front, the others keeping their order:
    /// that of earlier iterations, which is the best guess at hand. What tables rank higher comes
    /// first whatever its score.
    fn sort_from(&mut self, line: usize) {
        self.worker.root_moves[line..].sort_by_key(|r| Reverse((r.rank, r.score, r.previous)));
    }

    /// The lines searched so far, best first.
    fn sort_lines(&mut self, last: usize) {
        self.worker.root_moves[..=last].sort_by_key(|r| Reverse((r.rank, r.score)));
    }

    /// May the main thread stop here, by its own choice?
    fn is_enough(&self, depth: Depth, progress: &mut Progress<MoveOf<G>>) -> bool {
        let best = &self.worker.root_moves[0];
        let settled = self.settledness(best, progress);
        if self.shared.limits.infinite {
            return false;
        }
        self.mate_found(best)
            || self.has_time_gone(depth, best, settled)
            || self
                .shared
                .limits
                .soft_nodes
                .is_some_and(|soft| self.all_nodes() >= soft)
    }

    /// `go mate N`: a mate in so many moves of the side to move is proved.
    fn mate_found(&self, best: &RootMove<MoveOf<G>>) -> bool {
        let (Some(moves), Some(plies)) = (self.shared.limits.mate, best.score.mate_plies()) else {
            return false;
        };
        plies > 0 && plies as u32 <= moves.saturating_mul(2).saturating_sub(1)
    }

    fn settledness(
        &self,
        best: &RootMove<MoveOf<G>>,
        progress: &mut Progress<MoveOf<G>>,
    ) -> Settledness {
        if progress.best == Some(best.m) {
            progress.stable_iterations += 1;
        } else {
            progress.best = Some(best.m);
            progress.stable_iterations = 0;
        }
        let last_score = progress.last_score.replace(best.score);
        Settledness {
            stable_iterations: progress.stable_iterations,
            score_drop: last_score.map_or(0, |last| (last - best.score).0),
            effort: (best.effort * 1000 / self.worker.nodes.max(1)) as u32,
        }
    }

    /// Is the planned time over, or is more time of no use: a proved mate in a timed search?
    fn has_time_gone(
        &self,
        depth: Depth,
        best: &RootMove<MoveOf<G>>,
        settled: Settledness,
    ) -> bool {
        let signals = self.shared.signals;
        let pondering = signals.is_pondering();
        let enough = self.is_thought_over(depth, best, settled);
        if pondering {
            signals.set_ripe(enough);
        }
        enough && !pondering
    }

    /// Has the move had its planned time, that on the opponent's clock included, or is more of no
    /// use?
    fn is_thought_over(
        &self,
        depth: Depth,
        best: &RootMove<MoveOf<G>>,
        settled: Settledness,
    ) -> bool {
        let elapsed = self.shared.signals.started().elapsed();
        let budget = self.shared.budget;
        // A mate is settled once the iterations went well beyond it.
        let timed = budget.hard.is_some() && self.shared.limits.depth.is_none();
        let mate = best.score.mate_plies();
        if timed && mate.is_some_and(|plies| depth.0 > 2 * plies.abs() + 2) {
            return true;
        }
        // Where nodes say how much thought a move is worth, time saved is of no use.
        let least = if self.shared.limits.soft_nodes.is_some() {
            100
        } else {
            0
        };
        budget
            .soft
            .is_some_and(|soft| elapsed >= soft * stretch(settled).max(least) / 100)
    }
}

/// A window limit moved by `width`; the whole way where it has moved far already.
fn widened(from: Score, width: i32) -> Score {
    let limit = Score(from.0 + width);
    if width.abs() > ASPIRATION_MAX || limit.is_decisive() {
        if width > 0 {
            Score::INFINITE
        } else {
            -Score::INFINITE
        }
    } else {
        limit
    }
}
