//! Whole matches of fake engines: both games, both protocols, adjudication, and going on after an
//! end that came too soon.
//!
//! The engines are this program itself: see [`support::fake_engine`].
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // That is how tests fail.

#[path = "support/matches.rs"]
mod matches;
mod support;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use matches::{
    ENGINE, Scratch, assert_no_engine_left, config, entries, play, play_until, twofold_match,
};
use support::fake_engine;
use twofold::arena::config::{
    DrawRule, Format, GameKind, MatchConfig, Protocol, RecordNotation, ResignRule, Wire,
};
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

#[test]
fn records_of_xiangqi_may_be_in_wxf() {
    let scratch = Scratch::new("wxf");
    let mut config = xiangqi(&scratch, "none");
    config.output.notation = Some(RecordNotation::Wxf);
    config.output.match_line = Some("score 12 pv".to_owned());
    let played = play(&config);
    assert_eq!(played.ended, Ended::Complete, "{}", played.text);
    let pgn = fs::read_to_string(scratch.0.join("games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Format \"WXF\"]").count(), 2);
    let words = pgn.replace('\n', " ");
    assert!(words.contains("line=\"info depth 3 score 12 pv "), "{pgn}");
    let games = twofold::arena::pgn_reader::games(&pgn);
    for game in games {
        let mut referee = matches::rules(GameKind::Xiangqi)
            .start(None, twofold::arena::referee::Styles::default())
            .unwrap();
        for text in game.into_texts() {
            referee.play_own(&text).unwrap();
            let played = referee.moves().last().unwrap();
            assert_ne!(played.own, text, "no coordinates");
        }
    }
}

#[test]
fn the_terminal_shows_what_its_readers_know() {
    let text = |format| {
        let scratch = Scratch::new(&format!("format-{format:?}"));
        let mut config = config(&scratch, "none");
        config.output.format = format;
        play(&config).text
    };
    let fastchess = text(Format::Fastchess);
    let block = fastchess.split(&"-".repeat(50)).nth(1).unwrap();
    for word in [
        "\nResults of Sick vs Sound (",
        "\nElo: ",
        "\nLOS: ",
        "\nPtnml(0-2): ",
    ] {
        assert!(block.contains(word), "{fastchess}");
    }
    assert!(!fastchess.contains("Score of"), "{fastchess}");
    let cutechess = text(Format::Cutechess);
    for line in [
        "Started game 1 of 2 (Sick vs Sound)",
        "Score of Sick vs Sound: 0 - 0 - 2  [0.500] 2",
        "...      Sick playing White: 0 - 0 - 1  [0.500] 1",
        "...      White vs Black: 0 - 0 - 2  [0.500] 2",
        "Finished match",
    ] {
        let is_there = cutechess.lines().any(|found| found == line);
        assert!(is_there, "{line}: {cutechess}");
    }
    assert!(cutechess.contains("\nElo difference: "), "{cutechess}");
    assert!(!cutechess.contains("Results of"), "{cutechess}");
    let events: Vec<serde_json::Value> = text(Format::Json)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(events.iter().all(|event| event["v"] == 1));
    let kinds: Vec<&str> = events
        .iter()
        .map(|e| e["event"].as_str().unwrap())
        .collect();
    assert_eq!((kinds[0], kinds[kinds.len() - 1]), ("start", "end"));
    let count = |kind| kinds.iter().filter(|found| **found == kind).count();
    assert_eq!((count("game_start"), count("game_end")), (2, 2));
    let stats = events.iter().rfind(|e| e["event"] == "stats").unwrap();
    assert_eq!(stats["engines"][1]["draws"], 2);
    assert_eq!(events[events.len() - 1]["warnings"]["Sick"], 0);
}

