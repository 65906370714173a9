//! Xiangqi over UCI.

use crate::process::{Engine, best_move};
use crate::{FIRST_MOVES, checked_answer, uci};

#[test]
fn xiangqi_over_uci_by_option_with_ranks_from_one() {
    let mut engine = uci();
    engine.send("setoption name UCI_Variant value xiangqi");
    engine.send("position startpos moves h3e3");
    assert!(engine.sync().is_empty());
    engine.send("go depth 2 searchmoves h10g8");
    let answer = engine.answer();
    assert_eq!(best_move(answer.last().unwrap()), "h10g8");
    engine.send("setoption name UCI_XiangqiRanks value pikafish");
    engine.send("position startpos moves h2e2");
    engine.send("go depth 2 searchmoves h9g7");
    let answer = engine.answer();
    assert_eq!(best_move(answer.last().unwrap()), "h9g7");
    engine.send("setoption name UCI_Variant value chess");
    engine.send("position startpos");
    engine.send("go depth 2");
    let answer = checked_answer(&mut engine);
    assert!(FIRST_MOVES.contains(&best_move(&answer)));
}

#[test]
fn xiangqi_over_uci_from_the_first_word_and_sylvans_doubled_positions() {
    let mut engine = Engine::start(&["uci", "--game", "xiangqi"]);
    engine.send("uci");
    let lines = engine.until_line("uciok");
    let variant = "option name UCI_Variant type combo default xiangqi var chess var xiangqi";
    assert!(lines.iter().any(|line| line == variant));
    let fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    engine.send("newgame");
    engine.send(&format!("position fen {fen} moves h2e2"));
    engine.send(&format!("fen {fen} moves h2e2"));
    assert!(engine.sync().is_empty());
    engine.send("go depth 1 searchmoves h9g7");
    assert_eq!(best_move(engine.answer().last().unwrap()), "h9g7");
    // No move is a loss in xiangqi, in check or not.
    engine.send("position fen 3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1");
    engine.send("go depth 5");
    assert_eq!(
        engine.answer(),
        ["info depth 0 score mate 0", "bestmove (none)"]
    );
}
