//! The network in floating point: what it makes of positions, and how its parameters should
//! change.

use std::marker::PhantomData;

use arrayvec::ArrayVec;
use rayon::prelude::*;

use crate::datagen::Random;
use crate::eval::nnue::{Inputs, Kernel, OUTPUTS, Task, output_for};
use crate::game::Side;
use crate::train::{Meta, SampleSet};

/// Parts of a batch that have a gradient of their own. Fixed, so that sums do not depend on the
/// number of threads.
const PARTS: usize = 8;
/// Floats kept in registers while many rows pass by.
const TILE: usize = 64;
/// Independent sums of a dot product.
const LANES: usize = 16;

/// The parameters of a network, or a gradient: input rows, hidden bias, output weights (two rows
/// for each set of outputs), output biases.
pub struct Parameters<I: Inputs, const H: usize> {
    values: Vec<f32>,
    inputs: PhantomData<fn() -> I>,
}

impl<I: Inputs, const H: usize> Parameters<I, H> {
    const BIAS: usize = I::ROWS * H;
    const OUTPUTS: usize = Self::BIAS + H;
    const OUTPUT_BIASES: usize = Self::OUTPUTS + 2 * OUTPUTS * H;
    /// How many there are.
    pub const COUNT: usize = Self::OUTPUT_BIASES + OUTPUTS;

    /// All zero.
    pub fn zero() -> Self {
        Parameters {
            values: vec![0.0; Self::COUNT],
            inputs: PhantomData,
        }
    }

    /// Small random numbers, by which learning begins.
    pub fn random(seed: u64) -> Self {
        let mut random = Random::new(seed, u64::MAX);
        let mut uniform = |size: f32| {
            let unit = (random.bits() >> 40) as f32 / (1 << 24) as f32;
            (2.0 * unit - 1.0) * size
        };
        // Small, for what rare inputs are never taught must not disturb; the bias brings the hidden
        // layer into the range where it learns.
        let hidden = 0.03;
        let output = (1.0 / (2 * H) as f32).sqrt();
        let mut parameters = Self::zero();
        for value in &mut parameters.values[..Self::BIAS] {
            *value = uniform(hidden);
        }
        parameters.values[Self::BIAS..Self::OUTPUTS].fill(0.3);
        for value in &mut parameters.values[Self::OUTPUTS..Self::OUTPUT_BIASES] {
            *value = uniform(output);
        }
        parameters
    }

    /// The parameters with these values, if they are as many as there must be.
    pub fn from_values(values: Vec<f32>) -> Option<Self> {
        (values.len() == Self::COUNT).then_some(Parameters {
            values,
            inputs: PhantomData,
        })
    }

    /// All of them.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// All of them, to be changed.
    pub fn values_mut(&mut self) -> &mut [f32] {
        &mut self.values
    }

    /// So many of them, the first ones, must stay small, for the integers to come.
    pub const BOUNDED: usize = Self::OUTPUT_BIASES;

    /// The input rows.
    #[inline(always)]
    pub fn rows(&self) -> &[[f32; H]] {
        self.values[..Self::BIAS].as_chunks().0
    }

    /// The hidden bias.
    #[inline(always)]
    pub fn bias(&self) -> &[f32; H] {
        &self.values[Self::BIAS..Self::OUTPUTS].as_chunks().0[0]
    }

    /// The output weights of each look, for one set of outputs.
    #[inline(always)]
    pub fn outputs(&self, output: usize) -> [&[f32; H]; 2] {
        let rows = self.values[Self::OUTPUTS..Self::OUTPUT_BIASES]
            .as_chunks()
            .0;
        [&rows[2 * output], &rows[2 * output + 1]]
    }

    /// The output biases.
    #[inline(always)]
    pub fn output_biases(&self) -> &[f32] {
        &self.values[Self::OUTPUT_BIASES..]
    }
}

/// What the network should say of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Target {
    /// Centipawns for an output of 1; see [`fit_scale`](crate::train::fit_scale).
    pub scale: f32,
    /// How much the game's result counts, of 1; the rest is the search's score.
    pub result_share: f32,
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Target {
    fn of(&self, meta: &Meta) -> f32 {
        let score = sigmoid(f32::from(meta.score) / self.scale);
        self.result_share * meta.result + (1.0 - self.result_share) * score
    }
}

/// Rows of one look at a board.
type Look = ArrayVec<u16, 32>;

