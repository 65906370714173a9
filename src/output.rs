//! The one way to standard output: whole lines, one lock, flushed at once, never a panic.
//!
//! A reader that has gone away is no error of ours: [`Output::line`] then ends the process
//! quietly, as `quit` would; a disk that is full is one, and is told. Whoever must outlive its
//! reader (a match, say) uses [`Output::try_line`] and decides for itself. What is written, and
//! what is read if the reader says so, can be kept in a log.
#![forbid(unsafe_code)]

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::process;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

/// Bytes for which there is room in a pipe that is not full (POSIX has 512, every system more).
const ROOM: usize = 4096;
/// How often, and after what time, it is tried again to write while another thread does: in all
/// longer than the system ever lets that thread rest.
const TRIES: u32 = 1_000;
const BETWEEN_TRIES: Duration = Duration::from_micros(500);

/// A handle to standard output, cheap to clone; all handles share one lock.
#[derive(Clone)]
pub struct Output {
    /// `None` once the last line has been written.
    sink: Arc<Mutex<Option<Box<dyn Write + Send>>>>,
    log: Arc<Mutex<Option<File>>>,
}

impl Output {
    /// Standard output.
    pub fn stdout() -> Output {
        Output::to(Box::new(io::stdout()))
    }

    /// Any other sink, for tests.
    pub fn to(sink: Box<dyn Write + Send>) -> Output {
        Output {
            sink: Arc::new(Mutex::new(Some(sink))),
            log: Arc::new(Mutex::new(None)),
        }
    }

    /// From now on, appends every line to the file at this path as well, with the time; an empty
    /// path ends that.
    ///
    /// # Errors
    /// When the file cannot be opened; there is no log then.
    pub fn log_to(&self, path: &Path) -> io::Result<()> {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        *log = None;
        if path != Path::new("") {
            if is_pipe(path) {
                return Err(io::Error::other("a pipe, not a file"));
            }
            *log = Some(File::options().create(true).append(true).open(path)?);
        }
        Ok(())
    }

    /// Notes in the log, if there is one, what was read.
    pub fn log_input(&self, text: &str) {
        self.note(">>", text);
    }

    /// Writes lines into the log. One that cannot be written is given up: the conversation
    /// matters more.
    fn note(&self, direction: &str, text: &str) {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = log.as_mut() else {
            return;
        };
        let now = humantime::format_rfc3339_millis(SystemTime::now());
        let lines = text
            .lines()
            .map(|line| format!("{now} {direction} {line}\n"));
        if file
            .write_all(lines.collect::<String>().as_bytes())
            .is_err()
        {
            *log = None;
        }
    }

    /// Writes the text and a line feed in one call, and flushes. The text may itself hold line
    /// feeds: a block that no other line may interrupt.
    ///
    /// Ends the process with exit code 0 where nobody reads any more, and with exit code 1 and a
    /// line on standard error where the text cannot be written for another reason.
    pub fn line(&self, text: &str) {
        give_up_on(self.try_line(text));
    }

    /// As [`Output::line`] where the reader leaves room for it. Waits for another thread's line, but
    /// not for the reader. False if there is no room.
    pub fn line_if_room(&self, text: &str) -> bool {
        for _ in 0..TRIES {
            let sink = self.sink.try_lock();
            if text.len() >= ROOM || is_stdout_full() != Some(false) {
                return false;
            }
            if let Ok(mut sink) = sink {
                let written = self.write(&mut sink, text);
                drop(sink);
                give_up_on(written);
                return true;
            }
            thread::sleep(BETWEEN_TRIES);
        }
        false
    }

