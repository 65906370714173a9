//! The games of this binary, and the one place where a game is chosen at run time.
#![forbid(unsafe_code)]

use crate::game::{Evaluator, Game, GameId, Notation, Observer, Score, Side, TextStyle};

/// Chess, Chess960 included.
pub struct Chess;

/// Xiangqi.
pub struct Xiangqi;

impl Game for Chess {
    const ID: GameId = GameId::Chess;
    type Position = crate::chess::Board;
    type Evaluator = Material;
    fn evaluator() -> Material {
        Material
    }
}

impl Game for Xiangqi {
    const ID: GameId = GameId::Xiangqi;
    type Position = crate::xiangqi::Board;
    type Evaluator = Material;
    fn evaluator() -> Material {
        Material
    }
}

/// TEMPORARY until `eval` is merged: material only, and slow.
pub struct Material;

impl Observer for Material {
    fn put(&mut self, _piece: u8, _square: u8) {}
    fn lift(&mut self, _piece: u8, _square: u8) {}
}

impl<P: Notation> Evaluator<P> for Material {
    fn reset(&mut self, _position: &P) {}
    fn enter(&mut self) {}
    fn leave(&mut self) {}
    fn evaluate(&mut self, position: &P) -> Score {
        let fen = position.to_fen(TextStyle::default());
        let board = fen.split(' ').next().unwrap_or("");
        let value = |c: char| match c.to_ascii_lowercase() {
            'q' => 900,
            'r' => 500,
            'c' | 'n' => 300,
            'b' | 'a' => 250,
            'p' => 100,
            _ => 0,
        };
        let sign = |c: char| if c.is_ascii_uppercase() { 1 } else { -1 };
        let sum: i32 = board.chars().map(|c| sign(c) * value(c)).sum();
        match position.side_to_move() {
            Side::First => Score(sum + 10),
            Side::Second => Score(10 - sum),
        }
    }
    fn explain(&mut self, position: &P) -> String {
        format!("material {}", self.evaluate(position).0)
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
