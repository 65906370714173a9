//! The win rate model of chess: `twofold winrate --game chess FOLDER` writes this file.

use super::Model;

/// Fitted to 106658 positions of 811 games of self-play. Half of the games are won at 131
/// centipawns of the evaluation at move 32; mean loss 0.59305.
pub(super) const MODEL: Model = Model {
    slope: [1.12212, 0.00401, -0.06182],
    offset: [1.46830, 0.99582, 0.02318],
};
