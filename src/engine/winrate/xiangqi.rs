//! The win rate model of xiangqi: `twofold winrate --game xiangqi FOLDER` writes this file.

use super::Model;

/// Fitted to 240688 positions of 2343 games of self-play. Half of the games are won at 171
/// centipawns of the evaluation at move 32; mean loss 0.79647.
pub(super) const MODEL: Model = Model {
    slope: [0.24000, 0.09467, 0.00834],
    offset: [0.40942, 0.46971, 0.33051],
};
