//! Learning a win rate model from games: ordered logistic regression by Fisher scoring.

use std::collections::BTreeMap;

use super::{MOVES, Model, NORMAL_MOVE, TERMS, powers, sigmoid, sum};
use crate::game::{GameId, Score};

/// Coefficients of slope and offset together.
const SIZE: usize = 2 * TERMS;
/// Scores beyond this say nothing that is not known, and would weigh too much.
const LIMIT: i32 = 1_500;
/// Width of a class of scores.
const CLASS: i32 = 10;
/// Steps after which nothing changes any more.
const STEPS: usize = 60;
/// Fewer positions than this say nothing.
const ENOUGH: u64 = 10_000;

/// How a game went on for the side to move of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum Result3 {
    /// It won.
    Win,
    /// It was drawn.
    Draw,
    /// It lost.
    Loss,
}

/// Positions counted by move of the game and score.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    cells: BTreeMap<(u32, i32), [u64; 3]>,
    positions: u64,
}

impl Counts {
    /// Counts a position at this move of the game, with this score for the side to move.
    /// Scores beyond the limit are passed over: they say that the game is decided.
    pub fn add(&mut self, number: u32, score: Score, result: Result3) {
        if score.0.abs() > LIMIT {
            return;
        }
        let class = (score.0 + LIMIT) / CLASS;
        let number = number.clamp(MOVES.0, MOVES.1);
        self.cells.entry((number, class)).or_default()[result as usize] += 1;
        self.positions += 1;
    }

    /// How many positions were counted.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Pawns, powers of the move, and counts of each cell.
    fn cells(&self) -> impl Iterator<Item = (f64, [f64; TERMS], [f64; 3])> {
        self.cells.iter().map(|(&(number, class), counts)| {
            let middle = f64::from(class * CLASS - LIMIT) + f64::from(CLASS - 1) / 2.0;
            (middle / 100.0, powers(number), counts.map(|n| n as f64))
        })
    }
}

/// A model, and how well it describes what it was fitted to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fit {
    /// The model.
    pub model: Model,
    /// Mean logarithmic loss of a position, in nats.
    pub loss: f64,
}

/// The logarithmic likelihood, its gradient and the expected information at a model.
struct Slope {
    likelihood: f64,
    gradient: [f64; SIZE],
    information: [[f64; SIZE]; SIZE],
}

/// Fits a model. `None` where there are too few positions, or where they are such that no model
/// describes them.
pub fn fit(counts: &Counts) -> Option<Fit> {
    if counts.positions < ENOUGH {
        return None;
    }
    let mut at = [0.0; SIZE];
    at[0] = 0.5;
    at[TERMS] = 1.0;
    let mut slope = assess(counts, &at)?;
    for _ in 0..STEPS {
        let step = solve(slope.information, slope.gradient)?;
        // Halved until it leads uphill: far from the goal it may lead astray.
        let better = (0..20).find_map(|halvings| {
            let share = 0.5_f64.powi(halvings);
            let tried: [f64; SIZE] = std::array::from_fn(|i| at[i] + share * step[i]);
            let slope_there = assess(counts, &tried)?;
            (slope_there.likelihood > slope.likelihood).then_some((tried, slope_there))
        });
        let Some((tried, slope_there)) = better else {
            break;
        };
        (at, slope) = (tried, slope_there);
    }
    let model = model(&at);
    let sane = model.slope[0] > 0.0 && model.offset[0] > 0.0;
    sane.then_some(Fit {
        model,
        loss: -slope.likelihood / counts.positions as f64,
    })
}

/// The mean logarithmic loss of a model over positions; `None` where there are none.
pub fn loss(counts: &Counts, model: &Model) -> Option<f64> {
    let mut at = [0.0; SIZE];
    at[..TERMS].copy_from_slice(&model.slope);
    at[TERMS..].copy_from_slice(&model.offset);
    let slope = assess(counts, &at).filter(|_| counts.positions > 0)?;
    Some(-slope.likelihood / counts.positions as f64)
}

fn model(at: &[f64; SIZE]) -> Model {
    Model {
        slope: std::array::from_fn(|i| at[i]),
        offset: std::array::from_fn(|i| at[TERMS + i]),
    }
}

