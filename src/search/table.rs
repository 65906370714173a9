//! The transposition table, one type for every game, shared by all threads without locks.
//!
//! An entry is two words: `key ^ data` and `data` (R. Hyatt and T. Mann's lockless hashing). Two
//! threads that write one slot at once leave a pair that does not fit together, which reads as a
//! miss; so a move from another position can appear only by a true collision of 64-bit keys, and
//! search checks every table move before it plays it anyway.
//!
//! Four entries share a cache line. The memory comes zeroed from the system, page by page as it is
//! first used, so that a large table costs nothing until then. Data, from the lowest bit: move 16, score 16, static
//! evaluation 16, depth 8, bound 2, PV flag 1, age 5.

use std::num::NonZeroU16;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use bytemuck::Zeroable;
use rayon::prelude::*;
use thiserror::Error;

use crate::game::{Depth, Key, Score};
use crate::search::{Bound, memory};

const SLOTS: usize = 4;
/// Bytes of a cluster, and what it is aligned to: a cache line.
const CLUSTER_BYTES: usize = SLOTS * size_of::<Slot>();
const AGES: u8 = 32;
/// Slots looked at by [`Table::hashfull`].
const SAMPLE: usize = 1000;
/// From this size on, in MiB, it is worth starting threads to clear a table.
const SHARED_WORK_MIB: usize = 64;
/// Stored in place of an evaluation where there is none.
const NO_EVAL: i16 = i16::MIN;

#[derive(Zeroable)]
#[repr(C)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// What the table knows of a position. The score is node-relative as stored, see
/// [`Score::from_table`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The best or refuting move, unverified bits.
    pub best: Option<NonZeroU16>,
    /// Node-relative score; meaningless without a bound.
    pub score: i16,
    /// Static evaluation before any correction.
    pub eval: Option<Score>,
    /// Depth of the search behind the score.
    pub depth: Depth,
    /// What the score says; `None` where only the move may be used.
    pub bound: Option<Bound>,
    /// Was this once a node of a principal variation?
    pub pv: bool,
}

impl Hit {
    /// Does the score claim a mate more than so many plies away from its node?
    pub fn is_mate_beyond(&self, plies: u16) -> bool {
        let mate = Score::from_table(self.score, 0).mate_plies();
        mate.is_some_and(|distance| distance.unsigned_abs() > u32::from(plies))
    }

    fn pack(self, age: u8) -> u64 {
        let best = self.best.map_or(0, NonZeroU16::get);
        let eval = self.eval.map_or(NO_EVAL, |e| e.0 as i16);
        u64::from(best)
            | u64::from(self.score as u16) << 16
            | u64::from(eval as u16) << 32
            | u64::from(self.depth.0.clamp(0, 255) as u8) << 48
            | self.bound.map_or(0, |b| b as u64) << 56
            | u64::from(self.pv) << 58
            | u64::from(age) << 59
    }

    fn unpack(data: u64) -> Hit {
        let eval = (data >> 32) as u16 as i16;
        Hit {
            best: NonZeroU16::new(data as u16),
            score: (data >> 16) as u16 as i16,
            eval: (eval != NO_EVAL).then_some(Score(i32::from(eval))),
            depth: Depth(i32::from((data >> 48) as u8)),
            bound: match (data >> 56) & 3 {
                1 => Some(Bound::Upper),
                2 => Some(Bound::Lower),
                3 => Some(Bound::Exact),
                _ => None,
            },
            pv: (data >> 58) & 1 == 1,
        }
    }
}

fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

/// Why there is no new table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("cannot have a hash table of {mib} MiB")]
pub struct TableError {
    /// The size asked for.
    pub mib: usize,
}

/// A hash table of fixed size.
pub struct Table {
    slots: Box<[Slot]>,
    /// Slots before the first one that begins a cache line. Over-aligned memory would have to
    /// be zeroed by hand.
    skipped: usize,
    clusters: usize,
    mib: usize,
    age: AtomicU8,
}

