//! Runs a match: slots play, one thread hands out games, books results and decides when to stop.

mod telling;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use thiserror::Error;

use crate::arena::budget;
use crate::arena::config::{ConfigError, Format, GameKind, MatchConfig, StartFailure};
use crate::arena::console::Console;
use crate::arena::descriptors;
use crate::arena::events::Events;
use crate::arena::fingerprint;
use crate::arena::folder;
use crate::arena::journal::{Entry, Existing, Identity, Journal, JournalError};
use crate::arena::languages::Languages;
use crate::arena::latency::Latency;
use crate::arena::openings::Openings;
use crate::arena::outcome::{Finish, points_of};
use crate::arena::play::{GameReport, Setting};
use crate::arena::player::Surroundings;
use crate::arena::referee::Rules;
use crate::arena::schedule::{Job, Next, Schedule};
use crate::arena::slot::{CONVERSATIONS, FAILURES, Slot, Told};
use crate::arena::snapshot;
use crate::arena::sprt::Decision;
use crate::arena::standings::Standings;
use crate::arena::throttle::Throttle;
use crate::game::Side;

/// How often the runner looks for signals while nothing happens.
const TICK: Duration = Duration::from_millis(200);
/// Engines that may start at once.
const STARTS: usize = 16;
/// Openings left out that are named; the others are only counted.
const WARNINGS_OF_OPENINGS: usize = 10;
/// The file that asks a running match to finish its games and stop.
pub const STOP_FILE: &str = "stop";
/// The file that holds new games of a running match for as long as it is there. Games that are
/// running, and their clocks, go on.
pub const PAUSE_FILE: &str = "pause";

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// All games are played, and no test was to be decided.
    Complete,
    /// The test was decided.
    Decided(Decision),
    /// All games are played, the test is not decided.
    Inconclusive,
    /// Broken off; it can be resumed.
    Interrupted,
    /// An engine could not be started.
    Unstartable,
    /// An engine failed too often.
    TooManyFailures,
}

impl Ended {
    /// The exit code of the program.
    pub fn exit_code(self) -> u8 {
        match self {
            Ended::Complete | Ended::Decided(Decision::AcceptH1 | Decision::Continue) => 0,
            Ended::Decided(Decision::AcceptH0) => 10,
            Ended::Inconclusive => 11,
            Ended::Unstartable => 2,
            Ended::TooManyFailures => 4,
            Ended::Interrupted => 130,
        }
    }
}

