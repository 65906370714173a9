//! `go` in all its forms, and what ends it.

use std::time::{Duration, Instant};

use twofold::game::{Game, Notation, TextStyle};
use twofold::games::{Chess, Xiangqi};

use crate::process::{LONG, best_move, field};
use crate::{FIRST_MOVES, SLACK, check_answer, checked_answer, uci};

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
    engine.comes_to_rest();
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

/// What was thought on the opponent's time counts: with six seconds a move is planned to take about
/// two hundred milliseconds.
#[test]
fn ph_1_a_hit_after_long_pondering_is_answered_at_once() {
    let mut fastest = LONG;
    for _ in 0..5 {
        let mut engine = uci();
        engine.send("position startpos moves e2e4 e7e5 g1f3 b8c6");
        engine.send("go ponder wtime 6000 btime 6000");
        engine.no_answer_for(Duration::from_millis(1500));
        let hit = Instant::now();
        engine.send("ponderhit");
        checked_answer(&mut engine);
        fastest = fastest.min(hit.elapsed());
    }
    assert!(fastest < Duration::from_millis(60), "{fastest:?}");
}

#[test]
fn d8_a_ponder_search_that_ends_early_is_held() {
    let mut engine = uci();
    engine.send("position startpos moves d2d4 d7d5");
    engine.send("go ponder depth 2 wtime 1000 btime 1000");
    engine.no_answer_for(Duration::from_millis(300));
    let asked = Instant::now();
    engine.send("ponderhit");
    let lines = engine.answer();
    assert!(asked.elapsed() < Duration::from_millis(10) + SLACK);
    check_answer(&lines);
    let depths: Vec<_> = lines
        .iter()
        .filter_map(|line| field(line, "depth"))
        .collect();
    assert_eq!(depths, ["1", "2"]);
    let pv = lines[lines.len() - 2].split_once(" pv ").unwrap().1;
    let [played, reply] = pv.split(' ').collect::<Vec<_>>()[..2] else {
        panic!("{pv}");
    };
    let expected = format!("bestmove {played} ponder {reply}");
    assert_eq!(lines.last(), Some(&expected));
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
    engine.comes_to_rest();
    engine.send("stop");
    assert_eq!(engine.answer(), ["bestmove (none)"]);
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
fn d23_drawn_roots_still_get_a_move() {
    let mut engine = uci();
    let cycle = "g1f3 g8f6 f3g1 f6g8";
    // The start position a third time, and a fourth.
    for moves in [[cycle; 2].join(" "), [cycle; 3].join(" ")] {
        // A busy machine may be late once, not always.
        let mut fastest = u64::MAX;
        for _ in 0..5 {
            engine.send(&format!("position startpos moves {moves}"));
            engine.send("go movetime 50");
            let lines = engine.answer();
            check_answer(&lines);
            assert!(FIRST_MOVES.contains(&best_move(lines.last().unwrap())));
            let time = field(&lines[lines.len() - 2], "time").unwrap();
            fastest = fastest.min(time.parse().unwrap());
        }
        assert!(fastest <= 50, "{fastest} ms");
    }
    engine.send("position fen 8/8/4k3/8/8/4K3/4P3/8 w - - 100 120");
    engine.send("go depth 1");
    let lines = engine.answer();
    check_answer(&lines);
    assert_eq!(field(&lines[lines.len() - 2], "cp"), Some("0"));
    engine.send("position fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1");
    engine.send("go depth 3");
    checked_answer(&mut engine);
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

/// All moves of all lines, played one after the other.
fn check_lines<P: Notation>(root: &P, lines: &[String]) {
    let pvs: Vec<&str> = lines
        .iter()
        .filter_map(|line| Some(line.split_once(" pv ")?.1))
        .collect();
    assert!(!pvs.is_empty());
    for pv in pvs {
        let mut position = root.clone();
        for text in pv.split(' ') {
            assert!(position.ending().is_none(), "{pv} goes on after the end");
            let m = position.parse_move(text, TextStyle::default());
            let m = m.unwrap_or_else(|error| panic!("{text} of {pv}: {error}"));
            position.make(m, &mut ());
        }
    }
}

#[test]
fn pvs_are_legal_to_their_last_move() {
    let mut engine = uci();
    engine.send("setoption name MultiPV value 4");
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/8/4k3/8/8/4K3/4P3/8 w - - 96 120",
        "7k/8/5K2/8/8/8/8/R7 w - - 0 1",
    ] {
        engine.send(&format!("position fen {fen}"));
        engine.send("go depth 7");
        let root = <Chess as Game>::Position::from_fen(fen).unwrap();
        check_lines(&root, &engine.answer());
    }
    engine.send("setoption name UCI_Variant value xiangqi");
    engine.send("setoption name UCI_XiangqiRanks value pikafish");
    for fen in [
        "1r2kab1r/2c1a4/n1c1b1n2/4p2N1/p1p6/1C4P2/P1P1P4/2N1B3C/4A4/1RBAK2R1 w - - 0 1",
        "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1",
    ] {
        engine.send(&format!("position fen {fen}"));
        engine.send("go depth 6");
        let root = <Xiangqi as Game>::Position::from_fen(fen).unwrap();
        check_lines(&root, &engine.answer());
    }
}

#[test]
fn the_root_move_being_searched_is_told_after_three_seconds() {
    let mut engine = uci();
    engine.send("position startpos");
    let asked = Instant::now();
    engine.send("go infinite");
    let lines = engine.until(|line| line.contains(" currmove "));
    assert!(asked.elapsed() >= Duration::from_millis(2900));
    let line = &lines[lines.len() - 1];
    assert!(FIRST_MOVES.contains(&field(line, "currmove").unwrap()));
    let number: usize = field(line, "currmovenumber").unwrap().parse().unwrap();
    assert!((1..=20).contains(&number));
    engine.send("stop");
    engine.answer();
}
