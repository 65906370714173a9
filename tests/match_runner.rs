//! Whole matches with engines that are at fault in every way we could think of.
//!
//! The engines are this program itself: see [`support::fake_engine`].
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // That is how tests fail.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use support::fake_engine;
use twofold::arena::config::{
    Deadlines, EngineConfig, GameKind, MatchConfig, Protocol, ResignRule, StartFailure,
};
use twofold::arena::journal::{Entry, Existing};
use twofold::arena::outcome::Termination;
use twofold::arena::referee::Rules;
use twofold::arena::runner::{Ended, RunOptions, run};
use twofold::arena::time_control::Limits;
use twofold::output::Output;

/// Not a test: what this program does when it is started as an engine.
#[test]
fn fake_engine() {
    fake_engine::run_if_asked();
}

fn fake(name: &str, fault: &str) -> EngineConfig {
    let words = ["--exact", "fake_engine", "--nocapture", "--test-threads=1"];
    EngineConfig {
        name: name.to_owned(),
        command: std::env::current_exe().unwrap(),
        args: words.map(str::to_owned).to_vec(),
        protocol: Protocol::Uci,
        env: BTreeMap::from([(fake_engine::FAULT.to_owned(), fault.to_owned())]),
        ..EngineConfig::default()
    }
}

/// A directory of its own that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let dir = std::env::temp_dir().join(format!("twofold-match-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        Scratch(dir)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Two short games of the engine at fault against a sound one.
fn config(scratch: &Scratch, fault: &str) -> MatchConfig {
    let mut config = MatchConfig {
        dir: scratch.0.clone(),
        engines: vec![fake("Sick", fault), fake("Sound", "none")],
        limits: [Limits {
            move_time: Some(Duration::from_millis(200)),
            ..Limits::default()
        }; 2],
        // Twice the usual number of processes runs on a machine that runs other tests, too.
        time_margin: Duration::from_millis(200),
        deadlines: Deadlines {
            start: Duration::from_secs(5),
            detect: Duration::from_secs(5),
            ping: Duration::from_secs(1),
            stop: Duration::from_secs(1),
            ..Deadlines::default()
        },
        ..MatchConfig::default()
    };
    config.adjudication.maxmoves = Some(6);
    config
}

struct Played {
    ended: Ended,
    entries: Vec<Entry>,
    text: String,
    took: Duration,
}

#[derive(Clone, Default)]
struct Sink(Arc<std::sync::Mutex<Vec<u8>>>);

impl std::io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn rules(game: GameKind) -> Rules {
    match game {
        GameKind::Xiangqi => Rules::of::<twofold::xiangqi::Board>(),
        GameKind::Chess | GameKind::Chess960 => Rules::of::<twofold::chess::Board>(),
    }
}

fn play(config: &MatchConfig) -> Played {
    let sink = Sink::default();
    let output = Output::to(Box::new(sink.clone()));
    let options = RunOptions {
        existing: Existing::Resume,
        force: true,
        abort: Arc::new(AtomicBool::new(false)),
    };
    let begin = Instant::now();
    let ended = run(config, &rules(config.game), &options, &output).unwrap();
    let text = String::from_utf8(sink.0.lock().unwrap().clone()).unwrap();
    Played {
        ended,
        entries: entries(config),
        text,
        took: begin.elapsed(),
    }
}

