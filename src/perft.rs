//! Perft: the number of leaves of the tree of legal moves to a given depth, for any game.
//!
//! The counts of known positions prove a move generator; the time they take measures it. The last
//! ply is counted in bulk ([`Position::count_moves`]), not played. Repetitions, move-count rules
//! and material end no line here: perft counts moves, not games.
//!
//! The first two plies are shared out among threads. The optional table is shared by all of them
//! without locks: a slot holds its data and the key exclusive-or'ed with them, so that a slot torn
//! by two writers reads as a miss (R. Hyatt and T. Mann, 2002).
#![forbid(unsafe_code)]

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, IntoParallelRefIterator, ParallelIterator};

use crate::game::{Key, MoveList, Position, Wanted};

/// How to count; the count itself does not depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Threads that count; 0 means 1.
    pub threads: usize,
    /// Size of the table in MiB; 0 means none. Where memory does not suffice there is none either.
    pub hash_mib: usize,
}

impl Default for Options {
    /// One thread, no table.
    fn default() -> Options {
        Options {
            threads: 1,
            hash_mib: 0,
        }
    }
}

/// The number of leaves at `depth` plies; 1 at depth 0. `None` when `abort` was set meanwhile.
pub fn perft<P: Position>(
    position: &P,
    depth: u32,
    options: &Options,
    abort: &AtomicBool,
) -> Option<u64> {
    match depth {
        0 => Some(1),
        1 => Some(position.count_moves() as u64),
        _ => divide(position, depth, options, abort)
            .map(|parts| parts.iter().map(|(_, nodes)| nodes).sum()),
    }
}

/// The number of leaves at `depth` plies behind each legal move, in order of generation; no moves
/// at depth 0. `None` when `abort` was set meanwhile.
pub fn divide<P: Position>(
    position: &P,
    depth: u32,
    options: &Options,
    abort: &AtomicBool,
) -> Option<Vec<(P::Move, u64)>> {
    let Some(below) = depth.checked_sub(1) else {
        return Some(Vec::new());
    };
    let counter = Counter {
        table: Table::new(options.hash_mib),
        abort,
    };
    // Little work is done sooner than threads are started.
    let pool = if options.threads > 1 && depth > 2 {
        let builder = rayon::ThreadPoolBuilder::new().num_threads(options.threads);
        builder.build().ok()
    } else {
        None
    };
    match pool {
        Some(pool) => counter.divide_among(&pool, position, below),
        None => counter.divide_alone(position, below),
    }
}

/// What all threads of one count share.
struct Counter<'a> {
    table: Option<Table>,
    abort: &'a AtomicBool,
}

impl Counter<'_> {
    fn divide_alone<P: Position>(&self, position: &P, below: u32) -> Option<Vec<(P::Move, u64)>> {
        let mut position = position.clone();
        let moves = position.legal_moves();
        let part = |m| Some((m, self.after(&mut position, m, below)?));
        moves.into_iter().map(part).collect()
    }

    fn divide_among<P: Position>(
        &self,
        pool: &ThreadPool,
        position: &P,
        below: u32,
    ) -> Option<Vec<(P::Move, u64)>> {
        let moves = position.legal_moves();
        pool.install(|| {
            moves
                .par_iter()
                .map(|&m| {
                    let mut child = position.clone();
                    child.make(m, &mut ());
                    Some((m, self.split(&child, below)?))
                })
                .collect()
        })
    }

    /// The leaves below this position, its moves shared out among the threads.
    fn split<P: Position>(&self, position: &P, depth: u32) -> Option<u64> {
        let moves: Vec<P::Move> = position.legal_moves().into_iter().collect();
        moves
            .into_par_iter()
            .map(|m| self.after(&mut position.clone(), m, depth - 1))
            .try_reduce(|| 0, |a, b| Some(a + b))
    }

    /// The leaves behind one legal move.
    fn after<P: Position>(&self, position: &mut P, m: P::Move, depth: u32) -> Option<u64> {
        position.make(m, &mut ());
        let nodes = self.count(position, depth);
        position.unmake();
        nodes
    }

    fn count<P: Position>(&self, position: &mut P, depth: u32) -> Option<u64> {
        match depth {
            0 => return Some(1),
            1 => return Some(position.count_moves() as u64),
            _ => {}
        }
        if self.abort.load(Relaxed) {
            return None;
        }
        let key = position.key();
        if let Some(table) = &self.table
            && let Some(nodes) = table.probe(key, depth)
        {
            return Some(nodes);
        }
        let mut moves = MoveList::new();
        position.generate(Wanted::All, &mut moves);
        let mut nodes = 0;
        for m in moves {
            if P::LEGAL_GENERATOR || position.is_legal(m) {
                nodes += self.after(position, m, depth - 1)?;
            }
        }
        if let Some(table) = &self.table {
            table.store(key, depth, nodes);
        }
        Some(nodes)
    }
}

/// One count, by key and depth: `data` is the count above eight bits of depth, `check` the key
/// exclusive-or'ed with it.
#[derive(Default)]
struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// Counts already made. A slot keeps its newest.
struct Table(Vec<Slot>);

impl Table {
    fn new(mib: usize) -> Option<Table> {
        let len = mib.checked_mul((1 << 20) / size_of::<Slot>())?;
        let mut slots = Vec::new();
        slots.try_reserve_exact(len).ok()?;
        slots.resize_with(len, Slot::default);
        (len > 0).then_some(Table(slots))
    }

    fn slot(&self, key: Key) -> &Slot {
        let index = (u128::from(key.0) * self.0.len() as u128) >> 64;
        &self.0[index as usize]
    }

    fn probe(&self, key: Key, depth: u32) -> Option<u64> {
        let slot = self.slot(key);
        let data = slot.data.load(Relaxed);
        let ours = slot.check.load(Relaxed) ^ data == key.0 && data & 0xFF == u64::from(depth);
        ours.then_some(data >> 8)
    }

    fn store(&self, key: Key, depth: u32, nodes: u64) {
        // Beyond these bounds no count ever ends.
        if depth > 0xFF || nodes >= 1 << 56 {
            return;
        }
        let slot = self.slot(key);
        let data = nodes << 8 | u64::from(depth);
        slot.data.store(data, Relaxed);
        slot.check.store(key.0 ^ data, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_tells_keys_and_depths_apart() {
        let table = Table::new(1).unwrap();
        let key = Key(0x0123_4567_89AB_CDEF);
        table.store(key, 3, 8_902);
        assert_eq!(table.probe(key, 3), Some(8_902));
        assert_eq!(table.probe(key, 2), None);
        // The lowest bit does not change the slot.
        assert_eq!(table.probe(Key(key.0 ^ 1), 3), None);
    }

    #[test]
    fn a_table_of_no_size_or_of_any_size_is_no_table() {
        assert!(Table::new(0).is_none());
        assert!(Table::new(usize::MAX).is_none());
    }
}
