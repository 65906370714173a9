//! How games end: mate, stalemate and the draws by rule.

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::piece::PieceKind;
use crate::chess::state::State;
use crate::game::{Arbiter, Ending, Outcome, Position, Reason, Record, Verdict};

impl State {
    /// Plies without a capture or pawn move that draw the game: the fifty-move rule.
    pub(super) const CLOCK_LIMIT: u16 = 100;

    /// Draws at `ply` plies from the root of a search. A mate on the hundredth ply is no draw;
    /// search finds it.
    #[inline]
    pub(super) fn verdict(&self, record: &Record, ply: usize) -> Verdict {
        let drawn = record.ends_at(ply)
            || self.cannot_be_won()
            || (self.clock_has_run_out() && !self.is_mate());
        if drawn { Verdict::Draw } else { Verdict::Open }
    }

    #[inline]
    fn clock_has_run_out(&self) -> bool {
        self.halfmove_clock() >= State::CLOCK_LIMIT
    }

    fn is_mate(&self) -> bool {
        self.checkers().any() && self.count_legal() == 0
    }

    /// Can neither side mate by any series of legal moves, for want of material? So it is with
    /// bare kings, with a single knight, and with bishops that all move on squares of one colour,
    /// however many and whosever they are.
    pub(super) fn cannot_be_won(&self) -> bool {
        let mighty = self.kind(PieceKind::Pawn) | self.straight_sliders();
        if mighty.any() {
            return false;
        }
        let knights = self.kind(PieceKind::Knight);
        let bishops = self.kind(PieceKind::Bishop);
        if knights.is_empty() {
            return !(bishops.meets(Bitboard::LIGHT) && bishops.meets(!Bitboard::LIGHT));
        }
        bishops.is_empty() && !knights.many()
    }
}

impl Arbiter for Board {
    /// In order: mate and stalemate, dead positions, the third occurrence, fifty moves.
    fn ending(&self) -> Option<Ending> {
        let state = self.state();
        let draw = |reason| Ending {
            outcome: Outcome::Draw,
            reason,
        };
        if self.count_moves() == 0 {
            return Some(if self.in_check() {
                Ending {
                    outcome: Outcome::Win(!self.side_to_move()),
                    reason: Reason::Checkmate,
                }
            } else {
                draw(Reason::Stalemate)
            });
        }
        if state.cannot_be_won() || state.is_walled_off() {
            Some(draw(Reason::Material))
        } else if self.record().ends_at(0) {
            Some(draw(Reason::Repetition))
        } else if state.clock_has_run_out() {
            Some(draw(Reason::MoveCount))
        } else {
            None
        }
    }
}
