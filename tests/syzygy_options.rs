//! What the options for Syzygy tables change. The tables are of our own making, and wrong where that
//! shows who has asked them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // That is how tests fail.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/process.rs"]
mod process;
#[path = "support/tables.rs"]
mod tables;

use folder::Folder;
use process::{Engine, field};

/// An engine with the tables that are made up, and their folder.
fn engine_with_made_up_tables(name: &str) -> (Engine, Folder) {
    let folder = Folder::new(&format!("syzygy-{name}"));
    tables::write(&folder.0, tables::MADE_UP);
    let mut engine = Engine::start(&["uci"]);
    engine.send(&format!(
        "setoption name SyzygyPath value {}",
        folder.path()
    ));
    let said = "info string SyzygyPath: 7 tables of results and 0 of distances, up to 4 men";
    assert_eq!(engine.sync(), [said]);
    (engine, folder)
}

/// The last line of analysis of a search to a depth, nothing being known before.
fn analysed(engine: &mut Engine, fen: &str, depth: u32) -> String {
    engine.send("ucinewgame");
    engine.send(&format!("position fen {fen}"));
    engine.send(&format!("go depth {depth}"));
    let answer = engine.answer();
    let last = answer.iter().rfind(|line| line.contains(" score "));
    last.unwrap().clone()
}

/// Rook against knight, the rook being better in truth, as far as a search sees.
const ROOK: &str = "8/8/8/3k4/8/2n5/8/R3K3 w - - 0 1";

fn hits(line: &str) -> u64 {
    field(line, "tbhits").unwrap().parse().unwrap()
}

fn centipawns(line: &str) -> i32 {
    field(line, "cp")
        .unwrap_or_else(|| panic!("{line}"))
        .parse()
        .unwrap()
}

#[test]
fn the_engine_believes_its_tables() {
    let (mut engine, _folder) = engine_with_made_up_tables("believed");
    // At the root, for either side.
    assert!(centipawns(&analysed(&mut engine, ROOK, 6)) < -10_000);
    let black = ROOK.replace(" w ", " b ");
    assert!(centipawns(&analysed(&mut engine, &black, 6)) > 10_000);
    // Below the root: White has five men to begin with, and need only take one.
    let line = analysed(&mut engine, "8/8/8/3k4/8/8/1n6/RR2K3 w - - 0 1", 6);
    assert!(hits(&line) > 0, "{line}");
}

#[test]
fn shallow_searches_do_not_ask_where_the_option_forbids_it() {
    let (mut engine, _folder) = engine_with_made_up_tables("depth");
    // Rook against knight is searched then; what has as many men as are allowed comes by captures.
    engine.send("setoption name SyzygyProbeLimit value 3");
    let found = [1, 3, 6, 100].map(|depth| {
        engine.send(&format!("setoption name SyzygyProbeDepth value {depth}"));
        hits(&analysed(&mut engine, ROOK, 10))
    });
    assert!(found[0] > found[1] && found[1] > found[2], "{found:?}");
    assert_eq!(found[3], 0, "{found:?}");
}

#[test]
fn wins_that_the_clock_spoils_are_draws_unless_it_is_not_played() {
    let (mut engine, _folder) = engine_with_made_up_tables("clock");
    let fen = "8/8/8/3k4/8/8/8/1BN1K3";
    for (side, sign) in [("w", 1), ("b", -1)] {
        let mut score = |rule: bool| {
            engine.send(&format!("setoption name Syzygy50MoveRule value {rule}"));
            sign * centipawns(&analysed(&mut engine, &format!("{fen} {side} - - 0 1"), 6))
        };
        assert!((0..3).contains(&score(true)));
        assert!(score(false) > 10_000);
    }
}

#[test]
fn positions_of_more_men_than_the_limit_are_not_asked_for() {
    let (mut engine, _folder) = engine_with_made_up_tables("limit");
    let mut line = |limit: u32| {
        engine.send(&format!("setoption name SyzygyProbeLimit value {limit}"));
        analysed(&mut engine, ROOK, 8)
    };
    let [all, four, three, two, none] = [7, 4, 3, 2, 0].map(&mut line);
    assert!(centipawns(&all) < -10_000 && centipawns(&four) < -10_000);
    // The truth, but for what captures lead to.
    assert!(centipawns(&three) > -1000 && hits(&three) > 0, "{three}");
    assert!(centipawns(&two) > -1000 && hits(&two) == 0, "{two}");
    assert_eq!(hits(&none), 0, "{none}");
}
