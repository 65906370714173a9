//! One game being played or analysed: the position, the table, the threads.
//!
//! A session carries out orders one by one. Work that options cause, such as a new hash table, is
//! put off until `isready` or the next search.

use std::process;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use crate::engine::bench;
use crate::engine::inspect;
use crate::engine::knowledge::Knowledge;
use crate::engine::limits::limits;
use crate::engine::memory::within_memory;
use crate::engine::order::{Job, Order, Settings, Task};
use crate::engine::probe::{self, Shelf};
use crate::engine::report::{Voice, score_text};
use crate::engine::speedtest;
use crate::engine::strength::{Chance, Handicap};
use crate::engine::weights::{ChosenWeights, WeightFiles};
use crate::engine::winrate::Model;
use crate::game::{Arbiter, Depth, Evaluator, Game, Notation, Position, Score, TextStyle};
use crate::output::{Output, complain};
use crate::perft;
use crate::protocol::{
    self, BenchRequest, Closing, Dialect, GoRequest, InfoLine, OptionId, PositionRequest,
    SpeedTestRequest, Start,
};
use crate::search::{Bound, Conclusion, Info, Reporter, Searcher, TableError, planned_time};

type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// Table sizes in MiB to fall back on where the first one wanted cannot be had: the usual one, or
/// hardly any.
const SMALL_HASHES: [usize; 2] = [16, 1];

/// Exit code of a script with a line that makes no sense.
const SCRIPT_REFUSED: i32 = 2;

/// Moves of a list that a remark names.
const MOVES_SHOWN: usize = 10;

/// A session of one game.
pub struct Session<'a, G: Game> {
    output: Output,
    /// `None` after a UCCI client sent a position that cannot be.
    position: Option<G::Position>,
    /// Root moves that may not be played from this position.
    bans: Vec<MoveOf<G>>,
    searcher: Option<Searcher<G>>,
    weights: ChosenWeights<G>,
    weight_files: &'a mut WeightFiles,
    knowledge: Knowledge<G>,
    chance: Chance,
    /// Where probes find the table.
    shelf: Shelf,
    /// Table size and threads last asked for, whether or not they could be had, and how often a
    /// size was.
    asked: Option<(usize, usize, u32)>,
}

impl<'a, G: Game> Session<'a, G> {
    /// A session at the start position, which puts its table on the shelf and keeps to the weights
    /// chosen before it.
    pub fn new(output: Output, shelf: Shelf, weight_files: &'a mut WeightFiles) -> Self {
        // The table of a session before is of no use any more.
        shelf.put(None);
        Session {
            output,
            position: Some(G::Position::start()),
            bans: Vec::new(),
            searcher: None,
            weights: ChosenWeights::new(),
            weight_files,
            knowledge: Knowledge::new(),
            chance: Chance::from_clock(),
            shelf,
            asked: None,
        }
    }

    /// Carries out this order and those that follow, until there are no more (`None`) or one is
    /// meant for another game: that one is handed back.
    pub fn serve(mut self, first: Order, orders: &Receiver<Order>) -> Option<Order> {
        let mut next = Some(first);
        while let Some(order) = next {
            if order.settings.game() != G::ID {
                return Some(order);
            }
            self.carry_out(order.task, &order.settings);
            for line in order.progress.advance() {
                self.output.line(&line);
            }
            next = orders.recv().ok();
        }
        None
    }

    fn carry_out(&mut self, task: Task, settings: &Settings) {
        if let Some(position) = &mut self.position {
            position.set_rules(&settings.rules());
        }
        match task {
            Task::Position(request) => self.set_position(&request, settings),
            Task::BanMoves(moves) => self.ban(&moves, settings),
            Task::Go(request, job) => self.go(&request, &job, settings),
            Task::Perft(depth, job) => self.perft(depth, &job, settings),
            Task::Bench(request, job) => self.bench(&request, &job, settings),
            Task::NewGame => {
                if let Some(searcher) = &mut self.searcher {
                    searcher.clear();
                }
            }
            Task::Ready => {
                self.prepare(settings);
                self.output.line("readyok");
            }
            Task::Say(text) => self.output.line(&text),
            Task::Refuse(text) => self.refuse(settings, &text),
            // Nothing may come after it in a script that would have to read them.
            Task::NoteWeights if settings.script => self.follow_weights(settings),
            Task::NoteWeights => self.weight_files.note(settings),
            Task::Show => self.describe(settings, |p| inspect::show(p, settings.style())),
            Task::Eval => {
                self.follow_weights(settings);
                self.describe(settings, |p| {
                    inspect::evaluation::<G>(p, self.weights.current(), settings.style())
                });
            }
            Task::Flip => self.flip(settings),
            Task::Probe(request) => {
                let line = probe::answer::<G>(&self.shelf, &request, settings);
                self.output.line(&line);
            }
            Task::ExportNet(path) => {
                self.follow_weights(settings);
                match self.weights.export(&path) {
                    Ok(done) => self.remark(settings, &done),
                    Err(text) => self.refuse(settings, &text),
                }
            }
            Task::GenFens { line, write, job } => {
                let result = write(&line, G::ID, job.stop_flag(), &self.output);
                job.answer(|| {
                    if let Err(text) = result {
                        self.refuse(settings, &text);
                    }
                });
            }
            Task::SpeedTest(request, job) => self.speed_test(request, &job, settings),
            Task::Quit(farewell) => {
                if let Some(line) = farewell {
                    self.output.last_line(line);
                }
                process::exit(0);
            }
        }
    }

