//! How a game of a match ended, in words that people and their scripts know.

use serde::{Deserialize, Serialize};

use crate::arena::adjudicate::Adjudged;
use crate::arena::config::GameKind;
use crate::arena::stats::Points;
use crate::game::{Ending, Outcome, Reason, Side};

/// The class of an ending, for counters and for the `Termination` tag.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// Mate.
    Checkmate,
    /// A side without a move that is not in check.
    Stalemate,
    /// Repetition with nobody at fault.
    Repetition,
    /// A ban of the xiangqi rules.
    PerpetualCheck,
    /// A ban of the xiangqi rules.
    PerpetualChase,
    /// The game's move-count limit.
    MoveCount,
    /// Too little material on both sides.
    Material,
    /// By a rule of the match, not of the game.
    Adjudication,
    /// A UCCI engine resigned, or both agreed to a draw.
    Agreement,
    /// Too late.
    TimeForfeit,
    /// An illegal move, or none.
    IllegalMove,
    /// The engine crashed or closed its output.
    Disconnect,
    /// The engine did not answer.
    Stall,
    /// Broken off by the user, or not to be counted.
    Unterminated,
}

impl Termination {
    /// Is it an engine's failure?
    pub fn is_failure(self) -> bool {
        use Termination::{Disconnect, IllegalMove, Stall, TimeForfeit};
        matches!(self, TimeForfeit | IllegalMove | Disconnect | Stall)
    }

    /// Must the engine be started anew after it?
    pub fn is_crash(self) -> bool {
        matches!(self, Termination::Disconnect | Termination::Stall)
    }

    /// The word of the `Termination` tag. Stalemate has one of its own where it is a loss.
    pub fn tag(self, game: GameKind) -> &'static str {
        match self {
            Termination::Stalemate if game == GameKind::Xiangqi => "stalemate",
            Termination::PerpetualCheck => "perpetual check",
            Termination::PerpetualChase => "perpetual chase",
            Termination::Adjudication => "adjudication",
            Termination::TimeForfeit => "time forfeit",
            Termination::IllegalMove => "illegal move",
            Termination::Disconnect | Termination::Stall => "abandoned",
            Termination::Unterminated => "unterminated",
            _ => "normal",
        }
    }
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finish {
    /// Who won; `None`: the game does not count.
    pub outcome: Option<Outcome>,
    /// The class of the ending.
    pub termination: Termination,
    /// One line for people, for instance `White mates`.
    pub text: String,
}

impl Finish {
    /// An engine's failure: its opponent wins. `what` follows the side's name, its
    /// own blank included.
    pub fn failure(game: GameKind, loser: Side, termination: Termination, what: &str) -> Finish {
        Finish {
            outcome: Some(Outcome::Win(!loser)),
            termination,
            text: format!("{}{what}", side_name(game, loser)),
        }
    }

    /// A game that does not count.
    pub fn void(text: &str) -> Finish {
        Finish {
            outcome: None,
            termination: Termination::Unterminated,
            text: text.to_owned(),
        }
    }

    /// By the rules of the game.
    pub fn by_rules(game: GameKind, ending: Ending) -> Finish {
        let winner = match ending.outcome {
            Outcome::Win(side) => side_name(game, side),
            Outcome::Draw => "",
        };
        let loser = match ending.outcome {
            Outcome::Win(side) => side_name(game, !side),
            Outcome::Draw => "",
        };
        let decided = ending.outcome != Outcome::Draw;
        let (termination, text) = match ending.reason {
            Reason::Checkmate => (Termination::Checkmate, format!("{winner} mates")),
            Reason::Stalemate if decided => (
                Termination::Stalemate,
                format!("{winner} wins by stalemate"),
            ),
            Reason::Stalemate => (Termination::Stalemate, "Draw by stalemate".to_owned()),
            Reason::Repetition => (
                Termination::Repetition,
                "Draw by 3-fold repetition".to_owned(),
            ),
            Reason::PerpetualCheck => (
                Termination::PerpetualCheck,
                format!("{loser} loses by perpetual check"),
            ),
            Reason::PerpetualChase => (
                Termination::PerpetualChase,
                format!("{loser} loses by perpetual chase"),
            ),
            Reason::PerpetualAttack => (
                Termination::PerpetualChase,
                format!("{loser} loses by perpetual attack"),
            ),
            Reason::MoveCount if game == GameKind::Xiangqi => (
                Termination::MoveCount,
                "Draw by the natural limit".to_owned(),
            ),
            Reason::MoveCount => (
                Termination::MoveCount,
                "Draw by fifty moves rule".to_owned(),
            ),
            Reason::Material => (
                Termination::Material,
                "Draw by insufficient mating material".to_owned(),
            ),
        };
        Finish {
            outcome: Some(ending.outcome),
            termination,
            text,
        }
    }

    /// By a rule of the match.
    pub fn by_adjudication(game: GameKind, outcome: Outcome, why: Adjudged) -> Finish {
        let text = match (outcome, why) {
            (Outcome::Win(side), _) => format!("{} wins by adjudication", side_name(game, side)),
            (Outcome::Draw, Adjudged::MaxMoves) => {
                "Draw by adjudication: maximum length".to_owned()
            }
            (Outcome::Draw, _) => "Draw by adjudication".to_owned(),
        };
        Finish {
            outcome: Some(outcome),
            termination: Termination::Adjudication,
            text,
        }
    }

    /// The result as records write it.
    pub fn result(&self) -> &'static str {
        match self.outcome {
            Some(Outcome::Win(Side::First)) => "1-0",
            Some(Outcome::Win(Side::Second)) => "0-1",
            Some(Outcome::Draw) => "1/2-1/2",
            None => "*",
        }
    }

    /// The points of the first side; `None`: the game does not count.
    pub fn points(&self) -> Option<Points> {
        self.outcome.map(|outcome| match outcome {
            Outcome::Win(Side::First) => Points::Win,
            Outcome::Win(Side::Second) => Points::Loss,
            Outcome::Draw => Points::Draw,
        })
    }
}

/// What a side is called.
pub fn side_name(game: GameKind, side: Side) -> &'static str {
    match (game, side) {
        (_, Side::Second) => "Black",
        (GameKind::Xiangqi, Side::First) => "Red",
        (_, Side::First) => "White",
    }
}

/// The points of the first side in a result as records write it.
pub fn points_of(result: &str) -> Option<Points> {
    match result {
        "1-0" => Some(Points::Win),
        "0-1" => Some(Points::Loss),
        "1/2-1/2" => Some(Points::Draw),
        _ => None,
    }
}
