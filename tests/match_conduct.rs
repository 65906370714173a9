//! What a runner tells engines, when it replaces them, and what becomes of the files of a match.
//!
//! The engines are this program itself: see [`support::fake_engine`].
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // That is how tests fail.

#[path = "support/matches.rs"]
mod matches;
mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use matches::{
    ENGINE, Scratch, assert_no_engine_left, config, entries, fake, fixed, play, twofold_match,
};
use support::fake_engine;
use twofold::arena::config::{
    GameKind, MatchConfig, OpeningsConfig, Protocol, Restart, StartFailure, Wire,
};
use twofold::arena::outcome::Termination;
use twofold::arena::runner::Ended;

/// Not a test: what this program does when it is started as an engine.
#[test]
fn fake_engine() {
    fake_engine::run_if_asked();
}

/// Xiangqi between two engines of these protocols.
fn xiangqi(scratch: &Scratch, fault: &str, protocols: [Protocol; 2]) -> MatchConfig {
    let mut config = config(scratch, fault);
    config.game = GameKind::Xiangqi;
    for (engine, protocol) in config.engines.iter_mut().zip(protocols) {
        engine.protocol = protocol;
        engine
            .env
            .insert(fake_engine::XIANGQI.to_owned(), String::new());
    }
    config
}

fn kept(scratch: &Scratch, file: &str) -> String {
    fs::read_to_string(scratch.0.join(file)).unwrap()
}

/// What was said to one engine in a game: `file` has both.
fn said_to(text: &str, engine: &str) -> String {
    let begin = text.find(&format!("== {engine}\n")).unwrap();
    let rest = &text[begin + 3..];
    rest.split("\n== ").next().unwrap().to_owned()
}

#[test]
fn an_engine_that_was_late_is_replaced_and_one_that_moved_illegally_is_not() {
    let scratch = Scratch::new("replaced");
    let mut late = config(&scratch, "late");
    late.engines[0].limits = fixed(Duration::from_millis(200));
    late.engines[0].time_margin = Some(Duration::from_millis(300));
    // It has time to bring its late move.
    late.deadlines.stop = Duration::from_secs(30);
    assert_eq!(play(&late).entries.len(), 2);
    let second = said_to(&kept(&scratch, "failures/game-2.log"), "Sick");
    assert!(second.contains(" > uci\n"), "{second}");
    let scratch = Scratch::new("kept");
    assert_eq!(play(&config(&scratch, "illegal")).entries.len(), 2);
    let second = said_to(&kept(&scratch, "failures/game-2.log"), "Sick");
    assert!(!second.contains(" > uci\n"), "{second}");
}

#[test]
fn ucci_engines_without_newgame_are_started_for_each_game() {
    for (restart, again) in [(Restart::Auto, true), (Restart::Off, false)] {
        let scratch = Scratch::new(&format!("newgame-{restart:?}"));
        let mut config = xiangqi(&scratch, "none", [Protocol::Ucci, Protocol::Uci]);
        config.engines[0].restart = restart;
        config.output.wire = Wire::All;
        assert_eq!(play(&config).entries.len(), 2);
        let second = kept(&scratch, "wire/game-2.log");
        let greets = |engine, word| said_to(&second, engine).contains(word);
        assert_eq!(greets("Sick", " > ucci\n"), again, "{second}");
        assert!(!greets("Sound", " > uci\n"), "UCI has ucinewgame");
    }
}

#[test]
fn an_engine_is_asked_only_once_which_language_it_speaks() {
    let scratch = Scratch::new("languages");
    let mut config = xiangqi(&scratch, "only-ucci", [Protocol::Auto, Protocol::Uci]);
    config.engines[0].restart = Restart::On;
    config.engines[0].stderr = Some(scratch.0.join("errors"));
    config.rounds = 2;
    let played = play(&config);
    assert_eq!(played.entries.len(), 4, "{}", played.text);
    let errors = kept(&scratch, "errors");
    assert_eq!(errors.matches("greeted with uci\n").count(), 1, "{errors}");
    assert_eq!(errors.matches("greeted with ucci\n").count(), 4, "{errors}");
}

