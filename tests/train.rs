//! `twofold train` by the real binary: from games to a network that the engine takes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "support/folder.rs"]
mod folder;
#[path = "support/process.rs"]
mod process;

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

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

/// Scale and weights of a network's file: all but what comes before (the description holds the
/// date) and the checksum of it all.
fn weights(network: &[u8]) -> &[u8] {
    const CHECKSUM: usize = 4;
    let mut rest = &network[b"TWOFONET".len() + 2..];
    for _ in ["architecture", "description"] {
        let (length, text) = rest.split_first_chunk().unwrap();
        rest = &text[usize::from(u16::from_le_bytes(*length))..];
    }
    assert!(rest.len() > 400_000, "{}", rest.len());
    &rest[..rest.len() - CHECKSUM]
}

/// The only file of games in a folder.
fn shard_in(games: &str) -> String {
    let files: Vec<_> = fs::read_dir(games).unwrap().collect();
    assert_eq!(files.len(), 1);
    files[0]
        .as_ref()
        .unwrap()
        .path()
        .to_str()
        .unwrap()
        .to_owned()
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
        let told = "data: seed 1, 50 nodes, by twofold ";
        assert!(info.iter().any(|line| line.contains("4 games")));
        assert!(info.iter().any(|line| line.contains(told)), "{info:?}");
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
    // So many epochs that most of the time is left once the first is seen to be over.
    let train = [
        "train", "--data", &games, "--batch", "32", "--epochs", "40", "--out", &out,
    ];
    learnt(&train);
    let network = fs::read(&out).unwrap();
    fs::remove_file(&out).unwrap();
    let checkpoint = format!("{out}.checkpoint");
    let mut child = Command::new(env!("CARGO_BIN_EXE_twofold"))
        .args(train)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while fs::metadata(&checkpoint).is_err() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    let code = child.wait().unwrap().code();
    assert_eq!(code, None, "it was killed before it came to its end");
    let exists = |path: &str| fs::exists(path).unwrap();
    assert!(!exists(&out) && exists(&checkpoint));
    let lines = learnt(&train);
    let resumed = lines
        .iter()
        .any(|line| line.starts_with("going on after epoch "));
    assert!(resumed, "{lines:?}");
    let again = fs::read(&out).unwrap();
    assert!(weights(&network) == weights(&again));
    assert!(!exists(&checkpoint));
}

