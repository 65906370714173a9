//! The bench: fixed positions of each game searched to a fixed depth.
//!
//! With one thread the node count is the *signature* of the search: equal on every machine, and
//! changed by any change of behaviour. The time measures speed.

use std::time::{Duration, Instant};

use crate::game::{Depth, Game, GameId, Notation};
use crate::search::{Limits, Searcher, Signals, TableError};

/// Openings, middle games and endgames, one FEN a line: from games of this engine against itself.
const CHESS: &str = include_str!("bench-chess.fen");
const XIANGQI: &str = include_str!("bench-xiangqi.fen");

/// What to run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Table size in MiB.
    pub hash_mib: usize,
    /// Search threads.
    pub threads: usize,
    /// Depth of each search.
    pub depth: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_mib: 16,
            threads: 1,
            depth: 13,
        }
    }
}

/// What came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Totals {
    /// Wall-clock time of all searches.
    pub time: Duration,
    /// Nodes of all searches.
    pub nodes: u64,
}

impl Totals {
    /// The three closing lines, in the form that test frameworks read.
    pub fn report(&self) -> String {
        let ms = self.time.as_millis();
        format!(
            "Total time (ms) : {ms}\nNodes searched  : {}\nNodes/second    : {}",
            self.nodes,
            u128::from(self.nodes) * 1000 / ms.max(1)
        )
    }
}

/// The bench positions of a game.
pub fn positions(game: GameId) -> impl Iterator<Item = &'static str> {
    let list = match game {
        GameId::Chess => CHESS,
        GameId::Xiangqi => XIANGQI,
    };
    list.lines().filter(|line| !line.starts_with('#'))
}

/// Searches all positions and tells `progress` of each. `None` when `signals` stopped it.
///
/// # Errors
/// When the memory for the table cannot be had.
pub fn run<G: Game>(
    options: &Options,
    signals: &Signals,
    mut progress: impl FnMut(&str),
) -> Result<Option<Totals>, TableError> {
    let mut searcher = Searcher::<G>::new(options.hash_mib, options.threads)?;
    let depth = i32::try_from(options.depth).unwrap_or(i32::MAX);
    let limits = Limits {
        depth: Some(Depth(depth.clamp(1, Depth::MAX.0))),
        ..Limits::default()
    };
    let count = positions(G::ID).count();
    let started = Instant::now();
    let mut nodes = 0;
    for (index, fen) in positions(G::ID).enumerate() {
        let Ok(position) = G::Position::from_fen(fen) else {
            debug_assert!(false, "bench position {fen}");
            continue;
        };
        let conclusion = searcher.search(&position, &limits, signals, &mut ());
        if signals.is_stopped() {
            return Ok(None);
        }
        nodes += conclusion.nodes;
        let number = index + 1;
        progress(&format!("{number}/{count} {} {fen}", conclusion.nodes));
    }
    Ok(Some(Totals {
        time: started.elapsed(),
        nodes,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Arbiter;
    use crate::games::{Chess, Xiangqi};

    fn check<G: Game>() {
        assert!(positions(G::ID).count() >= 40);
        for fen in positions(G::ID) {
            let position = G::Position::from_fen(fen).unwrap();
            assert!(position.ending().is_none(), "{fen}");
            let text = position.to_fen(crate::game::TextStyle::default());
            assert_eq!(text, fen);
        }
    }

    #[test]
    fn there_are_enough_positions_and_each_is_a_game_going_on() {
        check::<Chess>();
        check::<Xiangqi>();
    }

    #[test]
    fn the_closing_lines_have_their_exact_form() {
        let totals = Totals {
            time: Duration::from_millis(2531),
            nodes: 3_912_345,
        };
        assert_eq!(
            totals.report(),
            "Total time (ms) : 2531\nNodes searched  : 3912345\nNodes/second    : 1545770"
        );
    }
}
