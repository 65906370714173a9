//! The win rate model of chess: `twofold winrate --game chess FOLDER` writes this file.

use super::Model;

/// Fitted to 340357 positions of 3563 games of self-play. Half of the games are won at 84
/// centipawns of the evaluation at move 32; mean loss 0.69794.
pub(super) const MODEL: Model = Model {
    slope: [0.43456, 0.14190, -0.05759],
    offset: [0.36583, 0.55876, 0.42557],
};
