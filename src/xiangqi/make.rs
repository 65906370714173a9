//! Playing moves and taking them back.
//!
//! A move changes the placement by `lift` and `put` only and leaves a small [`Ply`] on the
//! stack; taking it back runs the same steps the other way. The ply also keeps what is found
//! out once a move: whether it gave check, and what shields the king of the side to move.

use crate::game::{Link, Observer, Position, Side};
use crate::xiangqi::checks;
use crate::xiangqi::{Board, Man, Move, PieceKind, Ply, Square};

/// Checks of one side without a capture between them that count as plies for the limit.
const COUNTED_CHECKS: u8 = 10;

impl Board {
    /// Plays a legal move.
    pub(super) fn play<O: Observer>(&mut self, m: Move, seen: &mut O) {
        let (from, to) = (m.from(), m.to());
        let Some(man) = self.placement.cell(from).man() else {
            debug_assert!(false, "{m:?} moves nobody");
            return;
        };
        debug_assert!(
            self.is_pseudo_legal(m) && self.is_legal(m),
            "{m:?} is not legal"
        );
        let captured = self.placement.cell(to).man();
        if let Some(victim) = captured {
            self.placement.lift(victim, to);
            seen.lift(victim.piece().index(), to.dense());
        }
        self.placement.lift(man, from);
        seen.lift(man.piece().index(), from.dense());
        self.placement.put(man, to);
        seen.put(man.piece().index(), to.dense());

        self.side = !self.side;
        self.push(m, man, captured);
        debug_assert!(self.placement.is_consistent());
    }

    /// Takes back the last move.
    pub(super) fn take_back(&mut self) {
        let ply = self.plies.pop();
        self.record.pop();
        self.side = !self.side;
        let Some(Ply {
            played: Some(m),
            captured,
            ..
        }) = ply
        else {
            debug_assert!(false, "there is no move to take back");
            return;
        };
        if let Some(man) = self.placement.cell(m.to()).man() {
            self.placement.lift(man, m.to());
            self.placement.put(man, m.from());
        }
        if let Some(victim) = captured {
            self.placement.put(victim, m.to());
        }
    }

    /// Passes the turn.
    pub(super) fn pass(&mut self) {
        debug_assert!(!self.in_check(), "a null move leaves the king in check");
        self.side = !self.side;
        let ply = Ply {
            played: None,
            captured: None,
            exposure: checks::exposure(&self.placement, self.side),
            ..*self.last()
        };
        self.plies.push(ply);
        self.record.push(self.key(), Link::Null);
    }

    /// Takes back a passed turn.
    pub(super) fn take_back_pass(&mut self) {
        let ply = self.plies.pop();
        debug_assert!(ply.is_some_and(|ply| ply.played.is_none()));
        self.record.pop();
        self.side = !self.side;
    }

    /// Enters the position after `m` into the history.
    fn push(&mut self, m: Move, man: Man, captured: Option<Man>) {
        let before = *self.last();
        let exposure = checks::exposure(&self.placement, self.side);
        let mut ply = Ply {
            played: Some(m),
            captured,
            exposure,
            quiet: 0,
            checks: [0; 2],
        };
        if captured.is_none() {
            (ply.quiet, ply.checks) = count_quiet(&before, man.side(), exposure.in_check);
        }
        let link = if captured.is_some() || is_advance(man, m.from(), m.to()) {
            Link::Irreversible
        } else {
            Link::Reversible
        };
        self.plies.push(ply);
        self.record.push(self.key(), link);
    }
}

/// A pawn's step forward can never be undone.
fn is_advance(man: Man, from: Square, to: Square) -> bool {
    man.kind() == PieceKind::Pawn && from.shares_file(to)
}

/// The counters after a move of `mover` that captures nothing.
///
/// A ply is free, not counted, if it gives a check beyond the mover's tenth, or answers such a
/// check of the other side.
fn count_quiet(before: &Ply, mover: Side, gives_check: bool) -> (u16, [u8; 2]) {
    let mut checks = before.checks;
    let own = &mut checks[mover.index()];
    *own = own.saturating_add(u8::from(gives_check));
    let excess = |side: Side| checks[side.index()] > COUNTED_CHECKS;
    let free = gives_check && excess(mover) || before.exposure.in_check && excess(!mover);
    (before.quiet.saturating_add(u16::from(!free)), checks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;

    /// A ply after which each side has given so many checks; is the side to move in check?
    fn ply(checks: [u8; 2], in_check: bool) -> Ply {
        let mut ply = *Board::start().last();
        ply.checks = checks;
        ply.quiet = 50;
        ply.exposure.in_check = in_check;
        ply
    }

    #[test]
    fn ten_checks_of_a_side_count_and_later_ones_do_not() {
        let red = Side::First;
        assert_eq!(count_quiet(&ply([8, 0], false), red, true), (51, [9, 0]));
        assert_eq!(count_quiet(&ply([9, 0], false), red, true), (51, [10, 0]));
        assert_eq!(count_quiet(&ply([10, 0], false), red, true), (50, [11, 0]));
        assert_eq!(
            count_quiet(&ply([255, 0], false), red, true),
            (50, [255, 0])
        );
        // Nor do replies to such checks; other moves do.
        assert_eq!(
            count_quiet(&ply([10, 0], true), Side::Second, false),
            (51, [10, 0])
        );
        assert_eq!(
            count_quiet(&ply([11, 0], true), Side::Second, false),
            (50, [11, 0])
        );
        assert_eq!(count_quiet(&ply([11, 0], false), red, false), (51, [11, 0]));
        // A reply that checks back counts as a check of its own side.
        assert_eq!(
            count_quiet(&ply([11, 3], true), Side::Second, true),
            (50, [11, 4])
        );
    }
}
