//! The journal of a match: its only truth, from which everything else is computed again.
//!
//! One JSON line for each finished game is appended and forced to disk after the game's record has
//! been written. A match that was killed at any moment resumes from what the journal says: a torn
//! last line is dropped, records that no journal line speaks of are cut off, so that the number of
//! records and of results agree, and no game is lost or counted twice. Any other damage, to the
//! journal or to the records that it speaks of, was not done by a runner that was killed, and is
//! refused.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::arena::folder::{self, FolderLock};
use crate::arena::outcome::{Termination, points_of};
use crate::whole_file::write_whole;

/// Version of the format.
const VERSION: u32 = 1;

/// How every header begins.
const HEAD: &str = "{\"v\":";

/// What is said of a line that is no entry.
pub const NO_ENTRY: &str = "not a journal entry, or one whose checksum is wrong";

/// The journal's name in the match's directory.
pub const FILE: &str = "journal.jsonl";

/// How often a game that cannot be written is tried, and the pause between.
const WRITE_TRIES: u32 = 5;
const WRITE_PAUSE: Duration = Duration::from_secs(1);

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// A file cannot be read or written.
    #[error("{path}: {cause}")]
    File {
        /// Which file.
        path: String,
        /// The system's reason.
        cause: io::Error,
    },
    /// The match has been played, in part at least, and it was not said what to do about it.
    #[error("{0} holds {1} finished games: --resume goes on, --discard starts anew")]
    Exists(String, usize),
    /// The match was another one.
    #[error("{0}: the match has changed since ({1}); --force resumes all the same")]
    Changed(String, String),
    /// Not a journal.
    #[error("{0} is not a journal of this version")]
    Foreign(String),
    /// A line that was written whole and is not what was written: file, line from 1, and why.
    #[error("{0}:{1}: {2}")]
    Damaged(String, usize, &'static str),
    /// The file of records is not the one that the journal speaks of.
    #[error(
        "{0} lacks records that the journal speaks of: put them back, or --discard starts anew"
    )]
    Records(String),
    /// A device, a pipe or a directory.
    #[error("{0} is not a regular file")]
    Special(String),
    /// Another runner is at work.
    #[error("{0}: another runner plays this match; --stop ends it after its running games")]
    Locked(String),
}

impl JournalError {
    /// Is it what was asked for that cannot be done, and not the system that failed?
    pub fn is_refusal(&self) -> bool {
        !matches!(self, JournalError::File { .. })
    }
}

/// What must not change between the parts of a resumed match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Name and checksum of each part: settings, openings, each engine's program.
    pub parts: Vec<(String, u32)>,
}

impl Fingerprint {
    fn difference(&self, other: &Fingerprint) -> Option<String> {
        let differs =
            |(name, sum): &&(String, u32)| !other.parts.iter().any(|(n, s)| n == name && s == sum);
        let name = self
            .parts
            .iter()
            .find(differs)
            .map(|(name, _)| name.clone());
        name.or_else(|| (self.parts.len() != other.parts.len()).then(|| "players".to_owned()))
    }
}

/// The first line of a journal.
#[derive(Debug, Serialize, Deserialize)]
pub struct Header {
    v: u32,
    /// The match's name.
    pub name: String,
    /// Names of the engines.
    pub engines: Vec<String>,
    fingerprint: Fingerprint,
    /// Length of the records' file before the first game: it may hold other matches' games.
    pub pgn_start: u64,
}

impl Header {
    /// Reads a header of this version.
    pub fn parse(text: &str) -> Option<Header> {
        let header: Header = serde_json::from_str(text).ok()?;
        (header.v == VERSION).then_some(header)
    }

    /// The line of a match whose records begin behind so many bytes.
    fn line(identity: &Identity, pgn_start: u64) -> serde_json::Result<String> {
        serde_json::to_string(&Header {
            v: VERSION,
            name: identity.name.clone(),
            engines: identity.engines.clone(),
            fingerprint: identity.fingerprint.clone(),
            pgn_start,
        })
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    /// The game's number.
    pub game: u64,
    /// Its pair.
    pub pair: u64,
    /// Its round.
    pub round: u64,
    /// Index of the engine that opened.
    pub first: usize,
    /// Index of the other one.
    pub second: usize,
    /// Number of the opening.
    pub opening: usize,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// The class of the ending.
    pub termination: Termination,
    /// The ending in words.
    pub reason: String,
    /// Plies, those of the opening included.
    pub plies: usize,
    /// Time the sides used, in milliseconds.
    pub used_ms: [u64; 2],
    /// When it ended, in milliseconds since 1970.
    pub ended_ms: u64,
    /// Length of the records' file with this game in it.
    pub pgn_end: u64,
}

impl Entry {
    /// What keeps this from being a game of a match with so many players, whose records so far
    /// end at this byte.
    pub fn fault(&self, players: usize, records_end: u64) -> Option<&'static str> {
        if self.first.max(self.second) >= players || self.first == self.second {
            Some("players that the match does not have")
        } else if points_of(&self.result).is_none() {
            Some("an unknown result")
        } else if self.pgn_end < records_end {
            Some("records out of order")
        } else {
            None
        }
    }
}