impl Table {
    /// An empty table of `mib` MiB, at least 1.
    ///
    /// # Errors
    /// When the memory cannot be had.
    pub fn new(mib: usize) -> Result<Table, TableError> {
        let mib = mib.max(1);
        let clusters = mib
            .checked_mul(1 << 20)
            .filter(|bytes| *bytes < isize::MAX as usize)
            .ok_or(TableError { mib })?
            / CLUSTER_BYTES;
        // One cluster more than needed, for the alignment.
        let slots = bytemuck::allocation::try_zeroed_slice_box::<Slot>((clusters + 1) * SLOTS)
            .map_err(|()| TableError { mib })?;
        memory::prefer_huge_pages(&slots);
        let past_line = slots.as_ptr().addr() % CLUSTER_BYTES / size_of::<Slot>();
        Ok(Table {
            slots,
            skipped: (SLOTS - past_line) % SLOTS,
            clusters,
            mib,
            age: AtomicU8::new(0),
        })
    }

    /// The size in MiB.
    pub fn mib(&self) -> usize {
        self.mib
    }

    /// Forgets everything, with so many threads if the table is large and they can be had.
    pub fn clear(&self, threads: usize) {
        let clear = |part: &[Slot]| {
            for slot in part {
                slot.check.store(0, Relaxed);
                slot.data.store(0, Relaxed);
            }
        };
        let wanted = threads > 1 && self.mib >= SHARED_WORK_MIB;
        let pool = wanted.then(|| rayon::ThreadPoolBuilder::new().num_threads(threads).build());
        match pool {
            Some(Ok(pool)) => pool.install(|| self.slots.par_chunks(1 << 16).for_each(clear)),
            _ => clear(&self.slots),
        }
        self.age.store(0, Relaxed);
    }

    /// A new search begins: what is in the table grows one generation older.
    pub fn next_age(&self) {
        self.age.store((self.age() + 1) % AGES, Relaxed);
    }

    fn age(&self) -> u8 {
        self.age.load(Relaxed)
    }

    fn cluster(&self, key: Key) -> &[Slot] {
        let index = (u128::from(key.0) * self.clusters as u128) >> 64;
        let start = self.skipped + index as usize * SLOTS;
        &self.slots[start..start + SLOTS]
    }