    /// Says what is wrong with an order, and ends a script.
    fn refuse(&self, settings: &Settings, text: &str) {
        if settings.script {
            complain(text);
            process::exit(SCRIPT_REFUSED);
        }
        self.remark(settings, text);
    }

    fn remark(&self, settings: &Settings, text: &str) {
        self.output.line(&protocol::message(settings.dialect, text));
    }

    /// Prints what is to be said of the position, if there is one.
    fn describe(&self, settings: &Settings, say: impl Fn(&G::Position) -> String) {
        match &self.position {
            Some(position) => self.output.line(&say(position)),
            None => self.refuse(settings, "no position"),
        }
    }

    /// Makes table and threads what the options say. A table that cannot be had leaves the old
    /// one in place, and is asked for again when the option is set again.
    fn prepare(&mut self, settings: &Settings) {
        self.follow_weights(settings);
        self.resize(settings);
        self.follow_files(settings);
    }

    /// Makes books and endgame tables what the options say.
    fn follow_files(&mut self, settings: &Settings) {
        for text in self.knowledge.follow_books(settings) {
            self.refuse(settings, &text);
        }
        match self.knowledge.follow_tables(settings) {
            Ok(remarks) => remarks.iter().for_each(|text| self.remark(settings, text)),
            Err(text) => self.refuse(settings, &text),
        }
        if let Some(searcher) = &mut self.searcher {
            searcher.set_tablebase(self.knowledge.probing(settings));
        }
    }

    fn resize(&mut self, settings: &Settings) {
        let (hash, threads) = (settings.hash_mib(), settings.threads());
        let wanted = (hash, threads, settings.options.times_set(OptionId::Hash));
        if self.asked == Some(wanted) {
            return;
        }
        let result = match &mut self.searcher {
            Some(searcher) => {
                searcher.set_threads(threads);
                match searcher.table().mib() {
                    same if same == hash => Ok(()),
                    old => within_memory(hash, old).and_then(|()| searcher.resize_table(hash)),
                }
            }
            None => within_memory(hash, 0).and_then(|()| self.new_searcher(hash, threads)),
        };
        self.asked = Some(wanted);
        if let Err(error) = result {
            let instead = match &self.searcher {
                Some(_) => "keeping the old one".to_owned(),
                None => format!("trying {} MiB", SMALL_HASHES[0]),
            };
            self.remark(settings, &format!("{error}, {instead}"));
        }
        for hash in SMALL_HASHES {
            if self.searcher.is_none() {
                // Without any, a search answers that it has nothing to play.
                let _ = self.new_searcher(hash, threads);
            }
        }
        self.shelf.put(self.searcher.as_ref().map(Searcher::table));
    }

    fn new_searcher(&mut self, hash: usize, threads: usize) -> Result<(), TableError> {
        let mut searcher = Searcher::new(hash, threads)?;
        searcher.set_weights(self.weights.current().clone());
        self.searcher = Some(searcher);
        Ok(())
    }

    /// Makes the evaluation what the options say. What was learnt with the old one is forgotten.
    fn follow_weights(&mut self, settings: &Settings) {
        let (changed, refused) = self.weights.follow(self.weight_files, settings);
        if let (true, Some(searcher)) = (changed, &mut self.searcher) {
            searcher.set_weights(self.weights.current().clone());
            searcher.clear();
        }
        for text in refused {
            self.refuse(settings, &text);
        }
    }

    fn set_position(&mut self, request: &PositionRequest, settings: &Settings) {
        let start = match &request.start {
            Start::Unchanged => return,
            Start::StartPosition => Ok(G::Position::start()),
            Start::Fen(fen) => G::Position::from_fen(fen),
        };
        self.bans.clear();
        match start {
            Ok(position) => self.position = Some(self.played(position, &request.moves, settings)),
            Err(error) if settings.dialect == Dialect::Uci => {
                let text = match (&request.start, settings.script) {
                    (Start::Fen(fen), true) => format!("invalid position '{fen}': {error}"),
                    _ => format!("Invalid position: {error}; keeping the previous one"),
                };
                self.refuse(settings, &text);
            }
            Err(error) => {
                self.position = None;
                self.refuse(settings, &format!("invalid fen: {error}"));
            }
        }
    }

