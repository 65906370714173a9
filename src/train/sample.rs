//! Positions to learn from, millions of them.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crc32fast::Hasher;
use rayon::prelude::*;

use crate::datagen::{GameRecord, RecordError, Shard, ShardError, shards_in};
use crate::eval::nnue::Inputs;
use crate::game::{Notation, Outcome, Position, Score, Side};
use crate::train::{Filter, Origins};

/// One in so many games is held out, to see how well what was learnt from the others applies.
const HELD_OUT: u32 = 50;

/// What is known of a position, besides its pieces.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Meta {
    /// The search's score for the side to move, in centipawns.
    pub score: i16,
    /// The game's result for the side to move: 0, 1/2 or 1.
    pub result: f32,
    /// The side to move.
    pub side: Side,
}

/// Positions, each a list of pieces on squares.
#[derive(Default)]
pub struct SampleSet {
    /// Pieces of all positions, one after the other: dense piece and square.
    men: Vec<(u8, u8)>,
    /// Where each position's pieces end.
    ends: Vec<usize>,
    metas: Vec<Meta>,
}

impl SampleSet {
    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.metas.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.metas.is_empty()
    }

    /// What is known of the position with this index.
    #[inline(always)]
    pub fn meta(&self, index: usize) -> &Meta {
        &self.metas[index]
    }

    /// What is known of all positions.
    pub fn metas(&self) -> &[Meta] {
        &self.metas
    }

    /// Its pieces.
    #[inline(always)]
    pub fn men(&self, index: usize) -> &[(u8, u8)] {
        let start = match index {
            0 => 0,
            _ => self.ends[index - 1],
        };
        &self.men[start..self.ends[index]]
    }

    /// Adds a position.
    pub fn push<I: Inputs>(&mut self, position: &I::Position, score: i16, outcome: Outcome) {
        I::each_piece(position, |piece, square| self.men.push((piece, square)));
        self.ends.push(self.men.len());
        let side = position.side_to_move();
        self.metas.push(Meta {
            score,
            result: match outcome {
                Outcome::Draw => 0.5,
                Outcome::Win(winner) if winner == side => 1.0,
                Outcome::Win(_) => 0.0,
            },
            side,
        });
    }

    /// The CRC-32 of all there is, to tell this set from another.
    pub fn checksum(&self) -> u32 {
        let mut hasher = Hasher::new();
        hash_all(&mut hasher, &self.men, |&(piece, square)| [piece, square]);
        hash_all(&mut hasher, &self.ends, |end| (*end as u64).to_le_bytes());
        hash_all(&mut hasher, &self.metas, |meta| {
            let [low, high] = meta.score.to_le_bytes();
            let twice = (2.0 * meta.result) as u8;
            [low, high, twice, meta.side.index() as u8]
        });
        hasher.finalize()
    }

    fn append(&mut self, other: SampleSet) {
        let shift = self.men.len();
        self.men.extend(other.men);
        self.ends.extend(other.ends.iter().map(|end| end + shift));
        self.metas.extend(other.metas);
    }

    /// The positions of a game that pass the filter. A game with an illegal move is sound up to
    /// there.
    fn add_game<I: Inputs>(&mut self, game: &GameRecord, filter: &Filter) -> Result<(), RecordError>
    where
        I::Position: Notation,
    {
        let mut ply = 0;
        game.replay(|position: &I::Position, m, score| {
            if filter.passes(position, m, Score(score.into()), ply) {
                self.push::<I>(position, score, game.outcome);
            }
            ply += 1;
        })
    }
}

/// Hashes many small things, some thousands at a time: one by one they would be slow.
fn hash_all<T, const N: usize>(hasher: &mut Hasher, items: &[T], bytes_of: impl Fn(&T) -> [u8; N]) {
    for chunk in items.chunks(1 << 12) {
        let bytes: Vec<[u8; N]> = chunk.iter().map(&bytes_of).collect();
        hasher.update(bytes.as_flattened());
    }
}

/// Samples to learn from and samples of held-out games.
#[derive(Default)]
pub struct Collection {
    /// To learn from.
    pub training: SampleSet,
    /// Of games that nothing is learnt from.
    pub held_out: SampleSet,
    /// Games read.
    pub games: u64,
    /// Positions in them, before the filter.
    pub positions: u64,
    /// Where the games come from.
    pub origins: Origins,
    /// What is wrong with the files, a line each.
    pub notes: Vec<String>,
}

