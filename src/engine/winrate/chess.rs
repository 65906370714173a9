//! The win rate model of chess: `twofold winrate --game chess FOLDER` writes this file.

use super::Model;

/// Fitted to 96581 positions of 700 games of self-play. Half of the games are won at 154
/// centipawns of the evaluation at move 32; mean loss 0.54549.
pub(super) const MODEL: Model = Model {
    slope: [1.12975, 0.06356, -0.00898],
    offset: [1.73460, 1.22562, 0.23314],
};