    /// The position after these moves, as far as they can be played.
    fn played(
        &self,
        mut position: G::Position,
        moves: &[String],
        settings: &Settings,
    ) -> G::Position {
        let style = settings.style();
        for (index, text) in moves.iter().enumerate() {
            if text == "0000" && settings.dialect == Dialect::Uci && !position.in_check() {
                position.make_null();
                continue;
            }
            match position.parse_move(text, style) {
                Ok(m) => position.make(m, &mut ()),
                Err(_) => {
                    let remark = match settings.dialect {
                        Dialect::Uci => format!("Illegal move {text} at ply {}", index + 1),
                        Dialect::Ucci => format!("illegal move {text}"),
                    };
                    self.refuse(settings, &remark);
                    break;
                }
            }
        }
        position
    }

    /// `banmoves`: replaces the bans before; what is no legal move bans nothing.
    fn ban(&mut self, moves: &[String], settings: &Settings) {
        let Some(position) = &self.position else {
            return;
        };
        let style = settings.style();
        let parse = |text: &String| position.parse_move(text, style).ok();
        self.bans = moves.iter().filter_map(parse).collect();
    }

    /// The moves to which the search is confined, if it is.
    fn root_moves(&self, request: &GoRequest, settings: &Settings) -> Option<Vec<MoveOf<G>>> {
        let position = self.position.as_ref()?;
        let listed = request.search_moves.as_ref().map(|texts| {
            let mut moves = Vec::with_capacity(texts.len());
            let mut refused = Vec::new();
            for text in texts {
                match position.parse_move(text, settings.style()) {
                    Ok(m) if moves.contains(&m) => {}
                    Ok(m) => moves.push(m),
                    // The null move stands for an empty list.
                    Err(_) if text == "0000" => {}
                    Err(_) => refused.push(text.as_str()),
                }
            }
            if !refused.is_empty() && settings.dialect == Dialect::Uci {
                let verb = if refused.len() == 1 { "is" } else { "are" };
                let shown = refused[..refused.len().min(MOVES_SHOWN)].join(" ");
                let more = if refused.len() > MOVES_SHOWN {
                    " ..."
                } else {
                    ""
                };
                let text = format!("searchmoves: {shown}{more} {verb} not legal here, ignored");
                self.refuse(settings, &text);
            }
            moves
        });
        if self.bans.is_empty() {
            return listed;
        }
        let mut moves = listed.unwrap_or_else(|| position.legal_moves().to_vec());
        moves.retain(|m| !self.bans.contains(m));
        Some(moves)
    }

    fn go(&mut self, request: &GoRequest, job: &Job, settings: &Settings) {
        if settings.script && !request.skipped.is_empty() {
            let words = request.skipped.join(" ");
            self.refuse(settings, &format!("go: cannot make sense of '{words}'"));
        }
        self.prepare(settings);
        let nothing = protocol::no_move(settings.dialect);
        let (Some(position), true) = (&self.position, self.searcher.is_some()) else {
            return job.answer(|| self.output.line(&nothing));
        };
        if settings.dialect == Dialect::Ucci && request.depth == Some(0) {
            self.output
                .line(&static_score::<G>(position, self.weights.current()));
            return job.answer(|| self.output.line(&nothing));
        }
        let root_moves = self.root_moves(request, settings);
        let from_book =
            self.knowledge
                .book_answer(position, request, root_moves.as_deref(), settings);
        if let Some(conclusion) = from_book {
            if !settings.sequential {
                job.begin().hold(false);
            }
            say_book_move(position, &conclusion, settings, &self.output);
            let line = answer::<G>(position, &conclusion, job, settings);
            return job.answer(|| self.output.line(&line));
        }
        let limits = limits(request, position.side_to_move(), settings, root_moves);
        if settings.dialect == Dialect::Uci && settings.is_debugging() {
            let hash = self.searcher.as_ref().map_or(0, |s| s.table().mib());
            let threads = settings.threads();
            let plan = planned_time(&limits).map_or("no clock".to_owned(), |[soft, hard]| {
                format!(
                    "planned {} ms, at most {} ms",
                    soft.as_millis(),
                    hard.as_millis()
                )
            });
            self.remark(
                settings,
                &format!("go: {hash} MiB, {threads} threads, {plan}"),
            );
        }
        let mut voice = Voice::new(&self.output, settings, position);
        let signals = job.begin();
        let Some(searcher) = &mut self.searcher else {
            return;
        };
        let handicap = Handicap::of(settings).filter(|_| !limits.infinite && limits.mate.is_none());
        let conclusion = match handicap {
            None => searcher.search(position, &limits, signals, &mut voice),
            Some(handicap) => {
                let chance = &mut self.chance;
                handicap.search(searcher, position, limits, signals, &mut voice, chance)
            }
        };
        // UCCI says at once that there is no move, even while pondering.
        let is_void = settings.dialect == Dialect::Ucci && conclusion.best.is_none();
        if !settings.sequential && !is_void {
            signals.hold(request.infinite);
        }
        let line = answer::<G>(position, &conclusion, job, settings);
        job.answer(|| self.output.line(&line));
    }