/// The files of games that these folders and files are, each once, whatever names it is given by:
/// games that came twice would count twice.
///
/// # Errors
/// When one is not there, or a folder cannot be read.
pub fn game_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ShardError> {
    let mut files = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => files.extend(shards_in(path)?),
            false => files.push(path.clone()),
        }
    }
    let mut known = HashSet::new();
    let mut once = Vec::new();
    for path in files {
        match fs::canonicalize(&path) {
            Ok(place) => {
                if known.insert(place) {
                    once.push(path);
                }
            }
            Err(cause) => return Err(ShardError::Io { path, cause }),
        }
    }
    Ok(once)
}

/// Reads the games of these files, and takes what passes the filter.
///
/// # Errors
/// When a file cannot be read, is no shard, or is of another game.
pub fn collect<I: Inputs>(files: &[PathBuf], filter: &Filter) -> Result<Collection, ShardError>
where
    I::Position: Notation,
{
    let parts = files
        .par_iter()
        .map(|path| collect_shard::<I>(path, filter));
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    let mut whole = Collection::default();
    for part in parts {
        whole.training.append(part.training);
        whole.held_out.append(part.held_out);
        whole.games += part.games;
        whole.positions += part.positions;
        whole.origins.append(part.origins);
        whole.notes.extend(part.notes);
    }
    Ok(whole)
}

