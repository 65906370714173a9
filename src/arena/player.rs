//! An engine at the board: started, greeted, asked to think, and timed.
//!
//! A player owns its process and everything the process started. It keeps time as the match sees
//! it: from the moment the pipe has taken `go` to the moment the line with the move has arrived.

use std::collections::VecDeque;
use std::fs::{self, OpenOptions};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use regex_lite::Regex;
use thiserror::Error;

use crate::arena::client::{DeclaredOption, Dialect, Go, Heard, Info};
use crate::arena::config::{Deadlines, EngineConfig, GameKind, Restart};
use crate::arena::languages::Languages;
use crate::arena::mailbox::Event;
use crate::arena::pipes::{Pipes, WriteFailure};
use crate::arena::process::Process;
use crate::arena::referee::{Origin, Setup};
use crate::arena::thought::{Patience, Thought};
use crate::game::TextStyle;

/// How often a wait looks whether the match is broken off or the process has ended.
const TICK: Duration = Duration::from_millis(50);
/// Beyond the clock and its margin, so that a slightly late move is seen and named as such.
const GRACE: Duration = Duration::from_millis(100);
/// Lines of the conversation that are kept for reports of failures.
const KEPT_LINES: usize = 1000;
/// Warnings about one engine that are kept.
const KEPT_WARNINGS: usize = 50;

/// What an engine can fail in.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Failure {
    /// It did not start.
    #[error("cannot start: {0}")]
    Start(String),
    /// It ended, or closed its output.
    #[error("disconnects ({0})")]
    Disconnected(String),
    /// It does not answer, or does not read.
    #[error("stalls ({0})")]
    Stalled(String),
    /// Not the engine: the match was broken off.
    #[error("interrupted")]
    Interrupted,
}

/// What all players of a match have in common.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The game.
    pub game: GameKind,
    /// How long answers may take.
    pub deadlines: Deadlines,
    /// Set to break everything off.
    pub abort: Arc<AtomicBool>,
    /// Processor cores to run on; empty: any.
    pub cores: Vec<usize>,
    /// The last line of a search that fits is kept.
    pub line_filter: Option<Regex>,
    /// What language engines were found to speak.
    pub languages: Languages,
}

/// What the engine is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Activity {
    Idle,
    Thinking,
    Pondering,
}

/// A running engine.
#[derive(Debug)]
pub struct Player {
    config: EngineConfig,
    surroundings: Surroundings,
    process: Process,
    pipes: Pipes,
    dialect: Dialect,
    style: TextStyle,
    own_name: String,
    declared: Vec<DeclaredOption>,
    millis: bool,
    activity: Activity,
    begun: Instant,
    kept: VecDeque<String>,
    /// How long it took to be ready before each of its moves.
    pings: Vec<Duration>,
    warnings: Vec<String>,
    is_broken: bool,
}

impl Player {
    /// Starts the process and its pipes; not a word is said.
    pub(super) fn launch(
        config: &EngineConfig,
        surroundings: &Surroundings,
        dialect: Dialect,
    ) -> Result<Player, Failure> {
        let failed =
            |what: &Path, e: std::io::Error| Failure::Start(format!("{}: {e}", what.display()));
        let open = |path| OpenOptions::new().create(true).append(true).open(path);
        let stderr = match &config.stderr {
            Some(path) => Some(open(path).map_err(|e| failed(path, e))?),
            None => None,
        };
        // The system does not say whether it missed the program or its directory.
        if let Some(dir) = &config.dir {
            fs::read_dir(dir).map_err(|e| failed(dir, e))?;
        }
        let command = &config.command;
        let process = Process::start(config, &surroundings.cores);
        let mut process = process.map_err(|e| failed(command, e))?;
        let pipes = Pipes::new(process.child(), stderr).map_err(|e| failed(command, e))?;
        Ok(Player {
            config: config.clone(),
            surroundings: surroundings.clone(),
            process,
            pipes,
            dialect,
            style: surroundings.game.style(),
            own_name: String::new(),
            declared: Vec::new(),
            millis: true,
            activity: Activity::Idle,
            begun: Instant::now(),
            kept: VecDeque::new(),
            pings: Vec::new(),
            warnings: Vec::new(),
            is_broken: false,
        })
    }

    /// Its configuration.
    pub fn config(&self) -> &EngineConfig {
        &self.config
    }

