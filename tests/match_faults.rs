//! Engines that are at fault in every way we could think of: how the runner scores the game, and
//! that nothing of them is left. `cargo test --test match_faults -- --nocapture` shows a table.
//!
//! The engines are this program itself: see [`support::fake_engine`].
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // That is how tests fail.

#[path = "support/matches.rs"]
mod matches;
mod support;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use matches::{Played, Scratch, assert_no_engine_left, config, fake, fixed, play, rules};
use support::fake_engine;
use twofold::arena::check::{Step, check};
use twofold::arena::config::{Deadlines, GameKind, MatchConfig, StartFailure};
use twofold::arena::journal::Entry;
use twofold::arena::outcome::Termination;
use twofold::arena::player::Surroundings;
use twofold::arena::runner::Ended;
use twofold::arena::time_control::Limits;

/// Not a test: what this program does when it is started as an engine.
#[test]
fn fake_engine() {
    fake_engine::run_if_asked();
}

/// A row of the table of faults.
fn show(fault: &str, played: &Played) {
    let Some(first) = played.entries.first() else {
        println!("| {fault} | {:?} |", played.ended);
        return;
    };
    println!(
        "| {fault} | game 1: {} {{{}}} | {:.1} s for {} games, no process left |",
        first.result,
        first.reason,
        played.took.as_secs_f64(),
        played.entries.len()
    );
}

/// Plays and checks that both games were lost by the engine at fault, in this way, and that it
/// was replaced for the second one.
fn assert_loses_of(config: &MatchConfig, scratch: &Scratch, fault: &str, wanted: Wanted) {
    let played = play(config);
    assert_eq!(played.ended, Ended::Complete, "{}", played.text);
    assert_eq!(played.entries.len(), 2, "{}", played.text);
    for entry in &played.entries {
        let result = if entry.first == 0 { "0-1" } else { "1-0" };
        assert_eq!(entry.result, result, "{entry:?}");
        assert_eq!(entry.termination, wanted.termination, "{entry:?}");
        assert!(entry.reason.contains(wanted.word), "{entry:?}");
    }
    assert!(scratch.0.join("failures/game-1.log").exists());
    assert!(played.took < Duration::from_secs(60), "{:?}", played.took);
    assert_no_engine_left(scratch);
    show(fault, &played);
}

struct Wanted {
    termination: Termination,
    word: &'static str,
}

fn assert_loses(fault: &str, termination: Termination, word: &'static str) {
    let scratch = Scratch::new(fault);
    let config = config(&scratch, fault);
    assert_loses_of(&config, &scratch, fault, Wanted { termination, word });
}

/// As [`assert_loses`], with a limit that the engine at fault, and it alone, oversteps.
fn assert_loses_on_time(fault: &str) {
    let scratch = Scratch::new(fault);
    let mut config = config(&scratch, fault);
    config.engines[0].limits = fixed(Duration::from_millis(200));
    config.engines[0].time_margin = Some(Duration::from_millis(300));
    let wanted = Wanted {
        termination: Termination::TimeForfeit,
        word: "loses on time",
    };
    assert_loses_of(&config, &scratch, fault, wanted);
}

/// Plays and checks that the fault made no difference.
fn assert_survives(fault: &str) -> Played {
    let scratch = Scratch::new(fault);
    let played = play(&config(&scratch, fault));
    assert_eq!(played.ended, Ended::Complete, "{}", played.text);
    assert_eq!(played.entries.len(), 2, "{}", played.text);
    for entry in &played.entries {
        assert!(!entry.termination.is_failure(), "{entry:?}");
        assert_eq!(entry.plies, 12);
    }
    assert_no_engine_left(&scratch);
    show(fault, &played);
    played
}

#[test]
fn sound_engines_play_to_the_end() {
    let played = assert_survives("none");
    for wanted in [
        "Score of Sick vs Sound: ",
        "  [0.500] 2",
        "Latency of Sick: min ",
    ] {
        assert!(played.text.contains(wanted), "{}", played.text);
    }
    assert!(
        played.text.contains("Ptnml(0-2): [0, 0, 1, 0, 0]"),
        "{}",
        played.text
    );
}

#[test]
fn a_crash_is_a_loss_with_its_exit_code() {
    assert_loses(
        "crashes",
        Termination::Disconnect,
        "disconnects (exit code 3)",
    );
}

#[test]
#[cfg(unix)]
fn an_abort_is_a_loss_with_its_signal() {
    assert_loses("aborts", Termination::Disconnect, "disconnects (signal 6)");
}