/// `None` where a draw would have no chance at all, or less.
fn assess(counts: &Counts, at: &[f64; SIZE]) -> Option<Slope> {
    let mut slope = Slope {
        likelihood: 0.0,
        gradient: [0.0; SIZE],
        information: [[0.0; SIZE]; SIZE],
    };
    let (s, t) = at.split_at(TERMS);
    for (x, z, cell) in counts.cells() {
        let (s, t) = (sum(s, &z), sum(t, &z));
        let (win, loss) = (sigmoid(s * x - t), sigmoid(-s * x - t));
        let chances = [win, 1.0 - win - loss, loss];
        if chances.iter().any(|p| *p < 1e-12) {
            return None;
        }
        // What each coefficient does to each chance.
        let (dw, dl) = (win * (1.0 - win), loss * (1.0 - loss));
        let changes: [[f64; 3]; SIZE] = std::array::from_fn(|i| {
            let (to_win, to_loss) = match i < TERMS {
                true => (dw * x * z[i], -dl * x * z[i]),
                false => (-dw * z[i - TERMS], -dl * z[i - TERMS]),
            };
            [to_win, -to_win - to_loss, to_loss]
        });
        let total: f64 = cell.iter().sum();
        for result in 0..3 {
            let p = chances[result];
            slope.likelihood += cell[result] * libm::log(p);
            for i in 0..SIZE {
                slope.gradient[i] += cell[result] * changes[i][result] / p;
                for j in 0..SIZE {
                    slope.information[i][j] += total * changes[i][result] * changes[j][result] / p;
                }
            }
        }
    }
    Some(slope)
}

/// Solves a system of linear equations by elimination; `None` where it has no single solution.
fn solve(mut a: [[f64; SIZE]; SIZE], mut b: [f64; SIZE]) -> Option<[f64; SIZE]> {
    for column in 0..SIZE {
        let pivot =
            (column..SIZE).max_by(|i, j| a[*i][column].abs().total_cmp(&a[*j][column].abs()))?;
        if a[pivot][column].abs() < 1e-9 {
            return None;
        }
        a.swap(column, pivot);
        b.swap(column, pivot);
        for row in 0..SIZE {
            if row != column {
                let factor = a[row][column] / a[column][column];
                let source = a[column];
                a[row]
                    .iter_mut()
                    .zip(source)
                    .for_each(|(cell, s)| *cell -= factor * s);
                b[row] -= factor * b[column];
            }
        }
    }
    Some(std::array::from_fn(|i| b[i] / a[i][i]))
}

/// The file of source code that holds a game's model.
pub fn source(game: GameId, fit: &Fit, counts: &Counts, games: u64) -> String {
    let list = |values: [f64; TERMS]| values.map(|value| format!("{value:.5}")).join(", ");
    format!(
        "//! The win rate model of {game}: `twofold winrate --game {game} FOLDER` writes this file.\n\
         \n\
         use super::Model;\n\
         \n\
         /// Fitted to {} positions of {games} games of self-play. Half of the games are won at {:.0}\n\
         /// centipawns of the evaluation at move {NORMAL_MOVE}; mean loss {:.5}.\n\
         pub(super) const MODEL: Model = Model {{\n    slope: [{}],\n    offset: [{}],\n}};",
        counts.positions(),
        100.0 * fit.model.offset[0] / fit.model.slope[0],
        fit.loss,
        list(fit.model.slope),
        list(fit.model.offset),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games that follow a known model exactly: so many of a hundred thousand for each cell.
    fn following(model: &Model) -> Counts {
        let mut counts = Counts::default();
        for number in (8..=100).step_by(4) {
            for score in (-600..=600).step_by(20) {
                let middle = f64::from(score) + f64::from(CLASS - 1) / 2.0;
                let (win, loss) = model.odds(middle / 100.0, number);
                let n = |p: f64| (1e5 * p) as u64;
                let cell = [n(win), n(1.0 - win - loss), n(loss)];
                let class = (score + LIMIT) / CLASS;
                counts.cells.insert((number, class), cell);
                counts.positions += cell.iter().sum::<u64>();
            }
        }
        counts
    }

    #[test]
    fn a_known_model_is_found_again() {
        let known = Model {
            slope: [0.8, 0.15, -0.05],
            offset: [1.3, -0.2, 0.04],
        };
        let counts = following(&known);
        let found = fit(&counts).unwrap();
        for (a, b) in [
            (known.slope, found.model.slope),
            (known.offset, found.model.offset),
        ] {
            for (a, b) in a.iter().zip(b) {
                assert!((a - b).abs() < 0.01, "{found:?}");
            }
        }
        let worse = Model {
            slope: [0.5, 0.15, -0.05],
            ..known
        };
        assert!(loss(&counts, &worse).unwrap() > found.loss + 0.001);
        assert!((loss(&counts, &known).unwrap() - found.loss).abs() < 1e-4);
    }

    #[test]
    fn too_little_is_no_model() {
        let mut counts = Counts::default();
        counts.add(20, Score(50), Result3::Win);
        counts.add(20, Score(9_000), Result3::Win);
        assert_eq!(counts.positions(), 1);
        assert!(fit(&counts).is_none());
    }
}
