//! Rating differences from results: Elo, normalized Elo, their errors, likelihood of superiority.
//!
//! Logistic Elo maps a score to a rating difference, `e(s) = -400 log10(1/s - 1)`. Normalized Elo
//! measures the score in standard deviations of a game instead, so that it does not depend on how
//! many games are drawn. Errors are half widths of 95 % intervals. What cannot be told from the
//! sample is `NaN`; an all-won sample is `inf`.

use crate::arena::stats::{Games, Moments, Pairs};

/// Half width of a 95 % interval in standard deviations.
const Z95: f64 = 1.959_963_984_540_054;

/// Normalized Elo of one standard deviation: 800 / ln 10, which makes it equal to logistic Elo
/// where no game is drawn and the players are equal.
pub const NORMALIZED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// The expected score at a logistic rating difference.
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The logistic rating difference of a score; infinite at 0 and 1, `NaN` outside.
pub fn elo_of(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The distribution function of the standard normal distribution.
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / std::f64::consts::SQRT_2)
}

/// A rating difference estimated from results.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Logistic Elo.
    pub elo: f64,
    /// Half width of its 95 % interval.
    pub elo_error: f64,
    /// Normalized Elo.
    pub normalized: f64,
    /// Half width of its 95 % interval.
    pub normalized_error: f64,
    /// Likelihood of superiority, 0 to 1.
    pub superiority: f64,
}

impl Estimate {
    /// From single games (trinomial).
    pub fn from_games(games: &Games) -> Estimate {
        Estimate::new(Moments::of(&games.counts()), 1.0)
    }

    /// From pairs of games (pentanomial).
    pub fn from_pairs(pairs: &Pairs) -> Estimate {
        Estimate::new(Moments::of(&pairs.counts), 2.0)
    }

    /// `games` is the number of games of one item of the sample: the deviation of a game is
    /// `sqrt(games)` times the deviation of an item.
    fn new(sample: Moments, games: f64) -> Estimate {
        let error = sample.standard_error();
        let per_game = sample.variance.sqrt() * games.sqrt();
        let normalized = |difference: f64| NORMALIZED_UNIT * difference / per_game;
        let spread = error > 0.0;
        let only_if_spread = |x: f64| if spread { x } else { f64::NAN };
        Estimate {
            elo: elo_of(sample.mean),
            elo_error: half_width(sample.mean, Z95 * error),
            normalized: only_if_spread(normalized(sample.mean - 0.5)),
            normalized_error: only_if_spread(normalized(Z95 * error)),
            superiority: only_if_spread(normal_cdf((sample.mean - 0.5) / error)),
        }
    }
}

