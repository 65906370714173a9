//! Lets so many threads through at once, and no more.
//!
//! Engines that start clear their tables and load their networks: where hundreds do so at once,
//! the first moves of the games that have begun are lost on time.

use std::sync::{Condvar, Mutex, PoisonError};

/// A number of places, each held for as long as its [`Place`] lives.
#[derive(Debug)]
pub struct Throttle {
    free: Mutex<usize>,
    freed: Condvar,
}

/// A place that is held.
#[derive(Debug)]
pub struct Place<'a>(&'a Throttle);

impl Throttle {
    /// With so many places; at least one.
    pub fn new(places: usize) -> Throttle {
        Throttle {
            free: Mutex::new(places.max(1)),
            freed: Condvar::new(),
        }
    }

    /// Waits for a place.
    pub fn enter(&self) -> Place<'_> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = self
            .freed
            .wait_while(free, |free| *free == 0)
            .unwrap_or_else(PoisonError::into_inner);
        *free -= 1;
        Place(self)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        *self.0.free.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    #[test]
    fn no_more_than_there_are_places() {
        let throttle = Throttle::new(2);
        let (inside, most, all) = (
            AtomicUsize::new(0),
            AtomicUsize::new(0),
            AtomicUsize::new(0),
        );
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _place = throttle.enter();
                    let now = inside.fetch_add(1, Ordering::SeqCst) + 1;
                    most.fetch_max(now, Ordering::SeqCst);
                    thread::sleep(Duration::from_millis(5));
                    inside.fetch_sub(1, Ordering::SeqCst);
                    all.fetch_add(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(all.into_inner(), 8);
        assert!(most.into_inner() <= 2);
    }
}
