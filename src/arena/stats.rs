//! Counts of results, by game and by pair of games, and their moments.
//!
//! A *pair* is two games from one opening with colours swapped. The two results of a pair are not
//! independent, since a lopsided opening helps first the one side and then the other, so a pair is
//! the unit of the better statistics: five outcomes, hence *pentanomial*. All counts are seen by
//! the first of the two engines.

use std::ops::AddAssign;

/// The result of one game for the engine in question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Points {
    /// A lost game: 0.
    Loss,
    /// A drawn game: one half.
    Draw,
    /// A won game: 1.
    Win,
}

impl Points {
    /// Half points: 0, 1 or 2.
    pub fn halves(self) -> usize {
        self as usize
    }

    /// The same game seen by the opponent.
    pub fn mirrored(self) -> Points {
        match self {
            Points::Loss => Points::Win,
            Points::Draw => Points::Draw,
            Points::Win => Points::Loss,
        }
    }
}

/// Games by result.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Games {
    /// Won games.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Lost games.
    pub losses: u64,
}

impl Games {
    /// Counts one more game.
    pub fn add(&mut self, result: Points) {
        match result {
            Points::Win => self.wins += 1,
            Points::Draw => self.draws += 1,
            Points::Loss => self.losses += 1,
        }
    }

    /// Number of games.
    pub fn total(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points made: one for a win, one half for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The same games seen by the opponent.
    pub fn mirrored(&self) -> Games {
        Games {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
        }
    }

    /// Share of drawn games; `NaN` without games.
    pub fn draw_ratio(&self) -> f64 {
        self.draws as f64 / self.total() as f64
    }

    /// The counts in order of rising score: losses, draws, wins.
    pub fn counts(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }
}

impl AddAssign for Games {
    fn add_assign(&mut self, other: Games) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Finished pairs by result.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Pairs {
    /// Two losses; a loss and a draw; an even pair; a win and a draw; two wins.
    pub counts: [u64; 5],
    /// Those of the even pairs that are a win and a loss, not two draws.
    pub won_and_lost: u64,
}

impl Pairs {
    /// Counts one more pair.
    pub fn add(&mut self, first: Points, second: Points) {
        self.counts[first.halves() + second.halves()] += 1;
        if first != Points::Draw && first == second.mirrored() {
            self.won_and_lost += 1;
        }
    }

    /// Number of pairs.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The same pairs seen by the opponent.
    pub fn mirrored(&self) -> Pairs {
        let mut counts = self.counts;
        counts.reverse();
        Pairs {
            counts,
            won_and_lost: self.won_and_lost,
        }
    }

    /// Share of even pairs; `NaN` without pairs.
    pub fn draw_ratio(&self) -> f64 {
        self.counts[2] as f64 / self.total() as f64
    }

    /// Pairs won over pairs lost; infinite where none is lost.
    pub fn pairs_ratio(&self) -> f64 {
        let [ll, ld, _, wd, ww] = self.counts;
        (ww + wd) as f64 / (ld + ll) as f64
    }

    /// Even pairs of a win and a loss over even pairs of two draws: how much the openings, not the
    /// engines, decide.
    pub fn decisive_ratio(&self) -> f64 {
        self.won_and_lost as f64 / (self.counts[2] - self.won_and_lost) as f64
    }
}

impl AddAssign for Pairs {
    fn add_assign(&mut self, other: Pairs) {
        for (mine, theirs) in self.counts.iter_mut().zip(other.counts) {
            *mine += theirs;
        }
        self.won_and_lost += other.won_and_lost;
    }
}

/// The scores of the `N` categories: 0, 1/2, 1 of games, 0, 1/4, ..., 1 of pairs.
pub fn category_scores<const N: usize>() -> [f64; N] {
    std::array::from_fn(|i| i as f64 / (N - 1) as f64)
}

/// Number, mean and variance of a sample of scores.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Moments {
    /// Size of the sample.
    pub number: f64,
    /// Mean score, in `0..=1`; `NaN` of an empty sample.
    pub mean: f64,
    /// Population variance (divisor: the number); `NaN` of an empty sample.
    pub variance: f64,
}

impl Moments {
    /// The moments of `counts` in order of rising score.
    pub fn of<const N: usize>(counts: &[u64; N]) -> Moments {
        let weights = counts.map(|n| n as f64);
        let number: f64 = weights.iter().sum();
        let scores = category_scores::<N>();
        let mean = dot(&weights, &scores) / number;
        let squares = scores.map(|a| (a - mean) * (a - mean));
        Moments {
            number,
            mean,
            variance: dot(&weights, &squares) / number,
        }
    }

    /// Standard error of the mean.
    pub fn standard_error(&self) -> f64 {
        (self.variance / self.number).sqrt()
    }
}

/// The sum of the products.
pub fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_their_sum_and_even_ones_apart() {
        use Points::{Draw, Loss, Win};
        let mut pairs = Pairs::default();
        for (a, b) in [
            (Loss, Loss),
            (Draw, Loss),
            (Win, Loss),
            (Loss, Win),
            (Draw, Draw),
            (Win, Draw),
            (Win, Win),
        ] {
            pairs.add(a, b);
        }
        assert_eq!(pairs.counts, [1, 1, 3, 1, 1]);
        assert_eq!(pairs.won_and_lost, 2);
        assert_eq!(pairs.decisive_ratio(), 2.0);
        assert_eq!(pairs.mirrored().counts, [1, 1, 3, 1, 1]);
    }

    #[test]
    fn ratios_of_the_worked_examples() {
        let p5 = Pairs {
            counts: [12, 120, 260, 150, 18],
            won_and_lost: 120,
        };
        assert!((p5.draw_ratio() - 0.464_286).abs() < 1e-6);
        assert!((p5.pairs_ratio() - 1.272_727).abs() < 1e-6);
        let p7 = Pairs {
            counts: [43, 61, 144, 55, 37],
            won_and_lost: 0,
        };
        assert!((p7.draw_ratio() - 0.4235).abs() < 1e-4);
        assert!((p7.pairs_ratio() - 0.8846).abs() < 1e-4);
        let none_lost = Pairs {
            counts: [0, 0, 1, 1, 0],
            won_and_lost: 0,
        };
        assert_eq!(none_lost.pairs_ratio(), f64::INFINITY);
    }

    #[test]
    fn moments_of_the_worked_examples() {
        let close = |a: f64, b: f64| (a - b).abs() < 1e-6;
        let e5 = Moments::of(&[20, 40, 40]);
        assert!(close(e5.mean, 0.6) && close(e5.variance, 0.14));
        let p5 = Moments::of(&[12, 120, 260, 150, 18]);
        assert!(close(p5.mean, 0.51875) && close(p5.variance, 0.043_175_2));
        let p4 = Moments::of(&[1, 4, 10, 6, 3]);
        assert!(close(p4.mean, 0.5625) && close(p4.variance, 0.063_802_1));
    }
}
