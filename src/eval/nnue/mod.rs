//! Evaluation by a small neural network that follows the moves ("NNUE": Y. Nasu, 2018).
//!
//! Each side's look at the board (see [`Inputs`]) goes through one hidden layer, kept up to date
//! move by move (`accumulator.rs`); the two looks, the side to move's first, go through a squared
//! clipped ReLU into one number (`layers.rs`), with weights that depend on how many pieces are
//! left. The loops are compiled for several instruction sets (`kernels.rs`), which all give the
//! same integers. `weights.rs` is the file format.

mod accumulator;
mod evaluator;
mod inputs;
mod kernels;
mod layers;
mod weights;

pub use evaluator::Nnue;
pub use inputs::{Inputs, OUTPUTS, output_for};
pub use kernels::{Kernel, Task};
pub use layers::{OUTPUT_WEIGHT_MAX, Output, QA, QB, Revise, Row, Update};
pub use weights::{Network, NetworkInfo, RawWeights, SCALES, WeightsError};
