//! The games of this binary, and the one place where a game is chosen at run time.
#![forbid(unsafe_code)]

use crate::chess;
use crate::eval::chess::ChessEvaluator;
use crate::eval::xiangqi::XiangqiEvaluator;
use crate::game::{Game, GameId};
use crate::xiangqi;

/// Chess, Chess960 included.
pub struct Chess;

impl Game for Chess {
    const ID: GameId = GameId::Chess;
    type Position = chess::Board;
    type Evaluator = ChessEvaluator;

    fn evaluator() -> ChessEvaluator {
        ChessEvaluator::new()
    }
}

/// Xiangqi.
pub struct Xiangqi;

impl Game for Xiangqi {
    const ID: GameId = GameId::Xiangqi;
    type Position = xiangqi::Board;
    type Evaluator = XiangqiEvaluator;

    fn evaluator() -> XiangqiEvaluator {
        XiangqiEvaluator::new()
    }
}

/// Runs an expression with a type that stands for the chosen game:
/// `with_game!(id, G => run::<G>())`.
#[macro_export]
macro_rules! with_game {
    ($id:expr, $game:ident => $body:expr) => {
        match $id {
            $crate::game::GameId::Chess => {
                type $game = $crate::games::Chess;
                $body
            }
            $crate::game::GameId::Xiangqi => {
                type $game = $crate::games::Xiangqi;
                $body
            }
        }
    };
}
