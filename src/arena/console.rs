//! What a match shows: lines, and on a terminal a progress bar below them.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::arena::config::Format;
use crate::output::Output;

/// Where a match reports to. A reader that has gone away does not end the match.
pub struct Console {
    /// `None`: another kind of text has the stream for itself.
    output: Option<Output>,
    bar: Option<ProgressBar>,
}

impl Console {
    /// Lines to `output`, unless the events are its text; for people, a bar if both streams are a
    /// terminal.
    pub fn new(output: &Output, games: Option<u64>, format: Format) -> Console {
        let is_terminal =
            format == Format::Human && io::stdout().is_terminal() && io::stderr().is_terminal();
        Console {
            output: (format != Format::Json).then(|| output.clone()),
            bar: is_terminal.then(|| bar(games)),
        }
    }

    /// Writes lines that nothing else may come between.
    pub fn line(&self, text: &str) {
        let write = || {
            if let Some(output) = &self.output {
                // The journal has it, whether anybody reads or not.
                let _ = output.try_line(text);
            }
        };
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Updates the bar.
    pub fn progress(&self, done: u64, message: String) {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            bar.set_message(message);
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn bar(games: Option<u64>) -> ProgressBar {
    let (bar, template) = match games {
        Some(games) => (
            ProgressBar::new(games),
            "{bar:30} {pos}/{len} games, {elapsed} gone, {eta} left, {msg}",
        ),
        None => (
            ProgressBar::new_spinner(),
            "{spinner} {pos} games, {elapsed} gone, {msg}",
        ),
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
