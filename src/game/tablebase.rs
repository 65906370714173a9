//! Endgame tablebases as the search and the engine see them.

use thiserror::Error;

use crate::game::Position;

/// What a side gets with best play, where a game drawn by the move-count rule is told apart from
/// one that is drawn without it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Wdl {
    /// Lost.
    Loss,
    /// Lost, but for the move-count rule.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// Won, but for the move-count rule.
    CursedWin,
    /// Won.
    Win,
}

impl Wdl {
    /// All of them, from loss to win.
    pub const ALL: [Wdl; 5] = [
        Wdl::Loss,
        Wdl::BlessedLoss,
        Wdl::Draw,
        Wdl::CursedWin,
        Wdl::Win,
    ];

    /// The same for the other side.
    pub const fn flip(self) -> Wdl {
        Wdl::ALL[4 - self as usize]
    }

    /// -2 for a loss to 2 for a win.
    pub const fn number(self) -> i32 {
        self as i32 - 2
    }

    /// What it comes to where the move-count rule is not played.
    pub const fn without_clock(self) -> Wdl {
        match self {
            Wdl::Loss | Wdl::BlessedLoss => Wdl::Loss,
            Wdl::Draw => Wdl::Draw,
            Wdl::CursedWin | Wdl::Win => Wdl::Win,
        }
    }
}

/// What tables say of a move at the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RootAdvice<M> {
    /// The move.
    pub m: M,
    /// The higher the better; between moves of the same rank a search may choose.
    pub rank: i32,
    /// What it comes to for the side to move, the move-count clock considered.
    pub wdl: Wdl,
}

/// Tables of one game.
pub trait Tablebase<P: Position>: Send + Sync {
    /// The most pieces of which there are tables.
    fn largest(&self) -> u32;

    /// How many pieces are on the board.
    fn men(&self, position: &P) -> u32;

    /// What a position is worth with a fresh move-count clock; `None` where no table says.
    fn wdl(&self, position: &P) -> Option<Wdl>;

    /// Every legal move of the position on the board of a game, its move-count clock and
    /// repetitions considered, unless the rule of the clock is not played. `None` where the tables
    /// do not know one of them.
    fn root(&self, position: &P, clock_counts: bool) -> Option<Vec<RootAdvice<P::Move>>>;
}

/// A folder or a file that is of no use, in one line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct TablesRefused(pub String);
