//! The event stream: one JSON object a line, for live views, broadcasts and tuners.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::arena::outcome::Finish;
use crate::arena::record::{MoveFacts, ReportedScore};
use crate::arena::referee::Played;
use crate::arena::schedule::Job;

/// Version of the format, in every line as `v`.
const VERSION: u32 = 1;

/// Where events go; by default nowhere.
#[derive(Debug, Default)]
pub struct Events {
    sink: Option<Mutex<File>>,
}

impl Events {
    /// Appends to a file.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn to_file(path: &Path) -> io::Result<Events> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Events {
            sink: Some(Mutex::new(file)),
        })
    }

    /// Writes an event. A stream that cannot be written any more must not end the match, of which
    /// it is no part.
    pub fn emit(&self, event: impl FnOnce() -> Value) {
        let Some(sink) = &self.sink else {
            return;
        };
        let mut value = event();
        value["v"] = json!(VERSION);
        let mut file = sink.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = file.write_all(format!("{value}\n").as_bytes());
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