/// Any other line of a journal: a finished game with a checksum.
#[derive(Serialize, Deserialize)]
pub struct Line {
    crc: u32,
    #[serde(flatten)]
    entry: Entry,
}

impl Line {
    fn new(entry: &Entry) -> serde_json::Result<Line> {
        let text = serde_json::to_string(entry)?;
        Ok(Line {
            crc: crc32fast::hash(text.as_bytes()),
            entry: entry.clone(),
        })
    }

    /// Reads a line whose checksum is right.
    pub fn parse(text: &str) -> Option<Entry> {
        let line: Line = serde_json::from_str(text).ok()?;
        let again = Line::new(&line.entry).ok()?;
        (again.crc == line.crc).then_some(line.entry)
    }
}

/// What to do with a journal that is there already.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Existing {
    /// Refuse.
    #[default]
    Refuse,
    /// Go on with an unchanged match.
    Resume,
    /// Go on, changed or not.
    Force,
    /// Start anew; the old files in the match's own directory get the ending `.old`.
    Discard,
}

/// An open journal and the file of records that goes with it.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// Bytes of the journal.
    bytes: u64,
    pgn_path: Option<PathBuf>,
    pgn: Option<File>,
    pgn_end: u64,
    _lock: FolderLock,
}

/// Which match a journal is of.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The match's directory, made if it is not there.
    pub dir: PathBuf,
    /// The match's name.
    pub name: String,
    /// Names of the engines.
    pub engines: Vec<String>,
    /// What must not change.
    pub fingerprint: Fingerprint,
    /// The file of records.
    pub pgn: Option<PathBuf>,
}

impl Journal {
    /// Opens the journal of a match; the games already finished come with it.
    ///
    /// # Errors
    /// Files that cannot be used, a journal that is there against expectation, or one of another
    /// match.
    pub fn open(
        identity: &Identity,
        existing: Existing,
    ) -> Result<(Journal, Vec<Entry>), JournalError> {
        let path = identity.dir.join(FILE);
        fs::create_dir_all(&identity.dir).map_err(|cause| failed(&identity.dir, cause))?;
        let lock = lock(&identity.dir)?;
        let files = || [Some(&path), identity.pgn.as_ref()].into_iter().flatten();
        if let Some(special) = files().find(|path| folder::is_special(path)) {
            return Err(JournalError::Special(special.display().to_string()));
        }
        if existing == Existing::Discard {
            for path in files() {
                folder::set_aside(&identity.dir, path).map_err(|cause| failed(path, cause))?;
            }
        }
        let found = match File::open(&path) {
            Ok(file) => read(&path, file, identity, existing)?,
            Err(e) if e.kind() == io::ErrorKind::NotFound => None,
            Err(cause) => return Err(failed(&path, cause)),
        };
        if let (Existing::Refuse, Some(found)) = (existing, &found)
            && !found.entries.is_empty()
        {
            let count = found.entries.len();
            return Err(JournalError::Exists(path.display().to_string(), count));
        }
        let (there, found) = match &identity.pgn {
            Some(pgn) => match_records(pgn, found)?,
            None => (0, found),
        };
        let is_new = found.is_none();
        let mut found = found.unwrap_or_else(|| Found::nothing(there));
        if found.is_changed {
            found.replace_header(&path, identity)?;
        }
        let mut journal = Journal {
            file: open_at(&path, found.bytes)?,
            bytes: found.bytes,
            path,
            pgn: None,
            pgn_path: identity.pgn.clone(),
            pgn_end: found.pgn_end,
            _lock: lock,
        };
        if is_new {
            let header = Header::line(identity, there);
            let header = header.map_err(|e| failed(&journal.path, e.into()))?;
            journal.append(&header)?;
        }
        journal.open_pgn(there)?;
        Ok((journal, found.entries))
    }

