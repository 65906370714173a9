//! Static evaluation as search sees it, and the bundle that makes a game.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::game::{Book, BookRefused, Notation, Position, Score, Tablebase, TablesRefused};

/// Which game, where the type is not at hand: tunables, headers, options.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum GameId {
    /// Chess, Chess960 included.
    Chess,
    /// Xiangqi, Chinese chess.
    Xiangqi,
}

impl GameId {
    /// Both games.
    pub const ALL: [GameId; 2] = [GameId::Chess, GameId::Xiangqi];
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameId::Chess => "chess",
            GameId::Xiangqi => "xiangqi",
        })
    }
}

/// Told of every piece that enters or leaves a square, by dense piece and square index.
/// `()` listens to nothing, at no cost.
pub trait Observer {
    /// `piece` now stands on `square`.
    fn put(&mut self, piece: u8, square: u8);
    /// `piece` left `square`, by its own move or by capture.
    fn lift(&mut self, piece: u8, square: u8);
}

impl Observer for () {
    #[inline(always)]
    fn put(&mut self, _piece: u8, _square: u8) {}
    #[inline(always)]
    fn lift(&mut self, _piece: u8, _square: u8) {}
}

/// A static evaluation that may keep sums of its own, a stack of them by ply.
///
/// Order of calls around a move: [`Evaluator::enter`], `position.make(m, &mut evaluator)`, ...,
/// `position.unmake()`, [`Evaluator::leave`]. A null move needs neither.
pub trait Evaluator<P: Position>: Observer + Send {
    /// Starts afresh from this position.
    fn reset(&mut self, position: &P);
    /// Opens a ply, before make.
    fn enter(&mut self);
    /// Drops the ply, after unmake.
    fn leave(&mut self);
    /// The static evaluation for the side to move, within the evaluation band.
    fn evaluate(&mut self, position: &P) -> Score;
    /// The evaluation explained for a human reader: its terms as a table of ASCII text.
    fn explain(&mut self, position: &P) -> String;
}

/// No file of weights is larger than this, in bytes.
pub const WEIGHTS_BYTES_MAX: u64 = 64 << 20;

/// Why a file of weights was refused; the message names what was found and what was expected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct WeightsRefused(pub String);

/// Endgame tables, opened.
pub struct Tables<P: Position> {
    /// The tables.
    pub tables: Arc<dyn Tablebase<P>>,
    /// What they are, in one line.
    pub summary: String,
    /// What was refused and why, a line each.
    pub refused: Vec<String>,
}

/// Everything that makes one playable game.
pub trait Game: 'static {
    /// Which game this is.
    const ID: GameId;
    /// Its rules and notation.
    type Position: Notation;
    /// Its evaluation.
    type Evaluator: Evaluator<Self::Position>;
    /// What the evaluation can be exchanged for at run time; the default is the game's own.
    type Weights: Clone + Default + Send + Sync + 'static;
    /// Reads weights from the bytes of a file.
    ///
    /// # Errors
    /// Why they are of no use here.
    fn weights(file: &[u8]) -> Result<Self::Weights, WeightsRefused>;
    /// The weights of the small evaluation by hand: the baseline, and what the first network is
    /// learnt from.
    fn by_hand() -> Self::Weights;
    /// A fresh evaluator; call [`Evaluator::reset`] before use.
    fn evaluator(weights: &Self::Weights) -> Self::Evaluator;

    /// Reads an opening book from the bytes of a file.
    ///
    /// # Errors
    /// Why it is of no use here; by default, that the game has no books.
    fn book(_file: Vec<u8>) -> Result<Box<dyn Book<Self::Position>>, BookRefused> {
        Err(BookRefused("this game has no books".to_owned()))
    }

    /// Opens the endgame tables of a path. `None` if the game has none at all.
    ///
    /// # Errors
    /// Why there is none to be used.
    fn tablebase(_path: &str) -> Result<Option<Tables<Self::Position>>, TablesRefused> {
        Ok(None)
    }
}