/// The rows of both looks at a sample, the side to move's first; `mirrored` turns the board left
/// to right.
#[inline(always)]
pub(super) fn looks<I: Inputs>(samples: &SampleSet, index: usize, mirrored: bool) -> [Look; 2] {
    let side = samples.meta(index).side;
    let men = samples.men(index);
    let place = |square| {
        if mirrored {
            I::mirrored(square)
        } else {
            square
        }
    };
    let mut views = [0; 2];
    for &(piece, square) in men {
        if let Some(owner) = I::king_of(piece) {
            views[owner.index()] = I::view(owner, place(square));
        }
    }
    [side, !side].map(|side: Side| {
        let view = views[side.index()];
        let row = |&(piece, square): &(u8, u8)| I::row(side, view, piece, place(square)) as u16;
        men.iter().take(32).map(row).collect()
    })
}

/// What the forward pass keeps for the backward pass.
struct Pass<const H: usize> {
    /// The hidden layer before its activation.
    hidden: [[f32; H]; 2],
    output: f32,
}

#[inline(always)]
fn forward<I: Inputs, const H: usize>(
    parameters: &Parameters<I, H>,
    looks: &[Look; 2],
    output: usize,
) -> Pass<H> {
    let mut hidden = [*parameters.bias(); 2];
    let rows = parameters.rows();
    for (hidden, look) in hidden.iter_mut().zip(looks) {
        for (index, tile) in hidden.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
            let mut sums = *tile;
            for row in look {
                let row = &rows[usize::from(*row)].as_chunks::<TILE>().0[index];
                for i in 0..TILE {
                    sums[i] += row[i];
                }
            }
            *tile = sums;
        }
    }
    let mut lanes = [0.0; LANES];
    for (hidden, weights) in hidden.iter().zip(parameters.outputs(output)) {
        let hidden = hidden.as_chunks::<LANES>().0;
        for (hidden, weights) in hidden.iter().zip(weights.as_chunks::<LANES>().0) {
            for i in 0..LANES {
                let value = hidden[i].clamp(0.0, 1.0);
                lanes[i] += value * value * weights[i];
            }
        }
    }
    let sum: f32 = lanes.iter().sum();
    Pass {
        hidden,
        output: sum + parameters.output_biases()[output],
    }
}

/// Adds to the gradient what the output's derivative of the loss makes of it.
#[inline(always)]
fn backward<I: Inputs, const H: usize>(
    parameters: &Parameters<I, H>,
    gradient: &mut Parameters<I, H>,
    looks: &[Look; 2],
    output: usize,
    pass: &Pass<H>,
    slope: f32,
) {
    let mut deltas = [[0.0; H]; 2];
    let weights = parameters.outputs(output);
    let (inner, outer) = gradient.values.split_at_mut(Parameters::<I, H>::OUTPUTS);
    let (rows, bias) = inner.split_at_mut(Parameters::<I, H>::BIAS);
    let (outputs, output_biases) = outer.split_at_mut(2 * OUTPUTS * H);
    output_biases[output] += slope;
    let outputs = &mut outputs.as_chunks_mut::<H>().0[2 * output..2 * output + 2];
    for look in 0..2 {
        let (hidden, weights) = (&pass.hidden[look], weights[look]);
        let (delta, to_output) = (&mut deltas[look], &mut outputs[look]);
        for i in 0..H {
            let value = hidden[i].clamp(0.0, 1.0);
            let inside = if value == hidden[i] { 2.0 * value } else { 0.0 };
            to_output[i] += slope * value * value;
            delta[i] = slope * weights[i] * inside;
        }
    }
    for i in 0..H {
        bias[i] += deltas[0][i] + deltas[1][i];
    }
    let rows = rows.as_chunks_mut::<H>().0;
    for (look, delta) in looks.iter().zip(&deltas) {
        for row in look {
            let row = &mut rows[usize::from(*row)];
            for i in 0..H {
                row[i] += delta[i];
            }
        }
    }
}

/// Some samples, by index, and how they are to be seen.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    /// Where they are.
    pub samples: &'a SampleSet,
    /// Which ones.
    pub indices: &'a [u32],
    /// Decides which ones are seen mirrored, where the game allows that; `None`: none.
    pub mirroring: Option<u64>,
}

impl<'a> Batch<'a> {
    fn parts(self) -> impl Iterator<Item = Batch<'a>> {
        let length = self.indices.len().div_ceil(PARTS).max(1);
        let parts = self.indices.chunks(length);
        parts.map(move |indices| Batch { indices, ..self })
    }

    #[inline(always)]
    fn is_mirrored<I: Inputs>(&self, index: u32) -> bool {
        I::SYMMETRIC
            && self.mirroring.is_some_and(|seed| {
                let mixed = (seed ^ u64::from(index)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                mixed >> 63 == 1
            })
    }
}

