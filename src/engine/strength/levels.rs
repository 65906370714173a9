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
    level(500, 120, 11, 190, 48),
    level(800, 320, 8, 128, 65),
    level(1100, 650, 7, 98, 82),
    level(1350, 1_800, 6, 67, 95),
    level(1500, 2_700, 6, 57, 100),
    level(1750, 6_500, 5, 42, 100),
    level(2000, 10_000, 3, 22, 100),
    level(2250, 16_000, 3, 12, 100),
    level(2450, 30_000, 2, 6, 100),
    level(2650, 70_000, 2, 2, 100),
    level(2850, 220_000, 1, 0, 100),
];

/// Xiangqi.
pub(super) const XIANGQI: [Level; 11] = [
    level(500, 20, 16, 420, 20),
    level(800, 60, 12, 260, 45),
    level(1100, 200, 9, 150, 75),
    level(1350, 600, 7, 95, 92),
    level(1500, 1_000, 7, 82, 100),
    level(1750, 2_200, 6, 62, 100),
    level(2000, 5_000, 5, 48, 100),
    level(2250, 10_000, 4, 32, 100),
    level(2450, 20_000, 3, 20, 100),
    level(2650, 50_000, 2, 8, 100),
    level(2850, 200_000, 1, 0, 100),
];
