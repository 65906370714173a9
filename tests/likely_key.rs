//! The key that a position is said to have after a move, before the move is made: it need not
//! always be right, but memory fetched for a wrong one is fetched in vain.
#![allow(clippy::unwrap_used)]

mod support;

use support::walk;
use twofold::game::{Notation, Position};
use twofold::{chess, xiangqi};

/// The share of the moves in games of random moves whose key was foretold, in percent.
fn foretold<P: Position + Notation>(games: u64) -> usize {
    let (mut right, mut all) = (0, 0);
    for seed in 0..games {
        walk(P::start(), seed, 200, |position, moves| {
            for &m in moves {
                let likely = position.likely_key_after(m);
                position.make(m, &mut ());
                right += usize::from(position.table_key() == likely);
                position.unmake();
            }
            all += moves.len();
        });
    }
    right * 100 / all
}

#[test]
fn chess_foretells_nearly_every_key() {
    let percent = foretold::<chess::Board>(20);
    assert!((90..100).contains(&percent), "{percent} %");
}

#[test]
fn xiangqi_foretells_nearly_every_key() {
    let percent = foretold::<xiangqi::Board>(20);
    assert!((90..=100).contains(&percent), "{percent} %");
}
