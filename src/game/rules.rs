//! Rules that players may choose between: how repetitions are judged, and the move-count limit.

use std::fmt;
use std::str::FromStr;

/// How a repetition is judged in games where more than the draw is at stake.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RepetitionRule {
    /// The rules of the Asian and the World Xiangqi Federation.
    #[default]
    Asian,
    /// The rules of computer tournaments: as Asian, but a cycle with any check in it draws
    /// unless it is perpetual.
    Computer,
    /// An approximation of the rules of the Chinese Xiangqi Association: a side loses that
    /// attacks with every move, be it by check, chase or threat of mate.
    Chinese,
    /// An approximation of the rules of playing platforms: as Asian, and check and chase in turn
    /// is an offence as well.
    Simple,
}

impl RepetitionRule {
    /// All of them, the default first.
    pub const ALL: [RepetitionRule; 4] = [
        RepetitionRule::Asian,
        RepetitionRule::Computer,
        RepetitionRule::Chinese,
        RepetitionRule::Simple,
    ];

    /// Its name in options and files.
    pub const fn name(self) -> &'static str {
        match self {
            RepetitionRule::Asian => "asian",
            RepetitionRule::Computer => "computer",
            RepetitionRule::Chinese => "chinese",
            RepetitionRule::Simple => "simple",
        }
    }
}

impl fmt::Display for RepetitionRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Not the name of a rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no rule set; known are asian, computer, chinese and simple")]
pub struct UnknownRule;

impl FromStr for RepetitionRule {
    type Err = UnknownRule;

    fn from_str(name: &str) -> Result<RepetitionRule, UnknownRule> {
        RepetitionRule::ALL
            .into_iter()
            .find(|rule| rule.name().eq_ignore_ascii_case(name))
            .ok_or(UnknownRule)
    }
}

/// The rules chosen for a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rules {
    /// How repetitions are judged.
    pub repetition: RepetitionRule,
    /// Plies without a capture that draw the game; `None` for never.
    pub no_capture_limit: Option<u16>,
}

impl Rules {
    /// The usual no-capture limit, in plies: sixty moves of each side, as in the Asian and the
    /// Chinese rules.
    pub const NO_CAPTURE_LIMIT: u16 = 120;
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            repetition: RepetitionRule::default(),
            no_capture_limit: Some(Rules::NO_CAPTURE_LIMIT),
        }
    }
}
