//! The seam between games and search: interfaces and the few types both sides share.
//!
//! Nothing here knows the rules of any game or how a tree is searched. A game implements
//! [`Position`] (its rules as search needs them), [`Arbiter`] (how a real game ends) and
//! [`Notation`] (text in and out), and pairs itself with an [`Evaluator`] in a [`Game`] bundle.
#![forbid(unsafe_code)]

mod book;
mod ending;
mod evaluator;
mod moves;
mod notation;
mod position;
mod record;
mod rules;
mod score;
mod side;
mod squares;
mod tablebase;
mod zobrist;

pub use book::{Book, BookMove, BookRefused, choose};
pub use ending::{Arbiter, Ending, Outcome, Reason};
pub use evaluator::{Evaluator, Game, GameId, Observer, Tables, WEIGHTS_BYTES_MAX, WeightsRefused};
pub use moves::{MAX_MOVES, MoveList, PackedMove};
pub use notation::{CastlingText, FenError, MoveTextError, Notation, RankBase, TextStyle};
pub use position::{Position, Stalemate, Step, Verdict, Wanted};
pub use record::{Link, Record};
pub use rules::{RepetitionRule, Rules, UnknownRule};
pub use score::{Depth, MAX_PLY, Score};
pub use side::Side;
pub use squares::SquareSet;
pub use tablebase::{RootAdvice, Tablebase, TablesRefused, Wdl};
pub use zobrist::{Key, KeyStream};
