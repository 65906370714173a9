//! Openings: where the games of a match begin.
//!
//! A line of a `.epd` or text file is a FEN or EPD position, perhaps followed by `moves` and
//! coordinate moves, or a list of moves from the usual array; `#` begins a comment line. A `.pgn`
//! file gives the first plies of each of its games. Either may be compressed (`.gz`). Every
//! opening is played through when the file is loaded, so a bad one is named with its line before
//! the match begins and not hours later.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::arena::arrays;
use crate::arena::config::{ConfigError, GameKind, OpeningsConfig, Order};
use crate::arena::pgn_reader;
use crate::arena::random::Random;
use crate::arena::referee::{Referee, Rules, Styles};
use crate::named_file::unmarked;

/// Where a game begins.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Opening {
    /// The first position; `None`: the usual array.
    pub fen: Option<String>,
    /// Moves from there, as the runner or game records write them.
    pub moves: Vec<String>,
}

impl Opening {
    /// Its first plies; 0: all.
    fn cut(mut self, plies: usize) -> Opening {
        if plies > 0 {
            self.moves.truncate(plies);
        }
        self
    }

    /// Sets up the game on a board.
    ///
    /// # Errors
    /// In words: a bad position, an illegal move, or a game that is over before it begins.
    pub fn set_up(&self, rules: &Rules, styles: Styles) -> Result<Box<dyn Referee>, String> {
        let mut referee = rules
            .start(self.fen.as_deref(), styles)
            .map_err(|e| e.to_string())?;
        for text in &self.moves {
            referee
                .play_own(text)
                .map_err(|e| format!("move {text}: {e}"))?;
        }
        match referee.ending() {
            Some(ending) => Err(format!("the game is over already: {}", ending.reason)),
            None => Ok(referee),
        }
    }
}

/// What openings are read from. Lines are kept as they stand in the file, with an index of the
/// good ones, so that books of millions of them take little more memory than their files.
#[derive(Clone, Debug)]
enum Source {
    Games(Vec<Opening>),
    Lines {
        text: String,
        /// Where each line begins.
        index: Vec<usize>,
        plies: usize,
    },
}

impl Source {
    fn count(&self) -> usize {
        match self {
            Source::Games(games) => games.len(),
            Source::Lines { index, .. } => index.len(),
        }
    }

    fn shuffle(&mut self, random: &mut Random) {
        match self {
            Source::Games(games) => random.shuffle(games),
            Source::Lines { index, .. } => random.shuffle(index),
        }
    }

    fn opening(&self, number: usize) -> Opening {
        match self {
            Source::Games(games) => games[number].clone(),
            Source::Lines { text, index, plies } => {
                let line = text[index[number]..].lines().next().unwrap_or_default();
                parse_line(line.trim()).cut(*plies)
            }
        }
    }
}

/// The openings of a match, in the order in which they are used.
#[derive(Clone, Debug)]
pub struct Openings {
    source: Source,
    start: u64,
    /// What was skipped, one line each.
    pub warnings: Vec<String>,
    /// A checksum of the file: a resumed match must find the same.
    pub checksum: u32,
}

impl Openings {
    /// The usual array and nothing else.
    pub fn none() -> Openings {
        Openings {
            source: Source::Games(vec![Opening::default()]),
            start: 0,
            warnings: Vec::new(),
            checksum: 0,
        }
    }

    /// All arrays of Chess960, in an order of this seed.
    pub fn chess960(seed: u64) -> Openings {
        let mut games: Vec<Opening> = (0..arrays::COUNT)
            .map(|number| Opening {
                fen: Some(arrays::fen(number)),
                moves: Vec::new(),
            })
            .collect();
        Random::new(seed).shuffle(&mut games);
        Openings {
            source: Source::Games(games),
            // Not that of a match which has the usual array only.
            checksum: arrays::COUNT as u32,
            ..Openings::none()
        }
    }

    /// Loads the file of a match.
    ///
    /// # Errors
    /// An unreadable file, one without any good opening, or, if asked to be strict, one with a
    /// bad opening.
    pub fn load(
        config: &OpeningsConfig,
        game: GameKind,
        rules: &Rules,
        seed: u64,
    ) -> Result<Openings, ConfigError> {
        let path = &config.file;
        let text = read(path).map_err(|e| ConfigError(format!("{}: {e}", path.display())))?;
        let checksum = crc32fast::hash(text.as_bytes());
        let (mut source, warnings) = parse(text, is_pgn(path), config.plies, game, rules);
        let named: Vec<String> = warnings
            .iter()
            .map(|(line, why)| format!("{}:{line}: {why}", path.display()))
            .collect();
        if let (true, Some(first)) = (config.strict, named.first()) {
            return Err(ConfigError(first.clone()));
        }
        if source.count() == 0 {
            let why = named.first().map_or("it is empty", String::as_str);
            return Err(ConfigError(format!(
                "{}: no opening: {why}",
                path.display()
            )));
        }
        if config.order == Order::Random {
            source.shuffle(&mut Random::new(seed));
        }
        Ok(Openings {
            source,
            start: config.start.saturating_sub(1) as u64,
            warnings: named,
            checksum,
        })
    }

