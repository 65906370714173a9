//! Bans, draws, mates, and positions without a move.

use std::time::{Duration, Instant};

use crate::process::{best_move, field};
use crate::{check_lines, checked_answer, last, ucci};

#[test]
fn d17_15_banmoves() {
    let mut engine = ucci();
    let fen = "1r2kab1r/2c1a4/n1c1b1n2/4p2N1/p1p6/1C4P2/P1P1P4/2N1B3C/4A4/1RBAK2R1 w - - 0 1";
    let moves = "h6i4 i9h9 i4h6 h9i9";
    engine.send(&format!("position fen {fen} moves {moves}"));
    engine.send("banmoves h6i4");
    engine.send("go time 6000 increment 0");
    let lines = checked_answer(&mut engine);
    check_lines(fen, moves, &lines);
    assert_ne!(best_move(last(&lines)), "h6i4");
    // Still in force for another search of the same position, and if it were the only move left.
    engine.send("go depth 2");
    let lines = checked_answer(&mut engine);
    assert!(!lines.iter().any(|line| field(line, "pv") == Some("h6i4")));
    engine.send("go depth 2 searchmoves h6i4");
    assert_eq!(engine.answer(), ["nobestmove"]);
    // The next position clears it.
    engine.send(&format!("position fen {fen}"));
    engine.send("go depth 2");
    check_lines(fen, "", &checked_answer(&mut engine));
    engine.send("go depth 2 searchmoves h6i4");
    assert_eq!(best_move(last(&checked_answer(&mut engine))), "h6i4");
}

#[test]
fn a22_bans_end_with_a_new_game_and_are_replaced() {
    let mut engine = ucci();
    engine.send("position fen 3k5/9/9/9/9/9/9/9/4R4/4K4 w - - 0 1");
    engine.send("go depth 3");
    let free = best_move(last(&checked_answer(&mut engine))).to_owned();
    engine.send(&format!("banmoves {free} z9z9"));
    for _ in 0..2 {
        engine.send("go depth 3");
        assert_ne!(best_move(last(&checked_answer(&mut engine))), free);
    }
    engine.send("banmoves e0f0");
    engine.send("setoption newgame");
    engine.send("go depth 3");
    assert_eq!(best_move(last(&checked_answer(&mut engine))), free);
}

#[test]
fn d17_16_every_legal_move_banned() {
    let mut engine = ucci();
    engine.send("position fen 3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1");
    engine.send("banmoves d9d8");
    engine.send("go time 60000 increment 0");
    assert_eq!(engine.answer(), ["nobestmove"]);
    engine.send("position fen 3k5/9/9/9/9/9/9/9/9/R3K4 b - - 0 1");
    engine.send("go depth 1");
    assert_eq!(best_move(last(&checked_answer(&mut engine))), "d9d8");
}

#[test]
fn d17_17_draw_offers() {
    let mut engine = ucci();
    // The specification's own: nobody can win.
    engine.send("position fen 3ak4/4a4/9/8p/9/9/8P/9/4A4/3AK4 w - - 40 60");
    engine.send("go draw time 60000 increment 0 opptime 60000 oppincrement 0");
    assert!(last(&checked_answer(&mut engine)).ends_with(" draw"));
    // Red is a rook down and glad of a draw; Black is not.
    let fen = "3ak4/4a4/9/8p/9/r8/8P/9/4A4/3AK4";
    engine.send(&format!("position fen {fen} w - - 40 60"));
    engine.send("go draw depth 4");
    assert!(last(&checked_answer(&mut engine)).ends_with(" draw"));
    engine.send(&format!("position fen {fen} b - - 40 60"));
    engine.send("go draw depth 4");
    assert!(!last(&checked_answer(&mut engine)).ends_with(" draw"));
    engine.send(&format!("position fen {fen} w - - 40 60"));
    engine.send("go ponder depth 4");
    engine.send("ponderhit draw");
    assert!(last(&checked_answer(&mut engine)).ends_with(" draw"));
    let asked = Instant::now();
    engine.send("go draw");
    checked_answer(&mut engine);
    assert!(asked.elapsed() < Duration::from_secs(3), "A10");
}

