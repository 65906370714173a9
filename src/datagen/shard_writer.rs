//! A shard open to be continued, by one process at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use crate::datagen::record::GameRecord;
use crate::datagen::shard::{GAMES_PER_SHARD, Header, Shard, ShardError, frame};
use crate::named_file;

/// A shard open to be continued, locked for as long.
pub struct ShardWriter {
    path: PathBuf,
    file: File,
    length: u64,
    games: u32,
    cut: u64,
}

impl ShardWriter {
    /// Begins the shard, or opens it to be continued if it is there, with a torn end cut off.
    /// `heard` is told of the games that it holds.
    ///
    /// # Errors
    /// When the file cannot be read or written, is another shard than this, is damaged before
    /// its end, or is being written by another process.
    pub fn open(
        folder: &Path,
        header: &Header,
        heard: impl FnMut(&GameRecord),
    ) -> Result<ShardWriter, ShardError> {
        let path = folder.join(header.file_name());
        if path.exists() {
            // To open a pipe for writing would wait for a reader.
            named_file::open(&path).map_err(ShardError::io(&path))?;
        }
        let mut options = OpenOptions::new();
        let mut file = open_alone(&path, options.read(true).append(true).create(true))?;
        let mut bytes = Vec::new();
        let read = file.read_to_end(&mut bytes);
        read.map_err(ShardError::io(&path))?;
        let start = header.to_bytes();
        // A process killed in its first moment leaves a file without a whole header.
        if bytes.len() < start.len() && start.starts_with(&bytes) {
            return ShardWriter::begin(path, file, header, bytes.len() as u64);
        }
        let shard = Shard::from_bytes(&bytes);
        let shard = shard.map_err(|reason| ShardError::unfit(&path, reason))?;
        ShardWriter::go_on(path, file, header, &shard, heard)
    }

    /// Begins the shard, which must not be there.
    ///
    /// # Errors
    /// When the file is there, or cannot be written.
    pub fn create(folder: &Path, header: &Header) -> Result<ShardWriter, ShardError> {
        let path = folder.join(header.file_name());
        let file = open_alone(&path, OpenOptions::new().append(true).create_new(true))?;
        ShardWriter::begin(path, file, header, 0)
    }

    /// Writes the header, in place of the `cut` bytes that are there of it.
    fn begin(
        path: PathBuf,
        mut file: File,
        header: &Header,
        cut: u64,
    ) -> Result<ShardWriter, ShardError> {
        let bytes = header.to_bytes();
        let written = file.set_len(0).and_then(|()| file.write_all(&bytes));
        written.map_err(ShardError::io(&path))?;
        Ok(ShardWriter {
            path,
            file,
            length: bytes.len() as u64,
            games: 0,
            cut,
        })
    }