    /// Has the processor fetch what [`Table::probe`] will read for this key.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        memory::prefetch(self.cluster(key));
    }

    /// What is known of the position with this key.
    pub fn probe(&self, key: Key) -> Option<Hit> {
        self.cluster(key).iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (data != 0 && slot.check.load(Relaxed) ^ data == key.0).then(|| Hit::unpack(data))
        })
    }

    /// Stores what was found. An entry of the same position gives way unless it is much deeper
    /// and as young; otherwise the least valuable entry of the cluster does: shallow and old.
    pub fn store(&self, key: Key, mut new: Hit) {
        let cluster = self.cluster(key);
        let mut victim = &cluster[0];
        let mut victim_worth = i32::MAX;
        for slot in cluster {
            let data = slot.data.load(Relaxed);
            if data != 0 && slot.check.load(Relaxed) ^ data == key.0 {
                let old = Hit::unpack(data);
                let keeps = new.bound != Some(Bound::Exact)
                    && age_of(data) == self.age()
                    && old.bound.is_some()
                    && new.depth.0 + 4 + 2 * i32::from(new.pv) <= old.depth.0;
                if keeps {
                    return;
                }
                new.best = new.best.or(old.best);
                victim = slot;
                break;
            }
            let worth = self.worth(data);
            if worth < victim_worth {
                victim = slot;
                victim_worth = worth;
            }
        }
        let data = new.pack(self.age());
        victim.check.store(key.0 ^ data, Relaxed);
        victim.data.store(data, Relaxed);
    }

    /// What an entry is worth keeping for: depth, less eight plies a generation of age.
    fn worth(&self, data: u64) -> i32 {
        if data == 0 {
            return i32::MIN;
        }
        let old = Hit::unpack(data);
        let generations = (AGES + self.age() - age_of(data)) % AGES;
        old.depth.0 + 2 * i32::from(old.pv) - 8 * i32::from(generations)
    }

    /// Entries written by the present search, per mille, from a sample.
    pub fn hashfull(&self) -> u32 {
        let sample = &self.slots[self.skipped..][..SAMPLE];
        let used = sample.iter().filter(|slot| {
            let data = slot.data.load(Relaxed);
            data != 0 && age_of(data) == self.age()
        });
        (used.count() * 1000 / SAMPLE) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(depth: i32) -> Hit {
        Hit {
            best: NonZeroU16::new(77),
            score: -1234,
            eval: Some(Score(-56)),
            depth: Depth(depth),
            bound: Some(Bound::Lower),
            pv: true,
        }
    }

    #[test]
    fn a_mate_may_be_too_far_off() {
        let mate = Hit {
            score: Score::mated_in(12).to_table(0),
            ..hit(5)
        };
        assert!(mate.is_mate_beyond(11) && !mate.is_mate_beyond(12));
        assert!(!hit(5).is_mate_beyond(0), "no mate at all");
    }

    #[test]
    fn a_cluster_is_one_cache_line() {
        assert_eq!(CLUSTER_BYTES, 64);
        for mib in [1, 2, 3, 64] {
            let table = Table::new(mib).unwrap();
            for key in [Key(0), Key(u64::MAX), Key(1 << 63)] {
                assert_eq!(table.cluster(key).as_ptr().addr() % CLUSTER_BYTES, 0);
            }
        }
    }

    #[test]
    fn what_is_stored_comes_back() {
        let table = Table::new(1).unwrap();
        let none = Hit {
            best: None,
            score: 31_999,
            eval: None,
            depth: Depth(0),
            bound: None,
            pv: false,
        };
        for (key, stored) in [(Key(0), hit(255)), (Key(u64::MAX), none), (Key(5), hit(0))] {
            assert_eq!(table.probe(key), None);
            table.store(key, stored);
            assert_eq!(table.probe(key), Some(stored));
        }
    }

    #[test]
    fn a_move_survives_a_later_entry_without_one() {
        let table = Table::new(1).unwrap();
        table.store(Key(9), hit(3));
        let without = Hit {
            best: None,
            ..hit(8)
        };
        table.store(Key(9), without);
        assert_eq!(table.probe(Key(9)), Some(hit(8)));
    }

    #[test]
    fn shallow_and_old_entries_give_way_first() {
        let table = Table::new(1).unwrap();
        // Keys this small all fall into the first cluster.
        for (k, depth) in [(1, 9), (2, 3), (3, 9), (4, 9)] {
            table.store(Key(k), hit(depth));
        }
        table.store(Key(5), hit(1));
        assert_eq!(table.probe(Key(2)), None);
        assert!(table.probe(Key(1)).is_some());
        for _ in 0..3 {
            table.next_age();
        }
        table.store(Key(6), hit(1));
        table.store(Key(7), hit(1));
        assert!(table.probe(Key(6)).is_some(), "young beats deep and old");
    }

    #[test]
    fn impossible_sizes_are_refused() {
        assert!(Table::new(usize::MAX >> 10).is_err());
        assert!(Table::new(usize::MAX >> 20).is_err());
    }

    #[test]
    fn clear_empties() {
        let table = Table::new(1).unwrap();
        for k in 0..50_000_u64 {
            table.store(Key(k << 44), hit(5));
        }
        assert!(table.hashfull() > 0);
        table.clear(2);
        assert_eq!(table.hashfull(), 0);
        assert_eq!(table.probe(Key(3 << 44)), None);
    }
}