/// Half the Elo distance between the ends of an interval of scores, where both ends are scores.
fn half_width(mean: f64, radius: f64) -> f64 {
    let (low, high) = (mean - radius, mean + radius);
    if low > 0.0 && high < 1.0 {
        (elo_of(high) - elo_of(low)) / 2.0
    } else {
        f64::NAN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative 1e-5, or half a unit of the last printed digit.
    fn assert_close(found: f64, wanted: f64, digits: i32, what: &str) {
        if wanted.is_nan() || wanted.is_infinite() {
            assert_eq!(found.to_string(), wanted.to_string(), "{what}");
            return;
        }
        let tolerance = (wanted.abs() * 1e-5).max(0.6 * 10f64.powi(-digits));
        assert!(
            (found - wanted).abs() <= tolerance,
            "{what}: {found}, not {wanted}"
        );
    }

    fn assert_estimate(found: Estimate, row: [f64; 5], what: &str) {
        assert_close(found.elo, row[0], 4, what);
        assert_close(found.elo_error, row[1], 4, what);
        assert_close(found.normalized, row[2], 4, what);
        assert_close(found.normalized_error, row[3], 4, what);
        assert_close(100.0 * found.superiority, row[4], 3, what);
    }

    #[test]
    fn estimates_from_games() {
        const INF: f64 = f64::INFINITY;
        const NAN: f64 = f64::NAN;
        // Wins, losses, draws; Elo, error, nElo, error, LOS in per cent.
        let rows = [
            (
                [76, 89, 123],
                [-15.6935, 30.4580, -20.7564, 40.1260, 15.5326],
            ),
            ([136, 96, 111], [40.7025, 30.4272, 49.7684, 36.7685, 99.601]),
            ([34, 356, 0], [-407.9884, 63.1645, -508.4353, 34.4818, 0.0]),
            (
                [5, 3, 12],
                [34.86007, 98.70351, 55.634219, 152.267561, 76.303979],
            ),
            (
                [40, 20, 40],
                [70.436504, 53.552651, 92.856066, 68.096123, 99.623684],
            ),
            (
                [100, 80, 220],
                [17.386278, 22.866894, 25.968555, 34.048062, 93.252584],
            ),
            ([10, 0, 0], [INF, NAN, NAN, NAN, NAN]),
        ];
        for ([wins, losses, draws], row) in rows {
            let games = Games {
                wins,
                draws,
                losses,
            };
            assert_estimate(Estimate::from_games(&games), row, &format!("{games:?}"));
        }
    }

    #[test]
    fn estimates_from_pairs() {
        let rows = [
            (
                [34, 54, 63, 64, 75],
                [55.5798, 27.6534, 57.9356, 28.2754, 99.997],
            ),
            (
                [332, 433, 498, 333, 334],
                [-8.6427, 10.3342, -9.1729, 10.9605, 5.047],
            ),
            (
                [7895, 8757, 5685, 568, 9999],
                [-21.0435, 2.9453, -19.0128, 2.6545, 0.0],
            ),
            (
                [1, 4, 10, 6, 3],
                [43.657788, 72.414953, 60.788565, 98.288288, 88.727884],
            ),
            (
                [12, 120, 260, 150, 18],
                [13.034947, 11.980077, 22.168856, 20.347609, 98.363557],
            ),
            (
                [40, 300, 700, 350, 50],
                [8.446278, 7.507271, 14.283947, 12.688963, 98.631950],
            ),
            (
                [43, 61, 144, 55, 37],
                [-9.19897, 20.92724, -11.49805, 26.11367, 19.40722],
            ),
            (
                [78, 2504, 5251, 2695, 95],
                [3.67956, 2.45935, 6.99036, 4.67180, 99.83197],
            ),
            (
                [0, 0, 1, 1, 0],
                [88.7395, 136.2705, 245.674, 340.481, 92.135],
            ),
        ];
        for (counts, row) in rows {
            let pairs = Pairs {
                counts,
                won_and_lost: 0,
            };
            assert_estimate(Estimate::from_pairs(&pairs), row, &format!("{counts:?}"));
        }
    }

    #[test]
    fn scores_of_ratings() {
        for (elo, score) in [
            (0.0, 0.5),
            (1.0, 0.501_439_1),
            (5.0, 0.507_195_1),
            (10.0, 0.514_387_2),
            (100.0, 0.640_065_0),
            (400.0, 0.909_090_9),
        ] {
            assert!((score_of(elo) - score).abs() < 5e-8, "{elo}");
            assert!((score_of(-elo) - (1.0 - score)).abs() < 5e-8, "-{elo}");
            assert!((elo_of(score_of(elo)) - elo).abs() < 1e-9, "{elo}");
        }
        assert_eq!(elo_of(0.0), f64::NEG_INFINITY);
        assert_eq!(elo_of(1.0), f64::INFINITY);
    }

    #[test]
    fn the_opponent_sees_the_mirror_image() {
        for counts in [[1, 4, 10, 6, 3], [12, 120, 260, 150, 18], [0, 0, 1, 1, 0]] {
            let pairs = Pairs {
                counts,
                won_and_lost: 0,
            };
            let here = Estimate::from_pairs(&pairs);
            let there = Estimate::from_pairs(&pairs.mirrored());
            assert!((here.elo + there.elo).abs() < 1e-9);
            assert!((here.elo_error - there.elo_error).abs() < 1e-9);
            assert!((here.normalized + there.normalized).abs() < 1e-9);
            assert!((here.superiority + there.superiority - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn no_games_no_panic() {
        assert!(Estimate::from_games(&Games::default()).elo.is_nan());
        assert!(Estimate::from_pairs(&Pairs::default()).normalized.is_nan());
    }
}
