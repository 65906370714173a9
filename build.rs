//! Tells the binary what built it, for the `compiler` command, and which network of chess to
//! embed: the file that the variable `EVALFILE` names, as test frameworks set it, or else our own.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let var = |name: &str| env::var(name).unwrap_or_else(|_| "unknown".to_owned());
    let first_line = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().ok();
        let text = output
            .filter(|output| output.status.success())
            .and_then(|output| String::from_utf8(output.stdout).ok());
        let line = text.and_then(|text| text.lines().next().map(str::to_owned));
        line.unwrap_or_else(|| "unknown".to_owned())
    };
    let compiler = first_line(&var("RUSTC"), &["--version"]);
    let commit = first_line("git", &["rev-parse", "--short", "HEAD"]);
    println!("cargo::rustc-env=TWOFOLD_COMPILER={compiler}");
    println!("cargo::rustc-env=TWOFOLD_TARGET={}", var("TARGET"));
    println!("cargo::rustc-env=TWOFOLD_PROFILE={}", var("PROFILE"));
    println!("cargo::rustc-env=TWOFOLD_COMMIT={commit}");
    let root = PathBuf::from(var("CARGO_MANIFEST_DIR"));
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
    println!("cargo::rerun-if-changed=build.rs");
    // A release must name its commit truly; a development build need not be redone for that.
    let log = first_line("git", &["rev-parse", "--git-path", "logs/HEAD"]);
    if var("PROFILE") == "release" && Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
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
