//! How parameters follow their gradients: AdamW (I. Loshchilov and F. Hutter, 2019), its learning
//! rate warmed up and then lowered along a cosine.

use std::f32::consts::PI;

use rayon::prelude::*;

use crate::eval::nnue::{Kernel, Task};

/// Decay of the mean gradient, of the mean squared gradient, and what keeps the quotient finite:
/// the method's usual values.
const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// Bounded parameters stay within this, so that they fit the engine's integers.
pub(super) const BOUND: f32 = 1.98;
/// The learning rate falls to this share of its peak.
const LAST_SHARE: f32 = 0.01;
/// Parameters a task works on at a time.
const CHUNK: usize = 1 << 14;

/// The learning rate over time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Schedule {
    /// The highest learning rate.
    pub peak: f32,
    /// Steps until it is reached.
    pub warm_up: u64,
    /// All steps.
    pub steps: u64,
}

impl Schedule {
    /// The learning rate of a step, counted from 0.
    pub fn rate(&self, step: u64) -> f32 {
        if step < self.warm_up {
            return self.peak * (step + 1) as f32 / self.warm_up as f32;
        }
        let rest = self.steps.saturating_sub(self.warm_up).max(1);
        let gone = (step - self.warm_up) as f32 / rest as f32;
        let cosine = 0.5 + 0.5 * (PI * gone.min(1.0)).cos();
        self.peak * (LAST_SHARE + (1.0 - LAST_SHARE) * cosine)
    }
}

/// The state of AdamW.
#[derive(Clone, PartialEq, Debug)]
pub struct Optimiser {
    /// Steps taken.
    pub step: u64,
    /// The mean gradient of each parameter, decaying.
    pub means: Vec<f32>,
    /// The mean squared gradient.
    pub squares: Vec<f32>,
}

/// One step for some of the parameters.
struct Step<'a> {
    values: &'a mut [f32],
    means: &'a mut [f32],
    squares: &'a mut [f32],
    gradients: &'a [&'a [f32]],
    /// What a sum of gradients is multiplied with.
    share: f32,
    rate: f32,
    /// The usual corrections of young means.
    corrections: [f32; 2],
}

impl Task for Step<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let length = self.values.len();
        let (means, squares) = (&mut self.means[..length], &mut self.squares[..length]);
        let mut sums = [0.0; CHUNK];
        let sums = &mut sums[..length];
        for part in self.gradients {
            for (sum, slope) in sums.iter_mut().zip(&part[..length]) {
                *sum += slope;
            }
        }
        for i in 0..length {
            let slope = sums[i] * self.share;
            means[i] = BETA1 * means[i] + (1.0 - BETA1) * slope;
            squares[i] = BETA2 * squares[i] + (1.0 - BETA2) * slope * slope;
            let mean = means[i] * self.corrections[0];
            let size = (squares[i] * self.corrections[1]).sqrt() + EPSILON;
            self.values[i] -= self.rate * mean / size;
        }
    }
}

impl Optimiser {
    /// The state before the first step of so many parameters.
    pub fn new(count: usize) -> Optimiser {
        Optimiser {
            step: 0,
            means: vec![0.0; count],
            squares: vec![0.0; count],
        }
    }

    /// Takes a step by the sum of these gradients times `share`. The first `bounded`
    /// parameters decay by `decay` times the learning rate, and stay within bounds.
    pub fn step(
        &mut self,
        values: &mut [f32],
        gradients: &[&[f32]],
        share: f32,
        rate: f32,
        decay: f32,
        bounded: usize,
    ) {
        self.step += 1;
        let correction = |beta: f32| 1.0 / (1.0 - beta.powf(self.step as f32));
        let corrections = [correction(BETA1), correction(BETA2)];
        let kernel = Kernel::best();
        let chunks = values.par_chunks_mut(CHUNK);
        let chunks = chunks.zip(self.means.par_chunks_mut(CHUNK));
        let chunks = chunks.zip(self.squares.par_chunks_mut(CHUNK));
        chunks
            .enumerate()
            .for_each(|(index, ((values, means), squares))| {
                let from = index * CHUNK;
                let parts: Vec<&[f32]> = gradients.iter().map(|part| &part[from..]).collect();
                let left = bounded.saturating_sub(from).min(values.len());
                for value in &mut values[..left] {
                    *value *= 1.0 - decay * rate;
                }
                kernel.run(Step {
                    values: &mut *values,
                    means,
                    squares,
                    gradients: &parts,
                    share,
                    rate,
                    corrections,
                });
                for value in &mut values[..left] {
                    *value = value.clamp(-BOUND, BOUND);
                }
            });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_and_falls() {
        let schedule = Schedule {
            peak: 1.0,
            warm_up: 10,
            steps: 110,
        };
        assert_eq!(schedule.rate(0), 0.1);
        assert_eq!(schedule.rate(9), 1.0);
        assert_eq!(schedule.rate(10), 1.0);
        assert!((schedule.rate(60) - 0.505).abs() < 1e-3);
        assert!((schedule.rate(110) - LAST_SHARE).abs() < 1e-3);
    }

    #[test]
    fn the_bottom_of_a_valley_is_found() {
        // (x - 1)^2 + 100 (y + 0.5)^2, and a third parameter that wants to leave its bounds.
        let mut values = vec![0.0, 0.0, 0.0, 0.0];
        let mut optimiser = Optimiser::new(4);
        for _ in 0..2000 {
            let slopes = [
                2.0 * (values[0] - 1.0),
                200.0 * (values[1] + 0.5),
                values[2] - 50.0,
                values[3] - 50.0,
            ];
            let half: Vec<f32> = slopes.iter().map(|slope| slope / 2.0).collect();
            optimiser.step(&mut values, &[&half, &half], 1.0, 0.05, 0.0, 3);
        }
        assert!((values[0] - 1.0).abs() < 1e-2, "{values:?}");
        assert!((values[1] + 0.5).abs() < 1e-2, "{values:?}");
        assert_eq!(values[2], BOUND);
        assert!(values[3] > 10.0, "{values:?}");
    }

    #[test]
    fn first_step_is_the_rate_whatever_the_slope() {
        let mut values = vec![0.0, 0.0];
        let mut optimiser = Optimiser::new(2);
        optimiser.step(&mut values, &[&[1e-3, -40.0]], 1.0, 0.01, 0.5, 2);
        assert!((values[0] + 0.01).abs() < 1e-6 && (values[1] - 0.01).abs() < 1e-6);
    }
}
