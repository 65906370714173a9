//! The key history of a game and of the line being searched, which finds repetitions.
//!
//! What a repetition *means* is each game's own affair. A game that needs more than keys (who
//! checked, who chased) keeps a stack of its own, parallel to this one.

use crate::game::Key;

/// How a position follows from the one before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Link {
    /// By a move that can be undone by later moves: repetitions may reach across it.
    Reversible,
    /// By a capture, a pawn move or the like: no earlier position can come again.
    Irreversible,
    /// By a null move of the search: earlier positions do not count.
    Null,
}

/// An earlier occurrence of the present position that matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Repetition {
    /// Plies back to the occurrence with which the cycle begins.
    pub distance: usize,
    /// Occurrences including the present one: 2 (inside the tree only) or 3.
    pub folds: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: Key,
    /// Plies since the last position that nothing before can repeat.
    reversible: u32,
}

/// The positions of a game so far, the present one last.
#[derive(Clone, Debug)]
pub struct Record {
    entries: Vec<Entry>,
}

impl Record {
    /// A record that starts at the position with this key.
    pub fn new(start: Key) -> Record {
        let mut entries = Vec::with_capacity(512);
        entries.push(Entry {
            key: start,
            reversible: 0,
        });
        Record { entries }
    }

    /// Adds the position with this key, reached by `link`.
    pub fn push(&mut self, key: Key, link: Link) {
        let reversible = match (link, self.entries.last()) {
            (Link::Reversible, Some(last)) => last.reversible + 1,
            _ => 0,
        };
        self.entries.push(Entry { key, reversible });
    }

    /// Takes the last position off again.
    pub fn pop(&mut self) {
        debug_assert!(self.entries.len() > 1, "the start position stays");
        self.entries.pop();
    }

    /// Plies played since the start of the record.
    pub fn plies(&self) -> usize {
        self.entries.len() - 1
    }

    /// Distances in plies to earlier occurrences of the present position, the nearest first.
    pub fn distances(&self) -> impl Iterator<Item = usize> + '_ {
        let now = self.entries.len() - 1;
        let Entry { key, reversible } = self.entries[now];
        // Two plies cannot restore a position: each side has moved one piece once.
        (4..=reversible as usize)
            .step_by(2)
            .filter(move |&back| self.entries[now - back].key == key)
    }

    /// The repetition that counts at `ply` plies from the root of a search (0: in the game).
    ///
    /// That is the third occurrence anywhere, or the second one where the first lies below the
    /// root: there both sides had other moves, all of them searched. An occurrence at or above
    /// the root alone proves nothing.
    pub fn repetition(&self, ply: usize) -> Option<Repetition> {
        let mut folds = 1;
        for distance in self.distances() {
            folds += 1;
            if folds == 3 || distance < ply {
                return Some(Repetition { distance, folds });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycle(times: usize) -> Record {
        let mut record = Record::new(Key(1));
        for _ in 0..times {
            for k in [2, 3, 4, 1] {
                record.push(Key(k), Link::Reversible);
            }
        }
        record
    }

    #[test]
    fn third_occurrence_counts_in_the_game() {
        assert_eq!(cycle(1).repetition(0), None);
        let third = Repetition {
            distance: 8,
            folds: 3,
        };
        assert_eq!(cycle(2).repetition(0), Some(third));
    }

    #[test]
    fn second_occurrence_counts_strictly_below_the_root() {
        assert_eq!(cycle(1).repetition(4), None);
        let second = Repetition {
            distance: 4,
            folds: 2,
        };
        assert_eq!(cycle(1).repetition(5), Some(second));
    }

    #[test]
    fn nothing_reaches_across_an_irreversible_or_null_move() {
        for link in [Link::Irreversible, Link::Null] {
            let mut record = cycle(1);
            record.push(Key(2), link);
            for k in [3, 4, 1] {
                record.push(Key(k), Link::Reversible);
            }
            assert_eq!(record.distances().count(), 0);
        }
    }

    #[test]
    fn pop_forgets() {
        let mut record = cycle(2);
        record.pop();
        record.push(Key(9), Link::Reversible);
        assert_eq!(record.repetition(0), None);
        assert_eq!(record.plies(), 8);
    }
}
