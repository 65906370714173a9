//! Files of games: a header, then records that are only ever appended.
//!
//! A record is its length in two bytes, a game as [`GameRecord::to_bytes`] writes it, and the
//! CRC-32 of the game. What a killed process left half written is told apart by its length, and
//! cut off when the file is opened to be continued (`shard_writer.rs`).
//!
//! The header: eight bytes that name the format, the version (2), the game (1), the seed (8), the
//! soft node limit (4), the number of the shard (4), the length (2) and text of the generator's
//! name, and the CRC-32 of all that.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::datagen::opening;
use crate::datagen::record::{self, GameRecord};
use crate::datagen::selfplay::{self, Settings};
use crate::game::GameId;
use crate::named_file;

/// Every shard but the last of a seed holds this many games; few where the code is tested, so that
/// there are several.
pub const GAMES_PER_SHARD: u32 = if cfg!(test) { 4 } else { 8_192 };

const MAGIC: [u8; 8] = *b"TWOGAMES";
const VERSION: u16 = 1;
const EXTENSION: &str = "games";

/// What a shard says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The game.
    pub game: GameId,
    /// What its games depend on.
    pub settings: Settings,
    /// Its place among the shards of its seed, from 0.
    pub shard: u32,
    /// The program that made it, and what it played with.
    pub generator: String,
}

/// Why a shard cannot be used.
#[derive(Debug, Error)]
pub enum ShardError {
    /// The system says so.
    #[error("{}: {cause}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        cause: io::Error,
    },
    /// The file is not a shard, or not one of the right kind.
    #[error("{}: {reason}", path.display())]
    Unfit {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
}

impl ShardError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> ShardError + '_ {
        move |cause| ShardError::Io {
            path: path.to_owned(),
            cause,
        }
    }

    pub(super) fn unfit(path: &Path, reason: impl Into<String>) -> ShardError {
        ShardError::Unfit {
            path: path.to_owned(),
            reason: reason.into(),
        }
    }
}

impl Header {
    /// The name of the shard's file.
    pub fn file_name(&self) -> String {
        let Header { game, shard, .. } = self;
        format!("{game}-{:016x}-{shard:05}.{EXTENSION}", self.settings.seed)
    }

    /// The header of another shard of the same games.
    pub(super) fn with_shard(&self, shard: u32) -> Header {
        Header {
            shard,
            ..self.clone()
        }
    }

    /// The number of the shard that this file's name says it is, if it says these games.
    pub(super) fn shard_of(&self, path: &Path) -> Option<u32> {
        let (_, number) = path.file_stem()?.to_str()?.rsplit_once('-')?;
        let number = number.parse().ok()?;
        (path.file_name()? == self.with_shard(number).file_name().as_str()).then_some(number)
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let name = self.generator.as_bytes();
        let name = &name[..name.len().min(usize::from(u16::MAX))];
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(self.game as u8);
        bytes.extend(self.settings.seed.to_le_bytes());
        bytes.extend(self.settings.nodes.to_le_bytes());
        bytes.extend(self.shard.to_le_bytes());
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend(name);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The header at the front of these bytes, and its length; what is wrong, otherwise.
    fn from_bytes(bytes: &[u8]) -> Result<(Header, usize), &'static str> {
        const FIXED: usize = 29;
        const CUT: &str = "its header is cut short";
        let (fixed, rest) = bytes.split_at_checked(FIXED).ok_or(CUT)?;
        if fixed[..8] != MAGIC {
            return Err("no file of self-play games");
        }
        let number = |at: usize, length: usize| {
            let bytes = fixed[at..at + length].iter().rev();
            bytes.fold(0, |n: u64, byte| n << 8 | u64::from(*byte))
        };
        if number(8, 2) != u64::from(VERSION) {
            return Err("made by another version of the format");
        }
        let name_length = number(27, 2) as usize;
        let (name, rest) = rest.split_at_checked(name_length).ok_or(CUT)?;
        let end = FIXED + name_length;
        if rest.get(..4) != Some(&crc32fast::hash(&bytes[..end]).to_le_bytes()) {
            return Err("its header is damaged");
        }
        let game = GameId::ALL
            .into_iter()
            .find(|game| *game as u64 == number(10, 1));
        let header = Header {
            game: game.ok_or("of an unknown game")?,
            settings: Settings {
                seed: number(11, 8),
                nodes: number(19, 4) as u32,
            },
            shard: number(23, 4) as u32,
            generator: String::from_utf8_lossy(name).into_owned(),
        };
        Ok((header, end + 4))
    }
}

/// The length of a record on disk before and after its game.
pub(super) const LENGTH_BYTES: usize = 2;
const CHECKSUM_BYTES: usize = 4;
/// No game has more bytes.
pub(super) const LARGEST: usize =
    record::size(u8::MAX as usize, opening::MOST_PLIES, selfplay::LONGEST);

pub(super) fn frame(game: &GameRecord) -> Vec<u8> {
    let payload = game.to_bytes();
    debug_assert!(payload.len() <= LARGEST, "a game this long");
    let mut bytes = Vec::with_capacity(payload.len() + LENGTH_BYTES + CHECKSUM_BYTES);
    bytes.extend((payload.len() as u16).to_le_bytes());
    bytes.extend(&payload);
    bytes.extend(crc32fast::hash(&payload).to_le_bytes());
    bytes
}

