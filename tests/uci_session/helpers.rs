//! Commands outside the protocol that people and scripts use.

use std::time::{Duration, Instant};

use twofold::chess::Board;
use twofold::game::Notation;

use crate::process::{Engine, LONG, best_move, run};
use crate::{START, checked_answer, uci};

#[test]
fn d21_perft() {
    let mut engine = uci();
    engine.send("position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
    engine.send("go perft 3");
    let mut lines = engine.until(|line| line.starts_with("Nodes searched"));
    assert_eq!(engine.line_within(LONG), "");
    assert_eq!(lines.pop().unwrap(), "Nodes searched: 500");
    assert_eq!(lines.pop().unwrap(), "");
    lines.sort();
    assert_eq!(
        lines,
        [
            "a7a8b: 60",
            "a7a8n: 35",
            "a7a8q: 78",
            "a7a8r: 57",
            "e1d1: 45",
            "e1d2: 60",
            "e1e2: 60",
            "e1f1: 45",
            "e1f2: 60",
        ]
    );
    let startpos = "startpos";
    let mixed = "fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    for (position, depth, count) in [
        (startpos, 0, 1),
        (startpos, 1, 20),
        (startpos, 2, 400),
        (startpos, 3, 8902),
        (startpos, 4, 197_281),
        (startpos, 5, 4_865_609),
        (mixed, 1, 21),
        (mixed, 2, 528),
        (mixed, 3, 12_189),
    ] {
        engine.send(&format!("position {position}"));
        engine.send(&format!("perft {depth}"));
        let lines = engine.until(|line| line.starts_with("Nodes searched"));
        let sum = format!("Nodes searched: {count}");
        assert_eq!(lines.last(), Some(&sum));
        assert_eq!(engine.line_within(LONG), "");
    }
    let asked = Instant::now();
    engine.send("go perft 30");
    engine.sync();
    engine.send("stop");
    engine.until(|line| line.starts_with("info string"));
    assert!(asked.elapsed() < Duration::from_secs(2));
}

