//! Twofold: one alpha-beta search that plays two games, chess over UCI and xiangqi over UCCI.
//!
//! The layers, from the bottom up; each may use only those above it in this list:
//!
//! 1. [`game`]: the seam. Traits for rules and evaluation, and the types everybody shares.

pub mod arena;
pub mod game;
