//! The three pipes of an engine, each with a thread: no engine can make the runner wait for ever,
//! whether it does not read, does not end its lines, or floods its error output.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::arena::lines::each_line;
use crate::arena::mailbox::{Event, Mailbox};

/// Lines of error output that are kept.
const LAST_WORDS: usize = 20;

/// Why nothing was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WriteFailure {
    /// The engine does not read its input.
    Deaf,
    /// The pipe is closed.
    Broken,
}

/// Both ends of the conversation with an engine.
#[derive(Debug)]
pub struct Pipes {
    to_engine: Option<SyncSender<String>>,
    written: Receiver<io::Result<Instant>>,
    heard: Arc<Mailbox>,
    last_words: Arc<Mutex<VecDeque<String>>>,
}

impl Pipes {
    /// Takes the pipes of a process; error output goes to `stderr` or is kept, the end of it.
    ///
    /// # Errors
    /// Threads cannot be started.
    pub fn new(child: &mut Child, stderr: Option<File>) -> io::Result<Pipes> {
        let (to_engine, lines) = sync_channel::<String>(1);
        let (ack, written) = sync_channel(1);
        let heard = Arc::new(Mailbox::default());
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let kept = last_words.clone();
        if let Some(mut stdin) = child.stdin.take() {
            spawn("stdin", move || {
                for text in lines {
                    let result = stdin
                        .write_all(text.as_bytes())
                        .and_then(|()| stdin.flush());
                    if ack.send(result.map(|()| Instant::now())).is_err() {
                        break;
                    }
                }
            })?;
        }
        if let Some(stdout) = child.stdout.take() {
            let mailbox = heard.clone();
            spawn("stdout", move || {
                let stream = BufReader::with_capacity(16 * 1024, stdout);
                // A stream that fails is one that ends.
                let ended = each_line(stream, |at, line| mailbox.put(at, line));
                drop(ended);
                mailbox.close();
            })?;
        }
        if let Some(errors) = child.stderr.take() {
            spawn("stderr", move || drain_errors(errors, stderr, &kept))?;
        }
        Ok(Pipes {
            to_engine: Some(to_engine),
            written,
            heard,
            last_words,
        })
    }

    /// Writes whole lines; when the last byte was taken.
    ///
    /// # Errors
    /// The engine did not take them in time, or has closed its input.
    pub fn write(&mut self, text: String, patience: Duration) -> Result<Instant, WriteFailure> {
        let sender = self.to_engine.as_ref().ok_or(WriteFailure::Broken)?;
        sender.try_send(text).map_err(|_| WriteFailure::Deaf)?;
        match self.written.recv_timeout(patience) {
            Ok(Ok(at)) => Ok(at),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Err(WriteFailure::Broken),
            Err(RecvTimeoutError::Timeout) => {
                // What it takes later must not be mistaken for the next line.
                self.to_engine = None;
                Err(WriteFailure::Deaf)
            }
        }
    }

    /// The next event, if one comes in time.
    pub fn read(&mut self, patience: Duration) -> Option<Event> {
        self.heard.take(patience)
    }

    /// Closes the engine's input.
    pub fn close(&mut self) {
        self.to_engine = None;
    }

    /// The last lines of its error output.
    pub fn last_words(&self) -> Vec<String> {
        let kept = self
            .last_words
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        kept.iter().cloned().collect()
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new()
        .name(format!("engine {name}"))
        .stack_size(128 * 1024)
        .spawn(work)
        .map(drop)
}

fn drain_errors(errors: impl Read, mut file: Option<File>, kept: &Mutex<VecDeque<String>>) {
    let ended = each_line(BufReader::new(errors), |_, line| {
        if let Some(file) = &mut file {
            // A full disk must not end the game.
            let _ = writeln!(file, "{line}");
        }
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == LAST_WORDS {
            kept.pop_front();
        }
        kept.push_back(line);
    });
    drop(ended);
}
