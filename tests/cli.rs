//! The command line of the real binary: subcommands, arguments as commands, exit codes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // That is how tests fail.

#[path = "support/process.rs"]
mod process;

use std::fs;
use std::path::PathBuf;
use std::process::id;

use process::run;

/// A file for one test, gone afterwards.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("twofold-{}-{name}", id()));
        fs::write(&path, text).unwrap();
        Scratch(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn out(arguments: &[&str]) -> Vec<String> {
    let (code, lines, stderr) = run(arguments, "");
    assert_eq!((code, stderr.as_str()), (0, ""), "{arguments:?}");
    lines
}

/// The command fails with exit code 2 and one line on standard error that says this.
fn refused(arguments: &[&str], says: &str) {
    let (code, lines, stderr) = run(arguments, "");
    assert_eq!(code, 2, "{arguments:?}: {stderr}");
    assert!(lines.is_empty(), "{lines:?}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.contains(says), "{stderr}");
}

#[test]
fn version_and_help() {
    let version = format!("twofold {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(out(&["--version"]), [version]);
    for arguments in [&["--help"][..], &["help"], &["perft", "--help"]] {
        assert!(out(arguments).len() > 5);
    }
}

#[test]
fn io_15_arguments_are_commands() {
    let lines = out(&["go", "depth", "3"]);
    assert!(lines.last().unwrap().starts_with("bestmove "));
    let lines = out(&["position startpos moves e2e4", "go depth 3", "d", "quit"]);
    let answer = lines
        .iter()
        .position(|l| l.starts_with("bestmove "))
        .unwrap();
    let fen = "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let shown = lines.iter().position(|line| line == fen).unwrap();
    assert!(answer < shown, "each waits for the one before");
    let lines = out(&["go infinite", "isready"]);
    assert_eq!(lines.last().unwrap(), "readyok");
    refused(&["frobnicate"], "unknown command 'frobnicate'");
    refused(&["no such", "quit"], "unknown command 'no'");
}

#[test]
fn arguments_that_make_no_sense_end_in_one_line() {
    refused(&["speedtest", "x"], "speedtest: 'x' is not a number");
    refused(&["go", "perft", "x"], "go perft: 'x' is not a number");
    refused(&["perft x", "quit"], "perft: 'x' is not a number");
    refused(
        &["export_net", "/no/such/folder/net"],
        "/no/such/folder/net",
    );
    refused(&["genfens few seed 1 book None", "quit"], "genfens few");
    refused(&["go", "depth", "x"], "go: cannot make sense of 'depth x'");
    refused(&["position fen 8/8 w - - 0 1", "d"], "'8/8 w - - 0 1'");
    refused(&["position startpos moves e2e5", "d"], "Illegal move e2e5");
    refused(&["go depth 2 searchmoves e2e5", "d"], "e2e5 is not legal");
    refused(&["setoption name Hash value big", "d"], "Hash: 'big'");
    let eval_file = "setoption name EvalFile value /no/such/net";
    refused(&[eval_file, "quit"], "/no/such/net");
    let tables = "setoption name SyzygyPath value /no/such/folder";
    refused(&[tables, "isready"], "/no/such/folder");
    let book = "setoption name Book File value /no/such/book";
    let on = "setoption name OwnBook value true";
    refused(&[on, book, "isready"], "/no/such/book");
}

#[test]
fn clap_refuses_in_one_line() {
    refused(&["--no-such-option"], "--no-such-option");
    refused(&["perft", "--depth", "many"], "many");
    refused(&["perft", "--fen", "x", "--epd", "y"], "--epd");
}

#[test]
fn perft_counts_the_start_positions() {
    let lines = out(&["perft", "--depth", "4"]);
    assert_eq!(lines[0], "Nodes searched: 197281");
    assert!(lines[1].starts_with("1 positions, 197281 nodes, 0 failed, "));
    assert!(lines[1].ends_with(" Mnps"));
    let lines = out(&[
        "perft",
        "--game",
        "xiangqi",
        "--depth",
        "3",
        "--threads",
        "2",
        "--hash",
        "1",
    ]);
    assert_eq!(lines[0], "Nodes searched: 79666");
}

#[test]
fn perft_divide_writes_castling_as_told() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let lines = out(&["perft", "--fen", fen, "--depth", "2", "--divide"]);
    assert!(lines.iter().any(|line| line.starts_with("e1g1: ")));
    let lines = out(&[
        "perft",
        "--fen",
        fen,
        "--depth",
        "2",
        "--divide",
        "--chess960",
    ]);
    assert!(lines.iter().any(|line| line.starts_with("e1h1: ")));
    assert_eq!(lines[26], "");
    assert_eq!(lines[27], "Nodes searched: 568");
}

#[test]
fn perft_checks_files() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let good = Scratch::new(
        "good.epd",
        &format!("# a remark\r\n\r\n{start} ;D1 20 ;D2 400 ;D3 8902 ;D6 119060324\r\n"),
    );
    let lines = out(&["perft", "--epd", good.path(), "--max-nodes", "9000"]);
    assert_eq!(lines.len(), 1);
    assert!(
        lines[0].starts_with("1 positions, 9322 nodes, 0 failed, "),
        "{lines:?}"
    );
    let lines = out(&["perft", "--epd", good.path(), "--depth", "2"]);
    assert!(lines[0].starts_with("1 positions, 420 nodes, "));

    let bad = Scratch::new("bad.epd", &format!("{start} ;D1 20 ;D2 401 ;D3 8902\n"));
    let (code, lines, stderr) = run(&["perft", "--epd", bad.path()], "");
    assert_eq!((code, stderr.as_str()), (1, ""));
    assert!(lines[0].contains("bad.epd:1: depth 2: expected 401, found 400"));
    assert!(lines[1].starts_with("1 positions, 420 nodes, 1 failed, "));
}

#[test]
fn perft_says_where_a_file_makes_no_sense() {
    for (name, text, says) in [
        ("fen.epd", "# one\nnonsense ;D1 20\n", "fen.epd:2: "),
        (
            "none.epd",
            "8/8/8/8/8/8/8/K1k5 w - - 0 1\n",
            "none.epd:1: no counts",
        ),
        (
            "count.epd",
            "8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 x\n",
            "count.epd:1: expected 'D<depth> <count>'",
        ),
    ] {
        let file = Scratch::new(name, text);
        refused(&["perft", "--epd", file.path()], says);
    }
    refused(
        &["perft", "--epd", "no/such/file.epd"],
        "no/such/file.epd: ",
    );
    refused(&["perft", "--fen", "nonsense"], "--fen: ");
}

#[test]
fn d20_bench_ends_in_its_three_lines_and_repeats_itself() {
    for game in ["chess", "xiangqi"] {
        let nodes: Vec<String> = [
            &["bench", "16", "1", "3", "--game", game][..],
            &[
                "bench",
                "--depth",
                "3",
                "--hash",
                "16",
                "--threads",
                "1",
                "--game",
                game,
            ],
        ]
        .iter()
        .map(|arguments| {
            let lines = out(arguments);
            assert!(lines.len() >= 40 + 3);
            let [.., time, nodes, speed] = &lines[..] else {
                panic!()
            };
            time.strip_prefix("Total time (ms) : ")
                .unwrap()
                .parse::<u64>()
                .unwrap();
            nodes
                .strip_prefix("Nodes searched  : ")
                .unwrap()
                .parse::<u64>()
                .unwrap();
            speed
                .strip_prefix("Nodes/second    : ")
                .unwrap()
                .parse::<u64>()
                .unwrap();
            nodes.clone()
        })
        .collect();
        assert_eq!(nodes[0], nodes[1], "{game}");
    }
}

#[test]
fn bench_within_the_loop_searches_the_game_being_played() {
    let (code, lines, _) = run(
        &[],
        "setoption name UCI_Variant value xiangqi\nbench 1 1 2\n",
    );
    assert_eq!(code, 0);
    assert!(lines.last().unwrap().starts_with("Nodes/second    : "));
    assert!(lines[0].split(' ').nth(2).unwrap().split('/').count() == 10);
}

#[test]
fn bench_within_the_loop_uses_the_evaluation_that_was_chosen() {
    let nodes = |setup: &str| {
        let (_, lines, _) = run(&[], &format!("{setup}bench 1 1 3\n"));
        let line = lines
            .iter()
            .find(|line| line.starts_with("Nodes searched"))
            .unwrap();
        line.clone()
    };
    let by_hand = nodes("setoption name EvalFile value hand-crafted\n");
    assert_eq!(
        by_hand,
        nodes("setoption name EvalFile value hand-crafted\n")
    );
    assert_ne!(by_hand, nodes(""));
}

#[test]
fn bench_takes_other_limits_and_positions() {
    let file = std::env::temp_dir().join(format!("twofold-{}-bench.epd", id()));
    let fens =
        "# two\n4k3/P7/8/8/8/8/8/4K3 w - - 0 1\n\n7k/8/5K2/8/8/8/8/R7 w - - id \"x\"; c0 \"y\";\n";
    fs::write(&file, fens).unwrap();
    let path = file.to_str().unwrap();
    let lines = out(&["bench", "1", "1", "3", path, "perft"]);
    let [first, second, _, nodes, _] = &lines[..] else {
        panic!("{lines:?}")
    };
    assert!(first.starts_with("1/2 500 4k3/P7/"), "{first}");
    let count: u64 = second.split(' ').nth(1).unwrap().parse().unwrap();
    assert_eq!(*nodes, format!("Nodes searched  : {}", 500 + count));
    let lines = out(&["bench", "1", "1", "700", path, "nodes"]);
    assert!(lines[0].starts_with("1/2 700 "), "{lines:?}");
    let (code, lines, _) = run(
        &[],
        "position startpos moves e2e4\nbench 1 1 4 current perft\n",
    );
    assert_eq!((code, lines[0].split(' ').nth(1)), (0, Some("405385")));
    let (_, lines, _) = run(&[], "bench 1 1 20 default movetime\n");
    assert!(lines.len() > 40 + 3);
    fs::write(&file, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1\nnonsense\n").unwrap();
    refused(&["bench", "1", "1", "3", path], "line 2: ");
    refused(&["bench", "1", "1", "3", "/no/such.epd"], "/no/such.epd");
    refused(&["bench", "1", "1", "3", path, "hours"], "hours");
    refused(&["bench", "many"], "bench: ");
    fs::remove_file(&file).unwrap();
}

#[cfg(unix)]
#[test]
fn the_name_of_the_program_chooses_the_game() {
    let link = std::env::temp_dir().join(format!("twofold-{}-xiangqi", id()));
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_twofold"), &link).unwrap();
    let mut engine = process::Engine::start_as(link.to_str().unwrap(), &[]);
    engine.send("uci");
    let lines = engine.until_line("uciok");
    fs::remove_file(&link).unwrap();
    let variant = "option name UCI_Variant type combo default xiangqi var chess var xiangqi";
    assert!(lines.iter().any(|line| line == variant));
    engine.send("position startpos moves h2e2");
    assert!(engine.sync().is_empty());
}

/// AXF manual, diagram 2: a chariot checks for ever.
const CHECKS: [&str; 4] = [
    "--fen",
    "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1",
    "--moves",
    "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8",
];

#[test]
fn judge_says_who_broke_which_rule() {
    let lines = out(&[&["judge"], &CHECKS[..]].concat());
    assert_eq!(lines[0], "result second reason perpetual-check cycle 1..8");
    assert!(lines.iter().any(|line| line == "Red: perpetual check"));
    assert!(
        lines
            .iter()
            .any(|line| line.contains("1. f0e0 Red chariot: checks"))
    );
    // The helper for engines takes nothing but ASCII.
    let chinese = std::process::Command::new(env!("CARGO_BIN_EXE_twofold"))
        .args(["judge", "--lang", "zh"])
        .args(CHECKS)
        .output()
        .unwrap();
    let text = String::from_utf8(chinese.stdout).unwrap();
    assert!(text.starts_with("result second reason perpetual-check cycle 1..8\n"));
    assert!(text.lines().any(|line| line == "红方：长将"));
}

#[test]
fn judge_explains_a_chase_move_by_move() {
    let chase = ["judge", "--fen", "3k5/9/9/2c1R4/9/9/9/9/9/4K4 b - - 0 1"];
    let once = "c6c5 e6e5 c5c6 e5e6";
    let lines = out(&[&chase[..], &["--moves", once]].concat());
    assert_eq!(lines[0], "result ongoing reason none cycle -");
    assert_eq!(
        lines.last().unwrap(),
        "Red must deviate: another round loses."
    );
    let twice = format!("{once} {once}");
    let lines = out(&[&chase[..], &["--moves", &twice]].concat());
    assert_eq!(lines[0], "result second reason perpetual-chase cycle 1..8");
    let threat = "newly threatens Black cannon c5, by Red chariot e5, direct";
    assert!(lines[5].ends_with(threat), "{}", lines[5]);
}

#[test]
fn judge_knows_the_rule_sets_the_limit_and_chess() {
    // Threats of mate without end: nothing wrong in Asia, lost in China.
    let kill = [
        "judge",
        "--fen",
        "3k5/9/9/9/9/9/9/9/5R3/4K4 b - - 0 1",
        "--moves",
        "d9d8 f1f5 d8d9 f5f1 d9d8 f1f5 d8d9 f5f1",
    ];
    let asian = out(&kill);
    assert_eq!(asian[0], "result draw reason repetition cycle 1..8");
    let chinese = out(&[&kill[..], &["--rules", "chinese"]].concat());
    assert_eq!(
        chinese[0],
        "result second reason perpetual-attack cycle 1..8"
    );
    let late = ["judge", "--fen", "3k5/9/9/9/9/9/9/9/9/4KR3 w - - 7 1"];
    let lines = out(&[&late[..], &["--moves", "f0f1", "--limit", "8"]].concat());
    assert_eq!(lines[0], "result draw reason move-count cycle -");
    let knights = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    let lines = out(&["judge", "--game", "chess", "--moves", knights]);
    assert_eq!(lines[0], "result draw reason repetition cycle 1..8");
    let lines = out(&["judge", "--game", "chess"]);
    assert_eq!(
        lines,
        ["result ongoing reason none cycle -", "The game goes on."]
    );
}

#[test]
fn judge_checks_a_file_of_cases() {
    let text = include_str!("data/repetition.tsv");
    let file = Scratch::new("cases.tsv", text);
    assert_eq!(
        out(&["judge", "--tsv", file.path()]),
        ["495 cases, 0 wrong"]
    );
    let broken = text.replacen("\tloss\t", "\twin\t", 1);
    let file = Scratch::new("broken.tsv", &broken);
    let (code, lines, _) = run(&["judge", "--tsv", file.path()], "");
    assert_eq!((code, lines.len()), (1, 2));
    assert_eq!(lines[0], "axf-d01a: expected win, found loss, asian");
    assert_eq!(lines[1], "495 cases, 1 wrong");
}

#[test]
fn judge_refuses_what_makes_no_sense() {
    refused(&["judge", "--fen", "nonsense"], "FEN: ");
    refused(
        &["judge", "--moves", "a0a9"],
        "move 1 'a0a9': not legal here",
    );
    refused(&["judge", "--rules", "german"], "german");
    refused(
        &["judge", "--tsv", "/nowhere/cases.tsv"],
        "/nowhere/cases.tsv",
    );
    let file = Scratch::new("headless.tsv", "a\tb\tc\td\te\tf\n");
    refused(&["judge", "--tsv", file.path()], ":1: the header line");
    let row = "id\tfen\tmoves\texpected\trule\tsource\nx\t9\t\tdraw\t\t\n";
    let file = Scratch::new("badfen.tsv", row);
    refused(&["judge", "--tsv", file.path()], ":2: FEN");
}

/// The examples of the players' guide: diagram, verdict and explanation are the program's own.
#[test]
fn the_guide_to_the_law_shows_what_the_program_says() {
    let guide = include_str!("../docs/xiangqi-law.md");
    let blocks = guide.split("```text\n").skip(1);
    let mut examples = 0;
    for block in blocks.map(|rest| rest.split("```").next().unwrap()) {
        let value = |name: &str| {
            let mut lines = block.lines();
            let line = lines.find_map(|line| line.strip_prefix(name));
            line.expect("every example is complete").trim()
        };
        let (fen, moves, rules) = (value("fen "), value("moves "), value("rules "));
        let (diagram, rest) = block.split_once("\n\n").unwrap();
        let script = format!("position fen {fen}\nd\n");
        let (_, shown, _) = run(&["ucci"], &script);
        assert!(shown.join("\n").contains(diagram), "{fen}");

        let said = out(&["judge", "--rules", rules, "--fen", fen, "--moves", moves]);
        assert!(rest.contains("cycle 1.."), "{fen}");
        for line in rest.lines().skip(3).filter(|line| !line.is_empty()) {
            assert!(said.iter().any(|own| own == line), "{line}\n{said:#?}");
        }
        examples += 1;
    }
    assert!(examples >= 18, "{examples}");
}

#[test]
fn judge_reads_moves_as_players_write_them() {
    let chess = ["judge", "--game", "chess", "--moves"];
    let with = |moves| out(&[&chess[..], &[moves]].concat())[0].clone();
    assert_eq!(
        with("f3 e5 g4 Qh4#"),
        "result second reason checkmate cycle -"
    );
    assert_eq!(
        with("f2f3 e7e5 g4 d8h4"),
        "result second reason checkmate cycle -"
    );
    let xiangqi = out(&["judge", "--moves", "炮二平五 H8+7 h0g2 马２进３"]);
    assert_eq!(xiangqi[0], "result ongoing reason none cycle -");
    refused(
        &["judge", "--moves", "炮二平五 炮二进九"],
        "move 2 '炮二进九': not legal here",
    );
}
