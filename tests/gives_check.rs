//! Moves that give check, known before they are made, against the position after them.
#![allow(clippy::unwrap_used)]

mod support;

use support::{read_perft, walk};
use twofold::game::{Notation, Position, TextStyle};
use twofold::{chess, xiangqi};

/// Compares all moves of games of random moves from these positions; returns how many gave check.
fn checks<P: Position + Notation>(starts: impl Iterator<Item = String>) -> usize {
    let mut checks = 0;
    for (seed, start) in starts.enumerate() {
        let position = P::from_fen(&start).unwrap();
        walk(position, seed as u64, 120, |position, moves| {
            for &m in moves {
                let said = position.gives_check(m);
                position.make(m, &mut ());
                let is_check = position.in_check();
                position.unmake();
                let place = || position.to_fen(TextStyle::default());
                assert_eq!(said, is_check, "{m:?} in {}", place());
                checks += usize::from(said);
            }
        });
    }
    checks
}

fn positions(file: &str) -> impl Iterator<Item = String> {
    let lines = read_perft(file).into_iter().map(|line| line.fen);
    lines.take(60)
}

#[test]
fn chess_knows_its_checks() {
    assert!(checks::<chess::Board>(positions("tests/data/perft-chess.epd")) > 1000);
}

#[test]
fn xiangqi_knows_its_checks() {
    assert!(checks::<xiangqi::Board>(positions("tests/data/perft-xiangqi.epd")) > 1000);
}
