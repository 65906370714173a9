//! Lines on their way from an engine to its player: taken in as fast as the engine writes them,
//! however long nobody listens, in memory that does not grow.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Lines that wait at most. Where there are more, the oldest `info` lines go: newer ones say more,
/// and all other lines are few.
const ROOM: usize = 1000;

/// Something that came out of an engine.
#[derive(Debug)]
pub enum Event {
    /// A line, and when its end arrived.
    Line(Instant, String),
    /// There will be no more.
    Closed,
}

#[derive(Debug, Default)]
struct Waiting {
    lines: VecDeque<(Instant, String)>,
    is_closed: bool,
}

/// A queue between the thread that reads and the one that plays.
#[derive(Debug, Default)]
pub struct Mailbox {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

impl Mailbox {
    /// Puts a line in; never waits.
    pub fn put(&self, at: Instant, line: String) {
        let mut waiting = self.lock();
        if waiting.lines.len() >= ROOM {
            let is_info = |(_, line): &(Instant, String)| line.trim_start().starts_with("info");
            let oldest = waiting.lines.iter().position(is_info);
            waiting.lines.remove(oldest.unwrap_or(0));
        }
        waiting.lines.push_back((at, line));
        drop(waiting);
        self.changed.notify_one();
    }

    /// There will be no more.
    pub fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_one();
    }

    /// The next event, if one comes in time.
    pub fn take(&self, patience: Duration) -> Option<Event> {
        let is_empty = |waiting: &mut Waiting| waiting.lines.is_empty() && !waiting.is_closed;
        let (mut waiting, _) = self
            .changed
            .wait_timeout_while(self.lock(), patience, is_empty)
            .unwrap_or_else(PoisonError::into_inner);
        match waiting.lines.pop_front() {
            Some((at, line)) => Some(Event::Line(at, line)),
            None => waiting.is_closed.then_some(Event::Closed),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::thread;

    fn next(mailbox: &Mailbox) -> Option<String> {
        match mailbox.take(Duration::ZERO) {
            Some(Event::Line(_, line)) => Some(line),
            Some(Event::Closed) => Some("closed".to_owned()),
            None => None,
        }
    }

    #[test]
    fn a_flood_loses_old_infos_and_nothing_else() {
        let mailbox = Mailbox::default();
        let put = |line: &str| mailbox.put(Instant::now(), line.to_owned());
        put("readyok");
        for i in 0..3 * ROOM {
            put(&format!("info nodes {i}"));
        }
        put("bestmove e2e4");
        mailbox.close();
        assert_eq!(next(&mailbox).as_deref(), Some("readyok"));
        let first = format!("info nodes {}", 2 * ROOM + 2);
        assert_eq!(next(&mailbox), Some(first));
        for _ in 0..ROOM - 3 {
            assert!(next(&mailbox).unwrap().starts_with("info"));
        }
        assert_eq!(next(&mailbox).as_deref(), Some("bestmove e2e4"));
        for _ in 0..2 {
            assert_eq!(next(&mailbox).as_deref(), Some("closed"));
        }
    }

    #[test]
    fn who_waits_is_woken_or_gives_up() {
        let mailbox = Arc::new(Mailbox::default());
        assert!(mailbox.take(Duration::from_millis(5)).is_none());
        let writer = mailbox.clone();
        let thread = thread::spawn(move || {
            thread::sleep(Duration::from_millis(20));
            writer.put(Instant::now(), "uciok".to_owned());
        });
        let event = mailbox.take(Duration::from_secs(60));
        assert!(matches!(event, Some(Event::Line(_, line)) if line == "uciok"));
        thread.join().unwrap();
    }
}
