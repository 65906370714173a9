//! A search as a player sees it: how long it may take, and what came of it.

use std::time::Duration;

use crate::arena::client::{Answer, Info};
use crate::arena::time_control::Limits;

/// What came of a search.
#[derive(Clone, Debug)]
pub struct Thought {
    /// Its move; `None`: none came in time.
    pub answer: Option<Answer>,
    /// What it thought.
    pub info: Info,
    /// How long it took, or was waited for.
    pub spent: Duration,
    /// Its answer as it came.
    pub raw: String,
    /// The last of its other lines that fits [`line_filter`](crate::arena::player::Surroundings::line_filter).
    pub matched: Option<String>,
}

impl Thought {
    /// Says that no move came, and, where not time but nodes or depth should have ended the
    /// search, how far it went: there are engines that do not heed such limits.
    pub fn no_answer(&self, given: &Limits) -> String {
        let mut text = format!("no bestmove {:.1} s after go", self.spent.as_secs_f64());
        if given.nodes.is_some() || given.depth.is_some() {
            let depth = self.info.depth.map(|n| format!("depth {n}"));
            let nodes = self.info.nodes.map(|n| format!("{n} nodes"));
            let reached: Vec<String> = depth.into_iter().chain(nodes).collect();
            text += &format!(", told {given}");
            if !reached.is_empty() {
                text += &format!(", went on to {}", reached.join(" and "));
            }
        }
        text
    }
}

/// How long a search may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// What the clock allows.
    pub budget: Option<Duration>,
    /// What is waited for where the clock allows any time.
    pub otherwise: Duration,
}
