//! Static evaluation of both games, hand-crafted: material and piece-square tables kept up to
//! date move by move, and a few terms computed when asked.
//!
//! Each game's values lie in its `values.rs` and its terms in `terms.rs`. All arithmetic is in
//! integers, so that every machine gets the same score.
#![forbid(unsafe_code)]

pub mod chess;
mod sums;
mod tapered;
pub mod xiangqi;

pub use tapered::Tapered;
