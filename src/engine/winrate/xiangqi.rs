//! The win rate model of xiangqi: `twofold winrate --game xiangqi FOLDER` writes this file.

use super::Model;

/// Fitted to 79426 positions of 428 games of self-play. Half of the games are won at 277
/// centipawns of the evaluation at move 32; mean loss 0.51771.
pub(super) const MODEL: Model = Model {
    slope: [0.65157, 0.18689, 0.03451],
    offset: [1.80792, 1.07708, 0.24166],
};
