//! Self-play by the real binary: killed and continued, looked into, refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../build.rs"]
#[allow(dead_code)] // Only the name of a build is tried here.
mod build;
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
    for (word, value, says) in [
        ("--nodes", "0", "0 is not in 1.."),
        ("--threads", "0", "0 is not in 1..=1024"),
        ("--threads", "1025", "1025 is not in 1..=1024"),
    ] {
        let out = folder.path();
        refused(
            &["datagen", "--games", "99", word, value, "--out", out],
            says,
        );
    }
    let ignored = ["--stats", "--net", "hand-crafted", "--out", folder.path()];
    refused(&[&["datagen"], &ignored[..]].concat(), "--net");
}

/// The one shard of a folder.
fn shard_of(folder: &Folder) -> PathBuf {
    let files = contents(folder);
    assert_eq!(files.len(), 1);
    folder.0.join(&files[0].0)
}

#[test]
fn a_cut_end_is_told() {
    let folder = Folder::new("datagen-cut");
    assert_eq!(run(&words("chess", &folder, "2"), "").0, 0);
    let path = shard_of(&folder);
    let whole = fs::read(&path).unwrap();
    let mut torn = whole.clone();
    torn.extend([200, 0, 12]);
    fs::write(&path, &torn).unwrap();
    let (code, lines, stderr) = run(&words("chess", &folder, "2"), "");
    assert_eq!((code, lines.len(), stderr.as_str()), (0, 2, ""));
    let told = format!("{}: its last 3 bytes were no whole game", path.display());
    assert!(lines[0].starts_with(&told), "{lines:?}");
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn a_first_shard_that_is_missing_is_not_made_again() {
    let folder = Folder::new("datagen-gap");
    assert_eq!(run(&words("chess", &folder, "2"), "").0, 0);
    let path = shard_of(&folder);
    let later = path.to_str().unwrap().replace("-00000.", "-00002.");
    fs::rename(&path, &later).unwrap();
    let (code, lines, stderr) = run(&words("chess", &folder, "2"), "");
    assert_eq!((code, lines.len(), stderr.lines().count()), (2, 0, 1));
    assert!(stderr.contains("00000.games: it is missing"), "{stderr}");
    assert_eq!(shard_of(&folder), Path::new(&later));
}

#[test]
fn a_shard_is_written_by_one_process_at_a_time() {
    let folder = Folder::new("datagen-locked");
    assert_eq!(run(&words("chess", &folder, "2"), "").0, 0);
    let path = shard_of(&folder);
    let whole = fs::read(&path).unwrap();
    let writer = fs::File::open(&path).unwrap();
    writer.lock().unwrap();
    let mut more = words("chess", &folder, "1");
    more[4] = "13";
    let (code, lines, stderr) = run(&more, "");
    assert_eq!((code, lines.len(), stderr.lines().count()), (2, 0, 1));
    assert!(stderr.contains("another process writes to it"), "{stderr}");
    assert_eq!(fs::read(&path).unwrap(), whole);
    drop(writer);
    assert_eq!(run(&more, "").0, 0);
}

#[test]
fn statistics_go_on_where_a_file_is_bad() {
    let folder = Folder::new("datagen-bad");
    assert_eq!(run(&words("chess", &folder, "2"), "").0, 0);
    let stats = ["datagen", "--stats", "--out", folder.path()];
    let (_, whole, _) = run(&stats, "");
    // As a process killed in its first moment leaves it.
    folder.put("a.games", "");
    assert_eq!(run(&stats, ""), (0, whole.clone(), String::new()));
    let mut bad = vec![("b.games", "no file of self-play games")];
    folder.put("b.games", "junk that is longer than any header is");
    fs::create_dir(folder.0.join("c.games")).unwrap();
    bad.push(("c.games", "not a regular file"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/no/such/file", folder.0.join("d.games")).unwrap();
        bad.push(("d.games", "No such file"));
        let pipe = Command::new("mkfifo").arg(folder.file("e.games")).status();
        assert!(pipe.unwrap().success());
        bad.push(("e.games", "not a regular file"));
    }
    let (code, lines, stderr) = run(&stats, "");
    assert_eq!((code, stderr.as_str()), (1, ""));
    let (notes, rest) = lines.split_at(bad.len());
    for (note, (name, says)) in notes.iter().zip(bad) {
        assert!(note.contains(name) && note.contains(says), "{note}");
    }
    assert_eq!(rest, whole);
}

/// Runs git in a folder, with nothing of the user's in its way.
fn git(folder: &Folder, words: &[&str]) {
    let user = ["user.name=test", "user.email=test", "commit.gpgSign=false"];
    let mut command = build::git(&folder.0);
    for setting in user {
        command.args(["-c", setting]);
    }
    let made = command.args(words).output().unwrap();
    assert!(made.status.success(), "{words:?}: {made:?}");
}

#[test]
fn a_build_is_named_by_its_commit_and_by_what_differs_from_it() {
    let folder = Folder::new("datagen-commit");
    fs::create_dir(folder.0.join("src")).unwrap();
    folder.put("src/main.rs", "one");
    folder.put("README.md", "one");
    git(&folder, &["init", "--quiet"]);
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "--quiet", "--message", "one"]);
    let name = || build::commit_name(&folder.0).unwrap();
    let clean = name();
    assert!(
        clean.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "{clean}"
    );
    folder.put("README.md", "two");
    folder.put("src/new.rs", "one");
    assert_eq!(name(), clean, "nothing of this is compiled");
    folder.put("src/main.rs", "two");
    let two = name();
    assert!(two.starts_with(&format!("{clean}-dirty-")), "{two}");
    git(&folder, &["add", "src/main.rs"]);
    assert_eq!(name(), two, "staged or not");
    folder.put("src/new.rs", "three");
    let three = name();
    assert_ne!(three, two);
    folder.put("src/main.rs", "one");
    assert_eq!(name(), clean);
}
