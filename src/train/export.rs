//! From floating point to the engine's integers, and the proof that nothing else changed.

use thiserror::Error;

use crate::eval::nnue::{
    Inputs, Kernel, Network, OUTPUT_WEIGHT_MAX, OUTPUTS, QA, QB, RawWeights, Revise, WeightsError,
    output_for,
};
use crate::train::net::{Lessons, Parameters, looks};
use crate::train::sample::SampleSet;

/// How far the engine may be from its own weights without any rounding, in centipawns. It rounds
/// towards zero twice: the sum when it is divided by `QA`, by less than one of the units that a
/// scale is `QA * QB` of; and the centipawns, by less than one. The last term is far more than what
/// four operations in 64-bit floats can be off, by which [`exact`] and its scale end.
fn bound(scale: f64) -> f64 {
    1.0 + scale / (f64::from(QA) * f64::from(QB)) + 1e-6
}

/// How well integers and floating point agree, in centipawns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Agreement {
    /// Positions compared.
    pub positions: usize,
    /// The largest difference between the engine and the same, rounded weights computed exactly.
    pub arithmetic: f64,
    /// The mean difference between the engine and the weights as they were learnt.
    pub rounding: f64,
}

/// Why a network is of no use.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum ExportError {
    /// The engine would refuse it.
    #[error(transparent)]
    Refused(#[from] WeightsError),
    /// The engine computes something else.
    #[error("the engine is {0:.2} centipawns off what was learnt")]
    Disagreement(f64),
    /// Not as many weights as the trainer has.
    #[error("{found} weights, expected {expected}")]
    Count {
        /// Weights there are.
        found: usize,
        /// Weights there ought to be.
        expected: usize,
    },
}

/// The parameters in the engine's units, rounded.
pub fn quantise<I: Inputs, const H: usize>(parameters: &Parameters<I, H>) -> RawWeights<H> {
    let (qa, qb) = (f32::from(QA), f32::from(QB));
    let hidden = |row: &[f32; H]| row.map(|value| (value * qa).round() as i16);
    let most = f32::from(OUTPUT_WEIGHT_MAX);
    let output = |row: &[f32; H]| row.map(|v| (v * qb).round().clamp(-most, most) as i16);
    RawWeights {
        rows: parameters.rows().iter().map(hidden).collect(),
        bias: hidden(parameters.bias()),
        outputs: std::array::from_fn(|index| parameters.outputs(index).map(output)),
        output_biases: std::array::from_fn(|index| {
            (parameters.output_biases()[index] * qa * qb).round() as i32
        }),
    }
}

/// The parameters that a network's file stands for, to learn on from.
///
/// # Errors
/// When the engine would refuse it.
pub fn restore<I: Inputs, const H: usize>(file: &[u8]) -> Result<Parameters<I, H>, ExportError> {
    back(&Network::<I, H>::read(file)?.raw())
}

/// The engine's weights as floating point sees them.
fn back<I: Inputs, const H: usize>(raw: &RawWeights<H>) -> Result<Parameters<I, H>, ExportError> {
    let (qa, qb) = (f32::from(QA), f32::from(QB));
    let mut values = Vec::with_capacity(Parameters::<I, H>::COUNT);
    let hidden = raw.rows.iter().chain([&raw.bias]).flatten();
    values.extend(hidden.map(|weight| f32::from(*weight) / qa));
    let outputs = raw.outputs.iter().flatten().flatten();
    values.extend(outputs.map(|weight| f32::from(*weight) / qb));
    values.extend(raw.output_biases.map(|bias| bias as f32 / qa / qb));
    let found = values.len();
    Parameters::from_values(values).ok_or(ExportError::Count {
        found,
        expected: Parameters::<I, H>::COUNT,
    })
}

