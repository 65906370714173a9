//! The arithmetic of a network: rows added to accumulators, and the output made of them.
//!
//! All of it in integers. An accumulator holds the hidden layer of one look at the board, scaled
//! by [`QA`]; output weights are scaled by [`QB`]. No sum can overflow: see
//! [`Network::read`](crate::eval::nnue::Network::read) for the bounds that are checked there.

use crate::eval::nnue::kernels::Task;

/// What stands for 1 in the hidden layer: the largest number whose square fits sixteen bits.
pub const QA: i16 = 181;
/// What stands for 1 in the output weights.
pub const QB: i16 = 256;
/// The largest output weight: so many squares of [`QA`], [`BLOCK`] times, are below 2^31.
pub const OUTPUT_WEIGHT_MAX: i16 = 511;

/// Elements whose output products are summed in 32 bits.
const BLOCK: usize = 128;

/// The hidden layer of one look at the board, or the weights of one input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Row<const H: usize>(pub [i16; H]);

/// `into = from + adds - subs`.
pub struct Update<'a, const H: usize, const ADDS: usize, const SUBS: usize> {
    /// The accumulator to be written.
    pub into: &'a mut Row<H>,
    /// The accumulator it follows from.
    pub from: &'a Row<H>,
    /// Rows of the inputs that appeared.
    pub adds: [&'a Row<H>; ADDS],
    /// Rows of those that disappeared.
    pub subs: [&'a Row<H>; SUBS],
}

impl<const H: usize, const ADDS: usize, const SUBS: usize> Task for Update<'_, H, ADDS, SUBS> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for i in 0..H {
            let mut value = self.from.0[i];
            for row in self.adds {
                value = value.wrapping_add(row.0[i]);
            }
            for row in self.subs {
                value = value.wrapping_sub(row.0[i]);
            }
            self.into.0[i] = value;
        }
    }
}

/// Elements kept in registers while many rows pass by.
const TILE: usize = 64;

/// Adds and subtracts any number of rows in place.
pub struct Revise<'a, const H: usize> {
    /// The accumulator.
    pub row: &'a mut Row<H>,
    /// The weights of all inputs.
    pub weights: &'a [Row<H>],
    /// Inputs that appeared.
    pub adds: &'a [u16],
    /// Inputs that disappeared.
    pub subs: &'a [u16],
}

impl<const H: usize> Task for Revise<'_, H> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        const { assert!(H.is_multiple_of(TILE), "no neuron is left out") };
        for (index, tile) in self.row.0.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
            let mut sums = *tile;
            for input in self.adds {
                let row = &self.weights[usize::from(*input)].0.as_chunks::<TILE>().0[index];
                for i in 0..TILE {
                    sums[i] = sums[i].wrapping_add(row[i]);
                }
            }
            for input in self.subs {
                let row = &self.weights[usize::from(*input)].0.as_chunks::<TILE>().0[index];
                for i in 0..TILE {
                    sums[i] = sums[i].wrapping_sub(row[i]);
                }
            }
            *tile = sums;
        }
    }
}

/// The output before its bias: squared clipped ReLU of both looks, times the weights. In units of
/// 1 / (QA^2 QB).
pub struct Output<'a, const H: usize> {
    /// The look of the side to move, and the other side's.
    pub looks: [&'a Row<H>; 2],
    /// The weights of each.
    pub weights: &'a [Row<H>; 2],
}

impl<const H: usize> Task for Output<'_, H> {
    type Output = i64;

    #[inline(always)]
    fn run(self) -> i64 {
        const { assert!(H.is_multiple_of(BLOCK), "no neuron is left out") };
        let mut sum = 0;
        for (look, weights) in self.looks.into_iter().zip(self.weights) {
            let values = look.0.as_chunks::<BLOCK>().0;
            let weights = weights.0.as_chunks::<BLOCK>().0;
            for (values, weights) in values.iter().zip(weights) {
                sum += i64::from(block_sum(values, weights));
            }
        }
        sum
    }
}

/// The square of a value fits sixteen bits, so that the compiler can multiply and add pairs in one
/// instruction.
#[inline(always)]
fn block_sum(values: &[i16; BLOCK], weights: &[i16; BLOCK]) -> i32 {
    let mut sum = 0;
    for i in 0..BLOCK {
        let value = values[i].clamp(0, QA);
        let square = value.wrapping_mul(value);
        sum += i32::from(square) * i32::from(weights[i]);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::nnue::kernels::Kernel;
    use crate::game::KeyStream;

    const H: usize = 256;

    fn rows(count: usize, size: i16) -> Vec<Row<H>> {
        let mut stream = KeyStream::new(11);
        let mut next = || {
            let (key, rest) = stream.next();
            stream = rest;
            ((key.0 % (2 * size as u64 + 1)) as i64 - i64::from(size)) as i16
        };
        (0..count)
            .map(|_| Row(std::array::from_fn(|_| next())))
            .collect()
    }

    #[test]
    fn every_kernel_updates_alike() {
        let rows = rows(6, 30_000);
        for kernel in Kernel::all() {
            let mut into = Row([7; H]);
            kernel.run(Update {
                into: &mut into,
                from: &rows[0],
                adds: [&rows[1], &rows[2]],
                subs: [&rows[3], &rows[4]],
            });
            let r = |n: usize, i| i32::from(rows[n].0[i]);
            for i in 0..H {
                let exact = r(0, i) + r(1, i) + r(2, i) - r(3, i) - r(4, i);
                assert_eq!(into.0[i], exact as i16, "{} at {i}", kernel.name());
            }
            let mut revised = rows[0];
            kernel.run(Revise {
                row: &mut revised,
                weights: &rows,
                adds: &[1, 2],
                subs: &[3, 4],
            });
            assert_eq!(revised, into, "{}", kernel.name());
        }
    }

    #[test]
    fn every_kernel_outputs_the_exact_sum() {
        let looks = rows(2, 600);
        let weights = rows(2, OUTPUT_WEIGHT_MAX);
        let extreme = [Row([QA; H]), Row([i16::MAX; H])];
        let most = [Row([OUTPUT_WEIGHT_MAX; H]); 2];
        let least = [Row([-OUTPUT_WEIGHT_MAX; H]); 2];
        let weights = [weights[0], weights[1]];
        let cases = [
            ([&looks[0], &looks[1]], &weights),
            ([&extreme[0], &extreme[1]], &most),
            ([&extreme[0], &extreme[1]], &least),
        ];
        for (looks, weights) in cases {
            let mut exact = 0;
            for (look, weights) in looks.into_iter().zip(weights) {
                for (value, weight) in look.0.iter().zip(weights.0) {
                    let value = i64::from(*value).clamp(0, i64::from(QA));
                    exact += value * value * i64::from(weight);
                }
            }
            for kernel in Kernel::all() {
                let sum = kernel.run(Output { looks, weights });
                assert_eq!(sum, exact, "{}", kernel.name());
            }
        }
    }
}
