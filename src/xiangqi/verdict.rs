//! What the rules say of a position besides mate and stalemate: repetition, the no-capture
//! limit, and material that cannot win.
//!
//! A repetition is judged over its *window*, the plies after the first of the equal positions up
//! to now. Each side's moves in the window put it on a level of the ladder of offences; the side
//! on the higher level loses, equal levels draw (after the rules of the Asian Xiangqi
//! Federation). The history's [`Ply`](crate::xiangqi::Ply) has what the judge needs.

use crate::game::{Arbiter, Ending, Outcome, Position, Reason, Repetition, Side, Verdict};
use crate::xiangqi::{Board, Ids, PieceKind};

/// Plies without a capture that draw the game unless an option says otherwise: sixty moves of
/// each side, as in the Chinese and Asian rules.
pub const NO_CAPTURE_LIMIT: u16 = 120;

/// How badly a side's moves offend in a window of repetition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Level {
    /// At least one move that nobody may object to.
    Free,
    /// Every move gave check.
    PerpetualCheck,
}

impl Board {
    /// The body of [`Position::verdict`].
    pub(super) fn rule_verdict(&self, ply: usize) -> Verdict {
        if let Some(repetition) = self.record.repetition(ply) {
            return self.repetition_verdict(repetition);
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

    fn repetition_verdict(&self, repetition: Repetition) -> Verdict {
        let window = repetition.distance;
        let loser = self.loser(window);
        let is_final = repetition.folds >= 3 || self.is_closed(window);
        match loser {
            None => Verdict::Draw,
            Some((side, _)) if side == self.side && is_final => Verdict::Lost,
            Some((side, _)) if side == self.side => Verdict::DrawOrWorse,
            Some(_) if is_final => Verdict::Won,
            Some(_) => Verdict::DrawOrBetter,
        }
    }

    /// Who loses by the moves of this window, and what for; `None` draws.
    fn loser(&self, window: usize) -> Option<(Side, Reason)> {
        let [first, second] = Side::ALL.map(|side| self.level(side, window));
        let (side, level) = match first.cmp(&second) {
            std::cmp::Ordering::Equal => return None,
            std::cmp::Ordering::Greater => (Side::First, first),
            std::cmp::Ordering::Less => (Side::Second, second),
        };
        match level {
            Level::PerpetualCheck => Some((side, Reason::PerpetualCheck)),
            Level::Free => None,
        }
    }

    /// Where the moves of `side` in the last `window` plies stand on the ladder.
    fn level(&self, side: Side, window: usize) -> Level {
        // The side that is not on move made the last ply, the other one the ply before.
        let skip = usize::from(side == self.side);
        let mut own = self.plies.iter().rev().take(window).skip(skip).step_by(2);
        if own.all(|ply| ply.exposure.in_check) {
            Level::PerpetualCheck
        } else {
            Level::Free
        }
    }

    /// May a cycle that has closed once be judged as if it had closed twice, because it can
    /// only go on as it did?
    ///
    /// Not so if its positions have been entered from elsewhere, or another loop lies within:
    /// then a later window may be another one. Two plies cannot restore a position, so a cycle
    /// of four has no loop within, and if the same move closes it that led into it, the
    /// position before stands for the second time as well. Longer cycles are left open. Nor may
    /// the no-capture limit be about to interfere.
    fn is_closed(&self, window: usize) -> bool {
        let led_into = self.plies.iter().rev().nth(window).map(|ply| ply.played);
        let soon = 2 * window as u16;
        window == 4
            && led_into == Some(self.last().played)
            && self.clock_left().is_none_or(|left| left > soon)
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
        if let Some(repetition) = self.record.repetition(0) {
            return Some(match self.loser(repetition.distance) {
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
}

fn drawn_by(reason: Reason) -> Ending {
    Ending {
        outcome: Outcome::Draw,
        reason,
    }
}