fn entries(config: &MatchConfig) -> Vec<Entry> {
    let text = fs::read_to_string(config.dir.join("journal.jsonl")).unwrap();
    let lines = text.lines().skip(1);
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Plays and checks that both games were lost by the engine at fault, in this way.
fn assert_loses(fault: &str, termination: Termination, word: &str) {
    let scratch = Scratch::new(fault);
    let played = play(&config(&scratch, fault));
    assert_eq!(played.ended, Ended::Complete, "{}", played.text);
    assert_eq!(played.entries.len(), 2, "{}", played.text);
    for entry in &played.entries {
        let wanted = if entry.first == 0 { "0-1" } else { "1-0" };
        assert_eq!(entry.result, wanted, "{entry:?}");
        assert_eq!(entry.termination, termination, "{entry:?}");
        assert!(entry.reason.contains(word), "{entry:?}");
    }
    assert!(scratch.0.join("failures/game-1.log").exists());
    assert!(played.took < Duration::from_secs(20), "{:?}", played.took);
    assert_no_engine_left();
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
    assert_no_engine_left();
    played
}

/// No child of this process is a zombie: all were reaped. Other tests run at the same time, so
/// their living engines are none of our affair.
fn assert_no_engine_left() {
    #[cfg(target_os = "linux")]
    {
        let tasks = fs::read_dir("/proc/self/task").unwrap();
        for task in tasks.flatten() {
            let children = fs::read_to_string(task.path().join("children")).unwrap_or_default();
            for child in children.split_whitespace() {
                // A zombie of another test may exist for the moment between its end and its reaping.
                let deadline = Instant::now() + Duration::from_secs(5);
                while is_zombie(child) {
                    assert!(Instant::now() < deadline, "zombie {child}");
                    std::thread::sleep(Duration::from_millis(10));
                }
            }
        }
    }
}

#[cfg(target_os = "linux")]
fn state(pid: &str) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let rest = stat.rsplit(')').next()?;
    rest.split_whitespace().next().map(str::to_owned)
}

#[cfg(target_os = "linux")]
fn is_zombie(pid: &str) -> bool {
    state(pid).as_deref() == Some("Z")
}

#[test]
fn sound_engines_play_to_the_end() {
    let played = assert_survives("none");
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
    assert_loses("hangs", Termination::TimeForfeit, "loses on time");
}

#[test]
fn half_a_line_and_silence_is_a_loss_on_time() {
    assert_loses("half-a-line", Termination::TimeForfeit, "on time");
}

#[test]
fn talk_without_a_move_is_a_loss_on_time() {
    assert_loses("talks-for-ever", Termination::TimeForfeit, "on time");
}

#[test]
fn a_late_move_is_a_loss_on_time() {
    assert_loses("late", Termination::TimeForfeit, "on time");
}

#[test]
fn no_ready_is_a_stall() {
    assert_loses("never-ready", Termination::Stall, "stalls");
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
    config.limits = [Limits {
        nodes: Some(100),
        ..Limits::default()
    }; 2];
    config.move_timeout = Duration::from_millis(400);
    let played = play(&config);
    assert_eq!(played.entries.len(), 2);
    for entry in played.entries {
        assert_eq!(entry.termination, Termination::Stall, "{entry:?}");
        assert!(
            entry
                .reason
                .contains("after go, told 100 nodes, went on to depth 3 and 100 nodes")
        );
    }
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
    let pid_file = scratch.0.join("pid");
    let mut config = config(&scratch, "forks");
    let value = pid_file.display().to_string();
    config.engines[0]
        .env
        .insert(fake_engine::PID_FILE.to_owned(), value);
    let played = play(&config);
    assert_eq!(played.entries.len(), 2);
    let child = fs::read_to_string(&pid_file).unwrap();
    let deadline = Instant::now() + Duration::from_secs(5);
    while !matches!(state(&child).as_deref(), None | Some("Z" | "X")) {
        assert!(Instant::now() < deadline, "the engine's child lives");
        std::thread::sleep(Duration::from_millis(10));
    }
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
    config.adjudication.draw = Some(twofold::arena::config::DrawRule {
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

/// A match of the program itself, in a process of its own.
#[cfg(unix)]
fn twofold_match(dir: &std::path::Path, existing: &str) -> std::process::Command {
    let this = std::env::current_exe().unwrap();
    let engine = |name: &str| {
        let mut text = format!("name={name},cmd={},proto=uci", this.display());
        for word in ["--exact", "fake_engine", "--nocapture", "--test-threads=1"] {
            text += &format!(",arg={word}");
        }
        text + &format!(",env={}:none", fake_engine::FAULT)
    };
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_twofold"));
    command
        .args([
            "match",
            "kills",
            "--engine",
            &engine("A"),
            "--engine",
            &engine("B"),
        ])
        .args([
            "--st",
            "5",
            "--maxmoves",
            "4",
            "--games",
            "24",
            "--concurrency",
            "2",
            "--force",
        ])
        .args(["--ratinginterval", "0", "--out"])
        .arg(dir)
        .args(existing.split_whitespace())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null());
    command
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
        let mut runner = twofold_match(&scratch.0, existing).spawn().unwrap();
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