/// The record at the front, and its length; nothing if it is damaged or cut.
fn unframe(bytes: &[u8]) -> Option<(GameRecord, usize)> {
    let (length, rest) = bytes.split_first_chunk::<LENGTH_BYTES>()?;
    let (payload, rest) = rest.split_at_checked(usize::from(u16::from_le_bytes(*length)))?;
    let checksum = rest.first_chunk::<CHECKSUM_BYTES>()?;
    if *checksum != crc32fast::hash(payload).to_le_bytes() {
        return None;
    }
    let game = GameRecord::from_bytes(payload).ok()?;
    Some((game, LENGTH_BYTES + payload.len() + CHECKSUM_BYTES))
}

/// Is this what is left of a record that was not written to its end? Bytes that never reached the
/// disk may be missing or read as zero. A whole record with a wrong checksum is something else, and
/// so is a length that cannot be the game's: there may be sound records behind it.
fn is_torn(rest: &[u8]) -> bool {
    let written = rest.iter().rposition(|byte| *byte != 0);
    let written = &rest[..written.map_or(0, |last| last + 1)];
    let Some((length, game)) = written.split_first_chunk::<LENGTH_BYTES>() else {
        return true;
    };
    let length = usize::from(u16::from_le_bytes(*length));
    let is_whole = rest.len() >= LENGTH_BYTES + length + CHECKSUM_BYTES;
    let announced = record::announced_size(game);
    !is_whole && length <= LARGEST && announced.is_none_or(|size| size == length)
}

/// A shard, read.
pub struct Shard {
    /// What it says of itself.
    pub header: Header,
    /// Its games, up to the first damage.
    pub games: Vec<GameRecord>,
    /// Bytes that are sound.
    pub sound: u64,
    /// Bytes after these: half a record, or damage.
    pub damaged: u64,
    /// They are no more than a record that was not written to its end.
    pub torn: bool,
}

impl Shard {
    /// Reads a shard.
    ///
    /// # Errors
    /// When the file cannot be read, or is no shard.
    pub fn read(path: &Path) -> Result<Shard, ShardError> {
        let bytes = named_file::read(path, u64::MAX).map_err(ShardError::io(path))?;
        Shard::from_bytes(&bytes).map_err(|reason| ShardError::unfit(path, reason))
    }

    /// The shard in these bytes; what is wrong with its header, otherwise.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Shard, &'static str> {
        let (header, mut at) = Header::from_bytes(bytes)?;
        let mut games = Vec::new();
        while let Some((game, length)) = unframe(&bytes[at..]) {
            games.push(game);
            at += length;
        }
        Ok(Shard {
            header,
            games,
            sound: at as u64,
            damaged: (bytes.len() - at) as u64,
            torn: is_torn(&bytes[at..]),
        })
    }
}

/// The shards of a folder, in order of their names. A file without a byte, as a process killed in
/// its first moment leaves it, is none yet.
///
/// # Errors
/// When the folder cannot be read.
pub fn shards_in(folder: &Path) -> Result<Vec<PathBuf>, ShardError> {
    let is_empty =
        |path: &PathBuf| fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() == 0);
    let mut paths = shard_files_in(folder)?;
    paths.retain(|path| !is_empty(path));
    Ok(paths)
}

/// Whatever has the name of a shard in a folder, in order of the names.
pub(super) fn shard_files_in(folder: &Path) -> Result<Vec<PathBuf>, ShardError> {
    let entries = fs::read_dir(folder).map_err(ShardError::io(folder))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry.map_err(ShardError::io(folder))?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == EXTENSION)
        {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::datagen::ShardWriter;
    use crate::datagen::record::tests::game;

    /// The header of a shard of chess.
    pub fn header() -> Header {
        Header {
            game: GameId::Chess,
            settings: Settings {
                seed: 0xABCD,
                nodes: 2000,
            },
            shard: 0,
            generator: "test".to_owned(),
        }
    }

    /// An empty folder for a test.
    pub fn folder(name: &str) -> PathBuf {
        let path =
            std::env::temp_dir().join(format!("twofold-shard-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    /// The first games of the shard.
    pub fn three_games() -> [GameRecord; 3] {
        [0, 1, 2].map(|n| game(n, None, &["f2f3", "e7e5", "g2g4", "d8h4"]))
    }

    /// A shard of these games in the folder.
    pub fn write_three(folder: &Path) -> PathBuf {
        let mut writer = ShardWriter::open(folder, &header(), |_| {}).unwrap();
        for game in &three_games() {
            writer.append(game).unwrap();
        }
        folder.join(header().file_name())
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = folder("read");
        let path = write_three(&folder);
        let shard = Shard::read(&path).unwrap();
        assert_eq!((shard.header, shard.damaged), (header(), 0));
        assert_eq!(shard.games, three_games());
        assert_eq!(shards_in(&folder).unwrap(), [path]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_changed_byte_is_detected() {
        let folder = folder("changed");
        let path = write_three(&folder);
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut changed = whole.clone();
            changed[at] ^= 0x10;
            fs::write(&path, &changed).unwrap();
            let found = Shard::read(&path).map(|shard| shard.games.len());
            assert!(found.is_err() || found.is_ok_and(|games| games < 3), "{at}");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
