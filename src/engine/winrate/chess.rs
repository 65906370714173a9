//! The win rate model of chess: `twofold winrate --game chess FOLDER` writes this file.

use super::Model;

/// Fitted to 2749909 positions of 26963 games of self-play. Half of the games are won at 114
/// centipawns of the evaluation at move 32; mean loss 0.72799.
pub(super) const MODEL: Model = Model {
    slope: [0.47407, 0.06702, -0.07238],
    offset: [0.54166, 0.63867, 0.34026],
};
