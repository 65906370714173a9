//! Reports of matches: what is on the page, and what is refused with which line.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // That is how tests fail.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use serde_json::Value;
use twofold::arena::config::{EngineConfig, GameKind, MatchConfig};
use twofold::arena::journal::{Entry, Existing, Fingerprint, Identity, Journal};
use twofold::arena::outcome::{Finish, Termination};
use twofold::arena::record::{self, GameText, MoveFacts, ReportedScore};
use twofold::arena::referee::{Rules, Styles};
use twofold::arena::snapshot;
use twofold::arena::sprt::{Model, Sprt};
use twofold::arena::time_control::Limits;
use twofold::game::{Outcome, Side};

/// The directory of a made-up match, removed in the end.
struct Match {
    config: MatchConfig,
    journal: Journal,
    games: u64,
}

impl Drop for Match {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.config.dir);
    }
}

fn rules(game: GameKind) -> Rules {
    match game {
        GameKind::Xiangqi => Rules::of::<twofold::xiangqi::Board>(),
        GameKind::Chess | GameKind::Chess960 => Rules::of::<twofold::chess::Board>(),
    }
}

impl Match {
    fn new(name: &str, game: GameKind) -> Match {
        let dir =
            std::env::temp_dir().join(format!("twofold-report-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        let engine = |name: &str| EngineConfig {
            name: name.to_owned(),
            ..EngineConfig::default()
        };
        let config = MatchConfig {
            name: name.to_owned(),
            dir: dir.clone(),
            game,
            engines: vec![engine("A <b>"), engine("B")],
            limits: [Limits {
                clock: Some("8+0.08".parse().unwrap()),
                ..Limits::default()
            }; 2],
            sprt: Some(Sprt {
                elo0: 0.0,
                elo1: 10.0,
                alpha: 0.05,
                beta: 0.05,
                model: Model::Normalized,
            }),
            ..MatchConfig::default()
        };
        let identity = Identity {
            pgn: Some(dir.join("games.pgn")),
            dir,
            name: name.to_owned(),
            engines: config.engines.iter().map(|e| e.name.clone()).collect(),
            fingerprint: Fingerprint { parts: Vec::new() },
        };
        let (journal, _) = Journal::open(&identity, Existing::Refuse).unwrap();
        snapshot::save(&config).unwrap();
        Match {
            config,
            journal,
            games: 0,
        }
    }

    /// Adds a game of these moves; the first is of the opening, scores go up by ten a ply.
    fn add(&mut self, fen: Option<&str>, moves: &[&str], finish: &Finish) {
        self.games += 1;
        let style = self.config.game.style();
        let styles = Styles {
            own: style,
            players: [style; 2],
            ..Styles::default()
        };
        let mut referee = rules(self.config.game).start(fen, styles).unwrap();
        let mut facts = Vec::new();
        for (ply, text) in moves.iter().enumerate() {
            referee.play_own(text).unwrap();
            facts.push(MoveFacts {
                score: Some(ReportedScore::Centipawns(10 * ply as i32)),
                depth: Some(7),
                nodes: Some(1234),
                time: Duration::from_millis(50),
                left: Some(Duration::from_millis(8000 - ply as u64)),
                is_book: ply == 0,
                pv: vec![(*text).to_owned()],
                ..MoveFacts::default()
            });
        }
        let swapped = self.games.is_multiple_of(2);
        let players = [usize::from(swapped), usize::from(!swapped)];
        let text = record::pgn(&GameText {
            game: self.config.game,
            names: players.map(|i| self.config.engines[i].name.as_str()),
            time_controls: ["8+0.08".to_owned(), "8+0.08".to_owned()],
            event: "e",
            site: "?",
            round: 1,
            tags: Vec::new(),
            started: SystemTime::UNIX_EPOCH,
            ended: SystemTime::UNIX_EPOCH,
            start_fen: referee.start_fen(),
            moves: referee.moves(),
            facts: &facts,
            finish,
            min: false,
            notation: self.config.output.notation(self.config.game),
            mate_unit: self.config.output.mate_unit,
        });
        let entry = Entry {
            game: self.games,
            pair: (self.games - 1) / 2,
            round: 1,
            first: players[0],
            second: players[1],
            opening: 1,
            result: finish.result().to_owned(),
            termination: finish.termination,
            reason: finish.text.clone(),
            plies: moves.len(),
            used_ms: [0; 2],
            ended_ms: 1_700_000_000_000,
            pgn_end: 0,
        };
        self.journal.add(&entry, &text).unwrap();
    }

    fn file(&self, name: &str) -> PathBuf {
        self.config.dir.join(name)
    }

    fn report(&self) -> Result<String, String> {
        let page = self.file("page.html");
        let done = Command::new(env!("CARGO_BIN_EXE_twofold"))
            .arg("report")
            .arg(&self.config.dir)
            .arg("-o")
            .arg(&page)
            .output()
            .unwrap();
        if done.status.success() {
            return Ok(fs::read_to_string(page).unwrap());
        }
        assert_eq!(done.status.code(), Some(2));
        let error = String::from_utf8(done.stderr).unwrap();
        assert_eq!(error.lines().count(), 1, "{error}");
        Err(error)
    }
}

fn mate() -> Finish {
    Finish {
        outcome: Some(Outcome::Win(Side::Second)),
        termination: Termination::Checkmate,
        text: "Black mates".to_owned(),
    }
}

fn draw() -> Finish {
    Finish {
        outcome: Some(Outcome::Draw),
        termination: Termination::Agreement,
        text: "Draw </script> by agreement".to_owned(),
    }
}

const FOOLS_MATE: [&str; 4] = ["f2f3", "e7e5", "g2g4", "d8h4"];

fn chess(name: &str) -> Match {
    let mut chess = Match::new(name, GameKind::Chess);
    chess.add(None, &FOOLS_MATE, &mate());
    let fen = "r3k2r/8/8/3pP3/8/8/6p1/R3K2R w KQkq d6 0 31";
    chess.add(Some(fen), &["e5d6", "g2h1q", "e1d2", "e8c8"], &draw());
    chess
}

/// The data that the page's script gets.
fn data(page: &str) -> Value {
    let begin = page.find("id=\"data\">").unwrap() + "id=\"data\">".len();
    let end = page[begin..].find("</script>").unwrap();
    serde_json::from_str(&page[begin..begin + end]).unwrap()
}

#[test]
fn a_page_tells_everything_and_needs_nothing() {
    let page = chess("chess").report().unwrap();
    for wanted in [
        "A &lt;b&gt;",
        "Crosstable",
        "8+0.08",
        "Sequential test",
        "2023-11-14",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
    for unwanted in [
        "{{", "http://", "https://", "src=", "@import", "url(h", "A <b>",
    ] {
        // The one address is a name of SVG, which nobody fetches.
        let found = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!found.contains(unwanted), "{unwanted}");
    }
    let data = data(&page);
    let games = data["games"].as_array().unwrap();
    assert_eq!(games.len(), 2);
    let first = &games[0];
    assert_eq!(
        first["moves"],
        serde_json::json!(["f3", "e5", "g4", "Qh4#"])
    );
    assert_eq!(first["changes"][3], "d8.h4q");
    assert_eq!(first["scores"], serde_json::json!([null, -10, 20, -30]));
    assert_eq!(first["left"], serde_json::json!([null, 7999, 7998, 7997]));
    assert_eq!(first["clocks"], serde_json::json!([8080, 8080]));
    assert_eq!(first["book"], 1);
    let second = &games[1];
    assert_eq!(second["players"], serde_json::json!([1, 0]));
    let changes = serde_json::json!(["d6Pd5.e5.", "g2.h1q", "d2Ke1.", "a8.c8kd8re8."]);
    assert_eq!(second["changes"], changes);
    assert_eq!(second["reason"], "Draw </script> by agreement");
}

#[test]
fn xiangqi_has_its_own_board() {
    let mut xiangqi = Match::new("xiangqi", GameKind::Xiangqi);
    xiangqi.add(None, &["h2e2", "h9g7", "e2e6"], &draw());
    let page = xiangqi.report().unwrap();
    for wanted in [
        "river-left",
        "glyph-second-p",
        "class=\"board xiangqi\"",
        "Red won",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
    let game = &data(&page)["games"][0];
    assert_eq!(
        game["changes"],
        serde_json::json!(["e2Ch2.", "h9.g7n", "e6Ce2."])
    );
}

#[test]
fn a_match_may_still_be_running() {
    let running = chess("running");
    append(&running.file("games.pgn"), "[Event \"half a ga");
    append(&running.file("journal.jsonl"), "{\"crc\":1,\"ga");
    let page = running.report().unwrap();
    assert_eq!(data(&page)["games"].as_array().unwrap().len(), 2);
}

fn append(path: &Path, text: &str) {
    let old = fs::read_to_string(path).unwrap();
    fs::write(path, old + text).unwrap();
}

#[test]
fn broken_files_are_refused_with_their_line() {
    type Breakage = fn(&str) -> String;
    let cases: [(&str, &str, Breakage, &str); 8] = [
        (
            "journal",
            "journal.jsonl",
            |t| t.replacen("\"plies\":4", "\"plies\":5", 1),
            "journal.jsonl:2:",
        ),
        (
            "header",
            "journal.jsonl",
            |t| t.replacen("\"v\":1", "\"v\":9", 1),
            "journal.jsonl:1:",
        ),
        (
            "empty",
            "journal.jsonl",
            |_| String::new(),
            "journal.jsonl:1:",
        ),
        (
            "none",
            "journal.jsonl",
            |t| format!("{}\n", t.lines().next().unwrap()),
            "no game is finished",
        ),
        (
            "move",
            "games.pgn",
            |t| t.replacen("2. g4", "2. g5", 1),
            "games.pgn:15: move g5",
        ),
        (
            "short",
            "games.pgn",
            |t| t[..t.len() / 2].to_owned(),
            "games.pgn:",
        ),
        (
            "fen",
            "games.pgn",
            |t| t.replacen("r3k2r/8", "r3k2r/9", 1),
            "games.pgn:",
        ),
        (
            "settings",
            "match.json",
            |t| t.replacen("\"rounds\"", "\"sounds\"", 1),
            "match.json:",
        ),
    ];
    for (name, file, breakage, says) in cases {
        let broken = chess(&format!("broken-{name}"));
        let path = broken.file(file);
        let text = fs::read_to_string(&path).unwrap();
        let changed = breakage(&text);
        assert_ne!(text, changed, "{name}");
        fs::write(&path, changed).unwrap();
        let error = broken.report().unwrap_err();
        assert!(error.contains(says), "{name}: {error}");
    }
    let second = chess("second");
    let text = fs::read_to_string(second.file("games.pgn")).unwrap();
    let line = text
        .lines()
        .position(|line| line.contains("O-O-O"))
        .unwrap()
        + 1;
    fs::write(second.file("games.pgn"), text.replacen("O-O-O", "Qa1a2", 1)).unwrap();
    let says = format!("games.pgn:{line}: move Qa1a2");
    let error = second.report().unwrap_err();
    assert!(error.contains(&says), "{error}");
    let missing = chess("missing");
    fs::remove_file(missing.file("games.pgn")).unwrap();
    assert!(missing.report().unwrap_err().contains("games.pgn: "));
}
