//! Static evaluation of both games.
//!
//! By hand: material and piece-square tables kept up to date move by move, and a few terms
//! computed when asked. Each game's values lie in its `values.rs` and its terms in `terms.rs`.
//! Or by a network ([`nnue`]), which sees the game through its `inputs.rs`. All arithmetic is in
//! integers, so that every machine gets the same score.
#![deny(unsafe_code)] // Only the network's kernels need it.

pub mod chess;
mod either;
pub mod nnue;
mod sums;
mod tapered;
pub mod xiangqi;

pub use either::Either;
pub use tapered::Tapered;