    /// The same position with the colours exchanged.
    fn flip(&mut self, settings: &Settings) {
        let Some(position) = &self.position else {
            return self.refuse(settings, "no position");
        };
        let fen = inspect::flipped(&position.to_fen(TextStyle::default()));
        let request = PositionRequest {
            start: Start::Fen(fen),
            moves: Vec::new(),
        };
        self.set_position(&request, settings);
    }

    fn speed_test(&self, request: SpeedTestRequest, job: &Job, settings: &Settings) {
        let result = speedtest::run::<G>(request, job.begin());
        job.answer(|| match result {
            Ok(Some(line)) => self.output.line(&line),
            Ok(None) => self.remark(settings, "speedtest stopped"),
            Err(error) => self.refuse(settings, &error.to_string()),
        });
    }

    fn perft(&self, depth: u32, job: &Job, settings: &Settings) {
        let Some(position) = &self.position else {
            return job.answer(|| self.refuse(settings, "no position"));
        };
        let options = perft::Options {
            threads: settings.threads(),
            hash_mib: 0,
        };
        let parts = perft::divide(position, depth, &options, job.stop_flag());
        job.answer(|| match parts {
            Some(parts) => {
                let text = inspect::division(position, depth, &parts, settings.style());
                self.output.line(&text);
            }
            None => self.remark(settings, "perft stopped"),
        });
    }

    fn bench(&mut self, request: &BenchRequest, job: &Job, settings: &Settings) {
        self.follow_weights(settings);
        let (weights, position) = (self.weights.current(), self.position.as_ref());
        let say = |line: &str| self.output.line(line);
        let result = bench::run::<G>(request, weights, position, job.begin(), say);
        job.answer(|| match result {
            Ok(Some(totals)) => self.output.line(&totals.report()),
            Ok(None) => self.remark(settings, "bench stopped"),
            Err(error) => self.refuse(settings, &error.to_string()),
        });
    }
}

/// The line that answers a `go`.
fn answer<G: Game>(
    position: &G::Position,
    conclusion: &Conclusion<MoveOf<G>>,
    job: &Job,
    settings: &Settings,
) -> String {
    let style = settings.style();
    let best = conclusion.best.map(|m| position.write_move(m, style));
    let ponder = conclusion.best.and_then(|best| {
        let mut after = position.clone();
        after.make(best, &mut ());
        Some(after.write_move(conclusion.ponder?, style))
    });
    let shown = score_text(conclusion.score, &Model::of(G::ID)).number(Dialect::Ucci);
    let limit = settings.options.number(OptionId::GiveUp);
    let gives_up = limit > 0 && i64::from(shown) <= -limit;
    let word = match (gives_up, job.is_draw_offered()) {
        (true, _) => Closing::Resign,
        // A book's word is no verdict.
        (false, true) if conclusion.score <= Score::DRAW && conclusion.depth > Depth(0) => {
            Closing::AcceptDraw
        }
        _ => Closing::PlayOn,
    };
    protocol::best_move(settings.dialect, best.as_deref(), ponder.as_deref(), word)
}

/// The line of analysis that clients expect before any move.
fn say_book_move<P: Notation>(
    position: &P,
    conclusion: &Conclusion<P::Move>,
    settings: &Settings,
    output: &Output,
) {
    let moves = [conclusion.best, conclusion.ponder];
    let pv: Vec<P::Move> = moves.into_iter().flatten().collect();
    let info = Info {
        depth: Depth(1),
        selective_depth: 1,
        line: 1,
        score: Score::DRAW,
        bound: Bound::Exact,
        nodes: 0,
        hashfull: 0,
        tablebase_hits: 0,
        time: Duration::ZERO,
        pv: &pv,
    };
    Voice::new(output, settings, position).info(&info);
}

/// UCCI's `go depth 0`: the static score.
fn static_score<G: Game>(position: &G::Position, weights: &G::Weights) -> String {
    let mut evaluator = G::evaluator(weights);
    evaluator.reset(position);
    let line = InfoLine {
        depth: 0,
        selective_depth: 0,
        line: 1,
        has_rank: false,
        score: score_text(evaluator.evaluate(position), &Model::of(G::ID)),
        bound: None,
        chances: None,
        nodes: 0,
        hashfull: 0,
        tablebase_hits: 0,
        time_ms: 0,
        pv: Vec::new(),
    };
    protocol::info(Dialect::Ucci, &line)
}