/// Compares the engine with the trainer on these samples.
///
/// # Errors
/// When they differ by more than rounding explains, or the engine refuses the file.
pub fn check_agreement<I: Inputs, const H: usize>(
    file: &[u8],
    parameters: &Parameters<I, H>,
    samples: &SampleSet,
) -> Result<Agreement, ExportError> {
    let network = Network::<I, H>::read(file)?;
    let scale = f64::from(network.info().scale);
    let lessons = Lessons::<I, H>::new();
    let rounded = quantise(parameters);
    let mut agreement = Agreement {
        positions: samples.len(),
        arithmetic: 0.0,
        rounding: 0.0,
    };
    for index in 0..samples.len() {
        let engine = f64::from(evaluate(&network, samples, index));
        let same = exact::<I, H>(&rounded, samples, index) * scale;
        let learnt = f64::from(lessons.output(parameters, samples, index)) * scale;
        agreement.arithmetic = agreement.arithmetic.max((engine - same).abs());
        agreement.rounding += (engine - learnt).abs() / samples.len() as f64;
    }
    match agreement.arithmetic <= bound(scale) {
        true => Ok(agreement),
        false => Err(ExportError::Disagreement(agreement.arithmetic)),
    }
}

/// What these weights make of a sample, in units of the scale: the engine's arithmetic, written
/// down plainly and without its roundings. All sums are exact; those of 32-bit floats, which
/// learning is done with, are not good enough to judge the engine by where weights and scale are
/// large.
fn exact<I: Inputs, const H: usize>(
    weights: &RawWeights<H>,
    samples: &SampleSet,
    index: usize,
) -> f64 {
    let (qa, qb) = (f64::from(QA), f64::from(QB));
    let output = output_for(samples.men(index).len());
    let mut sum = 0;
    for (look, to_output) in looks::<I>(samples, index, false)
        .iter()
        .zip(&weights.outputs[output])
    {
        for (i, to_output) in to_output.iter().enumerate() {
            let inputs = look.iter().map(|row| weights.rows[usize::from(*row)][i]);
            let hidden: i32 = inputs.chain([weights.bias[i]]).map(i32::from).sum();
            let value = i64::from(hidden.clamp(0, i32::from(QA)));
            sum += value * value * i64::from(*to_output);
        }
    }
    (sum as f64 / qa + f64::from(weights.output_biases[output])) / (qa * qb)
}

