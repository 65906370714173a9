//! `setoption`, and what the options do.

use std::time::{Duration, Instant};

use crate::process::{best_move, field};
use crate::{check_answer, checked_answer, uci};

/// The worked dialogue's options.
pub const D9: [&str; 10] = [
    "setoption name move overhead value 100",
    r"setoption name EvalFile value C:\My  Nets\two fold.nnue",
    "setoption name SyzygyPath value <empty>",
    "setoption name SyzygyPath value ",
    "setoption name Clear Hash",
    "setoption name Clear Hash value true",
    "setoption name Hash value 0",
    "setoption name Threads value many",
    "setoption name Use NNUE value true",
    "isready",
];

#[test]
fn d9_setoption_in_all_its_shapes() {
    let mut engine = uci();
    for line in D9 {
        engine.send(line);
    }
    let replies = [
        "info string Hash: 0 out of range, using 1",
        "info string Threads: 'many' is not a number, keeping 1",
        "info string No such option: Use NNUE",
        r"info string EvalFile: cannot open 'C:\My  Nets\two fold.nnue', keeping the built-in net",
        "readyok",
    ];
    assert_eq!(engine.until_line("readyok"), replies);
}

#[test]
fn opt_1_to_10_odd_shapes_are_read_or_refused_in_one_line() {
    let mut engine = uci();
    engine.send("setoption name Ponder value ON");
    engine.send("  setoption\tname   MultiPV   value  1  ");
    assert!(engine.sync().is_empty());
    for line in ["setoption", "setoption Name=Hash"] {
        engine.send(line);
        assert_eq!(engine.sync(), ["info string setoption: missing name"]);
    }
    engine.send("setoption name Threads value -99999999999999999999");
    assert_eq!(engine.sync().len(), 1);
    engine.send("go depth 1");
    checked_answer(&mut engine);
}

#[test]
fn d14_chess960_castling_in_both_notations() {
    let mut engine = uci();
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1";
    for (is_960, played, reply) in [("true", "e1h1", "e8a8"), ("false", "e1g1", "e8c8")] {
        engine.send(&format!("setoption name UCI_Chess960 value {is_960}"));
        engine.send(&format!("position fen {fen} moves {played}"));
        engine.send(&format!("go depth 1 searchmoves {reply}"));
        let answer = checked_answer(&mut engine);
        assert_eq!(best_move(&answer), reply, "BM-2");
    }
}

#[test]
fn io_14_opt_9_tables_are_made_when_needed_and_a_failure_keeps_the_old_one() {
    let mut engine = uci();
    assert!(engine.sync().is_empty());
    // As much as can be asked for; whether the system grants it or not, play goes on.
    let asked = Instant::now();
    engine.send("setoption name Hash value 1048576");
    engine.send("setoption name Hash value 2");
    assert!(engine.sync().is_empty(), "the last value counts");
    assert!(
        asked.elapsed() < Duration::from_secs(5),
        "only one was made"
    );
    engine.send("go depth 3");
    checked_answer(&mut engine);
}

#[test]
fn d19_chances_come_with_the_score_where_they_are_wanted() {
    let mut engine = uci();
    engine.send("setoption name UCI_ShowWDL value true");
    for fen in [
        "8/8/8/8/8/4k3/4p3/4K3 b - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    ] {
        engine.send(&format!("position fen {fen}"));
        engine.send("go depth 4");
        for line in engine.answer().iter().filter(|l| l.contains(" score ")) {
            let words: Vec<&str> = line.split(' ').collect();
            let at = words.iter().position(|word| *word == "wdl").expect("wdl");
            assert_eq!(words[at - 3], "score", "{line}");
            assert_eq!(words[at + 4], "nodes", "{line}");
            let chances = words[at + 1..at + 4].iter().map(|n| n.parse::<u32>());
            let chances: Vec<u32> = chances.map(Result::unwrap).collect();
            assert_eq!(chances.iter().sum::<u32>(), 1000, "{line}");
            if words[at - 2] == "mate" {
                assert_eq!(chances, [1000, 0, 0], "{line}");
            }
        }
    }
    engine.send("setoption name UCI_ShowWDL value false");
    engine.send("go depth 2");
    assert!(engine.answer().iter().all(|line| !line.contains("wdl")));
}