/// Why a match could not be run.
#[derive(Debug, Error)]
pub enum RunError {
    /// The configuration, an opening file, an engine that is not there.
    #[error("{0}")]
    Config(#[from] ConfigError),
    /// The journal.
    #[error("{0}")]
    Journal(#[from] JournalError),
    /// Another file, or a thread.
    #[error("{0}")]
    File(#[from] io::Error),
}

/// How to run a match.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// What to do with a journal that is there.
    pub existing: Existing,
    /// Run even though the machine is too small for it?
    pub force: bool,
    /// Set from outside to break the match off.
    pub abort: Arc<AtomicBool>,
    /// Set from outside to stop after the games that are running.
    pub finish: Arc<AtomicBool>,
}

/// Runs a match to its end.
///
/// # Errors
/// Whatever keeps it from being begun, and files that can no longer be written.
pub fn run(
    config: &MatchConfig,
    rules: &Rules,
    options: &RunOptions,
    output: &crate::output::Output,
) -> Result<Ended, RunError> {
    fingerprint::check_programs(config)?;
    let slots = budget::slots(config, options.force)?;
    descriptors::ensure(slots, options.force)?;
    let openings = match &config.openings {
        Some(file) => Openings::load(file, config.game, rules, config.seed)?,
        None if config.game == GameKind::Chess960 => Openings::chess960(config.seed),
        None => Openings::none(),
    };
    let identity = Identity {
        dir: config.dir.clone(),
        name: config.name.clone(),
        engines: config.engines.iter().map(|e| e.name.clone()).collect(),
        fingerprint: fingerprint::of(config, openings.checksum)?,
        pgn: config.output.pgn.as_ref().map(|path| config.dir.join(path)),
    };
    if let Some(path) = events_file(config).filter(|path| folder::is_special(path)) {
        let message = format!("{} is not a regular file", path.display());
        return Err(ConfigError(message).into());
    }
    let (journal, entries) = Journal::open(&identity, options.existing)?;
    if options.existing == Existing::Discard {
        set_rest_aside(config)?;
    }
    snapshot::save(config)?;
    // Those that stopped or held an earlier part must not do so with this one.
    for word in [STOP_FILE, PAUSE_FILE] {
        let _ = std::fs::remove_file(config.dir.join(word));
    }
    let events = open_events(config, output)?;
    let mut schedule = Schedule::new(config);
    let mut standings = Standings::new(config.engines.len(), config.has_pairs(), config.sprt);
    for entry in &entries {
        standings.add(entry);
        if let Some(points) = points_of(&entry.result) {
            schedule.finish(entry.game, points);
        }
    }
    let console = Console::new(output, schedule.total(), config.output.format);
    warn_of_openings(config, &openings, &schedule, &console);
    if !entries.is_empty() {
        console.line(&format!("Resumed after {} games", entries.len()));
    }
    let runner = Runner {
        config,
        events: &events,
        console,
        journal,
        schedule,
        standings,
        options: options.clone(),
        is_paused: false,
        running: 0,
        begun: Instant::now(),
        played_before: entries.len() as u64,
        crashes: vec![0; config.engines.len()],
        withdrawn: BTreeSet::new(),
        ended: None,
        warned: vec![0; config.engines.len()],
        latencies: vec![Latency::default(); config.engines.len()],
        pings: vec![Latency::default(); config.engines.len()],
        unfinished: Vec::new(),
    };
    events.start(config, &runner.schedule, entries.len());
    let setting = Setting {
        config,
        rules,
        events: &events,
    };
    runner.with_slots(setting, &openings, slots)
}

/// Says which openings are left out, and if they do not last for the match.
fn warn_of_openings(
    config: &MatchConfig,
    openings: &Openings,
    schedule: &Schedule,
    console: &Console,
) {
    let warnings = &openings.warnings;
    for warning in warnings.iter().take(WARNINGS_OF_OPENINGS) {
        console.line(&format!("Warning: {warning}; skipped"));
    }
    let more = warnings.len().saturating_sub(WARNINGS_OF_OPENINGS);
    if more > 0 {
        console.line(&format!("Warning: {more} more openings skipped"));
    }
    let (count, wanted) = (openings.count() as u64, schedule.openings().unwrap_or(0));
    if config.openings.is_some() && wanted > count {
        let units = if config.has_pairs() { "pairs" } else { "games" };
        console.line(&format!(
            "Warning: {count} openings for {wanted} {units}: {units} are not independent"
        ));
    }
}

/// Of a match that is begun anew: what the old one left beside its journal and its records.
fn set_rest_aside(config: &MatchConfig) -> io::Result<()> {
    for folder in [FAILURES, CONVERSATIONS] {
        folder::set_folder_aside(&config.dir, folder)?;
    }
    match events_file(config) {
        Some(path) => folder::set_aside(&config.dir, &path),
        None => Ok(()),
    }
}

/// The file of the event stream, if it goes to one.
fn events_file(config: &MatchConfig) -> Option<PathBuf> {
    let path = config.output.events.as_deref();
    path.filter(|path| *path != Path::new("-"))
        .map(|path| config.dir.join(path))
}

/// The event stream goes to a file, to the terminal, or nowhere.
fn open_events(config: &MatchConfig, output: &crate::output::Output) -> io::Result<Events> {
    let is_terminal = config.output.events.as_deref() == Some(Path::new("-"));
    let on_terminal = config.output.format == Format::Json || is_terminal;
    let events = match events_file(config) {
        Some(path) => Events::to_file(&path)?,
        None => Events::default(),
    };
    Ok(if on_terminal {
        events.and_to(output)
    } else {
        events
    })
}

struct Runner<'a> {
    config: &'a MatchConfig,
    events: &'a Events,
    console: Console,
    journal: Journal,
    schedule: Schedule,
    standings: Standings,
    options: RunOptions,
    /// Are new games held?
    is_paused: bool,
    running: usize,
    begun: Instant,
    played_before: u64,
    crashes: Vec<u32>,
    /// Engines that could not be started.
    withdrawn: BTreeSet<usize>,
    /// Set once no more games are to be begun.
    ended: Option<Ended>,
    /// Oddities of each engine's conduct.
    warned: Vec<usize>,
    /// Of the moves since this part of the match began.
    latencies: Vec<Latency>,
    /// The same of what it costs to ask engines whether they are ready.
    pings: Vec<Latency>,
    /// Records of games that were broken off, if they are wanted.
    unfinished: Vec<String>,
}

impl Runner<'_> {
    fn with_slots(
        mut self,
        setting: Setting<'_>,
        openings: &Openings,
        slots: usize,
    ) -> Result<Ended, RunError> {
        let abort = self.options.abort.clone();
        let dir = self.config.dir.clone();
        let starts = Throttle::new(STARTS);
        let languages = Languages::default();
        let line_filter = self.config.output.line_filter().map_err(ConfigError)?;
        thread::scope(|scope| {
            let (tell, told) = channel();
            let mut lines = Vec::new();
            for number in 0..slots {
                let (line, jobs) = channel();
                lines.push(line);
                let slot = Slot {
                    number,
                    setting,
                    openings,
                    starts: &starts,
                    surroundings: Surroundings {
                        game: self.config.game,
                        deadlines: self.config.deadlines,
                        abort: abort.clone(),
                        cores: budget::cores_of(self.config, number),
                        line_filter: line_filter.clone(),
                        languages: languages.clone(),
                    },
                    dir: &dir,
                };
                let tell = tell.clone();
                thread::Builder::new()
                    .name(format!("slot {number}"))
                    .spawn_scoped(scope, move || slot.run(&jobs, &tell))?;
            }
            drop(tell);
            let result = self.serve(&told, lines);
            if result.is_err() {
                abort.store(true, Ordering::Relaxed);
            }
            result
        })?;
        for record in std::mem::take(&mut self.unfinished) {
            self.journal.add_unfinished(&record)?;
        }
        let events = self.events;
        let ended = self.conclude();
        events.check()?;
        Ok(ended)
    }

