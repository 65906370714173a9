//! `genfens N seed S book None`: openings for OpenBench's data generation.
//!
//! The line may come as one argument, `twofold "genfens 8 seed 1 book None" quit`, as several, or
//! be typed into the running engine.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::datagen::{Player, Settings};
use crate::game::{Game, GameId, Notation, TextStyle};
use crate::output::Output;
use crate::with_game;

/// Nodes of the search that judges an opening.
const NODES: u32 = 2_000;

/// What was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Request {
    count: u32,
    seed: u64,
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

/// Openings from the usual start only: clients ask for others with an option of their own.
fn write_openings<G: Game>(
    request: Request,
    stop: &AtomicBool,
    output: &Output,
) -> Result<(), String> {
    let settings = Settings {
        seed: request.seed,
        nodes: NODES,
    };
    let player = Player::<G>::new(settings, &G::Weights::default());
    let mut player = player.map_err(|error| error.to_string())?;
    let openings = (0..).map(|number| player.opening(number));
    let usual = openings.filter(|opening| opening.start.is_none());
    for opening in usual.take(request.count as usize) {
        if stop.load(Relaxed) {
            break;
        }
        let fen = opening.position.to_fen(TextStyle::default());
        output.line(&format!("info string genfens {fen}"));
    }
    Ok(())
}

fn parse(line: &str) -> Result<Request, String> {
    let refuse = || format!("expected 'genfens N seed S book None', found '{line}'");
    let words: Vec<&str> = line.split_whitespace().collect();
    let &["genfens", count, "seed", seed, "book", book, ..] = &words[..] else {
        return Err(refuse());
    };
    if !book.eq_ignore_ascii_case("none") {
        return Err(format!("genfens: cannot read the book '{book}'"));
    }
    Ok(Request {
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
        assert_eq!(request, Ok(Request { count: 8, seed: 77 }));
        for line in [
            "genfens",
            "genfens x seed 1 book None",
            "genfens 1 seed -1 book None",
            "genfens 1 seed 1",
            "genfens 1 seed 1 book some.epd",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
