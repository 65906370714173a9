//! The levels of play: what each rating allows the engine to see.
//!
//! One row a rating; between two rows everything is interpolated, the nodes geometrically. This
//! file is what a calibration fills in: `tests/clients/calibrate_strength.py` plays the levels
//! against opponents of known strength and prints what they turned out to be worth.

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Level {
    /// The rating.
    pub elo: u32,
    /// Nodes after which no further iteration begins.
    pub nodes: u32,
    /// Moves among which it chooses.
    pub candidates: u32,
    /// Standard deviation, in centipawns of the evaluation, of its error in judging each.
    pub noise: u32,
    /// How often it looks for mates in one, its own and those it would allow, in percent.
    pub vision: u32,
}

const fn level(elo: u32, nodes: u32, candidates: u32, noise: u32, vision: u32) -> Level {
    Level {
        elo,
        nodes,
        candidates,
        noise,
        vision,
    }
}

/// Chess, by the scale of the opponents of the calibration.
pub(super) const CHESS: [Level; 11] = [
    level(500, 70, 11, 232, 48),
    level(800, 150, 10, 180, 65),
    level(1100, 440, 8, 120, 82),
    level(1350, 1_300, 7, 78, 95),
    level(1500, 1_900, 6, 68, 100),
    level(1750, 4_500, 6, 52, 100),
    level(2000, 27_000, 4, 25, 100),
    level(2250, 100_000, 2, 10, 100),
    level(2450, 500_000, 1, 0, 100),
    level(2650, 1_300_000, 1, 0, 100),
    level(2850, 4_400_000, 1, 0, 100),
];

/// Xiangqi.
pub(super) const XIANGQI: [Level; 11] = [
    level(500, 26, 15, 377, 40),
    level(800, 47, 13, 293, 60),
    level(1100, 100, 11, 211, 80),
    level(1350, 250, 9, 144, 95),
    level(1500, 460, 8, 111, 100),
    level(1750, 1_550, 6, 71, 100),
    level(2000, 5_900, 5, 45, 100),
    level(2250, 15_000, 3, 23, 100),
    level(2450, 26_000, 2, 13, 100),
    level(2650, 57_000, 2, 5, 100),
    level(2850, 90_000, 1, 0, 100),
];
