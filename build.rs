//! Tells the binary what built it, for the `compiler` command, and which network of chess to
//! embed: the file that the variable `EVALFILE` names, as test frameworks set it, or else our own.

use std::env;
use std::path::Path;
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
    let own_net = format!("{}/nets/chess.net", var("CARGO_MANIFEST_DIR"));
    let net = env::var("EVALFILE").unwrap_or(own_net);
    println!("cargo::rustc-env=TWOFOLD_CHESS_NET={net}");
    println!("cargo::rerun-if-env-changed=EVALFILE");
    println!("cargo::rerun-if-changed=build.rs");
    // A release must name its commit truly; a development build need not be redone for that.
    let log = first_line("git", &["rev-parse", "--git-path", "logs/HEAD"]);
    if var("PROFILE") == "release" && Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
}
