//! How the reading thread speaks: it must not wait for a client that does not read.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use once_cell::unsync::OnceCell;

use crate::engine::order::Progress;
use crate::output::Output;

/// Says lines in order: at once where that can be, or else by a thread of its own.
pub struct Speaker {
    output: Output,
    /// Lines that the thread has still to say.
    waiting: Arc<AtomicUsize>,
    /// The way to the thread, once there is one; `None` where none can be had.
    queue: OnceCell<Option<Sender<String>>>,
    /// The session's.
    progress: Progress,
}

impl Speaker {
    /// One that writes there, and minds how far the session has come.
    pub fn new(output: Output, progress: Progress) -> Speaker {
        Speaker {
            output,
            waiting: Arc::default(),
            queue: OnceCell::new(),
            progress,
        }
    }

    /// Says a line, or a block of lines, once the session has carried out so many orders: it may
    /// have to say something before.
    pub fn line(&self, text: &str, after: usize) {
        if self.progress.leave(after, text) || self.is_done() && self.output.line_if_room(text) {
            return;
        }
        match self.queue.get_or_init(|| self.start()) {
            Some(queue) => {
                self.waiting.fetch_add(1, SeqCst);
                // The thread lives as long as we do.
                let _ = queue.send(text.to_owned());
            }
            None => self.output.line(text),
        }
    }

    /// Has all been said?
    pub fn is_done(&self) -> bool {
        self.waiting.load(SeqCst) == 0
    }

    fn start(&self) -> Option<Sender<String>> {
        let (sender, lines) = channel::<String>();
        let (output, waiting) = (self.output.clone(), Arc::clone(&self.waiting));
        let speak = move || {
            for line in lines {
                output.line(&line);
                waiting.fetch_sub(1, SeqCst);
            }
        };
        let thread = thread::Builder::new().name("speaker".to_owned());
        thread.spawn(speak).ok().map(|_| sender)
    }
}
