//! Many games on many threads, written in order.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use thiserror::Error;

use crate::datagen::record::GameRecord;
use crate::datagen::selfplay::{Player, Settings};
use crate::datagen::shard::{GAMES_PER_SHARD, Header, ShardError, ShardWriter};
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
}

/// Plays games until the target is reached, and writes them into the folder's shards, after those
/// that are there, evaluated with these weights. `heard` is told of every game written, and once at
/// the beginning.
///
/// # Errors
/// When memory or disk fail; all that was written before stays, and can be continued.
pub fn generate<G: Game>(
    plan: &Plan,
    weights: &G::Weights,
    heard: &mut dyn FnMut(Progress),
) -> Result<Progress, DatagenError> {
    fs::create_dir_all(&plan.folder).map_err(|cause| DatagenError::Folder {
        path: plan.folder.clone(),
        cause,
    })?;
    let mut writer = Writer::open::<G>(plan)?;
    heard(writer.progress);
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
        for player in players {
            let sender = sender.clone();
            let (next, stop) = (&next, &stop);
            std::thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || play_on(player, next, stop, sender))
                .map_err(DatagenError::Thread)?;
        }
        drop(sender);
        let result = writer.write_in_order(&games, plan, heard);
        stop.store(true, Relaxed);
        // Whoever waits for room in the channel now sees that nobody listens.
        drop(games);
        Ok::<(), DatagenError>(result?)
    })?;
    Ok(writer.progress)
}

/// Plays one game after another, each with the next free number.
fn play_on<G: Game>(
    mut player: Player<G>,
    next: &AtomicU32,
    stop: &AtomicBool,
    games: SyncSender<GameRecord>,
) {
    while let Some(game) = player.play(next.fetch_add(1, Relaxed), stop) {
        if games.send(game).is_err() {
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
        let mut header = Header {
            game: G::ID,
            settings: plan.settings,
            shard: 0,
            generator: plan.generator.clone(),
        };
        let mut progress = Progress::default();
        loop {
            let shard = ShardWriter::open(&plan.folder, &header, |game| progress.count(game))?;
            if shard.games() < GAMES_PER_SHARD {
                check_is_last(&plan.folder, &header)?;
                return Ok(Writer {
                    header,
                    shard,
                    progress,
                });
            }
            header.shard += 1;
        }
    }

    /// Writes what comes until there is enough, or nobody sends any more.
    fn write_in_order(
        &mut self,
        games: &Receiver<GameRecord>,
        plan: &Plan,
        heard: &mut dyn FnMut(Progress),
    ) -> Result<(), ShardError> {
        let mut early = BTreeMap::new();
        for game in games {
            early.insert(u64::from(game.number), game);
            while let Some(game) = early.remove(&self.progress.games) {
                self.write(&game, &plan.folder)?;
                heard(self.progress);
                if self.progress.reaches(plan.target) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, game: &GameRecord, folder: &Path) -> Result<(), ShardError> {
        if self.shard.games() >= GAMES_PER_SHARD {
            self.header.shard += 1;
            self.shard = ShardWriter::open(folder, &self.header, |_| {})?;
        }
        self.shard.append(game)?;
        self.progress.count(game);
        Ok(())
    }
}

/// A shard that is not full must not be followed by another: it was damaged, and continuing it
/// would need the later ones moved.
fn check_is_last(folder: &Path, header: &Header) -> Result<(), ShardError> {
    let mut following = header.clone();
    following.shard += 1;
    match folder.join(following.file_name()).exists() {
        true => Err(ShardError::unfit(
            &folder.join(header.file_name()),
            "it is damaged, and other shards follow: move it and them away",
        )),
        false => Ok(()),
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

    fn bytes(plan: &Plan) -> Vec<Vec<u8>> {
        let shards = crate::datagen::shards_in(&plan.folder).unwrap();
        shards.iter().map(|path| fs::read(path).unwrap()).collect()
    }

    #[test]
    fn threads_and_interruptions_change_nothing() {
        let (once, often) = (plan("once", 6, 1), plan("often", 6, 3));
        generate::<Chess>(&once, &Weights::default(), &mut |_| {}).unwrap();
        for games in [2, 3, 6] {
            let part = Plan {
                target: Target::Games(games),
                ..often.clone()
            };
            let progress = generate::<Chess>(&part, &Weights::default(), &mut |_| {}).unwrap();
            assert_eq!(progress.games, games);
            // A killed process leaves half a record.
            let shards = crate::datagen::shards_in(&often.folder).unwrap();
            let path = shards.last().unwrap();
            let whole = fs::read(path).unwrap();
            if games < 6 {
                fs::write(path, &whole[..whole.len() - 9]).unwrap();
            }
        }
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
        fs::write(first, &whole[..whole.len() - 9]).unwrap();
        let again = Plan {
            target: Target::Games(6),
            ..plan.clone()
        };
        let refused = generate::<Chess>(&again, &Weights::default(), &mut |_| {}).unwrap_err();
        assert!(
            refused.to_string().contains("other shards follow"),
            "{refused}"
        );
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
            generate::<Xiangqi>(&plan, &Weights::default(), &mut |p| heard.push(p)).unwrap();
        assert!(progress.positions >= 100);
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
