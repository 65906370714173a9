//! Engine processes: started in a group of their own, ended with everything they started.
//!
//! What a group is, and what ends it when the runner itself is killed, depends on the system:
//! a process group and a watchdog on Unix (`unix.rs`, `watchdog.rs`), a job object on Windows
//! (`windows.rs`). A shell script's children go with it on both.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
mod watchdog;
#[cfg(windows)]
mod windows;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crate::arena::config::EngineConfig;
#[cfg(unix)]
use crate::arena::process::unix::{Group, has_ended, isolate, kill_group, signal_of};
#[cfg(windows)]
use crate::arena::process::windows::{Group, has_ended, isolate, kill_group, signal_of};

/// How long an engine that was told to quit may take, and then again after SIGTERM.
const PATIENCE: Duration = Duration::from_millis(500);

/// Where bare names are looked for after the search path: Debian keeps engines there.
const GAME_DIRECTORIES: [&str; 2] = ["/usr/games", "/usr/local/games"];

/// Process ids of the engines that run, for [`kill_all`].
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// The file of a program, as a path or looked up by its name.
pub fn find_program(command: &Path) -> Option<PathBuf> {
    if command.components().count() > 1 {
        return command.is_file().then(|| command.to_owned());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let directories = std::env::split_paths(&path).chain(GAME_DIRECTORIES.map(PathBuf::from));
    let ending = std::env::consts::EXE_SUFFIX;
    directories
        .map(|directory| directory.join(command))
        .flat_map(|file| {
            [
                file.clone(),
                PathBuf::from(format!("{}{ending}", file.display())),
            ]
        })
        .find(|file| file.is_file())
}

/// A running engine, or one that has ended and not yet been reaped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    group: Group,
    ended: Option<ExitStatus>,
    killed: bool,
}

impl Process {
    /// Starts an engine with all three streams piped; on Linux bound to `cores` if there are any.
    ///
    /// # Errors
    /// A program that is not there or cannot be run.
    pub fn start(config: &EngineConfig, cores: &[usize]) -> io::Result<Process> {
        let program = find_program(&config.command).ok_or_else(|| {
            let message = format!("no program {}", config.command.display());
            io::Error::new(io::ErrorKind::NotFound, message)
        })?;
        // A relative path would be looked up from the new working directory.
        let program = program.canonicalize()?;
        let mut command = Command::new(&program);
        command
            .args(&config.args)
            .envs(&config.env)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        match &config.dir {
            Some(dir) => command.current_dir(dir),
            None => command.current_dir(program.parent().unwrap_or(Path::new("."))),
        };
        isolate(&mut command, cores);
        let child = command.spawn()?;
        running().insert(child.id());
        let group = Group::of(&child);
        Ok(Process {
            child,
            group,
            ended: None,
            killed: false,
        })
    }

    /// The pipes, to be taken once.
    pub fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Waits for the engine to end of itself, at most so long; true if it has.
    pub fn wait(&mut self, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        let mut pause = Duration::from_micros(200);
        while !self.has_ended() {
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(pause);
            pause = (2 * pause).min(Duration::from_millis(5));
        }
        true
    }

    /// Ends the engine and all of its group, gently at first: waits (it was told to quit), asks,
    /// kills, reaps.
    pub fn end(&mut self) {
        Process::end_all(&mut [self]);
    }

    /// The same for several: each stage is waited for once, not once for each.
    pub fn end_all(processes: &mut [&mut Process]) {
        for signal in [Signal::Terminate, Signal::Kill] {
            let deadline = Instant::now() + PATIENCE;
            for process in &mut *processes {
                if !process.wait(deadline.saturating_duration_since(Instant::now())) {
                    process.killed = true;
                    process.signal(signal);
                }
            }
        }
        for process in processes {
            process.reap();
        }
    }

    /// Ends the engine and all of its group at once.
    pub fn kill(&mut self) {
        if self.ended.is_none() && !self.has_ended() {
            self.killed = true;
            self.signal(Signal::Kill);
        }
        self.reap();
    }

    /// Takes the engine's status; what is left of its group is killed first, while the engine,
    /// not yet reaped, keeps the number of the group from being given to others.
    fn reap(&mut self) {
        if self.ended.is_some() {
            return;
        }
        self.signal(Signal::Kill);
        running().remove(&self.child.id());
        self.group.disband();
        self.ended = self.child.wait().ok();
    }

