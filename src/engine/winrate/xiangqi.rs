//! The win rate model of xiangqi: `twofold winrate --game xiangqi FOLDER` writes this file.

use super::Model;

/// Fitted to 2894029 positions of 30441 games of self-play. Half of the games are won at 210
/// centipawns of the evaluation at move 32; mean loss 0.85169.
pub(super) const MODEL: Model = Model {
    slope: [0.19559, 0.04802, -0.00440],
    offset: [0.41166, 0.38414, 0.23769],
};