#[test]
fn half_a_line_and_the_end_is_a_crash() {
    assert_loses("closes-output", Termination::Disconnect, "disconnects");
}

#[test]
fn a_hang_is_a_loss_on_time() {
    assert_loses_on_time("hangs");
}

#[test]
fn half_a_line_and_silence_is_a_loss_on_time() {
    assert_loses_on_time("half-a-line");
}

#[test]
fn talk_without_a_move_is_a_loss_on_time() {
    assert_loses_on_time("talks-for-ever");
}

#[test]
fn a_late_move_is_a_loss_on_time() {
    assert_loses_on_time("late");
}

#[test]
fn no_ready_is_a_stall() {
    let scratch = Scratch::new("never-ready");
    let mut config = config(&scratch, "never-ready");
    config.deadlines.ping = Duration::from_secs(3);
    let wanted = Wanted {
        termination: Termination::Stall,
        word: "stalls (no answer to isready)",
    };
    assert_loses_of(&config, &scratch, "never-ready", wanted);
}

#[test]
fn an_illegal_move_is_a_loss() {
    assert_loses("illegal", Termination::IllegalMove, "illegal move: e1e8");
}

#[test]
fn no_move_is_a_loss() {
    assert_loses("no-move", Termination::IllegalMove, "makes no move");
}

#[test]
fn long_lines_foreign_bytes_second_answers_and_floods_do_no_harm() {
    for fault in ["long-line", "not-text", "floods-stderr"] {
        assert_survives(fault);
    }
    let played = assert_survives("answers-twice");
    assert!(
        played.text.contains("Warning: Sick: unasked"),
        "{}",
        played.text
    );
}

#[test]
fn a_hang_without_a_clock_is_a_stall() {
    let scratch = Scratch::new("nodes");
    let mut config = config(&scratch, "hangs");
    config.engines[0].limits = Limits {
        nodes: Some(100),
        ..Limits::default()
    };
    config.move_timeout = Duration::from_secs(1);
    let wanted = Wanted {
        termination: Termination::Stall,
        word: "after go, told 100 nodes, went on to depth 3 and 100 nodes",
    };
    assert_loses_of(&config, &scratch, "hangs without a clock", wanted);
}

#[test]
fn an_engine_that_does_not_start_ends_the_match() {
    for (fault, why) in [
        ("crashes-at-start", "exit code 7"),
        ("never-greets", "no uciok"),
    ] {
        let scratch = Scratch::new(fault);
        let mut config = config(&scratch, fault);
        if fault == "never-greets" {
            config.deadlines.start = Duration::from_millis(300);
        }
        let played = play(&config);
        assert_eq!(played.ended, Ended::Unstartable);
        assert_eq!(played.ended.exit_code(), 2);
        assert!(played.text.contains("Sick cannot start"), "{}", played.text);
        assert!(played.text.contains(why), "{}", played.text);
        assert_eq!(played.entries.len(), 0);
        assert_no_engine_left(&scratch);
        show(fault, &played);
    }
}

#[test]
fn what_cannot_be_started_is_named() {
    let scratch = Scratch::new("unstartable");
    let mut config = config(&scratch, "none");
    for (dir, command, named) in [
        (
            Some("no-such-directory"),
            None,
            "no-such-directory: No such",
        ),
        (None, Some(file!()), file!()),
    ] {
        let engine = &mut config.engines[0];
        engine.dir = dir.map(Into::into);
        engine.command = command.map_or_else(|| engine.command.clone(), Into::into);
        let text = play(&config).text;
        let line = text.lines().find(|line| line.contains("cannot start"));
        assert!(line.is_some_and(|line| line.contains(named)), "{text}");
        std::fs::remove_dir_all(&config.dir).unwrap();
    }
}

#[test]
fn the_others_play_on_without_an_engine_that_does_not_start() {
    let scratch = Scratch::new("withdrawn");
    let mut config = config(&scratch, "crashes-at-start");
    for name in ["Third", "Fourth"] {
        config.engines.push(fake(name, "none"));
    }
    let played = play(&config);
    assert_eq!(played.ended, Ended::Unstartable, "{}", played.text);
    assert_eq!(played.text.matches("Sick cannot start").count(), 1);
    let healthy = |e: &Entry| e.first != 0 && e.second != 0;
    assert!(played.entries.iter().all(healthy), "{}", played.text);
    assert_eq!(played.entries.len(), 6, "three pairings of two games");

    // Those that meet before its turn have played, and nobody after it.
    config.on_start_failure = StartFailure::Stop;
    let again = Scratch::new("stopped");
    config.dir.clone_from(&again.0);
    let played = play(&config);
    assert_eq!(played.ended, Ended::Unstartable, "{}", played.text);
    assert!(played.entries.len() < 6, "{}", played.text);
}

