//! What the rules say of a position besides mate and stalemate: repetition, the no-capture
//! limit, and material that cannot win.
//!
//! Who is to blame for a repetition is the judge's business ([`crate::xiangqi::Judgement`]);
//! here is decided when he is asked, and what his word is worth inside a search.

use crate::game::{Arbiter, Ending, Outcome, Position, Reason, Rules, Side, Verdict};
use crate::xiangqi::{Board, Ids, PieceKind};

impl Board {
    /// The body of [`Position::verdict`].
    #[inline]
    pub(super) fn rule_verdict(&self, ply: usize) -> Verdict {
        if self.record.is_repeated()
            && let Some(verdict) = self.repetition_verdict(ply)
        {
            return verdict;
        }
        if self.is_at_limit() {
            // Mate and stalemate come first: whoever searches on will find them.
            return if self.has_legal_move() {
                Verdict::Draw
            } else {
                Verdict::Open
            };
        }
        if self.cannot_be_won() {
            return Verdict::Draw;
        }
        Verdict::Open
    }

    /// What repetition says at `ply` plies from the root of a search: the last word on a third
    /// occurrence; below the root also on a second one, as far as the cycle could only go on as
    /// it did, and otherwise a bound, for whoever stands to lose may deviate.
    #[cold]
    fn repetition_verdict(&self, ply: usize) -> Option<Verdict> {
        let mut bound = None;
        for (earlier, window) in self.record.distances().enumerate() {
            let is_third = earlier > 0;
            // A window that begins at or above the root proves nothing.
            if is_third || window < ply {
                let lost = match self.judge(window).loser() {
                    None => return Some(Verdict::Draw),
                    Some((side, _)) => side == self.side,
                };
                if is_third || self.is_closed(window) {
                    return Some(if lost { Verdict::Lost } else { Verdict::Won });
                }
                bound = Some(if lost {
                    Verdict::DrawOrWorse
                } else {
                    Verdict::DrawOrBetter
                });
            }
        }
        bound
    }

    /// The plies back to the first of the last `folds` occurrences of the present position, if
    /// there have been that many.
    pub fn cycle(&self, folds: usize) -> Option<usize> {
        self.record.distances().nth(folds.checked_sub(2)?)
    }

    /// May a cycle that has closed once be judged as if it had closed twice, because it can
    /// only go on as it did?
    ///
    /// So it is if the move that closed it also led into it, if no other position in it has
    /// stood before, so that no other window can come first, and if the no-capture limit leaves
    /// time for another round. Without this test a search announces wins by rule that the next
    /// move refutes.
    fn is_closed(&self, window: usize) -> bool {
        self.record.is_same(1, window + 1)
            && !(2..window).any(|back| self.record.was_repeated(back))
            && self
                .clock_left()
                .is_none_or(|left| usize::from(left) >= window)
    }

    fn is_at_limit(&self) -> bool {
        self.clock_left() == Some(0)
    }

    fn has_legal_move(&self) -> bool {
        self.count_moves() > 0
    }

    /// Has neither side the men to mate or stalemate? Only cases in which that is certain:
    /// guards of the other side can serve a cannon as screens, or stand in their king's way.
    fn cannot_be_won(&self) -> bool {
        let men = self.placement.alive(Side::First) | self.placement.alive(Side::Second);
        if !(men & Ids::WINNERS).is_empty() {
            return false;
        }
        let both = |kind| Side::ALL.map(|side| self.placement.count(side, kind));
        let advisors = both(PieceKind::Advisor);
        let bishops = both(PieceKind::Bishop);
        match both(PieceKind::Cannon) {
            [0, 0] => true,
            [1, 1] => advisors == [0, 0] && bishops == [0, 0],
            [1, 0] => advisors[0] == 0 && bishops[0] == 0 && advisors[1] <= 1,
            [0, 1] => advisors[1] == 0 && bishops[1] == 0 && advisors[0] <= 1,
            _ => false,
        }
    }
}

impl Arbiter for Board {
    fn ending(&self) -> Option<Ending> {
        if !self.has_legal_move() {
            return Some(Ending {
                outcome: Outcome::Win(!self.side),
                reason: if self.in_check() {
                    Reason::Checkmate
                } else {
                    Reason::Stalemate
                },
            });
        }
        if let Some(window) = self.cycle(3) {
            return Some(match self.judge(window).loser() {
                Some((side, reason)) => Ending {
                    outcome: Outcome::Win(!side),
                    reason,
                },
                None => drawn_by(Reason::Repetition),
            });
        }
        if self.is_at_limit() {
            return Some(drawn_by(Reason::MoveCount));
        }
        self.cannot_be_won().then(|| drawn_by(Reason::Material))
    }

    fn set_rules(&mut self, rules: &Rules) {
        self.rules = *rules;
    }
}

fn drawn_by(reason: Reason) -> Ending {
    Ending {
        outcome: Outcome::Draw,
        reason,
    }
}
