//! The rules of xiangqi on a padded mailbox board.
//!
//! Read [`square`] first (the board's geometry), then [`Placement`] (what stands where), then
//! [`Board`] (a placement with a side to move and a history), which implements the traits of
//! [`crate::game`]. Move generation is pseudo-legal; the legality test costs next to nothing for
//! most moves (see [`checks`]).
//!
//! Nothing here knows search, evaluation or protocols.
#![forbid(unsafe_code)]

mod board;
pub mod chase;
pub mod checks;
mod chinese;
mod fen;
pub mod generate;
mod judge;
mod keys;
mod make;
mod moves;
mod piece;
mod placement;
mod reading;
mod relative;
mod see;
pub mod square;
pub mod steps;
mod text;
pub mod trace;
mod values;
mod verdict;
mod wxf;

pub use board::{Board, Ply};
pub use judge::{Judgement, Level};
pub use moves::Move;
pub use piece::{Cell, Ids, Man, Piece, PieceKind};
pub use placement::{Placement, TooMany};
pub use square::{Mailbox, Square};
pub use values::piece_value;
