//! Scores, their bands, and search depth.
//!
//! A [`Score`] is in centipawns, seen by the side to move unless said otherwise. The extremes of
//! its range are bands with a meaning of their own, outermost first:
//!
//! | band | value | meaning |
//! |---|---|---|
//! | infinite | ±32,001 | outside every real score; window limits |
//! | mate | ±(32,000 − ply) | mate (in xiangqi stalemate too) `ply` plies from the root |
//! | rule | ±(31,500 − ply) | the game is won by a repetition rule; depends on the path |
//! | tablebase | ±(31,200 − ply) | a tablebase says so |
//! | evaluation | ±30,900 | everything else, clamped |
//!
//! Mate and tablebase scores count plies *from the root* in search, and *from the node* in the
//! transposition table, since the same node is reached at different plies:
//! [`Score::to_table`] and [`Score::from_table`] convert. A rule score is never taken from the
//! table, because it depends on the moves that led to the node.
//!
//! Search is *fail-soft*: a returned score below the window is an upper bound, one above it a
//! lower bound, and it may lie outside the window.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// The deepest ply a search may reach, counted from the root.
pub const MAX_PLY: usize = 246;

/// A score in centipawns; see the module documentation for its bands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Default)]
pub struct Score(pub i32);

impl Score {
    /// Beyond every real score.
    pub const INFINITE: Score = Score(32_001);
    /// Mate at ply 0.
    pub const MATE: Score = Score(32_000);
    /// Win by a repetition rule at ply 0.
    pub const RULE: Score = Score(31_500);
    /// Win by tablebase at ply 0.
    pub const TABLEBASE: Score = Score(31_200);
    /// The largest score an evaluation may give.
    pub const EVAL_MAX: Score = Score(30_900);
    /// A drawn game.
    pub const DRAW: Score = Score(0);

    /// The side to move at `ply` is mated there.
    pub const fn mated_in(ply: usize) -> Score {
        Score(-Self::MATE.0 + ply as i32)
    }

    /// The side to move at the root mates at `ply`.
    pub const fn mate_in(ply: usize) -> Score {
        Score(Self::MATE.0 - ply as i32)
    }

    /// The side to move at `ply` has lost by a repetition rule there.
    pub const fn rule_loss(ply: usize) -> Score {
        Score(-Self::RULE.0 + ply as i32)
    }

    /// The side to move at `ply` has won by a repetition rule there.
    pub const fn rule_win(ply: usize) -> Score {
        Score(Self::RULE.0 - ply as i32)
    }

    /// A tablebase has the side to move at `ply` lost there.
    pub const fn tablebase_loss(ply: usize) -> Score {
        Score(-Self::TABLEBASE.0 + ply as i32)
    }

    /// A tablebase has the side to move at `ply` winning there.
    pub const fn tablebase_win(ply: usize) -> Score {
        Score(Self::TABLEBASE.0 - ply as i32)
    }

    /// The value without its sign.
    pub const fn abs(self) -> Score {
        Score(self.0.abs())
    }

    /// Is this a mate for either side?
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::MATE.0 - MAX_PLY as i32
    }

    /// Does this rest on a repetition rule, for either side?
    pub const fn is_rule(self) -> bool {
        let a = self.0.abs();
        a <= Self::RULE.0 && a >= Self::RULE.0 - MAX_PLY as i32
    }

    /// Is this a mate, a rule win or a tablebase win for either side: outside the evaluation band?
    pub const fn is_decisive(self) -> bool {
        self.0.abs() > Self::EVAL_MAX.0
    }

    /// Plies from the root to the mate, positive where the side to move mates.
    pub const fn mate_plies(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.0 > 0 {
            Some(Self::MATE.0 - self.0)
        } else {
            Some(-(Self::MATE.0 + self.0))
        }
    }

    /// Cut to the evaluation band.
    pub fn clamp_eval(self) -> Score {
        Score(self.0.clamp(-Self::EVAL_MAX.0, Self::EVAL_MAX.0))
    }

    /// From root-relative, as search has it at `ply`, to node-relative, as the table stores it.
    pub const fn to_table(self, ply: usize) -> i16 {
        let shifted = if self.0 > Self::EVAL_MAX.0 {
            self.0 + ply as i32
        } else if self.0 < -Self::EVAL_MAX.0 {
            self.0 - ply as i32
        } else {
            self.0
        };
        shifted as i16
    }

    /// The inverse of [`Score::to_table`], for the node's present `ply`.
    pub const fn from_table(stored: i16, ply: usize) -> Score {
        let s = stored as i32;
        if s > Self::EVAL_MAX.0 {
            Score(s - ply as i32)
        } else if s < -Self::EVAL_MAX.0 {
            Score(s + ply as i32)
        } else {
            Score(s)
        }
    }
}

impl Neg for Score {
    type Output = Score;
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add for Score {
    type Output = Score;
    fn add(self, other: Score) -> Score {
        Score(self.0 + other.0)
    }
}

impl Sub for Score {
    type Output = Score;
    fn sub(self, other: Score) -> Score {
        Score(self.0 - other.0)
    }
}

impl Mul<i32> for Score {
    type Output = Score;
    fn mul(self, factor: i32) -> Score {
        Score(self.0 * factor)
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Score) {
        self.0 += other.0;
    }
}

impl SubAssign for Score {
    fn sub_assign(&mut self, other: Score) {
        self.0 -= other.0;
    }
}

/// Plies still to search before quiescence; zero or less means quiescence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Depth(pub i32);

impl Depth {
    /// The deepest iteration.
    pub const MAX: Depth = Depth(MAX_PLY as i32 - 1);
}

impl Add<i32> for Depth {
    type Output = Depth;
    fn add(self, plies: i32) -> Depth {
        Depth(self.0 + plies)
    }
}

impl Sub<i32> for Depth {
    type Output = Depth;
    fn sub(self, plies: i32) -> Depth {
        Depth(self.0 - plies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bands_do_not_touch() {
        let last = MAX_PLY as i32;
        assert!(Score::MATE.0 - last > Score::RULE.0);
        assert!(Score::RULE.0 - last > Score::TABLEBASE.0);
        assert!(Score::TABLEBASE.0 - last > Score::EVAL_MAX.0);
        assert!(Score::mate_in(MAX_PLY).is_mate() && !Score::rule_win(0).is_mate());
        assert!(Score::rule_loss(MAX_PLY).is_rule() && !Score::TABLEBASE.is_rule());
    }

    #[test]
    fn table_rebasing_is_reversible_and_counts_from_the_node() {
        for ply in [0, 1, 17, MAX_PLY - 1] {
            for s in [0, 55, -30_900, 30_900, 31_000, -31_300, 31_700, -31_999] {
                let s = Score(s);
                if s.abs().0 + ply as i32 <= Score::MATE.0 {
                    assert_eq!(Score::from_table(s.to_table(ply), ply), s, "{s:?} at {ply}");
                }
            }
        }
        // Mate 5 plies from the root, seen at ply 2, is 3 plies from that node.
        assert_eq!(Score::mate_in(5).to_table(2), Score::mate_in(3).0 as i16);
    }

    #[test]
    fn mate_distance_has_the_sign_of_the_winner() {
        assert_eq!(Score::mate_in(3).mate_plies(), Some(3));
        assert_eq!(Score::mated_in(4).mate_plies(), Some(-4));
        assert_eq!(Score(250).mate_plies(), None);
    }
}
