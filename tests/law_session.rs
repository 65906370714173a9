//! The law of repetition as the engine plays it: the options, and what the search makes of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // That is how tests fail.

#[path = "support/process.rs"]
mod process;

use process::run;

/// Black checks or chases in turn with nothing but its chariot; a move of Red's king makes the
/// position stand for the third time.
const CHECK_AND_CHASE: &str = "position fen 5k3/9/9/9/9/1r4N2/9/9/9/4K4 b - - 0 1 moves \
    b4b0 e0e1 b0b4 e1e0 b4b0 e0e1 b0b4";

/// The score in centipawns of a search confined to one move.
fn score_of(options: &[&str], position: &str, m: &str) -> i32 {
    let mut script = String::from("ucinewgame\n");
    for option in options {
        script += &format!("setoption name {option}\n");
    }
    script += &format!("{position}\ngo depth 4 searchmoves {m}\n");
    let arguments = ["uci", "--game", "xiangqi"];
    let (code, lines, _) = run(&arguments, &script);
    assert_eq!(code, 0);
    let info = lines
        .iter()
        .rfind(|line| line.starts_with("info depth"))
        .unwrap_or_else(|| panic!("{lines:?}"));
    let words: Vec<&str> = info.split(' ').collect();
    let at = words.iter().position(|word| *word == "cp").expect(info);
    words[at + 1].parse().unwrap()
}

const RANKS: &str = "UCI_XiangqiRanks value pikafish";

#[test]
fn the_rule_set_decides_what_a_repetition_is_worth() {
    let score = |rule: &str| {
        let option = format!("Repetition Rule value {rule}");
        score_of(&[RANKS, &option], CHECK_AND_CHASE, "e1e0")
    };
    assert_eq!(score("asian"), 0);
    assert_eq!(score("computer"), 0);
    // Black loses by rule, shown as a win of twenty thousand less the plies to it.
    for rule in ["chinese", "simple"] {
        assert!((19_000..=20_000).contains(&score(rule)), "{rule}");
    }
}

#[test]
fn a_chaser_sees_that_one_more_move_loses() {
    let position = "position fen 3k5/9/9/2c1R4/9/9/9/9/9/4K4 b - - 0 1 moves \
                    c6c5 e6e5 c5c6 e5e6 c6c5 e6e5 c5c6";
    let lost = score_of(&[RANKS], position, "e5e6");
    assert!((-20_000..=-19_000).contains(&lost), "{lost}");
    let open = score_of(&[RANKS], position, "e5e4");
    assert!(open > 0, "{open}");
}

#[test]
fn a_lost_side_is_mated_rather_than_loses_by_rule() {
    let best = |position: &str, limits: &str| {
        let script = format!("setoption name {RANKS}\n{position}\n{limits}\n");
        let (_, lines, _) = run(&["uci", "--game", "xiangqi"], &script);
        let best = lines.iter().find(|line| line.starts_with("bestmove"));
        best.unwrap().split(' ').nth(1).unwrap().to_owned()
    };
    // Every move of Red loses; one more move of the chariot would complete a perpetual chase.
    let chase = "position fen 2rak1b2/N1RNC4/4b4/9/9/9/4P4/9/4p4/5K3 b - - 0 1 moves \
                 c9b9 c8b8 b9c9 b8c8 c9b9 c8b8 b9c9";
    assert_ne!(best(chase, "go nodes 20000"), "b8c8");
    let told = best(chase, "go nodes 20 searchmoves b8c8");
    assert_eq!(told, "b8c8", "as it was told");
    // Here Black's only reply would complete a perpetual check of Red.
    let check = "position fen 5c3/8R/4k2P1/3P5/4P4/6P2/5pN2/5A3/4CK3/6rn1 b - - 0 1 moves \
                 f3e3 e5f5 e3f3 f5e5 f3e3 e5f5 e3f3 d6e6 e7d7";
    assert_ne!(best(check, "go nodes 20000"), "e6d6");
}

#[test]
fn the_limit_is_an_option() {
    let position = "position fen 3k5/9/9/2c1R4/9/9/9/9/9/4K4 w - - 29 1";
    let score = |limit: &str| {
        let option = format!("No Capture Limit value {limit}");
        score_of(&[RANKS, &option], position, "e0e1")
    };
    assert_eq!(score("30"), 0);
    assert!(score("0") > 100 && score("120") > 100);
}

#[test]
fn ucci_clients_set_the_rules_by_their_names() {
    let ask = |rule: &str| {
        let script = format!(
            "setoption repetition {rule}\nsetoption natural 120\n{CHECK_AND_CHASE} e1e0\ngo depth 1\n"
        );
        let (code, lines, _) = run(&["ucci"], &format!("ucci\n{script}"));
        assert_eq!(code, 0);
        assert!(
            lines
                .iter()
                .any(|line| line.starts_with("option repetition"))
        );
        assert!(lines.iter().any(|line| line.starts_with("option natural")));
        lines
    };
    for rule in ["asianrule", "chineserule", "simple", "alwaysdraw"] {
        let lines = ask(rule);
        assert!(
            lines.iter().any(|line| line.starts_with("bestmove")),
            "{rule}"
        );
    }
}
