//! Clocks and other limits, sessions, and flags. Clocks are shorter than in the specification.

use std::time::{Duration, Instant};

use crate::process::{LONG, best_move, field};
use crate::{START, check_lines, checked_answer, last, ucci};

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
fn d17_6_seconds() {
    let mut engine = ucci();
    let fen = format!("{START} w - - 0 1");
    engine.send("setoption usemillisec false");
    engine.send("position startpos moves h2e2");
    let asked = Instant::now();
    // Five minutes: as milliseconds they would be over soon.
    engine.send("go time 300 increment 2");
    engine.no_answer_for(Duration::from_millis(1200));
    engine.send("stop");
    let lines = checked_answer(&mut engine);
    check_lines(&fen, "h2e2", &lines);
    let time = field(&lines[lines.len() - 2], "time").unwrap();
    let time = Duration::from_millis(time.parse().unwrap());
    // What is told stays in milliseconds.
    assert!(
        time > Duration::from_millis(20) && time < asked.elapsed(),
        "{time:?}"
    );
    engine.send("position startpos moves h2e2 h9g7 h0g2");
    let asked = Instant::now();
    engine.send("go time 0 increment 0");
    let lines = checked_answer(&mut engine);
    assert!(asked.elapsed() < Duration::from_millis(300));
    check_lines(&fen, "h2e2 h9g7 h0g2", &lines);
    let asked = Instant::now();
    engine.send("go time 1");
    checked_answer(&mut engine);
    let taken = asked.elapsed();
    assert!(
        taken > Duration::from_millis(200) && taken < Duration::from_secs(1),
        "{taken:?}"
    );
}

#[test]
fn d17_7_fixed_limits_and_a_negative_clock() {
    let mut engine = ucci();
    engine.send("position startpos");
    for go in [
        "depth 3",
        "nodes 20000",
        "time -103 opptime 0 movestogo 39",
        "time 200",
    ] {
        let asked = Instant::now();
        engine.send(&format!("go {go}"));
        checked_answer(&mut engine);
        assert!(asked.elapsed() < Duration::from_secs(5), "{go}");
    }
}

#[test]
fn d17_19_two_engines_under_the_league_tool() {
    let (mut one, mut two) = (ucci(), ucci());
    // A pawn against guards: Red cannot win by force, but Black has nothing to win with at all.
    let fen = "3ak4/4a4/9/9/9/9/8P/9/4A4/3AK4 w - - 0 1";
    one.send(&format!("position fen {fen}"));
    one.send("go time 1000 increment 0 opptime 1000 oppincrement 0");
    let answer = checked_answer(&mut one);
    assert!(!last(&answer).ends_with("draw"), "never unasked");
    let m = played(&answer);
    // The first one's client offers in its name.
    two.send(&format!("position fen {fen} moves {m}"));
    two.send("go draw time 1000 increment 0 opptime 980 oppincrement 0");
    let answer = checked_answer(&mut two);
    assert!(last(&answer).ends_with(" draw"), "{answer:#?}");
    check_lines(fen, &m, &answer);
    for mut engine in [one, two] {
        engine.send("quit");
        assert_eq!(engine.line_within(LONG), "bye");
        assert_eq!(engine.finish(LONG).0, 0);
    }
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