    /// The name it gives itself.
    pub fn own_name(&self) -> &str {
        &self.own_name
    }

    /// The options it declares.
    pub fn declared(&self) -> &[DeclaredOption] {
        &self.declared
    }

    /// The language it speaks.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// How it writes moves.
    pub fn style(&self) -> TextStyle {
        self.style
    }

    pub(super) fn set_style(&mut self, style: TextStyle) {
        self.style = style;
    }

    pub(super) fn set_millis(&mut self, millis: bool) {
        self.millis = millis;
    }

    pub(super) fn surroundings(&self) -> &Surroundings {
        &self.surroundings
    }

    /// Are its clocks in milliseconds?
    pub fn has_millis(&self) -> bool {
        self.millis
    }

    /// Where the positions it is sent begin.
    pub fn origin(&self) -> Origin {
        match self.dialect {
            Dialect::Uci => Origin::Start,
            Dialect::Ucci => Origin::LastCapture,
        }
    }

    /// The option with this name, in whatever case; both protocols' names of common ones are
    /// known.
    pub fn find_option(&self, name: &str) -> Option<&DeclaredOption> {
        let aliases: &[&str] = match name.to_ascii_lowercase().as_str() {
            "hash" | "hashsize" => &["Hash", "hashsize"],
            _ => &[],
        };
        let is_it = |option: &&DeclaredOption, name: &str| option.name.eq_ignore_ascii_case(name);
        let exact = self.declared.iter().find(|option| is_it(option, name));
        exact.or_else(|| {
            self.declared
                .iter()
                .find(|option| aliases.iter().any(|alias| is_it(option, alias)))
        })
    }

    /// Must it be replaced?
    pub fn is_broken(&self) -> bool {
        self.is_broken
    }

    /// Notes something odd about its conduct.
    pub fn warn(&mut self, what: String) {
        if self.warnings.len() < KEPT_WARNINGS {
            self.warnings.push(what);
        }
    }

    /// What was odd about its conduct since the last call.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// How long it took to be ready before each of its moves, since the last call.
    pub fn take_pings(&mut self) -> Vec<Duration> {
        std::mem::take(&mut self.pings)
    }

    /// The end of the conversation, and of its error output.
    pub fn transcript(&self) -> Vec<String> {
        let errors = self.pipes.last_words();
        let errors = errors.into_iter().map(|line| format!("stderr: {line}"));
        self.kept.iter().cloned().chain(errors).collect()
    }

    /// Begins a new transcript.
    pub fn forget(&mut self) {
        self.kept.clear();
    }

    /// Writes lines; the time at which the last byte was taken.
    pub(super) fn say(&mut self, lines: &[String]) -> Result<Instant, Failure> {
        for line in lines {
            self.keep('>', line);
        }
        let text = lines.join("\n") + "\n";
        let patience = self.surroundings.deadlines.write;
        self.pipes
            .write(text, patience)
            .map_err(|failure| match failure {
                WriteFailure::Deaf => self.stalled("does not read its input"),
                WriteFailure::Broken => self.lost(),
            })
    }