#[test]
fn the_crash_budget_ends_the_match() {
    let scratch = Scratch::new("budget");
    let mut config = config(&scratch, "crashes");
    config.rounds = 10;
    config.max_crashes = 3;
    let played = play(&config);
    assert_eq!(played.ended, Ended::TooManyFailures);
    assert_eq!(played.ended.exit_code(), 4);
    assert_eq!(played.entries.len(), 3);
}

#[test]
#[cfg(target_os = "linux")]
fn deaf_engines_and_their_children_are_killed() {
    assert_survives("ignores-quit");
    let scratch = Scratch::new("forks");
    let mut config = config(&scratch, "forks");
    let pid_file = scratch.0.join("pid");
    let value = pid_file.display().to_string();
    config.engines[0]
        .env
        .insert(fake_engine::PID_FILE.to_owned(), value);
    let played = play(&config);
    assert_eq!(played.entries.len(), 2);
    assert!(pid_file.exists(), "it had a child");
    // The child has inherited the mark of the match.
    assert_no_engine_left(&scratch);
    show("forks", &played);
}

#[test]
#[cfg(target_os = "linux")]
fn what_engines_started_dies_with_a_killed_runner() {
    let scratch = Scratch::new("orphans");
    let pid_file = scratch.0.join("pid");
    let mut command = matches::twofold_match(&scratch.0, "forks", "--games 1000");
    // Engines, their children and the watchdog inherit both.
    command.env(fake_engine::MARK, &scratch.0);
    command.env(fake_engine::PID_FILE, &pid_file);
    let mut runner = command.spawn().unwrap();
    while !pid_file.exists() {
        assert_eq!(runner.try_wait().unwrap(), None);
        std::thread::sleep(Duration::from_millis(1));
    }
    runner.kill().unwrap();
    runner.wait().unwrap();
    assert_no_engine_left(&scratch);
}

/// The most memory that a match of the program itself ever took, in KiB.
#[cfg(target_os = "linux")]
fn peak_memory(fault: &str) -> u64 {
    let scratch = Scratch::new(&format!("memory-{fault}"));
    let mut runner = matches::twofold_match(&scratch.0, fault, "--games 4")
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", runner.id());
    let mut peak = 0;
    let ended = loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok());
        peak = peak.max(now.unwrap_or(0));
        if let Some(ended) = runner.try_wait().unwrap() {
            break ended;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(ended.success(), "{ended}");
    peak
}

#[test]
#[cfg(target_os = "linux")]
fn memory_stays_flat_whatever_engines_say() {
    let sound = peak_memory("none");
    for fault in ["long-line", "floods-stderr"] {
        let peak = peak_memory(fault);
        println!("| {fault} | the runner took {peak} KiB at most, {sound} with sound engines | |");
        // Lines of 10 MiB, four a game, and 2 MB of errors each time the engine starts.
        assert!(peak < sound + 3 * 1024, "{fault}: {peak}, {sound}");
    }
}

/// The steps of a check that failed.
fn failed_steps(fault: &str) -> Vec<Step> {
    let surroundings = Surroundings {
        game: GameKind::Chess,
        deadlines: Deadlines::default(),
        abort: Arc::new(AtomicBool::new(false)),
        ..Surroundings::default()
    };
    let rules = rules(GameKind::Chess);
    let mut steps = check(&fake("Checked", fault), &surroundings, &rules, |_| {});
    assert_eq!(steps.len(), 18, "{steps:#?}");
    steps.retain(|step| step.failure.is_some());
    steps
}

#[test]
fn a_check_names_the_steps_that_an_engine_fails() {
    assert_eq!(failed_steps("none"), []);
    let failed = failed_steps("stops-late");
    let what: Vec<&str> = failed.iter().map(|step| step.what).collect();
    assert_eq!(
        what,
        [
            "it answers isready while it thinks",
            "it stops when told to, and answers once",
            "it stops when it has hardly begun"
        ]
    );
    for step in failed {
        let why = step.failure.unwrap();
        assert!(why.contains("ms after a second stop"), "{why}");
    }
}
