//! The win rate model of chess: `twofold winrate --game chess FOLDER` writes this file.

use super::Model;

/// Fitted to 3320273 positions of 36925 games of self-play. Half of the games are won at 92
/// centipawns of the evaluation at move 32; mean loss 0.73047.
pub(super) const MODEL: Model = Model {
    slope: [0.36718, 0.08738, -0.06600],
    offset: [0.33791, 0.48494, 0.32955],
};
