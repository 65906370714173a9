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
    level(500, 95, 10, 212, 48),
    level(800, 380, 8, 128, 65),
    level(1100, 850, 7, 94, 82),
    level(1350, 1_400, 7, 78, 95),
    level(1500, 1_900, 7, 69, 100),
    level(1750, 3_900, 6, 55, 100),
    level(2000, 25_000, 4, 27, 100),
    level(2250, 105_000, 2, 10, 100),
    level(2450, 520_000, 1, 0, 100),
    level(2650, 2_200_000, 1, 0, 100),
    level(2850, 7_500_000, 1, 0, 100),
];

/// Xiangqi.
pub(super) const XIANGQI: [Level; 11] = [
    level(500, 9, 17, 505, 40),
    level(800, 22, 15, 385, 60),
    level(1100, 52, 12, 270, 80),
    level(1350, 150, 10, 165, 95),
    level(1500, 245, 9, 129, 100),
    level(1750, 850, 7, 84, 100),
    level(2000, 2_400, 6, 57, 100),
    level(2250, 7_400, 4, 32, 100),
    level(2450, 18_000, 2, 14, 100),
    level(2650, 36_000, 2, 5, 100),
    level(2850, 64_000, 1, 0, 100),
];
