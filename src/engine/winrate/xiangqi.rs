//! The win rate model of xiangqi: `twofold winrate --game xiangqi FOLDER` writes this file.

use super::Model;

/// Fitted to 128122 positions of 700 games of self-play. Half of the games are won at 301
/// centipawns of the evaluation at move 32; mean loss 0.54480.
pub(super) const MODEL: Model = Model {
    slope: [0.65883, 0.20269, -0.07020],
    offset: [1.98557, 0.99958, -0.03713],
};
