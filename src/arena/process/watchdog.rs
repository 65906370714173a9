//! A child that outlives the runner by a moment, to kill what the runner could not.
//!
//! It reads the groups of engines that begin and end from a pipe. When the pipe closes, because
//! the runner is gone in whatever way, it kills the groups that are left, and ends. A few lines
//! of the shell that every Unix has.

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Where the standard keeps the shell.
const SHELL: &str = "/bin/sh";

/// Reads `watch GROUP` and `leave GROUP`, and kills at the end of input.
const SCRIPT: &str = r#"
trap '' HUP INT QUIT TERM
groups=' '
while read -r word group; do
    case $word in
        watch) groups="$groups$group " ;;
        leave) case $groups in
            *" $group "*) groups="${groups%% "$group" *} ${groups#* "$group" }" ;;
        esac ;;
    esac
done
for group in $groups; do
    kill -s KILL -- "-$group"
done
"#;

/// The way to the watchdog.
enum Line {
    NotStarted,
    Open(ChildStdin),
    /// There is no shell, or it was killed: only the system's own means are left.
    Broken,
}

static LINE: Mutex<Line> = Mutex::new(Line::NotStarted);

/// From now on this group is killed if the runner ends without [`leave`].
pub(super) fn watch(group: u32) {
    tell("watch", group);
}

/// This group is gone.
pub(super) fn leave(group: u32) {
    tell("leave", group);
}

fn tell(word: &str, group: u32) {
    let mut line = LINE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Line::NotStarted = *line {
        *line = start().map_or(Line::Broken, Line::Open);
    }
    if let Line::Open(pipe) = &mut *line
        && writeln!(pipe, "{word} {group}").is_err()
    {
        *line = Line::Broken;
    }
}

/// In a group of its own, lest the terminal's Ctrl-C or a caller's `kill` of the runner's group
/// end it too.
fn start() -> Option<ChildStdin> {
    let watchdog = Command::new(SHELL)
        .args(["-c", SCRIPT, "twofold-watchdog"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn();
    watchdog.ok()?.stdin
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    fn groups_that_are_left_at_the_end_are_killed() {
        let sleeper = || {
            let mut command = Command::new("sleep");
            command.arg("100").process_group(0).spawn().unwrap()
        };
        let (mut left, mut gone, mut other) = (sleeper(), sleeper(), sleeper());
        let mut pipe = start().unwrap();
        for (word, sleeper) in [("watch", &gone), ("watch", &left), ("watch", &other)] {
            writeln!(pipe, "{word} {}", sleeper.id()).unwrap();
        }
        writeln!(pipe, "leave {}\nleave 1\nleave {}", gone.id(), gone.id()).unwrap();
        drop(pipe);
        let begin = Instant::now();
        for sleeper in [&mut left, &mut other] {
            while sleeper.try_wait().unwrap().is_none() {
                assert!(begin.elapsed() < Duration::from_secs(10), "it lives");
                std::thread::sleep(Duration::from_millis(5));
            }
        }
        assert_eq!(gone.try_wait().unwrap(), None);
        gone.kill().unwrap();
        gone.wait().unwrap();
    }
}
