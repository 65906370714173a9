//! `genfens N seed S book None|FILE`: openings for OpenBench's data generation.
//!
//! The line may come as one argument, `twofold "genfens 8 seed 1 book None" quit`, as several, or
//! be typed into the running engine.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::arena::config::{GameKind, OpeningsConfig};
use crate::arena::openings::Openings;
use crate::arena::referee::{Rules, Styles};
use crate::datagen::{Player, Settings, Starts};
use crate::game::{Game, GameId, Notation, TextStyle};
use crate::named_file::{self, path_of};
use crate::output::Output;
use crate::with_game;

/// Nodes of the search that judges an opening.
const NODES: u32 = 2_000;

/// What was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Request<'a> {
    count: u32,
    seed: u64,
    /// The file with the positions from which the openings start.
    book: Option<&'a str>,
}

/// Answers the line, until the flag is set.
///
/// # Errors
/// What is wrong with the line.
pub(super) fn run(
    line: &str,
    game: GameId,
    stop: &AtomicBool,
    output: &Output,
) -> Result<(), String> {
    let request = parse(line)?;
    with_game!(game, G => write_openings::<G>(request, stop, output))
}

/// Openings from the positions of the book, or from the usual start only: clients ask for others
/// with an option of their own.
fn write_openings<G: Game>(
    request: Request<'_>,
    stop: &AtomicBool,
    output: &Output,
) -> Result<(), String> {
    let settings = Settings {
        seed: request.seed,
        nodes: NODES,
    };
    let player = Player::<G>::new(settings, &G::Weights::default());
    let player = player.map_err(|error| error.to_string())?;
    let starts = request
        .book
        .map_or(Ok(Starts::Usual), |book| read::<G>(book))?;
    let is_usual = starts == Starts::Usual;
    let mut player = player.from_starts(starts);
    let openings = (0..).map(|number| player.opening(number));
    let wanted = openings.filter(|opening| !is_usual || opening.start.is_none());
    for opening in wanted.take(request.count as usize) {
        if stop.load(Relaxed) {
            break;
        }
        let fen = opening.position.to_fen(TextStyle::default());
        output.line(&format!("info string genfens {fen}"));
    }
    Ok(())
}

/// The positions at the ends of the lines of a file of openings, as matches take them.
fn read<G: Game>(book: &str) -> Result<Starts, String> {
    let file = path_of(book);
    named_file::open(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let config = OpeningsConfig {
        file,
        strict: true,
        ..OpeningsConfig::default()
    };
    let kind = match G::ID {
        GameId::Chess => GameKind::Chess960,
        GameId::Xiangqi => GameKind::Xiangqi,
    };
    let rules = Rules::of::<G::Position>();
    let book = Openings::load(&config, kind, &rules, 0).map_err(|error| error.to_string())?;
    let fens = (0..book.count() as u64).map(|place| {
        let (_, opening) = book.pick(place);
        let referee = opening.set_up(&rules, Styles::default())?;
        Ok(referee.fen())
    });
    fens.collect::<Result<_, String>>().map(Starts::Book)
}

fn parse(line: &str) -> Result<Request<'_>, String> {
    let refuse = || format!("expected 'genfens N seed S book None|FILE', found '{line}'");
    let words: Vec<&str> = line.split_whitespace().collect();
    let &["genfens", count, "seed", seed, "book", book, ..] = &words[..] else {
        return Err(refuse());
    };
    Ok(Request {
        book: (!book.eq_ignore_ascii_case("none")).then_some(book),
        count: count.parse().map_err(|_| refuse())?,
        seed: seed.parse().map_err(|_| refuse())?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_read_strictly() {
        let request = parse("genfens 8 seed 77 book None extra words");
        let expected = Request {
            count: 8,
            seed: 77,
            book: None,
        };
        assert_eq!(request, Ok(expected));
        let request = parse("genfens 1 seed 1 book some.epd").unwrap();
        assert_eq!(request.book, Some("some.epd"));
        for line in [
            "genfens",
            "genfens x seed 1 book None",
            "genfens 1 seed -1 book None",
            "genfens 1 seed 1",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
