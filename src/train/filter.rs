//! Which positions of a game are learnt from.

use crate::game::{Position, Score};

/// What a static evaluation cannot tell, or need not, is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// So many searched plies at the beginning: every game has some, and they resemble each
    /// other.
    pub first_plies: usize,
    /// Positions with scores beyond this, for either side, are decided.
    pub decided: Score,
}

impl Default for Filter {
    fn default() -> Self {
        Filter {
            first_plies: 2,
            decided: Score(2_500),
        }
    }
}

impl Filter {
    /// Is the position, so many plies after the opening, one to learn from? In check, and where
    /// the best move changes the material, the score belongs to another position than this one.
    pub fn passes<P: Position>(&self, position: &P, m: P::Move, score: Score, ply: usize) -> bool {
        ply >= self.first_plies
            && score.abs() <= self.decided
            && !position.in_check()
            && !position.is_noisy(m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Notation, TextStyle};
    use crate::games::Chess;

    #[test]
    fn only_quiet_undecided_positions_pass() {
        type Board = <Chess as Game>::Position;
        let filter = Filter::default();
        let passes = |fen: &str, text: &str, score, ply| {
            let position = Board::from_fen(fen).unwrap();
            let m = position.parse_move(text, TextStyle::default()).unwrap();
            filter.passes(&position, m, Score(score), ply)
        };
        let quiet = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";
        assert!(passes(quiet, "e4e5", -2500, 2));
        assert!(!passes(quiet, "e4e5", 0, 1), "too early");
        assert!(!passes(quiet, "e4d5", 0, 2), "a capture");
        assert!(!passes(quiet, "e4e5", 2501, 2), "decided");
        let check = "4k3/8/8/8/8/8/3r4/4K3 w - - 0 1";
        let in_check = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
        assert!(passes(check, "e1f1", 0, 2));
        assert!(!passes(in_check, "e1d1", 0, 2), "in check");
    }
}
