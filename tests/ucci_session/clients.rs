//! How real clients begin, and the habits that they bring along.

use std::time::{Duration, Instant};

use crate::process::{Engine, LONG, best_move, field};
use crate::{START, check_lines, checked_answer, last, ucci};

#[test]
fn d17_1_startup() {
    let mut engine = Engine::start(&["ucci"]);
    let asked = Instant::now();
    engine.send("ucci");
    let lines = engine.until_line("ucciok");
    assert!(asked.elapsed() < Duration::from_secs(1));
    let version = concat!("id version ", env!("CARGO_PKG_VERSION"));
    let author = "id author the Twofold authors";
    assert_eq!(lines[..3], ["id name Twofold", version, author]);
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
    // A hundredth of the ten minutes there.
    engine.send("position startpos");
    engine.send("go time 6000 increment 0 opptime 6000 oppincrement 0");
    let first = checked_answer(&mut engine);
    let fen = format!("{START} w - - 0 1");
    check_lines(&fen, "", &first);
    // The user plays; the whole game is listed from the start position.
    let moves = format!("{} h9g7", best_move(last(&first)));
    engine.send(&format!("position startpos moves {moves}"));
    engine.send("go time 5940 increment 0 opptime 5830 oppincrement 0");
    let second = checked_answer(&mut engine);
    check_lines(&fen, &moves, &second);
    for line in first.iter().chain(&second) {
        assert!(
            line.starts_with("info depth ") || line.starts_with("bestmove "),
            "{line}"
        );
    }
}

#[test]
fn d17_3_gmchess_does_not_wait_and_is_sloppy_with_blanks() {
    let mut engine = Engine::start(&[]);
    engine.write(
        b"ucci\nsetoption newgame\nsetoption idle large\nsetoption style risky\n\
          setoption knowledge none\nsetoption pruning  large\nsetoption randomness large\n\
          setoption usebook true\n\
          position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w -- 0 1  \
          moves h2e2\ngo depth 5 \n",
    );
    engine.until_line("ucciok");
    let lines = checked_answer(&mut engine);
    assert!(lines[0].starts_with("info depth "), "{lines:?}");
    assert_eq!(field(&lines[lines.len() - 2], "depth"), Some("5"));
    check_lines(&format!("{START} w - - 0 1"), "h2e2", &lines);
}

#[test]
fn d17_28_unknown_words_and_uci_habits() {
    let mut engine = ucci();
    for line in [
        "foo bar",
        "setoption selectivity large",
        "setoption name hashsize value 64",
        "uccinewgame",
    ] {
        engine.send(line);
    }
    assert!(engine.sync().is_empty());
    if let Some(mib) = engine.largest_mapping() {
        assert!(mib >= 64, "{mib}: the third line set the table's size");
    }
    // The fourth started a new game: what was found before is forgotten.
    let mut nodes = Vec::new();
    for _ in 0..2 {
        engine.send("position startpos");
        engine.send("go depth 5");
        let lines = checked_answer(&mut engine);
        nodes.push(field(&lines[lines.len() - 2], "nodes").unwrap().to_owned());
        engine.send("uccinewgame");
    }
    assert_eq!(nodes[0], nodes[1]);
    for line in [
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
    let lines = checked_answer(&mut engine);
    check_lines(&format!("{START} w - - 0 1"), "", &lines);
    engine.send("setoption debug true");
    engine.send("foo bar");
    assert_eq!(engine.sync(), ["info message Unknown command: 'foo bar'"]);
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
        let nodes = field(scored, "nodes").unwrap().to_owned();
        answers.push((nodes, last(&lines).to_owned()));
    }
    assert_eq!(answers[0], answers[1], "nothing was carried over");
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
