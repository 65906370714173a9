//! Known numbers of leaves, chess and Chess960.
//!
//! `tests/data/perft-chess.epd` and `perft-chess960.epd` are positions from random playouts,
//! counted by Stockfish, every tenth checked by a second generator. To count further, and other
//! files: `PERFT_NODES=N PERFT_EPD=FILE[:FILE...] cargo test --release --test perft_chess`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // That is how tests fail.

mod support;

use std::sync::atomic::AtomicBool;

use support::{chess::USUAL, read_perft};
use twofold::chess::Board;
use twofold::game::Notation;
use twofold::perft::{Options, divide, perft};

/// The largest count that is checked unless the environment says otherwise: debug builds check
/// the board after every move.
const NODES: u64 = if cfg!(debug_assertions) {
    30_000
} else {
    5_000_000
};

fn limit() -> u64 {
    std::env::var("PERFT_NODES").map_or(NODES, |n| n.parse().expect("a number"))
}

/// The counts of the usual positions (chessprogramming wiki, "Perft Results"), from depth 1 on.
const USUAL_COUNTS: [&[u64]; 6] = [
    &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324],
    &[48, 2_039, 97_862, 4_085_603, 193_690_690],
    &[14, 191, 2_812, 43_238, 674_624, 11_030_083],
    &[6, 264, 9_467, 422_333, 15_833_292],
    &[44, 1_486, 62_379, 2_103_487, 89_941_194],
    &[46, 2_079, 89_890, 3_894_594, 164_075_551],
];

fn check(fen: &str, counts: &[u64], limit: u64, options: &Options) {
    let board = Board::from_fen(fen).expect(fen);
    for (depth, &expected) in (1..).zip(counts).filter(|&(_, &count)| count <= limit) {
        let found = perft(&board, depth, options, &AtomicBool::new(false));
        assert_eq!(found, Some(expected), "depth {depth} of {fen}");
    }
}

fn check_file(path: &str, limit: u64) {
    let lines = read_perft(path);
    assert!(!lines.is_empty(), "{path} is empty");
    for line in lines {
        check(&line.fen, &line.counts, limit, &Options::default());
    }
}

#[test]
fn usual_positions() {
    for (fen, counts) in USUAL.into_iter().zip(USUAL_COUNTS) {
        check(fen, counts, limit(), &Options::default());
    }
}

#[test]
fn random_playouts() {
    check_file("tests/data/perft-chess.epd", limit() / 10);
}

#[test]
fn random_playouts_of_chess960() {
    check_file("tests/data/perft-chess960.epd", limit() / 10);
}

#[test]
fn files_named_by_the_environment() {
    let Ok(paths) = std::env::var("PERFT_EPD") else {
        return;
    };
    for path in paths.split(':') {
        check_file(path, limit());
    }
}

#[test]
fn threads_and_table_change_no_count() {
    for hash_mib in [0, 1] {
        for threads in [0, 1, 3] {
            let options = Options { threads, hash_mib };
            for (fen, counts) in USUAL.into_iter().zip(USUAL_COUNTS) {
                check(fen, counts, NODES / 10, &options);
            }
        }
    }
}

#[test]
fn divide_sums_up_and_knows_depth_zero() {
    let board = Board::start();
    let options = Options::default();
    let go = AtomicBool::new(false);
    assert_eq!(perft(&board, 0, &options, &go), Some(1));
    assert_eq!(divide(&board, 0, &options, &go), Some(Vec::new()));
    let parts = divide(&board, 3, &options, &go).expect("not aborted");
    assert_eq!(parts.len(), 20);
    assert_eq!(parts.iter().map(|(_, nodes)| nodes).sum::<u64>(), 8_902);
}

#[test]
fn an_abort_ends_the_count() {
    for threads in [1, 2] {
        let options = Options {
            threads,
            hash_mib: 0,
        };
        assert_eq!(
            perft(&Board::start(), 30, &options, &AtomicBool::new(true)),
            None
        );
    }
}
