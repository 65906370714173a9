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
    level(500, 90, 11, 215, 48),
    level(800, 260, 9, 142, 65),
    level(1100, 1_000, 7, 86, 82),
    level(1350, 2_000, 6, 66, 95),
    level(1500, 3_000, 6, 55, 100),
    level(1750, 5_000, 5, 46, 100),
    level(2000, 12_500, 3, 18, 100),
    level(2250, 24_000, 2, 5, 100),
    level(2450, 50_000, 1, 0, 100),
    level(2650, 150_000, 1, 0, 100),
    level(2850, 500_000, 1, 0, 100),
];

/// Xiangqi.
pub(super) const XIANGQI: [Level; 11] = [
    level(500, 20, 16, 420, 40),
    level(800, 35, 14, 335, 60),
    level(1100, 60, 12, 260, 80),
    level(1350, 140, 10, 180, 95),
    level(1500, 350, 8, 122, 100),
    level(1750, 1_100, 6, 78, 100),
    level(2000, 4_500, 5, 50, 100),
    level(2250, 9_000, 4, 36, 100),
    level(2450, 16_000, 3, 22, 100),
    level(2650, 32_000, 2, 9, 100),
    level(2850, 120_000, 1, 0, 100),
];
