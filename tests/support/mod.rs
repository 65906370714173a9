//! What several tests share: test data and random numbers.
#![allow(dead_code)] // Each test file uses a part of it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // That is how tests fail.

pub mod chess;
pub mod fake_engine;

use std::fs;
use std::path::Path;

use twofold::game::{MoveList, Position};

/// One line of perft data: a position and its counts, from depth 1 on.
pub struct PerftLine {
    pub fen: String,
    pub counts: Vec<u64>,
}

/// Reads `FEN ;D1 20 ;D2 400 ...` lines; empty lines and those that begin with `#` are comments.
pub fn read_perft(path: impl AsRef<Path>) -> Vec<PerftLine> {
    let text = fs::read_to_string(path.as_ref()).expect("perft data");
    let lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    lines.map(parse_perft_line).collect()
}

fn parse_perft_line(line: &str) -> PerftLine {
    let mut parts = line.split(';');
    let fen = parts.next().expect("a FEN").trim().to_owned();
    let counts = parts.enumerate().map(|(i, part)| {
        let (depth, count) = part.trim().split_once(' ').expect("depth and count");
        assert_eq!(depth, format!("D{}", i + 1), "in {line}");
        count.trim().parse().expect("a count")
    });
    PerftLine {
        counts: counts.collect(),
        fen,
    }
}

/// Random numbers that are the same in every run: xorshift64* (S. Vigna, 2016).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

/// Plays random moves from a position, and shows every position on the way with its legal moves.
/// Whoever looks leaves the position as it was.
pub fn walk<P: Position>(
    mut position: P,
    seed: u64,
    plies: usize,
    mut look: impl FnMut(&mut P, &MoveList<P::Move>),
) {
    let mut random = Random::new(seed);
    for _ in 0..plies {
        let moves = position.legal_moves();
        look(&mut position, &moves);
        if moves.is_empty() {
            break;
        }
        position.make(moves[random.below(moves.len())], &mut ());
    }
}
