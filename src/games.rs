//! The games of this binary, and the one place where a game is chosen at run time.
#![forbid(unsafe_code)]

use std::sync::Arc;

use once_cell::sync::Lazy;

use crate::book::Format;
use crate::chess;
use crate::eval::Either;
use crate::eval::chess::{ChessEvaluator, ChessInputs};
use crate::eval::nnue::{Inputs, Network, Nnue};
use crate::eval::xiangqi::{XiangqiEvaluator, XiangqiInputs};
use crate::game::{
    Book, BookRefused, Game, GameId, Tablebase, Tables, TablesRefused, WeightsRefused,
};
use crate::tablebase::Syzygy;
use crate::xiangqi;

/// Neurons of the chess network for each look at the board.
pub const CHESS_HIDDEN: usize = 256;
/// Neurons of the xiangqi network for each look at the board.
pub const XIANGQI_HIDDEN: usize = 256;
/// Networks of chess.
pub type ChessNetwork = Network<ChessInputs, CHESS_HIDDEN>;
/// Networks of xiangqi.
pub type XiangqiNetwork = Network<XiangqiInputs, XIANGQI_HIDDEN>;

/// The built-in networks, as files. That of chess may be chosen for a build: see `build.rs`.
const CHESS_NET: &[u8] = include_bytes!(env!("TWOFOLD_CHESS_NET"));
const XIANGQI_NET: &[u8] = include_bytes!("../nets/xiangqi.net");

/// What a game evaluates with: a network, or the small evaluation by hand that the first
/// networks were bootstrapped from.
pub struct Weights<I: Inputs, const H: usize>(Option<Arc<Network<I, H>>>);

impl<I: Inputs, const H: usize> Clone for Weights<I, H> {
    fn clone(&self) -> Self {
        Weights(self.0.clone())
    }
}

impl<I: Inputs, const H: usize> Weights<I, H> {
    /// No network: the evaluation by hand.
    const BY_HAND: Self = Weights(None);

    fn read(file: &[u8]) -> Result<Self, WeightsRefused> {
        let network = Network::read(file).map_err(|error| WeightsRefused(error.to_string()))?;
        Ok(Weights(Some(Arc::new(network))))
    }

    /// The built-in network. A test holds it to be sound; were it not, the evaluation by hand.
    fn built_in(file: &[u8]) -> Self {
        Self::read(file).unwrap_or(Self::BY_HAND)
    }

    /// The network in use, if any.
    pub fn network(&self) -> Option<&Arc<Network<I, H>>> {
        self.0.as_ref()
    }
}

impl Default for Weights<ChessInputs, CHESS_HIDDEN> {
    fn default() -> Self {
        static BUILT_IN: Lazy<Weights<ChessInputs, CHESS_HIDDEN>> =
            Lazy::new(|| Weights::built_in(CHESS_NET));
        BUILT_IN.clone()
    }
}

impl Default for Weights<XiangqiInputs, XIANGQI_HIDDEN> {
    fn default() -> Self {
        static BUILT_IN: Lazy<Weights<XiangqiInputs, XIANGQI_HIDDEN>> =
            Lazy::new(|| Weights::built_in(XIANGQI_NET));
        BUILT_IN.clone()
    }
}

/// Chess, Chess960 included.
pub struct Chess;

impl Game for Chess {
    const ID: GameId = GameId::Chess;
    type Position = chess::Board;
    type Evaluator = Either<ChessEvaluator, Nnue<ChessInputs, CHESS_HIDDEN>>;
    type Weights = Weights<ChessInputs, CHESS_HIDDEN>;

    fn weights(file: &[u8]) -> Result<Self::Weights, WeightsRefused> {
        Weights::read(file)
    }

    fn by_hand() -> Self::Weights {
        Weights::BY_HAND
    }

    fn evaluator(weights: &Self::Weights) -> Self::Evaluator {
        match weights.network() {
            Some(network) => Either::Other(Nnue::new(network.clone())),
            None => Either::One(ChessEvaluator::new()),
        }
    }

    fn book(file: Vec<u8>) -> Result<Box<dyn Book<chess::Board>>, BookRefused> {
        <chess::Board as Format>::open(file)
    }

    fn tablebase(path: &str) -> Result<Option<Tables<chess::Board>>, TablesRefused> {
        let (tables, refused) = Syzygy::open(path)?;
        let [results, distances] = tables.files();
        let most = tables.largest();
        let summary =
            format!("{results} tables of results and {distances} of distances, up to {most} men");
        Ok(Some(Tables {
            tables: Arc::new(tables),
            summary,
            refused,
        }))
    }
}

/// Xiangqi.
pub struct Xiangqi;

impl Game for Xiangqi {
    const ID: GameId = GameId::Xiangqi;
    type Position = xiangqi::Board;
    type Evaluator = Either<XiangqiEvaluator, Nnue<XiangqiInputs, XIANGQI_HIDDEN>>;
    type Weights = Weights<XiangqiInputs, XIANGQI_HIDDEN>;

    fn weights(file: &[u8]) -> Result<Self::Weights, WeightsRefused> {
        Weights::read(file)
    }

    fn by_hand() -> Self::Weights {
        Weights::BY_HAND
    }

    fn evaluator(weights: &Self::Weights) -> Self::Evaluator {
        match weights.network() {
            Some(network) => Either::Other(Nnue::new(network.clone())),
            None => Either::One(XiangqiEvaluator::new()),
        }
    }

    fn book(file: Vec<u8>) -> Result<Box<dyn Book<xiangqi::Board>>, BookRefused> {
        <xiangqi::Board as Format>::open(file)
    }
}

/// The file of a game's built-in network.
pub fn built_in_network(game: GameId) -> &'static [u8] {
    match game {
        GameId::Chess => CHESS_NET,
        GameId::Xiangqi => XIANGQI_NET,
    }
}

/// Runs an expression with a type that stands for the chosen game:
/// `with_game!(id, G => run::<G>())`.
#[macro_export]
macro_rules! with_game {
    ($id:expr, $game:ident => $body:expr) => {
        match $id {
            $crate::game::GameId::Chess => {
                type $game = $crate::games::Chess;
                $body
            }
            $crate::game::GameId::Xiangqi => {
                type $game = $crate::games::Xiangqi;
                $body
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_networks_are_sound() {
        assert!(
            Weights::<ChessInputs, CHESS_HIDDEN>::default()
                .network()
                .is_some()
        );
        assert!(
            Weights::<XiangqiInputs, XIANGQI_HIDDEN>::default()
                .network()
                .is_some()
        );
    }
}
