//! Self-play by the real binary: killed and continued, looked into, refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "support/folder.rs"]
mod folder;
#[path = "support/process.rs"]
mod process;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use folder::Folder;
use process::run;

/// What the files of a folder hold, by name.
fn contents(folder: &Folder) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(&folder.0).unwrap();
    let mut files: Vec<_> = entries
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = Path::new(path.file_name().unwrap()).to_owned();
            (name, fs::read(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

fn bytes_in(folder: &Folder) -> usize {
    contents(folder).iter().map(|(_, bytes)| bytes.len()).sum()
}

const GAMES: &str = "12";

fn words<'a>(game: &'a str, folder: &'a Folder, threads: &'a str) -> Vec<&'a str> {
    let out = folder.path();
    let mut words = vec![
        "datagen", "--game", game, "--games", GAMES, "--nodes", "200",
    ];
    words.extend(["--seed", "7", "--threads", threads, "--out", out]);
    words
}

/// Starts the generation and kills it, without a word of warning, when it has written something.
fn start_and_kill(words: &[&str], folder: &Folder) {
    let before = bytes_in(folder);
    let mut child = Command::new(env!("CARGO_BIN_EXE_twofold"))
        .args(words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while bytes_in(folder) <= before + 100 && child.try_wait().unwrap().is_none() {
        assert!(started.elapsed() < process::LONG);
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_killed_generation_goes_on_where_it_was() {
    for game in ["chess", "xiangqi"] {
        let (whole, killed) = (
            Folder::new(&format!("datagen-whole-{game}")),
            Folder::new(&format!("datagen-{game}")),
        );
        assert_eq!(run(&words(game, &whole, "1"), "").0, 0);
        for threads in ["2", "1", "2"] {
            start_and_kill(&words(game, &killed, threads), &killed);
        }
        let (code, lines, stderr) = run(&words(game, &killed, "2"), "");
        assert_eq!((code, stderr.as_str()), (0, ""));
        let last = lines.last().unwrap();
        assert!(last.starts_with("12 games, "), "{last}");
        assert!(contents(&killed) == contents(&whole), "{game}");
    }
}

#[test]
fn statistics_are_of_the_games_there_are() {
    let folder = Folder::new("datagen-stats");
    assert_eq!(run(&words("xiangqi", &folder, "2"), "").0, 0);
    let (code, lines, _) = run(&["datagen", "--stats", "--out", folder.path()], "");
    assert_eq!(code, 0);
    assert_eq!(lines[0], "game         xiangqi");
    assert_eq!(lines[1], "games        12");
    let maker = lines
        .iter()
        .find(|line| line.starts_with("made by"))
        .unwrap();
    assert!(
        maker.contains("network") && maker.ends_with("seed 7, 200 nodes, 12 games"),
        "{maker}"
    );
    let (path, bytes) = &contents(&folder)[0];
    fs::write(folder.0.join(path), &bytes[..bytes.len() - 1]).unwrap();
    let (code, lines, _) = run(&["datagen", "--stats", "--out", folder.path()], "");
    assert_eq!((code, lines[1].as_str()), (1, "games        11"));
}

#[test]
fn what_cannot_be_continued_is_refused() {
    let folder = Folder::new("datagen-refused");
    assert_eq!(run(&words("chess", &folder, "2"), "").0, 0);
    let refused = |words: &[&str], says: &str| {
        let (code, lines, stderr) = run(words, "");
        assert_eq!(
            (code, lines.len(), stderr.lines().count()),
            (2, 0, 1),
            "{stderr}"
        );
        assert!(stderr.contains(says), "{stderr}");
    };
    let mut by_hand = words("chess", &folder, "1");
    by_hand.extend(["--net", "hand-crafted"]);
    refused(&by_hand, "give another seed or folder");
    let mut missing = words("chess", &folder, "1");
    missing.extend(["--net", "/no/such.net"]);
    refused(&missing, "cannot open '/no/such.net'");
    let stats = [
        "datagen",
        "--stats",
        "--game",
        "xiangqi",
        "--out",
        folder.path(),
    ];
    refused(&stats, "no games of xiangqi");
    refused(&["datagen", "--out", folder.path()], "--games");
    refused(
        &["datagen", "--games", "some", "--out", folder.path()],
        "some",
    );
}
