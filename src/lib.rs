//! Twofold: one alpha-beta search that plays two games, chess over UCI and xiangqi over UCCI.
//!
//! The layers, from the bottom up; each may use only those above it in this list:
//!
//! 1. [`game`]: the seam. Traits for rules and evaluation, and the types everybody shares.
//! 2. [`chess`] and [`xiangqi`]: the rules of each game.
//! 3. [`perft`]: counts the leaves of any game's tree of moves, which proves its rules.
//! 4. [`eval`]: static evaluation of both games.
//! 5. [`book`]: opening books of both games; [`tablebase`]: endgame tables of chess.
//! 6. [`search`]: the one search, generic over a game.
//! 7. [`games`]: rules and evaluation bundled, and the one run-time choice of a game.
//! 8. [`protocol`]: UCI and UCCI as text, without a game or a stream; [`output`]: the one writer;
//!    [`whole_file`]: files that are there whole or not at all; [`named_file`]: those that clients name.
//! 9. [`engine`]: the engine as a client sees it.
//! 10. [`arena`]: matches between engines, each a process of its own.
//! 11. [`datagen`]: games of the engine against itself, to learn an evaluation from.
//! 12. `train`, behind the feature of that name: networks learnt from those games.
//! 13. [`cli`]: the command line.

pub mod arena;
pub mod book;
pub mod chess;
pub mod cli;
pub mod datagen;
pub mod engine;
pub mod eval;
pub mod game;
pub mod games;
pub mod named_file;
pub mod output;
pub mod perft;
pub mod protocol;
pub mod search;
pub mod tablebase;
#[cfg(feature = "train")]
pub mod train;
pub mod whole_file;
pub mod xiangqi;
