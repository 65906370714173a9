//! Twofold: one alpha-beta search that plays two games, chess over UCI and xiangqi over UCCI.
//!
//! The layers, from the bottom up; each may use only those above it in this list:
//!
//! 1. [`game`]: the seam. Traits for rules and evaluation, and the types everybody shares.
//! 2. [`chess`] and [`xiangqi`]: the rules of each game.
//! 3. [`perft`]: counts the leaves of any game's tree of moves, which proves its rules.
//! 4. [`eval`]: static evaluation of both games.
//! 5. [`search`]: the one search, generic over a game.
//! 6. [`games`]: rules and evaluation bundled, and the one run-time choice of a game.
//! 7. [`protocol`]: UCI and UCCI as text, without a game or a stream; [`output`]: the one writer.
//! 8. [`engine`]: the engine as a client sees it.
//! 9. [`arena`]: matches between engines, each a process of its own.
//! 10. [`datagen`]: games of the engine against itself, to learn an evaluation from.
//! 11. `train`, behind the feature of that name: networks learnt from those games.
//! 12. [`cli`]: the command line.

pub mod arena;
pub mod chess;
pub mod cli;
pub mod datagen;
pub mod engine;
pub mod eval;
pub mod game;
pub mod games;
pub mod output;
pub mod perft;
pub mod protocol;
pub mod search;
#[cfg(feature = "train")]
pub mod train;
pub mod xiangqi;
