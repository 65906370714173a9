//! Pondering, analysis, and what ends them.

use std::time::{Duration, Instant};

use crate::process::{Engine, LONG, best_move, field};
use crate::{check_lines, checked_answer, last, ucci};

/// The moves of an answer: the one played and the reply expected, if it says one.
fn pair(lines: &[String]) -> Option<String> {
    let words: Vec<&str> = last(lines).split(' ').collect();
    match words[..] {
        ["bestmove", m, "ponder", reply] => Some(format!("{m} {reply}")),
        ["bestmove", _] => None,
        _ => panic!("{words:?}"),
    }
}

/// Sends the position after these moves.
fn place(engine: &mut Engine, moves: &str) {
    engine.send(&format!("position startpos moves {moves}"));
}

/// The start position.
const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Two hits in a row. `None` where a search expected no reply: on a busy machine one may end at
/// its first new move.
fn ponder_hits() -> Option<()> {
    let mut engine = ucci();
    engine.send("setoption ponder true");
    engine.send("position startpos");
    engine.send("go time 6000 increment 0");
    let lines = checked_answer(&mut engine);
    check_lines(START_FEN, "", &lines);
    let mut moves = pair(&lines)?;
    place(&mut engine, &moves);
    engine.send("go ponder time 5900 increment 0");
    // Longer than the move is planned to take.
    engine.no_answer_for(Duration::from_millis(700));
    engine.send("ponderhit");
    let lines = checked_answer(&mut engine);
    check_lines(START_FEN, &moves, &lines);
    moves += " ";
    moves += &pair(&lines)?;
    place(&mut engine, &moves);
    engine.send("go ponder time 5800 increment 0");
    engine.no_answer_for(Duration::from_millis(300));
    engine.send("ponderhit");
    check_lines(START_FEN, &moves, &checked_answer(&mut engine));
    Some(())
}

#[test]
fn d17_8_a_ponder_hit() {
    assert!((0..4).any(|_| ponder_hits().is_some()));
}

#[test]
fn d17_9_a_ponder_miss() {
    let mut engine = ucci();
    place(&mut engine, "h2e2 h9g7");
    engine.send("go ponder time 5900 increment 0");
    engine.no_answer_for(Duration::from_millis(300));
    engine.send("stop");
    check_lines(START_FEN, "h2e2 h9g7", &checked_answer(&mut engine));
    // What the opponent really played.
    place(&mut engine, "h2e2 b9c7");
    engine.send("go time 5900 increment 0");
    check_lines(START_FEN, "h2e2 b9c7", &checked_answer(&mut engine));
    assert!(engine.sync().is_empty(), "one answer each");
}

#[test]
fn d17_10_a_limit_reached_while_pondering() {
    let mut engine = ucci();
    place(&mut engine, "h2e2 h9g7");
    engine.send("go ponder depth 3");
    engine.comes_to_rest();
    engine.send("isready");
    let lines = engine.until_line("readyok");
    assert_eq!(field(&lines[lines.len() - 2], "depth"), Some("3"));
    check_lines(START_FEN, "h2e2 h9g7", &lines);
    engine.send("ponderhit");
    // All has been said before.
    let line = engine.line_within(LONG);
    let shown = lines[lines.len() - 2].split_once(" pv ").unwrap().1;
    assert_eq!(Some(best_move(&line)), shown.split(' ').next(), "{line}");
}

#[test]
fn d17_11_stop_at_once_and_during_normal_thinking() {
    let mut engine = ucci();
    engine.write(b"position startpos\ngo infinite\nstop\n");
    let lines = checked_answer(&mut engine);
    assert_ne!(last(&lines), "nobestmove", "A13");
    check_lines(START_FEN, "", &lines);
    let asked = Instant::now();
    engine.send("go time 600000 increment 0");
    engine.until_thinking();
    engine.send("stop");
    let lines = checked_answer(&mut engine);
    check_lines(START_FEN, "", &lines);
    // Ten minutes allow for more than that.
    assert!(asked.elapsed() < Duration::from_secs(4));
}

#[test]
fn d17_12_stop_and_ponderhit_while_idle() {
    let mut engine = ucci();
    engine.send("stop");
    assert_eq!(engine.line_within(LONG), "nobestmove", "A3");
    engine.send("ponderhit");
    assert!(engine.sync().is_empty());
}

#[test]
fn d17_13_what_a_search_ignores() {
    let mut engine = ucci();
    engine.send("position startpos");
    engine.send("go infinite");
    engine.until_thinking();
    engine.sync();
    // A5: none of this counts.
    engine.send("setoption hashsize 64");
    engine.send("setoption multipv 3");
    engine.send("position startpos moves b0c2");
    engine.send("go depth 1");
    engine.send("stop");
    let lines = checked_answer(&mut engine);
    check_lines(START_FEN, "", &lines);
    assert!(engine.sync().is_empty(), "one answer only");
    let before = engine.largest_mapping();
    assert!(before.is_none_or(|mib| mib < 64), "{before:?}");
    engine.send("go depth 2");
    let lines = checked_answer(&mut engine);
    check_lines(START_FEN, "", &lines);
    assert!(!lines.iter().any(|line| line.contains("multipv")));
    // Now it counts.
    engine.send("setoption hashsize 64");
    assert!(engine.sync().is_empty());
    let after = engine.largest_mapping();
    assert!(after.is_none_or(|mib| mib >= 64), "{after:?}");
}

#[test]
fn a39_what_follows_a_stop_is_kept() {
    let mut engine = ucci();
    engine
        .write(b"position startpos\ngo infinite\nstop\nposition startpos moves h2e2\ngo depth 2\n");
    let first = checked_answer(&mut engine);
    let second = checked_answer(&mut engine);
    assert!(best_move(last(&first)).as_bytes()[1] < b'5');
    assert!(best_move(last(&second)).as_bytes()[1] >= b'5');
}

#[test]
fn d17_14_a_mate_in_infinite_waits_for_stop() {
    let mut engine = ucci();
    engine.send("position fen 4k4/9/3RP4/9/9/9/9/9/9/3K5 w - - 0 1");
    engine.send("go infinite");
    engine.until(|line| field(line, "score") == Some("9999"));
    engine.comes_to_rest();
    engine.send("stop");
    assert_eq!(last(&engine.answer()), "bestmove d7d9");
}

#[test]
fn d17_30_quit_while_thinking_says_bye_only() {
    let mut engine = ucci();
    engine.send("position startpos");
    engine.send("go infinite");
    engine.until_thinking();
    let asked = Instant::now();
    engine.send("quit");
    let lines = engine.until_line("bye");
    assert!(!lines.iter().any(|line| line.contains("bestmove")), "A4");
    assert_eq!(engine.finish(LONG).0, 0);
    assert!(asked.elapsed() < Duration::from_millis(500));
}