/// Red checks for ever: its rook's next check makes the position a third time, and loses.
const PERPETUAL: &str = "9/4k4/9/9/9/9/9/9/2p6/3KR1Bc1 b - - 0 1 \
    moves e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8\n";

#[test]
fn engines_that_all_hear_it_are_told_which_moves_are_banned() {
    for (protocols, ban, told) in [
        ([Protocol::Ucci, Protocol::Ucci], None, true),
        ([Protocol::Ucci, Protocol::Ucci], Some(false), false),
        ([Protocol::Ucci, Protocol::Uci], None, false),
        ([Protocol::Ucci, Protocol::Uci], Some(true), true),
    ] {
        let scratch = Scratch::new("bans");
        let book = scratch.0.join("book.epd");
        fs::write(&book, PERPETUAL).unwrap();
        let mut config = xiangqi(&scratch, "none", protocols);
        config.openings = Some(OpeningsConfig {
            file: book,
            ..OpeningsConfig::default()
        });
        config.ban = ban;
        config.output.wire = Wire::All;
        config.adjudication.maxmoves = Some(1);
        assert_eq!(play(&config).entries.len(), 2);
        let first = kept(&scratch, "wire/game-1.log");
        let line = said_to(&first, "Sick").contains(" > banmoves f0e0\n");
        assert_eq!(line, told, "{protocols:?} {ban:?}: {first}");
    }
}

#[test]
fn a_draw_that_both_offer_is_agreed_unless_that_was_forbidden() {
    for accepts in [true, false] {
        let scratch = Scratch::new(&format!("offers-{accepts}"));
        let mut config = xiangqi(&scratch, "offers-draw", [Protocol::Ucci; 2]);
        let fault = "offers-draw".to_owned();
        config.engines[1]
            .env
            .insert(fake_engine::FAULT.to_owned(), fault);
        if !accepts {
            config.accept_offers = false;
        }
        config.output.wire = Wire::All;
        for entry in play(&config).entries {
            let agreed = entry.termination == Termination::Agreement;
            assert_eq!(agreed, accepts, "{entry:?}");
        }
        assert!(kept(&scratch, "wire/game-1.log").contains(" > go draw "));
    }
}

#[test]
fn an_engine_that_does_not_start_may_be_tried_until_its_budget_is_spent() {
    let scratch = Scratch::new("retry");
    let mut config = config(&scratch, "crashes-at-start");
    config.on_start_failure = StartFailure::Retry;
    config.max_crashes = 2;
    let played = play(&config);
    assert_eq!(played.ended, Ended::TooManyFailures, "{}", played.text);
    assert!(
        played.text.contains("failure 2 of Sick: cannot start"),
        "{}",
        played.text
    );
    assert_no_engine_left(&scratch);
}

#[test]
fn an_engine_may_have_a_stop_time_of_its_own() {
    let scratch = Scratch::new("stop-time");
    let mut config = config(&scratch, "talks-for-ever");
    config.engines[0].limits = fixed(Duration::from_millis(200));
    config.engines[0].stop_time = Some(Duration::from_millis(200));
    config.deadlines.stop = Duration::from_secs(600);
    let played = play(&config);
    assert_eq!(played.entries.len(), 2);
    assert!(played.took < Duration::from_secs(120), "{:?}", played.took);
    assert!(
        played
            .text
            .contains("\nReadiness of Sick, off the clock: min "),
        "{}",
        played.text
    );
}

