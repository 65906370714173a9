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

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: Key,
    /// Plies since the last position that nothing before can repeat.
    reversible: u32,
    /// The position has stood before, within the reversible plies.
    repeated: bool,
}

/// How often a key with these low bits stands in a record: a cheap first look, for in almost
/// every position of a search nothing has stood before.
#[derive(Clone, Debug)]
struct Sightings(Box<[u16; Sightings::SLOTS]>);

impl Sightings {
    /// With these, two hundred other positions make one wrong alarm in forty.
    const SLOTS: usize = 1 << 13;

    fn slot(&mut self, key: Key) -> &mut u16 {
        &mut self.0[key.0 as usize % Sightings::SLOTS]
    }
}

/// The positions of a game so far, the present one last.
#[derive(Clone, Debug)]
pub struct Record {
    entries: Vec<Entry>,
    sightings: Sightings,
}

impl Record {
    /// A record that starts at the position with this key.
    pub fn new(start: Key) -> Record {
        let mut record = Record {
            entries: Vec::with_capacity(512),
            sightings: Sightings(Box::new([0; Sightings::SLOTS])),
        };
        record.push(start, Link::Irreversible);
        record
    }

    /// Adds the position with this key, reached by `link`.
    #[inline]
    pub fn push(&mut self, key: Key, link: Link) {
        let reversible = match (link, self.entries.last()) {
            (Link::Reversible, Some(last)) => last.reversible + 1,
            _ => 0,
        };
        let slot = self.sightings.slot(key);
        let perhaps_repeated = *slot > 0 && reversible > 0;
        *slot = slot.wrapping_add(1);
        self.entries.push(Entry {
            key,
            reversible,
            repeated: false,
        });
        if perhaps_repeated {
            self.find_repetition();
        }
    }

    /// Notes whether the present position has stood before.
    #[cold]
    fn find_repetition(&mut self) {
        let repeated = self.earlier(self.plies()).next().is_some();
        if let Some(last) = self.entries.last_mut() {
            last.repeated = repeated;
        }
    }

    /// Takes the last position off again.
    #[inline]
    pub fn pop(&mut self) {
        debug_assert!(self.entries.len() > 1, "the start position stays");
        if let Some(Entry { key, .. }) = self.entries.pop() {
            let slot = self.sightings.slot(key);
            *slot = slot.wrapping_sub(1);
        }
    }

    /// Plies played since the start of the record.
    pub fn plies(&self) -> usize {
        self.entries.len() - 1
    }

    /// Distances in plies to earlier occurrences of the present position, the nearest first.
    #[inline]
    pub fn distances(&self) -> impl Iterator<Item = usize> + '_ {
        let now = self.plies();
        let look = self.entries[now].repeated;
        look.then(|| self.earlier(now)).into_iter().flatten()
    }

    /// Has the present position stood before, with only reversible moves since?
    #[inline]
    pub fn is_repeated(&self) -> bool {
        self.entries[self.plies()].repeated
    }

    /// Had the position of `back` plies ago stood before, when it arose?
    pub fn was_repeated(&self, back: usize) -> bool {
        let at = self.plies().checked_sub(back);
        at.is_some_and(|at| self.entries[at].repeated)
    }

    /// Is the position of `back` plies ago the same as that of `further_back`?
    pub fn is_same(&self, back: usize, further_back: usize) -> bool {
        let key = |back| Some(self.entries[self.plies().checked_sub(back)?].key);
        key(back).is_some() && key(back) == key(further_back)
    }

    /// Distances from one position back to its earlier occurrences.
    fn earlier(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let Entry {
            key, reversible, ..
        } = self.entries[at];
        // Two plies cannot restore a position: each side has moved one piece once.
        (4..=reversible as usize)
            .step_by(2)
            .filter(move |&back| self.entries[at - back].key == key)
    }

    /// Does the present position count as repeated at `ply` plies from the root of a search (0:
    /// in the game), where any repetition ends a game alike?
    ///
    /// It does at the third occurrence anywhere, or at the second one where the first lies below
    /// the root: there both sides had other moves, all of them searched. An occurrence at or
    /// above the root alone proves nothing.
    #[inline]
    pub fn ends_at(&self, ply: usize) -> bool {
        let mut distances = self.distances();
        distances
            .next()
            .is_some_and(|nearest| nearest < ply || distances.next().is_some())
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
        assert!(!cycle(1).ends_at(0));
        assert!(cycle(2).ends_at(0));
        assert_eq!(cycle(2).distances().collect::<Vec<_>>(), [4, 8]);
    }

    #[test]
    fn second_occurrence_counts_strictly_below_the_root() {
        assert!(!cycle(1).ends_at(4));
        assert!(cycle(1).ends_at(5));
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
        assert!(!record.ends_at(0));
        assert_eq!(record.plies(), 8);
    }

    #[test]
    fn earlier_positions_are_asked_as_they_arose() {
        let record = cycle(2);
        assert!(record.is_repeated() && record.was_repeated(0) && record.was_repeated(4));
        assert!(!record.was_repeated(8), "the first occurrence");
        assert!(!record.was_repeated(9), "before the record");
        assert!(record.is_same(1, 5) && record.is_same(0, 8));
        assert!(!record.is_same(1, 2) && !record.is_same(9, 9));
    }

    #[test]
    fn positions_that_share_a_slot_are_told_apart() {
        let mut record = cycle(1);
        record.push(Key(2 + Sightings::SLOTS as u64), Link::Reversible);
        assert!(!record.is_repeated());
        record.pop();
        record.push(Key(2), Link::Reversible);
        assert!(record.is_repeated());
    }
}
