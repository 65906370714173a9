//! Where the other side could capture, in positions of random games, against each game's answer to
//! "does this piece attack that square?".
#![allow(clippy::unwrap_used)]

mod support;

use twofold::chess::{self, PerLookup};
use twofold::game::{Notation, Position, TextStyle};
use twofold::xiangqi::{self, PieceKind, generate};

/// Shows the positions of twenty games of random moves.
fn walk<P: Notation>(look: impl Fn(&P)) {
    for seed in 0..20 {
        support::walk(P::start(), seed, 150, |position, _| look(position));
    }
}

#[test]
fn chess_knows_what_is_attacked() {
    walk(|board: &chess::Board| {
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
    walk(|board: &xiangqi::Board| {
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
