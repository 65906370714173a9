//! The bench: fixed positions of each game searched to a fixed depth.
//!
//! With one thread the node count is the *signature* of the search: equal on every machine, and
//! changed by any change of behaviour. The time measures speed.

use std::io;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::engine::files;
use crate::engine::memory::within_memory;
use crate::game::{Depth, FenError, Game, GameId, Notation, TextStyle};
use crate::perft;
use crate::protocol::{BenchRequest, BenchSource, BenchUnit};
use crate::search::{Limits, Searcher, Signals, TableError};

/// The limits where none are given.
const DEPTH: u64 = 13;
const NODES: u64 = 100_000;
const MILLIS: u64 = 1_000;
const PERFT_DEPTH: u64 = 4;
/// Size of the table where none is given.
const HASH_MIB: usize = 16;
/// As many as the option `Threads` allows.
pub(super) const THREADS_MAX: usize = 1024;

/// Openings, middle games and endgames, one FEN a line: from games of this engine against itself.
const CHESS: &str = include_str!("bench-chess.fen");
const XIANGQI: &str = include_str!("bench-xiangqi.fen");

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

/// Why there was no bench.
#[derive(Debug, Error)]
pub enum BenchError {
    /// The memory for the table cannot be had.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The file cannot be read.
    #[error("bench: '{0}': {1}")]
    File(String, io::Error),
    /// A line of the file is no position.
    #[error("bench: '{0}', line {1}: {2}")]
    Position(String, usize, FenError),
    /// There is nothing to search.
    #[error("bench: no position")]
    Empty,
}

/// Searches all positions with these weights and tells `progress` of each; `current` is the
/// position on the board. `None` when `signals` stopped it.
///
/// # Errors
/// When there are no positions, or no memory for the table.
pub fn run<G: Game>(
    request: &BenchRequest,
    weights: &G::Weights,
    current: Option<&G::Position>,
    signals: &Signals,
    mut progress: impl FnMut(&str),
) -> Result<Option<Totals>, BenchError> {
    let size = |n: Option<u32>, default: usize| n.map_or(default, |n| n.max(1) as usize);
    let threads = size(request.threads, 1).min(THREADS_MAX);
    within_memory(size(request.hash, HASH_MIB), 0)?;
    let positions = positions_of::<G>(&request.source, current)?;
    let mut searcher = Searcher::<G>::new(size(request.hash, HASH_MIB), threads)?;
    searcher.set_weights(weights.clone());
    let started = Instant::now();
    let mut nodes = 0;
    for (index, position) in positions.iter().enumerate() {
        let Some(count) = measure(&mut searcher, position, request, threads, signals) else {
            return Ok(None);
        };
        nodes += count;
        let (number, all) = (index + 1, positions.len());
        let fen = position.to_fen(TextStyle::default());
        progress(&format!("{number}/{all} {count} {fen}"));
    }
    Ok(Some(Totals {
        time: started.elapsed(),
        nodes,
    }))
}

/// Nodes that a position took, by searching it or by counting; `None` when stopped.
fn measure<G: Game>(
    searcher: &mut Searcher<G>,
    position: &G::Position,
    request: &BenchRequest,
    threads: usize,
    signals: &Signals,
) -> Option<u64> {
    let mut limits = Limits::default();
    match (request.unit, request.limit) {
        (BenchUnit::Perft, limit) => {
            let options = perft::Options {
                threads,
                hash_mib: 0,
            };
            let depth = u32::try_from(limit.unwrap_or(PERFT_DEPTH)).unwrap_or(u32::MAX);
            return perft::perft(position, depth, &options, signals.stop_flag());
        }
        (BenchUnit::Depth, limit) => {
            let depth = i32::try_from(limit.unwrap_or(DEPTH)).unwrap_or(i32::MAX);
            limits.depth = Some(Depth(depth.clamp(1, Depth::MAX.0)));
        }
        (BenchUnit::Nodes, limit) => limits.nodes = Some(limit.unwrap_or(NODES).max(1)),
        (BenchUnit::MoveTime, limit) => {
            // Time counts from the start of the whole bench.
            let time = Duration::from_millis(limit.unwrap_or(MILLIS));
            limits.move_time = Some(signals.started().elapsed() + time);
        }
    }
    let conclusion = searcher.search(position, &limits, signals, &mut ());
    (!signals.is_stopped()).then_some(conclusion.nodes)
}

/// The positions to search.
fn positions_of<G: Game>(
    source: &BenchSource,
    current: Option<&G::Position>,
) -> Result<Vec<G::Position>, BenchError> {
    let found = match source {
        BenchSource::Default => {
            let parse = |fen| G::Position::from_fen(fen).ok();
            positions(G::ID).filter_map(parse).collect()
        }
        BenchSource::Current => current.into_iter().cloned().collect(),
        BenchSource::File(path) => positions_in::<G>(path)?,
    };
    match found {
        positions if positions.is_empty() => Err(BenchError::Empty),
        positions => Ok(positions),
    }
}

/// The positions of a file: a FEN or an EPD a line, blank lines and comments (`#`) aside.
fn positions_in<G: Game>(path: &str) -> Result<Vec<G::Position>, BenchError> {
    let bytes = files::read(path, u64::MAX);
    let bytes = bytes.map_err(|error| BenchError::File(path.to_owned(), error))?;
    let text = String::from_utf8_lossy(&bytes);
    let lines = text.lines().map(str::trim).enumerate();
    let told = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    told.map(|(index, line)| {
        let fen = line.split(';').next().unwrap_or(line);
        let position = G::Position::from_fen(fen);
        position.map_err(|error| BenchError::Position(path.to_owned(), index + 1, error))
    })
    .collect()
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
            let text = position.to_fen(TextStyle::default());
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
