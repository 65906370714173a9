//! Starting, ending, and the bytes in between.

use std::time::{Duration, Instant};

use crate::process::{LONG, best_move, run};
use crate::{FIRST_MOVES, SLACK, check_answer, checked_answer, uci};

#[test]
fn d1_handshake_options_and_a_first_move() {
    let mut engine = uci();
    let asked = Instant::now();
    engine.send("uci");
    let lines = engine.until_line("uciok");
    assert!(asked.elapsed() < Duration::from_secs(1), "IO-12");
    assert!(lines[0].starts_with("id name Twofold "));
    assert!(lines[1].starts_with("id author "));
    for line in &lines[2..lines.len() - 1] {
        assert!(line.starts_with("option name "), "{line}");
    }
    for option in [
        "option name Threads type spin default 1 min 1 max 1024",
        "option name Hash type spin default 16 min 1 max 1048576",
        "option name Clear Hash type button",
        "option name Ponder type check default false",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name Move Overhead type spin default 30 min 0 max 5000",
        "option name UCI_Chess960 type check default false",
        "option name UCI_AnalyseMode type check default false",
        "option name UCI_ShowWDL type check default false",
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin default 1500 min 500 max 2850",
        "option name Skill Level type spin default 20 min 0 max 20",
        "option name Debug Log File type string default <empty>",
        "option name EvalFile type string default <empty>",
        "option name UCI_Variant type combo default chess var chess var xiangqi",
        "option name UCI_XiangqiRanks type combo default fairy var fairy var pikafish",
        "option name SyzygyPath type string default <empty>",
        "option name SyzygyProbeDepth type spin default 1 min 1 max 100",
        "option name Syzygy50MoveRule type check default true",
        "option name SyzygyProbeLimit type spin default 7 min 0 max 7",
        "option name OwnBook type check default false",
        "option name Book File type string default <empty>",
    ] {
        assert!(lines.iter().any(|line| line == option), "{option}");
    }
    engine.send("setoption name Hash value 64");
    engine.send("setoption name Threads value 2");
    assert!(engine.sync().is_empty());
    if let Some(mib) = engine.largest_mapping() {
        assert!(mib >= 64, "{mib}: the table exists now");
    }
    engine.send("ucinewgame");
    engine.send("setoption name Ponder value false");
    engine.send("position startpos");
    assert!(engine.sync().is_empty());
    engine.send("go wtime 1060 btime 1060 winc 60 binc 60");
    let answer = checked_answer(&mut engine);
    assert!(FIRST_MOVES.contains(&best_move(&answer)), "{answer}");
}

#[test]
fn d18_no_uci_an_empty_move_list_and_info_lines_only() {
    let mut engine = uci();
    engine.write(
        b"setoption name UCI_Chess960 value true\nisready\nucinewgame\n\
          setoption name MultiPV value 1\n\
          position fen r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4 moves \n\
          go nodes 50000 depth 30\n",
    );
    assert_eq!(engine.line_within(LONG), "readyok");
    let lines = engine.answer();
    check_answer(&lines);
    assert!(
        lines[..lines.len() - 1]
            .iter()
            .all(|l| l.starts_with("info "))
    );
    assert_eq!(best_move(lines.last().unwrap()), "f3f7");
}

#[test]
fn d24_probing_and_ponder_with_movetime() {
    let mut engine = uci();
    engine.send("xboard");
    engine.send("uci");
    assert!(engine.until_line("uciok")[0].starts_with("id name"));
    engine.send("position startpos moves e2e4 e7e5");
    engine.send("go ponder movetime 300");
    engine.no_answer_for(Duration::from_millis(500));
    let hit = Instant::now();
    engine.send("ponderhit");
    checked_answer(&mut engine);
    let taken = hit.elapsed();
    assert!(
        taken > Duration::from_millis(150) && taken < Duration::from_millis(300) + SLACK,
        "PH-1: the timer starts at the hit: {taken:?}"
    );
}

#[test]
fn io_1_io_2_any_bytes_any_length_and_both_line_ends() {
    let mut engine = uci();
    engine.write(b"setoption name UCI_Opponent value none none human M\xFCller\r\nisready\r\r\n");
    assert_eq!(
        engine.line_within(LONG),
        "info string No such option: UCI_Opponent"
    );
    assert_eq!(engine.line_within(LONG), "readyok");
    let junk = "x ".repeat(1 << 19);
    engine.send(&format!("isready {junk}"));
    assert_eq!(engine.line_within(LONG), "readyok");
    engine.write(b"\t go \t depth   2\t\r\n");
    checked_answer(&mut engine);
}

#[test]
fn io_3_io_5_silence_before_input_and_chunked_input() {
    let mut engine = uci();
    engine.silent_for(Duration::from_millis(150));
    for byte in b"isready\nposition startpos moves e2e4\ngo depth 1\n" {
        engine.write(&[*byte]);
    }
    assert_eq!(engine.line_within(LONG), "readyok");
    checked_answer(&mut engine);
}

#[test]
fn io_6_a_bounded_search_outlives_the_input() {
    let (code, lines, stderr) = run(&[], "uci\nposition startpos\ngo movetime 300\n");
    assert_eq!((code, stderr.as_str()), (0, ""));
    let answers = lines.iter().filter(|line| line.starts_with("bestmove"));
    assert_eq!(answers.count(), 1);
    check_answer(&lines[lines.iter().position(|l| l == "uciok").unwrap() + 1..]);
}

#[test]
fn the_other_protocols_word_switches_when_idle() {
    let mut engine = uci();
    engine.send("uci");
    engine.until_line("uciok");
    engine.send("ucci");
    engine.until_line("ucciok");
    engine.send("position startpos moves h2e2");
    engine.send("go depth 1");
    assert_eq!(best_move(engine.answer().last().unwrap()).len(), 4);
    engine.send("uci");
    engine.until_line("uciok");
    engine.send("position startpos");
    engine.send("go depth 1");
    let answer = checked_answer(&mut engine);
    assert!(FIRST_MOVES.contains(&best_move(&answer)));
}
