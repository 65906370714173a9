//! Twofold: one alpha-beta search that plays two games, chess over UCI and xiangqi over UCCI.
//!
//! The layers, from the bottom up; each may use only those above it in this list:
//!
//! 1. [`game`]: the seam. Traits for rules and evaluation, and the types everybody shares.
//! 2. [`chess`] and [`xiangqi`]: the rules of each game.
//! 3. [`perft`]: counts the leaves of any game's tree of moves, which proves its rules.
//! 4. [`eval`]: static evaluation of both games.
//! 5. [`games`]: each game as a bundle of rules and evaluation, and the choice between them.
//! 6. [`search`]: the one search, generic over a game.

pub mod chess;
pub mod eval;
pub mod game;
pub mod games;
pub mod perft;
pub mod search;
pub mod xiangqi;
