//! Tells the binary what built it, for the `compiler` command, and which network of chess to
//! embed: the file that the variable `EVALFILE` names, as test frameworks set it, or else our own.

use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the program is made of, for its name to be true.
const SOURCES: [&str; 5] = ["src", "nets", "build.rs", "Cargo.toml", "Cargo.lock"];

fn main() {
    let var = |name: &str| env::var(name).unwrap_or_else(|_| "unknown".to_owned());
    let root = PathBuf::from(var("CARGO_MANIFEST_DIR"));
    let unknown = || "unknown".to_owned();
    let compiler = first_line(Command::new(var("RUSTC")).arg("--version")).unwrap_or_else(unknown);
    let commit = commit_name(&root).unwrap_or_else(unknown);
    println!("cargo::rustc-env=TWOFOLD_COMPILER={compiler}");
    println!("cargo::rustc-env=TWOFOLD_TARGET={}", var("TARGET"));
    println!("cargo::rustc-env=TWOFOLD_PROFILE={}", var("PROFILE"));
    println!("cargo::rustc-env=TWOFOLD_COMMIT={commit}");
    let own = root.join("nets/chess.net");
    let chosen = env::var("EVALFILE").map_or_else(|_| own.clone(), |path| root.join(path));
    // A network that the engine would refuse must not be found out by how it plays.
    match (form(&own), form(&chosen)) {
        (Some(expected), Some(found)) if found == expected => {}
        _ => {
            let shown = chosen.display();
            println!("cargo::error=EVALFILE: {shown} is no chess network for this program");
        }
    }
    println!("cargo::rustc-env=TWOFOLD_CHESS_NET={}", chosen.display());
    println!("cargo::rerun-if-changed={}", chosen.display());
    println!("cargo::rerun-if-env-changed=EVALFILE");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={source}");
    }
    // A release must name its commit truly; a development build need not be redone for that.
    let log = first_line(git(&root).args(["rev-parse", "--git-path", "logs/HEAD"]));
    let log = log.filter(|log| var("PROFILE") == "release" && Path::new(log).exists());
    if let Some(log) = log {
        println!("cargo::rerun-if-changed={log}");
    }
}

/// Git in this folder, leaving its index to whoever else works there. A hook that builds may have
/// another repository or index in its variables.
pub fn git(root: &Path) -> Command {
    let mut command = Command::new("git");
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    command.arg("--no-optional-locks").arg("-C").arg(root);
    command
}

/// What a program writes, if it succeeds.
fn output(command: &mut Command) -> Option<Vec<u8>> {
    let output = command.output().ok()?;
    output.status.success().then_some(output.stdout)
}

fn first_line(command: &mut Command) -> Option<String> {
    let text = String::from_utf8(output(command)?).ok()?;
    text.lines().next().map(str::to_owned)
}

/// The commit, and where the sources are not those of the commit a mark of how they differ: games
/// of one program must not be continued by another. What is staged does not matter, so that Cargo
/// need only watch the sources and the commit.
pub fn commit_name(root: &Path) -> Option<String> {
    let commit = first_line(git(root).args(["rev-parse", "--short", "HEAD"]))?;
    let diff = "diff --binary --no-ext-diff --no-textconv HEAD --".split(' ');
    let changes = output(git(root).args(diff).args(SOURCES))?;
    if changes.is_empty() {
        return Some(commit);
    }
    let mut hasher = DefaultHasher::new();
    changes.hash(&mut hasher);
    // A file that is new takes part only where one that is not has changed to name it.
    let new = "ls-files --others --exclude-standard -z -- src".split(' ');
    let new = output(git(root).args(new))?;
    for name in String::from_utf8_lossy(&new).split_terminator('\0') {
        (name, fs::read(root.join(name)).ok()).hash(&mut hasher);
    }
    Some(format!("{commit}-dirty-{:08x}", hasher.finish() as u32))
}

/// The format, version and architecture of a network file, by which it is known, and how many
/// bytes of weights it has; `None` where it is damaged.
fn form(path: &Path) -> Option<(Vec<u8>, usize)> {
    const FIXED: usize = 10;
    let bytes = fs::read(path).ok()?;
    let (sound, checksum) = bytes.split_last_chunk()?;
    if crc32fast::hash(sound) != u32::from_le_bytes(*checksum) {
        return None;
    }
    let after_text = |at: usize| {
        let length = sound.get(at..)?.first_chunk()?;
        Some(at + 2 + usize::from(u16::from_le_bytes(*length)))
    };
    let heading = after_text(FIXED)?;
    let weights = sound.len().checked_sub(after_text(heading)?)?;
    Some((sound[..heading].to_vec(), weights))
}
