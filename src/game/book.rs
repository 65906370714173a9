//! Opening books as the engine sees them: positions with moves and their weights.

use thiserror::Error;

use crate::game::Position;

/// A move of a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove<M> {
    /// The move, legal in the position it was asked for.
    pub m: M,
    /// How often it should be played, relative to the others. Zero: never, only shown.
    pub weight: u32,
}

/// An opening book of one game.
pub trait Book<P: Position>: Send + Sync {
    /// The moves for a position, the heaviest first; none where the book does not know it.
    fn moves(&self, position: &P) -> Vec<BookMove<P::Move>>;

    /// How many entries the book has.
    fn entries(&self) -> usize;
}

/// Why a book was refused; the message names what was found and what was expected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct BookRefused(pub String);

/// A move from a book's moves: by lot, as the weights say, or the heaviest one without a lot.
/// A lot is 64 random bits.
pub fn choose<M: Copy>(moves: &[BookMove<M>], lot: Option<u64>) -> Option<M> {
    let playable = || moves.iter().filter(|entry| entry.weight > 0);
    let Some(lot) = lot else {
        return playable()
            .reduce(|best, next| {
                if next.weight > best.weight {
                    next
                } else {
                    best
                }
            })
            .map(|entry| entry.m);
    };
    let total: u64 = playable().map(|entry| u64::from(entry.weight)).sum();
    let mut ticket = (u128::from(lot) * u128::from(total)) >> 64;
    for entry in playable() {
        let weight = u128::from(entry.weight);
        if ticket < weight {
            return Some(entry.m);
        }
        ticket -= weight;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn entry(m: char, weight: u32) -> BookMove<char> {
        BookMove { m, weight }
    }

    #[test]
    fn lots_fall_as_the_weights_say() {
        let moves = [entry('a', 1), entry('b', 0), entry('c', 3)];
        let quarter = 1u64 << 62;
        for (lot, m) in [
            (0, 'a'),
            (quarter - 1, 'a'),
            (quarter, 'c'),
            (u64::MAX, 'c'),
        ] {
            assert_eq!(choose(&moves, Some(lot)), Some(m), "{lot}");
        }
        assert_eq!(choose(&moves, None), Some('c'));
    }

    #[test]
    fn what_has_no_weight_is_never_played() {
        for lot in [None, Some(0), Some(u64::MAX)] {
            assert_eq!(choose(&[entry('a', 0)], lot), None);
            assert_eq!(choose::<char>(&[], lot), None);
        }
    }

    #[test]
    fn the_first_of_equals_is_the_best() {
        assert_eq!(choose(&[entry('a', 2), entry('b', 2)], None), Some('a'));
    }
}