#[test]
fn d19_chances_with_all_limits_at_their_minimum() {
    let mut engine = uci();
    engine.send("setoption name UCI_ShowWDL value true");
    engine.send("setoption name UCI_AnalyseMode value true");
    engine.send("setoption name UCI_Variant value chess");
    assert!(engine.sync().is_empty());
    engine.send("position fen 8/8/8/8/8/4k3/4p3/4K3 b - - 0 1");
    engine.send("go depth 1 nodes 1");
    let lines = engine.answer();
    check_answer(&lines);
    let scored = &lines[lines.len() - 2];
    assert!(scored.starts_with("info depth 1 "), "{lines:?}");
    assert!(scored.contains(" wdl "), "{scored}");
}

#[test]
fn limited_strength_looks_less_far_and_says_what_it_plays() {
    let mut engine = uci();
    engine.send("setoption name UCI_LimitStrength value true");
    let mut nodes = Vec::new();
    for elo in [500, 1500, 2000] {
        engine.send(&format!("setoption name UCI_Elo value {elo}"));
        for _ in 0..5 {
            engine.send("position startpos moves e2e4 c7c5");
            engine.send("go wtime 60000 btime 60000");
            let lines = engine.answer();
            check_answer(&lines);
            let ranks = lines.iter().filter_map(|line| field(line, "multipv"));
            assert!(ranks.into_iter().all(|rank| rank == "1"), "one line only");
            let last = &lines[lines.len() - 2];
            nodes.push(field(last, "nodes").unwrap().parse::<u64>().unwrap());
        }
        engine.send("ucinewgame");
    }
    assert!(nodes[0] < 2_000 && nodes[14] < 500_000, "{nodes:?}");
    assert!(nodes[4] < nodes[14], "{nodes:?}");
    engine.send("setoption name UCI_LimitStrength value false");
    engine.send("setoption name Skill Level value 3");
    engine.send("setoption name MultiPV value 2");
    engine.send("go wtime 60000 btime 60000");
    let lines = engine.answer();
    check_answer(&lines);
    assert!(lines.iter().any(|line| field(line, "multipv") == Some("2")));
    engine.send("go infinite");
    engine.no_answer_for(Duration::from_millis(200));
    engine.send("stop");
    check_answer(&engine.answer());
}

#[test]
fn a_debug_log_holds_both_directions() {
    let path = std::env::temp_dir().join(format!("twofold log {}.txt", std::process::id()));
    let mut engine = uci();
    engine.send(&format!(
        "setoption name Debug Log File value {}",
        path.display()
    ));
    assert!(engine.sync().is_empty());
    engine.send("setoption name Debug Log File value <empty>");
    assert!(engine.sync().is_empty());
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    for (line, end) in lines.iter().zip([
        "Z >> isready",
        "Z << readyok",
        "Z >> setoption name Debug Log File value <empty>",
    ]) {
        assert!(line.ends_with(end), "{line}");
    }
    engine.send("setoption name Debug Log File value /no/such/folder/log");
    let lines = engine.sync();
    assert_eq!(lines.len(), 1);
    assert!(lines[0].starts_with("info string Debug Log File: cannot open"));
}

#[test]
fn io_14_a_table_larger_than_the_machine_is_refused() {
    if !std::path::Path::new("/proc/meminfo").exists() {
        return;
    }
    let mut engine = uci();
    engine.send("setoption name Hash value 8");
    assert!(engine.sync().is_empty());
    engine.send("setoption name Hash value 1048576");
    let refused = "info string cannot have a hash table of 1048576 MiB, keeping the old one";
    assert_eq!(engine.sync(), [refused]);
    engine.send("go depth 3");
    checked_answer(&mut engine);
    // As the first one wanted: the usual size instead.
    let mut engine = uci();
    engine.send("setoption name Hash value 1048576");
    let refused = "info string cannot have a hash table of 1048576 MiB, trying 16 MiB";
    assert_eq!(engine.sync(), [refused]);
    engine.send("go depth 3");
    checked_answer(&mut engine);
}
