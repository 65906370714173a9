//! Learning networks from self-play games; behind the feature `train`.
//!
//! From games to samples: `filter.rs` says which positions are learnt from, `sample.rs` keeps
//! them compactly, `origin.rs` tells where the games come from, `scale.rs` fits what a score
//! means for the result. Learning: `net.rs` is the forward and backward pass, `optimiser.rs` the
//! step, `session.rs` the loop over epochs, `checkpoint.rs` what an interrupted one goes on from.
//! `export.rs` rounds the result to integers and proves that the engine computes with them what
//! the trainer meant.
//!
//! All sums run in a fixed order, whatever the number of threads and the vector instructions, so
//! that a seed always gives the same network.
#![forbid(unsafe_code)]

mod checkpoint;
mod export;
mod filter;
mod net;
mod optimiser;
mod origin;
mod sample;
mod scale;
mod session;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use export::{Agreement, ExportError, check_agreement, quantise, restore};
pub use filter::Filter;
pub use net::{Batch, Lessons, Parameters, Target};
pub use optimiser::{Optimiser, Schedule};
pub use origin::Origins;
pub use sample::{Collection, Meta, SampleSet, collect, game_files};
pub use scale::fit_scale;
pub use session::{Epoch, Plan, Session};
