//! The real binary behind real pipes: what a client sees.
#![allow(dead_code)] // Each test binary uses its own share of it.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than any answer may take, on a busy machine too.
pub const LONG: Duration = Duration::from_secs(30);

/// A running engine.
pub struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Receiver<String>,
    /// Lines of analysis that came while no answer was wanted.
    heard: Vec<String>,
}

impl Engine {
    /// Starts the binary with these arguments.
    pub fn start(arguments: &[&str]) -> Engine {
        Engine::start_as(env!("CARGO_BIN_EXE_twofold"), arguments)
    }

    /// Starts another copy of it.
    pub fn start_as(program: &str, arguments: &[&str]) -> Engine {
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = child.stdout.take().unwrap();
        let (sender, lines) = channel();
        thread::spawn(move || {
            let mut reader = BufReader::new(stdout);
            let mut bytes = Vec::new();
            while matches!(reader.read_until(b'\n', &mut bytes), Ok(n) if n > 0) {
                let line = std::str::from_utf8(&bytes).expect("output is ASCII");
                assert!(line.is_ascii() && !line.contains(['\r', '\t']), "{line:?}");
                let line = line.strip_suffix('\n').expect("lines are whole");
                if sender.send(line.to_owned()).is_err() {
                    break;
                }
                bytes.clear();
            }
        });
        let mut pipe = child.stderr.take().unwrap();
        let (sender, stderr) = channel();
        thread::spawn(move || {
            let mut text = String::new();
            let _ = pipe.read_to_string(&mut text);
            let _ = sender.send(text);
        });
        Engine {
            stdin: child.stdin.take(),
            child,
            lines,
            stderr,
            heard: Vec::new(),
        }
    }

    /// Writes bytes as they are, in one call.
    pub fn write(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin.write_all(bytes).unwrap();
        stdin.flush().unwrap();
    }

