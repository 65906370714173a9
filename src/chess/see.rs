//! Static exchange evaluation: what a series of captures on one square is worth.
//!
//! Both sides capture with their least valuable piece and stop when going on would cost them.
//! Pieces behind the capturing ones join in. Pins, and promotions by the captures that follow, are not looked at.

use crate::chess::attacks::{SliderTask, Sliders};
use crate::chess::bitboard::Bitboard;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::PieceKind;
use crate::chess::square::Square;
use crate::chess::state::State;

/// What pieces are worth in exchanges, in centipawns, by [`PieceKind::index`]. The king's value
/// is never won, it only has to exceed all others.
pub const VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

const fn value(kind: PieceKind) -> i32 {
    VALUES[kind.index()]
}

impl State {
    /// What a legal move wins at once: the victim, and what a promotion adds.
    pub(super) fn immediate_gain(&self, m: Move) -> i32 {
        let victim = match m.kind() {
            Some(MoveKind::Castling) | None => None,
            Some(MoveKind::EnPassant) => Some(PieceKind::Pawn),
            Some(_) => self.piece_on(m.to()).map(|piece| piece.kind()),
        };
        let promoted = m
            .promotion()
            .map_or(0, |kind| value(kind) - value(PieceKind::Pawn));
        victim.map_or(0, value) + promoted
    }
}

/// The question whether the exchange that a legal move begins wins a certain amount.
pub(super) struct Exchange<'a> {
    pub(super) state: &'a State,
    pub(super) m: Move,
    pub(super) threshold: i32,
}

impl SliderTask for Exchange<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> bool {
        let Exchange {
            state,
            m,
            threshold,
        } = self;
        let to = m.to();
        // Neither king nor rook can be captured right after castling.
        if m.kind() == Some(MoveKind::Castling) {
            return threshold <= 0;
        }
        let Some(mover) = state.piece_on(m.from()) else {
            debug_assert!(false, "{m:?} moves nothing");
            return false;
        };
        // What the side that captures next must at least win for the question to turn round.
        let mut balance = state.immediate_gain(m) - threshold;
        if balance < 0 {
            return false;
        }
        let exposed = m.promotion().unwrap_or(mover.kind());
        balance -= value(exposed);
        if balance >= 0 {
            return true;
        }
        let mut occupied = state.occupied() ^ Bitboard::of(m.from()) | Bitboard::of(to);
        if m.kind() == Some(MoveKind::EnPassant) {
            occupied ^= Bitboard::of(to.ahead(!mover.side()));
        }
        let mut attackers = state.attackers(to, occupied, sliders);
        let mut turn = !mover.side();
        loop {
            attackers &= occupied;
            let ours = attackers & state.side(turn);
            let Some(kind) = least_valuable(state, ours) else {
                break;
            };
            if kind == PieceKind::King && attackers.meets(state.side(!turn)) {
                // The king may not capture what is still protected.
                break;
            }
            let capturer = (ours & state.kind(kind)).lowest();
            occupied ^= Bitboard::of(capturer);
            attackers |= revealed(state, kind, to, occupied, sliders);
            turn = !turn;
            balance = -balance - 1 - value(kind);
            if balance >= 0 {
                break;
            }
        }
        // The side whose turn it is cannot or need not go on: it has lost the exchange.
        turn != mover.side()
    }
}

#[inline(always)]
fn least_valuable(state: &State, pieces: Bitboard) -> Option<PieceKind> {
    if pieces.is_empty() {
        return None;
    }
    PieceKind::ALL
        .into_iter()
        .find(|&kind| pieces.meets(state.kind(kind)))
}

/// The sliders that look through a square just left by a piece of this kind.
#[inline(always)]
fn revealed<S: Sliders>(
    state: &State,
    kind: PieceKind,
    to: Square,
    occupied: Bitboard,
    sliders: S,
) -> Bitboard {
    let mut pieces = Bitboard::EMPTY;
    if matches!(kind, PieceKind::Pawn | PieceKind::Bishop | PieceKind::Queen) {
        pieces |= sliders.bishop(to, occupied) & state.diagonal_sliders();
    }
    if matches!(kind, PieceKind::Rook | PieceKind::Queen) {
        pieces |= sliders.rook(to, occupied) & state.straight_sliders();
    }
    pieces
}