    /// The opening with this place in the schedule, and its number in the order of use, from 1.
    pub fn pick(&self, place: u64) -> (usize, Opening) {
        let index = (self.start.wrapping_add(place) % self.count() as u64) as usize;
        (index + 1, self.source.opening(index))
    }

    /// How many there are; never zero.
    pub fn count(&self) -> usize {
        self.source.count()
    }
}

fn is_pgn(path: &Path) -> bool {
    let name = path.to_string_lossy().to_ascii_lowercase();
    name.trim_end_matches(".gz").ends_with(".pgn")
}

fn read(path: &Path) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    let file = File::open(path)?;
    if path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("gz"))
    {
        MultiGzDecoder::new(file).read_to_end(&mut bytes)?;
    } else {
        std::io::BufReader::new(file).read_to_end(&mut bytes)?;
    }
    Ok(unmarked(&String::from_utf8_lossy(&bytes)).to_owned())
}

/// Good openings, and line and reason of each bad one.
fn parse(
    text: String,
    is_pgn: bool,
    plies: usize,
    game: GameKind,
    rules: &Rules,
) -> (Source, Vec<(usize, String)>) {
    let styles = Styles {
        own: game.style(),
        players: [game.style(); 2],
        ..Styles::default()
    };
    let fault = |opening: &Opening| opening.set_up(rules, styles).err();
    let mut bad = Vec::new();
    if is_pgn {
        let mut good = Vec::new();
        for game in pgn_reader::games(&text) {
            let (line, fen) = (game.line, game.fen.clone());
            let moves = game.into_texts();
            let opening = Opening { fen, moves }.cut(plies);
            match fault(&opening) {
                None => good.push(opening),
                Some(why) => bad.push((line, why)),
            }
        }
        return (Source::Games(good), bad);
    }
    let lines: Vec<(usize, usize, &str)> = lines_of(&text).collect();
    let judge = |(number, at, line)| (number, at, fault(&parse_line(line).cut(plies)));
    // Where no threads can be had the lines are read one by one.
    let judged: Vec<(usize, usize, Option<String>)> = match rayon::ThreadPoolBuilder::new().build()
    {
        Ok(pool) => pool.install(|| lines.into_par_iter().map(judge).collect()),
        Err(_) => lines.into_iter().map(judge).collect(),
    };
    let mut index = Vec::with_capacity(judged.len());
    for (number, at, why) in judged {
        match why {
            None => index.push(at),
            Some(why) => bad.push((number, why)),
        }
    }
    (Source::Lines { text, index, plies }, bad)
}

/// Lines that hold something: number from 1, place in the text, and what they hold.
fn lines_of(text: &str) -> impl Iterator<Item = (usize, usize, &str)> {
    let mut at = 0;
    let lines = text
        .split_inclusive('\n')
        .enumerate()
        .map(move |(i, line)| {
            let begin = at;
            at += line.len();
            (i + 1, begin, line.trim())
        });
    lines.filter(|(_, _, line)| !line.is_empty() && !line.starts_with('#'))
}

/// A position with or without moves, or moves alone.
fn parse_line(line: &str) -> Opening {
    let (position, moves) = match line.split_once(" moves ") {
        Some((position, moves)) => (position, moves),
        None if line.contains('/') => (line, ""),
        None => ("startpos", line),
    };
    let moves = moves.split_whitespace().filter(|word| !word.ends_with('.'));
    Opening {
        fen: (position.trim() != "startpos").then(|| position_of(position)),
        moves: moves.map(str::to_owned).collect(),
    }
}

