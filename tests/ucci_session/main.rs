//! Conversations in UCCI with the real binary. Names begin with the section of the specification
//! or the entry of its register of ambiguities.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod extras;
mod games;
#[path = "../support/process.rs"]
mod process;

use std::time::{Duration, Instant};

use process::{Engine, LONG, best_move, field, run};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";

fn ucci() -> Engine {
    let mut engine = Engine::start(&[]);
    engine.send("ucci");
    engine.until_line("ucciok");
    engine
}

/// Takes an answer, checks its form, and returns its lines.
fn checked_answer(engine: &mut Engine) -> Vec<String> {
    let lines = engine.answer();
    let (last, infos) = lines.split_last().unwrap();
    for line in infos.iter().filter(|line| line.contains(" score ")) {
        let score: i32 = field(line, "score").unwrap().parse().expect("a bare score");
        assert!(score.abs() <= 10_000, "{line}");
        let order = ["depth", "seldepth", "score", "time", "nodes", "nps", "pv"];
        let words: Vec<&str> = line.split(' ').collect();
        let places: Vec<_> = order
            .iter()
            .map(|name| words.iter().position(|word| word == name).expect(name))
            .collect();
        assert!(places.is_sorted(), "{line}");
    }
    if last != "nobestmove" {
        let words: Vec<&str> = last.split(' ').collect();
        assert_eq!((words[0], words[1].len()), ("bestmove", 4));
        let rest: Vec<usize> = words[2..].iter().map(|word| word.len()).collect();
        assert!(
            matches!(
                words[2..],
                [] | ["draw" | "resign"] | ["ponder", _] | ["ponder", _, "draw" | "resign"]
            ),
            "{last} {rest:?}"
        );
        let final_line = infos.iter().rfind(|line| line.contains(" pv ")).unwrap();
        assert_eq!(field(final_line, "pv"), Some(words[1]));
    }
    lines
}

fn last(lines: &[String]) -> &str {
    lines.last().unwrap()
}

#[test]
fn d17_1_startup() {
    let mut engine = Engine::start(&["ucci"]);
    let asked = Instant::now();
    engine.send("ucci");
    let lines = engine.until_line("ucciok");
    assert!(asked.elapsed() < Duration::from_secs(1));
    assert_eq!(lines[0], "id name Twofold");
    for line in [
        "option usemillisec type check default true",
        "option batch type check default false",
        "option debug type check default false",
        "option ponder type check default false",
        "option hashsize type spin min 0 max 1048576 default 16",
        "option threads type spin min 0 max 1024 default 1",
        "option newgame type button",
    ] {
        assert!(lines.iter().any(|own| own == line), "{line}");
    }
    assert!(engine.sync().is_empty());
    engine.send("quit");
    assert_eq!(engine.line_within(LONG), "bye");
    assert_eq!(engine.finish(LONG).0, 0);
}

#[test]
fn d17_2_xqwizard() {
    let mut engine = ucci();
    for option in [
        "guiname XQWizard",
        "usemillisec true",
        "promotion false",
        "usebook true",
        "useegtb true",
        "hashsize 0",
        "threads 0",
        "idle none",
        "randomness none",
        "style normal",
        "newgame",
        "ponder false",
    ] {
        engine.send(&format!("setoption {option}"));
    }
    engine.send("position startpos moves c3c4 h9g7");
    engine.send("go time 2000 increment 0 opptime 2000 oppincrement 0");
    let lines = checked_answer(&mut engine);
    assert!(
        !lines.iter().any(|line| line.contains("message")),
        "silence"
    );
}

#[test]
fn d17_3_gmchess_does_not_wait_and_is_sloppy_with_blanks() {
    let mut engine = Engine::start(&[]);
    engine.write(
        b"ucci\nsetoption newgame\nsetoption pruning  large\nsetoption usebook true\n\
          position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w -- 0 1  \
          moves h2e2\ngo depth 3 \n",
    );
    engine.until_line("ucciok");
    let lines = checked_answer(&mut engine);
    assert!(best_move(last(&lines)).as_bytes()[1] >= b'5', "{lines:?}");
}

