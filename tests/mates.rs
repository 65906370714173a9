//! Mates in two to six moves of both games, found by the shared search within a fixed number of
//! nodes, with their exact distance and a line that ends in mate.
//!
//! The positions are made by `tests/clients/make_mates.py` and confirmed by other engines.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::time::Instant;

use twofold::game::{Arbiter, Ending, Game, Notation, Outcome, Position};
use twofold::games::{Chess, Xiangqi};
use twofold::search::{Bound, Info, Limits, MoveOf, Reporter, Searcher, Signals};

/// Nodes allowed for each mate.
const NODES: u64 = 1_000_000;

/// Keeps the last exact line.
struct LastLine<M>(Vec<M>);

impl<M: Copy> Reporter<M> for LastLine<M> {
    fn info(&mut self, info: &Info<'_, M>) {
        if info.bound == Bound::Exact && info.line == 1 {
            self.0 = info.pv.to_vec();
        }
    }
}

fn find<G: Game>(text: &str) {
    let mut searcher = Searcher::<G>::new(16, 1).unwrap();
    let mut found = 0;
    for line in text
        .lines()
        .filter(|l| !l.starts_with('#') && !l.is_empty())
    {
        let (fen, moves) = line.split_once(" ;M ").unwrap();
        let moves: u32 = moves.trim().parse().unwrap();
        let mut position = G::Position::from_fen(fen).unwrap();
        let limits = Limits {
            nodes: Some(NODES),
            mate: Some(moves),
            ..Limits::default()
        };
        searcher.clear();
        let signals = Signals::new(Instant::now(), false);
        let mut last = LastLine(Vec::<MoveOf<G>>::new());
        let conclusion = searcher.search(&position, &limits, &signals, &mut last);

        let plies = 2 * moves as i32 - 1;
        assert_eq!(conclusion.score.mate_plies(), Some(plies), "{line}");
        assert_eq!(
            last.0.len() as i32,
            plies,
            "the line is as long as the mate: {line}"
        );
        let winner = position.side_to_move();
        for m in last.0 {
            assert!(position.legal_moves().contains(&m), "{line}");
            position.make(m, &mut ());
        }
        let outcome = position.ending().map(|Ending { outcome, .. }| outcome);
        assert_eq!(outcome, Some(Outcome::Win(winner)), "{line}");
        found += 1;
    }
    assert!(found >= 30, "only {found} mates to find");
}

#[test]
fn chess_mates_are_found() {
    find::<Chess>(include_str!("data/mates-chess.epd"));
}

#[test]
fn xiangqi_mates_are_found() {
    find::<Xiangqi>(include_str!("data/mates-xiangqi.epd"));
}
