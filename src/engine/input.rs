//! The thread that reads: it never waits for a search.
//!
//! Lines are bytes up to a line feed, of any length and in any encoding. What must not wait
//! (`isready`, `stop`, `ponderhit`, `quit` during a search) is done here; the rest is queued.
//! Options live here too: every order carries a copy of them, so that one set during a search
//! counts for the next one.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Instant;

use crate::engine::inspect;
use crate::engine::order::{Job, Order, Progress, Settings, Task};
use crate::engine::probe::{self, Shelf};
use crate::engine::speaker::Speaker;
use crate::engine::{Start, WriteOpenings};
use crate::game::GameId;
use crate::named_file::{path_of, text_of};
use crate::output::Output;
use crate::protocol::{self, Command, Dialect, OptionId, Options, PositionRequest};
use crate::with_game;

/// What becomes of the reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flow {
    /// It goes on; at the end of input: all that was asked is still to be done.
    Continue,
    /// The client said `quit`.
    Quit,
}

/// The state of the reading thread.
pub struct Input {
    output: Output,
    speaker: Speaker,
    orders: Sender<Order>,
    settings: Arc<Settings>,
    /// Answers `genfens`.
    write_openings: WriteOpenings,
    /// Jobs whose answer may still be to come, the newest last.
    jobs: Vec<Arc<Job>>,
    /// Those of a batch mode that was left: what follows waits for them.
    batch: Vec<Arc<Job>>,
    /// Orders given so far, and how many there were before the newest job.
    given: usize,
    before_job: usize,
    progress: Progress,
    /// Where the session's table lies.
    shelf: Shelf,
}

impl Input {
    /// A reader that queues its orders on this channel.
    pub fn new(start: Start, output: Output, orders: Sender<Order>, shelf: Shelf) -> Input {
        let progress = Progress::default();
        Input {
            speaker: Speaker::new(output.clone(), progress.clone()),
            output,
            orders,
            settings: Arc::new(Settings {
                dialect: start.dialect,
                options: Options::new(start.game == GameId::Xiangqi),
                script: start.script,
                sequential: start.script,
            }),
            write_openings: start.write_openings,
            jobs: Vec::new(),
            batch: Vec::new(),
            given: 0,
            before_job: 0,
            progress,
            shelf,
        }
    }