#[test]
fn games_that_were_broken_off_are_written_if_asked() {
    for unfinished in [false, true] {
        let scratch = Scratch::new(&format!("unfinished-{unfinished}"));
        let mut config = config(&scratch, "hangs");
        config.output.unfinished = unfinished;
        config.output.events = Some("events.jsonl".into());
        let abort = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let events = scratch.0.join("events.jsonl");
        let has_moves = || {
            let text = fs::read_to_string(&events).unwrap_or_default();
            text.matches("\"event\":\"move\"").count() >= 2
        };
        let played = std::thread::scope(|scope| {
            let runner = scope.spawn(|| play_until(&config, abort.clone()));
            while !has_moves() {
                std::thread::sleep(Duration::from_millis(20));
            }
            abort.store(true, std::sync::atomic::Ordering::Relaxed);
            runner.join().unwrap()
        });
        assert_eq!(played.ended, Ended::Interrupted, "{}", played.text);
        assert_eq!(played.entries.len(), 0);
        let pgn = fs::read_to_string(scratch.0.join("games.pgn")).unwrap();
        let count = usize::from(unfinished);
        assert_eq!(pgn.matches("[Result \"*\"]").count(), count, "{pgn}");
        assert_eq!(pgn.matches("[Termination \"unterminated\"]").count(), count);
    }
}

/// Lines of a match's journal, its head included.
fn journal_lines(scratch: &Scratch) -> usize {
    let text = fs::read_to_string(scratch.0.join("journal.jsonl"));
    text.map_or(0, |text| text.lines().count())
}

