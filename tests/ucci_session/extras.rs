//! What UCCI offers beyond play: probes, chance in the choice of moves, giving up.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::process::best_move;
use crate::{checked_answer, field, last, ucci};

#[test]
fn d17_29_probe() {
    let mut engine = ucci();
    engine.send("probe startpos");
    engine.until_line("pophash");
    engine.send("position startpos");
    engine.send("go depth 6");
    let lines = checked_answer(&mut engine);
    let best = best_move(last(&lines)).to_owned();
    engine.send("probe startpos");
    let known = engine.sync();
    assert_eq!(known.len(), 1);
    let prefix = format!("pophash bestmove {best} lowerbound ");
    assert!(known[0].starts_with(&prefix), "{known:?}");
    let score = field(&lines[lines.len() - 2], "score").unwrap();
    assert_eq!(field(&known[0], "lowerbound"), Some(score), "{known:?}");
    assert_eq!(field(&known[0], "upperbound"), Some(score), "{known:?}");
    for searched in ["h2e2", &best] {
        engine.send(&format!("probe startpos moves {searched}"));
        let known = engine.sync();
        assert_eq!(known.len(), 1, "{known:?}");
        assert!(known[0].starts_with("pophash "), "{known:?}");
        assert!(known[0].contains("bound "), "{searched}: {known:?}");
        assert!(field(&known[0], "depth").is_some(), "{known:?}");
    }
    for nothing in [
        "probe fen 4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1",
        "probe fen nonsense",
        "probe startpos moves a0a9",
        "probe",
    ] {
        engine.send(nothing);
        assert_eq!(engine.sync(), ["pophash"], "{nothing}");
    }
    // The position is still the one before, and a search is not disturbed.
    engine.send("banmoves a0a1");
    engine.send("go infinite");
    engine.until_thinking();
    let asked = Instant::now();
    engine.send("probe startpos");
    let lines = engine.until(|line| line.starts_with("pophash"));
    assert!(asked.elapsed() < Duration::from_secs(1));
    assert!(last(&lines).starts_with("pophash bestmove "));
    engine.send("stop");
    let answer = engine.answer();
    assert!(best_move(last(&answer)).as_bytes()[1] < b'5', "Red moved");
}

#[test]
fn s5_2_randomness_varies_the_opening() {
    let mut engine = ucci();
    let mut choices = |amount: &str, times: usize| {
        engine.send(&format!("setoption randomness {amount}"));
        let mut seen = BTreeSet::new();
        for _ in 0..times {
            engine.send("setoption newgame");
            engine.send("position startpos");
            engine.send("go depth 3");
            let lines = checked_answer(&mut engine);
            seen.insert(best_move(last(&lines)).to_owned());
        }
        seen.len()
    };
    assert_eq!(choices("none", 4), 1);
    assert!(choices("large", 40) > 1);
}

#[test]
fn s9_2_it_gives_up_only_when_told_that_it_may() {
    let mut engine = ucci();
    // Red has nothing against two rooks.
    let fen = "3ak4/4a4/9/9/9/r3r4/9/9/9/3AKA3 w - - 0 1";
    for (limit, gives_up) in [("0", false), ("500", true), ("9000", false)] {
        engine.send(&format!("setoption giveup {limit}"));
        engine.send(&format!("position fen {fen}"));
        engine.send("go draw depth 2");
        let line = last(&checked_answer(&mut engine)).to_owned();
        assert_eq!(line.ends_with(" resign"), gives_up, "{line}");
        assert!(gives_up || line.ends_with(" draw"), "{line}");
    }
}

#[test]
fn what_follows_a_count_waits_its_turn() {
    let mut engine = ucci();
    let fen = "3k5/9/9/2c1R4/9/9/9/9/9/4K4 b - - 0 1";
    engine.write(format!("go perft 3\nposition fen {fen}\nd\n").as_bytes());
    let said = engine.until_line(&format!("Fen: {fen}"));
    assert!(
        said.iter().any(|line| line == "Nodes searched: 79666"),
        "{said:?}"
    );
}
