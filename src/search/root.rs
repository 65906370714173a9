//! The moves at the root, and what iterations learn of them.

use crate::game::{Game, Position, Score};
use crate::search::Bound;
use crate::search::frame::Line;
use crate::search::node::{Pv, Window};
use crate::search::tables::RootChoice;
use crate::search::worker::{MoveOf, Search};

/// A mate, for or against the mover, that an iteration proved.
#[derive(Clone, Copy, Debug)]
struct Proof {
    score: Score,
    /// The line of the move leads to it.
    has_line: bool,
}

/// One move at the root and what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove<M> {
    pub m: M,
    /// What tables say: see [`RootChoice`].
    pub rank: i32,
    known: Option<Score>,
    /// Score of this iteration; minus infinite where it was only refuted.
    pub score: Score,
    /// Score of the last iteration.
    pub previous: Score,
    /// The last exact score, for showing; a bound where there never was an exact one, or where a
    /// mate against the mover was proved without its line.
    pub shown: Score,
    /// Which of these it is.
    pub bound: Bound,
    /// The deepest ply of the search behind the score.
    pub selective_depth: usize,
    proved: Option<Proof>,
    /// The last exact score that a search came to, and its line.
    exact: Option<(Score, Line<M>)>,
    /// Nodes spent on it in all iterations.
    pub effort: u64,
    pub pv: Line<M>,
}

impl<M: Copy> RootMove<M> {
    pub fn new(choice: &RootChoice<M>) -> Self {
        let mut pv = Line::new();
        pv.push(choice.m);
        RootMove {
            m: choice.m,
            rank: choice.rank,
            known: choice.known,
            score: -Score::INFINITE,
            previous: -Score::INFINITE,
            shown: -Score::INFINITE,
            bound: Bound::Exact,
            selective_depth: 0,
            proved: None,
            exact: None,
            effort: 0,
            pv,
        }
    }

    /// A score of this move as it is to be shown: what tables say, unless a mate is found.
    pub fn told(&self, score: Score) -> Score {
        self.known.filter(|_| !score.is_mate()).unwrap_or(score)
    }

    /// The move, and what is played after it.
    fn line(&self, after: &Line<M>) -> Line<M> {
        let mut line = Line::new();
        line.push(self.m);
        let room = line.remaining_capacity();
        line.extend(after.iter().copied().take(room));
        line
    }
}

impl<G: Game> Search<'_, G> {
    /// Notes what the root learnt of one of its moves by this score, and returns the score that
    /// counts: a mate that was proved once stays, though a later iteration, which takes other ways,
    /// may miss it.
    pub fn note_root_move(
        &mut self,
        m: MoveOf<G>,
        score: Score,
        window: Window,
        count: u32,
        effort: u64,
    ) -> Score {
        let selective_depth = self.worker.selective_depth;
        let worker = &mut *self.worker;
        let Some(root_move) = worker.root_moves[self.line..].iter_mut().find(|r| r.m == m) else {
            return score;
        };
        root_move.effort += effort;
        // Among several lines to show, one that is only known to be lost would come without its own.
        let shows_one = self.shared.limits.multi_pv <= 1;
        let proved = root_move.proved.filter(|proof| proof.has_line || shows_one);
        let missed = proved.filter(|_| !score.is_mate());
        let line = root_move.line(&worker.frames[1].pv);
        if window.bound(score) == Bound::Exact {
            root_move.exact = Some((score, line.clone()));
        }
        // Of two that are equal the one with its line is better to have.
        let held = |proof: Proof| proof.score - Score(i32::from(!proof.has_line));
        let score = missed.map_or(score, held);
        let improves = score > window.alpha;
        if missed.is_none() && score.is_mate() && score < window.beta {
            // One that fails high comes without its line, and is searched again.
            if improves || score < Score::DRAW {
                let has_line = improves;
                root_move.proved = Some(Proof { score, has_line });
            }
        }
        if count > 1 && !improves {
            root_move.score = -Score::INFINITE;
            return score;
        }
        root_move.score = score;
        root_move.selective_depth = selective_depth;
        let is_first = root_move.shown == -Score::INFINITE;
        if improves && score < window.beta || is_first {
            root_move.shown = score;
            match missed {
                None => {
                    root_move.bound = window.bound(score);
                    root_move.pv = line;
                }
                Some(proof) if proof.has_line => root_move.bound = Bound::Exact,
                Some(_) => {
                    root_move.bound = Bound::Upper;
                    root_move.pv.truncate(1);
                }
            }
        }
        score
    }

    /// Makes a bound that was to be shown the last exact score, with its line. A move that never had
    /// one gets that of quiescence: true, if not deep. Returns whether there was one.
    pub fn make_exact(&mut self, choice: &mut RootMove<MoveOf<G>>) -> bool {
        let known = choice.exact.take();
        let is_known = known.is_some();
        let exact = known.or_else(|| {
            let step = self.worker.position.step(choice.m);
            self.frame(0).enter(step, false);
            self.unstoppable = true;
            self.make(choice.m);
            let result = self.quiescence::<Pv>(Window::FULL, 1);
            self.unmake();
            let line = choice.line(&self.worker.frames[1].pv);
            Some((-result.ok()?, line))
        });
        if let Some((score, pv)) = exact {
            choice.shown = score;
            choice.bound = Bound::Exact;
            choice.pv = pv;
        }
        is_known
    }
}
