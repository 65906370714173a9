//! The win rate model of xiangqi: `twofold winrate --game xiangqi FOLDER` writes this file.

use super::Model;

/// Fitted to 99337 positions of 565 games of self-play. Half of the games are won at 267
/// centipawns of the evaluation at move 32; mean loss 0.51652.
pub(super) const MODEL: Model = Model {
    slope: [0.77389, 0.22788, -0.06886],
    offset: [2.06873, 1.22210, -0.09774],
};
