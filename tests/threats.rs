//! Where the other side could capture, in positions of random games, against each game's answer to
//! "does this piece attack that square?".
#![allow(clippy::unwrap_used)]

use twofold::chess::{self, PerLookup};
use twofold::game::{KeyStream, Notation, Position, TextStyle};
use twofold::xiangqi::{self, PieceKind, generate};

/// Shows the positions of so many games of random moves.
fn walk<P: Position + Notation>(games: u64, mut look: impl FnMut(&P)) {
    for seed in 0..games {
        let mut position = P::start();
        let mut lots = KeyStream::new(seed);
        for _ in 0..150 {
            look(&position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let (key, rest) = lots.next();
            lots = rest;
            position.make(moves[key.0 as usize % moves.len()], &mut ());
        }
    }
}

#[test]
fn chess_knows_what_is_attacked() {
    walk(20, |board: &chess::Board| {
        let state = board.state();
        let them = state.side(!state.side_to_move());
        let threatened = board.threatened();
        for sq in chess::Square::ALL {
            let attackers = state.attackers(sq, state.occupied(), PerLookup) & them;
            assert_eq!(
                threatened.contains(sq.index() as u8),
                attackers.any(),
                "{sq} {}",
                board.to_fen(TextStyle::default())
            );
        }
    });
}

#[test]
fn xiangqi_knows_where_the_other_side_can_go_or_capture() {
    walk(20, |board: &xiangqi::Board| {
        let (placement, us) = (board.placement(), board.side_to_move());
        let threatened = board.threatened();
        for to in xiangqi::Square::all() {
            let is_prey = placement.cell(to).is_prey_of(!us);
            let could_capture = placement.men().any(|(man, from)| {
                man.side() != us
                    && (man.kind() != PieceKind::Cannon || is_prey)
                    && generate::is_pseudo_legal(placement, !us, from, to)
            });
            assert_eq!(
                threatened.contains(to.dense()),
                could_capture,
                "{to} {}",
                board.to_fen(TextStyle::default())
            );
        }
    });
}
