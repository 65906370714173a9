//! Positions and moves as text.

use thiserror::Error;

use crate::game::Arbiter;

/// How castling is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CastlingText {
    /// By the king's target, `e1g1`, as in normal chess.
    #[default]
    KingTarget,
    /// By the castling rook's square, `e1h1`, as in Chess960.
    KingTakesRook,
}

/// The number of the first rank in xiangqi moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RankBase {
    /// Ranks 0 to 9: UCCI, and all files of ours.
    #[default]
    Zero,
    /// Ranks 1 to 10: general UCI variant clients.
    One,
}

/// How a client wants moves and positions written. Each game reads what concerns it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TextStyle {
    /// Chess: how castling is written; with `KingTakesRook` FENs are Shredder-FENs.
    pub castling: CastlingText,
    /// Xiangqi: the number of the first rank.
    pub ranks: RankBase,
}

/// Why a FEN was refused; the message names what was found and what was expected.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct FenError(pub String);

/// Why a move text was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum MoveTextError {
    /// Not the form of a move at all.
    #[error("not a move")]
    Malformed,
    /// The form of a move, but not legal here.
    #[error("not legal here")]
    Illegal,
}

/// A game's position with its text: FEN and coordinate moves.
pub trait Notation: Arbiter {
    /// The position a game starts from.
    const START_FEN: &'static str;

    /// Reads a FEN, as tolerant of missing fields as the game's clients need.
    ///
    /// # Errors
    /// Whatever makes the text unreadable or the position unplayable.
    fn from_fen(fen: &str) -> Result<Self, FenError>;

    /// Writes the FEN.
    fn to_fen(&self, style: TextStyle) -> String;

    /// Reads a coordinate move that is legal here.
    ///
    /// # Errors
    /// A text that is no move, or a move that is not legal here.
    fn parse_move(&self, text: &str, style: TextStyle) -> Result<Self::Move, MoveTextError>;

    /// Writes a pseudo-legal move of this position in coordinates.
    fn write_move(&self, m: Self::Move, style: TextStyle) -> String;

    /// Writes a legal move of this position as game records do: SAN in chess; by default, in
    /// coordinates.
    fn write_record(&self, m: Self::Move) -> String {
        self.write_move(m, TextStyle::default())
    }

    /// Writes a legal move by the piece that makes it, as players note it down: SAN in chess, WXF
    /// in xiangqi; by default, as records write it.
    fn write_by_piece(&self, m: Self::Move) -> String {
        self.write_record(m)
    }

    /// Reads a legal move as game records write it, the inverse of [`Notation::write_record`].
    ///
    /// # Errors
    /// A text that is no move, or a move that is not legal here.
    fn parse_record(&self, text: &str) -> Result<Self::Move, MoveTextError> {
        self.parse_move(text, TextStyle::default())
    }

    /// The number of the move to be played, both sides' plies being one move.
    fn move_number(&self) -> u32;

    /// The board drawn with ASCII characters, several lines, ending in a line break; its ranks as
    /// the style counts them.
    fn diagram(&self, style: TextStyle) -> String;

    /// The squares of the pieces that give check, as text.
    fn checkers_text(&self, style: TextStyle) -> Vec<String>;

    /// The start position.
    fn start() -> Self {
        match Self::from_fen(Self::START_FEN) {
            Ok(position) => position,
            Err(_) => unreachable!("the start position is valid"),
        }
    }
}
