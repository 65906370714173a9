//! What a search has to say: it reports, and never prints.

use std::time::Duration;

use crate::game::{Depth, Score};

/// What a score says of the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// At most this: the node failed low.
    Upper = 1,
    /// At least this: the node failed high.
    Lower = 2,
    /// Exactly this.
    Exact = 3,
}

/// One line of analysis.
#[derive(Clone, Copy, Debug)]
pub struct Info<'a, M> {
    /// The iteration; 0 where there is no legal move.
    pub depth: Depth,
    /// The deepest ply reached.
    pub selective_depth: usize,
    /// Rank among the reported lines, from 1.
    pub line: usize,
    /// For the side to move at the root.
    pub score: Score,
    /// What the score says.
    pub bound: Bound,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Transposition table use by this search, per mille.
    pub hashfull: u32,
    /// Tablebase probes that hit.
    pub tablebase_hits: u64,
    /// Since the search began.
    pub time: Duration,
    /// Principal variation, legal to its last move; empty only at depth 0.
    pub pv: &'a [M],
}

/// Hears what the search has to say. Called on the thread that runs the search.
pub trait Reporter<M> {
    /// A new line of analysis.
    fn info(&mut self, info: &Info<'_, M>);

    /// The root move now being searched, its number counted from 1. Only after some seconds.
    fn current_move(&mut self, _depth: Depth, _m: M, _number: usize) {}
}

/// Hears nothing.
impl<M> Reporter<M> for () {
    fn info(&mut self, _info: &Info<'_, M>) {}
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conclusion<M> {
    /// The move to play; `None` only where there is none.
    pub best: Option<M>,
    /// The reply expected, legal after `best`, and leaving a game to be played.
    pub ponder: Option<M>,
    /// For the side to move at the root.
    pub score: Score,
    /// The last iteration that counted.
    pub depth: Depth,
    /// Nodes of all threads.
    pub nodes: u64,
}