    /// How it ended, in words; reaps it.
    pub fn epitaph(&mut self) -> String {
        if !self.wait(PATIENCE) {
            return "closed its output".to_owned();
        }
        self.reap();
        let status = self.ended.map_or_else(|| "unknown".to_owned(), describe);
        let by_others = self.ended.and_then(signal_of) == Some(9) && !self.killed;
        let hint = if by_others { " (out of memory?)" } else { "" };
        format!("{status}{hint}")
    }

    fn signal(&mut self, signal: Signal) {
        self.group.signal(&mut self.child, signal);
    }

    fn has_ended(&mut self) -> bool {
        self.ended.is_some() || has_ended(&mut self.child)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Kills every engine that runs, and its group, without waiting: for a runner about to exit.
pub fn kill_all() {
    for &id in running().iter() {
        kill_group(id);
    }
}

fn running() -> std::sync::MutexGuard<'static, BTreeSet<u32>> {
    RUNNING
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn describe(status: ExitStatus) -> String {
    match (status.code(), signal_of(status)) {
        (Some(code), _) if cfg!(windows) => format!("exit code {code:#x}"),
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => status.to_string(),
    }
}

/// What a group can be told.
#[derive(Clone, Copy)]
enum Signal {
    /// To end, please.
    Terminate,
    /// To end.
    Kill,
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    fn shell(script: &str) -> Process {
        let config = EngineConfig {
            command: PathBuf::from("/bin/sh"),
            args: vec!["-c".to_owned(), script.to_owned()],
            ..EngineConfig::default()
        };
        Process::start(&config, &[]).unwrap()
    }

    /// Does a process with this number run (and not just await being reaped)?
    fn runs(id: &str) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let state = stat
            .rsplit(')')
            .next()
            .and_then(|rest| rest.split_whitespace().next());
        !matches!(state, None | Some("Z" | "X"))
    }

    #[test]
    fn children_of_an_engine_die_with_it() {
        use std::io::{BufRead, BufReader};
        let mut process = shell("sleep 100 & echo $!; wait");
        let stdout = process.child().stdout.take().unwrap();
        let mut grandchild = String::new();
        BufReader::new(stdout).read_line(&mut grandchild).unwrap();
        let grandchild = grandchild.trim();
        assert!(runs(grandchild));
        process.kill();
        let deadline = Instant::now() + Duration::from_secs(5);
        while runs(grandchild) {
            assert!(Instant::now() < deadline, "the grandchild lives");
            thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_deaf_engine_is_killed_within_its_patience() {
        let mut process = shell("trap '' TERM; while :; do sleep 1; done");
        let begin = Instant::now();
        process.end();
        assert!(begin.elapsed() >= 2 * PATIENCE);
        assert!(begin.elapsed() < 2 * PATIENCE + Duration::from_secs(2));
    }

    #[test]
    fn many_deaf_engines_take_no_longer_than_one() {
        let deaf = || shell("trap '' TERM; while :; do sleep 1; done");
        let mut processes = [deaf(), deaf(), deaf(), deaf()];
        let begin = Instant::now();
        Process::end_all(&mut processes.each_mut());
        assert!(begin.elapsed() < 3 * PATIENCE + Duration::from_secs(2));
        assert!(processes.iter().all(|process| process.ended.is_some()));
    }

    #[test]
    fn epitaphs_tell_codes_from_signals() {
        assert_eq!(shell("exit 3").epitaph(), "exit code 3");
        assert_eq!(shell("kill -SEGV $$").epitaph(), "signal 11");
        assert_eq!(
            shell("kill -KILL $$").epitaph(),
            "signal 9 (out of memory?)"
        );
        let mut closed = shell("exec >&-; sleep 100");
        assert_eq!(closed.epitaph(), "closed its output");
    }

    #[test]
    fn programs_are_found_by_path_or_name() {
        assert!(find_program(Path::new("sh")).is_some());
        assert!(find_program(Path::new("/bin/sh")).is_some());
        assert!(find_program(Path::new("no-such-engine-anywhere")).is_none());
        assert!(find_program(Path::new("/bin")).is_none());
    }
}