#[test]
#[cfg(target_os = "linux")]
fn games_in_which_both_engines_end_are_not_played_for_ever() {
    let scratch = Scratch::new("both-end");
    let mut config = config(&scratch, "takes-all-along");
    config.max_crashes = 2;
    let played = play(&config);
    assert_eq!(played.ended, Ended::TooManyFailures, "{}", played.text);
    assert_eq!(played.entries.len(), 0);
    assert!(
        played.text.contains("is void: both engines ended at once"),
        "{}",
        played.text
    );
    assert_no_engine_left(&scratch);
}

#[test]
fn deadlines_can_be_set_on_the_command_line() {
    let scratch = Scratch::new("startup");
    let words = "--startup-ms 100 --ping-ms 9000 --ucinewgame-ms 9000";
    let mut runner = twofold_match(&scratch.0, "never-greets", words);
    let begin = std::time::Instant::now();
    let output = runner.stdout(Stdio::piped()).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text.contains("A cannot start: no uciok"), "{text}");
    // Three times ten seconds, otherwise.
    assert!(begin.elapsed() < Duration::from_secs(25));
    let settings = kept(&scratch, "match.json");
    let settings: serde_json::Value = serde_json::from_str(&settings).unwrap();
    assert_eq!(settings["deadlines"]["ping"]["secs"], 9);
    assert_eq!(settings["deadlines"]["new_game"]["secs"], 9);
}

#[test]
fn a_match_that_is_begun_anew_shares_no_file_with_the_old_one() {
    let scratch = Scratch::new("anew");
    let run = |words: &str| {
        let words = format!("--games 2 --events events.jsonl {words}");
        let status = twofold_match(&scratch.0, "illegal", &words)
            .status()
            .unwrap();
        assert!(status.success(), "{status}");
    };
    run("");
    fs::write(scratch.0.join("failures/game-9.log"), "old").unwrap();
    run("--discard");
    for file in ["events.jsonl", "events.jsonl.old"] {
        let events = kept(&scratch, file);
        let count = |what: &str| events.matches(&format!("\"event\":\"{what}\"")).count();
        assert_eq!((count("start"), count("end")), (1, 1), "{file}");
        assert_eq!(count("game_end"), 2, "{file}");
    }
    assert!(scratch.0.join("failures/game-1.log").exists());
    assert!(!scratch.0.join("failures/game-9.log").exists());
    assert_eq!(kept(&scratch, "failures.old/game-9.log"), "old");
    // One that goes on adds to its events.
    let status = twofold_match(
        &scratch.0,
        "illegal",
        "--games 4 --events events.jsonl --resume",
    )
    .status()
    .unwrap();
    assert!(status.success(), "{status}");
    let events = kept(&scratch, "events.jsonl");
    assert_eq!(events.matches("\"event\":\"game_end\"").count(), 4);
}

#[test]
#[cfg(unix)]
fn a_full_disk_ends_a_match_that_can_go_on_later() {
    let scratch = Scratch::new("full");
    let inner = twofold_match(&scratch.0, "none", "--games 1000");
    // Files of at most 16 or 32 KiB, as shells count blocks, and no signal for larger ones.
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 32; exec \"$0\" \"$@\""])
        .arg(inner.get_program())
        .args(inner.get_args())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("games.pgn: "), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    let journal = MatchConfig {
        dir: scratch.0.clone(),
        ..MatchConfig::default()
    };
    let before = entries(&journal);
    let records = || kept(&scratch, "games.pgn").matches("[GameNumber ").count();
    assert!(!before.is_empty() && records() == before.len());
    assert!(
        !scratch.0.join("games.pgn.bak").exists(),
        "nothing half written"
    );
    let games = before.len() + 2;
    let words = format!("--games {games} --resume");
    let status = twofold_match(&scratch.0, "none", &words).status().unwrap();
    assert!(status.success(), "{status}");
    assert_eq!(entries(&journal)[..before.len()], before);
    assert!(records() >= games, "{} of {games}", records());
}

