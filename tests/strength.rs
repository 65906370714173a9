//! Weakened play: what a player of a level does not do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "support/process.rs"]
mod process;

use process::{Engine, best_move};
use twofold::game::{Arbiter, Game, KeyStream, Notation, Outcome, TextStyle};
use twofold::games::{Chess, Xiangqi};

/// Positions to play from.
const POSITIONS: usize = 200;
/// Games are given up after so many plies.
const PLIES: usize = 160;

/// Does a move of the side to move win the game at once?
fn has_mate<P: Arbiter>(position: &P) -> bool {
    let mut board = position.clone();
    let winner = Outcome::Win(position.side_to_move());
    position.legal_moves().iter().any(|m| {
        board.make(*m, &mut ());
        // Only a side that may not move has lost: rules of repetition are another matter.
        let wins = board.count_moves() == 0 && board.ending().is_some_and(|e| e.outcome == winner);
        board.unmake();
        wins
    })
}

/// Does this move let the other side mate at once?
fn allows_mate<P: Arbiter>(position: &P, m: P::Move) -> bool {
    let mut board = position.clone();
    board.make(m, &mut ());
    has_mate(&board)
}

/// Positions of random games, as FENs, in which some moves allow a mate in one and others do not.
fn dangerous<P: Notation>() -> Vec<String> {
    let mut stream = KeyStream::new(2026);
    let mut found = Vec::new();
    loop {
        let mut position = P::start();
        for _ in 0..PLIES {
            let moves = position.legal_moves();
            if position.ending().is_some() {
                break;
            }
            let harm = moves.iter().filter(|m| allows_mate(&position, **m)).count();
            if harm > 0 && harm < moves.len() && !has_mate(&position) {
                found.push(position.to_fen(TextStyle::default()));
                if found.len() == POSITIONS {
                    return found;
                }
            }
            let key;
            (key, stream) = stream.next();
            position.make(moves[key.0 as usize % moves.len()], &mut ());
        }
    }
}

fn never_walks_into_mate<G: Game>(setup: &[&str]) {
    let mut engine = Engine::start(&[]);
    setup.iter().for_each(|line| engine.send(line));
    engine.send("setoption name UCI_LimitStrength value true");
    engine.send("setoption name UCI_Elo value 1500");
    engine.sync();
    let mut lost = 0;
    for fen in dangerous::<G::Position>() {
        engine.send(&format!("position fen {fen}"));
        engine.send("go wtime 10000 btime 10000");
        let lines = engine.answer();
        let text = best_move(&lines[lines.len() - 1]);
        let position = G::Position::from_fen(&fen).unwrap();
        let m = position.parse_move(text, TextStyle::default()).unwrap();
        lost += usize::from(allows_mate(&position, m));
    }
    assert_eq!(lost, 0, "of {POSITIONS}");
}

#[test]
fn at_1500_no_avoidable_mate_in_one_is_allowed_in_chess() {
    never_walks_into_mate::<Chess>(&[]);
}

#[test]
fn at_1500_no_avoidable_mate_in_one_is_allowed_in_xiangqi() {
    never_walks_into_mate::<Xiangqi>(&[
        "setoption name UCI_Variant value xiangqi",
        "setoption name UCI_XiangqiRanks value pikafish",
    ]);
}
