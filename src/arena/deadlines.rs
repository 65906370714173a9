//! How long engines may take where no clock runs.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Nobody waits longer: times are added to those of the clock.
const YEAR: Duration = Duration::from_secs(31_536_000);

/// How long an engine may take to answer what needs no thinking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Deadlines {
    /// From start to `uciok` or `ucciok`.
    pub start: Duration,
    /// Auto-detection: silence after `uci` that makes us try `ucci`.
    pub detect: Duration,
    /// `isready` to `readyok`.
    pub ping: Duration,
    /// The same after `ucinewgame`, when a network may be loaded.
    pub new_game: Duration,
    /// `stop` to `bestmove`, after a time loss.
    pub stop: Duration,
    /// For one line to be accepted by the engine's input.
    pub write: Duration,
}

impl Deadlines {
    /// The same, so many times as long, for an engine that needs it.
    pub fn scaled(self, scale: f64) -> Deadlines {
        let times = |time: Duration| {
            let scaled = Duration::try_from_secs_f64(time.as_secs_f64() * scale);
            scaled.unwrap_or(time).min(YEAR)
        };
        Deadlines {
            start: times(self.start),
            detect: times(self.detect),
            ping: times(self.ping),
            new_game: times(self.new_game),
            stop: times(self.stop),
            write: times(self.write),
        }
    }
}

impl Default for Deadlines {
    fn default() -> Deadlines {
        Deadlines {
            start: Duration::from_secs(10),
            detect: Duration::from_secs(2),
            ping: Duration::from_secs(15),
            new_game: Duration::from_secs(60),
            stop: Duration::from_secs(10),
            write: Duration::from_secs(5),
        }
    }
}