/// The forward and the backward pass over one part of a batch.
struct Study<'a, I: Inputs, const H: usize> {
    parameters: &'a Parameters<I, H>,
    gradient: Option<&'a mut Parameters<I, H>>,
    part: Batch<'a>,
    target: &'a Target,
}

impl<I: Inputs, const H: usize> Task for Study<'_, I, H> {
    /// The sum of the losses.
    type Output = f64;

    #[inline(always)]
    fn run(mut self) -> f64 {
        let samples = self.part.samples;
        let mut loss = 0.0;
        for &index in self.part.indices {
            let mirrored = self.part.is_mirrored::<I>(index);
            let index = index as usize;
            let looks = looks::<I>(samples, index, mirrored);
            let output = output_for(samples.men(index).len());
            let pass = forward(self.parameters, &looks, output);
            let said = sigmoid(pass.output);
            let error = said - self.target.of(samples.meta(index));
            loss += f64::from(error * error);
            if let Some(gradient) = &mut self.gradient {
                let slope = 2.0 * error * said * (1.0 - said);
                backward(self.parameters, gradient, &looks, output, &pass, slope);
            }
        }
        loss
    }
}

/// Room for the gradients of a batch.
pub struct Lessons<I: Inputs, const H: usize> {
    parts: Vec<Parameters<I, H>>,
    kernel: Kernel,
}

impl<I: Inputs, const H: usize> Lessons<I, H> {
    /// Room, and the best kernel.
    pub fn new() -> Self {
        Lessons {
            parts: (0..PARTS).map(|_| Parameters::zero()).collect(),
            kernel: Kernel::best(),
        }
    }

    /// The mean loss over a batch, and room filled with the gradients of the *sum* of its losses,
    /// in parts: see [`Lessons::gradients`].
    pub fn learn(
        &mut self,
        parameters: &Parameters<I, H>,
        batch: Batch<'_>,
        target: &Target,
    ) -> f64 {
        let kernel = self.kernel;
        let mut work: Vec<_> = self
            .parts
            .iter_mut()
            .zip(batch.parts().map(Some).chain(std::iter::repeat(None)))
            .collect();
        let losses: Vec<f64> = work
            .par_iter_mut()
            .map(|(gradient, part)| {
                gradient.values.fill(0.0);
                part.map_or(0.0, |part| {
                    kernel.run(Study {
                        parameters,
                        gradient: Some(gradient),
                        part,
                        target,
                    })
                })
            })
            .collect();
        losses.iter().sum::<f64>() / batch.indices.len().max(1) as f64
    }

    /// The gradients of the last batch: their sum is that of the batch.
    pub fn gradients(&self) -> Vec<&[f32]> {
        self.parts.iter().map(Parameters::values).collect()
    }

    /// The mean loss over a batch, learning nothing.
    pub fn loss(&self, parameters: &Parameters<I, H>, batch: Batch<'_>, target: &Target) -> f64 {
        let kernel = self.kernel;
        let parts: Vec<_> = batch.parts().collect();
        let losses: Vec<f64> = parts
            .into_par_iter()
            .map(|part| {
                kernel.run(Study {
                    parameters,
                    gradient: None,
                    part,
                    target,
                })
            })
            .collect();
        losses.iter().sum::<f64>() / batch.indices.len().max(1) as f64
    }

    /// The network's output for one sample as it is, in units of the scale.
    pub fn output(&self, parameters: &Parameters<I, H>, samples: &SampleSet, index: usize) -> f32 {
        let looks = looks::<I>(samples, index, false);
        forward(parameters, &looks, output_for(samples.men(index).len())).output
    }
}

