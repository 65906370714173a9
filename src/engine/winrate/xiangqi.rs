//! The win rate model of xiangqi: `twofold winrate --game xiangqi FOLDER` writes this file.

use super::Model;

/// Fitted to 111542 positions of 624 games of self-play. Half of the games are won at 268
/// centipawns of the evaluation at move 32; mean loss 0.54750.
pub(super) const MODEL: Model = Model {
    slope: [0.69967, 0.24310, -0.04034],
    offset: [1.87234, 1.01380, 0.00416],
};
