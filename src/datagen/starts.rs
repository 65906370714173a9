//! Positions from which games start, before their random moves.

use crate::datagen::Random;
use crate::game::GameId;

/// Percent of chess games that start from a position of Chess960, so that the evaluation knows
/// them too.
const CHESS960_PERCENT: usize = 10;
/// How many start positions Chess960 has.
const CHESS960_COUNT: usize = 960;

/// Where openings begin, before their random moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Starts {
    /// At the game's usual array, in chess sometimes at one of Chess960.
    #[default]
    Usual,
    /// At any of these positions (FEN), each as often.
    Book(Vec<String>),
}

impl Starts {
    /// The FEN of a start; `None` for the game's usual array.
    pub(super) fn draw(&self, game: GameId, random: &mut Random) -> Option<String> {
        match self {
            Starts::Book(fens) if !fens.is_empty() => Some(fens[random.below(fens.len())].clone()),
            _ => unusual_start(game, random),
        }
    }
}

/// The FEN of a start other than the game's usual one; `None` for that one.
fn unusual_start(game: GameId, random: &mut Random) -> Option<String> {
    match game {
        GameId::Chess => random
            .chance(CHESS960_PERCENT)
            .then(|| chess960_fen(random.below(CHESS960_COUNT))),
        GameId::Xiangqi => None,
    }
}

/// The start position with this number, below 960, in the numbering of R. Scharnagl, by which
/// 518 is that of normal chess.
fn chess960_fen(number: usize) -> String {
    let white: String = back_rank(number).into_iter().collect();
    let black = white.to_lowercase();
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1")
}

fn back_rank(number: usize) -> [char; 8] {
    let mut rank = [None; 8];
    rank[number % 4 * 2 + 1] = Some('B');
    rank[number / 4 % 4 * 2] = Some('B');
    put_on_free(&mut rank, number / 16 % 6, 'Q');
    // The knights' places among the five that are left, in lexicographic order.
    let pairs = (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b)));
    if let Some((first, second)) = pairs.clone().nth(number / 96) {
        put_on_free(&mut rank, second, 'N');
        put_on_free(&mut rank, first, 'N');
    }
    for piece in ['R', 'K', 'R'] {
        put_on_free(&mut rank, 0, piece);
    }
    rank.map(|piece| piece.unwrap_or('?'))
}

/// Puts a piece on the free square with this number, counted from the left.
fn put_on_free(rank: &mut [Option<char>; 8], number: usize, piece: char) {
    let free = rank
        .iter_mut()
        .filter(|square| square.is_none())
        .nth(number);
    debug_assert!(free.is_some(), "no such free square");
    if let Some(square) = free {
        *square = Some(piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Notation};
    use crate::games::Chess;
    use std::collections::HashSet;

    #[test]
    fn number_518_is_normal_chess() {
        type Board = <Chess as Game>::Position;
        assert_eq!(chess960_fen(518), Board::START_FEN);
        assert_eq!(back_rank(0), ['B', 'B', 'Q', 'N', 'N', 'R', 'K', 'R']);
        assert_eq!(back_rank(959), ['R', 'K', 'R', 'N', 'N', 'Q', 'B', 'B']);
    }

    #[test]
    fn all_960_differ_and_keep_the_rules() {
        let ranks: HashSet<_> = (0..CHESS960_COUNT).map(back_rank).collect();
        assert_eq!(ranks.len(), CHESS960_COUNT);
        for rank in ranks {
            let places = |piece| -> Vec<usize> { (0..8).filter(|i| rank[*i] == piece).collect() };
            let (rooks, bishops) = (places('R'), places('B'));
            let king = places('K')[0];
            assert!(rooks[0] < king && king < rooks[1], "{rank:?}");
            assert_eq!((bishops[0] + bishops[1]) % 2, 1, "{rank:?}");
            assert_eq!(places('N').len(), 2);
        }
    }
}
