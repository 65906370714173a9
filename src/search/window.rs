//! The window of an alpha-beta search.

use crate::game::Score;
use crate::search::Bound;

/// The scores in between which a node's exact score matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Window {
    /// The mover has this already.
    pub alpha: Score,
    /// The opponent will not allow more.
    pub beta: Score,
}

impl Window {
    /// Every score.
    pub const FULL: Window = Window {
        alpha: Score(-Score::INFINITE.0),
        beta: Score::INFINITE,
    };

    /// The null window just above `alpha`.
    pub fn null(alpha: Score) -> Window {
        Window {
            alpha,
            beta: alpha + Score(1),
        }
    }

    /// What a score that a search with this window came to says of the true one.
    pub fn bound(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score > self.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// The same window for the opponent.
    pub fn flip(self) -> Window {
        Window {
            alpha: -self.beta,
            beta: -self.alpha,
        }
    }
}
