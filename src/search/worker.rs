//! Everything one search thread owns, and what it shares with the others.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::game::{Depth, Evaluator, Game, MAX_PLY, Position, Score};
use crate::search::clock::TimeBudget;
use crate::search::correction::Corrections;
use crate::search::frame::{Frame, stack};
use crate::search::histories::{CONTINUATION_PLIES, Histories, Setting};
use crate::search::root::RootMove;
use crate::search::table::Table;
use crate::search::tables::{Probing, RootChoice};
use crate::search::{Limits, Reporter, Signals};

/// A game's moves.
pub type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// Nodes between two looks at the signals and the clock.
const CHECK_INTERVAL: u64 = 1024;

/// The search was told to end; what it was about to return is void.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Stopped;

/// What a thread keeps from one search to the next, and its state within one.
pub(crate) struct Worker<G: Game> {
    pub position: G::Position,
    pub evaluator: G::Evaluator,
    pub histories: Histories<G::Position>,
    pub corrections: Corrections<G::Position>,
    pub frames: Vec<Frame<MoveOf<G>>>,
    pub root_moves: Vec<RootMove<MoveOf<G>>>,
    /// Nodes of this search.
    pub nodes: u64,
    /// The deepest ply of the present root move.
    pub selective_depth: usize,
    /// The last completed iteration.
    pub completed: Depth,
    /// What the search said last: see [`Search::said`].
    pub said: Option<(MoveOf<G>, Score)>,
    /// Endgame tables to ask.
    pub probing: Option<Probing<G::Position>>,
}

impl<G: Game> Worker<G> {
    pub fn new(weights: &G::Weights) -> Self {
        use crate::game::Notation;
        Worker {
            position: G::Position::start(),
            evaluator: G::evaluator(weights),
            histories: Histories::new(),
            corrections: Corrections::new(),
            frames: stack(),
            root_moves: Vec::new(),
            nodes: 0,
            selective_depth: 0,
            completed: Depth(0),
            said: None,
            probing: None,
        }
    }

    /// Makes ready for a search of `position` over these root moves.
    pub fn prepare(&mut self, position: &G::Position, choices: &[RootChoice<MoveOf<G>>]) {
        self.position = position.clone();
        self.evaluator.reset(&self.position);
        self.histories.begin_search();
        for frame in &mut self.frames {
            *frame = Frame::new();
        }
        self.root_moves = choices.iter().map(RootMove::new).collect();
        self.nodes = 0;
        self.selective_depth = 0;
        self.completed = Depth(0);
    }
}

/// What all threads of one search share.
pub(crate) struct Shared<'a, M> {
    pub table: &'a Table,
    pub signals: &'a Signals,
    pub limits: &'a Limits<M>,
    pub budget: TimeBudget,
    /// Ends all threads, without being a `stop` of the user: a limit is reached, or the main thread
    /// is done.
    pub halt: AtomicBool,
    /// Nodes of each thread, published now and then.
    pub nodes: Vec<AtomicU64>,
    /// Endgame tables are to be asked below the root.
    pub asks_tables: bool,
    /// How often they knew the answer.
    pub tablebase_hits: AtomicU64,
}

impl<M> Shared<'_, M> {
    /// Time on the own clock; nothing while pondering.
    pub fn clock_elapsed(&self) -> Option<Duration> {
        self.signals.clock_started().map(|start| start.elapsed())
    }
}

/// One thread's search: its worker, lent for the duration, and what it shares.
pub(crate) struct Search<'a, G: Game> {
    pub worker: &'a mut Worker<G>,
    pub shared: &'a Shared<'a, MoveOf<G>>,
    /// 0 is the main thread, which reports and decides when it has thought enough.
    pub index: usize,
    /// The node count at which to look at the signals again.
    pub next_check: u64,
    /// The main thread searches the first line of the first iteration whatever the limits say, so
    /// that there is always a move with a score.
    pub unstoppable: bool,
    /// Root moves before this one are settled (MultiPV).
    pub line: usize,
    /// The iteration being searched.
    pub root_depth: Depth,
    /// Null moves are off for this side until this ply (verification search).
    pub null_move_from: usize,
    /// Hears what the main thread finds.
    pub reporter: Option<&'a mut dyn Reporter<MoveOf<G>>>,
    /// Move and score of the last line reported, if that was exact and of rank 1.
    pub said: Option<(MoveOf<G>, Score)>,
}

