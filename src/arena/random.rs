//! Reproducible randomness for opening order and simulations: a seed is a whole run.

use crate::game::KeyStream;

/// A generator of random numbers: the SplitMix64 stream of [`KeyStream`].
#[derive(Clone)]
pub struct Random(KeyStream);

impl Random {
    /// The generator that starts from `seed`.
    pub fn new(seed: u64) -> Random {
        Random(KeyStream::new(seed))
    }

    /// Sixty-four random bits.
    pub fn bits(&mut self) -> u64 {
        let (key, next) = self.0.next();
        self.0 = next;
        key.0
    }

    /// A number in `0..bound`, by multiplication and shift; its bias is below `bound / 2^64`.
    /// Zero if `bound` is zero.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.bits()) * bound as u128) >> 64) as usize
    }

    /// A number in `0.0..1.0`, of 53 random bits.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Puts `items` in random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_permutation_and_another_seed_another() {
        let shuffled = |seed| {
            let mut items: Vec<u32> = (0..100).collect();
            Random::new(seed).shuffle(&mut items);
            items
        };
        assert_eq!(shuffled(7), shuffled(7));
        assert_ne!(shuffled(7), shuffled(8));
        let mut sorted = shuffled(7);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }

    #[test]
    fn numbers_keep_their_bounds_and_are_spread_evenly() {
        let mut random = Random::new(1);
        let mut seen = [0u32; 6];
        for _ in 0..6000 {
            seen[random.below(6)] += 1;
            assert!((0.0..1.0).contains(&random.unit()));
        }
        // Five standard deviations of a binomial of 6000 at 1/6 are 144.
        assert!(seen.iter().all(|&n| n.abs_diff(1000) < 144), "{seen:?}");
        assert_eq!(random.below(0), 0);
    }
}
