//! Conversations in UCI with the real binary. Names begin with the tag of the rule or dialogue.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod effects;
#[path = "../support/folder.rs"]
mod folder;
mod helpers;
mod lines;
mod neglect;
mod options;
mod positions;
#[path = "../support/process.rs"]
mod process;
mod search;
mod streams;
mod transcripts;
mod xiangqi;

use std::time::Duration;

use process::{Engine, best_move, field};

/// What a busy test machine may add to any reaction.
const SLACK: Duration = Duration::from_secs(1);

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// The first moves of chess.
const FIRST_MOVES: [&str; 20] = [
    "a2a3", "a2a4", "b2b3", "b2b4", "c2c3", "c2c4", "d2d3", "d2d4", "e2e3", "e2e4", "f2f3", "f2f4",
    "g2g3", "g2g4", "h2h3", "h2h4", "b1a3", "b1c3", "g1f3", "g1h3",
];

fn uci() -> Engine {
    Engine::start(&[])
}

/// Checks what any answer to a `go` must look like, and returns its `bestmove` line.
fn checked_answer(engine: &mut Engine) -> String {
    let lines = engine.answer();
    check_answer(&lines);
    lines.last().unwrap().clone()
}

fn check_answer(lines: &[String]) {
    let (last, infos) = lines.split_last().unwrap();
    assert!(last.starts_with("bestmove "), "{last}");
    let scored: Vec<&String> = infos
        .iter()
        .filter(|line| line.contains(" score "))
        .collect();
    let final_line = scored.last().expect("GO-3: a scored line");
    if last == "bestmove (none)" {
        assert!(final_line.starts_with("info depth 0 score "), "GO-6");
        return;
    }
    assert!(!final_line.contains("bound"), "GO-5: {final_line}");
    assert_eq!(field(final_line, "pv"), Some(best_move(last)), "GO-5");
    for line in scored {
        check_info(line);
    }
}

/// The canonical order of the fields.
fn check_info(line: &str) {
    let order = [
        "depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "tbhits", "time", "pv",
    ];
    let words: Vec<&str> = line.split(' ').collect();
    assert!(words.iter().all(|word| !word.is_empty()), "{line:?}");
    let places: Vec<usize> = order
        .iter()
        .map(|name| words.iter().position(|word| word == name).expect(name))
        .collect();
    assert!(places.is_sorted(), "{line}");
    for name in ["time", "nps", "nodes", "hashfull", "depth", "seldepth"] {
        field(line, name).unwrap().parse::<u64>().expect(name);
    }
}
