//! `twofold book`: builds opening books from games, and shows what is in them.

use std::fs;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use crate::arena::pgn_reader;
use crate::book::{Builder, Format, Plan};
use crate::cli::{CliError, GameName, Verdict};
use crate::datagen::{Shard, shards_in};
use crate::game::{Book, BookMove, Game, GameId, Outcome, TextStyle};
use crate::output::Output;
use crate::whole_file::write_whole;
use crate::{chess, with_game, xiangqi};

/// What `twofold book` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Make a book from games: a Polyglot book for chess, an XQBase BOOK.DAT for xiangqi.
    Build(Build),
    /// Show the moves that a book has for a position.
    Show(Show),
}

#[derive(Args, Debug)]
struct Build {
    /// The game.
    #[arg(long, default_value = "chess")]
    game: GameName,
    /// The book to write.
    #[arg(short, long)]
    out: PathBuf,
    /// Moves taken from each game, in plies from its beginning.
    #[arg(long, default_value_t = 30)]
    plies: usize,
    /// Games in which a move must have been played to be kept.
    #[arg(long, default_value_t = 3)]
    min_games: u32,
    /// Every move weighs the same, instead of two for a game won and one for a game drawn.
    #[arg(long)]
    uniform: bool,
    /// Games: PGN files (those of matches too), files of self-play, folders of these.
    #[arg(required = true)]
    games: Vec<PathBuf>,
}

#[derive(Args, Debug)]
struct Show {
    /// The book.
    book: PathBuf,
    /// The game; by itself, xiangqi for files that end in .dat and chess for others.
    #[arg(long)]
    game: Option<GameName>,
    /// The position; the usual first one if left out.
    #[arg(long)]
    fen: Option<String>,
    /// Moves played from there, in coordinates or as players write them.
    #[arg(long, default_value = "")]
    moves: String,
    /// How many moves ahead to follow the book, in plies.
    #[arg(long, default_value_t = 1)]
    depth: usize,
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Result<Verdict, CliError> {
    match &arguments.command {
        Command::Build(build) => {
            with_game!(GameId::from(build.game), G => {
                Collection::<<G as Game>::Position>::of(build)?.write(build, output)
            })
        }
        Command::Show(show) => {
            with_game!(game_of(show), G => show_book::<<G as Game>::Position>(show, output))
        }
    }
}

fn game_of(show: &Show) -> GameId {
    let extension = show.book.extension().map(|e| e.to_ascii_lowercase());
    match (show.game, extension) {
        (Some(game), _) => GameId::from(game),
        (None, Some(extension)) if extension == "dat" => GameId::Xiangqi,
        _ => GameId::Chess,
    }
}

/// Positions that books are made of, with the moves as their players read them.
trait Told: Format {
    /// A legal move in every notation, coordinates first.
    fn told(&self, m: Self::Move) -> Vec<String>;

    /// A move in any notation.
    fn understood(&self, text: &str) -> Option<Self::Move> {
        let read = self.parse_record(text);
        read.or_else(|_| self.parse_move(text, TextStyle::default()))
            .ok()
    }
}

impl Told for chess::Board {
    fn told(&self, m: chess::Move) -> Vec<String> {
        use crate::game::Notation;
        vec![self.write_move(m, TextStyle::default()), self.write_san(m)]
    }
}

impl Told for xiangqi::Board {
    fn told(&self, m: xiangqi::Move) -> Vec<String> {
        use crate::game::Notation;
        let coordinates = self.write_move(m, TextStyle::default());
        vec![coordinates, self.write_wxf(m), self.write_chinese(m)]
    }
}

fn is_pgn(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
}

/// The games that go into a book.
struct Collection<P> {
    builder: Builder,
    games: u64,
    /// Games that were left at a move that is not legal, and the first of them.
    cut: u64,
    first_cut: Option<String>,
    of: std::marker::PhantomData<P>,
}

impl<P: Told> Collection<P> {
    fn of(build: &Build) -> Result<Self, CliError> {
        let plan = Plan {
            plies: build.plies,
            min_games: build.min_games,
            is_uniform: build.uniform,
        };
        let mut collection = Collection {
            builder: Builder::new(plan),
            games: 0,
            cut: 0,
            first_cut: None,
            of: std::marker::PhantomData,
        };
        for path in &build.games {
            collection.add_path(path, build.game)?;
        }
        Ok(collection)
    }

    fn add_path(&mut self, path: &Path, game: GameName) -> Result<(), CliError> {
        if !path.is_dir() {
            return match is_pgn(path) {
                true => self.add_pgn(path),
                false => self.add_shard(path, game),
            };
        }
        let mut files = shards_in(path)?;
        let entries = fs::read_dir(path).map_err(CliError::file(path))?;
        for entry in entries {
            let file = entry.map_err(CliError::file(path))?.path();
            if is_pgn(&file) {
                files.push(file);
            }
        }
        files.sort();
        files.iter().try_for_each(|file| self.add_path(file, game))
    }

