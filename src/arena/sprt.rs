//! The sequential probability ratio test: play until the results favour one of two hypotheses.
//!
//! After each game (or pair) the log-likelihood ratio of "the difference is `elo1`" over "the
//! difference is `elo0`" is compared with Wald's bounds, ln(beta / (1 - alpha)) and
//! ln((1 - beta) / alpha). A hypothesis fixes only the difference, not how often games are drawn,
//! so the *generalised* ratio takes for each hypothesis the most likely distribution of results
//! that fulfils it (Van den Bergh, "The generalized maximum likelihood ratio for the expectation
//! value of a distribution"; "Comments on normalized Elo"). What "difference" means is the
//! [`Model`]: the same two numbers make different tests under different models.

use std::fmt;

use crate::arena::elo::{NORMALIZED_UNIT, score_of};
use crate::arena::stats::{Games, Pairs, category_scores, dot};

/// What the two hypotheses speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalized Elo: the mean score in standard deviations of a game.
    #[default]
    Normalized,
    /// Logistic Elo: the mean score.
    Logistic,
    /// BayesElo with the draw rate of the sample, as fastchess tests it; games only.
    Bayesian,
    /// BayesElo with a plain multinomial ratio, as OpenBench's trinomial test; games only.
    OpenBench,
    /// As cutechess-cli tests: half a game added to each count, bounds scaled; games only.
    Cutechess,
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Model::Normalized => "normalized",
            Model::Logistic => "logistic",
            Model::Bayesian => "bayesian",
            Model::OpenBench => "openbench",
            Model::Cutechess => "cutechess",
        })
    }
}

/// Where a test stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// Neither bound is reached.
    Continue,
    /// The lower bound is reached: the difference is `elo0` rather than `elo1`.
    AcceptH0,
    /// The upper bound is reached: the difference is `elo1` rather than `elo0`.
    AcceptH1,
}

/// A test: hypotheses, error rates and model.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The difference under H0, in Elo of the model.
    pub elo0: f64,
    /// The difference under H1, in Elo of the model.
    pub elo1: f64,
    /// Wanted probability of accepting H1 where H0 holds.
    #[serde(default = "default_error_rate")]
    pub alpha: f64,
    /// Wanted probability of accepting H0 where H1 holds.
    #[serde(default = "default_error_rate")]
    pub beta: f64,
    /// What the differences are measured in.
    #[serde(default)]
    pub model: Model,
}

/// The customary error rate of both kinds.
fn default_error_rate() -> f64 {
    0.05
}

impl Sprt {
    /// Checks that the test makes sense.
    ///
    /// # Errors
    /// In words, unless `elo0 < elo1`, both error rates are positive and their sum is below 1.
    pub fn validated(self) -> Result<Sprt, String> {
        if !(self.elo0 < self.elo1 && self.elo0.is_finite() && self.elo1.is_finite()) {
            return Err(format!(
                "elo0 = {} must be below elo1 = {}",
                self.elo0, self.elo1
            ));
        }
        if !(self.alpha > 0.0 && self.beta > 0.0 && self.alpha + self.beta < 1.0) {
            return Err(format!(
                "alpha = {} and beta = {} must be above 0 and their sum below 1",
                self.alpha, self.beta
            ));
        }
        Ok(self)
    }