fn collect_shard<I: Inputs>(path: &Path, filter: &Filter) -> Result<Collection, ShardError>
where
    I::Position: Notation,
{
    let shard = Shard::read(path)?;
    if shard.header.game != I::GAME {
        let game = shard.header.game;
        return Err(ShardError::Unfit {
            path: path.to_owned(),
            reason: format!("it holds games of {game}, expected {}", I::GAME),
        });
    }
    let mut part = Collection::default();
    part.origins.add(&shard.header);
    for game in &shard.games {
        let set = match game.number % HELD_OUT {
            0 => &mut part.held_out,
            _ => &mut part.training,
        };
        if let Err(error) = set.add_game::<I>(game, filter) {
            let (path, number) = (path.display(), game.number);
            part.notes.push(format!(
                "{path}: game {number}: {error}; left out from there"
            ));
        }
        part.games += 1;
        part.positions += game.plies.len() as u64;
    }
    if shard.damaged > 0 {
        part.notes.push(format!(
            "{}: its last {} bytes are no games and left out",
            path.display(),
            shard.damaged
        ));
    }
    Ok(part)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::datagen::{Plan, Settings, Target, generate};
    use crate::eval::chess::ChessInputs;
    use crate::eval::xiangqi::XiangqiInputs;
    use crate::games::{Chess, Weights};

    /// A few chess positions with scores and results of all kinds.
    pub fn a_few() -> SampleSet {
        a_few_of::<ChessInputs>([
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                20,
            ),
            ("4k3/8/8/3p4/4P3/8/8/4K3 b - - 0 1", -40),
            ("r3k2r/pp3ppp/2n5/8/8/2N5/PPP2PPP/2KR3R w kq - 0 1", 310),
            ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1", -520),
        ])
    }

    /// The same positions, one with another score.
    pub fn a_few_otherwise_scored() -> SampleSet {
        let mut set = a_few();
        set.metas[2].score += 1;
        set
    }

    /// The same of xiangqi.
    pub fn a_few_of_xiangqi() -> SampleSet {
        a_few_of::<XiangqiInputs>([
            (
                "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
                20,
            ),
            ("3k5/9/9/9/4p4/9/9/9/9/4K4 b - - 0 1", -40),
            ("3k5/4a4/8r/9/2n6/9/4C4/4B4/9/5K3 w - - 0 1", 310),
            ("5k3/9/4b4/4c4/9/2N6/9/8R/4A4/3K5 b - - 0 1", -520),
        ])
    }

    fn a_few_of<I: Inputs>(fens: [(&str, i16); 4]) -> SampleSet
    where
        I::Position: Notation,
    {
        let outcomes = [
            Outcome::Draw,
            Outcome::Win(Side::First),
            Outcome::Win(Side::First),
            Outcome::Win(Side::Second),
        ];
        let mut set = SampleSet::default();
        for ((fen, score), outcome) in fens.into_iter().zip(outcomes) {
            let position = I::Position::from_fen(fen).unwrap();
            set.push::<I>(&position, score, outcome);
        }
        set
    }

    /// A folder with so many games of chess.
    fn folder_of_games(games: u64) -> PathBuf {
        let name = format!("twofold-samples-{}", std::process::id());
        let plan = Plan {
            settings: Settings { seed: 1, nodes: 20 },
            target: Target::Games(games),
            threads: 2,
            folder: std::env::temp_dir().join(name),
            generator: "test".to_owned(),
        };
        let _ = fs::remove_dir_all(&plan.folder);
        generate::<Chess>(&plan, &Weights::default(), &mut |_| {}).unwrap();
        plan.folder
    }

    #[test]
    fn some_games_are_held_out_and_damage_is_told() {
        let folder = folder_of_games(6);
        let paths = game_files(std::slice::from_ref(&folder)).unwrap();
        let shards = shards_in(&folder).unwrap();
        let everything = Filter {
            first_plies: 0,
            ..Filter::default()
        };
        let whole = collect::<ChessInputs>(&paths, &everything).unwrap();
        assert_eq!((whole.games, whole.notes.len()), (6, 0));
        let origins = whole.origins.to_string();
        assert_eq!(origins, "seed 1, 20 nodes, by test");
        let first = Shard::read(&shards[0]).unwrap();
        let mut alone = SampleSet::default();
        alone
            .add_game::<ChessInputs>(&first.games[0], &everything)
            .unwrap();
        assert_eq!(whole.held_out.metas(), alone.metas(), "game 0 of each seed");
        let samples = (whole.training.len() + whole.held_out.len()) as u64;
        assert!(0 < samples && samples < whole.positions);

        let bytes = fs::read(&shards[1]).unwrap();
        fs::write(&shards[1], &bytes[..bytes.len() - 3]).unwrap();
        let less = collect::<ChessInputs>(&paths, &everything).unwrap();
        assert_eq!((less.games, less.notes.len()), (5, 1));
        assert!(less.notes[0].contains("are no games"), "{}", less.notes[0]);

        let refused = collect::<XiangqiInputs>(&paths, &everything).err().unwrap();
        assert!(refused.to_string().contains("games of chess"), "{refused}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_counts_once_whatever_it_is_called() {
        let folder = std::env::temp_dir().join(format!("twofold-twice-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let files = ["a.games", "b.games"].map(|name| folder.join(name));
        for file in &files {
            fs::write(file, "").unwrap();
        }
        let paths = [
            files[1].clone(),
            folder.clone(),
            folder.join("."),
            folder.join("./a.games"),
        ];
        let found = game_files(&paths).unwrap();
        assert_eq!(found, [files[1].clone(), files[0].clone()]);
        let refused = game_files(&[folder.join("none.games")]).unwrap_err();
        assert!(refused.to_string().contains("none.games: "), "{refused}");
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_checksum_tells_sets_apart() {
        let sum = a_few().checksum();
        assert_eq!(sum, a_few().checksum());
        let changed = |change: &dyn Fn(&mut SampleSet)| {
            let mut set = a_few();
            change(&mut set);
            set.checksum()
        };
        assert_ne!(sum, a_few_otherwise_scored().checksum());
        assert_ne!(sum, changed(&|set| set.metas[3].result = 0.5));
        assert_ne!(sum, changed(&|set| set.metas[0].side = Side::Second));
        assert_ne!(sum, changed(&|set| set.men[40].0 ^= 1));
        assert_ne!(sum, changed(&|set| set.men[40].1 ^= 1));
        assert_ne!(sum, changed(&|set| set.ends[1] += 1));
    }

    #[test]
    fn samples_keep_their_own_pieces_and_results() {
        let mut set = a_few();
        assert_eq!(set.len(), 4);
        assert_eq!([0, 1, 2, 3].map(|i| set.men(i).len()), [32, 4, 19, 9]);
        let results: Vec<f32> = set.metas().iter().map(|meta| meta.result).collect();
        assert_eq!(results, [0.5, 0.0, 1.0, 1.0]);
        set.append(a_few());
        assert_eq!(set.men(5), a_few().men(1));
    }
}
