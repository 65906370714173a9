//! The event stream: one JSON object a line, for live views, broadcasts and tuners.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

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
    file: Option<(PathBuf, Mutex<File>)>,
    terminal: Option<Output>,
    /// The first event that could not be written, in words.
    failure: OnceLock<String>,
}

impl Events {
    /// Appends to a file.
    ///
    /// # Errors
    /// It cannot be opened; in words that name it.
    pub fn to_file(path: &Path) -> io::Result<Events> {
        let opened = OpenOptions::new().create(true).append(true).open(path);
        let file =
            opened.map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))?;
        Ok(Events {
            file: Some((path.to_owned(), Mutex::new(file))),
            ..Events::default()
        })
    }

    /// The same, and to the terminal.
    pub fn and_to(self, output: &Output) -> Events {
        Events {
            terminal: Some(output.clone()),
            ..self
        }
    }

    /// Writes an event. [`Events::check`] tells whether that went well.
    pub fn emit(&self, event: impl FnOnce() -> Value) {
        if self.file.is_none() && self.terminal.is_none() {
            return;
        }
        let mut value = event();
        value["v"] = json!(VERSION);
        if let Some((path, file)) = &self.file {
            let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(e) = file.write_all(format!("{value}\n").as_bytes()) {
                self.fail(&path.display().to_string(), &e);
            }
        }
        if let Some(output) = &self.terminal
            && let Err(e) = output.try_line(&value.to_string())
        {
            self.fail("standard output", &e);
        }
    }

    fn fail(&self, place: &str, cause: &io::Error) {
        self.failure.get_or_init(|| format!("{place}: {cause}"));
    }

    /// Could all events be written?
    ///
    /// # Errors
    /// What became of the first that could not, with the name of its file.
    pub fn check(&self) -> io::Result<()> {
        match self.failure.get() {
            None => Ok(()),
            Some(why) => Err(io::Error::other(why.clone())),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_told_with_the_name_of_the_file() {
        let dir = std::env::temp_dir().join(format!("twofold-events-{}", std::process::id()));
        std::fs::create_dir_all(&dir).unwrap();
        let refused = Events::to_file(&dir).err().unwrap().to_string();
        assert!(refused.contains("twofold-events-"), "{refused}");
        let path = dir.join("events.jsonl");
        let events = Events::to_file(&path).unwrap();
        events.warning(1, "a", "odd");
        assert!(events.check().is_ok());
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches("\"event\":\"warning\"").count(), 1);
        // A file that is open for reading only cannot be written.
        let events = Events {
            file: Some((path.clone(), Mutex::new(File::open(&path).unwrap()))),
            ..Events::default()
        };
        events.warning(2, "a", "odd");
        let why = events.check().unwrap_err().to_string();
        assert!(why.contains("events.jsonl: "), "{why}");
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
