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
pub const EXCHANGE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

const fn value(kind: PieceKind) -> i32 {
    EXCHANGE_VALUES[kind.index()]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::attacks::PerLookup;
    use crate::chess::board::Board;
    use crate::game::{KeyStream, Notation, Position, Score, Side, TextStyle};

    /// What the best play of captures on `to` wins for `turn`, from the definition.
    fn captures_win(
        state: &State,
        to: Square,
        occupied: Bitboard,
        standing: PieceKind,
        turn: Side,
    ) -> i32 {
        let attackers = state.attackers(to, occupied, PerLookup) & occupied;
        let ours = attackers & state.side(turn);
        let Some(kind) = least_valuable(state, ours) else {
            return 0;
        };
        if kind == PieceKind::King && attackers.meets(state.side(!turn)) {
            return 0;
        }
        let left = occupied ^ Bitboard::of((ours & state.kind(kind)).lowest());
        (value(standing) - captures_win(state, to, left, kind, !turn)).max(0)
    }

    fn exchange(board: &Board, m: Move) -> i32 {
        let (state, to) = (board.state(), m.to());
        if m.kind() == Some(MoveKind::Castling) {
            return 0;
        }
        let us = state.side_to_move();
        let mut occupied = state.occupied() ^ Bitboard::of(m.from()) | Bitboard::of(to);
        if m.kind() == Some(MoveKind::EnPassant) {
            occupied ^= Bitboard::of(to.ahead(!us));
        }
        let standing = m
            .promotion()
            .or(state.piece_on(m.from()).map(|p| p.kind()))
            .unwrap();
        state.immediate_gain(m) - captures_win(state, to, occupied, standing, !us)
    }

    #[test]
    fn thresholds_agree_with_the_definition_in_random_games() {
        let mut stream = KeyStream::new(1);
        for _ in 0..20 {
            let mut board = Board::start();
            for _ in 0..120 {
                let moves = board.legal_moves();
                for &m in &moves {
                    let worth = exchange(&board, m);
                    assert!(board.see_at_least(m, Score(worth)), "{m:?} wins {worth}");
                    assert!(
                        !board.see_at_least(m, Score(worth + 1)),
                        "{m:?} wins {worth}"
                    );
                }
                if moves.is_empty() {
                    break;
                }
                let (key, rest) = stream.next();
                stream = rest;
                board.make(moves[(key.0 % moves.len() as u64) as usize], &mut ());
            }
        }
    }

    #[test]
    fn known_exchanges() {
        let [pawn, knight, _, rook, queen, _] = EXCHANGE_VALUES;
        let cases = [
            // A pawn that nothing protects.
            (
                "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1",
                "e1e5",
                pawn,
            ),
            // The queen behind the rook joins in, and still it does not pay.
            (
                "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
                "d3e5",
                pawn - knight,
            ),
            // A protected pawn costs a rook.
            ("4k3/8/3p4/4p3/8/8/8/4RK2 w - - 0 1", "e1e5", pawn - rook),
            // A king takes what is not protected, and leaves what is.
            ("8/8/8/3k4/4p3/8/8/4RK2 w - - 0 1", "e1e4", pawn - rook),
            ("8/8/8/3k4/4p3/8/4R3/4RK2 w - - 0 1", "e2e4", pawn),
            // A promotion that is captured wins nothing but loses the pawn.
            ("4r1k1/3P4/8/8/8/8/8/6K1 w - - 0 1", "d7d8q", -pawn),
            ("6k1/3P4/8/8/8/8/8/6K1 w - - 0 1", "d7d8q", queen - pawn),
            (
                "4r1k1/3P4/8/8/8/8/8/6K1 w - - 0 1",
                "d7e8q",
                rook + queen - pawn,
            ),
            // En passant.
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", pawn),
            ("4k3/8/8/8/3pP3/8/3P4/4K3 b - e3 0 1", "d4e3", 0),
        ];
        for (fen, text, worth) in cases {
            let board = Board::from_fen(fen).unwrap();
            let m = board.parse_move(text, TextStyle::default()).unwrap();
            assert!(
                board.see_at_least(m, Score(worth)),
                "{text} wins {worth} in {fen}"
            );
            assert!(
                !board.see_at_least(m, Score(worth + 1)),
                "{text} wins {worth} in {fen}"
            );
        }
    }
}
