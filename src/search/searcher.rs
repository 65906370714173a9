//! The search as the engine sees it: a table, a team of threads, and one call per `go`.
//!
//! Threads search the same tree on their own and help each other through the shared table only
//! ("lazy SMP"). The main one, which is the calling thread, reports and decides when to move; when
//! it is done it halts the others.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, RwLock};
use std::thread::Builder;

use crate::game::{Arbiter, Depth, Game, PackedMove, Position, Score, Stalemate, Verdict};
use crate::search::clock::TimeBudget;
use crate::search::priority::give_way_in_a_crowd;
use crate::search::report::{Bound, Conclusion, Info, Reporter};
use crate::search::root::RootMove;
use crate::search::table::{Table, TableError};
use crate::search::tables::{Probing, advised};
use crate::search::worker::{MoveOf, Search, Shared, Worker};
use crate::search::{Limits, Signals};

/// Stack that a search thread needs: the deepest line, with searches within the search at every
/// ply, takes about 2 MiB in a release build.
pub const STACK_BYTES: usize = 16 << 20;
/// Votes: a thread's move counts by how much its score beats the worst thread's, plus this.
const VOTE_BASE: i32 = 14;

/// A search team for one game: transposition table and worker threads' memory.
pub struct Searcher<G: Game> {
    table: Arc<Table>,
    weights: G::Weights,
    workers: Vec<Worker<G>>,
    probing: Option<Probing<G::Position>>,
}

impl<G: Game> Searcher<G> {
    /// A team of `threads` (at least 1) with a table of `hash_mib` MiB.
    ///
    /// # Errors
    /// When the table's memory cannot be had.
    pub fn new(hash_mib: usize, threads: usize) -> Result<Self, TableError> {
        let mut searcher = Searcher {
            table: Arc::new(Table::new(hash_mib)?),
            weights: G::Weights::default(),
            workers: Vec::new(),
            probing: None,
        };
        searcher.set_threads(threads);
        Ok(searcher)
    }

    /// Changes the number of threads, at least 1.
    pub fn set_threads(&mut self, threads: usize) {
        let weights = &self.weights;
        let probing = &self.probing;
        self.workers.resize_with(threads.max(1), || {
            let mut worker = Worker::new(weights);
            worker.probing.clone_from(probing);
            worker
        });
    }

    /// Asks these endgame tables from now on, or none.
    pub fn set_tablebase(&mut self, probing: Option<Probing<G::Position>>) {
        for worker in &mut self.workers {
            worker.probing.clone_from(&probing);
        }
        self.probing = probing;
    }

    /// Evaluates with other weights from now on. What the table holds is of the old ones: see
    /// [`Searcher::clear`].
    pub fn set_weights(&mut self, weights: G::Weights) {
        for worker in &mut self.workers {
            worker.evaluator = G::evaluator(&weights);
        }
        self.weights = weights;
    }

    /// Replaces the table by an empty one of `mib` MiB.
    ///
    /// # Errors
    /// When the memory cannot be had; the old table stays.
    pub fn resize_table(&mut self, mib: usize) -> Result<(), TableError> {
        if mib != self.table.mib() {
            self.table = Arc::new(Table::new(mib)?);
        }
        Ok(())
    }

    /// The table, for others to look into. Whoever keeps it keeps its memory.
    pub fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table)
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {
        self.table.clear(self.workers.len());
        for worker in &mut self.workers {
            worker.histories.clear();
            worker.corrections.clear();
        }
    }

    /// Searches until a limit or a signal ends it, and reports meanwhile. The last line reported
    /// is exact, of rank 1, and begins with the move returned. Without a legal root move one
    /// line of depth 0 is reported. Does not wait for the end of pondering: see
    /// [`Signals::hold`].
    ///
    /// The main thread is the calling one: it should have [`STACK_BYTES`] of stack.
    pub fn search(
        &mut self,
        position: &G::Position,
        limits: &Limits<MoveOf<G>>,
        signals: &Signals,
        reporter: &mut dyn Reporter<MoveOf<G>>,
    ) -> Conclusion<MoveOf<G>> {
        let moves = match &limits.root_moves {
            Some(moves) => moves.clone(),
            None if limits.multi_pv > 1 => position.legal_moves().to_vec(),
            None => worth_playing::<G>(position),
        };
        if moves.is_empty() {
            return nothing_to_play::<G>(position, limits, signals, reporter);
        }
        let choices = advised::<G>(&moves, self.probing.as_ref(), position, limits.multi_pv);
        let root_is_known = choices.iter().any(|choice| choice.known.is_some());
        self.table.next_age();
        let shared = Shared {
            table: &self.table,
            signals,
            limits,
            budget: TimeBudget::new(limits, choices.len() == 1),
            halt: AtomicBool::new(false),
            nodes: self.workers.iter().map(|_| AtomicU64::new(0)).collect(),
            asks_tables: self.probing.is_some() && !root_is_known,
            tablebase_hits: AtomicU64::new(u64::from(root_is_known)),
        };
        let Some((main, helpers)) = self.workers.split_first_mut() else {
            unreachable!("a team has at least one thread");
        };
        // Nobody begins before all are there: hundreds of busy threads would leave the main one no
        // time to start the others.
        let gate = RwLock::new(());
        std::thread::scope(|scope| {
            let closed = gate.write();
            for (i, helper) in helpers.iter_mut().enumerate() {
                let (shared, choices, gate) = (&shared, &choices, &gate);
                helper.completed = Depth(0);
                // Without memory for another thread the team is smaller, that is all.
                let _ = Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || {
                        give_way_in_a_crowd(i + 1);
                        drop(gate.read());
                        helper.prepare(position, choices);
                        Search::<G>::new(helper, shared, i + 1, None).deepen();
                    });
            }
            main.prepare(position, &choices);
            drop(closed);
            let mut search = Search::<G>::new(main, &shared, 0, Some(&mut *reporter));
            search.deepen();
            shared.halt.store(true, Relaxed);
        });
        conclude(&mut self.workers, position, &shared, reporter)
    }
}

