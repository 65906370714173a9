//! `twofold train` by the real binary: from games to a network that the engine takes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "support/folder.rs"]
mod folder;
#[path = "support/process.rs"]
mod process;

use std::fs;

use folder::Folder;
use process::run;

/// A folder of games in this folder.
fn games_in(folder: &Folder, game: &str) -> String {
    let games = folder.file("games");
    let count = ["--games", "4", "--nodes", "50", "--threads", "2"];
    let words = [&["datagen", "--game", game, "--out", &games], &count[..]].concat();
    assert_eq!(run(&words, "").0, 0);
    games
}

/// The end of a network's file: the description at its beginning holds the date.
fn weights(network: &[u8]) -> &[u8] {
    const CHECKSUM: usize = 4;
    &network[network.len() - 300_000..network.len() - CHECKSUM]
}

fn learnt(words: &[&str]) -> Vec<String> {
    let (code, lines, stderr) = run(words, "");
    assert_eq!((code, stderr.as_str()), (0, ""), "{lines:?}");
    lines
}

#[test]
fn games_become_a_network_and_the_network_a_better_one() {
    for game in ["chess", "xiangqi"] {
        let folder = Folder::new(&format!("train-{game}"));
        let (games, first, second) = (
            games_in(&folder, game),
            folder.file("1.net"),
            folder.file("2.net"),
        );
        let train = ["train", "--game", game, "--data", &games, "--batch", "64"];
        let lines = learnt(&[&train, &["--out", &first, "--epochs", "3"][..]].concat());
        assert!(
            lines.iter().any(|line| line.starts_with("epoch 3/3: ")),
            "{lines:?}"
        );
        let from = ["--out", &second, "--epochs", "1", "--from", &first];
        learnt(&[&train, &from[..]].concat());
        let info = learnt(&["net", "info", &first, &second]);
        assert!(info.iter().any(|line| line.contains("begun from network")));
        assert!(info.iter().any(|line| line.contains("4 games")));
        // And the engine plays with it.
        let more = [
            "--games", "1", "--nodes", "50", "--net", &second, "--seed", "2",
        ];
        learnt(&[&["datagen", "--game", game, "--out", &games], &more[..]].concat());
        let files = fs::read_dir(&folder.0).unwrap().count();
        assert_eq!(files, 3, "no checkpoint is left");
    }
}

#[test]
fn a_killed_training_ends_like_an_uninterrupted_one() {
    let folder = Folder::new("train-again");
    let (games, out) = (games_in(&folder, "chess"), folder.file("a.b.net"));
    let train = [
        "train", "--data", &games, "--batch", "64", "--epochs", "2", "--out", &out,
    ];
    learnt(&train);
    let network = fs::read(&out).unwrap();
    // Learning once more, killed after the first epoch: the checkpoint stays.
    fs::remove_file(&out).unwrap();
    let checkpoint = format!("{out}.checkpoint");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_twofold"))
        .args(train)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while fs::metadata(&checkpoint).is_err() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    learnt(&train);
    let again = fs::read(&out).unwrap();
    assert!(weights(&network) == weights(&again));
    assert!(fs::metadata(&checkpoint).is_err());
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_is_learnt() {
    let folder = Folder::new("train-refused");
    let (games, out) = (games_in(&folder, "chess"), folder.file("x.net"));
    let refused = |more: &[&str], says: &str| {
        let words = [&["train", "--data", &games], more].concat();
        let (code, lines, stderr) = run(&words, "");
        assert_eq!(
            (code, lines.len(), stderr.lines().count()),
            (2, 0, 1),
            "{stderr}"
        );
        assert!(stderr.contains(says), "{stderr}");
    };
    refused(&["--out", &out, "--rate", "nan"], "'nan'");
    refused(&["--out", &out, "--rate", "0"], "expected a number from");
    refused(&["--out", &out, "--result-share", "1.5"], "from 0 to 1");
    refused(&["--out", &out, "--scale", "5000"], "from 1 to 4000");
    refused(&["--out", &out, "--epochs", "0"], "0");
    refused(&["--out", "/no/such/folder/x.net"], "/no/such/folder");
    refused(&["--out", &games], "not a place for a file");
    refused(&["--out", &out, "--game", "xiangqi"], "games of chess");
    refused(&["--out", &out, "--from", &format!("{games}/none")], "none");
}
