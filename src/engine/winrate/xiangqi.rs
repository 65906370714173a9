//! The win rate model of xiangqi: `twofold winrate --game xiangqi FOLDER` writes this file.

use super::Model;

/// Fitted to 1977824 positions of 16485 games of self-play. Half of the games are won at 234
/// centipawns of the evaluation at move 32; mean loss 0.77869.
pub(super) const MODEL: Model = Model {
    slope: [0.27730, 0.08455, -0.00806],
    offset: [0.64979, 0.60842, 0.31509],
};
