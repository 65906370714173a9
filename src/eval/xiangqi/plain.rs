//! What a network sees of xiangqi.

use crate::eval::nnue::Inputs;
use crate::game::{GameId, Side};
use crate::xiangqi::Board;

/// A piece on a square, the board mirrored where the own king stands on the f-file.
pub struct XiangqiPlain;

const PIECES_OF_A_SIDE: u8 = 7;
const KING: u8 = 0;
const FILES: u8 = 9;
const SQUARES: u8 = 90;

impl Inputs for XiangqiPlain {
    type Position = Board;

    const GAME: GameId = GameId::Xiangqi;
    const VIEWS: usize = 2;
    const ROWS: usize = 14 * 90;
    const NAME: &'static str = "1260 mirrored by king";
    const SYMMETRIC: bool = true;
    const FADE: i32 = super::FADE;

    #[inline]
    fn king_of(piece: u8) -> Option<Side> {
        match piece {
            KING => Some(Side::First),
            PIECES_OF_A_SIDE => Some(Side::Second),
            _ => None,
        }
    }

    #[inline]
    fn view(_side: Side, king: u8) -> u8 {
        u8::from(king % FILES > FILES / 2)
    }

    #[inline]
    fn row(side: Side, view: u8, piece: u8, square: u8) -> usize {
        let square = if view == 1 {
            Self::mirrored(square)
        } else {
            square
        };
        let (piece, square) = match side {
            Side::First => (piece, square),
            Side::Second => {
                // Half a turn and a mirror image: the ranks from the other end.
                let turned = Self::mirrored(SQUARES - 1 - square);
                let other = if piece < PIECES_OF_A_SIDE {
                    piece + PIECES_OF_A_SIDE
                } else {
                    piece - PIECES_OF_A_SIDE
                };
                (other, turned)
            }
        };
        usize::from(piece) * usize::from(SQUARES) + usize::from(square)
    }

    #[inline]
    fn mirrored(square: u8) -> u8 {
        let file = square % FILES;
        square - file + (FILES - 1 - file)
    }

    #[inline]
    fn count(position: &Board) -> usize {
        let alive = |side| position.placement().alive(side).len() as usize;
        alive(Side::First) + alive(Side::Second)
    }

    fn each_piece(position: &Board, mut visit: impl FnMut(u8, u8)) {
        for (man, sq) in position.placement().men() {
            visit(man.piece().index(), sq.dense());
        }
    }
}
