//! Reads what a match has left behind: its settings, its journal and its game records.
//!
//! A match may still be running, so a journal line that is not finished yet is left out, and so
//! are records without a journal line. Anything else that does not fit is an error, with its line.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::arena::config::MatchConfig;
use crate::arena::journal::{self, Entry};
use crate::arena::snapshot;

/// Why no report can be made.
#[derive(Debug, Error)]
pub enum ReportError {
    /// A file cannot be read.
    #[error("{}: {cause}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
    /// A line of a file makes no sense.
    #[error("{}:{line}: {why}", path.display())]
    Line {
        /// Which file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// There is nothing to report on.
    #[error("{}: no game is finished yet", .0.display())]
    NoGames(PathBuf),
}

/// The file of game records, as far as the journal speaks of it.
#[derive(Debug)]
pub struct Records {
    /// The file.
    pub path: PathBuf,
    text: String,
    /// Each game's bytes and first line, in the order of the journal.
    places: Vec<(Range<usize>, usize)>,
}

impl Records {
    /// The record of the journal's `index`th game, and the number of lines before it.
    pub fn of(&self, index: usize) -> (&str, usize) {
        let (bytes, lines) = &self.places[index];
        (&self.text[bytes.clone()], *lines)
    }
}

/// Everything a match has left behind.
#[derive(Debug)]
pub struct Run {
    /// Its settings.
    pub config: MatchConfig,
    /// Its finished games, in the order in which they ended; at least one.
    pub entries: Vec<Entry>,
    /// Their records, if records were kept.
    pub records: Option<Records>,
}

impl Run {
    /// Reads the directory of a match.
    ///
    /// # Errors
    /// A file that is missing or broken, or a match without a finished game.
    pub fn load(dir: &Path) -> Result<Run, ReportError> {
        let config = settings(dir)?;
        let (start, entries) = finished(&dir.join(journal::FILE), &config)?;
        if entries.is_empty() {
            return Err(ReportError::NoGames(dir.to_owned()));
        }
        let records = match &config.output.pgn {
            Some(name) => Some(records(dir, name, start, &entries)?),
            None => None,
        };
        Ok(Run {
            config,
            entries,
            records,
        })
    }
}

fn read(path: &Path) -> Result<String, ReportError> {
    let failed = |cause| ReportError::File {
        path: path.to_owned(),
        cause,
    };
    // Damaged text shows itself where it is parsed, with its line.
    let bytes = fs::read(path).map_err(failed)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn at(path: &Path, line: usize, why: impl ToString) -> ReportError {
    ReportError::Line {
        path: path.to_owned(),
        line,
        why: why.to_string(),
    }
}

fn settings(dir: &Path) -> Result<MatchConfig, ReportError> {
    let path = snapshot::path(dir);
    let text = read(&path)?;
    let config: MatchConfig =
        serde_json::from_str(&text).map_err(|e| at(&path, e.line().max(1), &e))?;
    config.validated().map_err(|e| at(&path, 1, e))
}

/// The bytes of records before the first game, and the games.
fn finished(path: &Path, config: &MatchConfig) -> Result<(u64, Vec<Entry>), ReportError> {
    let text = read(path)?;
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let mut lines = whole.lines().enumerate();
    let Some((_, first)) = lines.next() else {
        return Err(at(path, 1, "the journal has no header"));
    };
    let header = journal::Header::parse(first)
        .ok_or_else(|| at(path, 1, "not a journal of this version"))?;
    if header.engines.len() != config.engines.len() {
        return Err(at(path, 1, "other players than in the settings"));
    }
    let mut entries = Vec::new();
    let mut end = header.pgn_start;
    for (index, line) in lines {
        let fail = |why: &str| at(path, index + 1, why);
        let entry = journal::Line::parse(line).ok_or_else(|| fail(journal::NO_ENTRY))?;
        if let Some(why) = entry.fault(config.engines.len(), end) {
            return Err(fail(why));
        }
        end = entry.pgn_end;
        entries.push(entry);
    }
    Ok((header.pgn_start, entries))
}

fn records(dir: &Path, name: &Path, start: u64, entries: &[Entry]) -> Result<Records, ReportError> {
    let path = dir.join(name);
    let failed = |cause| ReportError::File {
        path: path.clone(),
        cause,
    };
    let bytes = fs::read(&path).map_err(failed)?;
    // What is behind the last finished game is being written, or was when the runner died.
    let wanted = entries.last().map_or(start, |entry| entry.pgn_end);
    let short = |line| at(&path, line, "the records end before the journal does");
    let wanted = usize::try_from(wanted).map_err(|_| short(1))?;
    let kept = bytes.get(..wanted).ok_or_else(|| {
        let lines = bytes.iter().filter(|&&b| b == b'\n').count();
        short(lines.max(1))
    })?;
    let text = std::str::from_utf8(kept).map_err(|e| {
        let before = kept[..e.valid_up_to()].iter().filter(|&&b| b == b'\n');
        at(&path, before.count() + 1, "not UTF-8")
    })?;
    let mut places = Vec::with_capacity(entries.len());
    let mut begin = start as usize;
    let mut lines = line_ends(text.get(..begin).unwrap_or_default());
    for entry in entries {
        let bytes = begin..entry.pgn_end as usize;
        let record = text
            .get(bytes.clone())
            .ok_or_else(|| at(&path, lines + 1, "a record that the journal cuts in two"))?;
        places.push((bytes.clone(), lines));
        lines += line_ends(record);
        begin = bytes.end;
    }
    Ok(Records {
        text: text.to_owned(),
        path,
        places,
    })
}

fn line_ends(text: &str) -> usize {
    text.bytes().filter(|&b| b == b'\n').count()
}
