//! Files of games: a header, then records that are only ever appended.
//!
//! A record is its length in two bytes, a game as [`GameRecord::to_bytes`] writes it, and the
//! CRC-32 of the game. Whatever a killed process left half written fails its checksum, is told
//! apart by that, and is cut off when the file is opened to be continued.
//!
//! The header: eight bytes that name the format, the version (2), the game (1), the seed (8), the
//! soft node limit (4), the number of the shard (4), the length (2) and text of the generator's
//! name, and the CRC-32 of all that.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::datagen::record::GameRecord;
use crate::datagen::selfplay::Settings;
use crate::game::GameId;

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
    fn io(path: &Path) -> impl FnOnce(io::Error) -> ShardError + '_ {
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

    fn to_bytes(&self) -> Vec<u8> {
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
const LENGTH_BYTES: usize = 2;
const CHECKSUM_BYTES: usize = 4;

fn frame(game: &GameRecord) -> Vec<u8> {
    let payload = game.to_bytes();
    debug_assert!(payload.len() <= usize::from(u16::MAX), "a game this long");
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
/// disk may be missing or read as zero. A whole record with a wrong checksum is something else:
/// there may be sound ones behind it.
fn is_torn(rest: &[u8]) -> bool {
    let whole = rest
        .split_first_chunk::<LENGTH_BYTES>()
        .is_some_and(|(length, rest)| {
            rest.len() >= usize::from(u16::from_le_bytes(*length)) + CHECKSUM_BYTES
        });
    !whole || rest.iter().all(|byte| *byte == 0)
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
        let bytes = fs::read(path).map_err(ShardError::io(path))?;
        let (header, mut at) =
            Header::from_bytes(&bytes).map_err(|reason| ShardError::unfit(path, reason))?;
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

/// The shards of a folder, in order of their names.
///
/// # Errors
/// When the folder cannot be read.
pub fn shards_in(folder: &Path) -> Result<Vec<PathBuf>, ShardError> {
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

/// A shard open to be continued.
pub struct ShardWriter {
    path: PathBuf,
    file: File,
    length: u64,
    games: u32,
}

impl ShardWriter {
    /// Begins the shard, or opens it to be continued if it is there, with a torn end cut off.
    /// `heard` is told of the games that it holds.
    ///
    /// # Errors
    /// When the file cannot be read or written, is another shard than this, or is damaged before
    /// its end.
    pub fn open(
        folder: &Path,
        header: &Header,
        mut heard: impl FnMut(&GameRecord),
    ) -> Result<ShardWriter, ShardError> {
        let path = folder.join(header.file_name());
        // A process killed in its first moment leaves a file without a whole header.
        let begun = fs::metadata(&path).is_ok_and(|data| data.len() > 0);
        let headless =
            begun && fs::read(&path).is_ok_and(|bytes| header.to_bytes().starts_with(&bytes));
        if !begun || headless {
            return ShardWriter::create(path, header);
        }
        let shard = Shard::read(&path)?;
        check(&path, &shard, header)?;
        shard.games.iter().for_each(&mut heard);
        let file = OpenOptions::new().append(true).open(&path);
        let file = file.map_err(ShardError::io(&path))?;
        if shard.damaged > 0 {
            if !shard.torn {
                let reason = format!(
                    "it is damaged {} bytes from its beginning, and goes on after that: move it away",
                    shard.sound
                );
                return Err(ShardError::unfit(&path, reason));
            }
            file.set_len(shard.sound).map_err(ShardError::io(&path))?;
        }
        Ok(ShardWriter {
            path,
            file,
            length: shard.sound,
            games: shard.games.len() as u32,
        })
    }

    fn create(path: PathBuf, header: &Header) -> Result<ShardWriter, ShardError> {
        let bytes = header.to_bytes();
        fs::write(&path, &bytes).map_err(ShardError::io(&path))?;
        let file = OpenOptions::new().append(true).open(&path);
        let file = file.map_err(ShardError::io(&path))?;
        Ok(ShardWriter {
            path,
            file,
            length: bytes.len() as u64,
            games: 0,
        })
    }

    /// How many games it holds.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Appends a game.
    ///
    /// # Errors
    /// When the file cannot be written, or somebody else has written to it.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), ShardError> {
        let data = self.file.metadata().map_err(ShardError::io(&self.path))?;
        if data.len() != self.length {
            return Err(ShardError::unfit(
                &self.path,
                "another process writes to it",
            ));
        }
        let bytes = frame(game);
        let written = self.file.write_all(&bytes);
        written.map_err(ShardError::io(&self.path))?;
        self.length += bytes.len() as u64;
        self.games += 1;
        Ok(())
    }
}

/// Is what was found on disk the beginning of the shard that is to be written?
fn check(path: &Path, found: &Shard, wanted: &Header) -> Result<(), ShardError> {
    let same = found.header.game == wanted.game
        && found.header.settings == wanted.settings
        && found.header.shard == wanted.shard;
    let Header {
        game, generator, ..
    } = &found.header;
    if !same {
        let Settings { seed, nodes } = found.header.settings;
        let reason = format!("it holds games of {game} with seed {seed} and {nodes} nodes");
        return Err(ShardError::unfit(path, reason));
    }
    if *generator != wanted.generator {
        let reason = format!(
            "its games were made by '{generator}', not by '{}': give another seed or folder",
            wanted.generator
        );
        return Err(ShardError::unfit(path, reason));
    }
    let first = wanted.shard * GAMES_PER_SHARD;
    let in_order = found.games.iter().zip(first..);
    if in_order.clone().any(|(game, number)| game.number != number) {
        return Err(ShardError::unfit(path, "its games are not in order"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagen::record::tests::game;

    fn header() -> Header {
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

    fn folder(name: &str) -> PathBuf {
        let path =
            std::env::temp_dir().join(format!("twofold-shard-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    fn three_games() -> [GameRecord; 3] {
        [0, 1, 2].map(|n| game(n, None, &["f2f3", "e7e5", "g2g4", "d8h4"]))
    }

    fn write_three(folder: &Path) -> PathBuf {
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
    fn a_torn_end_is_cut_wherever_it_is_torn() {
        let folder = folder("torn");
        let path = write_three(&folder);
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let mut writer = ShardWriter::open(&folder, &header(), |_| {}).unwrap();
            for game in &three_games()[writer.games() as usize..] {
                writer.append(game).unwrap();
            }
            assert_eq!(fs::read(&path).unwrap(), whole, "torn at {length}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn an_end_that_reads_as_zero_is_cut_but_damage_before_sound_games_is_not() {
        let folder = folder("zero");
        let path = write_three(&folder);
        let whole = fs::read(&path).unwrap();
        let mut zeroed = whole.clone();
        zeroed.extend([0; 40]);
        fs::write(&path, &zeroed).unwrap();
        assert_eq!(
            ShardWriter::open(&folder, &header(), |_| {})
                .unwrap()
                .games(),
            3
        );
        assert_eq!(fs::read(&path).unwrap(), whole);
        let second = header().to_bytes().len() + frame(&three_games()[0]).len();
        let mut damaged = whole.clone();
        damaged[second + LENGTH_BYTES + 5] ^= 1;
        fs::write(&path, &damaged).unwrap();
        let refused = ShardWriter::open(&folder, &header(), |_| {}).err().unwrap();
        assert!(
            refused.to_string().contains(&second.to_string()),
            "{refused}"
        );
        assert_eq!(fs::read(&path).unwrap(), damaged, "nothing is lost");
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

    #[test]
    fn other_settings_are_refused() {
        let folder = folder("settings");
        write_three(&folder);
        let mut other = header();
        other.settings.nodes = 1;
        let refused = ShardWriter::open(&folder, &other, |_| {}).err().unwrap();
        assert!(refused.to_string().contains("2000 nodes"), "{refused}");
        let other = Header {
            generator: "another network".to_owned(),
            ..header()
        };
        let refused = ShardWriter::open(&folder, &other, |_| {}).err().unwrap();
        assert!(refused.to_string().contains("made by 'test'"), "{refused}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn two_writers_notice_each_other() {
        let folder = folder("two");
        write_three(&folder);
        let open = || ShardWriter::open(&folder, &header(), |_| {}).unwrap();
        let (mut one, mut two) = (open(), open());
        let next = game(3, None, &["f2f3", "e7e5", "g2g4", "d8h4"]);
        one.append(&next).unwrap();
        assert!(two.append(&next).is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