#[test]
fn d17_18_a_declined_draw_and_one_offered_on_the_hit() {
    let mut engine = ucci();
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
    // Red, to move, stands a little better.
    let moves = "h2e2 h9g7";
    engine.send(&format!("position startpos moves {moves}"));
    engine.send("go draw time 60000 increment 0");
    let lines = checked_answer(&mut engine);
    check_lines(start, moves, &lines);
    assert!(!last(&lines).ends_with("draw"), "{lines:#?}");
    let moves = "h2e2 h9g7 h0g2 i9h9";
    engine.send(&format!("position startpos moves {moves}"));
    engine.send("go ponder time 58500 increment 0");
    engine.no_answer_for(Duration::from_millis(300));
    engine.send("ponderhit draw");
    let lines = checked_answer(&mut engine);
    check_lines(start, moves, &lines);
    assert!(!last(&lines).ends_with("draw"), "{lines:#?}");
    // A rook up there is even less reason to stop.
    let fen = "3ak4/4a4/9/8p/9/R8/8P/9/4A4/3AK4 w - - 0 1";
    for (go, then) in [
        ("go draw depth 4", ""),
        ("go ponder depth 4", "ponderhit draw"),
    ] {
        engine.send(&format!("position fen {fen}"));
        engine.send(go);
        engine.send(then);
        assert!(!last(&checked_answer(&mut engine)).ends_with("draw"));
    }
}

#[test]
fn d17_20_a_mate_is_found_and_carried_out() {
    let mut engine = ucci();
    let fen = "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1";
    engine.send(&format!("position fen {fen}"));
    engine.send("go depth 10");
    let lines = checked_answer(&mut engine);
    assert_eq!(field(&lines[lines.len() - 2], "score"), Some("9997"));
    check_lines(fen, "", &lines);
    engine.send(&format!("position fen {fen} moves a0a8 e9f9"));
    engine.send("go time 59990 increment 0");
    let lines = checked_answer(&mut engine);
    assert_eq!(field(&lines[lines.len() - 2], "score"), Some("9999"));
    // Black is left without a move, which loses: there is nothing to ponder about.
    assert_eq!(last(&lines), "bestmove a8e8");
}

#[test]
fn d17_21_being_mated_soon() {
    let mut engine = ucci();
    // The only move is given little time: on a busy machine it may pass before anything is seen.
    let sees_it = (0..6).any(|_| {
        engine.send("position fen 4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1 moves a0a8");
        engine.send("go time 60000 increment 0");
        let lines = checked_answer(&mut engine);
        assert_eq!(best_move(last(&lines)), "e9f9");
        // The game is over after Red's reply.
        field(&lines[lines.len() - 2], "score") == Some("-9998") && last(&lines) == "bestmove e9f9"
    });
    assert!(sees_it);
}

#[test]
fn d17_22_nobestmove_where_there_is_no_move() {
    let mut engine = ucci();
    for fen in [
        "3Rk4/9/4P4/9/9/9/9/9/9/3K5 b - - 0 1",
        "3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1",
    ] {
        engine.send(&format!("position fen {fen}"));
        for go in [
            "time 60000 increment 0",
            "depth 5",
            "ponder time 60000 increment 0",
            "infinite",
        ] {
            engine.send(&format!("go {go}"));
            assert_eq!(engine.answer(), ["nobestmove"], "{fen} {go}");
        }
        engine.send("ponderhit");
        assert!(engine.sync().is_empty());
    }
}

#[test]
fn d17_23_a_static_score() {
    let mut engine = ucci();
    engine.send("position startpos moves h2e2");
    engine.send("go depth 0");
    let lines = engine.answer();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].starts_with("info depth 0 score "));
    assert_eq!(lines[1], "nobestmove");
}