#[test]
fn nobody_need_listen() {
    let folder = Folder::new("train-alone");
    let (games, out) = (games_in(&folder, "chess"), folder.file("x.net"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_twofold"))
        .args(["train", "--data", &games, "--epochs", "2", "--out", &out])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    learnt(&["net", "info", &out]);
}

#[test]
fn the_largest_scale_and_the_wildest_weights_give_a_network() {
    let folder = Folder::new("train-wild");
    let (games, out) = (games_in(&folder, "chess"), folder.file("x.net"));
    let wild = [
        "--scale",
        "4000",
        "--rate",
        "1",
        "--warm-up",
        "0",
        "--batch",
        "64",
    ];
    let more = ["--epochs", "3", "--result-share", "1", "--out", &out];
    learnt(&[&["train", "--data", &games], &wild[..], &more].concat());
}

#[test]
fn a_file_given_twice_counts_once_and_a_remark_is_one_line() {
    let folder = Folder::new("train-twice");
    let (games, out) = (games_in(&folder, "chess"), folder.file("x.net"));
    let shard = shard_in(&games);
    let data = ["train", "--data", &games, &shard, &games];
    let more = ["--epochs", "1", "--out", &out, "--remark", "one\nline"];
    let lines = learnt(&[&data[..], &more].concat());
    assert!(
        lines.iter().any(|line| line.starts_with("4 games, ")),
        "{lines:?}"
    );
    let info = learnt(&["net", "info", &out]);
    let filters = "without the first 2 plies and scores beyond 2500";
    for told in ["; one line", "warm-up 0.05, decay 0.02", filters] {
        assert!(info.iter().any(|line| line.contains(told)), "{info:?}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_is_learnt() {
    let folder = Folder::new("train-refused");
    let (games, out) = (games_in(&folder, "chess"), folder.file("x.net"));
    let refused = |more: &[&str], says: &str| refuses(&games, more, says);
    refused(&["--out", &out, "--rate", "nan"], "'nan'");
    refused(&["--out", &out, "--rate", "0"], "expected a number from");
    refused(&["--out", &out, "--result-share", "1.5"], "from 0 to 1");
    refused(&["--out", &out, "--scale", "5000"], "from 1 to 4000");
    refused(&["--out", &out, "--epochs", "0"], "0");
    refused(&["--out", &out, "--threads", "0"], "from 1 to 1024");
    refused(&["--out", &out, "--threads", "100000"], "from 1 to 1024");
    refused(&["--out", &out, "--game", "xiangqi"], "games of chess");
    refused(&["--out", &out, "--from", &format!("{games}/none")], "none");
    let long = "x".repeat(4_097);
    refused(&["--out", &out, "--remark", &long], "4097 bytes");
}

/// Refused with one line that says this, before anything else is said.
fn refuses(data: &str, more: &[&str], says: &str) {
    let words = [&["train", "--data", data], more].concat();
    let (code, lines, stderr) = run(&words, "");
    assert_eq!(
        (code, lines.len(), stderr.lines().count()),
        (2, 0, 1),
        "{stderr}"
    );
    assert!(stderr.contains(says), "{stderr}");
}

#[test]
fn a_place_where_no_network_can_be_written_is_refused_before_anything_is_learnt() {
    let folder = Folder::new("train-place");
    let games = games_in(&folder, "chess");
    let refused = |out: &str, says: &str| refuses(&games, &["--out", out], says);
    refused("/no/such/folder/x.net", "/no/such/folder");
    refused(&games, "not a place for a file");
    let missing = format!("{}/", folder.file("m.net"));
    refused(&missing, &missing);
    let out = folder.file("x.net");
    fs::create_dir(format!("{out}.checkpoint")).unwrap();
    refused(&out, "x.net.checkpoint: not a place for a file");
    #[cfg(target_os = "linux")]
    refused("/proc/x.net", "/proc/x.net: ");
    #[cfg(unix)]
    {
        refused(&pipe_in(&folder), "not a place for a file");
        // Too long for the checkpoint while it is written, but not for the network.
        refused(&folder.file(&"x".repeat(242)), "too long");
        let loops = folder.file("loop.net.checkpoint");
        std::os::unix::fs::symlink(&loops, &loops).unwrap();
        refused(&folder.file("loop.net"), "loop.net.checkpoint: ");
    }
}

#[test]
fn games_are_never_replaced_by_a_network() {
    let folder = Folder::new("train-replace");
    let games = games_in(&folder, "chess");
    let shard = shard_in(&games);
    let content = fs::read(&shard).unwrap();
    refuses(&games, &["--out", &shard], "one of the files to be read");
    let roundabout = format!("{games}/../games/{}", &shard[games.len() + 1..]);
    refuses(&shard, &["--out", &roundabout], "one of the files");
    for ending in [".checkpoint", ".new", ".checkpoint.new"] {
        let copy = folder.put(&format!("x{ending}"), &content);
        let out = folder.file("x");
        refuses(&copy, &["--out", &out], "one of the files to be read");
        refuses(
            &games,
            &["--out", &out, "--from", &copy],
            "one of the files",
        );
        assert_eq!(fs::read(&copy).unwrap(), content);
        fs::remove_file(&copy).unwrap();
    }
    assert_eq!(fs::read(&shard).unwrap(), content);
    // But a network by its successor.
    let out = folder.file("x.net");
    let train = ["train", "--data", &games, "--epochs", "1", "--out", &out];
    learnt(&train);
    learnt(&[&train, &["--from", &out][..]].concat());
    let info = learnt(&["net", "info", &out]);
    assert!(info.iter().any(|line| line.contains("begun from network")));
}

/// A named pipe that nobody writes to.
#[cfg(unix)]
fn pipe_in(folder: &Folder) -> String {
    let pipe = folder.file("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    pipe
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_read() {
    let folder = Folder::new("train-regular");
    let (games, out) = (games_in(&folder, "chess"), folder.file("x.net"));
    let pipe = pipe_in(&folder);
    for from in ["/dev/zero", &pipe, &games] {
        let says = format!("{from}: not a regular file");
        refuses(&games, &["--out", &out, "--from", from], &says);
    }
    std::os::unix::fs::symlink("/dev/zero", format!("{out}.checkpoint")).unwrap();
    refuses(&games, &["--out", &out], "not a place for a file");
}
