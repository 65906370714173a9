//! What a score is worth: the chances of a win, a draw and a loss, and scores normalised by them.
//!
//! The search counts in centipawns of its evaluation, and what such a centipawn is worth changes
//! with every new network. A *win rate model* says how often this engine wins, draws and loses
//! against itself from a position with that score at that move of the game. Scores are shown
//! normalised by it: +100 means that half of such games are won at move 32. The search, its
//! bench, self-play and its adjudication know nothing of this.
//!
//! The model is an ordered logistic regression. With the score x in pawns and z = (move − 32) /
//! 32, slope s and offset t are polynomials in z, and
//!
//! ```text
//! P(win) = σ(s·x − t)      P(loss) = σ(−s·x − t)      P(draw) = 1 − P(win) − P(loss)
//! ```
//!
//! The coefficients of each game lie in a file of their own, written by `twofold winrate`.

mod chess;
pub mod fit;
mod xiangqi;

use crate::game::{GameId, Score};

/// Coefficients of a polynomial.
pub const TERMS: usize = 3;
/// The move at which scores are normalised.
pub const NORMAL_MOVE: u32 = 32;
/// Moves before the first and after the last of these are taken for it: there are too few
/// positions to learn from.
const MOVES: (u32, u32) = (8, 100);

/// The win rate model of one game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// How much a pawn changes the odds: s.
    pub slope: [f64; TERMS],
    /// How much it takes to win: t.
    pub offset: [f64; TERMS],
}

/// Chances per mille; they sum up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chances {
    /// Of a win of the side whose score it is.
    pub win: u32,
    /// Of a draw.
    pub draw: u32,
    /// Of a loss.
    pub loss: u32,
}

impl Model {
    /// The model of a game.
    pub const fn of(game: GameId) -> Model {
        match game {
            GameId::Chess => chess::MODEL,
            GameId::Xiangqi => xiangqi::MODEL,
        }
    }

    /// Probabilities of a win and a loss at a score of so many pawns.
    fn odds(&self, pawns: f64, number: u32) -> (f64, f64) {
        let z = powers(number);
        let slope = sum(&self.slope, &z).max(0.0);
        let offset = sum(&self.offset, &z).max(0.0);
        (
            sigmoid(slope * pawns - offset),
            sigmoid(-slope * pawns - offset),
        )
    }

    /// The chances at this score of the search and this move of the game.
    pub fn chances(&self, score: Score, number: u32) -> Chances {
        if score.is_decisive() {
            let win = if score > Score::DRAW { 1000 } else { 0 };
            return Chances {
                win,
                draw: 0,
                loss: 1000 - win,
            };
        }
        let (win, loss) = self.odds(f64::from(score.0) / 100.0, number);
        let per_mille = |p: f64| libm::round(1000.0 * p) as u32;
        let win = per_mille(win).min(1000);
        let loss = per_mille(loss).min(1000 - win);
        Chances {
            win,
            draw: 1000 - win - loss,
            loss,
        }
    }

    /// The score as it is shown: 100 where half of the games are won at [`NORMAL_MOVE`].
    pub fn normalised(&self, score: Score) -> i32 {
        let shown = f64::from(score.0) * self.slope[0] / self.offset[0];
        libm::round(shown) as i32
    }

    /// The search's centipawns that are shown as so many.
    pub fn of_search(&self, shown: u32) -> u32 {
        libm::round(f64::from(shown) * self.offset[0] / self.slope[0]) as u32
    }
}

/// 1, z, z² for a move of the game.
fn powers(number: u32) -> [f64; TERMS] {
    let number = f64::from(number.clamp(MOVES.0, MOVES.1));
    let z = number / f64::from(NORMAL_MOVE) - 1.0;
    [1.0, z, z * z]
}

fn sum(coefficients: &[f64], powers: &[f64]) -> f64 {
    coefficients.iter().zip(powers).map(|(c, p)| c * p).sum()
}

fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_shown_wins_every_other_game_at_move_32() {
        for model in GameId::ALL.map(Model::of) {
            let score = (1..2000).map(Score).find(|s| model.normalised(*s) >= 100);
            let chances = model.chances(score.unwrap(), NORMAL_MOVE);
            assert!(chances.win.abs_diff(500) <= 5, "{chances:?}");
            assert_eq!(
                model.normalised(-score.unwrap()),
                -model.normalised(score.unwrap())
            );
            assert!(model.of_search(100).abs_diff(score.unwrap().0 as u32) <= 2);
        }
    }

    #[test]
    fn chances_sum_up_and_rise_with_the_score_at_every_move() {
        for model in GameId::ALL.map(Model::of) {
            for number in [0, 1, 8, 20, 32, 60, 100, 120, 500] {
                let mut before = 0;
                for score in (-3000..=3000).step_by(25).map(Score) {
                    let c = model.chances(score, number);
                    assert_eq!(c.win + c.draw + c.loss, 1000);
                    assert!(c.win >= before, "{score:?} at move {number}");
                    before = c.win;
                    let mirrored = model.chances(-score, number);
                    assert!(mirrored.loss.abs_diff(c.win) <= 1);
                }
                assert!(before > 900, "move {number}: {before}");
                assert_eq!(model.chances(Score::mated_in(3), number).loss, 1000);
            }
        }
    }
}
