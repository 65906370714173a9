//! The rules of chess and Chess960, on bitboards.
//!
//! [`Board`] is a position with its history and implements the traits of [`crate::game`];
//! [`State`] is one position without a past, which an evaluation reads. Moves are legal as they
//! are generated.
//!
//! From the bottom up: squares and sets of them, pieces and moves; attacks, looked up by PEXT or
//! magic multiplication; the state and how a move changes it; generation, legality, exchanges,
//! draws; text.

#![deny(unsafe_code)] // pext.rs alone allows it.

mod attacks;
mod bitboard;
mod blocked;
mod board;
mod castling;
mod draws;
mod fen;
mod generate;
mod keys;
mod legality;
mod magics;
mod make;
mod moves;
mod pext;
mod piece;
mod san;
mod see;
mod square;
mod state;
mod text;

pub use attacks::{
    PerLookup, SliderTask, Sliders, between, bishop_rays, kernel_name, king as king_attacks,
    knight as knight_attacks, line, pawn as pawn_attacks, pawns as pawns_attacks, rook_rays,
    with_sliders,
};
pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use castling::Wing;
pub use moves::{Move, MoveKind};
pub use piece::{Piece, PieceKind};
pub use see::EXCHANGE_VALUES;
pub use square::{File, Rank, Square};
pub use state::State;
