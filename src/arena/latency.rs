//! How much time the clocks of the match count beyond what an engine counts itself.
//!
//! The difference is the cost of pipes and of a busy machine; an engine that does not allow for it
//! loses on time.

use std::time::Duration;

/// What one bucket spans, and how many there are: a second in all.
const WIDTH: Duration = Duration::from_micros(100);
const BUCKETS: usize = 10_000;

/// Where 99 of 100 moves should be below.
const ALARMING: Duration = Duration::from_millis(30);

/// The latencies of one engine's moves, in memory that does not grow with their number.
#[derive(Clone, Debug)]
pub struct Latency {
    buckets: Vec<u32>,
    count: u64,
    sum: Duration,
    least: Duration,
    most: Duration,
}

impl Default for Latency {
    fn default() -> Latency {
        Latency {
            buckets: vec![0; BUCKETS],
            count: 0,
            sum: Duration::ZERO,
            least: Duration::MAX,
            most: Duration::ZERO,
        }
    }
}

impl Latency {
    /// Counts a move in.
    pub fn add(&mut self, latency: Duration) {
        let bucket = (latency.as_micros() / WIDTH.as_micros()) as usize;
        self.buckets[bucket.min(BUCKETS - 1)] += 1;
        self.count += 1;
        self.sum += latency;
        self.least = self.least.min(latency);
        self.most = self.most.max(latency);
    }

    /// What 99 of 100 moves do not exceed, rounded up to a tenth of a millisecond.
    fn ninety_ninth(&self) -> Duration {
        let wanted = self.count - self.count / 100;
        let mut seen = 0;
        for (bucket, &count) in self.buckets.iter().enumerate().take(BUCKETS - 1) {
            seen += u64::from(count);
            if seen >= wanted {
                return (WIDTH * (bucket as u32 + 1)).min(self.most);
            }
        }
        self.most
    }

    /// The figures in words; `None` where nothing was counted: an engine need not report its time.
    pub fn summary(&self) -> Option<String> {
        if self.count == 0 {
            return None;
        }
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        Some(format!(
            "min {:.1}, mean {:.1}, 99 % {:.1}, max {:.1} ms",
            ms(self.least),
            ms(self.sum) / self.count as f64,
            ms(self.ninety_ninth()),
            ms(self.most)
        ))
    }

    /// Are clocks not to be trusted?
    pub fn is_alarming(&self) -> bool {
        self.ninety_ninth() > ALARMING
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(latencies: impl IntoIterator<Item = u64>) -> Latency {
        let mut all = Latency::default();
        for micros in latencies {
            all.add(Duration::from_micros(micros));
        }
        all
    }

    #[test]
    fn one_in_a_hundred_may_be_worse() {
        let all = of((0..99).map(|_| 250).chain([2_000_000]));
        assert_eq!(all.ninety_ninth(), Duration::from_micros(300));
        let text = all.summary().unwrap();
        assert_eq!(text, "min 0.2, mean 20.2, 99 % 0.3, max 2000.0 ms");
        let two = of((0..98).map(|_| 250).chain([2_000_000, 3_000_000]));
        assert_eq!(two.ninety_ninth(), Duration::from_secs(3));
    }

    #[test]
    fn clocks_that_are_not_to_be_trusted_are_named() {
        assert!(of([31_000; 3]).is_alarming());
        assert!(!of([29_000; 3]).is_alarming() && !of([]).is_alarming());
        assert_eq!(of([]).summary(), None);
    }
}
