//! Progress on standard error: a bar on a terminal, now and then a plain line elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Time between two plain lines.
const PLAIN_INTERVAL: Duration = Duration::from_secs(30);

/// Shows how far a long task has come.
pub(super) enum Gauge {
    /// On a terminal.
    Bar(ProgressBar),
    /// Elsewhere.
    Lines {
        /// How much there is to do.
        whole: u64,
        /// What is counted.
        unit: &'static str,
        /// When the last line was written.
        last: Instant,
    },
}

impl Gauge {
    /// A gauge of a task of so many units.
    pub fn new(whole: u64, unit: &'static str) -> Gauge {
        if !io::stderr().is_terminal() {
            return Gauge::Lines {
                whole,
                unit,
                last: Instant::now(),
            };
        }
        let bar = ProgressBar::with_draw_target(Some(whole), ProgressDrawTarget::stderr());
        let template = "{elapsed} [{bar:30}] {human_pos}/{human_len} {msg}, ready in {eta}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(unit);
        Gauge::Bar(bar)
    }

    /// Shows that `done` units are done, with a remark.
    pub fn show(&mut self, done: u64, remark: impl Fn() -> String) {
        match self {
            Gauge::Bar(bar) => {
                bar.set_message(remark());
                bar.set_position(done);
            }
            Gauge::Lines { whole, unit, last } => {
                if last.elapsed() >= PLAIN_INTERVAL {
                    *last = Instant::now();
                    let remark = remark();
                    // Nobody need listen.
                    let _ = writeln!(io::stderr(), "{done}/{whole} {unit}: {remark}");
                }
            }
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        if let Gauge::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}
