//! A network as search sees it.

use std::fmt::Write;
use std::sync::Arc;

use crate::eval::nnue::accumulator::Accumulators;
use crate::eval::nnue::inputs::{Inputs, OUTPUTS, output_for};
use crate::eval::nnue::kernels::Kernel;
use crate::eval::nnue::weights::Network;
use crate::game::{Evaluator, Observer, Position, Score};

/// Evaluates positions by a network with `H` neurons for each look.
pub struct Nnue<I: Inputs, const H: usize> {
    network: Arc<Network<I, H>>,
    kernel: Kernel,
    accumulators: Accumulators<I, H>,
}

impl<I: Inputs, const H: usize> Nnue<I, H> {
    /// An evaluator with this network and the best kernel; see [`Evaluator::reset`].
    pub fn new(network: Arc<Network<I, H>>) -> Self {
        Self::with_kernel(network, Kernel::best())
    }

    /// As [`Nnue::new`], with another kernel.
    pub fn with_kernel(network: Arc<Network<I, H>>, kernel: Kernel) -> Self {
        let accumulators = Accumulators::new(&network);
        Nnue {
            network,
            kernel,
            accumulators,
        }
    }

    /// The network's output with these output weights, in centipawns for the side to move.
    fn output(&mut self, position: &I::Position, output: usize) -> i32 {
        let looks = self
            .accumulators
            .looks(&self.network, self.kernel, position);
        let own = position.side_to_move().index();
        let looks = [&looks[own], &looks[1 - own]];
        self.network.output(self.kernel, looks, output)
    }
}

impl<I: Inputs, const H: usize> Observer for Nnue<I, H> {
    #[inline]
    fn put(&mut self, piece: u8, square: u8) {
        self.accumulators.put(piece, square);
    }

    #[inline]
    fn lift(&mut self, piece: u8, square: u8) {
        self.accumulators.lift(piece, square);
    }
}

impl<I: Inputs, const H: usize> Evaluator<I::Position> for Nnue<I, H> {
    fn reset(&mut self, position: &I::Position) {
        self.accumulators.reset(position);
    }

    #[inline]
    fn enter(&mut self) {
        self.accumulators.enter();
    }

    #[inline]
    fn leave(&mut self) {
        self.accumulators.leave();
    }

    fn evaluate(&mut self, position: &I::Position) -> Score {
        let output = output_for(I::count(position));
        let own = self.output(position, output);
        let clock = i32::from(position.halfmove_clock());
        Score(own * (I::FADE - clock).max(0) / I::FADE).clamp_eval()
    }

    fn explain(&mut self, position: &I::Position) -> String {
        let used = output_for(I::count(position));
        let mut text = format!("network    {}\n", self.network.info().description);
        text.push_str("pieces     | side to move\n");
        for output in 0..OUTPUTS {
            let value = f64::from(self.output(position, output)) / 100.0;
            let (least, most) = (4 * output + 2, (4 * output + 5).min(32));
            let mark = if output == used { "  <- used" } else { "" };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{least:>2} to {most:>2}   | {value:>7.2}{mark}");
        }
        text
    }
}
