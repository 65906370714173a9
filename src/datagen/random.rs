//! Random numbers that repeat: a stream for every game of every seed.

use crate::game::KeyStream;

/// A stream of random numbers.
pub struct Random(KeyStream);

impl Random {
    /// The stream with this number among those of a seed.
    pub fn new(seed: u64, number: u64) -> Random {
        let scatter = |n: u64| KeyStream::new(n).next().0.0;
        Random(KeyStream::new(scatter(seed) ^ scatter(!number)))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        let (key, rest) = self.0.next();
        self.0 = rest;
        key.0
    }

    /// A number below `bound`, which must not be zero. The bias is below `bound / 2^64`.
    pub fn below(&mut self, bound: usize) -> usize {
        debug_assert!(bound > 0, "nothing is below zero");
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Brings the elements into a random order.
    pub fn shuffle<T>(&mut self, elements: &mut [T]) {
        for last in (1..elements.len()).rev() {
            elements.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let first = |seed, number| Random::new(seed, number).bits();
        assert_eq!(first(1, 2), first(1, 2));
        assert_ne!(first(1, 2), first(2, 1));
        assert_ne!(first(1, 2), first(1, 3));
    }

    #[test]
    fn every_number_below_the_bound_comes_about_equally_often() {
        let mut random = Random::new(7, 7);
        let mut counts = [0; 10];
        for _ in 0..10_000 {
            counts[random.below(10)] += 1;
        }
        assert!(counts.iter().all(|n| (850..1150).contains(n)), "{counts:?}");
    }

    #[test]
    fn a_shuffle_keeps_every_element() {
        let mut numbers: Vec<usize> = (0..100).collect();
        Random::new(3, 4).shuffle(&mut numbers);
        assert_ne!(numbers[..5], [0, 1, 2, 3, 4]);
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..100));
    }
}
