//! Mates in two to six moves of both games, found by the shared search within a fixed number of
//! nodes, with their exact distance and a line that ends in mate.
//!
//! The positions are made by `tests/clients/make_mates.py` and confirmed by other engines.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::time::Instant;

use twofold::game::{Arbiter, Depth, Ending, Game, Notation, Outcome, Position, Score};
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

#[test]
fn a_mate_that_begins_with_a_sacrifice_is_found_soon() {
    let fen = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let limits = Limits {
        nodes: Some(20_000),
        mate: Some(2),
        ..Limits::default()
    };
    let position = <Chess as Game>::Position::from_fen(fen).unwrap();
    let mut searcher = Searcher::<Chess>::new(1, 1).unwrap();
    let signals = Signals::new(Instant::now(), false);
    let conclusion = searcher.search(&position, &limits, &signals, &mut ());
    assert_eq!(conclusion.score.mate_plies(), Some(3));
}

/// Keeps the scores of each line, one of an iteration.
struct Scores(Vec<Vec<Score>>);

impl<M> Reporter<M> for Scores {
    fn info(&mut self, info: &Info<'_, M>) {
        if info.bound == Bound::Exact {
            self.0.resize(self.0.len().max(info.line), Vec::new());
            self.0[info.line - 1].push(info.score);
        }
    }
}

/// Once a line is a mate, for either side, it is one in all later iterations.
fn stays<G: Game>(searcher: &mut Searcher<G>, fen: &str, depth: i32, lines: usize) -> u32 {
    let position = G::Position::from_fen(fen).unwrap();
    let limits = Limits {
        depth: Some(Depth(depth)),
        nodes: Some(NODES),
        multi_pv: lines,
        ..Limits::default()
    };
    searcher.clear();
    let signals = Signals::new(Instant::now(), false);
    let mut scores = Scores(Vec::new());
    searcher.search(&position, &limits, &signals, &mut scores);
    let mut mates = 0;
    for line in scores.0 {
        let first = line.iter().position(|score| score.is_mate());
        let later = &line[first.unwrap_or(line.len())..];
        let kept = later.iter().all(|score| score.is_mate());
        assert!(kept, "{fen}, {lines} lines: {line:?}");
        mates += u32::from(!later.is_empty());
    }
    mates
}

#[test]
fn a_mate_once_proved_is_not_taken_back() {
    let mut searcher = Searcher::<Chess>::new(1, 1).unwrap();
    let mut mates = 0;
    // The side to move is mated, after iterations that do not see it again; the last one mates.
    for fen in [
        "8/1Q6/8/8/7K/8/3k4/8 b - - 0 1",
        "R7/8/8/8/K7/8/8/1k6 b - - 0 1",
        "8/6K1/8/8/8/8/5R2/k7 b - - 0 1",
        "2K5/8/3r4/4k3/8/8/8/8 w - - 22 60",
        "2K5/8/3r4/4k3/8/8/8/8 b - - 22 60",
    ] {
        mates += stays(&mut searcher, fen, 20, 1) + stays(&mut searcher, fen, 20, 4);
    }
    // Which of them are found in so few nodes depends on the evaluation.
    assert!(mates > 10, "only {mates} mates to keep");
}

#[test]
fn mates_stay_while_the_search_deepens() {
    fn all<G: Game>(text: &str) {
        let mut searcher = Searcher::<G>::new(1, 1).unwrap();
        let lines = text
            .lines()
            .filter(|l| !l.starts_with('#') && !l.is_empty());
        let fens = lines.filter_map(|line| Some(line.split_once(" ;M ")?.0));
        let mates: u32 = fens
            .step_by(3)
            .map(|fen| stays(&mut searcher, fen, 14, 2))
            .sum();
        assert!(mates > 10, "only {mates} mates to keep");
    }
    all::<Chess>(include_str!("data/mates-chess.epd"));
    all::<Xiangqi>(include_str!("data/mates-xiangqi.epd"));
}

/// What the table knows from a game with time enough is no proof where the fifty moves are near.
#[test]
fn a_mate_too_late_is_none_though_the_table_has_it() {
    let mut searcher = Searcher::<Chess>::new(16, 1).unwrap();
    let signals = || Signals::new(Instant::now(), false);
    let board = |clock: &str| {
        let fen = format!("8/8/3k4/8/3K4/8/8/7Q b - - {clock}");
        <Chess as Game>::Position::from_fen(&fen).unwrap()
    };
    let mut limits = Limits {
        depth: Some(Depth(20)),
        nodes: Some(1_500_000),
        ..Limits::default()
    };
    searcher.search(&board("0 1"), &limits, &signals(), &mut ());
    limits.depth = Some(Depth(9));
    limits.multi_pv = 8;
    let mut scores = Scores(Vec::new());
    searcher.search(&board("93 100"), &limits, &signals(), &mut scores);
    let last: Vec<_> = scores.0.iter().filter_map(|line| line.last()).collect();
    // Mated in six, twelve plies, it would be after the fifty moves.
    assert!(
        last.iter()
            .all(|score| score.mate_plies().is_none_or(|plies| plies.abs() <= 7)),
        "{last:?}"
    );
}