    /// Continues what was found in the file.
    fn go_on(
        path: PathBuf,
        file: File,
        header: &Header,
        shard: &Shard,
        heard: impl FnMut(&GameRecord),
    ) -> Result<ShardWriter, ShardError> {
        check(&path, shard, header)?;
        if shard.damaged > 0 {
            if !shard.torn {
                let reason = format!(
                    "it is damaged {} bytes from its beginning, {} before its end: move it away",
                    shard.sound, shard.damaged
                );
                return Err(ShardError::unfit(&path, reason));
            }
            file.set_len(shard.sound).map_err(ShardError::io(&path))?;
        }
        shard.games.iter().for_each(heard);
        Ok(ShardWriter {
            path,
            file,
            length: shard.sound,
            games: shard.games.len() as u32,
            cut: shard.damaged,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many games it holds.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Bytes of a torn end that were cut off when it was opened.
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// Appends a game.
    ///
    /// # Errors
    /// When the file cannot be written, or somebody else has written to it.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), ShardError> {
        let data = self.file.metadata().map_err(ShardError::io(&self.path))?;
        if data.len() != self.length {
            return Err(written_by_another(&self.path));
        }
        let bytes = frame(game);
        let written = self.file.write_all(&bytes);
        written.map_err(ShardError::io(&self.path))?;
        self.length += bytes.len() as u64;
        self.games += 1;
        Ok(())
    }
}

fn written_by_another(path: &Path) -> ShardError {
    ShardError::unfit(path, "another process writes to it")
}

/// Opens a file that no other process writes to. The system forgets the lock with the process,
/// however that ends. Where the file system knows no locks, [`ShardWriter::append`] still sees
/// what others write.
fn open_alone(path: &Path, options: &OpenOptions) -> Result<File, ShardError> {
    let file = options.open(path).map_err(ShardError::io(path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(written_by_another(path)),
        Err(TryLockError::Error(cause)) if cause.kind() == ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(cause)) => Err(ShardError::io(path)(cause)),
    }
}

/// Is what was found on disk the shard that is wanted, or its beginning?
pub(super) fn check(path: &Path, found: &Shard, wanted: &Header) -> Result<(), ShardError> {
    let (it_is, expected) = (describe(&found.header), describe(wanted));
    if it_is != expected {
        let reason = format!("it is {it_is}, expected {expected}");
        return Err(ShardError::unfit(path, reason));
    }
    let generator = &found.header.generator;
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

/// Which shard of which games, whoever made them.
fn describe(header: &Header) -> String {
    let Header {
        game,
        settings,
        shard,
        ..
    } = header;
    let (seed, nodes) = (settings.seed, settings.nodes);
    format!("shard {shard} of the games of {game} with seed {seed} and {nodes} nodes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagen::record::tests::game;
    use crate::datagen::shard::tests::{folder, header, three_games, write_three};
    use crate::datagen::shard::{LARGEST, LENGTH_BYTES};
    use std::fs;

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
        let told = format!(
            "damaged {second} bytes from its beginning, {} before its end",
            whole.len() - second
        );
        assert!(refused.to_string().contains(&told), "{refused}");
        assert_eq!(fs::read(&path).unwrap(), damaged, "nothing is lost");
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
    fn a_shard_has_one_writer_at_a_time() {
        let folder = folder("two");
        let path = write_three(&folder);
        let open = || ShardWriter::open(&folder, &header(), |_| {});
        let refused_by = |error: ShardError| {
            assert!(error.to_string().contains("another process"), "{error}");
        };
        let mut one = open().unwrap();
        open().err().map(refused_by).unwrap();
        let next = game(3, None, &["f2f3", "e7e5", "g2g4", "d8h4"]);
        one.append(&next).unwrap();
        // Somebody who asks for no lock.
        let mut bytes = fs::read(&path).unwrap();
        bytes.push(1);
        fs::write(&path, bytes).unwrap();
        one.append(&next).err().map(refused_by).unwrap();
        drop(one);
        assert_eq!(open().unwrap().cut(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn another_shard_of_the_same_games_is_refused() {
        let folder = folder("number");
        let path = write_three(&folder);
        let second = header().with_shard(1);
        fs::rename(path, folder.join(second.file_name())).unwrap();
        let refused = ShardWriter::open(&folder, &second, |_| {}).err().unwrap();
        let text = refused.to_string();
        assert!(
            text.contains("it is shard 0 of") && text.contains("expected shard 1 of"),
            "{text}"
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_changed_bit_is_never_taken_for_a_torn_end() {
        let folder = folder("bits");
        let path = write_three(&folder);
        let whole = fs::read(&path).unwrap();
        for bit in 8 * header().to_bytes().len()..8 * whole.len() {
            let mut changed = whole.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &changed).unwrap();
            let opened = ShardWriter::open(&folder, &header(), |_| {});
            let refused = opened.err().unwrap().to_string();
            assert!(refused.contains("it is damaged"), "{bit}: {refused}");
            assert_eq!(fs::read(&path).unwrap(), changed, "nothing is lost");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_torn_end_is_no_longer_than_a_game_can_be() {
        let folder = folder("long");
        let path = write_three(&folder);
        let whole = fs::read(&path).unwrap();
        for (length, is_torn) in [(LARGEST, true), (LARGEST + 1, false)] {
            let mut bytes = whole.clone();
            bytes.extend((length as u16).to_le_bytes());
            bytes.extend([1; 6]);
            fs::write(&path, &bytes).unwrap();
            let opened = ShardWriter::open(&folder, &header(), |_| {});
            assert_eq!(opened.is_ok(), is_torn, "{length}");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