    fn add_pgn(&mut self, path: &Path) -> Result<(), CliError> {
        let bytes = fs::read(path).map_err(CliError::file(path))?;
        for game in pgn_reader::games(&String::from_utf8_lossy(&bytes)) {
            self.games += 1;
            let start = game.fen.as_deref().unwrap_or(P::START_FEN);
            let Ok(mut position) = P::from_fen(start) else {
                self.cut_at(path, game.line, "its first position");
                continue;
            };
            for (ply, played) in game.moves.iter().enumerate() {
                let Some(m) = position.understood(&played.text) else {
                    self.cut_at(path, played.line, &format!("'{}'", played.text));
                    break;
                };
                self.builder.add(&position, m, ply, game.outcome);
                position.make(m, &mut ());
            }
        }
        Ok(())
    }

    fn add_shard(&mut self, path: &Path, game: GameName) -> Result<(), CliError> {
        let shard = Shard::read(path)?;
        if shard.header.game != GameId::from(game) {
            let text = format!("{}: games of {}", path.display(), shard.header.game);
            return Err(CliError::Input(text));
        }
        for record in &shard.games {
            self.games += 1;
            let mut ply = record.random.len();
            let replayed = record.replay::<P>(|position, m, _score| {
                let outcome: Option<Outcome> = Some(record.outcome);
                self.builder.add(position, m, ply, outcome);
                ply += 1;
            });
            if let Err(error) = replayed {
                self.cut_at(path, 0, &error.to_string());
            }
        }
        Ok(())
    }

    fn cut_at(&mut self, path: &Path, line: usize, what: &str) {
        self.cut += 1;
        let place = format!("{}:{line}: {what}", path.display());
        self.first_cut.get_or_insert(place);
    }

    fn cut_in_words(&self) -> Option<String> {
        let (place, count) = (self.first_cut.as_ref()?, self.cut);
        Some(format!(
            "{count} games end at what is not legal, first at {place}"
        ))
    }

    fn write(&self, build: &Build, output: &Output) -> Result<Verdict, CliError> {
        let file = self.builder.finish::<P>();
        if file.is_empty() {
            let mut text = format!(
                "no move of the first {} plies of {} games was played {} times without losing",
                build.plies, self.games, build.min_games
            );
            if let Some(cut) = self.cut_in_words() {
                text = format!("{text}; {cut}");
            }
            return Err(CliError::Input(text));
        }
        write_whole(&build.out, &file).map_err(CliError::file(&build.out))?;
        if let Some(cut) = self.cut_in_words() {
            output.line(&cut);
        }
        let entries = file.len() / P::ENTRY_BYTES;
        let path = build.out.display();
        output.line(&format!(
            "{path}: {entries} entries from {} games",
            self.games
        ));
        Ok(Verdict::Passed)
    }
}

fn show_book<P: Told>(show: &Show, output: &Output) -> Result<Verdict, CliError> {
    let path = show.book.display();
    let bytes = fs::read(&show.book).map_err(CliError::file(&show.book))?;
    let book = P::open(bytes).map_err(|refused| CliError::Input(format!("{path}: {refused}")))?;
    let fen = show.fen.as_deref().unwrap_or(P::START_FEN);
    let mut position =
        P::from_fen(fen).map_err(|error| CliError::Input(format!("FEN: {error}")))?;
    for (index, text) in show.moves.split_whitespace().enumerate() {
        let Some(m) = position.understood(text) else {
            let text = format!("move {} '{text}': not legal here", index + 1);
            return Err(CliError::Input(text));
        };
        position.make(m, &mut ());
    }
    output.line(&format!(
        "{path}: {}, {} entries",
        P::FORMAT,
        book.entries()
    ));
    output.line(&position.to_fen(TextStyle::default()));
    if book.moves(&position).is_empty() {
        output.line("not in the book");
    }
    tell(book.as_ref(), &mut position, 0, show.depth, output);
    Ok(Verdict::Passed)
}

/// Prints the moves of a position, below each the moves that follow it.
fn tell<P: Told>(book: &dyn Book<P>, position: &mut P, ply: usize, depth: usize, output: &Output) {
    if ply >= depth {
        return;
    }
    let moves = book.moves(position);
    let total: u64 = moves.iter().map(|entry| u64::from(entry.weight)).sum();
    for BookMove { m, weight } in moves {
        let share = 100.0 * f64::from(weight) / (total.max(1) as f64);
        let indent = "  ".repeat(ply);
        let told = position.told(m).join("  ");
        output.line(&format!("{indent}{told}  {weight}  {share:.1}%"));
        position.make(m, &mut ());
        tell(book, position, ply + 1, depth, output);
        position.unmake();
    }
}