    /// Writes a line that perhaps nobody reads any more.
    pub fn try_send(&mut self, line: &str) {
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(format!("{line}\n").as_bytes());
        }
    }

    /// Writes one line.
    pub fn send(&mut self, line: &str) {
        self.write(format!("{line}\n").as_bytes());
    }

    /// The next line, which must come within `limit`.
    pub fn line_within(&mut self, limit: Duration) -> String {
        match self.lines.recv_timeout(limit) {
            Ok(line) => line,
            Err(error) => panic!("no line within {limit:?}: {error}"),
        }
    }

    /// All lines up to and with the first that satisfies the condition.
    pub fn until(&mut self, done: impl Fn(&str) -> bool) -> Vec<String> {
        let mut seen = std::mem::take(&mut self.heard);
        let deadline = Instant::now() + LONG;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => seen.push(line),
                Err(error) => panic!("{error} after {seen:#?}"),
            }
            if done(&seen[seen.len() - 1]) {
                return seen;
            }
        }
    }

    /// Waits for the first line of analysis, which belongs to the answer.
    pub fn until_thinking(&mut self) {
        self.heard = self.until(|line| line.contains(" pv "));
    }

    /// All lines up to and with this one.
    pub fn until_line(&mut self, line: &str) -> Vec<String> {
        self.until(|seen| seen == line)
    }

    /// The lines that answer a `go`, the last one ending the search.
    pub fn answer(&mut self) -> Vec<String> {
        self.until(is_terminal)
    }

    /// Sends `isready` and returns what came before `readyok`.
    pub fn sync(&mut self) -> Vec<String> {
        let mut heard = std::mem::take(&mut self.heard);
        self.send("isready");
        let mut lines = self.until_line("readyok");
        lines.pop();
        if !heard.is_empty() {
            // A search goes on, and what it says meanwhile belongs to its answer.
            heard.extend_from_slice(&lines);
        }
        self.heard = heard;
        lines
    }

    /// Asserts that nothing is said for a while.
    pub fn silent_for(&mut self, span: Duration) {
        match self.lines.recv_timeout(span) {
            Err(RecvTimeoutError::Timeout) => {}
            Ok(line) => panic!("unexpected: {line}"),
            Err(error) => panic!("{error}"),
        }
    }

    /// Asserts that no search ends for a while; lines of analysis may come, and belong to the
    /// answer.
    pub fn no_answer_for(&mut self, span: Duration) {
        let deadline = Instant::now() + span;
        while let Some(left) = deadline.checked_duration_since(Instant::now()) {
            match self.lines.recv_timeout(left) {
                Err(RecvTimeoutError::Timeout) => return,
                Ok(line) => {
                    assert!(!is_terminal(&line), "too early: {line}");
                    self.heard.push(line);
                }
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// Ends the input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Nobody reads the output any more, once the engine has said this line.
    pub fn stop_listening(&mut self) {
        let (_, nothing) = channel();
        self.lines = nothing;
    }

    /// Is the process gone?
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Waits for the end: exit code, lines not yet taken, standard error.
    pub fn finish(mut self, limit: Duration) -> (i32, Vec<String>, String) {
        let deadline = Instant::now() + limit;
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            if Instant::now() > deadline {
                let _ = self.child.kill();
                panic!("still alive after {limit:?}");
            }
            thread::sleep(Duration::from_millis(2));
        };
        let lines = self.lines.iter().collect();
        let stderr = self.stderr.recv_timeout(LONG).unwrap();
        (status.code().unwrap_or(-1), lines, stderr)
    }

    /// MiB of the largest piece of memory that it may write to: its hash table, if that is large.
    /// `None` where it cannot be known.
    pub fn largest_mapping(&self) -> Option<u64> {
        let maps = std::fs::read_to_string(format!("/proc/{}/maps", self.id())).ok()?;
        let sizes = maps.lines().filter_map(|line| {
            let (range, rest) = line.split_once(' ')?;
            let (from, to) = range.split_once('-')?;
            let place = |text| u64::from_str_radix(text, 16).ok();
            let size = place(to)? - place(from)?;
            rest.starts_with("rw").then_some(size >> 20)
        });
        sizes.max()
    }

    /// Processor time used so far by each thread, in clock ticks of 10 ms. `None` where it cannot
    /// be known.
    pub fn thread_ticks(&self) -> Option<HashMap<OsString, u64>> {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.id())).ok()?;
        // A thread that ends meanwhile counts for nothing.
        let ticks = tasks.filter_map(|task| {
            let task = task.ok()?;
            Some((task.file_name(), ticks_in(&task.path())?))
        });
        Some(ticks.collect())
    }

    /// Asserts that it comes to rest while no answer is wanted: that for a while it uses no
    /// processor time.
    pub fn comes_to_rest(&mut self) {
        let deadline = Instant::now() + LONG;
        loop {
            let before = self.cpu_ticks();
            self.no_answer_for(Duration::from_millis(400));
            match (before, self.cpu_ticks()) {
                (Some(before), Some(after)) if after > before + 1 => {}
                _ => return,
            }
            assert!(Instant::now() < deadline, "it works on and on");
        }
    }

    /// The number of the process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Processor time used so far, in clock ticks of 10 ms. `None` where it cannot be known.
    pub fn cpu_ticks(&self) -> Option<u64> {
        ticks_in(Path::new(&format!("/proc/{}", self.id())))
    }
}

/// The clock ticks that a process or thread has used, by its folder in `/proc`.
fn ticks_in(folder: &Path) -> Option<u64> {
    let stat = std::fs::read_to_string(folder.join("stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?)
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Does this line end a search?
pub fn is_terminal(line: &str) -> bool {
    line.starts_with("bestmove") || line == "nobestmove"
}

/// The moves of a `bestmove` line.
pub fn best_move(line: &str) -> &str {
    line.strip_prefix("bestmove ")
        .and_then(|rest| rest.split(' ').next())
        .unwrap_or_else(|| panic!("{line}"))
}

/// The value of a field of an `info` line.
pub fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line.split(' ');
    words.find(|word| *word == name)?;
    words.next()
}

/// Runs the binary to its end with this input: exit code, standard output, standard error.
pub fn run(arguments: &[&str], input: &str) -> (i32, Vec<String>, String) {
    let mut engine = Engine::start(arguments);
    engine.write(input.as_bytes());
    engine.close_input();
    engine.finish(LONG)
}