    /// Cuts the records, now `there` bytes, back to the last game of the journal.
    fn open_pgn(&mut self, there: u64) -> Result<(), JournalError> {
        let Some(path) = &self.pgn_path else {
            return Ok(());
        };
        if there > self.pgn_end {
            let backup = folder::free_name(path, ".bak");
            fs::copy(path, &backup).map_err(|cause| failed(&backup, cause))?;
        }
        self.pgn = Some(open_at(path, self.pgn_end)?);
        Ok(())
    }

    fn append(&mut self, text: &str) -> Result<(), JournalError> {
        let line = format!("{text}\n");
        self.file
            .write_all(line.as_bytes())
            .and_then(|()| self.file.sync_data())
            .map_err(|cause| failed(&self.path, cause))?;
        self.bytes += line.len() as u64;
        Ok(())
    }

    /// Writes the record of a game that was broken off. The journal does not know of it, so it
    /// must come after all others: it is cut off when the match goes on and plays the game.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn add_unfinished(&mut self, pgn: &str) -> Result<(), JournalError> {
        self.write_record(pgn)
    }

    fn write_record(&mut self, pgn: &str) -> Result<(), JournalError> {
        if let (Some(file), Some(path)) = (&mut self.pgn, &self.pgn_path) {
            file.write_all(pgn.as_bytes())
                .and_then(|()| file.sync_data())
                .map_err(|cause| failed(path, cause))?;
            self.pgn_end += pgn.len() as u64;
        }
        Ok(())
    }

    /// Writes a game's record, then its line; sets [`Entry::pgn_end`]. What cannot be written, for
    /// want of room most often, is tried again for some seconds.
    ///
    /// # Errors
    /// A file that cannot be written; both files are as they were before.
    pub fn add(&mut self, entry: &Entry, pgn: &str) -> Result<Entry, JournalError> {
        let (records, bytes) = (self.pgn_end, self.bytes);
        let mut tries = 1;
        loop {
            let failure = match self.try_add(entry.clone(), pgn) {
                Ok(entry) => return Ok(entry),
                Err(failure) => failure,
            };
            self.take_back(records, bytes)?;
            if tries == WRITE_TRIES {
                return Err(failure);
            }
            tries += 1;
            thread::sleep(WRITE_PAUSE);
        }
    }

    /// Cuts both files off behind so many bytes, where a write may have ended halfway.
    fn take_back(&mut self, records: u64, bytes: u64) -> Result<(), JournalError> {
        let cut = |file: &mut File, length| {
            file.set_len(length)?;
            file.seek(SeekFrom::End(0)).map(drop)
        };
        if let (Some(file), Some(path)) = (&mut self.pgn, &self.pgn_path) {
            cut(file, records).map_err(|cause| failed(path, cause))?;
        }
        cut(&mut self.file, bytes).map_err(|cause| failed(&self.path, cause))?;
        (self.pgn_end, self.bytes) = (records, bytes);
        Ok(())
    }

    fn try_add(&mut self, mut entry: Entry, pgn: &str) -> Result<Entry, JournalError> {
        self.write_record(pgn)?;
        entry.pgn_end = self.pgn_end;
        let line = Line::new(&entry).and_then(|line| serde_json::to_string(&line));
        let text = line.map_err(|e| failed(&self.path, e.into()))?;
        self.append(&text)?;
        Ok(entry)
    }
}

fn failed(path: &Path, cause: io::Error) -> JournalError {
    JournalError::File {
        path: path.display().to_string(),
        cause,
    }
}

fn lock(dir: &Path) -> Result<FolderLock, JournalError> {
    let lock = FolderLock::take(dir).map_err(|cause| failed(dir, cause))?;
    lock.ok_or_else(|| JournalError::Locked(dir.display().to_string()))
}

/// Opens for writing behind the first `bytes` bytes, and cuts off the rest.
fn open_at(path: &Path, bytes: u64) -> Result<File, JournalError> {
    let open = || -> io::Result<File> {
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)?;
        file.set_len(bytes)?;
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    };
    open().map_err(|cause| failed(path, cause))
}

/// What was read of a journal.
struct Found {
    entries: Vec<Entry>,
    /// Bytes of the header.
    header: u64,
    /// Bytes of the header and the entries.
    bytes: u64,
    /// Bytes of other matches' records.
    pgn_start: u64,
    /// Bytes of the records, those that belong to the entries included.
    pgn_end: u64,
    /// Is it of a match with other settings?
    is_changed: bool,
}

