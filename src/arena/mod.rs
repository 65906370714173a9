//! The match runner: engines, each a process of its own, play each other; our own rules judge.
//!
//! From results to numbers: [`stats`], [`elo`], [`sprt`].
#![deny(unsafe_code)]

pub mod elo;
pub mod random;
pub mod sprt;
pub mod stats;