impl<I: Inputs, const H: usize> Default for Lessons<I, H> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::chess::ChessInputs;
    use crate::eval::xiangqi::XiangqiInputs;
    use crate::game::{Notation, Outcome};
    use crate::train::sample::tests::{a_few, a_few_of_xiangqi};
    use std::collections::BTreeSet;

    const H: usize = 64;
    const TARGET: Target = Target {
        scale: 200.0,
        result_share: 0.4,
    };

    #[test]
    fn a_mirrored_look_is_that_at_the_mirrored_board() {
        let of = |fen: &str| {
            let mut samples = SampleSet::default();
            let position = <XiangqiInputs as Inputs>::Position::from_fen(fen).unwrap();
            samples.push::<XiangqiInputs>(&position, 0, Outcome::Draw);
            samples
        };
        let sets = [
            of("3k5/4a4/8r/9/2n6/9/4C4/4B4/9/4K4 w - - 0 1"),
            of("5k3/4a4/r8/9/6n2/9/4C4/4B4/9/4K4 w - - 0 1"),
        ];
        let sorted = |samples: &SampleSet, mirrored| {
            looks::<XiangqiInputs>(samples, 0, mirrored).map(|mut look| {
                look.sort_unstable();
                look
            })
        };
        assert_eq!(sorted(&sets[0], true), sorted(&sets[1], false));
        // The king in the middle does not say which way to look.
        assert_ne!(sorted(&sets[0], false)[0], sorted(&sets[1], false)[0]);
        let all: Vec<u32> = (0..64).collect();
        let batch = Batch {
            samples: &sets[0],
            indices: &all,
            mirroring: Some(5),
        };
        let mirrored = all
            .iter()
            .filter(|i| batch.is_mirrored::<XiangqiInputs>(**i));
        assert!((20..44).contains(&mirrored.count()));
        assert!(!all.iter().any(|i| batch.is_mirrored::<ChessInputs>(*i)));
    }

    fn batch(samples: &SampleSet) -> Batch<'_> {
        Batch {
            samples,
            indices: &[0, 1, 2, 3],
            mirroring: None,
        }
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        check_gradients::<ChessInputs>(batch(&a_few()));
        for mirroring in [1, 2, 3] {
            check_gradients::<XiangqiInputs>(Batch {
                mirroring: Some(mirroring),
                ..batch(&a_few_of_xiangqi())
            });
        }
    }

    fn check_gradients<I: Inputs>(batch: Batch<'_>) {
        type P<I> = Parameters<I, H>;
        let parameters = P::<I>::random(2);
        let mut lessons = Lessons::new();
        lessons.learn(&parameters, batch, &TARGET);
        let gradients = lessons.gradients();
        let gradient = |i: usize| gradients.iter().map(|part| part[i]).sum::<f32>();
        let loss_at = |i: usize, shift: f32| {
            let values = parameters.values().to_vec();
            let mut moved = P::<I>::from_values(values).unwrap();
            moved.values_mut()[i] += shift;
            4.0 * lessons.loss(&moved, batch, &TARGET)
        };
        // The weights of all pieces there are, and everything behind them.
        let looks = batch.indices.iter().flat_map(|index| {
            let mirrored = batch.is_mirrored::<I>(*index);
            looks::<I>(batch.samples, *index as usize, mirrored)
        });
        let rows: BTreeSet<usize> = looks.flatten().map(usize::from).collect();
        let weights = rows.iter().flat_map(|row| row * H..(row + 1) * H);
        let mut random = Random::new(1, 1);
        let mut picked: Vec<usize> = weights.collect();
        let mut others: Vec<usize> = (P::<I>::BIAS..P::<I>::COUNT).collect();
        random.shuffle(&mut picked);
        random.shuffle(&mut others);
        picked.truncate(400);
        picked.extend(&others[..400]);
        let mut checked = [0; 2];
        for i in picked {
            let shift = 2e-3;
            let slope = (loss_at(i, shift) - loss_at(i, -shift)) / f64::from(2.0 * shift);
            let exact = f64::from(gradient(i));
            let bound = 2e-4 + 0.02 * slope.abs();
            assert!((slope - exact).abs() < bound, "{i}: {slope} and {exact}");
            checked[usize::from(i >= P::<I>::BIAS)] += usize::from(exact.abs() > 1e-3);
        }
        assert!(checked.iter().all(|n| *n > 20), "{checked:?}");
    }

    #[test]
    fn every_kernel_learns_the_same() {
        let samples = a_few();
        let parameters = Parameters::<ChessInputs, H>::random(3);
        let mut results = Vec::new();
        for kernel in Kernel::all() {
            let mut lessons = Lessons::new();
            lessons.kernel = kernel;
            let loss = lessons.learn(&parameters, batch(&samples), &TARGET);
            let gradients: Vec<Vec<f32>> = lessons
                .gradients()
                .into_iter()
                .map(<[f32]>::to_vec)
                .collect();
            results.push((loss, gradients));
        }
        assert!(results.iter().all(|result| *result == results[0]));
    }

    #[test]
    fn a_step_against_the_gradient_helps() {
        let samples = a_few();
        let mut parameters = Parameters::<ChessInputs, H>::random(4);
        let mut lessons = Lessons::new();
        let first = lessons.learn(&parameters, batch(&samples), &TARGET);
        for _ in 0..150 {
            lessons.learn(&parameters, batch(&samples), &TARGET);
            for part in lessons.gradients() {
                for (value, slope) in parameters.values.iter_mut().zip(part) {
                    *value -= 0.02 * slope;
                }
            }
        }
        let last = lessons.loss(&parameters, batch(&samples), &TARGET);
        assert!(last < first / 4.0, "{first} to {last}");
    }
}
