//! What a `go` command asked for, in the search's own terms.

use std::time::Duration;

use crate::game::Depth;

/// A chess clock as the side to move sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameClock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to the next time control, where there is one.
    pub moves_to_go: Option<u32>,
}

/// Limits of one search. Several may be set: the first one reached ends the search. With none
/// set the search runs to [`Depth::MAX`] or until it is stopped.
///
/// Times count from [`crate::search::Signals::started`], or from the ponder hit where the search
/// began as pondering; depth and node limits hold while pondering too.
#[derive(Clone, Debug)]
pub struct Limits<M> {
    /// Play by the clock.
    pub clock: Option<GameClock>,
    /// Answer within this time.
    pub move_time: Option<Duration>,
    /// Stop after this iteration.
    pub depth: Option<Depth>,
    /// Stop after this many nodes, all threads together.
    pub nodes: Option<u64>,
    /// Begin no further iteration after this many nodes, all threads together: a limit that never
    /// wastes an iteration, for self-play.
    pub soft_nodes: Option<u64>,
    /// Stop once a mate in this many moves (not plies) of the side to move is proved.
    pub mate: Option<u32>,
    /// No early end, whatever is proved: the user wants to watch.
    pub infinite: bool,
    /// Time lost per move outside the engine.
    pub overhead: Duration,
    /// Search these root moves only. Must be legal; an empty list means there is nothing to play.
    pub root_moves: Option<Vec<M>>,
    /// How many best lines to report, at least 1.
    pub multi_pv: usize,
    /// The client ponders, so that some thinking is free: plan a little more time per move.
    pub ponder_enabled: bool,
}

impl<M> Default for Limits<M> {
    fn default() -> Self {
        Limits {
            clock: None,
            move_time: None,
            depth: None,
            nodes: None,
            soft_nodes: None,
            mate: None,
            infinite: false,
            overhead: Duration::ZERO,
            root_moves: None,
            multi_pv: 1,
            ponder_enabled: false,
        }
    }
}
