//! What the reading thread hands to the thinking one.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, TryLockError};
use std::thread::{self, available_parallelism};
use std::time::{Duration, Instant};

use crate::engine::WriteOpenings;
use crate::game::{CastlingText, GameId, RankBase, Rules, TextStyle};
use crate::output::is_stdout_full;
use crate::protocol::{
    BenchRequest, Dialect, GoRequest, OptionId, Options, PositionRequest, SpeedTestRequest,
};
use crate::search::Signals;

/// How long it takes to give an answer, about.
const ANSWER: Duration = Duration::from_micros(50);

/// Everything the client has set, as it stood when an order was given.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The protocol spoken.
    pub dialect: Dialect,
    /// The options.
    pub options: Options,
    /// Lines are a script's.
    pub script: bool,
    /// Orders wait for one another: batch mode, or a script. Nothing is held back then.
    pub sequential: bool,
}

impl Settings {
    /// The game being played.
    pub fn game(&self) -> GameId {
        match (self.dialect, self.options.choice(OptionId::Variant)) {
            (Dialect::Uci, "chess") => GameId::Chess,
            _ => GameId::Xiangqi,
        }
    }

    /// How the client writes moves.
    pub fn style(&self) -> TextStyle {
        let fairy = self.options.choice(OptionId::XiangqiRanks) == "fairy";
        TextStyle {
            castling: match self.options.is_on(OptionId::Chess960) {
                true => CastlingText::KingTakesRook,
                false => CastlingText::KingTarget,
            },
            ranks: match (self.dialect, fairy) {
                (Dialect::Uci, true) => RankBase::One,
                _ => RankBase::Zero,
            },
        }
    }

    /// The rules of play, as far as they may be chosen.
    pub fn rules(&self) -> Rules {
        let limit = u16::try_from(self.options.number(OptionId::NoCaptureLimit));
        let repetition = self.options.choice(OptionId::RepetitionRule).parse();
        Rules {
            repetition: repetition.unwrap_or_default(),
            no_capture_limit: limit.ok().filter(|plies| *plies > 0),
        }
    }

    /// Size of the transposition table in MiB.
    pub fn hash_mib(&self) -> usize {
        let asked = match self.options.number(OptionId::Hash) {
            0 => self.options.default_number(OptionId::Hash),
            mib => mib,
        };
        usize::try_from(asked).unwrap_or(1)
    }

    /// Number of search threads.
    pub fn threads(&self) -> usize {
        match self.options.number(OptionId::Threads) {
            0 => available_parallelism().map_or(1, usize::from),
            n => usize::try_from(n).unwrap_or(1),
        }
    }

    /// Must orders wait for one another: in a script, or in UCCI's batch mode?
    pub fn is_sequential(&self) -> bool {
        self.script || (self.dialect == Dialect::Ucci && self.options.is_on(OptionId::Batch))
    }

    /// Does the client want to hear more than it must?
    pub fn is_debugging(&self) -> bool {
        self.options.is_on(OptionId::Debug)
    }
}

/// Work that takes its time and may be stopped: shared by both threads.
#[derive(Debug)]
pub struct Job {
    signals: OnceLock<Signals>,
    stop: AtomicBool,
    abandoned: AtomicBool,
    draw_offered: AtomicBool,
    /// Does it end without help?
    bounded: bool,
    /// Is it a search, rather than a perft or a bench?
    search: bool,
    answered: Mutex<bool>,
}

impl Job {
    /// The job of a perft or a bench, which ends by itself.
    pub fn counting() -> Job {
        Job {
            search: false,
            ..Job::new(true)
        }
    }

    /// The job of a search that ends by itself if `bounded`. Its clock starts when it is begun.
    pub fn new(bounded: bool) -> Job {
        Job {
            signals: OnceLock::new(),
            stop: AtomicBool::new(false),
            abandoned: AtomicBool::new(false),
            draw_offered: AtomicBool::new(false),
            bounded,
            search: true,
            answered: Mutex::new(false),
        }
    }

    /// The job of a `go` whose clock starts right now, or stands until the ponder hit.
    pub fn started(bounded: bool, read_at: Instant, pondering: bool) -> Job {
        let job = Job::new(bounded);
        let _ = job.signals.set(Signals::new(read_at, pondering));
        job
    }

    /// The signals of this job; its clock starts now if it has not started yet.
    pub fn begin(&self) -> &Signals {
        let signals = self
            .signals
            .get_or_init(|| Signals::new(Instant::now(), false));
        // A stop that came before the signals were there.
        if self.stop.load(SeqCst) {
            signals.stop();
        }
        signals
    }

    /// Ends the work soon.
    pub fn stop(&self) {
        self.stop.store(true, SeqCst);
        if let Some(signals) = self.signals.get() {
            signals.stop();
        }
    }

    /// Ends the work soon, and no answer is wanted.
    pub fn abandon(&self) {
        self.abandoned.store(true, SeqCst);
        self.stop();
    }

    /// The flag behind [`Job::stop`], for work that has no signals.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Has it been told to end?
    pub fn is_stopped(&self) -> bool {
        self.stop.load(SeqCst)
    }

    /// Is it a search, for which others need not wait?
    pub fn is_search(&self) -> bool {
        self.search
    }

    /// The expected move was played.
    pub fn ponder_hit(&self, now: Instant) {
        if let Some(signals) = self.signals.get() {
            signals.ponder_hit(now);
        }
    }

