//! Many games on many threads, written in order.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use thiserror::Error;

use crate::datagen::record::GameRecord;
use crate::datagen::selfplay::{Player, Settings};
use crate::datagen::shard::{GAMES_PER_SHARD, Header, Shard, ShardError, shard_files_in};
use crate::datagen::shard_writer::{ShardWriter, check};
use crate::game::Game;
use crate::search::{STACK_BYTES, TableError};

/// When there is enough.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// At this many games of the seed.
    Games(u64),
    /// At this many positions of the seed, or a few more: games are kept whole.
    Positions(u64),
}

/// What to generate.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What the games depend on.
    pub settings: Settings,
    /// When there is enough, together with what the folder holds already.
    pub target: Target,
    /// How many games are played at a time, at least 1.
    pub threads: usize,
    /// The folder of the shards.
    pub folder: PathBuf,
    /// This program and the weights it plays with, for the headers. Shards of another are not
    /// continued.
    pub generator: String,
}

/// How far it has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Games of the seed that are written.
    pub games: u64,
    /// Positions in them.
    pub positions: u64,
}

impl Progress {
    fn count(&mut self, game: &GameRecord) {
        self.games += 1;
        self.positions += game.plies.len() as u64;
    }

    fn reaches(self, target: Target) -> bool {
        match target {
            Target::Games(games) => self.games >= games,
            Target::Positions(positions) => self.positions >= positions,
        }
    }
}

/// What there is to hear of meanwhile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The last game of a file was not written to its end, and what there was of it is cut off.
    Cut {
        /// The file.
        path: PathBuf,
        /// How much that was.
        bytes: u64,
    },
    /// It has come so far.
    Progress(Progress),
}

/// Why no more games are written.
#[derive(Debug, Error)]
pub enum DatagenError {
    /// A shard cannot be read or written.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// There is no memory for a player.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The folder cannot be made.
    #[error("{}: {cause}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        cause: std::io::Error,
    },
    /// There is no thread for a player.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
    /// A fault of ours: see [`Player::play`].
    #[error("a player found no move where its game goes on")]
    NoMove,
}

/// Plays games until the target is reached, and writes them into the folder's shards, after those
/// that are there, evaluated with these weights. `heard` is told of a torn end that is cut off, of
/// how far it is at the beginning, and of that after every game written.
///
/// # Errors
/// When memory, threads or the disk fail, or a search; all that was written before stays, and can be
/// continued.
pub fn generate<G: Game>(
    plan: &Plan,
    weights: &G::Weights,
    heard: &mut dyn FnMut(Event),
) -> Result<Progress, DatagenError> {
    fs::create_dir_all(&plan.folder).map_err(|cause| DatagenError::Folder {
        path: plan.folder.clone(),
        cause,
    })?;
    let mut writer = Writer::open::<G>(plan)?;
    if writer.shard.cut() > 0 {
        let path = writer.shard.path().to_owned();
        let bytes = writer.shard.cut();
        heard(Event::Cut { path, bytes });
    }
    heard(Event::Progress(writer.progress));
    if writer.progress.reaches(plan.target) {
        return Ok(writer.progress);
    }
    let players = (0..plan.threads.max(1))
        .map(|_| Player::<G>::new(plan.settings, weights))
        .collect::<Result<Vec<_>, _>>()?;
    let stop = AtomicBool::new(false);
    let next = AtomicU32::new(writer.progress.games as u32);
    let (sender, games) = sync_channel(2 * players.len());
    std::thread::scope(|scope| {
        let started = players.into_iter().try_for_each(|player| {
            let sender = sender.clone();
            let (next, stop) = (&next, &stop);
            std::thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || play_on(player, next, stop, sender))
                .map(drop)
        });
        drop(sender);
        let result = started
            .map_err(DatagenError::Thread)
            .and_then(|()| writer.write_in_order(&games, plan, heard));
        stop.store(true, Relaxed);
        // Whoever waits for room in the channel now sees that nobody listens.
        drop(games);
        result
    })?;
    Ok(writer.progress)
}

/// Plays one game after another, each with the next free number. `None` says that there are no more
/// from this player.
fn play_on<G: Game>(
    mut player: Player<G>,
    next: &AtomicU32,
    stop: &AtomicBool,
    games: SyncSender<Option<GameRecord>>,
) {
    loop {
        let game = player.play(next.fetch_add(1, Relaxed), stop);
        let is_last = game.is_none();
        if games.send(game).is_err() || is_last {
            return;
        }
    }
}

/// Writes the games of a seed in order of their numbers.
struct Writer {
    header: Header,
    shard: ShardWriter,
    progress: Progress,
}

