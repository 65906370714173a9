//! Sums over the pieces on the board, kept move by move in a stack of plies.

use crate::eval::Tapered;
use crate::game::MAX_PLY;

/// What a piece on a square adds, from the first side's point of view.
#[derive(Clone, Copy, Default)]
pub(crate) struct Worth {
    /// Material and place.
    pub score: Tapered,
    /// How much middle game there is in it.
    pub phase: i32,
}

/// The sums of one position.
pub(crate) type Sums = Worth;

/// The sums of the present position and of those it came from.
pub(crate) struct SumStack {
    now: Sums,
    earlier: Vec<Sums>,
}

impl SumStack {
    pub fn new() -> Self {
        SumStack {
            now: Sums::default(),
            earlier: Vec::with_capacity(MAX_PLY),
        }
    }

    /// Empties the board, and forgets earlier plies.
    pub fn clear(&mut self) {
        self.now = Sums::default();
        self.earlier.clear();
    }

    /// Opens a ply.
    pub fn enter(&mut self) {
        self.earlier.push(self.now);
    }

    /// Drops the ply.
    pub fn leave(&mut self) {
        debug_assert!(!self.earlier.is_empty(), "a ply was entered");
        if let Some(sums) = self.earlier.pop() {
            self.now = sums;
        }
    }

    /// A piece worth this entered the board.
    #[inline]
    pub fn add(&mut self, worth: Worth) {
        self.now.score += worth.score;
        self.now.phase += worth.phase;
    }

    /// A piece worth this left the board.
    #[inline]
    pub fn take(&mut self, worth: Worth) {
        self.now.score -= worth.score;
        self.now.phase -= worth.phase;
    }

    /// The present sums.
    pub fn now(&self) -> Sums {
        self.now
    }
}