    /// The next line, or nothing when the deadline has come.
    pub(super) fn listen(
        &mut self,
        deadline: Instant,
    ) -> Result<Option<(Instant, String)>, Failure> {
        loop {
            if self.surroundings.abort.load(Ordering::Relaxed) {
                return Err(Failure::Interrupted);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.pipes.read(left.min(TICK)) {
                Some(Event::Line(at, line)) => {
                    self.keep('<', &line);
                    return Ok(Some((at, line)));
                }
                Some(Event::Closed) => return Err(self.lost()),
                None if left.is_zero() => return Ok(None),
                // Its pipe may live on in a child of it.
                None if self.process.wait(Duration::ZERO) => return Err(self.lost()),
                None => {}
            }
        }
    }

    fn keep(&mut self, direction: char, line: &str) {
        if self.kept.len() == KEPT_LINES {
            self.kept.pop_front();
        }
        let ms = self.begun.elapsed().as_secs_f64() * 1e3;
        let shown: String = line.chars().take(1000).collect();
        self.kept.push_back(format!("{ms:.3} {direction} {shown}"));
    }

    fn lost(&mut self) -> Failure {
        self.is_broken = true;
        Failure::Disconnected(self.process.epitaph())
    }

    fn stalled(&mut self, what: &str) -> Failure {
        self.is_broken = true;
        Failure::Stalled(what.to_owned())
    }

    /// Says hello and hears what the engine declares; false if there was no answer in time.
    pub(super) fn greet(&mut self, patience: Duration) -> Result<bool, Failure> {
        self.say(&[self.dialect.greeting().to_owned()])?;
        let deadline = Instant::now() + patience;
        while let Some((at, line)) = self.listen(deadline)? {
            match self.dialect.hear(&line) {
                Heard::Greeting => return Ok(true),
                Heard::Name(name) => self.own_name = name,
                Heard::Option(option) => self.declared.push(option),
                _ if at > deadline => break,
                _ => {}
            }
        }
        Ok(false)
    }

    /// Waits until the engine has done all that it was told.
    pub(super) fn ping(&mut self, patience: Duration) -> Result<(), Failure> {
        self.say(&["isready".to_owned()])?;
        self.await_ready(patience)
    }

    fn await_ready(&mut self, patience: Duration) -> Result<(), Failure> {
        let deadline = Instant::now() + patience;
        while let Some((at, line)) = self.listen(deadline)? {
            match self.dialect.hear(&line) {
                Heard::Ready => return Ok(()),
                Heard::Answer(_) => self.warn(format!("unasked `{line}`")),
                _ if at > deadline => break,
                _ => {}
            }
        }
        Err(self.stalled("no answer to isready"))
    }

    /// Sets up for a new game; the engine may take its time.
    ///
    /// # Errors
    /// It fails.
    pub fn new_game(&mut self) -> Result<(), Failure> {
        match self.dialect {
            Dialect::Uci => {
                self.say(&["ucinewgame".to_owned()])?;
            }
            Dialect::Ucci => {
                if let Some(option) = self.find_option("newgame").cloned() {
                    self.say(&[self.dialect.set_option(&option, "")])?;
                }
            }
        }
        self.ping(self.surroundings.deadlines.new_game)
    }

    /// Must it be started anew for the next game?
    pub fn wants_restart(&self) -> bool {
        let wants_fresh = match self.config.restart {
            Restart::On => true,
            Restart::Auto => !self.hears_of_new_games(),
            Restart::Off => false,
        };
        self.is_broken || wants_fresh
    }

    fn hears_of_new_games(&self) -> bool {
        self.dialect == Dialect::Uci || self.find_option("newgame").is_some()
    }

    /// Has it ended, or does it within this time, while nobody asks anything of it?
    pub fn dies_within(&mut self, time: Duration) -> bool {
        self.process.wait(time)
    }

    /// Sends a position, and moves that may not be played in it (UCCI), and waits until the engine
    /// has read them: this is off the clock.
    fn set_up(&mut self, setup: &Setup, banned: &[String]) -> Result<(), Failure> {
        let mut lines = vec![self.dialect.position(setup)];
        if !banned.is_empty() && self.dialect == Dialect::Ucci {
            lines.push(format!("banmoves {}", banned.join(" ")));
        }
        lines.push("isready".to_owned());
        let asked = self.say(&lines)?;
        self.await_ready(self.surroundings.deadlines.ping)?;
        self.pings.push(asked.elapsed());
        Ok(())
    }

    /// Has the engine think about a position.
    ///
    /// # Errors
    /// It fails. A late move is no failure; if it does not come at all, the player is broken.
    pub fn think(
        &mut self,
        setup: &Setup,
        banned: &[String],
        go: &Go<'_>,
        patience: Patience,
    ) -> Result<Thought, Failure> {
        self.set_up(setup, banned)?;
        let begin = self.say(&[self.dialect.go(go)])?;
        self.activity = Activity::Thinking;
        self.await_answer(begin, patience, Info::default())
    }

    /// Has the engine think on the opponent's time.
    ///
    /// # Errors
    /// It fails.
    pub fn ponder(&mut self, setup: &Setup, go: &Go<'_>) -> Result<(), Failure> {
        self.set_up(setup, &[])?;
        self.say(&[self.dialect.go(go)])?;
        self.activity = Activity::Pondering;
        Ok(())
    }

    /// Is it pondering?
    pub fn is_pondering(&self) -> bool {
        self.activity == Activity::Pondering
    }

    /// The expected move was played, with or without an offer to draw: the search goes on, on its
    /// own clock. `None` if the engine had ended its search before its time, so that it must be
    /// asked again.
    ///
    /// # Errors
    /// It fails.
    pub fn ponder_hit(
        &mut self,
        patience: Patience,
        draw_offered: bool,
    ) -> Result<Option<Thought>, Failure> {
        let now = Instant::now();
        let mut info = Info::default();
        while let Some((at, line)) = self.listen(now)? {
            match self.dialect.hear(&line) {
                Heard::Answer(_) => {
                    self.warn(format!("`{line}` before ponderhit"));
                    self.activity = Activity::Idle;
                    return Ok(None);
                }
                Heard::Info(line) => info.update(line),
                _ => {}
            }
            if at > now {
                break;
            }
        }
        let begin = self.say(&[self.dialect.ponder_hit(draw_offered).to_owned()])?;
        self.activity = Activity::Thinking;
        self.await_answer(begin, patience, info).map(Some)
    }

    /// Another move was played, or the game is over: what it pondered on is worth nothing.
    ///
    /// # Errors
    /// It fails.
    pub fn stop(&mut self) -> Result<(), Failure> {
        if self.activity == Activity::Idle {
            return Ok(());
        }
        self.say(&["stop".to_owned()])?;
        let deadline = Instant::now() + self.surroundings.deadlines.stop;
        while let Some((at, line)) = self.listen(deadline)? {
            if let Heard::Answer(_) = self.dialect.hear(&line) {
                self.activity = Activity::Idle;
                return Ok(());
            }
            if at > deadline {
                break;
            }
        }
        Err(self.stalled("no answer to stop"))
    }

    fn await_answer(
        &mut self,
        begin: Instant,
        patience: Patience,
        info: Info,
    ) -> Result<Thought, Failure> {
        let longest = patience
            .budget
            .map_or(patience.otherwise, |budget| budget + GRACE);
        let deadline = begin + longest;
        let mut thought = Thought {
            answer: None,
            info,
            spent: longest,
            raw: String::new(),
            matched: None,
        };
        while let Some((at, line)) = self.listen(deadline)? {
            thought.spent = at.saturating_duration_since(begin);
            match self.dialect.hear(&line) {
                Heard::Info(info) => {
                    let filter = &self.surroundings.line_filter;
                    if filter.as_ref().is_some_and(|filter| filter.is_match(&line)) {
                        thought.matched = Some(line);
                    }
                    thought.info.update(info);
                }
                Heard::Answer(answer) => {
                    self.activity = Activity::Idle;
                    thought.answer = Some(answer);
                    thought.raw = line;
                    return Ok(thought);
                }
                _ => {}
            }
            // An engine that goes on talking is late all the same.
            if at > deadline {
                break;
            }
        }
        thought.spent = thought.spent.max(longest);
        match self.stop() {
            Err(Failure::Interrupted) => Err(Failure::Interrupted),
            // Late, and silent too: lost on time, and to be replaced.
            Err(_) => {
                self.is_broken = true;
                Ok(thought)
            }
            Ok(()) => Ok(thought),
        }
    }

    /// Tells the engine to quit and closes its input; [`Player::end`] waits for it.
    pub fn dismiss(&mut self) {
        if !self.is_broken {
            let words: &[&str] = match self.activity {
                Activity::Idle => &["quit"],
                Activity::Thinking | Activity::Pondering => &["stop", "quit"],
            };
            let text: String = words.iter().map(|word| format!("{word}\n")).collect();
            // It is about to be killed if it does not read this.
            let _ = self.pipes.write(text, TICK);
        }
        self.pipes.close();
    }

    /// Closes the engine's input without a word.
    pub(super) fn close_input(&mut self) {
        self.pipes.close();
    }

    /// Waits for the process to end of itself.
    pub(super) fn await_end(&mut self, patience: Duration) -> Result<(), String> {
        if self.process.wait(patience) {
            Ok(())
        } else {
            Err(format!("it still runs after {} s", patience.as_secs_f64()))
        }
    }

    /// Ends the process: at once if it is broken, else by [`Player::dismiss`] and some patience.
    pub fn end(self) {
        Player::end_all(vec![self]);
    }

    /// Ends several, side by side: all together take no longer than the slowest.
    pub fn end_all(mut players: Vec<Player>) {
        for player in &mut players {
            player.dismiss();
            if player.is_broken {
                player.process.kill();
            }
        }
        let mut processes: Vec<&mut Process> = players
            .iter_mut()
            .map(|player| &mut player.process)
            .collect();
        Process::end_all(&mut processes);
    }
}
