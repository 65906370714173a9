//! What a network sees of chess.

use crate::chess::Board;
use crate::eval::nnue::Inputs;
use crate::game::{GameId, Side};

/// A piece on a square, the board mirrored where the own king stands on the files e to h.
pub struct ChessPlain;

const PIECES_OF_A_SIDE: u8 = 6;
const KING: u8 = 5;
/// Turns the file of a square index.
const MIRROR: u8 = 0b000_111;
/// Turns the rank.
const FLIP: u8 = 0b111_000;

impl Inputs for ChessPlain {
    type Position = Board;

    const GAME: GameId = GameId::Chess;
    const VIEWS: usize = 2;
    const ROWS: usize = 12 * 64;
    const NAME: &'static str = "768 mirrored by king";
    const SYMMETRIC: bool = false;
    const FADE: i32 = super::FADE;

    #[inline]
    fn king_of(piece: u8) -> Option<Side> {
        match piece {
            KING => Some(Side::First),
            p if p == KING + PIECES_OF_A_SIDE => Some(Side::Second),
            _ => None,
        }
    }

    #[inline]
    fn view(_side: Side, king: u8) -> u8 {
        u8::from(king & 0b100 != 0)
    }

    #[inline]
    fn row(side: Side, view: u8, piece: u8, square: u8) -> usize {
        let mirror = if view == 1 { MIRROR } else { 0 };
        let (piece, flip) = match side {
            Side::First => (piece, 0),
            Side::Second if piece < PIECES_OF_A_SIDE => (piece + PIECES_OF_A_SIDE, FLIP),
            Side::Second => (piece - PIECES_OF_A_SIDE, FLIP),
        };
        usize::from(piece) * 64 + usize::from(square ^ mirror ^ flip)
    }

    fn mirrored(square: u8) -> u8 {
        square ^ MIRROR
    }

    #[inline]
    fn count(position: &Board) -> usize {
        position.state().occupied().len()
    }

    fn each_piece(position: &Board, mut visit: impl FnMut(u8, u8)) {
        let state = position.state();
        for sq in state.occupied() {
            if let Some(piece) = state.piece_on(sq) {
                visit(piece.index() as u8, sq.index() as u8);
            }
        }
    }
}