impl<'a, G: Game> Search<'a, G> {
    pub fn new(
        worker: &'a mut Worker<G>,
        shared: &'a Shared<'a, MoveOf<G>>,
        index: usize,
        reporter: Option<&'a mut dyn Reporter<MoveOf<G>>>,
    ) -> Self {
        Search {
            worker,
            shared,
            index,
            next_check: 0,
            unstoppable: index == 0,
            line: 0,
            root_depth: Depth(0),
            null_move_from: 0,
            reporter,
            said: None,
        }
    }

    /// Counts a node, and now and then looks whether to go on.
    #[inline]
    pub fn visit(&mut self, ply: usize) -> Result<(), Stopped> {
        self.worker.nodes += 1;
        self.worker.selective_depth = self.worker.selective_depth.max(ply);
        if self.worker.nodes >= self.next_check {
            self.check()?;
        }
        Ok(())
    }

    #[cold]
    fn check(&mut self) -> Result<(), Stopped> {
        self.publish_nodes();
        self.next_check = self.worker.nodes + CHECK_INTERVAL;
        if let Some(limit) = self.shared.limits.nodes {
            let left = limit.saturating_sub(self.all_nodes());
            self.next_check = self.next_check.min(self.worker.nodes + left.max(1));
        }
        if !self.unstoppable && self.must_stop() {
            return Err(Stopped);
        }
        Ok(())
    }

    /// Is it time to end? The first thread to see that a limit is reached halts the others: where
    /// there are more threads than processors, the main one may have to wait for its turn.
    fn must_stop(&self) -> bool {
        let shared = self.shared;
        if shared.signals.is_stopped() || shared.halt.load(Relaxed) {
            return true;
        }
        let over = self.out_of_nodes() || self.out_of_time();
        if over {
            shared.halt.store(true, Relaxed);
        }
        over
    }

    /// Has the node limit been reached?
    pub fn out_of_nodes(&self) -> bool {
        let limit = self.shared.limits.nodes;
        limit.is_some_and(|limit| self.all_nodes() >= limit)
    }

    /// Has the hard time limit been reached?
    pub fn out_of_time(&self) -> bool {
        self.shared.budget.hard.is_some_and(|hard| {
            let elapsed = self.shared.clock_elapsed();
            elapsed.is_some_and(|time| time >= hard)
        })
    }

    /// Lets the other threads see how many nodes this one has searched.
    pub fn publish_nodes(&self) {
        self.shared.nodes[self.index].store(self.worker.nodes, Relaxed);
    }

    /// Nodes of all threads, as far as published, this one's exactly.
    pub fn all_nodes(&self) -> u64 {
        let published: u64 = self.shared.nodes.iter().map(|n| n.load(Relaxed)).sum();
        let own = self.shared.nodes[self.index].load(Relaxed);
        published - own + self.worker.nodes
    }

    /// Plays a legal move from `ply`. The caller sets the frame's `step` first.
    pub fn make(&mut self, m: MoveOf<G>) {
        let worker = &mut *self.worker;
        worker.evaluator.enter();
        worker.position.make(m, &mut worker.evaluator);
    }

    /// Takes it back.
    pub fn unmake(&mut self) {
        self.worker.position.unmake();
        self.worker.evaluator.leave();
    }

    /// The static evaluation before any correction.
    pub fn evaluate(&mut self) -> Score {
        let worker = &mut *self.worker;
        let score = worker.evaluator.evaluate(&worker.position);
        debug_assert!(score.abs() <= Score::EVAL_MAX);
        score
    }

    /// What quiet moves at this ply are judged by; the frame keeps it.
    pub fn settle_in(&mut self, ply: usize) {
        let worker = &mut *self.worker;
        let rows = CONTINUATION_PLIES.map(|back| {
            let step = worker.frames.get(ply.checked_sub(back)?)?.step?;
            Some(Histories::<G::Position>::row(step))
        });
        worker.frames[ply].setting = Setting::new(&worker.position, rows, ply);
    }

    /// The root moves to choose between for the present line: those left, and of equal rank.
    pub fn choices(&self) -> &[RootMove<MoveOf<G>>] {
        let left = &self.worker.root_moves[self.line..];
        let equal = left.partition_point(|choice| choice.rank == left[0].rank);
        &left[..equal]
    }

    /// The frame of a ply.
    pub fn frame(&mut self, ply: usize) -> &mut Frame<MoveOf<G>> {
        debug_assert!(ply <= MAX_PLY);
        &mut self.worker.frames[ply]
    }
}
