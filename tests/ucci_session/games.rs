//! Whole courses of play as real clients run them: clocks, sessions, draws, flags.

use std::time::{Duration, Instant};

use crate::process::{LONG, best_move};
use crate::{START, checked_answer, last, ucci};

/// The move of the answer.
fn played(lines: &[String]) -> String {
    best_move(last(lines)).to_owned()
}

#[test]
fn d17_4_a_clock_with_increment() {
    let mut engine = ucci();
    engine.send(&format!("position fen {START} w - - 0 1"));
    engine.send("go time 1000 increment 30 opptime 1000 oppincrement 30");
    let m = played(&checked_answer(&mut engine));
    let asked = Instant::now();
    engine.send(&format!("position fen {START} w - - 0 1 moves {m} g6g5"));
    engine.send("go time 900 increment 30 opptime 900 oppincrement 30");
    assert!(played(&checked_answer(&mut engine)).as_bytes()[1] < b'6');
    assert!(asked.elapsed() < Duration::from_millis(900));
}

#[test]
fn d17_5_a_session_clock_and_a_position_after_a_capture() {
    let mut engine = ucci();
    let fen = "rnbakabnr/9/1c2c4/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2";
    engine.send(&format!("position fen {fen}"));
    engine.send("go time 2000 movestogo 20 opptime 2000 oppmovestogo 20");
    let asked = Instant::now();
    checked_answer(&mut engine);
    assert!(asked.elapsed() < Duration::from_secs(2));
    engine.send(&format!("position fen {fen} moves d9e8 b2e2"));
    engine.send("go time 1900 movestogo 19 opptime 2000 oppmovestogo 19");
    let lines = checked_answer(&mut engine);
    assert!(best_move(last(&lines)).as_bytes()[1] >= b'5', "Black moves");
}

#[test]
fn d17_18_a_declined_draw_and_one_offered_on_the_hit() {
    let mut engine = ucci();
    // Red is a rook up, and has no reason to stop.
    let fen = "3ak4/4a4/9/8p/9/R8/8P/9/4A4/3AK4 w - - 0 1";
    engine.send(&format!("position fen {fen}"));
    engine.send("go draw time 500 increment 0");
    assert!(!last(&checked_answer(&mut engine)).ends_with("draw"));
    engine.send(&format!("position fen {fen}"));
    engine.send("go ponder time 500 increment 0");
    engine.no_answer_for(Duration::from_millis(100));
    engine.send("ponderhit draw");
    assert!(!last(&checked_answer(&mut engine)).ends_with("draw"));
}

#[test]
fn d17_19_two_engines_under_the_league_tool() {
    let (mut one, mut two) = (ucci(), ucci());
    // Both have a pawn and their guards: nobody can win by force.
    let fen = "3ak4/4a4/9/8p/9/9/8P/9/4A4/3AK4 w - - 0 1";
    one.send(&format!("position fen {fen}"));
    one.send("go time 400 increment 0 opptime 400 oppincrement 0");
    let answer = checked_answer(&mut one);
    assert!(!last(&answer).ends_with("draw"), "never unasked");
    let m = played(&answer);
    two.send(&format!("position fen {fen} moves {m}"));
    two.send("go draw time 400 increment 0 opptime 400 oppincrement 0");
    checked_answer(&mut two);
    for mut engine in [one, two] {
        engine.send("quit");
        assert_eq!(engine.line_within(LONG), "bye");
        assert_eq!(engine.finish(LONG).0, 0);
    }
}

#[test]
fn d17_31_uci2wb_with_xboard() {
    let mut engine = ucci();
    engine.write(b"setoption threads 2\nsetoption hashsize 64\nisready\n");
    assert_eq!(engine.line_within(LONG), "readyok");
    engine.write(b"setoption newgame\nsetoption ponder 1\n");
    engine.send(&format!("position fen {START} w - - 0 1 moves h2e2"));
    engine.send("go draw time 900 opptime 900 oppincrement 30 increment 30");
    checked_answer(&mut engine);
    engine.send(&format!(
        "position fen {START} w - - 0 1 moves h2e2 h9g7 h0g2"
    ));
    engine.send("go ponder time 900 opptime 900 oppincrement 30 increment 30");
    engine.no_answer_for(Duration::from_millis(300));
    engine.send("ponderhit draw");
    checked_answer(&mut engine);
    engine.send("quit");
    engine.until_line("bye");
}

#[test]
fn d17_33_the_flag_falls_under_the_league_tool() {
    let mut engine = ucci();
    engine.send(&format!("position fen {START} w - - 0 1"));
    // The tool stops an engine whose time is over; ours has answered by then.
    let asked = Instant::now();
    engine.send("go time 400 increment 0 opptime 90000 oppincrement 0");
    checked_answer(&mut engine);
    assert!(
        asked.elapsed() < Duration::from_millis(400),
        "{:?}",
        asked.elapsed()
    );
    engine.send("go infinite");
    engine.until_thinking();
    engine.send("stop");
    assert_ne!(last(&checked_answer(&mut engine)), "nobestmove");
}

#[test]
fn d17_34_a_new_game_on_a_running_engine_repeats_the_first() {
    let mut engine = ucci();
    let mut answers = Vec::new();
    for _ in 0..2 {
        engine.send("setoption newgame");
        assert!(engine.sync().is_empty());
        engine.send("position startpos");
        engine.send("go depth 5");
        let lines = checked_answer(&mut engine);
        let scored = &lines[lines.len() - 2];
        let nodes = crate::field(scored, "nodes").unwrap().to_owned();
        answers.push((nodes, last(&lines).to_owned()));
    }
    assert_eq!(answers[0], answers[1], "nothing was carried over");
}
