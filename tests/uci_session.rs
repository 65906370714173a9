//! Conversations in UCI with the real binary. Names begin with the tag of the rule or dialogue.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "support/process.rs"]
mod process;

use std::time::{Duration, Instant};

use process::{Engine, LONG, best_move, field, run};

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
        "option name EvalFile type string default <empty>",
        "option name UCI_Variant type combo default chess var chess var xiangqi",
    ] {
        assert!(lines.iter().any(|line| line == option), "{option}");
    }
    engine.send("setoption name Hash value 64");
    engine.send("setoption name Threads value 2");
    assert!(engine.sync().is_empty());
    engine.send("ucinewgame");
    engine.send("setoption name Ponder value false");
    engine.send("position startpos");
    assert!(engine.sync().is_empty());
    engine.send("go wtime 1060 btime 1060 winc 60 binc 60");
    let answer = checked_answer(&mut engine);
    assert!(FIRST_MOVES.contains(&best_move(&answer)), "{answer}");
}

#[test]
fn d2_replies_stay_one_to_one() {
    let mut engine = uci();
    for (moves, clock) in [
        ("e2e4 e7e5 g1f3", "wtime 505 btime 520 winc 10 binc 10"),
        (
            "e2e4 e7e5 g1f3 b8c6 f1b5",
            "wtime 405 btime 420 winc 10 binc 10",
        ),
    ] {
        assert!(engine.sync().is_empty());
        engine.send(&format!("position startpos moves {moves}"));
        assert!(engine.sync().is_empty());
        engine.send(&format!("go {clock}"));
        checked_answer(&mut engine);
        assert!(engine.sync().is_empty(), "BM-4");
    }
}

#[test]
fn d3_only_the_movers_clock_and_the_position_is_kept() {
    let mut engine = uci();
    engine.sync();
    engine.send("position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    for go in [
        "go btime 100",
        "go btime 100 binc 100 wtime 100 winc 100",
        "go wtime 100 btime 100",
    ] {
        let asked = Instant::now();
        engine.send(go);
        let answer = checked_answer(&mut engine);
        assert!(asked.elapsed() < Duration::from_millis(100) + SLACK, "{go}");
        assert!(matches!(best_move(&answer).as_bytes()[1], b'7' | b'8'));
    }
}

#[test]
fn d4_isready_and_setoption_while_searching_and_an_idle_stop() {
    let mut engine = uci();
    engine.sync();
    engine.send("position startpos");
    engine.send("go infinite");
    engine.until_thinking();
    let asked = Instant::now();
    engine.sync();
    assert!(asked.elapsed() < Duration::from_millis(10) + SLACK);
    engine.send("setoption name MultiPV value 2");
    let asked = Instant::now();
    engine.send("stop");
    checked_answer(&mut engine);
    assert!(
        asked.elapsed() < Duration::from_millis(20) + SLACK,
        "STOP-1"
    );
    engine.send("stop");
    assert!(engine.sync().is_empty(), "B4: no stray bestmove");
    engine.send("go depth 2");
    let lines = engine.answer();
    assert!(
        lines.iter().any(|line| field(line, "multipv") == Some("2")),
        "the option counts for the next search"
    );
}