#[test]
fn helpers_keep_the_form_that_scripts_read() {
    let mut engine = uci();
    engine.send("d");
    let lines = engine.sync();
    assert!(lines.contains(&format!("Fen: {START} w KQkq - 0 1")));
    let key = lines.iter().find_map(|line| line.strip_prefix("Key: "));
    let key = key.unwrap();
    assert!(
        key.len() == 16
            && key
                .chars()
                .all(|c| c.is_ascii_digit() || c.is_ascii_uppercase())
    );
    assert!(lines.iter().any(|line| line.starts_with("Checkers:")));
    engine.send("eval");
    let lines = engine.sync();
    let last = lines.last().unwrap();
    assert!(
        last.starts_with("Final evaluation  ") && last.ends_with(" (white side)"),
        "{last}"
    );
    engine.send("position fen 4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    engine.send("eval");
    assert_eq!(engine.sync(), ["Final evaluation: none (in check)"]);
    engine.send("d");
    assert!(engine.sync().iter().any(|line| line == "Checkers: e2"));
    engine.send("help");
    assert!(engine.sync().len() > 8);
    engine.send("compiler");
    let lines = engine.sync();
    let version = concat!("Twofold ", env!("CARGO_PKG_VERSION"));
    let labels = [
        "Compiled by    : rustc ",
        "Target         : ",
        "Profile        : ",
        "Commit         : ",
        "Features of CPU: ",
    ];
    assert_eq!(lines[0], version);
    assert_eq!(lines.len(), 1 + labels.len(), "{lines:?}");
    for (line, label) in lines[1..].iter().zip(labels) {
        let said = line.strip_prefix(label).expect(label);
        assert!(!said.trim().is_empty(), "{line:?}");
    }
    engine.send("license");
    let lines = engine.sync();
    assert!(lines.iter().any(|line| line == "MIT License"), "{lines:?}");
    engine.send("go infinite");
    for command in ["d", "help", "license", "compiler"] {
        engine.send(command);
        engine.until_line("info string busy");
    }
    engine.send("stop");
    engine.answer();
}

#[test]
fn debug_mode_says_what_a_search_has_to_work_with() {
    let mut engine = uci();
    engine.send("debug on");
    engine.send("go wtime 6000 btime 6000");
    let lines = engine.answer();
    let said = lines
        .iter()
        .find(|line| line.starts_with("info string go: "));
    assert!(
        said.unwrap().contains("16 MiB, 1 threads, planned "),
        "{said:?}"
    );
    engine.send("debug off");
    engine.send("go depth 1");
    let lines = engine.answer();
    assert!(
        !lines.iter().any(|line| line.starts_with("info string")),
        "{lines:?}"
    );
}

#[test]
fn d20_bench_and_genfens_by_command_line() {
    let (code, lines, _) = Engine::start(&["bench"]).finish(10 * LONG);
    assert_eq!(code, 0);
    let numbers: Vec<u64> = [
        "Total time (ms) : ",
        "Nodes searched  : ",
        "Nodes/second    : ",
    ]
    .iter()
    .zip(&lines[lines.len() - 3..])
    .map(|(label, line)| line.strip_prefix(label).expect(label).parse().unwrap())
    .collect();
    assert!(numbers.iter().all(|number| *number > 0), "{numbers:?}");

    let (code, lines, stderr) = run(&["genfens 2 seed 7 book None", "quit"], "");
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(lines.len(), 2, "{lines:?}");
    for line in &lines {
        let fen = line
            .strip_prefix("info string genfens ")
            .expect("an opening");
        assert!(Board::from_fen(fen).is_ok(), "{fen}");
    }
    assert_ne!(lines[0], lines[1]);
    let again = run(&["genfens 2 seed 7 book None", "quit"], "");
    assert_eq!(again.1, lines, "the seed decides");
}

#[test]
fn d20_genfens_within_the_loop() {
    let mut engine = uci();
    let is_opening = |line: &str| line.starts_with("info string genfens ");
    engine.send("genfens 2 seed 7 book None");
    engine.until(is_opening);
    engine.until(is_opening);
    engine.send("genfens many");
    engine
        .until_line("info string expected 'genfens N seed S book None|FILE', found 'genfens many'");
    // From the positions of a file; without one, why.
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/openings/chess.epd");
    engine.send(&format!("genfens 3 seed 7 book {book}"));
    for _ in 0..3 {
        engine.until(is_opening);
    }
    engine.send("genfens 3 seed 7 book /no/such.epd");
    engine.until(|line| line.starts_with("info string /no/such.epd: "));
    engine.send("genfens 100000000 seed 7 book None");
    engine.until(is_opening);
    engine.send("stop");
    engine.send("d");
    engine.until(|line| line.starts_with("Fen: "));
    engine.send("go depth 1");
    checked_answer(&mut engine);
}

#[test]
fn what_follows_the_end_of_a_search_waits_its_turn_and_is_done() {
    let mut engine = uci();
    engine.write(b"position startpos\ngo infinite\nstop\nd\ngo perft 1\n");
    engine.until(|line| line.starts_with("bestmove"));
    engine.until(|line| line.starts_with("Fen: rnbqkbnr/"));
    engine.until_line("Nodes searched: 20");
    // A perft ends by itself: nothing interrupts it but `stop`.
    engine.write(b"go perft 3\nposition startpos moves e2e4\ngo perft 2\nd\n");
    engine.until_line("Nodes searched: 8902");
    engine.until_line("Nodes searched: 600");
    engine.until(|line| line.starts_with("Fen: rnbqkbnr/pppppppp/8/8/4P3"));
    engine.write(b"go perft 12\ngo infinite\nstop\n");
    engine.until(|line| line.starts_with("bestmove"));
    assert!(engine.sync().is_empty());
}

#[test]
fn flip_exchanges_the_colours() {
    let mut engine = uci();
    engine.send("position startpos moves e2e4");
    engine.send("flip");
    engine.send("d");
    let fen = "Fen: rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert!(engine.sync().iter().any(|line| line == fen));
    engine.send("flip");
    engine.send("go depth 1");
    let answer = checked_answer(&mut engine);
    assert!(matches!(best_move(&answer).as_bytes()[1], b'7' | b'8'));
}

#[test]
fn eval_draws_the_board_above_its_terms() {
    let mut engine = uci();
    engine.send("eval");
    let lines = engine.sync();
    assert!(lines.iter().any(|line| line.contains("| r | n | b |")));
    assert!(lines.iter().any(|line| line.starts_with("network ")));
    engine.send("setoption name EvalFile value hand-crafted");
    engine.send("eval");
    let lines = engine.sync();
    assert!(lines.iter().any(|line| line.contains("material")));
}

#[test]
fn a_speed_test_says_one_line_for_programs() {
    let mut engine = uci();
    engine.send("speedtest 1 1 1");
    let line = engine.line_within(LONG);
    let speed = line.strip_prefix("Nodes/second    : ").expect("the line");
    let speed: u64 = speed.parse().unwrap();
    engine.send("speedtest 1 1 600");
    engine.send("stop");
    assert_eq!(engine.line_within(LONG), "info string speedtest stopped");
    // For people there is more on standard error: of the test that was not stopped.
    engine.send("quit");
    let (code, _, report) = engine.finish(LONG);
    assert_eq!(code, 0);
    let lines: Vec<(&str, &str)> = report
        .lines()
        .map(|line| line.split_once(": ").expect(line))
        .collect();
    let labels = lines.iter().map(|(label, _)| label.trim());
    let expected = [
        "Game",
        "Threads",
        "Hash (MiB)",
        "Positions",
        "Total time (ms)",
        "Nodes searched",
    ];
    assert!(labels.eq(expected), "{report}");
    assert_eq!(
        lines[..3].iter().map(|(_, said)| *said).collect::<Vec<_>>(),
        ["chess", "1", "1"]
    );
    let [positions, ms, nodes] = [3, 4, 5].map(|at| lines[at].1.parse::<u64>().unwrap());
    assert!(positions > 1 && ms >= 900, "{report}");
    assert_eq!(speed, nodes * 1000 / ms, "{report}");
}

#[test]
fn the_network_in_use_can_be_written_to_a_file() {
    let path = std::env::temp_dir().join(format!("twofold-export-{}.net", std::process::id()));
    let mut engine = uci();
    engine.send(&format!("export_net {}", path.display()));
    let said = engine.sync();
    let bytes = std::fs::read(&path).unwrap();
    let expected = format!(
        "info string export_net: '{}', {} bytes",
        path.display(),
        bytes.len()
    );
    assert_eq!(said, [expected]);
    engine.send(&format!("setoption name EvalFile value {}", path.display()));
    assert!(engine.sync().is_empty(), "what was written can be read");
    std::fs::remove_file(&path).unwrap();
    engine.send("setoption name EvalFile value hand-crafted");
    engine.send(&format!("export_net {}", path.display()));
    let refused = "info string export_net: the evaluation in use is no network";
    assert_eq!(engine.sync(), [refused]);
    engine.send("setoption name EvalFile value");
    engine.send("export_net /no/such/folder/net");
    assert!(engine.sync()[0].starts_with("info string export_net: cannot write "));
    engine.send("go depth 2");
    checked_answer(&mut engine);
}
