//! Correction history: what searches have found the static evaluation to lack, by structures of the
//! position. Every thread has its own.

use std::marker::PhantomData;

use crate::game::{Position, Score};

/// Structures of a kind that are told apart.
const SIZE: usize = 1 << 14;
/// Entries are in this many parts of a centipawn.
const GRAIN: i32 = 256;
const MAX: i32 = 96 * GRAIN;
/// An entry goes one part in so many of the way to an error, times the plies of the search.
const SLOWNESS: i32 = 256;

/// The correction history of one thread.
pub(crate) struct Corrections<P> {
    /// By structure, side to move and the structure's key.
    structures: Box<[i16]>,
    game: PhantomData<fn() -> P>,
}

impl<P: Position> Corrections<P> {
    /// One that knows nothing.
    pub fn new() -> Self {
        Corrections {
            structures: vec![0; P::STRUCTURES * 2 * SIZE].into(),
            game: PhantomData,
        }
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {
        self.structures.fill(0);
    }

    fn index(position: &P, which: usize) -> usize {
        let slot = position.structure_key(which).0 as usize % SIZE;
        (which * 2 + position.side_to_move().index()) * SIZE + slot
    }

    /// What searches of positions with the same structures found the evaluation to lack.
    pub fn of(&self, position: &P) -> Score {
        let sum: i32 = (0..P::STRUCTURES)
            .map(|which| i32::from(self.structures[Self::index(position, which)]))
            .sum();
        Score(sum / (2 * GRAIN))
    }

    /// Learns that a search to `depth` plies differed from the static evaluation by `error`.
    pub fn learn(&mut self, position: &P, depth: i32, error: Score) {
        for which in 0..P::STRUCTURES {
            let entry = &mut self.structures[Self::index(position, which)];
            pull(entry, error, depth);
        }
    }
}

/// Pulls an entry towards an error, the more the deeper the search was.
fn pull(entry: &mut i16, error: Score, depth: i32) {
    let weight = (depth + 1).min(16);
    let target = (error.0 * GRAIN).clamp(-MAX, MAX);
    let value = i32::from(*entry);
    *entry = (value + (target - value) * weight / SLOWNESS) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_follow_the_errors_and_fit_sixteen_bits() {
        assert!(MAX <= i32::from(i16::MAX));
        let mut entry = 0;
        for _ in 0..1000 {
            pull(&mut entry, Score(5_000), 30);
        }
        assert!((MAX * 9 / 10..=MAX).contains(&i32::from(entry)), "{entry}");
        pull(&mut entry, Score(-50), 8);
        assert!(i32::from(entry) < MAX * 97 / 100, "{entry}");
    }
}