impl Writer {
    /// Finds where the folder's games end.
    fn open<G: Game>(plan: &Plan) -> Result<Writer, ShardError> {
        let first = Header {
            game: G::ID,
            settings: plan.settings,
            shard: 0,
            generator: plan.generator.clone(),
        };
        let mut progress = Progress::default();
        let last = count_shards(&plan.folder, &first)?.saturating_sub(1);
        for number in 0..last {
            let shard = read_full(&plan.folder, &first.with_shard(number))?;
            shard.games.iter().for_each(|game| progress.count(game));
        }
        let header = first.with_shard(last);
        let shard = ShardWriter::open(&plan.folder, &header, |game| progress.count(game))?;
        Ok(Writer {
            header,
            shard,
            progress,
        })
    }

    /// Writes what comes until there is enough.
    fn write_in_order(
        &mut self,
        games: &Receiver<Option<GameRecord>>,
        plan: &Plan,
        heard: &mut dyn FnMut(Event),
    ) -> Result<(), DatagenError> {
        let mut early = BTreeMap::new();
        while let Ok(Some(game)) = games.recv() {
            early.insert(u64::from(game.number), game);
            while let Some(game) = early.remove(&self.progress.games) {
                self.write(&game, &plan.folder)?;
                heard(Event::Progress(self.progress));
                if self.progress.reaches(plan.target) {
                    return Ok(());
                }
            }
        }
        Err(DatagenError::NoMove)
    }

    fn write(&mut self, game: &GameRecord, folder: &Path) -> Result<(), ShardError> {
        if self.shard.games() >= GAMES_PER_SHARD {
            self.header.shard += 1;
            self.shard = ShardWriter::create(folder, &self.header)?;
        }
        self.shard.append(game)?;
        self.progress.count(game);
        Ok(())
    }
}

/// How many shards there are of the games of this header. None may be missing before another: its
/// games would be played again, and then those that are there.
fn count_shards(folder: &Path, first: &Header) -> Result<u32, ShardError> {
    let files = shard_files_in(folder)?;
    let numbers = files.iter().filter_map(|file| first.shard_of(file));
    let numbers: BTreeSet<u32> = numbers.collect();
    for (expected, number) in (0..).zip(&numbers) {
        if *number != expected {
            let missing = folder.join(first.with_shard(expected).file_name());
            let later = first.with_shard(*number).file_name();
            let reason = format!(
                "it is missing, but {later} is there: bring it back, or move later ones away"
            );
            return Err(ShardError::unfit(&missing, reason));
        }
    }
    Ok(numbers.len() as u32)
}

