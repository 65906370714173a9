//! The hand-crafted evaluation of chess.

mod inputs;
mod terms;
mod values;

use std::fmt::Write;

use crate::chess::{Board, with_sliders};
use crate::eval::Tapered;
use crate::eval::chess::terms::{Assess, Terms};
use crate::eval::chess::values::{FULL_PHASE, TEMPO, WORTH};
use crate::eval::sums::SumStack;
use crate::game::{Evaluator, Observer, Position, Score, Side};

pub use inputs::ChessInputs;

/// The evaluation fades to nothing as the fifty-move limit comes near, this many plies after it.
const FADE: i32 = 220;

/// Evaluates chess positions.
pub struct ChessEvaluator {
    sums: SumStack,
}

impl ChessEvaluator {
    /// An evaluator of the empty board; see [`Evaluator::reset`].
    pub fn new() -> Self {
        ChessEvaluator {
            sums: SumStack::new(),
        }
    }

    /// The score of all terms for White, tapered by the pieces left.
    fn for_white(&self, terms: &[Terms; 2]) -> i32 {
        let sums = self.sums.now();
        let score = sums.score + terms[0].sum() - terms[1].sum();
        score.at(sums.phase, FULL_PHASE)
    }
}

impl Default for ChessEvaluator {
    fn default() -> Self {
        Self::new()
    }
}

impl Observer for ChessEvaluator {
    #[inline]
    fn put(&mut self, piece: u8, square: u8) {
        self.sums
            .add(WORTH[usize::from(piece)][usize::from(square)]);
    }

    #[inline]
    fn lift(&mut self, piece: u8, square: u8) {
        self.sums
            .take(WORTH[usize::from(piece)][usize::from(square)]);
    }
}

impl Evaluator<Board> for ChessEvaluator {
    fn reset(&mut self, position: &Board) {
        self.sums.clear();
        for sq in position.state().occupied() {
            if let Some(piece) = position.state().piece_on(sq) {
                self.put(piece.index() as u8, sq.index() as u8);
            }
        }
    }

    fn enter(&mut self) {
        self.sums.enter();
    }

    fn leave(&mut self) {
        self.sums.leave();
    }

    fn evaluate(&mut self, position: &Board) -> Score {
        let terms = with_sliders(Assess(position.state()));
        let white = self.for_white(&terms);
        let own = match position.side_to_move() {
            Side::First => white,
            Side::Second => -white,
        };
        let clock = i32::from(position.halfmove_clock());
        Score(own * (FADE - clock).max(0) / FADE + TEMPO).clamp_eval()
    }

    fn explain(&mut self, position: &Board) -> String {
        let terms = with_sliders(Assess(position.state()));
        let sums = self.sums.now();
        let mut text = String::from("term       |   white  |   black  |   total\n");
        let mut line = |name: &str, white: Option<Tapered>, black: Option<Tapered>, total| {
            let show = |value: Option<Tapered>| {
                value.map_or(String::new(), |v| {
                    format!("{:.2}", f64::from(v.at(sums.phase, FULL_PHASE)) / 100.0)
                })
            };
            let total = show(Some(total));
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{name:<10} | {:>8} | {:>8} | {total:>7}",
                show(white),
                show(black)
            );
        };
        line("material", None, None, sums.score);
        type Part = (&'static str, fn(&Terms) -> Tapered);
        let parts: [Part; 5] = [
            ("mobility", |t| t.mobility),
            ("pawns", |t| t.pawns),
            ("pieces", |t| t.pieces),
            ("threats", |t| t.threats),
            ("king", |t| t.king),
        ];
        for (name, part) in parts {
            let (white, black) = (part(&terms[0]), part(&terms[1]));
            line(name, Some(white), Some(black), white - black);
        }
        text
    }
}
