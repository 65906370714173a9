//! The win rate model of chess: `twofold winrate --game chess FOLDER` writes this file.

use super::Model;

/// Fitted to 115800 positions of 864 games of self-play. Half of the games are won at 144
/// centipawns of the evaluation at move 32; mean loss 0.61291.
pub(super) const MODEL: Model = Model {
    slope: [1.01445, 0.01876, -0.05216],
    offset: [1.46265, 1.03343, 0.14328],
};
