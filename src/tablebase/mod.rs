//! Syzygy tablebases for chess: who wins an endgame of few pieces, and how soon a capture or a
//! pawn move comes ("distance to zeroing").
//!
//! The files are R. de Man's: `.rtbw` for win, draw and loss, `.rtbz` for distances. No byte of
//! them is trusted. A file is refused before use if its name, magic, size or header is not right;
//! a damaged one that is found out later answers nothing. They are read piece by piece at given
//! offsets rather than mapped, so that one that shrinks meanwhile cannot end the program.
//!
//! - [`folder`]: the files of a path, checked.
//! - [`material`]: the pieces of a table, by its name.
//! - [`file`]: the header of a file; [`pairs`]: its compressed values.
//! - [`squares`] and [`arrangement`]: the number of a position within a table.
//! - [`probe`]: values of positions, captures and pawn moves considered; [`root`]: of moves.
#![forbid(unsafe_code)]

mod arrangement;
mod bytes;
mod file;
mod folder;
mod material;
mod pairs;
mod probe;
mod root;
mod squares;

pub use folder::Syzygy;