/// Plies without a capture before a position can stand for the third time two plies on.
const LOOP_PLIES: u16 = 6;

/// The legal moves without those that lose by rule at once or with a reply, as long as there are
/// others: a side that is lost anyway is mated later, if at all.
fn worth_playing<G: Game>(position: &G::Position) -> Vec<MoveOf<G>> {
    let legal = position.legal_moves().to_vec();
    if position.halfmove_clock() < LOOP_PLIES {
        return legal;
    }
    let mut board = position.clone();
    let mut moves = legal.clone();
    moves.retain(|m| !forfeits(&mut board, *m));
    if moves.is_empty() { legal } else { moves }
}

/// Does the move lose by rule, at once or by a reply that repeats the position?
fn forfeits<P: Position>(board: &mut P, m: P::Move) -> bool {
    board.make(m, &mut ());
    let forfeited = match board.verdict(1) {
        Verdict::Open => board.legal_moves().into_iter().any(|reply| {
            board.make(reply, &mut ());
            let lost = board.verdict(2) == Verdict::Lost;
            board.unmake();
            lost
        }),
        verdict => verdict == Verdict::Won,
    };
    board.unmake();
    forfeited
}

/// Picks the move to play among the threads' proposals, and has the last word said.
fn conclude<G: Game>(
    workers: &mut [Worker<G>],
    position: &G::Position,
    shared: &Shared<'_, MoveOf<G>>,
    reporter: &mut dyn Reporter<MoveOf<G>>,
) -> Conclusion<MoveOf<G>> {
    let elected = elect(workers, shared.limits);
    let (mut choice, depth) = {
        let worker = &workers[elected];
        (worker.root_moves[0].clone(), worker.completed)
    };
    let depth = Depth(depth.0.max(1));
    let score = choice.told(choice.shown);
    let said = workers[0].said.take();
    let mut last_word = Search::<G>::new(&mut workers[0], shared, 0, Some(reporter));
    last_word.said = said;
    let is_deep = choice.bound == Bound::Exact || last_word.make_exact(&mut choice);
    let told = if is_deep { depth } else { Depth(1) };
    last_word.say_final(&choice, told);
    Conclusion {
        best: Some(choice.m),
        ponder: ponder_move::<G>(position, &choice, shared.table),
        score,
        depth,
        nodes: shared.nodes.iter().map(|n| n.load(Relaxed)).sum(),
    }
}

/// The thread whose move is played: by votes, where there is a choice to make.
fn elect<G: Game>(workers: &[Worker<G>], limits: &Limits<MoveOf<G>>) -> usize {
    if workers.len() == 1 || limits.multi_pv > 1 {
        return 0;
    }
    let score = |w: &Worker<G>| w.root_moves[0].shown;
    let voters = || workers.iter().filter(|w| w.completed.0 > 0);
    let worst = voters().map(score).min().unwrap_or(Score::DRAW);
    let weight =
        |w: &Worker<G>| i64::from((score(w) - worst).0 + VOTE_BASE) * i64::from(w.completed.0);
    let votes = |m: MoveOf<G>| -> i64 {
        let same = voters().filter(|w| w.root_moves[0].m == m);
        same.map(weight).sum()
    };
    let rank = |w: &Worker<G>| {
        let decisive = score(w).is_decisive().then(|| score(w));
        (decisive, votes(w.root_moves[0].m), weight(w))
    };
    let mut best = 0;
    for (i, worker) in workers.iter().enumerate().skip(1) {
        if worker.completed.0 > 0 && rank(worker) > rank(&workers[best]) {
            best = i;
        }
    }
    best
}

/// The reply to expect: from the line, or else from the table. None where the game is over.
fn ponder_move<G: Game>(
    position: &G::Position,
    choice: &RootMove<MoveOf<G>>,
    table: &Table,
) -> Option<MoveOf<G>> {
    let mut after = position.clone();
    after.make(choice.m, &mut ());
    if after.ending().is_some() {
        return None;
    }
    let from_table = || {
        let bits = table.probe(after.table_key())?.best?;
        let m = MoveOf::<G>::from_bits(bits);
        (after.is_pseudo_legal(m) && after.is_legal(m)).then_some(m)
    };
    let reply = choice.pv.get(1).copied().or_else(from_table)?;
    after.make(reply, &mut ());
    after.ending().is_none().then_some(reply)
}

/// The answer where no move may be played: mated, stalemated, or none allowed.
fn nothing_to_play<G: Game>(
    position: &G::Position,
    limits: &Limits<MoveOf<G>>,
    signals: &Signals,
    reporter: &mut dyn Reporter<MoveOf<G>>,
) -> Conclusion<MoveOf<G>> {
    let banned = limits.root_moves.is_some() && !position.legal_moves().is_empty();
    let lost = position.in_check() || G::Position::STALEMATE == Stalemate::Loss;
    let score = if lost && !banned {
        Score::mated_in(0)
    } else {
        Score::DRAW
    };
    reporter.info(&Info {
        depth: Depth(0),
        selective_depth: 0,
        line: 1,
        score,
        bound: Bound::Exact,
        nodes: 0,
        hashfull: 0,
        tablebase_hits: 0,
        time: signals.started().elapsed(),
        pv: &[],
    });
    Conclusion {
        best: None,
        ponder: None,
        score,
        depth: Depth(0),
        nodes: 0,
    }
}
