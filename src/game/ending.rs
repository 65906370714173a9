//! How a real game ends, for referees, protocols and players; search asks [`Position::verdict`].

use std::fmt;

use crate::game::{Position, Rules, Side};

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// Nobody did.
    Draw,
}

/// The rule that ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// In check without a legal move.
    Checkmate,
    /// Not in check, without a legal move.
    Stalemate,
    /// The same position for the third time, nobody at fault.
    Repetition,
    /// One side alone gave check with every move of a repeated cycle.
    PerpetualCheck,
    /// One side alone threatened the same piece with every move of a repeated cycle.
    PerpetualChase,
    /// One side alone attacked with every move of a repeated cycle, by checks, chases and
    /// threats of mate in some mixture, where the rules forbid that.
    PerpetualAttack,
    /// The move-count limit: fifty moves in chess, the no-capture limit in xiangqi.
    MoveCount,
    /// Neither side can win any more, for want of pieces, or because all is blocked.
    Material,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::Repetition => "repetition",
            Reason::PerpetualCheck => "perpetual-check",
            Reason::PerpetualChase => "perpetual-chase",
            Reason::PerpetualAttack => "perpetual-attack",
            Reason::MoveCount => "move-count",
            Reason::Material => "material",
        })
    }
}

/// A finished game: the result and the rule behind it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Who won.
    pub outcome: Outcome,
    /// By which rule.
    pub reason: Reason,
}

/// A position that knows whether the game it stands in is over.
pub trait Arbiter: Position {
    /// The ending, by the whole history of the game and in each game's own order of rules
    /// (in both games a side without a legal move is looked for first).
    fn ending(&self) -> Option<Ending>;

    /// Plays on by these rules, as far as the game leaves a choice.
    fn set_rules(&mut self, _rules: &Rules) {}
}
