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
    level(500, 20, 10, 260, 30),
    level(800, 60, 8, 190, 50),
    level(1100, 150, 7, 130, 75),
    level(1350, 350, 6, 95, 90),
    level(1500, 600, 6, 75, 100),
    level(1750, 1_300, 5, 55, 100),
    level(2000, 3_000, 4, 38, 100),
    level(2250, 8_000, 3, 25, 100),
    level(2450, 20_000, 3, 16, 100),
    level(2650, 60_000, 2, 8, 100),
    level(2850, 200_000, 1, 0, 100),
];

/// Xiangqi.
pub(super) const XIANGQI: [Level; 11] = [
    level(500, 20, 10, 260, 30),
    level(800, 60, 8, 190, 50),
    level(1100, 150, 7, 130, 75),
    level(1350, 350, 6, 95, 90),
    level(1500, 600, 6, 75, 100),
    level(1750, 1_300, 5, 55, 100),
    level(2000, 3_000, 4, 38, 100),
    level(2250, 8_000, 3, 25, 100),
    level(2450, 20_000, 3, 16, 100),
    level(2650, 60_000, 2, 8, 100),
    level(2850, 200_000, 1, 0, 100),
];