/// What the engine says of a sample, in centipawns.
fn evaluate<I: Inputs, const H: usize>(
    network: &Network<I, H>,
    samples: &SampleSet,
    index: usize,
) -> i32 {
    let kernel = Kernel::best();
    let [own, other] = looks::<I>(samples, index, false).map(|look| {
        let mut row = *network.bias();
        kernel.run(Revise {
            row: &mut row,
            weights: network.rows(),
            adds: &look,
            subs: &[],
        });
        row
    });
    let output = output_for(samples.men(index).len());
    debug_assert!(output < OUTPUTS);
    network.output(kernel, [&own, &other], output)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::chess::ChessInputs;
    use crate::eval::nnue::Nnue;
    use crate::game::{Evaluator, Game, Notation};
    use crate::games::Chess;
    use crate::train::sample::tests::a_few;
    use std::sync::Arc;

    const H: usize = 128;
    type Net = Network<ChessInputs, H>;

    #[test]
    fn a_network_comes_back_as_it_was_written() {
        let raw = quantise(&Parameters::<ChessInputs, H>::random(7));
        let file = Net::write(&raw, 300, "");
        let restored = restore::<ChessInputs, H>(&file).unwrap();
        assert_eq!(quantise(&restored), raw);
    }

    #[test]
    fn the_engine_computes_what_was_learnt() {
        let samples = a_few();
        for seed in 0..5 {
            let parameters = Parameters::<ChessInputs, H>::random(seed);
            let file = Net::write(&quantise(&parameters), 400, "test");
            let agreement = check_agreement(&file, &parameters, &samples).unwrap();
            assert_eq!(agreement.positions, 4);
            assert!(agreement.rounding < 6.0, "{agreement:?}");
        }
    }

    /// Weights as large as learning allows, of both signs.
    fn extreme(seed: u64) -> Parameters<ChessInputs, H> {
        let mut parameters = Parameters::random(seed);
        for value in parameters.values_mut() {
            *value = (*value * 1e3).clamp(-1.98, 1.98);
        }
        parameters
    }

    #[test]
    fn the_engine_agrees_at_every_scale_however_large_the_weights() {
        let samples = a_few();
        for (scale, seed) in [(1, 1), (400, 2), (4_000, 3), (4_000, 4)] {
            let parameters = extreme(seed);
            let file = Net::write(&quantise(&parameters), scale, "test");
            let agreement = check_agreement(&file, &parameters, &samples).unwrap();
            assert!(agreement.arithmetic < 1.09, "{agreement:?}");
        }
    }

    #[test]
    fn the_trainer_means_what_is_compared_with_the_engine() {
        let (samples, lessons) = (a_few(), Lessons::<ChessInputs, H>::new());
        for seed in 0..5 {
            let raw = quantise(&Parameters::<ChessInputs, H>::random(seed));
            let rounded = back::<ChessInputs, H>(&raw).unwrap();
            for index in 0..samples.len() {
                let same = exact::<ChessInputs, H>(&raw, &samples, index);
                let learnt = f64::from(lessons.output(&rounded, &samples, index));
                assert!((same - learnt).abs() < 1e-5, "{same} and {learnt}");
            }
        }
    }

    #[test]
    fn too_few_weights_are_refused() {
        let mut raw = quantise(&Parameters::<ChessInputs, H>::random(7));
        raw.rows.pop();
        let refused = back::<ChessInputs, H>(&raw).err().unwrap();
        assert!(matches!(refused, ExportError::Count { found, expected } if found + H == expected));
    }

    #[test]
    fn an_error_a_little_larger_than_the_roundings_is_noticed() {
        let samples = a_few();
        let parameters = Parameters::<ChessInputs, H>::random(1);
        let mut raw = quantise(&parameters);
        // Three centipawns at this scale.
        let off = 3 * i32::from(QA) * i32::from(QB) / 4_000;
        raw.output_biases = raw.output_biases.map(|bias| bias + off);
        let file = Net::write(&raw, 4_000, "test");
        let refused = check_agreement(&file, &parameters, &samples).unwrap_err();
        assert!(matches!(refused, ExportError::Disagreement(_)));
    }

    #[test]
    fn the_evaluator_says_the_same() {
        let mut samples = SampleSet::default();
        let parameters = Parameters::<ChessInputs, H>::random(1);
        let file = Net::write(&quantise(&parameters), 400, "test");
        let network = Arc::new(Net::read(&file).unwrap());
        let mut evaluator = Nnue::new(network.clone());
        let fens = [
            "r3k2r/pp3ppp/2n5/8/8/2N5/PPP2PPP/2KR3R w kq - 0 1",
            "6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1",
        ];
        for (index, fen) in fens.into_iter().enumerate() {
            let position = <Chess as Game>::Position::from_fen(fen).unwrap();
            samples.push::<ChessInputs>(&position, 0, crate::game::Outcome::Draw);
            evaluator.reset(&position);
            let said = evaluator.evaluate(&position).0;
            assert_eq!(said, evaluate(&network, &samples, index));
        }
    }

    #[test]
    fn another_network_is_noticed() {
        let samples = a_few();
        let parameters = Parameters::<ChessInputs, H>::random(1);
        let mut raw = quantise(&parameters);
        raw.output_biases = raw
            .output_biases
            .map(|bias| bias + i32::from(QA) * i32::from(QB));
        let file = Net::write(&raw, 400, "test");
        let refused = check_agreement(&file, &parameters, &samples).unwrap_err();
        assert!(matches!(refused, ExportError::Disagreement(off) if off > 300.0));
    }
}
