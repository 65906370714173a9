//! `position`, good and bad.

use std::time::{Duration, Instant};

use crate::process::{best_move, field};
use crate::{checked_answer, uci};

#[test]
fn d15_promotion_en_passant_and_short_fens() {
    let mut engine = uci();
    engine.send("position fen 4k3/P7/8/8/8/8/8/4K3 w");
    engine.send("go depth 2");
    assert_eq!(best_move(&checked_answer(&mut engine)), "a7a8q", "BM-1");
    engine.send("position startpos moves e2e4 a7a6 e4e5 d7d5");
    engine.send("go depth 1 searchmoves e5d6");
    assert_eq!(best_move(&checked_answer(&mut engine)), "e5d6");
    engine.send("position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    engine.send("d");
    let fen = "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert!(engine.sync().iter().any(|line| line == fen), "POS-3");
}

#[test]
fn d22_hostile_input_gets_one_remark_each() {
    let mut engine = uci();
    engine.send("joho debug on");
    assert!(engine.sync().is_empty());
    engine.send("position fen 8/8/8/8/8/8/8/8 w - - 0 1");
    let lines = engine.sync();
    assert!(lines[0].starts_with("info string Invalid position: "));
    assert!(lines[0].ends_with("; keeping the previous one"));
    engine.send("position startpos moves e2e4 e2e4 d7d5");
    assert_eq!(engine.sync(), ["info string Illegal move e2e4 at ply 2"]);
    engine.send("go wtime -50 btime 99999999999999999999 movestogo 0 foo 12 depth");
    let answer = checked_answer(&mut engine);
    assert!(matches!(best_move(&answer).as_bytes()[1], b'7' | b'8'));
    engine.send("xyzzy");
    assert_eq!(engine.sync(), ["info string Unknown command: 'xyzzy'"]);
    for line in [
        "",
        "# nothing",
        "   ",
        "xboard",
        "protover 2",
        "register later",
        "ponderhit",
    ] {
        engine.send(line);
    }
    assert!(engine.sync().is_empty());
}

#[test]
fn pos_6_null_moves_in_the_list_and_capital_letters() {
    let mut engine = uci();
    engine.send("position startpos moves E2E4 0000 d2d4");
    engine.send("d");
    let lines = engine.sync();
    let board = "Fen: rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - ";
    assert!(
        lines.iter().any(|line| line.starts_with(board)),
        "{lines:#?}"
    );
    engine.send("position startpos moves e2e4 f7f5 d1h5 0000");
    assert_eq!(engine.sync(), ["info string Illegal move 0000 at ply 4"]);
}

#[test]
fn pos_8_the_repetition_history_counts() {
    // White is a rook up; the third occurrence of the root's successor would throw that away.
    let mut engine = uci();
    let fen = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    engine.send(&format!(
        "position fen {fen} moves a1b1 g8f8 b1a1 f8g8 a1b1 g8f8 b1a1 f8g8"
    ));
    engine.send("go depth 6 searchmoves a1b1");
    let lines = engine.answer();
    assert_eq!(field(&lines[lines.len() - 2], "cp"), Some("0"));
}

#[test]
fn pos_9_a_thousand_plies() {
    let mut engine = uci();
    engine.sync();
    let cycle = "g1f3 g8f6 f3g1 f6g8 ".repeat(250);
    engine.send(&format!("position startpos moves {cycle}"));
    let asked = Instant::now();
    engine.sync();
    assert!(asked.elapsed() < Duration::from_millis(500));
    engine.send("go depth 3");
    checked_answer(&mut engine);
}