/// Runs `twofold match` with these words; exit code and both streams.
fn twofold(words: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_twofold"))
        .arg("match")
        .args(words)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

/// A file of a match of two fake engines, the first one with further keys.
fn file(dir: &Path, keys: &str) -> String {
    let mut text = String::new();
    for (name, keys) in [("A", keys), ("B", "")] {
        let engine = fake(name, "none");
        text += &format!(
            "[[engine]]\nname = \"{name}\"\ncmd = {:?}\nargs = {ENGINE:?}\nprotocol = \"uci\"\n\
             env = {{ {} = \"none\" }}\n{keys}\n",
            engine.command,
            fake_engine::FAULT
        );
    }
    text += "[[match]]\nname = \"m\"\nplayers = [\"A\", \"B\"]\ntime = { st = 60 }\n";
    let path = dir.join("engines.toml");
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

#[test]
fn a_file_is_checked_with_the_engines_it_names() {
    let scratch = Scratch::new("check-file");
    let check = |keys| twofold(&["--check-file", &file(&scratch.0, keys)]);
    let (code, text) = check("options = { Hash = 16 }");
    assert_eq!(
        (code, text.as_str()),
        (Some(0), "engines: A, B\nmatches: m\n")
    );
    for (keys, wanted) in [
        (
            "options = { Hush = 16 }",
            "match m: A: it has no option Hush\n",
        ),
        (
            "options = { Hash = 99 }",
            "match m: A: option Hash cannot be 99\n",
        ),
        ("restart = \"on\"\nargs = []", ""),
    ] {
        let (code, text) = check(keys);
        if wanted.is_empty() {
            assert_eq!(code, Some(2), "two keys of one name: {text}");
        } else {
            assert_eq!(code, Some(1), "{text}");
            assert!(text.ends_with(wanted), "{text}");
        }
    }
    let gone = file(&scratch.0, "dir = \"no-such-folder\"");
    let (code, text) = twofold(&["--check-file", &gone]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("match m: A: cannot start: "), "{text}");
    let more = "[[engine]]\nname = \"C\"\ncmd = \"./gone\"\n";
    let idle = file(&scratch.0, "");
    fs::write(&idle, fs::read_to_string(&idle).unwrap() + more).unwrap();
    let (code, text) = twofold(&["--check-file", &idle]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("engine C: ") && text.contains("gone"),
        "{text}"
    );
    let (code, text) = twofold(&["m", "--config", &idle, "--game", "xiangqi"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("`m` is a match of chess"), "{text}");
}

#[test]
fn any_key_of_a_match_can_be_set_though_it_is_of_no_file() {
    let scratch = Scratch::new("one-off");
    let file = file(&scratch.0, "");
    let out = scratch.0.join("out").display().to_string();
    let mut words = vec!["one-off", "--config", &file, "--out", &out, "--force"];
    words.extend(["--engine", "conf=A,name=C,option.Hash=2", "--engine", "B"]);
    words.extend(["--set", "match.time.st=60", "--set", "match.seed=7"]);
    words.extend([
        "--set",
        "match.rounds=2",
        "--set",
        "match.adjudication.maxmoves=2",
    ]);
    let (code, text) = twofold(&words);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("Finished game 4 (B vs C): "), "{text}");
    let settings = fs::read_to_string(scratch.0.join("out/match.json")).unwrap();
    let settings: serde_json::Value = serde_json::from_str(&settings).unwrap();
    assert_eq!(
        (&settings["seed"], &settings["rounds"]),
        (&7.into(), &2.into())
    );
    assert_eq!(settings["engines"][0]["options"][0][1], "2");
    words.extend(["--set", "match.runds=2"]);
    let (code, text) = twofold(&words);
    assert_eq!(code, Some(2));
    assert!(text.contains("did you mean `rounds`?"), "{text}");
}

#[test]
fn a_decided_test_is_not_played_on() {
    let scratch = Scratch::new("decided");
    let out = scratch.0.join("out").display().to_string();
    let mut words = vec!["--engine", "self", "--engine", "self", "--nodes", "9"];
    words.extend(["--games", "40", "--out", &out, "--force"]);
    // Nobody takes two equal engines for so unequal ones.
    words.extend(["--sprt", "elo0=0", "elo1=800", "model=logistic"]);
    let (code, text) = twofold(&words);
    assert_eq!(code, Some(10), "{text}");
    assert!(!text.contains("Started game 40 "), "{text}");
    let games = |text: &str| {
        text.lines()
            .find(|l| l.starts_with("Games: "))
            .map(str::to_owned)
    };
    let counted = games(&text);
    words.push("--resume");
    let (code, text) = twofold(&words);
    assert_eq!(code, Some(10), "{text}");
    assert!(!text.contains("Started game"), "{text}");
    assert_eq!(games(&text), counted, "{text}");
}

#[test]
fn what_makes_no_sense_is_refused_in_one_plain_line() {
    let scratch = Scratch::new("plain");
    let file = file(&scratch.0, "");
    let pair = [
        "--engine", "A", "--engine", "B", "--config", &file, "--nodes", "9",
    ];
    for (words, wanted) in [
        (
            &["--seeds", "0"][..],
            "seeds = 0: a whole number from 1 to the 2 players",
        ),
        (
            &["--seeds", "3"],
            "seeds = 3: a whole number from 1 to the 2 players",
        ),
        (
            &["--games", "some"],
            "'some' for '--games <GAMES>': expected a whole number",
        ),
        (&["--maxmoves", "-1"], "'-1'"),
        (&["--st", "soon"], "expected a number"),
        (
            &["--openings", "start=0"],
            "openings.start = 0: openings count from 1",
        ),
        (
            &["--openings", "start=x"],
            "start=x: expected a whole number",
        ),
        (
            &["--openings", "strict=x"],
            "strict=x: expected true or false",
        ),
        (
            &["--each", "nodes=-3"],
            "nodes=-3: expected a whole number from 0",
        ),
        (&["--sprt", "elo0=x"], "elo0=x: expected a number"),
        (&["--sprt", "elo0=1"], "sprt: elo1=N is missing"),
        (&["--draw", "movenumber=40"], "draw: movecount=N is missing"),
        (&["--resign", "movecount=4"], "resign: score=N is missing"),
        (
            &["--resign", "movecount=0", "score=400"],
            "movecount of resign must be above 0",
        ),
        (&["--maxmoves", "0"], "maxmoves must be above 0"),
        // What was expected stands on lines of its own in what the library says.
        (&["--variant", "go"], "chess, chess960, xiangqi"),
        (&["--games", "2", "--rounds", "3"], "--rounds"),
        // No clock of the system goes so far.
        (
            &["--st", "1e19"],
            "st = 10000000000000000000: seconds from 0",
        ),
        (&["--st", "nan"], "st = NaN: seconds from 0"),
        (&["--openings", "order=random"], "openings need a file"),
        (&["--engine", "cmd="], "with cmd=PROGRAM"),
        (
            &["--engine", "name=a\nb,cmd=self"],
            "\"a\\nb\" is no name of an engine",
        ),
        (
            &["--set", "match.rounds=x"],
            "the text \"x\", expected a whole number from 0",
        ),
        (
            &["--set", "match.openings={start=0}"],
            "openings count from 1",
        ),
        (
            &["--set", "match.openings=x.epd"],
            "the text \"x.epd\", expected a table of keys",
        ),
        (&[".."], "`..` is no name of a match"),
    ] {
        let all: Vec<&str> = pair.iter().chain(words).copied().collect();
        let (code, text) = twofold(&all);
        assert_eq!(code, Some(2), "{words:?}: {text}");
        assert!(text.contains(wanted), "{words:?}: {text}");
        assert_eq!(text.lines().count(), 1, "{words:?}: {text}");
        for jargon in ["u64", "usize", "invalid digit", "struct", "invalid type"] {
            assert!(!text.contains(jargon), "{words:?}: {text}");
        }
    }
}
