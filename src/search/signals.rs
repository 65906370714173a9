//! The signals between the thread that reads commands and one search.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

/// Shared by the input thread and one search. Made anew for every `go` and never reset, so that a
/// `stop` sent straight after `go` cannot be lost.
#[derive(Debug)]
pub struct Signals {
    stop: AtomicBool,
    ponder: AtomicBool,
    started: Instant,
    hit: Mutex<Option<Instant>>,
    /// The search would have answered by now, were it not pondering.
    ripe: AtomicBool,
    changed: Condvar,
}

impl Signals {
    /// Signals of a search whose `go` was read at `started`.
    pub fn new(started: Instant, pondering: bool) -> Signals {
        Signals {
            stop: AtomicBool::new(false),
            ponder: AtomicBool::new(pondering),
            started,
            hit: Mutex::new(None),
            ripe: AtomicBool::new(false),
            changed: Condvar::new(),
        }
    }

    /// Ends the search.
    pub fn stop(&self) {
        let _guard = self.hit.lock().unwrap_or_else(PoisonError::into_inner);
        self.stop.store(true, Relaxed);
        self.changed.notify_all();
    }

    /// The flag behind [`Signals::stop`], for work that is no search.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// The expected move was played: the own clock runs from `now` on, and a search that has
    /// thought enough ends. Does nothing unless pondering.
    pub fn ponder_hit(&self, now: Instant) {
        let mut hit = self.hit.lock().unwrap_or_else(PoisonError::into_inner);
        if self.ponder.load(Relaxed) {
            *hit = Some(now);
            self.ponder.store(false, Relaxed);
            if self.ripe.load(Relaxed) {
                self.stop.store(true, Relaxed);
            }
            self.changed.notify_all();
        }
    }

    /// The pondering search has thought enough for its move, or not yet: see
    /// [`Signals::ponder_hit`].
    pub fn set_ripe(&self, ripe: bool) {
        let hit = self.hit.lock().unwrap_or_else(PoisonError::into_inner);
        self.ripe.store(ripe, Relaxed);
        // The hit may have come between the search's last look and now.
        if ripe && hit.is_some() {
            self.stop.store(true, Relaxed);
            self.changed.notify_all();
        }
    }

    /// Has the search been told to end?
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }

    /// Is the own clock still standing?
    pub fn is_pondering(&self) -> bool {
        self.ponder.load(Relaxed)
    }

    /// When the `go` line was read.
    pub fn started(&self) -> Instant {
        self.started
    }

    /// When the own clock started: at `go`, or at the ponder hit. `None` while pondering.
    pub fn clock_started(&self) -> Option<Instant> {
        if self.is_pondering() {
            return None;
        }
        let hit = self.hit.lock().unwrap_or_else(PoisonError::into_inner);
        Some(hit.unwrap_or(self.started))
    }

    /// Sleeps while a finished search must not answer yet: until `stop` if it is `infinite`,
    /// until `stop` or the ponder hit if it is pondering.
    pub fn hold(&self, infinite: bool) {
        let mut guard = self.hit.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            guard = self
                .changed
                .wait(guard)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn hold_ends_at_once_when_nothing_withholds_the_answer() {
        Signals::new(Instant::now(), false).hold(false);
    }

    #[test]
    fn hold_wakes_on_stop_and_on_ponder_hit() {
        for infinite in [true, false] {
            let signals = Signals::new(Instant::now(), true);
            std::thread::scope(|scope| {
                let waiting = scope.spawn(|| signals.hold(infinite));
                std::thread::sleep(Duration::from_millis(5));
                if infinite {
                    signals.stop();
                } else {
                    signals.ponder_hit(Instant::now());
                }
                waiting.join().unwrap();
            });
        }
    }

    #[test]
    fn a_hit_ends_a_search_that_has_thought_enough() {
        for hit_first in [false, true] {
            let signals = Signals::new(Instant::now(), true);
            signals.set_ripe(true);
            signals.set_ripe(false);
            if hit_first {
                signals.ponder_hit(Instant::now());
                assert!(!signals.is_stopped());
                signals.set_ripe(true);
            } else {
                signals.set_ripe(true);
                assert!(!signals.is_stopped());
                signals.ponder_hit(Instant::now());
            }
            assert!(signals.is_stopped());
        }
    }

    #[test]
    fn ponder_hit_restarts_the_clock_once() {
        let go = Instant::now();
        let signals = Signals::new(go, true);
        assert_eq!(signals.clock_started(), None);
        let later = go + Duration::from_millis(40);
        signals.ponder_hit(later);
        signals.ponder_hit(later + Duration::from_millis(40));
        assert_eq!(signals.clock_started(), Some(later));
    }
}
