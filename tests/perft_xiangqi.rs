//! Known move counts of xiangqi.

#[path = "support/xiangqi.rs"]
mod support;

use support::{board, perft, read_epd};
use twofold::game::Notation;
use twofold::xiangqi::Board;

/// Nodes that one count may take: debug builds check the board after every move.
const MAX_NODES: u64 = if cfg!(debug_assertions) {
    100_000
} else {
    10_000_000
};

/// The counts every xiangqi engine publishes for the start position.
const START_COUNTS: [u64; 5] = [44, 1920, 79_666, 3_290_240, 133_312_995];

#[test]
fn start_position() {
    let mut start = Board::start();
    for (depth, &expected) in (1..).zip(&START_COUNTS) {
        // The deepest one takes a release build less than two seconds.
        if expected <= 20 * MAX_NODES {
            assert_eq!(perft(&mut start, depth), expected, "depth {depth}");
        }
    }
}

#[test]
fn positions_of_random_games() {
    let positions = read_epd(include_str!("data/perft-xiangqi.epd"));
    assert!(positions.len() >= 30);
    for position in positions {
        let mut board = board(position.fen);
        for (depth, expected) in position.counts {
            if expected <= MAX_NODES {
                assert_eq!(
                    perft(&mut board, depth),
                    expected,
                    "{} depth {depth}",
                    position.fen
                );
            }
        }
    }
}
