//! The law of repetition: every case of the case files, under every rule set they speak of.
//!
//! `data/repetition.tsv` holds cases that independent judges have confirmed, diagrams of the
//! Asian federation's manual among them; `data/repetition-own.tsv` holds ours, which exercise
//! what those do not.

// Helpers here may fail the test that called them.
#![allow(clippy::panic, clippy::unwrap_used)]

#[path = "support/xiangqi.rs"]
mod support;

use support::{Case, board, read_cases};
use twofold::game::Verdict;
use twofold::game::{Arbiter, Notation, Outcome, Position, RepetitionRule, Rules, Side, TextStyle};
use twofold::xiangqi::Board;

const CASES: &str = include_str!("data/repetition.tsv");
const OWN_CASES: &str = include_str!("data/repetition-own.tsv");

fn begin(case: &Case, rule: RepetitionRule) -> Board {
    let mut position = board(case.fen);
    position.set_rules(&Rules {
        repetition: rule,
        ..Rules::default()
    });
    position
}

fn play(position: &mut Board, text: &str) {
    let m = position.parse_move(text, TextStyle::default());
    let m = m.unwrap_or_else(|error| panic!("{text}: {error}"));
    position.make(m, &mut ());
}

fn word(loser: Option<Side>, us: Side) -> &'static str {
    match loser {
        None => "draw",
        Some(side) if side == us => "loss",
        Some(_) => "win",
    }
}

/// How the game stands for the side to move.
fn standing(position: &Board) -> &'static str {
    match position.ending().map(|ending| ending.outcome) {
        None => "none",
        Some(Outcome::Draw) => word(None, position.side_to_move()),
        Some(Outcome::Win(side)) => word(Some(!side), position.side_to_move()),
    }
}

/// Plays a case to its end and compares the verdicts.
fn check(case: &Case, rule: RepetitionRule, expected: &str) {
    let mut position = begin(case, rule);
    for text in &case.moves {
        assert_eq!(standing(&position), "none", "{} before {text}", case.id);
        play(&mut position, text);
    }
    assert_eq!(standing(&position), expected, "{} under {rule}", case.id);
}

/// Does a file name the verdicts of all rule sets that differ from the Asian one?
#[derive(Clone, Copy, PartialEq)]
enum Named {
    WhereDifferent,
    HereAndThere,
}

fn check_all(text: &str, named: Named) -> usize {
    let cases = read_cases(text);
    for case in &cases {
        check(case, RepetitionRule::Asian, case.expected);
        for rule in RepetitionRule::ALL {
            if let Some(expected) = case.under(rule.name()) {
                check(case, rule, expected);
            } else if named == Named::WhereDifferent && rule != RepetitionRule::Simple {
                check(case, rule, case.expected);
            }
        }
    }
    cases.len()
}

#[test]
fn confirmed_cases() {
    assert!(check_all(CASES, Named::WhereDifferent) >= 495);
}

#[test]
fn own_cases() {
    assert!(check_all(OWN_CASES, Named::HereAndThere) >= 40);
}

/// The file that the copy was taken from may have grown.
#[test]
fn cases_of_the_specification() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../shared/data/xiangqi/repetition.tsv"
    );
    match std::fs::read_to_string(path) {
        Ok(text) => assert!(check_all(&text, Named::WhereDifferent) > 0),
        Err(_) => println!("skipped: no ../shared"),
    }
}

/// In a cycle that is played twice, the first loop shows all there is to see: a judge who is
/// satisfied with two occurrences must say the same.
#[test]
fn half_a_cycle_is_judged_as_the_whole() {
    let mut seen = 0;
    for case in read_cases(CASES).iter().chain(&read_cases(OWN_CASES)) {
        let half = case.moves.len() / 2;
        let (first, second) = case.moves.split_at(half);
        if case.expected == "none" || half == 0 || first != second {
            continue;
        }
        let mut position = begin(case, RepetitionRule::Asian);
        let start = position.key();
        for text in first {
            play(&mut position, text);
        }
        if position.key() != start {
            continue;
        }
        assert_eq!(position.cycle(2), Some(half), "{}", case.id);
        let loser = position.judge(half).loser().map(|(side, _)| side);
        let found = word(loser, position.side_to_move());
        assert_eq!(found, case.expected, "{}", case.id);
        seen += 1;
    }
    assert!(seen > 400, "{seen}");
}

/// What a search may conclude below its root from the first loop never contradicts the verdict.
#[test]
fn verdicts_inside_a_search_agree_with_those_of_the_game() {
    let mut finals = 0;
    for case in read_cases(CASES) {
        let half = case.moves.len() / 2;
        if case.expected == "none" || half == 0 || case.moves[..half] != case.moves[half..] {
            continue;
        }
        let mut position = begin(&case, RepetitionRule::Asian);
        let start = position.key();
        // One ply into the second loop the position before stands for the second time too.
        for text in &case.moves[..half] {
            play(&mut position, text);
        }
        if position.key() != start {
            continue;
        }
        let verdict = position.verdict(half + 1);
        let fits = match case.expected {
            "draw" => verdict == Verdict::Draw,
            "win" => verdict == Verdict::DrawOrBetter,
            _ => verdict == Verdict::DrawOrWorse,
        };
        assert!(fits, "{}: {verdict:?}", case.id);
        assert_eq!(
            position.verdict(half),
            Verdict::Open,
            "{}: at the root",
            case.id
        );
        play(&mut position, case.moves[0]);
        let verdict = position.verdict(half + 2);
        let fits = match case.expected {
            "draw" => verdict == Verdict::Draw,
            // The other side is to move now.
            "win" => verdict == Verdict::Lost,
            _ => verdict == Verdict::Won,
        };
        assert!(fits, "{}: {verdict:?} one ply on", case.id);
        finals += 1;
    }
    assert!(finals > 400, "{finals}");
}

#[test]
fn a_null_move_cuts_the_history_off() {
    let mut position = board("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1");
    let cycle = ["f0e0", "e8f8", "e0f0", "f8e8"];
    for text in cycle {
        play(&mut position, text);
    }
    assert!(position.cycle(2).is_some());
    position.make_null();
    position.make_null();
    assert_eq!(position.cycle(2), None);
    for text in &cycle[..3] {
        play(&mut position, text);
        assert_eq!(position.cycle(2), None);
    }
    play(&mut position, cycle[3]);
    assert_eq!(position.cycle(2), Some(4), "the cycle after the null moves");
    assert_eq!(position.cycle(3), None);
}

#[test]
fn the_table_tells_repeated_positions_and_steps_of_the_limit_apart() {
    let fresh = board("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1");
    let mut repeated = fresh.clone();
    for text in ["f0e0", "e8f8", "e0f0", "f8e8"] {
        play(&mut repeated, text);
    }
    assert_eq!(fresh.key(), repeated.key());
    assert_ne!(fresh.table_key(), repeated.table_key());
    let late = board("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 90 1");
    assert_ne!(fresh.table_key(), late.table_key());
    let early = board("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 8 1");
    assert_eq!(fresh.table_key(), early.table_key());
}