    /// The opponent offers a draw.
    pub fn offer_draw(&self) {
        self.draw_offered.store(true, SeqCst);
    }

    /// Has the opponent offered a draw?
    pub fn is_draw_offered(&self) -> bool {
        self.draw_offered.load(SeqCst)
    }

    /// Will it end although nobody stops it?
    pub fn ends_by_itself(&self) -> bool {
        let pondering = self.signals.get().is_some_and(Signals::is_pondering);
        self.bounded && !pondering
    }

    /// Is the answer still to come? So also while it is being given to a client that does not read.
    pub fn is_open(&self) -> bool {
        loop {
            match self.answered.try_lock() {
                Ok(answered) => return !*answered,
                Err(TryLockError::Poisoned(error)) => return !*error.into_inner(),
                Err(TryLockError::WouldBlock) if is_stdout_full() == Some(true) => return true,
                Err(TryLockError::WouldBlock) => thread::sleep(ANSWER),
            }
        }
    }

    /// Gives the answer, unless it is unwanted. Whoever asks [`Job::is_open`] meanwhile waits, so
    /// that "searching" ends for the reading thread exactly when it ends for the client.
    pub fn answer(&self, speak: impl FnOnce()) {
        let mut answered = self.answered.lock().unwrap_or_else(PoisonError::into_inner);
        if !self.abandoned.load(SeqCst) {
            speak();
        }
        *answered = true;
    }
}

/// What is to be done.
#[derive(Debug)]
pub enum Task {
    /// Set the position.
    Position(PositionRequest),
    /// Forbid these root moves until the next position.
    BanMoves(Vec<String>),
    /// Search.
    Go(GoRequest, Arc<Job>),
    /// Count the moves to this depth, by root move.
    Perft(u32, Arc<Job>),
    /// Search the fixed positions.
    Bench(BenchRequest, Arc<Job>),
    /// Measure the speed.
    SpeedTest(SpeedTestRequest, Arc<Job>),
    /// Exchange the colours.
    Flip,
    /// Write the network in use to this file.
    ExportNet(String),
    /// Write random openings.
    GenFens {
        /// What was asked for.
        line: String,
        /// Who answers it.
        write: WriteOpenings,
        /// Its signals.
        job: Arc<Job>,
    },
    /// Say what the table knows of a position.
    Probe(PositionRequest),
    /// Forget the game before.
    NewGame,
    /// Finish what options left to do, and say `readyok`.
    Ready,
    /// Say this, in its turn.
    Say(String),
    /// Refuse a line for this reason.
    Refuse(String),
    /// Note which weights the options name.
    NoteWeights,
    /// Show the position.
    Show,
    /// Explain the evaluation.
    Eval,
    /// End, with this farewell.
    Quit(Option<&'static str>),
}

/// How many orders are done, and what the reading thread leaves to the session to say before the
/// next one.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<Mutex<Done>>);

#[derive(Debug, Default)]
struct Done {
    orders: usize,
    /// Lines, and after how many orders each is to be said.
    left: Vec<(usize, String)>,
}

impl Progress {
    /// One more order is done; what is to be said now.
    pub fn advance(&self) -> Vec<String> {
        let mut done = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        done.orders += 1;
        let orders = done.orders;
        let due = done.left.extract_if(.., |(after, _)| *after <= orders);
        due.map(|(_, line)| line).collect()
    }

    /// Leaves a line to be said after so many orders; not where they are done. Was it left?
    pub fn leave(&self, after: usize, line: &str) -> bool {
        let mut done = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_early = done.orders < after;
        if is_early {
            done.left.push((after, line.to_owned()));
        }
        is_early
    }
}

/// A task, and the settings it is to be done under.
#[derive(Debug)]
pub struct Order {
    /// Where it is counted.
    pub progress: Progress,
    /// The settings.
    pub settings: Arc<Settings>,
    /// The task.
    pub task: Task,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_before_the_beginning_is_not_lost() {
        let job = Job::new(true);
        job.stop();
        assert!(job.begin().is_stopped());
        let job = Job::started(false, Instant::now(), false);
        job.stop();
        assert!(job.begin().is_stopped());
    }

    #[test]
    fn pondering_does_not_end_by_itself_until_the_hit() {
        let job = Job::started(true, Instant::now(), true);
        assert!(!job.ends_by_itself());
        job.ponder_hit(Instant::now());
        assert!(job.ends_by_itself());
    }

    #[test]
    fn an_abandoned_job_says_nothing_but_is_closed() {
        let job = Job::new(true);
        job.abandon();
        job.answer(|| panic!("nobody wants to know"));
        assert!(!job.is_open());
    }

    #[test]
    fn ucci_and_the_variant_option_choose_the_game() {
        let mut settings = Settings {
            dialect: Dialect::Uci,
            options: Options::new(false),
            script: false,
            sequential: false,
        };
        assert_eq!(settings.game(), GameId::Chess);
        let _ = settings
            .options
            .set(Dialect::Uci, "UCI_Variant", Some("xiangqi"));
        assert_eq!(settings.game(), GameId::Xiangqi);
        assert_eq!(settings.style().ranks, RankBase::One);
        settings.options = Options::new(false);
        settings.dialect = Dialect::Ucci;
        assert_eq!(settings.game(), GameId::Xiangqi);
        assert_eq!(settings.style().ranks, RankBase::Zero);
    }
}
