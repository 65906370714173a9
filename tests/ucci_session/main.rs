//! Conversations in UCCI with the real binary. Names begin with the section of the specification
//! or the entry of its register of ambiguities.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod batch;
mod clients;
mod extras;
mod games;
#[path = "../support/process.rs"]
mod process;
mod verdicts;
mod waiting;

use process::{Engine, LONG, best_move, field};
use twofold::game::{Game, Notation, Position, TextStyle};
use twofold::games::Xiangqi;

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

/// Plays every line of analysis from the position after these moves: a line for another one would
/// hardly be legal.
fn check_lines(fen: &str, moves: &str, lines: &[String]) {
    type Board = <Xiangqi as Game>::Position;
    let play = |board: &mut Board, text: &str| {
        let m = board.parse_move(text, TextStyle::default());
        let m = m.unwrap_or_else(|error| panic!("{text} in {lines:#?}: {error}"));
        board.make(m, &mut ());
    };
    let mut root = Board::from_fen(fen).unwrap();
    for text in moves.split_whitespace() {
        play(&mut root, text);
    }
    let pvs = lines.iter().filter_map(|line| line.split_once(" pv "));
    for (_, pv) in pvs {
        let mut board = root.clone();
        for text in pv.split(' ') {
            play(&mut board, text);
        }
    }
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
fn d17_26_an_invalid_fen_leaves_no_position() {
    let mut engine = ucci();
    engine.send("position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9 w - - 0 1");
    let said = "info message invalid fen: 9 ranks instead of 10";
    assert_eq!(engine.line_within(LONG), said);
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
