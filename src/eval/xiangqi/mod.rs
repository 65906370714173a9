//! The hand-crafted evaluation of xiangqi.

mod inputs;
mod terms;
mod values;

use std::fmt::Write;

use crate::eval::Tapered;
use crate::eval::sums::SumStack;
use crate::eval::xiangqi::terms::{Terms, assess};
use crate::eval::xiangqi::values::{FULL_PHASE, TEMPO, WORTH};
use crate::game::{Evaluator, Observer, Position, Score, Side};
use crate::xiangqi::Board;

pub use inputs::XiangqiInputs;

/// The evaluation fades to nothing as the no-capture limit comes near, this many plies after
/// 120.
const FADE: i32 = 300;

/// Evaluates xiangqi positions.
pub struct XiangqiEvaluator {
    sums: SumStack,
}

impl XiangqiEvaluator {
    /// An evaluator of the empty board; see [`Evaluator::reset`].
    pub fn new() -> Self {
        XiangqiEvaluator {
            sums: SumStack::new(),
        }
    }

    /// The score of all terms for Red, tapered by the pieces left.
    fn for_red(&self, terms: &[Terms; 2]) -> i32 {
        let sums = self.sums.now();
        let score = sums.score + terms[0].sum() - terms[1].sum();
        score.at(sums.phase, FULL_PHASE)
    }
}

impl Default for XiangqiEvaluator {
    fn default() -> Self {
        Self::new()
    }
}

impl Observer for XiangqiEvaluator {
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

impl Evaluator<Board> for XiangqiEvaluator {
    fn reset(&mut self, position: &Board) {
        self.sums.clear();
        for (man, sq) in position.placement().men() {
            self.put(man.piece().index(), sq.dense());
        }
    }

    fn enter(&mut self) {
        self.sums.enter();
    }

    fn leave(&mut self) {
        self.sums.leave();
    }

    fn evaluate(&mut self, position: &Board) -> Score {
        let red = self.for_red(&assess(position.placement()));
        let own = match position.side_to_move() {
            Side::First => red,
            Side::Second => -red,
        };
        let clock = i32::from(position.halfmove_clock());
        Score(own * (FADE - clock).max(0) / FADE + TEMPO).clamp_eval()
    }

    fn explain(&mut self, position: &Board) -> String {
        let terms = assess(position.placement());
        let sums = self.sums.now();
        let mut text = String::from("term       |    red   |  black   |  total\n");
        let show =
            |value: Tapered| format!("{:.2}", f64::from(value.at(sums.phase, FULL_PHASE)) / 100.0);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "material   |          |          | {:>7}",
            show(sums.score)
        );
        type Part = (&'static str, fn(&Terms) -> Tapered);
        let parts: [Part; 4] = [
            ("mobility", |t| t.mobility),
            ("cannons", |t| t.cannons),
            ("attack", |t| t.attack),
            ("shape", |t| t.shape),
        ];
        for (name, part) in parts {
            let (red, black) = (part(&terms[0]), part(&terms[1]));
            let _ = writeln!(
                text,
                "{name:<10} | {:>8} | {:>8} | {:>7}",
                show(red),
                show(black),
                show(red - black)
            );
        }
        text
    }
}
