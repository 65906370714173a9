//! The event stream: one JSON object a line, for live views, broadcasts and tuners.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::arena::config::MatchConfig;
use crate::arena::outcome::Finish;
use crate::arena::record::{MoveFacts, ReportedScore};
use crate::arena::referee::Played;
use crate::arena::runner::Ended;
use crate::arena::schedule::{Job, Schedule};
use crate::arena::standings::Standings;
use crate::output::Output;

/// Version of the format, in every line as `v`.
const VERSION: u32 = 1;

/// Where events go; by default nowhere.
#[derive(Default)]
pub struct Events {
    file: Option<Mutex<File>>,
    terminal: Option<Output>,
}

impl Events {
    /// Appends to a file.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn to_file(path: &Path) -> io::Result<Events> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Events {
            file: Some(Mutex::new(file)),
            terminal: None,
        })
    }

    /// The same, and to the terminal.
    pub fn and_to(self, output: &Output) -> Events {
        Events {
            terminal: Some(output.clone()),
            ..self
        }
    }

    /// Writes an event. A stream that cannot be written any more must not end the match, of which
    /// it is no part.
    pub fn emit(&self, event: impl FnOnce() -> Value) {
        if self.file.is_none() && self.terminal.is_none() {
            return;
        }
        let mut value = event();
        value["v"] = json!(VERSION);
        if let Some(file) = &self.file {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = file.write_all(format!("{value}\n").as_bytes());
        }
        if let Some(output) = &self.terminal {
            let _ = output.try_line(&value.to_string());
        }
    }

    /// The match begins, or goes on after so many games.
    pub fn start(&self, config: &MatchConfig, schedule: &Schedule, played: usize) {
        self.emit(|| {
            let names: Vec<&str> = config.engines.iter().map(|e| e.name.as_str()).collect();
            json!({"event": "start", "match": config.name, "game": config.game,
                "engines": names, "games": schedule.total(), "played": played})
        });
    }

    /// How the engines stand; numbers that there are not yet are null.
    pub fn stats(&self, config: &MatchConfig, standings: &Standings) {
        self.emit(|| {
            let engines = config.engines.iter().enumerate().map(|(engine, config)| {
                let tally = standings.total(engine);
                let e = tally.estimate(standings.has_pairs());
                json!({"name": config.name, "wins": tally.games.wins,
                    "losses": tally.games.losses, "draws": tally.games.draws,
                    "points": tally.games.points(), "elo": e.elo, "elo_error": e.elo_error,
                    "nelo": e.normalized, "nelo_error": e.normalized_error,
                    "los": e.superiority, "ptnml": tally.pairs.counts})
            });
            let engines: Vec<Value> = engines.collect();
            let test = standings.test().map(|(sprt, progress)| {
                json!({"llr": progress.llr, "lower": sprt.lower_bound(),
                    "upper": sprt.upper_bound(), "elo0": sprt.elo0, "elo1": sprt.elo1,
                    "model": sprt.model.to_string()})
            });
            json!({"event": "stats", "games": standings.games(), "engines": engines,
                "sprt": test})
        });
    }

    /// Something odd about an engine's conduct in a game.
    pub fn warning(&self, game: u64, engine: &str, text: &str) {
        self.emit(|| json!({"event": "warning", "game": game, "engine": engine, "text": text}));
    }

    /// An engine failed, for so many times now.
    pub fn engine_crash(&self, engine: &str, count: u32, text: &str) {
        self.emit(
            || json!({"event": "engine_crash", "engine": engine, "count": count, "text": text}),
        );
    }

    /// The match, or this part of it, ends; with the number of each engine's warnings.
    pub fn end(&self, config: &MatchConfig, ended: Ended, warned: &[usize]) {
        self.emit(|| {
            let names = config.engines.iter().map(|e| e.name.clone());
            let warnings: serde_json::Map<String, Value> =
                names.zip(warned.iter().map(|&n| json!(n))).collect();
            json!({"event": "end", "exit_code": ended.exit_code(), "warnings": warnings})
        });
    }

    /// A game begins.
    pub fn game_start(&self, job: &Job, names: [&String; 2], fen: &str) {
        self.emit(|| {
            json!({"event": "game_start", "game": job.number, "round": job.round,
                "first": names[0], "second": names[1], "fen": fen})
        });
    }

    /// A move was played.
    pub fn moved(&self, job: &Job, played: &Played, facts: &MoveFacts, fen: &str) {
        self.emit(|| {
            let score = match facts.score {
                Some(ReportedScore::Centipawns(cp)) => json!({"cp": cp}),
                Some(ReportedScore::Mate(n)) => json!({"mate": n}),
                None => Value::Null,
            };
            json!({"event": "move", "game": job.number, "fen": fen, "move": played.own,
                "score": score, "depth": facts.depth, "nodes": facts.nodes,
                "ms": facts.time.as_secs_f64() * 1e3,
                "clock": facts.left.map(|t| t.as_millis() as u64),
                "latency": facts.latency.map(|t| t.as_secs_f64() * 1e3), "pv": facts.pv})
        });
    }

    /// A game ended.
    pub fn game_end(&self, job: &Job, finish: &Finish, plies: usize) {
        self.emit(|| {
            json!({"event": "game_end", "game": job.number, "result": finish.result(),
                "termination": finish.termination, "reason": finish.text, "plies": plies})
        });
    }
}