impl Found {
    /// A match that begins behind so many bytes of records.
    fn nothing(records: u64) -> Found {
        Found {
            entries: Vec::new(),
            header: 0,
            bytes: 0,
            pgn_start: records,
            pgn_end: records,
            is_changed: false,
        }
    }

    /// Makes the journal one of the match as it is now, so that it can go on as that.
    fn replace_header(&mut self, path: &Path, identity: &Identity) -> Result<(), JournalError> {
        let replace = || -> io::Result<u64> {
            let whole = fs::read(path)?;
            let entries = whole.get(self.header as usize..self.bytes as usize);
            let header = Header::line(identity, self.pgn_start)? + "\n";
            let all = [header.as_bytes(), entries.unwrap_or_default()].concat();
            write_whole(path, &all)?;
            Ok(header.len() as u64)
        };
        let header = replace().map_err(|cause| failed(path, cause))?;
        self.bytes = self.bytes - self.header + header;
        self.header = header;
        Ok(())
    }
}

/// Reads a journal; `None` if it is to be begun anew. Only a last line without its end was torn.
fn read(
    path: &Path,
    file: File,
    identity: &Identity,
    existing: Existing,
) -> Result<Option<Found>, JournalError> {
    let name = || path.display().to_string();
    let mut reader = BufReader::new(file);
    let mut next = || next_line(&mut reader).map_err(|cause| failed(path, cause));
    let (first, is_whole) = next()?;
    if !is_whole && (first.starts_with(HEAD) || HEAD.starts_with(&first)) {
        return Ok(None);
    }
    let header = Header::parse(&first).ok_or_else(|| JournalError::Foreign(name()))?;
    let difference = header.fingerprint.difference(&identity.fingerprint);
    if let (Existing::Resume, Some(part)) = (existing, &difference) {
        return Err(JournalError::Changed(name(), part.clone()));
    }
    let mut found = Found {
        header: first.len() as u64 + 1,
        bytes: first.len() as u64 + 1,
        is_changed: difference.is_some(),
        ..Found::nothing(header.pgn_start)
    };
    loop {
        let (text, is_whole) = next()?;
        if !is_whole {
            break;
        }
        let damaged = |why| JournalError::Damaged(name(), found.entries.len() + 2, why);
        let entry = Line::parse(&text).ok_or_else(|| damaged(NO_ENTRY))?;
        if let Some(why) = entry.fault(identity.engines.len(), found.pgn_end) {
            return Err(damaged(why));
        }
        found.bytes += text.len() as u64 + 1;
        found.pgn_end = entry.pgn_end;
        found.entries.push(entry);
    }
    // Where nothing was played, it may well be another match now.
    let is_kept = existing != Existing::Refuse || !found.is_changed || !found.entries.is_empty();
    Ok(is_kept.then_some(found))
}

/// The next line, and whether it has its end.
fn next_line(reader: &mut impl BufRead) -> io::Result<(String, bool)> {
    let mut line = Vec::new();
    reader.read_until(b'\n', &mut line)?;
    let is_whole = line.last() == Some(&b'\n');
    line.truncate(line.len() - usize::from(is_whole));
    Ok((String::from_utf8_lossy(&line).into_owned(), is_whole))
}

/// The length of the file of records, and the journal that goes with it. The last record that the
/// journal speaks of must be there to its end: no other may be written into the middle of it.
fn match_records(path: &Path, found: Option<Found>) -> Result<(u64, Option<Found>), JournalError> {
    let there = fs::metadata(path).map_or(0, |m| m.len());
    let Some(found) = found else {
        return Ok((there, None));
    };
    if found.entries.is_empty() && there < found.pgn_end {
        return Ok((there, None));
    }
    let has_records = found.pgn_end > found.pgn_start;
    let is_short = there < found.pgn_end;
    if is_short || has_records && !is_end_of_record(path, found.pgn_end)? {
        return Err(JournalError::Records(path.display().to_string()));
    }
    Ok((there, Some(found)))
}

/// Is there the end of a line before this byte, as behind every record?
fn is_end_of_record(path: &Path, end: u64) -> Result<bool, JournalError> {
    let last = || -> io::Result<[u8; 1]> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(end.saturating_sub(1)))?;
        let mut last = [0];
        file.read_exact(&mut last)?;
        Ok(last)
    };
    let last = last().map_err(|cause| failed(path, cause))?;
    Ok(last == *b"\n")
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