    /// Hands out games until all slots have gone.
    fn serve(&mut self, told: &Receiver<Told>, lines: Vec<Sender<Job>>) -> Result<(), RunError> {
        let mut lines: Vec<Option<Sender<Job>>> = lines.into_iter().map(Some).collect();
        let mut waiting: Vec<usize> = Vec::new();
        loop {
            self.look_for_signals();
            self.events.check()?;
            match told.recv_timeout(TICK) {
                Ok(Told::Ready(slot)) => waiting.push(slot),
                Ok(Told::Played(report)) => self.played(*report)?,
                Ok(Told::Lost(job, engine, why)) => {
                    self.running -= 1;
                    self.schedule.replay(job.number);
                    self.crashed(engine, &why);
                }
                Ok(Told::Unstartable(job, engine, why)) => self.unstartable(&job, engine, &why),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            waiting.retain(|&slot| !self.serve_slot(&mut lines[slot]));
        }
    }

    /// Gives a waiting slot a game or sends it home; false if it has to wait on.
    fn serve_slot(&mut self, line: &mut Option<Sender<Job>>) -> bool {
        if self.ended.is_some() {
            *line = None;
            return true;
        }
        match self.schedule.take() {
            Next::Wait => false,
            Next::Done => {
                // A running game may turn out void and have to be played again.
                if self.running == 0 {
                    *line = None;
                }
                self.running == 0
            }
            // Taken back, so that the end is seen even by a match that is held.
            Next::Play(job) if self.is_paused => {
                self.schedule.replay(job.number);
                false
            }
            Next::Play(job) => {
                let [first, second] = [job.first, job.second].map(|i| &self.config.engines[i].name);
                let total = self
                    .schedule
                    .total()
                    .map_or_else(String::new, |n| format!(" of {n}"));
                let text = format!("Started game {}{total} ({first} vs {second})", job.number);
                self.console.line(&text);
                self.running += 1;
                line.as_ref().is_none_or(|line| line.send(job).is_ok())
            }
        }
    }

    fn look_for_signals(&mut self) {
        if self.ended.is_some() {
            return;
        }
        self.look_for_pause();
        let finish = &self.options.finish;
        if self.options.abort.load(Ordering::Relaxed) {
            self.stop(Ended::Interrupted);
        } else if finish.load(Ordering::Relaxed) || self.config.dir.join(STOP_FILE).exists() {
            self.console
                .line("Stopping after the games that are running");
            self.stop(Ended::Interrupted);
        }
    }

    fn look_for_pause(&mut self) {
        let is_paused = self.config.dir.join(PAUSE_FILE).exists();
        if is_paused != self.is_paused {
            self.is_paused = is_paused;
            self.console.line(if is_paused {
                "Paused: no new games until the file `pause` is gone"
            } else {
                "Going on"
            });
        }
    }

    fn stop(&mut self, why: Ended) {
        self.ended.get_or_insert(why);
    }

    fn played(&mut self, report: GameReport) -> Result<(), RunError> {
        self.running -= 1;
        let Some(points) = report.finish.points() else {
            if !self.options.abort.load(Ordering::Relaxed) {
                let text = format!("Game {} is void: {}", report.job.number, report.finish.text);
                self.console.line(&text);
            }
            if report.both_died {
                for engine in [report.job.first, report.job.second] {
                    self.crashed(engine, &report.finish.text);
                }
            }
            if self.config.output.unfinished && !report.moves.is_empty() {
                self.unfinished.push(self.record(&report));
            }
            self.schedule.replay(report.job.number);
            return Ok(());
        };
        // A game that was still running when the test was decided does not count.
        if matches!(self.ended, Some(Ended::Decided(_))) {
            let Finish { text, .. } = &report.finish;
            let (number, result) = (report.job.number, report.finish.result());
            self.console.line(&format!(
                "Finished game {number}, not counted, for the test was decided: {result} {{{text}}}"
            ));
            return Ok(());
        }
        let entry = self
            .journal
            .add(&entry_of(&report), &self.record(&report))?;
        self.standings.add(&entry);
        self.schedule.finish(entry.game, points);
        self.time_moves(&report);
        self.announce(&report);
        if let (Some(side), true) = (report.failed, report.finish.termination.is_crash()) {
            let engine = if side == Side::First {
                report.job.first
            } else {
                report.job.second
            };
            self.crashed(engine, &report.finish.text);
        }
        if let Some((_, progress)) = self.standings.test()
            && progress.decision != Decision::Continue
        {
            self.stop(Ended::Decided(progress.decision));
            self.options.abort.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    fn time_moves(&mut self, report: &GameReport) {
        let begins_second = report
            .start_fen
            .as_ref()
            .is_some_and(|fen| fen.split(' ').nth(1) == Some("b"));
        for (ply, facts) in report.facts.iter().enumerate() {
            let is_first = (ply % 2 == 0) != begins_second;
            let engine = if is_first {
                report.job.first
            } else {
                report.job.second
            };
            if let Some(latency) = facts.latency {
                self.latencies[engine].add(latency);
            }
        }
        for (engine, pings) in [report.job.first, report.job.second]
            .into_iter()
            .zip(&report.pings)
        {
            for ping in pings {
                self.pings[engine].add(*ping);
            }
        }
    }

    /// An engine leaves, and the match ends where it cannot go on without it.
    fn unstartable(&mut self, job: &Job, engine: usize, why: &str) {
        self.running -= 1;
        if self.config.on_start_failure == StartFailure::Retry {
            self.schedule.replay(job.number);
            return self.crashed(engine, why);
        }
        // Several slots may have tried.
        if self.withdrawn.insert(engine) {
            let name = &self.config.engines[engine].name;
            self.console.line(&format!("{name} {why}"));
        }
        let left = self.config.engines.len() - self.withdrawn.len();
        let may_leave = self.config.on_start_failure == StartFailure::Withdraw && left >= 2;
        if !(may_leave && self.schedule.withdraw(engine)) {
            self.stop(Ended::Unstartable);
            self.options.abort.store(true, Ordering::Relaxed);
        }
    }

    fn crashed(&mut self, engine: usize, why: &str) {
        self.crashes[engine] += 1;
        let name = &self.config.engines[engine].name;
        let crashes = self.crashes[engine];
        self.console
            .line(&format!("Warning: failure {crashes} of {name}: {why}"));
        self.events.engine_crash(name, crashes, why);
        if crashes >= self.config.max_crashes || !self.config.recover {
            self.stop(Ended::TooManyFailures);
            self.options.abort.store(true, Ordering::Relaxed);
        }
    }
}

fn entry_of(report: &GameReport) -> Entry {
    let since_1970 = |time: SystemTime| time.duration_since(UNIX_EPOCH).unwrap_or_default();
    Entry {
        game: report.job.number,
        pair: report.job.pair,
        round: report.job.round,
        first: report.job.first,
        second: report.job.second,
        opening: report.opening,
        result: report.finish.result().to_owned(),
        termination: report.finish.termination,
        reason: report.finish.text.clone(),
        plies: report.moves.len(),
        used_ms: report.used.map(|time| time.as_millis() as u64),
        ended_ms: since_1970(report.ended).as_millis() as u64,
        pgn_end: 0,
    }
}
