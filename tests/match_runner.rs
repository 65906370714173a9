//! Whole matches of fake engines: both games, both protocols, adjudication, and going on after an
//! end that came too soon.
//!
//! The engines are this program itself: see [`support::fake_engine`].
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // That is how tests fail.

#[path = "support/matches.rs"]
mod matches;
mod support;

use std::fs;
use std::time::Duration;

use matches::{Scratch, assert_no_engine_left, config, entries, play, twofold_match};
use support::fake_engine;
use twofold::arena::config::{DrawRule, GameKind, MatchConfig, Protocol, ResignRule, Wire};
use twofold::arena::outcome::Termination;
use twofold::arena::runner::Ended;

/// Not a test: what this program does when it is started as an engine.
#[test]
fn fake_engine() {
    fake_engine::run_if_asked();
}

fn xiangqi(scratch: &Scratch, fault: &str) -> MatchConfig {
    let mut config = config(scratch, fault);
    config.game = GameKind::Xiangqi;
    config.engines[0].protocol = Protocol::Ucci;
    for engine in &mut config.engines {
        engine
            .env
            .insert(fake_engine::XIANGQI.to_owned(), String::new());
    }
    config
}

#[test]
fn ucci_plays_uci() {
    let scratch = Scratch::new("mixed");
    let played = play(&xiangqi(&scratch, "none"));
    assert_eq!(played.ended, Ended::Complete, "{}", played.text);
    assert!(
        played
            .entries
            .iter()
            .all(|e| e.plies == 12 && !e.termination.is_failure())
    );
    let pgn = fs::read_to_string(scratch.0.join("games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Game \"Chinese Chess\"]").count(), 2);
}

#[test]
fn ucci_is_detected_and_resignation_is_heeded() {
    let scratch = Scratch::new("detected");
    let mut config = xiangqi(&scratch, "only-ucci");
    config.engines[0].protocol = Protocol::Auto;
    let played = play(&config);
    assert_eq!(played.entries.len(), 2, "{}", played.text);
    let scratch = Scratch::new("resigns");
    let played = play(&xiangqi(&scratch, "resigns"));
    for entry in played.entries {
        assert_eq!(entry.termination, Termination::Agreement);
        assert_eq!(entry.result, if entry.first == 0 { "0-1" } else { "1-0" });
    }
}

#[test]
fn pondering_engines_play_on() {
    let scratch = Scratch::new("ponder");
    let mut config = config(&scratch, "none");
    for engine in &mut config.engines {
        engine.ponder = true;
    }
    let played = play(&config);
    assert!(
        played.entries.iter().all(|e| e.plies == 12),
        "{}",
        played.text
    );
    assert_no_engine_left(&scratch);
}

#[test]
fn a_move_instead_of_pondering_is_not_played() {
    let scratch = Scratch::new("impatient");
    let mut config = config(&scratch, "impatient");
    config.engines[0].ponder = true;
    let played = play(&config);
    assert!(
        played.entries.iter().all(|e| e.plies == 12),
        "{}",
        played.text
    );
    assert!(played.text.contains("before ponderhit"), "{}", played.text);
    assert!(
        played.text.contains("Warnings of Sick: "),
        "{}",
        played.text
    );
}

#[test]
fn scores_end_games_if_asked() {
    let scratch = Scratch::new("adjudicated");
    let mut config = config(&scratch, "none");
    // Both always report +0.12 for themselves: two pessimists would resign, two optimists do not.
    config.adjudication.resign = Some(ResignRule {
        movecount: 2,
        score: 10,
        twosided: true,
    });
    let played = play(&config);
    assert!(played.entries.iter().all(|e| e.plies == 12));
    let scratch = Scratch::new("drawn");
    let mut config = self::config(&scratch, "none");
    config.adjudication.draw = Some(DrawRule {
        movenumber: 0,
        movecount: 2,
        score: 12,
    });
    let played = play(&config);
    for entry in played.entries {
        assert!(entry.plies < 12, "{entry:?}");
        assert_eq!(entry.termination, Termination::Adjudication);
        assert_eq!(entry.result, "1/2-1/2");
    }
}

#[test]
#[cfg(unix)]
fn no_game_is_lost_or_played_twice_though_the_runner_is_killed() {
    let scratch = Scratch::new("killed");
    let mut random = twofold::arena::random::Random::new(11);
    let journal = scratch.0.join("journal.jsonl");
    let lines = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    let mut kills = 0;
    let mut existing = "";
    loop {
        let words = format!("--games 24 --concurrency 2 {existing}");
        let mut runner = twofold_match(&scratch.0, "none", &words).spawn().unwrap();
        // Killed some time after it has written a game or two: on a machine of any speed that is
        // before the end.
        let games = lines() + random.below(3);
        while runner.try_wait().unwrap().is_none() && (kills >= 12 || lines() < games) {
            std::thread::sleep(Duration::from_millis(1));
        }
        if let Some(status) = runner.try_wait().unwrap() {
            assert!(status.success(), "{status}");
            break;
        }
        runner.kill().unwrap();
        runner.wait().unwrap();
        kills += 1;
        existing = "--resume";
    }
    let config = MatchConfig {
        dir: scratch.0.clone(),
        ..MatchConfig::default()
    };
    let mut played: Vec<(u64, u64, usize)> = entries(&config)
        .iter()
        .map(|e| (e.game, e.pair, e.first))
        .collect();
    played.sort_unstable();
    let wanted: Vec<(u64, u64, usize)> = (1..=24)
        .map(|n| (n, (n - 1) / 2, (n as usize - 1) % 2))
        .collect();
    assert_eq!(played, wanted, "after {kills} kills");
    let pgn = fs::read_to_string(scratch.0.join("games.pgn")).unwrap();
    for number in 1..=24 {
        let tag = format!("[GameNumber \"{number}\"]");
        assert_eq!(
            pgn.matches(&tag).count(),
            1,
            "game {number} after {kills} kills"
        );
    }
    assert!(kills > 0, "the match was over before it could be killed");
}

#[test]
fn conversations_are_kept_as_asked() {
    let kept = |wire| {
        let scratch = Scratch::new(&format!("wire-{wire:?}"));
        let mut config = config(&scratch, "none");
        config.output.wire = wire;
        play(&config);
        let read = |game| fs::read_to_string(scratch.0.join(format!("wire/game-{game}.log")));
        (read(1).ok(), read(2).ok())
    };
    assert_eq!(kept(Wire::Failures), (None, None));
    let (first, second) = kept(Wire::All);
    let (first, second) = (first.unwrap(), second.unwrap());
    assert!(first.contains("> uci\n") && first.contains("< bestmove "));
    assert_eq!(second.matches("> ucinewgame").count(), 2, "{second}");
    assert!(!second.contains("uciok"), "a transcript for each game");
}

#[test]
fn a_match_that_was_stopped_goes_on_where_it_stood() {
    let scratch = Scratch::new("resumed");
    let mut config = config(&scratch, "none");
    config.rounds = 2;
    config.concurrency = 2;
    assert_eq!(play(&config).entries.len(), 4);
    config.rounds = 5;
    let played = play(&config);
    assert!(
        played.text.contains("Resumed after 4 games"),
        "{}",
        played.text
    );
    let mut games: Vec<u64> = played.entries.iter().map(|e| e.game).collect();
    games.sort_unstable();
    assert_eq!(games, (1..=10).collect::<Vec<_>>());
    let pgn = fs::read_to_string(scratch.0.join("games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Event ").count(), 10);
}
