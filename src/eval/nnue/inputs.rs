//! What a network sees of a game.

use crate::game::{GameId, Position, Side};

/// How a game's positions become a network's inputs.
///
/// The network looks at the board twice, once from each side. Each look sees all pieces as "own"
/// or "other", the board turned so that the own side plays upwards, and in a *view* that depends
/// on where the own king stands: most of all whether the board is mirrored left to right, so that
/// the network need learn one half only. An input is a piece on a square in a view, and has one
/// row of weights.
pub trait Inputs: 'static {
    /// The positions.
    type Position: Position;
    /// The game.
    const GAME: GameId;
    /// How many views there are.
    const VIEWS: usize;
    /// How many rows of weights there are.
    const ROWS: usize;
    /// The name of this set of inputs. Networks are only good for the one they were trained on.
    const NAME: &'static str;
    /// May the board be mirrored left to right without changing its value?
    const SYMMETRIC: bool;
    /// The evaluation fades to nothing as the move-count limit comes near: it would reach zero
    /// after this many plies.
    const FADE: i32;

    /// Whose king this piece is.
    fn king_of(piece: u8) -> Option<Side>;
    /// The view of a side whose king stands here. Below [`Inputs::VIEWS`].
    fn view(side: Side, king: u8) -> u8;
    /// The row of a piece on a square, in a view of this side. Below [`Inputs::ROWS`].
    fn row(side: Side, view: u8, piece: u8, square: u8) -> usize;
    /// The square, mirrored left to right.
    fn mirrored(square: u8) -> u8;
    /// How many pieces there are.
    fn count(position: &Self::Position) -> usize;
    /// Shows every piece and its square.
    fn each_piece(position: &Self::Position, visit: impl FnMut(u8, u8));
}

/// Sets of output weights, one for each range of the number of pieces.
pub const OUTPUTS: usize = 8;

/// The output weights for a position with so many pieces, of 2 to 32.
pub const fn output_for(pieces: usize) -> usize {
    let index = pieces.saturating_sub(2) / 4;
    if index < OUTPUTS { index } else { OUTPUTS - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_share_the_numbers_of_pieces() {
        assert_eq!([2, 5, 6, 29, 32].map(output_for), [0, 0, 1, 6, 7]);
    }
}