    /// The ratio at which H0 is accepted.
    pub fn lower_bound(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The ratio at which H1 is accepted.
    pub fn upper_bound(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// What the ratio `llr` decides.
    pub fn decision(&self, llr: f64) -> Decision {
        if llr >= self.upper_bound() {
            Decision::AcceptH1
        } else if llr <= self.lower_bound() {
            Decision::AcceptH0
        } else {
            Decision::Continue
        }
    }

    /// How much of the way to the bound on its side `llr` has gone, 0 to 1 (beyond it, more).
    pub fn progress(&self, llr: f64) -> f64 {
        let bound = if llr >= 0.0 {
            self.upper_bound()
        } else {
            self.lower_bound().abs()
        };
        llr / bound
    }

    /// Does the model know pairs? Otherwise the test counts games.
    pub fn has_pairs(&self) -> bool {
        matches!(self.model, Model::Normalized | Model::Logistic)
    }

    /// The log-likelihood ratio of single games; zero without games.
    pub fn llr_of_games(&self, games: &Games) -> f64 {
        if games.total() == 0 {
            return 0.0;
        }
        let counts = games.counts();
        match self.model {
            Model::Normalized => self.normalized(&counts, 1.0),
            Model::Logistic => generalised(&counts, score_of(self.elo0), score_of(self.elo1)),
            Model::Bayesian => self.bayesian(&counts),
            Model::OpenBench => self.multinomial(&counts),
            Model::Cutechess => self.cutechess(&counts),
        }
    }

    /// The log-likelihood ratio of pairs, or `None` where the model knows games only.
    pub fn llr_of_pairs(&self, pairs: &Pairs) -> Option<f64> {
        if pairs.total() == 0 {
            return self.has_pairs().then_some(0.0);
        }
        match self.model {
            Model::Normalized => Some(self.normalized(&pairs.counts, 2.0)),
            Model::Logistic => Some(generalised(
                &pairs.counts,
                score_of(self.elo0),
                score_of(self.elo1),
            )),
            Model::Bayesian | Model::OpenBench | Model::Cutechess => None,
        }
    }

    /// `games` is the number of games of an item: an item's mean lies `sqrt(games)` times as many
    /// of its own standard deviations from one half as a game's does.
    fn normalized<const N: usize>(&self, counts: &[u64; N], games: f64) -> f64 {
        let sample = Sample::regularised(counts);
        let effect = |elo: f64| games.sqrt() * elo / NORMALIZED_UNIT;
        let p0 = sample.likeliest_with_effect(effect(self.elo0));
        let p1 = sample.likeliest_with_effect(effect(self.elo1));
        sample.log_ratio(&p0, &p1)
    }

    fn bayesian(&self, counts: &[u64; 3]) -> f64 {
        let [losses, _, wins] = *counts;
        if losses == 0 || wins == 0 {
            return 0.0;
        }
        let draw_elo = draw_elo(&counts.map(|n| n as f64));
        let score = |elo| {
            let [_, draw, win] = bayes_probabilities(elo, draw_elo);
            win + draw / 2.0
        };
        generalised(counts, score(self.elo0), score(self.elo1))
    }

    fn multinomial(&self, counts: &[u64; 3]) -> f64 {
        if counts.contains(&0) {
            return 0.0;
        }
        let counts = counts.map(|n| n as f64);
        bayes_ratio(&counts, draw_elo(&counts), self.elo0, self.elo1)
    }

    fn cutechess(&self, counts: &[u64; 3]) -> f64 {
        let counts = counts.map(|n| n as f64 + 0.5);
        let draw_elo = draw_elo(&counts);
        let x = 10f64.powf(-draw_elo / 400.0);
        let scale = 4.0 * x / ((1.0 + x) * (1.0 + x));
        bayes_ratio(&counts, draw_elo, self.elo0 / scale, self.elo1 / scale)
    }
}

/// BayesElo's draw parameter of counts in order loss, draw, win.
fn draw_elo(counts: &[f64; 3]) -> f64 {
    let total: f64 = counts.iter().sum();
    let (l, w) = (counts[0] / total, counts[2] / total);
    200.0 * ((1.0 - l) / l * (1.0 - w) / w).log10()
}

/// Probabilities of loss, draw and win in BayesElo's model.
fn bayes_probabilities(elo: f64, draw_elo: f64) -> [f64; 3] {
    let win = score_of(elo - draw_elo);
    let loss = score_of(-elo - draw_elo);
    [loss, 1.0 - win - loss, win]
}

fn bayes_ratio(counts: &[f64; 3], draw_elo: f64, elo0: f64, elo1: f64) -> f64 {
    let p0 = bayes_probabilities(elo0, draw_elo);
    let p1 = bayes_probabilities(elo1, draw_elo);
    let logs = std::array::from_fn(|i| (p1[i] / p0[i]).ln());
    dot(counts, &logs)
}

/// The generalised ratio of two mean scores.
fn generalised<const N: usize>(counts: &[u64; N], score0: f64, score1: f64) -> f64 {
    let sample = Sample::regularised(counts);
    let p0 = sample.likeliest_with_mean(score0);
    let p1 = sample.likeliest_with_mean(score1);
    sample.log_ratio(&p0, &p1)
}

/// Observed frequencies, none of them zero.
struct Sample<const N: usize> {
    number: f64,
    frequencies: [f64; N],
}

impl<const N: usize> Sample<N> {
    /// Weight of a category that never occurred, as fishtest and fastchess have it: with a zero
    /// the ratio would be unbounded.
    const UNSEEN: f64 = 0.001;

    fn regularised(counts: &[u64; N]) -> Sample<N> {
        let weights = counts.map(|n| if n == 0 { Self::UNSEEN } else { n as f64 });
        let number: f64 = weights.iter().sum();
        Sample {
            number,
            frequencies: weights.map(|n| n / number),
        }
    }

    fn log_ratio(&self, p0: &[f64; N], p1: &[f64; N]) -> f64 {
        let logs = std::array::from_fn(|i| (p1[i] / p0[i]).ln());
        self.number * dot(&self.frequencies, &logs)
    }

    /// The most likely distribution whose mean is `mean`.
    fn likeliest_with_mean(&self, mean: f64) -> [f64; N] {
        self.tilted(&category_scores::<N>().map(|a| a - mean))
    }

    /// The most likely distribution whose mean lies `effect` of its own standard deviations above
    /// one half. The condition is not linear, so it is linearised around the last approximation
    /// until that stands still.
    fn likeliest_with_effect(&self, effect: f64) -> [f64; N] {
        const ROUNDS: usize = 10;
        const STILL: f64 = 1e-4;
        let scores = category_scores::<N>();
        let mut p = [1.0 / N as f64; N];
        for _ in 0..ROUNDS {
            let mean = dot(&p, &scores);
            let variance = dot(&p, &scores.map(|a| (a - mean) * (a - mean)));
            let deviation = variance.sqrt();
            let next = self.tilted(&scores.map(|a| {
                let z = (a - mean) / deviation;
                a - 0.5 - 0.5 * effect * deviation * (1.0 + z * z)
            }));
            let change = (0..N).map(|i| (next[i] - p[i]).abs()).fold(0.0, f64::max);
            p = next;
            if change < STILL {
                break;
            }
        }
        p
    }

    /// The most likely distribution under which `phi` has the mean zero:
    /// `p_i = f_i / (1 + theta phi_i)` with theta such that the condition holds.
    fn tilted(&self, phi: &[f64; N]) -> [f64; N] {
        let theta = self.multiplier(phi);
        std::array::from_fn(|i| self.frequencies[i] / (1.0 + theta * phi[i]))
    }

    /// The root of `sum f_i phi_i / (1 + theta phi_i)`, which falls from plus to minus infinity
    /// between two poles: Newton's method, with bisection where it would leave the bracket.
    fn multiplier(&self, phi: &[f64; N]) -> f64 {
        let highest = phi.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let lowest = phi.iter().copied().fold(f64::INFINITY, f64::min);
        if !(lowest < 0.0 && highest > 0.0) {
            return 0.0;
        }
        let (mut low, mut high) = (-1.0 / highest, -1.0 / lowest);
        let tolerance = 1e-13 * (high - low);
        let mut theta = 0.0;
        for _ in 0..200 {
            let (value, slope) = self.condition(phi, theta);
            if value > 0.0 {
                low = theta;
            } else {
                high = theta;
            }
            let newton = theta - value / slope;
            let next = if newton > low && newton < high {
                newton
            } else {
                0.5 * (low + high)
            };
            let step = (next - theta).abs();
            theta = next;
            if step <= tolerance {
                break;
            }
        }
        theta
    }

    /// The sum to be zero, and its derivative by theta.
    fn condition(&self, phi: &[f64; N], theta: f64) -> (f64, f64) {
        let terms: [f64; N] = std::array::from_fn(|i| phi[i] / (1.0 + theta * phi[i]));
        let squares = terms.map(|t| t * t);
        (
            dot(&self.frequencies, &terms),
            -dot(&self.frequencies, &squares),
        )
    }
}

#[cfg(test)]
#[path = "sprt_tests.rs"]
mod tests;
