//! The games of this binary, and the one place where a game is chosen at run time.
#![forbid(unsafe_code)]

use std::sync::Arc;

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

fn read<I: Inputs, const H: usize>(
    file: &[u8],
) -> Result<Option<Arc<Network<I, H>>>, WeightsRefused> {
    let network = Network::read(file).map_err(|error| WeightsRefused(error.to_string()))?;
    Ok(Some(Arc::new(network)))
}

/// Chess, Chess960 included.
pub struct Chess;

impl Game for Chess {
    const ID: GameId = GameId::Chess;
    type Position = chess::Board;
    type Evaluator = Either<ChessEvaluator, Nnue<ChessInputs, CHESS_HIDDEN>>;
    /// A network, or the evaluation by hand.
    type Weights = Option<Arc<ChessNetwork>>;

    fn weights(file: &[u8]) -> Result<Self::Weights, WeightsRefused> {
        read(file)
    }

    fn evaluator(weights: &Self::Weights) -> Self::Evaluator {
        match weights {
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
    /// A network, or the evaluation by hand.
    type Weights = Option<Arc<XiangqiNetwork>>;

    fn weights(file: &[u8]) -> Result<Self::Weights, WeightsRefused> {
        read(file)
    }

    fn evaluator(weights: &Self::Weights) -> Self::Evaluator {
        match weights {
            Some(network) => Either::Other(Nnue::new(network.clone())),
            None => Either::One(XiangqiEvaluator::new()),
        }
    }

    fn book(file: Vec<u8>) -> Result<Box<dyn Book<xiangqi::Board>>, BookRefused> {
        <xiangqi::Board as Format>::open(file)
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
