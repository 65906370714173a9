//! The win rate model of chess: `twofold winrate --game chess FOLDER` writes this file.

use super::Model;

/// Fitted to 94356 positions of 700 games of self-play. Half of the games are won at 134
/// centipawns of the evaluation at move 32; mean loss 0.56905.
pub(super) const MODEL: Model = Model {
    slope: [1.13006, -0.05074, -0.00962],
    offset: [1.51429, 1.02806, -0.05918],
};