#[test]
fn d17_6_seconds() {
    let mut engine = ucci();
    engine.send("setoption usemillisec false");
    engine.send("position startpos");
    let asked = Instant::now();
    engine.send("go time 1");
    checked_answer(&mut engine);
    let taken = asked.elapsed();
    assert!(
        taken > Duration::from_millis(200) && taken < Duration::from_secs(1),
        "{taken:?}"
    );
    let asked = Instant::now();
    engine.send("go time 0 increment 0");
    checked_answer(&mut engine);
    assert!(asked.elapsed() < Duration::from_millis(300));
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
fn d17_8_to_10_ponder() {
    let mut engine = ucci();
    engine.send("setoption ponder 1");
    for (go, end) in [
        ("time 600 increment 0", "ponderhit"),
        ("time 600 increment 0", "stop"),
        ("depth 3", "ponderhit"),
    ] {
        engine.send("position startpos moves h2e2 h9g7");
        engine.send(&format!("go ponder {go}"));
        engine.no_answer_for(Duration::from_millis(700));
        engine.send("isready");
        engine.until_line("readyok");
        engine.send(end);
        engine.answer();
    }
}

#[test]
fn d17_11_to_13_stop_idle_stop_and_what_a_search_ignores() {
    let mut engine = ucci();
    engine.write(b"position startpos\ngo infinite\nstop\n");
    assert_ne!(last(&checked_answer(&mut engine)), "nobestmove", "A13");
    engine.send("stop");
    assert_eq!(engine.line_within(LONG), "nobestmove", "A3");
    engine.send("ponderhit");
    assert!(engine.sync().is_empty());

    engine.send("position startpos");
    engine.send("go infinite");
    engine.until_thinking();
    // A5: none of this counts.
    engine.send("setoption multipv 3");
    engine.send("position startpos moves b0c2");
    engine.send("go depth 1");
    engine.sync();
    engine.send("stop");
    let lines = checked_answer(&mut engine);
    assert!(best_move(last(&lines)).as_bytes()[1] < b'5', "Red moved");
    assert!(engine.sync().is_empty(), "one answer only");
    engine.send("go depth 2");
    let lines = checked_answer(&mut engine);
    assert!(!lines.iter().any(|line| line.contains("multipv")));
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
    engine.no_answer_for(Duration::from_millis(300));
    engine.send("stop");
    assert_eq!(last(&engine.answer()), "bestmove d7d9");
}

#[test]
fn d17_15_and_16_banmoves() {
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
    assert_eq!(best_move(last(&checked_answer(&mut engine))), free, "A22");
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
fn d17_20_and_21_mates_count_plies() {
    let mut engine = ucci();
    let fen = "4k4/9/9/9/9/9/9/9/9/R2K5 w - - 0 1";
    engine.send(&format!("position fen {fen}"));
    engine.send("go depth 10");
    let lines = checked_answer(&mut engine);
    assert_eq!(field(&lines[lines.len() - 2], "score"), Some("9997"));
    engine.send(&format!("position fen {fen} moves a0a8"));
    engine.send("go depth 10");
    let lines = checked_answer(&mut engine);
    assert_eq!(field(&lines[lines.len() - 2], "score"), Some("-9998"));
    assert!(
        !last(&lines).contains("ponder"),
        "the game is over after that"
    );
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

#[test]
fn d17_24_and_25_batch_mode() {
    let input = "ucci\nsetoption batch true\nposition startpos\ngo depth 3\n\
                 position fen 3Rk4/9/4P4/9/9/9/9/9/9/3K5 b - - 0 1\ngo depth 3\n\
                 position startpos moves h2e2\ngo time 300\nisready\nquit\n";
    let started = Instant::now();
    let (code, lines, stderr) = run(&[], input);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(
        started.elapsed() > Duration::from_millis(200),
        "the search was not cut short"
    );
    let ends: Vec<&str> = lines
        .iter()
        .map(String::as_str)
        .skip_while(|line| *line != "ucciok")
        .filter(|line| !line.starts_with("info "))
        .collect();
    assert_eq!(ends.len(), 6, "{ends:?}");
    assert_eq!(ends[0], "ucciok");
    assert!(best_move(ends[1]).as_bytes()[1] < b'5');
    assert_eq!(ends[2], "nobestmove");
    assert!(best_move(ends[3]).as_bytes()[1] >= b'5');
    assert_eq!(ends[4..], ["readyok", "bye"]);
}

#[test]
fn batch_mode_ends_after_what_was_asked_for_in_it() {
    let input = "ucci\nsetoption batch true\nposition startpos\ngo nodes 8000\n\
                 setoption batch false\nposition startpos moves h2e2\ngo depth 3\n";
    let (code, lines, stderr) = run(&[], input);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let moves = lines.iter().filter(|line| line.starts_with("bestmove "));
    let sides: Vec<bool> = moves
        .map(|line| best_move(line).as_bytes()[1] >= b'5')
        .collect();
    assert_eq!(sides, [false, true]);
}

#[test]
fn a_line_of_several_says_which_it_is() {
    let mut engine = ucci();
    engine.send("setoption multipv 2");
    engine.send("position startpos");
    engine.send("go searchmoves H2-E2 b2e2 depth 3");
    let lines = checked_answer(&mut engine);
    let (played, lines) = lines.split_last().unwrap();
    assert!(["h2e2", "b2e2"].contains(&best_move(played)));
    let ranks: Vec<_> = lines.iter().map(|line| field(line, "multipv")).collect();
    assert!(
        ranks.contains(&Some("1")) && ranks.contains(&Some("2")),
        "{ranks:?}"
    );
    assert!(!ranks.contains(&None), "{lines:?}");
}

#[test]
fn d17_24_batch_mode_quits_although_the_input_stays_open() {
    let mut engine = ucci();
    engine.send("setoption batch true");
    engine.send("quit");
    assert_eq!(engine.line_within(LONG), "bye");
    assert_eq!(engine.finish(LONG).0, 0);
}

#[test]
fn d17_26_an_invalid_fen_leaves_no_position() {
    let mut engine = ucci();
    engine.send("position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9 w - - 0 1");
    let line = engine.line_within(LONG);
    assert!(line.starts_with("info message invalid fen: "), "{line}");
    engine.send("go time 60000 increment 0");
    assert_eq!(engine.answer(), ["nobestmove"]);
    engine.send("d");
    engine.send("position startpos");
    engine.send("go depth 3");
    let lines = checked_answer(&mut engine);
    assert_ne!(last(&lines), "nobestmove");
}

#[test]
fn d17_27_an_illegal_move_ends_the_list() {
    let mut engine = ucci();
    engine.send("position startpos moves h2e2 h9g8 h0g2");
    assert_eq!(engine.line_within(LONG), "info message illegal move h9g8");
    engine.send("go depth 1");
    let lines = checked_answer(&mut engine);
    assert!(best_move(last(&lines)).as_bytes()[1] >= b'5');
}

#[test]
fn d17_28_unknown_words_and_uci_habits() {
    let mut engine = ucci();
    for line in [
        "foo bar",
        "setoption selectivity large",
        "setoption name hashsize value 64",
        "uccinewgame",
        "setoption",
        "setoption hashsize many",
        "setoption ponder perhaps",
        "register later",
        "debug on",
        "go_away",
        "  ",
    ] {
        engine.send(line);
    }
    assert!(engine.sync().is_empty());
    engine.send("position fen rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r moves");
    engine.send("go wtime 600 btime 600 winc 10 binc 10");
    checked_answer(&mut engine);
    engine.send("setoption debug true");
    engine.send("foo bar");
    assert_eq!(engine.sync(), ["info message Unknown command: 'foo bar'"]);
}

#[test]
fn bye_is_the_last_line_whatever_was_going_on() {
    for work in ["eval", "perft 3", "go depth 3", "d"] {
        for _ in 0..5 {
            let input = format!("ucci\nposition startpos\ngo infinite\nstop\n{work}\nquit\n");
            let (code, lines, stderr) = run(&["ucci"], &input);
            assert_eq!((code, stderr.as_str()), (0, ""));
            assert_eq!(lines.last().map(String::as_str), Some("bye"), "{work}");
            assert_eq!(lines.iter().filter(|line| *line == "bye").count(), 1);
        }
    }
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

#[test]
fn d17_32_cchess_ends_its_lines_with_cr_lf() {
    let mut engine = Engine::start(&[]);
    engine.write(b"ucci\r\n");
    engine.until_line("ucciok");
    engine.write(
        format!("setoption name hashsize value 64\r\nposition fen {START} w\r\n").as_bytes(),
    );
    engine.write(b"go depth 3\r\n");
    checked_answer(&mut engine);
    engine.write(b"stop\r\r\nquit\r\n");
    assert_eq!(engine.line_within(LONG), "nobestmove");
    assert_eq!(engine.line_within(LONG), "bye");
}

#[test]
fn a1_commands_before_the_handshake_do_no_harm() {
    let mut engine = Engine::start(&["ucci"]);
    engine.send("foo");
    assert!(engine.sync().is_empty());
    engine.send("position startpos");
    engine.send("go depth 1");
    checked_answer(&mut engine);
    engine.send("ucci");
    engine.until_line("ucciok");
    engine.send("ucci");
    engine.until_line("ucciok");
}

#[test]
fn s4_4_two_thousand_moves_and_repetitions() {
    let mut engine = ucci();
    let cycle = "h0g2 h9g7 g2h0 g7h9 ".repeat(500);
    engine.send(&format!("position startpos moves {cycle}"));
    engine.send("go depth 3");
    assert_ne!(last(&checked_answer(&mut engine)), "nobestmove", "A14");
}

#[test]
fn helpers_work_in_ucci_too() {
    let mut engine = ucci();
    engine.send("d");
    let fen = format!("Fen: {START} w - - 0 1");
    assert!(engine.sync().contains(&fen));
    engine.send("go perft 1");
    let lines = engine.until(|line| line.starts_with("Nodes searched"));
    assert_eq!(lines.len(), 44 + 2);
    assert_eq!(last(&lines), "Nodes searched: 44");
    engine.send("eval");
    let lines = engine.sync();
    assert!(last(&lines).ends_with(" (red side)"), "{lines:?}");
}

#[test]
fn a33_a_bounded_search_outlives_the_input() {
    let (code, lines, stderr) = run(&[], "ucci\nposition startpos\ngo depth 4\n");
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(last(&lines).starts_with("bestmove "));
}