    /// Writes a line after which nothing more is written, by whatever thread. Only the first call
    /// counts.
    pub fn last_line(&self, text: &str) {
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mut sink) = sink.take() {
            self.note("<<", text);
            // The process ends: it is too late to complain.
            let _ = sink.write_all(format!("{text}\n").as_bytes());
            let _ = sink.flush();
        }
    }

    /// As [`Output::line`], but hands a failure to the caller.
    ///
    /// # Errors
    /// What the sink says, a closed pipe as a rule.
    pub fn try_line(&self, text: &str) -> io::Result<()> {
        let mut sink = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        self.write(&mut sink, text)
    }

    fn write(&self, sink: &mut Option<Box<dyn Write + Send>>, text: &str) -> io::Result<()> {
        let mut whole = String::with_capacity(text.len() + 1);
        whole.push_str(text);
        whole.push('\n');
        match sink.as_mut() {
            Some(sink) => {
                // Before the client can answer, so that the log keeps the order.
                self.note("<<", text);
                sink.write_all(whole.as_bytes())?;
                sink.flush()
            }
            None => Ok(()),
        }
    }
}

/// Ends the process where a line could not be written: see [`Output::line`].
fn give_up_on(written: io::Result<()>) {
    match written {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => process::exit(0),
        Err(error) => {
            complain(&format!("cannot write the output: {error}"));
            process::exit(1);
        }
    }
}

/// One line on standard error; a closed one is nobody's loss.
pub fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "twofold: {text}");
}

/// Is there a named pipe? To open one would wait for somebody to read it.
#[cfg(unix)]
fn is_pipe(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    std::fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo())
}

/// Is there a named pipe? Not among this system's files.
#[cfg(not(unix))]
fn is_pipe(_path: &Path) -> bool {
    false
}

/// What the system says of standard output: room, error, hang-up.
#[cfg(unix)]
fn ask_stdout() -> Option<rustix::event::PollFlags> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let stdout = io::stdout();
    let mut asked = [PollFd::new(&stdout, PollFlags::OUT)];
    let at_once = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    poll(&mut asked, Some(&at_once)).ok()?;
    Some(asked[0].revents())
}

/// Has whoever read standard output gone away for good?
#[cfg(unix)]
pub fn is_stdout_deserted() -> bool {
    use rustix::event::PollFlags;
    ask_stdout().is_some_and(|found| found.intersects(PollFlags::ERR | PollFlags::HUP))
}

/// Has whoever read standard output gone away for good? Not that this system would tell.
#[cfg(not(unix))]
pub fn is_stdout_deserted() -> bool {
    false
}

/// Must whoever writes to standard output wait for its reader? `None` where nobody knows.
#[cfg(unix)]
pub fn is_stdout_full() -> Option<bool> {
    ask_stdout().map(|found| found.is_empty())
}

/// Must whoever writes to standard output wait for its reader? This system does not tell.
#[cfg(not(unix))]
pub fn is_stdout_full() -> Option<bool> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records each call, so that a torn line would show.
    #[derive(Clone, Default)]
    struct Calls(Arc<Mutex<Vec<String>>>);

    impl Write for Calls {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let text = String::from_utf8_lossy(bytes).into_owned();
            self.0.lock().unwrap().push(text);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct Closed;

    impl Write for Closed {
        fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn io_4_a_line_is_one_call() {
        let calls = Calls::default();
        let output = Output::to(Box::new(calls.clone()));
        thread::scope(|scope| {
            for name in ["a", "b"] {
                let output = output.clone();
                scope.spawn(move || (0..50).for_each(|i| output.line(&format!("{name} {i}"))));
            }
        });
        let lines = calls.0.lock().unwrap();
        assert_eq!(lines.len(), 100);
        assert!(lines.iter().all(|line| line.matches('\n').count() == 1));
    }

    #[test]
    fn nothing_is_written_after_the_last_line() {
        let calls = Calls::default();
        let output = Output::to(Box::new(calls.clone()));
        output.line("info");
        output.last_line("bye");
        output.line("info");
        output.last_line("bye");
        assert_eq!(*calls.0.lock().unwrap(), ["info\n", "bye\n"]);
    }

    #[test]
    fn io_7_a_closed_reader_is_an_error_and_no_panic() {
        assert!(Output::to(Box::new(Closed)).try_line("info").is_err());
    }
}