#[test]
fn d5_infinite_with_a_mate_withholds_the_bestmove() {
    let mut engine = uci();
    engine.send("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    engine.send("go infinite");
    engine.no_answer_for(Duration::from_millis(400));
    engine.send("stop");
    let lines = engine.answer();
    check_answer(&lines);
    assert!(lines[lines.len() - 2].contains("score mate 1 "));
    assert_eq!(lines.last().unwrap(), "bestmove a1a8");
}

#[test]
fn d6_d7_ponder_hit_and_miss() {
    let mut engine = uci();
    engine.send("setoption name Ponder value true");
    for end in ["ponderhit", "stop"] {
        engine.send("position startpos moves e2e4 e7e5");
        engine.sync();
        engine.send("go ponder wtime 400 btime 400 winc 10 binc 10");
        engine.no_answer_for(Duration::from_millis(600));
        engine.send(end);
        checked_answer(&mut engine);
    }
    engine.send("position startpos moves e2e4 c7c5");
    engine.sync();
    engine.send("go wtime 300 btime 300");
    checked_answer(&mut engine);
}

#[test]
fn d8_a_ponder_search_that_ends_early_is_held() {
    let mut engine = uci();
    engine.send("position startpos moves d2d4 d7d5");
    engine.send("go ponder depth 2 wtime 1000 btime 1000");
    engine.no_answer_for(Duration::from_millis(300));
    let asked = Instant::now();
    engine.send("ponderhit");
    engine.answer();
    assert!(asked.elapsed() < Duration::from_millis(10) + SLACK);
}

#[test]
fn d9_setoption_in_all_its_shapes() {
    let mut engine = uci();
    for line in [
        "setoption name move overhead value 100",
        "setoption name Clear Hash",
        "setoption name Clear Hash value true",
        "setoption name Ponder value ON",
        "  setoption\tname   MultiPV   value  1  ",
    ] {
        engine.send(line);
    }
    assert!(engine.sync().is_empty());
    for (line, reply) in [
        (
            "setoption name Hash value 0",
            "info string Hash: 0 out of range, using 1",
        ),
        (
            "setoption name Threads value many",
            "info string Threads: 'many' is not a number, keeping 1",
        ),
        (
            "setoption name Use NNUE value true",
            "info string No such option: Use NNUE",
        ),
        (
            r"setoption name EvalFile value C:\My  Nets\two fold.nnue",
            r"info string EvalFile: cannot open 'C:\My  Nets\two fold.nnue', keeping the built-in net",
        ),
        ("setoption", "info string setoption: missing name"),
        ("setoption Name=Hash", "info string setoption: missing name"),
    ] {
        engine.send(line);
        assert_eq!(engine.sync(), [reply]);
    }
    engine.send("setoption name Threads value -99999999999999999999");
    assert_eq!(engine.sync().len(), 1);
    engine.send("go depth 1");
    checked_answer(&mut engine);
}

#[test]
fn d10_more_lines_than_moves_and_the_best_one_repeated_last() {
    let mut engine = uci();
    engine.send("setoption name MultiPV value 5");
    engine.send("position fen 7k/8/5K2/8/8/8/8/R7 b - - 0 1");
    engine.send("go depth 1");
    let lines = engine.answer();
    check_answer(&lines);
    let ranks: Vec<_> = lines
        .iter()
        .filter_map(|line| field(line, "multipv"))
        .collect();
    assert_eq!(ranks, ["1", "2", "1"]);
}

#[test]
fn d11_searchmoves() {
    let mut engine = uci();
    engine.send("position startpos");
    engine.send("go searchmoves a2a3 h2h4 e2e5 nodes 500");
    let lines = engine.answer();
    assert_eq!(
        lines[0],
        "info string searchmoves: e2e5 is not legal here, ignored"
    );
    assert!(["a2a3", "h2h4"].contains(&best_move(lines.last().unwrap())));
    engine.send("go nodes 500 searchmoves 0000");
    assert_eq!(
        engine.answer(),
        ["info depth 0 score cp 0", "bestmove (none)"]
    );
}

#[test]
fn d12_mate_search() {
    let mut engine = uci();
    engine.send("position fen 7k/8/5K2/8/8/8/8/R7 w - - 0 1");
    engine.send("go mate 2");
    let lines = engine.answer();
    check_answer(&lines);
    let last = &lines[lines.len() - 2];
    assert!(last.contains("score mate 2"), "{last}");
    let pv = last.split_once(" pv ").unwrap().1;
    assert_eq!(pv.split(' ').count(), 3, "INFO-2");
}

#[test]
fn d13_no_legal_move() {
    let mut engine = uci();
    let mated = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    engine.send(&format!("position fen {mated}"));
    engine.send("go movetime 100");
    assert_eq!(
        engine.answer(),
        ["info depth 0 score mate 0", "bestmove (none)"]
    );
    engine.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    engine.send("go infinite");
    assert_eq!(engine.line_within(LONG), "info depth 0 score cp 0");
    engine.silent_for(Duration::from_millis(200));
    engine.send("stop");
    assert_eq!(engine.answer(), ["bestmove (none)"]);
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
fn d17_an_impatient_client_gets_one_bestmove_per_go_in_order() {
    let mut engine = uci();
    engine.write(
        b"position startpos\ngo infinite\nstop\ngo nodes 100\nposition startpos moves e2e4\n\
          go depth 1\n",
    );
    let answers: Vec<String> = (0..3).map(|_| checked_answer(&mut engine)).collect();
    for answer in &answers[..2] {
        assert!(FIRST_MOVES.contains(&best_move(answer)), "{answer}");
    }
    assert!(matches!(best_move(&answers[2]).as_bytes()[1], b'7' | b'8'));
    assert!(engine.sync().is_empty());
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
fn d19_limits_at_their_minimum_still_give_a_line() {
    let mut engine = uci();
    engine.send("setoption name UCI_AnalyseMode value true");
    engine.send("setoption name UCI_Variant value chess");
    engine.send("position fen 8/8/8/8/8/4k3/4p3/4K3 b - - 0 1");
    for go in [
        "depth 1 nodes 1",
        "nodes 0",
        "wtime 0 btime 0",
        "btime -7",
        "movetime 0",
    ] {
        engine.send(&format!("go {go}"));
        checked_answer(&mut engine);
    }
}

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
    for (depth, count) in [(0, 1), (1, 20), (4, 197_281)] {
        engine.send("position startpos");
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
fn d23_drawn_roots_still_get_a_move() {
    let mut engine = uci();
    engine.send(
        "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
    );
    engine.send("go movetime 50");
    assert!(FIRST_MOVES.contains(&best_move(&checked_answer(&mut engine))));
    engine.send("position fen 8/8/4k3/8/8/4K3/4P3/8 w - - 100 120");
    engine.send("go depth 1");
    checked_answer(&mut engine);
    engine.send("position fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1");
    engine.send("go depth 3");
    checked_answer(&mut engine);
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
fn d25_limits_combine() {
    let mut engine = uci();
    engine.send("position startpos");
    engine.send("go wtime 3000 btime 3000 winc 0 binc 0 movestogo 1 depth 4 ponder");
    engine.no_answer_for(Duration::from_millis(200));
    engine.send("stop");
    checked_answer(&mut engine);
    engine.send("go wtime 60000 btime 60000 depth 3 movetime 2000 nodes 1000000");
    let lines = engine.answer();
    check_answer(&lines);
    assert_eq!(field(&lines[lines.len() - 2], "depth"), Some("3"));
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
    engine.send("compiler");
    assert!(engine.sync().len() > 8);
    engine.send("go infinite");
    engine.send("d");
    engine.until_line("info string busy");
    engine.send("stop");
    engine.answer();
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

#[test]
fn io_6_a_bounded_search_outlives_the_input() {
    let (code, lines, stderr) = run(&[], "uci\nposition startpos\ngo movetime 300\n");
    assert_eq!((code, stderr.as_str()), (0, ""));
    let answers = lines.iter().filter(|line| line.starts_with("bestmove"));
    assert_eq!(answers.count(), 1);
    check_answer(&lines[lines.iter().position(|l| l == "uciok").unwrap() + 1..]);
}