fn wait_for_lines(scratch: &Scratch, lines: usize) {
    let deadline = std::time::Instant::now() + Duration::from_secs(120);
    while journal_lines(scratch) < lines {
        assert!(std::time::Instant::now() < deadline, "no game was played");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Tells the match in this directory something, from a process of its own.
fn tell(scratch: &Scratch, word: &str) {
    let status = Command::new(env!("CARGO_BIN_EXE_twofold"))
        .args(["match", word, "fakes", "--out"])
        .arg(&scratch.0)
        .status()
        .unwrap();
    assert!(status.success(), "{word}: {status}");
}

#[test]
fn a_match_can_be_held_and_stopped() {
    let scratch = Scratch::new("held");
    let mut runner = twofold_match(&scratch.0, "none", "--games 100000")
        .spawn()
        .unwrap();
    wait_for_lines(&scratch, 2);
    tell(&scratch, "--pause");
    // The game that is running ends, and no other begins.
    std::thread::sleep(Duration::from_secs(2));
    let held = journal_lines(&scratch);
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(journal_lines(&scratch), held);
    tell(&scratch, "--unpause");
    wait_for_lines(&scratch, held + 2);
    tell(&scratch, "--pause");
    let stop = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_twofold"));
        command.args(["match", "--stop"]).arg(&scratch.0);
        command.output().unwrap()
    };
    assert!(stop().status.success(), "a directory will do");
    assert_eq!(
        runner.wait().unwrap().code(),
        Some(130),
        "stopped, though held"
    );
    let late = stop();
    assert_eq!(late.status.code(), Some(2), "{late:?}");
    let text = String::from_utf8_lossy(&late.stderr);
    assert!(text.contains("no match is running in "), "{text}");
}

#[test]
fn a_second_runner_leaves_the_first_alone() {
    let scratch = Scratch::new("two");
    let mut runner = twofold_match(&scratch.0, "none", "--games 100000")
        .spawn()
        .unwrap();
    wait_for_lines(&scratch, 2);
    for word in ["", "--resume", "--discard"] {
        let mut second = twofold_match(&scratch.0, "none", word);
        let refused = second
            .stderr(std::process::Stdio::piped())
            .output()
            .unwrap();
        assert_eq!(refused.status.code(), Some(2), "{word}: {refused:?}");
        let text = String::from_utf8_lossy(&refused.stderr);
        assert!(text.contains("another runner plays this match"), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }
    tell(&scratch, "--stop");
    assert_eq!(runner.wait().unwrap().code(), Some(130));
    let pgn = fs::read_to_string(scratch.0.join("games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Event ").count(), journal_lines(&scratch) - 1);
}

#[test]
#[cfg(unix)]
fn a_signal_lets_the_running_games_be_the_last() {
    let scratch = Scratch::new("usr1");
    let mut runner = twofold_match(&scratch.0, "none", "--games 100000")
        .spawn()
        .unwrap();
    wait_for_lines(&scratch, 2);
    let pid = rustix::process::Pid::from_child(&runner);
    rustix::process::kill_process(pid, rustix::process::Signal::USR1).unwrap();
    assert_eq!(runner.wait().unwrap().code(), Some(130));
    let pgn = fs::read_to_string(scratch.0.join("games.pgn")).unwrap();
    assert_eq!(pgn.matches("[Event ").count(), journal_lines(&scratch) - 1);
}

#[test]
#[cfg(unix)]
fn the_limit_of_open_files_is_raised() {
    let scratch = Scratch::new("files");
    let inner = twofold_match(&scratch.0, "none", "--games 8 --concurrency 4");
    let output = Command::new("sh")
        .args(["-c", "ulimit -Sn 24; exec \"$0\" \"$@\""])
        .arg(inner.get_program())
        .args(inner.get_args())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    assert_eq!(journal_lines(&scratch), 9);
}

#[test]
fn lines_for_other_runners_are_understood() {
    let scratch = Scratch::new("cli");
    let this = std::env::current_exe().unwrap();
    let engine = |name: &str| {
        let mut words = vec![
            "-engine".to_owned(),
            format!("name={name}"),
            format!("cmd={}", this.display()),
            format!("env={}:none", fake_engine::FAULT),
        ];
        words.extend(ENGINE.map(|word| format!("arg={word}")));
        words
    };
    let output = Command::new(env!("CARGO_BIN_EXE_twofold"))
        .args(["match", "cli"])
        .args(engine("A"))
        .args(engine("B"))
        .args("-each st=60 proto=uci -rounds 2 -games 2 -repeat -maxmoves 4 -recover".split(' '))
        .args("-output format=cutechess -pgnout notation=lan -strict --force --out".split(' '))
        .arg(&scratch.0)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert!(text.contains("Finished game 4 (B vs A): "), "{text}");
    assert!(text.ends_with("Finished match\n"), "{text}");
    let wrong = Command::new(env!("CARGO_BIN_EXE_twofold"))
        .args(["match", "cli", "-engin", "cmd=a"])
        .output()
        .unwrap();
    assert_eq!(wrong.status.code(), Some(2));
    let text = String::from_utf8_lossy(&wrong.stderr);
    assert!(text.contains("did you mean -engine?"), "{text}");
}

/// A configuration file of two fake engines, Twofold, and a match of the former.
fn file(dir: &Path) -> std::path::PathBuf {
    let this = std::env::current_exe().unwrap();
    let mut text = String::new();
    for name in ["A", "B"] {
        text += &format!(
            "[[engine]]\nname = \"{name}\"\ncmd = {this:?}\nargs = {ENGINE:?}\n\
             env = {{ {} = \"none\" }}\n",
            fake_engine::FAULT
        );
    }
    text += "[[engine]]\nname = \"Red\"\ncmd = \"self\"\nprotocol = \"uci\"\ngame = \"xiangqi\"\n\
        [[match]]\nname = \"m\"\nplayers = [\"A\", \"B\"]\nrounds = 1000\ntime = { st = 60 }\n";
    let path = dir.join("engines.toml");
    fs::write(&path, text).unwrap();
    path
}

#[test]
fn keys_of_the_file_can_be_set_on_the_command_line() {
    let scratch = Scratch::new("set");
    let output = Command::new(env!("CARGO_BIN_EXE_twofold"))
        .args("match m --force --set match.rounds=2 --set match.adjudication.maxmoves=3".split(' '))
        .arg("--config")
        .arg(file(&scratch.0))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let journal = fs::read_to_string(scratch.0.join("matches/m/journal.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 5, "two rounds of two games");
    assert_eq!(journal.matches("\"plies\":6").count(), 4, "{journal}");
}

#[test]
fn an_engine_is_checked_in_its_own_game() {
    let scratch = Scratch::new("check");
    let output = Command::new(env!("CARGO_BIN_EXE_twofold"))
        .args(["match", "--check", "Red", "--config"])
        .arg(file(&scratch.0))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(
        text.contains("passed  it starts, greets and is ready"),
        "{text}"
    );
    assert!(text.ends_with(" 0 failed\n"), "{text}");
}