    /// Reads to the end of input or to `quit`. At the end of input, searches that would never end
    /// by themselves are stopped.
    pub fn read(&mut self, source: &mut impl BufRead) -> Flow {
        let mut bytes = Vec::new();
        loop {
            bytes.clear();
            match source.read_until(b'\n', &mut bytes) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => break,
            }
            let read_at = Instant::now();
            let text: Vec<u8> = bytes
                .iter()
                .copied()
                .filter(|byte| !matches!(byte, b'\r' | b'\n'))
                .collect();
            if self.line(&text_of(&text), read_at) == Flow::Quit {
                return Flow::Quit;
            }
        }
        for job in &self.jobs {
            if !job.ends_by_itself() {
                job.stop();
            }
        }
        Flow::Continue
    }

    /// What has still to be said when nothing more is read; the session learns that it is so.
    pub fn into_speaker(self) -> Speaker {
        self.speaker
    }

    /// Ends all work and the session; returns the farewell the session will say.
    pub fn quit(&mut self) -> Option<&'static str> {
        let farewell = (self.settings.dialect == Dialect::Ucci).then_some("bye");
        for job in &self.jobs {
            job.abandon();
        }
        self.send(Task::Quit(farewell));
        farewell
    }

    fn line(&mut self, text: &str, read_at: Instant) -> Flow {
        self.output.log_input(text);
        let millisec = self.settings.options.is_on(OptionId::UseMillisec);
        let unit_ms = if millisec { 1 } else { 1000 };
        let command = match protocol::parse(text, self.settings.dialect, unit_ms) {
            Ok(command) => command,
            Err(error) => {
                self.complain(&error.to_string());
                return Flow::Continue;
            }
        };
        if self.is_sequential() {
            return self.in_turn(command, read_at);
        }
        match command {
            Command::Quit => return Flow::Quit,
            Command::IsReady if self.is_searching() => {
                self.speaker.line("readyok", self.before_job)
            }
            Command::Probe(request) if self.is_busy() => self.probe(&request),
            Command::Stop => self.stop(),
            Command::PonderHit { draw_offer } => self.ponder_hit(draw_offer, read_at),
            command if self.admits(&command) => self.queue(command, read_at),
            _ => {}
        }
        Flow::Continue
    }

    /// Does everything wait its turn: in batch mode, in a script, behind what a batch mode left?
    fn is_sequential(&self) -> bool {
        self.settings.sequential || self.batch.iter().any(|job| job.is_open())
    }

    /// Enters or leaves batch mode, as the settings now say.
    fn follow_batch_mode(&mut self) {
        let wanted = self.settings.is_sequential();
        if self.settings.sequential && !wanted {
            self.batch.clone_from(&self.jobs);
        }
        Arc::make_mut(&mut self.settings).sequential = wanted;
    }

    /// Tells the searches to end that were asked for after a batch mode was left.
    fn stop_since_batch(&self) {
        let is_old = |job: &Arc<Job>| self.batch.iter().any(|old| Arc::ptr_eq(old, job));
        if !self.settings.sequential {
            let since = self.jobs.iter().filter(|job| !is_old(job));
            since.for_each(|job| job.stop());
        }
    }

    /// Batch mode and scripts: everything waits its turn.
    fn in_turn(&mut self, command: Command, read_at: Instant) -> Flow {
        match command {
            Command::Quit => {
                self.stop_since_batch();
                let farewell = (self.settings.dialect == Dialect::Ucci).then_some("bye");
                self.send(Task::Quit(farewell));
            }
            Command::Stop if !self.settings.sequential && self.is_busy() => self.stop_since_batch(),
            Command::Stop if self.settings.dialect == Dialect::Ucci => self.stop_when_idle(),
            Command::Stop | Command::PonderHit { .. } => {}
            command => self.queue(command, read_at),
        }
        Flow::Continue
    }

    /// The newest job, if its answer is still to come.
    fn current(&self) -> Option<&Arc<Job>> {
        self.jobs.last().filter(|job| job.is_open())
    }

    /// Does a search, a perft or a bench run that was not told to end?
    fn is_searching(&self) -> bool {
        self.current().is_some_and(|job| !job.is_stopped())
    }

    /// Is the answer to a search, a perft or a bench still to come?
    pub fn is_busy(&self) -> bool {
        self.current().is_some()
    }

    /// May this command go on to the session now? A UCI command that needs an idle engine ends
    /// the search first, or where it is no protocol's command is refused; UCCI drops it while
    /// searching. Behind a search that was told to end, and behind a perft or a bench, all commands
    /// wait their turn (A39).
    fn admits(&mut self, command: &Command) -> bool {
        let Some(job) = self.current() else {
            return true;
        };
        if job.is_stopped() || !job.is_search() {
            return true;
        }
        match self.settings.dialect {
            Dialect::Ucci => false,
            Dialect::Uci => match command {
                Command::Show
                | Command::Eval
                | Command::Flip
                | Command::Help
                | Command::License
                | Command::Compiler
                | Command::ExportNet(_)
                | Command::GenFens(_)
                | Command::Perft(_)
                | Command::SpeedTest(_)
                | Command::Bench(_) => {
                    self.say(&protocol::message(Dialect::Uci, "busy"));
                    false
                }
                Command::Go(_) | Command::Position(_) | Command::NewGame => {
                    job.stop();
                    true
                }
                Command::Handshake(Dialect::Ucci) => false,
                _ => true,
            },
        }
    }

    fn stop(&mut self) {
        if self.is_busy() {
            // What waits behind the running job was asked for before the stop, too.
            self.jobs.iter().for_each(|job| job.stop());
        } else if self.settings.dialect == Dialect::Ucci {
            self.stop_when_idle();
        }
    }

    /// UCCI answers a `stop` without a search (A3).
    fn stop_when_idle(&mut self) {
        let line = protocol::no_move(Dialect::Ucci);
        self.send(Task::Say(line));
    }

    /// Answers a probe while the session searches.
    fn probe(&self, request: &PositionRequest) {
        let line = with_game!(
            self.settings.game(),
            G => probe::answer::<G>(&self.shelf, request, &self.settings)
        );
        self.speaker.line(&line, self.before_job);
    }

    fn ponder_hit(&self, draw_offer: bool, read_at: Instant) {
        if let Some(job) = self.current() {
            // The offer first: the answer may follow the hit at once.
            if draw_offer {
                job.offer_draw();
            }
            job.ponder_hit(read_at);
        }
    }

    /// Does what needs no session, and queues what does.
    fn queue(&mut self, command: Command, read_at: Instant) {
        let task = match command {
            Command::Handshake(dialect) => return self.handshake(dialect),
            Command::Debug(on) => return self.switch_debug(on),
            Command::SetOption { name, value } => return self.set_option(&name, value.as_deref()),
            Command::Help => return self.say(inspect::HELP),
            Command::Compiler => return self.say(&inspect::compiler()),
            Command::License => return self.say(inspect::LICENSE),
            Command::IsReady => Task::Ready,
            Command::NewGame => Task::NewGame,
            Command::Position(request) => Task::Position(request),
            Command::BanMoves(moves) => Task::BanMoves(moves),
            Command::Show => Task::Show,
            Command::Eval => Task::Eval,
            Command::Flip => Task::Flip,
            Command::ExportNet(path) => Task::ExportNet(path),
            Command::GenFens(line) => Task::GenFens {
                line,
                write: self.write_openings,
                job: self.open(Job::counting()),
            },
            Command::Probe(request) => Task::Probe(request),
            Command::SpeedTest(request) => Task::SpeedTest(request, self.open(Job::counting())),
            Command::Perft(depth) => Task::Perft(depth, self.open(Job::counting())),
            Command::Bench(request) => Task::Bench(request, self.open(Job::counting())),
            Command::Go(request) => {
                let bounded = request.is_bounded();
                let job = match self.settings.sequential {
                    true => Job::new(bounded),
                    false => Job::started(bounded, read_at, request.ponder),
                };
                if request.draw_offer {
                    job.offer_draw();
                }
                let job = self.open(job);
                Task::Go(request, job)
            }
            Command::Nothing | Command::Stop | Command::PonderHit { .. } | Command::Quit => return,
        };
        self.send(task);
    }

    /// Takes up a new job, and forgets those that are answered.
    fn open(&mut self, job: Job) -> Arc<Job> {
        let job = Arc::new(job);
        self.jobs.retain(|old| old.is_open());
        self.jobs.push(Arc::clone(&job));
        self.before_job = self.given;
        job
    }

    fn handshake(&mut self, dialect: Dialect) {
        if self.settings.dialect != dialect {
            Arc::make_mut(&mut self.settings).dialect = dialect;
            self.follow_batch_mode();
        }
        let lines = protocol::handshake(dialect, &self.settings.options);
        self.say(&lines.join("\n"));
    }

    fn switch_debug(&mut self, on: Option<bool>) {
        if let Some(on) = on {
            let settings = Arc::make_mut(&mut self.settings);
            settings.options.switch(OptionId::Debug, on);
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        let settings = Arc::make_mut(&mut self.settings);
        let set = match settings.options.set(settings.dialect, name, value) {
            Ok(set) => set,
            Err(error) => return self.complain(&error.to_string()),
        };
        self.follow_batch_mode();
        if let Some(note) = set.note {
            self.tell(&note);
        }
        match set.id {
            OptionId::ClearHash | OptionId::NewGame => self.send(Task::NewGame),
            // One that is refused leaves what was asked for before it.
            OptionId::EvalFile | OptionId::EvalFileXiangqi => self.send(Task::NoteWeights),
            OptionId::DebugLogFile => self.open_log(),
            _ => {}
        }
    }

    /// Begins or ends the log of the conversation.
    fn open_log(&mut self) {
        let path = self.settings.options.text(OptionId::DebugLogFile);
        if let Err(error) = self.output.log_to(&path_of(path)) {
            self.complain(&format!("Debug Log File: cannot open '{path}': {error}"));
        }
    }

    /// Refuses a line: a script ends with it.
    fn complain(&mut self, text: &str) {
        match self.settings.script {
            true => self.send(Task::Refuse(text.to_owned())),
            false => self.tell(text),
        }
    }

    /// Tells the user what was odd about a line: always in UCI, in debug mode only in UCCI.
    fn tell(&mut self, text: &str) {
        if self.settings.dialect == Dialect::Uci || self.settings.is_debugging() {
            self.say(&protocol::message(self.settings.dialect, text));
        }
    }

    /// Says something in its turn; at once while a search runs that was not told to end.
    fn say(&mut self, text: &str) {
        let waits = !self.is_searching();
        match self.is_sequential() || waits {
            true => self.send(Task::Say(text.to_owned())),
            false => self.speaker.line(text, self.before_job),
        }
    }

    fn send(&mut self, task: Task) {
        self.given += 1;
        // The session ends before its orders do only after `quit`: nothing matters then.
        let _ = self.orders.send(Order {
            progress: self.progress.clone(),
            settings: Arc::clone(&self.settings),
            task,
        });
    }
}
