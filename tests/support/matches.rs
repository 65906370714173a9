//! Matches of fake engines, and what became of them.
#![allow(dead_code)] // Each test binary uses its own share of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use twofold::arena::config::{Deadlines, EngineConfig, GameKind, MatchConfig, Protocol};
use twofold::arena::journal::{Entry, Existing};
use twofold::arena::referee::Rules;
use twofold::arena::runner::{Ended, RunOptions, run};
use twofold::arena::time_control::Limits;
use twofold::output::Output;

use crate::support::fake_engine;

/// What makes a test program play the engine: its test of this name.
pub const ENGINE: [&str; 4] = ["--exact", "fake_engine", "--nocapture", "--test-threads=1"];

/// An engine with this fault, `none` for none.
pub fn fake(name: &str, fault: &str) -> EngineConfig {
    EngineConfig {
        name: name.to_owned(),
        command: std::env::current_exe().unwrap(),
        args: ENGINE.map(str::to_owned).to_vec(),
        protocol: Protocol::Uci,
        env: BTreeMap::from([(fake_engine::FAULT.to_owned(), fault.to_owned())]),
        ..EngineConfig::default()
    }
}

/// A directory of its own that is removed in the end.
pub struct Scratch(pub PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Scratch {
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

/// Two short games of the engine at fault, which plays first, against a sound one. No limit and no
/// deadline is one that a sound engine could miss, however busy the machine.
pub fn config(scratch: &Scratch, fault: &str) -> MatchConfig {
    let mut engines = vec![fake("Sick", fault), fake("Sound", "none")];
    for engine in &mut engines {
        let mark = scratch.0.display().to_string();
        engine.env.insert(fake_engine::MARK.to_owned(), mark);
    }
    let patient = Duration::from_secs(60);
    let mut config = MatchConfig {
        dir: scratch.0.clone(),
        engines,
        limits: [fixed(patient); 2],
        deadlines: Deadlines {
            start: patient,
            detect: patient,
            ping: patient,
            stop: Duration::from_secs(1),
            ..Deadlines::default()
        },
        ..MatchConfig::default()
    };
    config.adjudication.maxmoves = Some(6);
    config
}

/// So long for each move.
pub fn fixed(time: Duration) -> Limits {
    Limits {
        move_time: Some(time),
        ..Limits::default()
    }
}

/// A match that has been played.
pub struct Played {
    pub ended: Ended,
    pub entries: Vec<Entry>,
    pub text: String,
    pub took: Duration,
}

#[derive(Clone, Default)]
struct Sink(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The rules of a game.
pub fn rules(game: GameKind) -> Rules {
    match game {
        GameKind::Xiangqi => Rules::of::<twofold::xiangqi::Board>(),
        GameKind::Chess | GameKind::Chess960 => Rules::of::<twofold::chess::Board>(),
    }
}

/// Plays a match, or goes on with it.
pub fn play(config: &MatchConfig) -> Played {
    play_until(config, Arc::default())
}

/// As [`play`]; `abort` breaks the match off.
pub fn play_until(config: &MatchConfig, abort: Arc<AtomicBool>) -> Played {
    let sink = Sink::default();
    let output = Output::to(Box::new(sink.clone()));
    let options = RunOptions {
        existing: Existing::Resume,
        force: true,
        abort,
        ..RunOptions::default()
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

/// The journal of a match.
pub fn entries(config: &MatchConfig) -> Vec<Entry> {
    let text = fs::read_to_string(config.dir.join("journal.jsonl")).unwrap();
    let lines = text.lines().skip(1);
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A match of the program itself, in a process of its own: an engine with this fault against a
/// sound one.
pub fn twofold_match(dir: &Path, fault: &str, words: &str) -> Command {
    let this = std::env::current_exe().unwrap();
    let engine = |name: &str, fault: &str| {
        let mut text = format!("name={name},cmd={},proto=uci", this.display());
        for word in ENGINE {
            text += &format!(",arg={word}");
        }
        text + &format!(",env={}:{fault}", fake_engine::FAULT)
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_twofold"));
    command
        .args(["match", "fakes", "--engine", &engine("A", fault)])
        .args(["--engine", &engine("B", "none")])
        .args(["--st", "60", "--maxmoves", "4", "--force"])
        .args(["--ratinginterval", "0", "--out"])
        .arg(dir)
        .args(words.split_whitespace())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// Waits until no process is left that the engines of a match were, or started; the kernel may
/// need a moment for those that were killed. A zombie counts: it was not reaped.
#[cfg(target_os = "linux")]
pub fn assert_no_engine_left(scratch: &Scratch) {
    let mark = format!("{}={}", fake_engine::MARK, scratch.0.display());
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let left: Vec<String> = processes()
            .filter(|pid| is_marked(pid, &mark) || is_unreaped(pid))
            .collect();
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < deadline, "still there: {left:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(not(target_os = "linux"))]
pub fn assert_no_engine_left(_scratch: &Scratch) {}

#[cfg(target_os = "linux")]
fn processes() -> impl Iterator<Item = String> {
    let entries = fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(target_os = "linux")]
fn is_marked(pid: &str, mark: &str) -> bool {
    let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
    environment
        .split(|&byte| byte == 0)
        .any(|variable| variable == mark.as_bytes())
}

/// Is it a child of ours that has ended? Those of other tests are, for the moment between their
/// end and their reaping.
#[cfg(target_os = "linux")]
fn is_unreaped(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let mut fields = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    let (state, parent) = (fields.next(), fields.next());
    state == Some("Z") && parent == Some(std::process::id().to_string().as_str())
}