/// A shard that others follow: whole, for it is not the one to be continued.
fn read_full(folder: &Path, header: &Header) -> Result<Shard, ShardError> {
    let path = folder.join(header.file_name());
    let shard = Shard::read(&path)?;
    check(&path, &shard, header)?;
    match shard.games.len() == GAMES_PER_SHARD as usize {
        true => Ok(shard),
        false => Err(ShardError::unfit(
            &path,
            "it is damaged, and other shards follow: move it and them away",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagen::Shard;
    use crate::games::{Chess, Weights, Xiangqi};

    fn plan(name: &str, games: u64, threads: usize) -> Plan {
        let name = format!("twofold-generate-{name}-{}", std::process::id());
        Plan {
            settings: Settings { seed: 3, nodes: 40 },
            target: Target::Games(games),
            threads,
            folder: std::env::temp_dir().join(name),
            generator: "test".to_owned(),
        }
    }

    fn progress_of(event: Event) -> Progress {
        match event {
            Event::Progress(progress) => progress,
            cut => panic!("{cut:?}"),
        }
    }

    fn bytes(plan: &Plan) -> Vec<Vec<u8>> {
        let shards = crate::datagen::shards_in(&plan.folder).unwrap();
        shards.iter().map(|path| fs::read(path).unwrap()).collect()
    }

    #[test]
    fn threads_and_interruptions_change_nothing() {
        let (once, often) = (plan("once", 6, 1), plan("often", 6, 3));
        generate::<Chess>(&once, &Weights::default(), &mut |_| {}).unwrap();
        let mut cuts = Vec::new();
        for games in [2, 3, 6] {
            let part = Plan {
                target: Target::Games(games),
                ..often.clone()
            };
            let mut hear = |event| match event {
                Event::Cut { bytes, .. } => cuts.push((games, bytes > 0)),
                Event::Progress(_) => {}
            };
            let progress = generate::<Chess>(&part, &Weights::default(), &mut hear).unwrap();
            assert_eq!(progress.games, games);
            // A killed process leaves half a record.
            let shards = crate::datagen::shards_in(&often.folder).unwrap();
            let path = shards.last().unwrap();
            let whole = fs::read(path).unwrap();
            if games < 6 {
                fs::write(path, &whole[..whole.len() - 9]).unwrap();
            }
        }
        assert_eq!(cuts, [(3, true), (6, true)]);
        assert_eq!(bytes(&once).len(), 2);
        assert_eq!(bytes(&once), bytes(&often));
        for plan in [once, often] {
            fs::remove_dir_all(plan.folder).unwrap();
        }
    }

    #[test]
    fn a_torn_shard_that_others_follow_is_not_continued() {
        let plan = plan("follow", 5, 1);
        generate::<Chess>(&plan, &Weights::default(), &mut |_| {}).unwrap();
        let first = &crate::datagen::shards_in(&plan.folder).unwrap()[0];
        let whole = fs::read(first).unwrap();
        let torn = &whole[..whole.len() - 9];
        fs::write(first, torn).unwrap();
        let again = Plan {
            target: Target::Games(6),
            ..plan.clone()
        };
        let refused = generate::<Chess>(&again, &Weights::default(), &mut |_| {}).unwrap_err();
        assert!(
            refused.to_string().contains("other shards follow"),
            "{refused}"
        );
        assert_eq!(fs::read(first).unwrap(), torn, "nothing is cut");
        fs::remove_dir_all(plan.folder).unwrap();
    }

    #[test]
    fn shards_after_a_gap_are_not_written_to() {
        for missing in [0, 1] {
            let plan = plan(&format!("gap-{missing}"), 9, 1);
            generate::<Chess>(&plan, &Weights::default(), &mut |_| {}).unwrap();
            let shards = crate::datagen::shards_in(&plan.folder).unwrap();
            assert_eq!(shards.len(), 3);
            fs::remove_file(&shards[missing]).unwrap();
            let left = bytes(&plan);
            let again = Plan {
                target: Target::Games(12),
                ..plan.clone()
            };
            let refused = generate::<Chess>(&again, &Weights::default(), &mut |_| {}).unwrap_err();
            let name = format!("0000{missing}.games: it is missing");
            assert!(refused.to_string().contains(&name), "{refused}");
            assert_eq!(bytes(&plan), left);
            // Games of another seed have nothing to do with it.
            let other = Plan {
                settings: Settings { seed: 4, nodes: 40 },
                target: Target::Games(1),
                ..plan.clone()
            };
            generate::<Chess>(&other, &Weights::default(), &mut |_| {}).unwrap();
            fs::remove_dir_all(plan.folder).unwrap();
        }
    }

    #[test]
    fn full_shards_that_are_enough_stay_as_they_are() {
        let plan = plan("full", 4, 1);
        let run = || generate::<Chess>(&plan, &Weights::default(), &mut |_| {}).unwrap();
        assert_eq!(run(), run());
        assert_eq!(bytes(&plan).len(), 1);
        fs::remove_dir_all(plan.folder).unwrap();
    }

    #[test]
    fn a_shard_that_appears_meanwhile_is_not_written_to() {
        let plan = plan("meanwhile", 4, 1);
        generate::<Chess>(&plan, &Weights::default(), &mut |_| {}).unwrap();
        let mut writer = Writer::open::<Chess>(&plan).unwrap();
        let next = plan.folder.join(writer.header.with_shard(1).file_name());
        fs::write(&next, "somebody's").unwrap();
        let game = Shard::read(writer.shard.path()).unwrap().games.remove(0);
        assert!(writer.write(&game, &plan.folder).is_err());
        assert_eq!(fs::read(&next).unwrap(), b"somebody's");
        fs::remove_dir_all(plan.folder).unwrap();
    }

    #[test]
    fn a_player_that_ends_too_early_is_an_error() {
        let plan = plan("early", 2, 1);
        fs::create_dir_all(&plan.folder).unwrap();
        let mut writer = Writer::open::<Chess>(&plan).unwrap();
        let (sender, games) = sync_channel(1);
        sender.send(None).unwrap();
        let written = writer.write_in_order(&games, &plan, &mut |_| {});
        assert!(matches!(written, Err(DatagenError::NoMove)));
        fs::remove_dir_all(plan.folder).unwrap();
    }

    #[test]
    fn positions_are_a_target_too() {
        let plan = Plan {
            target: Target::Positions(100),
            ..plan("positions", 0, 2)
        };
        let mut heard = Vec::new();
        let progress =
            generate::<Xiangqi>(&plan, &Weights::default(), &mut |e| heard.push(e)).unwrap();
        assert!(progress.positions >= 100);
        let heard = heard.into_iter().map(progress_of).collect::<Vec<_>>();
        assert_eq!(heard[0], Progress::default());
        assert_eq!(heard.last(), Some(&progress));
        assert!(heard[heard.len() - 2].positions < 100);
        let path = &crate::datagen::shards_in(&plan.folder).unwrap()[0];
        assert_eq!(
            Shard::read(path).unwrap().games.len() as u64,
            progress.games
        );
        // Nothing is left to do.
        assert_eq!(
            generate::<Xiangqi>(&plan, &Weights::default(), &mut |_| {}).unwrap(),
            progress
        );
        fs::remove_dir_all(plan.folder).unwrap();
    }
}