/// The FEN of an EPD line: four fields, then both counters if they stand there or in the
/// operations `hmvc` and `fmvn`.
fn position_of(line: &str) -> String {
    let (fields, operations) = line.split_once(';').unwrap_or((line, ""));
    let words: Vec<&str> = fields.split_whitespace().collect();
    let is_number = |i: usize| words.get(i).is_some_and(|w| w.parse::<u32>().is_ok());
    let fields = words
        .len()
        .min(if is_number(4) && is_number(5) { 6 } else { 4 });
    let mut fen = words[..fields].join(" ");
    if fields == 4 {
        let rest = format!("{};{operations}", words[4..].join(" "));
        let counter = |name: &str, otherwise: u32| {
            let operation = rest.split(';').find_map(|op| op.trim().strip_prefix(name));
            operation
                .and_then(|n| n.trim().parse().ok())
                .unwrap_or(otherwise)
        };
        fen += &format!(" {} {}", counter("hmvc ", 0), counter("fmvn ", 1));
    }
    fen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epd_operations_become_counters() {
        let board = "4k3/8/8/8/8/8/8/4K2R w K -";
        assert_eq!(position_of(board), format!("{board} 0 1"));
        assert_eq!(
            position_of(&format!("{board} 3 17")),
            format!("{board} 3 17")
        );
        let line = format!("{board} hmvc 3; fmvn 17; id \"x\";");
        assert_eq!(position_of(&line), format!("{board} 3 17"));
        assert_eq!(
            position_of(&format!("{board} id \"a b\";")),
            format!("{board} 0 1")
        );
        assert_eq!(
            position_of(&format!("{board} 3 17; id \"y\"")),
            format!("{board} 3 17")
        );
    }

    #[test]
    fn bad_openings_are_named_by_line_and_good_ones_kept() {
        type Board = <crate::games::Chess as crate::game::Game>::Position;
        let rules = Rules::of::<Board>();
        let text = "# comment\n\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0;\n\
            8/8/8/8 w - -\ne2e4 e7e5 e4e5\n1. e4 e5 2. Nf3\nf2f3 e7e5 g2g4 d8h4\n\
            4k3/8/8/8/8/8/8/4K3 w - - 0 1\n";
        let parsed = |plies| {
            let (source, bad) = parse(text.to_owned(), false, plies, GameKind::Chess, &rules);
            let all = (0..source.count()).map(|i| source.opening(i));
            (all.collect::<Vec<_>>(), bad)
        };
        let (good, bad) = parsed(0);
        assert_eq!(good.len(), 2);
        assert_eq!(good[1].moves, ["e4", "e5", "Nf3"]);
        let lines: Vec<usize> = bad.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [4, 5, 7, 8], "{bad:?}");
        assert!(bad[1].1.contains("move e4e5"), "{bad:?}");
        assert!(bad[2].1.contains("checkmate"), "{bad:?}");
        // Cut before its mate, the fourth line is an opening.
        let (good, _) = parsed(3);
        assert_eq!(good.last().map(|o| o.moves.len()), Some(3));
    }

    #[test]
    fn the_order_is_the_seeds_and_wraps() {
        type Board = <crate::games::Xiangqi as crate::game::Game>::Position;
        let rules = Rules::of::<Board>();
        let load = |order, start, seed| {
            let config = OpeningsConfig {
                file: Path::new(env!("CARGO_MANIFEST_DIR")).join("openings/xiangqi.epd"),
                order,
                start,
                ..OpeningsConfig::default()
            };
            Openings::load(&config, GameKind::Xiangqi, &rules, seed).unwrap()
        };
        let plain = load(Order::Sequential, 0, 1);
        assert!(plain.count() >= 200 && plain.warnings.is_empty());
        assert_eq!(plain.pick(0), plain.pick(plain.count() as u64));
        assert_eq!(load(Order::Sequential, 3, 1).pick(0), plain.pick(2));
        let shuffled = |seed| {
            let all = load(Order::Random, 1, seed);
            let all = (0..all.count() as u64).map(move |place| all.pick(place).1);
            all.collect::<Vec<_>>()
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        assert_eq!(load(Order::Random, 1, 1).checksum, plain.checksum);
    }

    #[test]
    fn an_index_finds_its_lines_whatever_their_ends() {
        type Board = <crate::games::Chess as crate::game::Game>::Position;
        let rules = Rules::of::<Board>();
        let text = "\u{feff}# \u{e9}\r\n  e2e4 e7e5\r\n\r\nd2d4\ne2e5\nc2c4 c7c5";
        let (source, bad) = parse(unmarked(text).to_owned(), false, 1, GameKind::Chess, &rules);
        assert_eq!(bad.len(), 1);
        assert_eq!(bad[0].0, 5);
        let moves: Vec<Vec<String>> = (0..3).map(|i| source.opening(i).moves).collect();
        assert_eq!(moves, [["e2e4"], ["d2d4"], ["c2c4"]]);
    }

    #[test]
    fn arrays_of_chess960_are_openings_in_the_seeds_order() {
        type Board = <crate::games::Chess as crate::game::Game>::Position;
        let rules = Rules::of::<Board>();
        let style = GameKind::Chess960.style();
        let styles = Styles {
            own: style,
            players: [style; 2],
            ..Styles::default()
        };
        let all = Openings::chess960(3);
        assert_eq!(all.count(), 960);
        for place in 0..960 {
            let (_, opening) = all.pick(place);
            assert!(opening.set_up(&rules, styles).is_ok(), "{opening:?}");
        }
        assert_eq!(all.pick(7), Openings::chess960(3).pick(7));
        let first = |seed| {
            (0..9)
                .map(|place| Openings::chess960(seed).pick(place))
                .collect::<Vec<_>>()
        };
        assert_ne!(first(3), first(4));
    }

    #[test]
    fn lines_are_positions_or_moves() {
        let opening = parse_line("e2e4 e7e5");
        assert_eq!(opening.fen, None);
        assert_eq!(opening.moves, ["e2e4", "e7e5"]);
        let opening = parse_line("4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves h1h2");
        assert_eq!(
            opening.fen.as_deref(),
            Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
        );
        assert_eq!(opening.moves, ["h1h2"]);
        assert_eq!(parse_line("startpos moves e2e4").moves, ["e2e4"]);
        assert_eq!(parse_line("1. e4 e5 2. Nf3").moves, ["e4", "e5", "Nf3"]);
    }
}
