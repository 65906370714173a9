//! What a client says to an engine and hears from it, whatever the protocol.
//!
//! [`crate::arena::client_uci`] and [`crate::arena::client_ucci`] turn this into lines and lines
//! into this. Nothing here waits or keeps time.

use std::time::Duration;

use crate::arena::record::ReportedScore;
use crate::arena::referee::Setup;
use crate::arena::time_control::{Clock, Limits};
use crate::arena::{client_ucci, client_uci};
use crate::game::Side;

/// The language on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// UCI.
    Uci,
    /// UCCI.
    Ucci,
}

/// A line that an engine sent.
#[derive(Clone, PartialEq, Debug)]
pub enum Heard {
    /// `uciok` or `ucciok`.
    Greeting,
    /// `readyok`.
    Ready,
    /// `id name ...`.
    Name(String),
    /// An option that can be set.
    Option(DeclaredOption),
    /// What the engine thinks.
    Info(Info),
    /// Its move.
    Answer(Answer),
    /// Anything else.
    Other,
}

/// An option as the engine declares it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DeclaredOption {
    /// Its name.
    pub name: String,
    /// `check`, `spin`, `combo`, `button`, `string` or `label`.
    pub kind: String,
    /// Its default, if one was declared.
    pub default: Option<String>,
    /// Smallest number.
    pub min: Option<i64>,
    /// Largest number.
    pub max: Option<i64>,
    /// The choices of a combo.
    pub choices: Vec<String>,
}

impl DeclaredOption {
    /// Why a value does not fit, if it does not.
    pub fn objection(&self, value: &str) -> Option<String> {
        let fits = match self.kind.as_str() {
            "check" => matches!(value, "true" | "false" | "on" | "off"),
            "spin" => value.parse::<i64>().is_ok_and(|n| {
                self.min.is_none_or(|min| n >= min) && self.max.is_none_or(|max| n <= max)
            }),
            "combo" if !self.choices.is_empty() => self
                .choices
                .iter()
                .any(|choice| choice.eq_ignore_ascii_case(value)),
            _ => true,
        };
        (!fits).then(|| format!("option {} cannot be {value}", self.name))
    }
}

/// What an engine thinks, collected from its `info` lines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Info {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Selective depth.
    pub seldepth: Option<u32>,
    /// Score from its own view.
    pub score: Option<ReportedScore>,
    /// Is the score only a bound?
    pub is_bound: bool,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes a second.
    pub speed: Option<u64>,
    /// How full its table is, per mille.
    pub table_use: Option<u32>,
    /// Positions found in endgame tables.
    pub table_hits: Option<u64>,
    /// Time by its own count.
    pub time: Option<Duration>,
    /// Which line this is, 1 being the best.
    pub multipv: Option<u32>,
    /// The expected line.
    pub pv: Vec<String>,
}

impl Info {
    /// Takes in a further line of the same search. An exact score goes before a bound of the same
    /// depth, the first of several lines before the others.
    pub fn update(&mut self, line: Info) {
        if line.multipv.is_some_and(|n| n != 1) {
            return;
        }
        self.nodes = line.nodes.or(self.nodes);
        self.speed = line.speed.or(self.speed);
        self.table_use = line.table_use.or(self.table_use);
        self.table_hits = line.table_hits.or(self.table_hits);
        self.time = line.time.or(self.time);
        let deeper = line.depth > self.depth;
        let replaces = line.score.is_some()
            && (!line.is_bound || self.is_bound || deeper || self.score.is_none());
        // A bound on a deeper iteration says less than the exact score before it.
        let keeps_exact = line.is_bound && !self.is_bound && self.score.is_some();
        if replaces && !keeps_exact {
            self.score = line.score;
            self.is_bound = line.is_bound;
            self.depth = line.depth.or(self.depth);
            self.seldepth = line.seldepth.or(self.seldepth);
            if !line.pv.is_empty() {
                self.pv = line.pv;
            }
        }
    }
}

/// An engine's decision.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// Its move; `None`: it says it has none.
    pub best: Option<String>,
    /// The reply it expects.
    pub ponder: Option<String>,
    /// UCCI: it offers a draw.
    pub draw: bool,
    /// UCCI: it resigns.
    pub resign: bool,
}

/// What an engine is to do with a position.
#[derive(Clone, Copy, Debug)]
pub struct Go<'a> {
    /// The side to move.
    pub side: Side,
    /// Both clocks.
    pub clocks: [&'a Clock; 2],
    /// Think on the opponent's time, until told that the expected move was played?
    pub ponder: bool,
    /// UCCI: the opponent has offered a draw.
    pub draw_offered: bool,
    /// UCCI: are clocks in milliseconds?
    pub millis: bool,
}

impl Go<'_> {
    /// The clock of the side to move.
    pub fn own(&self) -> &Clock {
        self.clocks[self.side.index()]
    }

    /// The limits of the side to move.
    pub fn limits(&self) -> &Limits {
        self.own().limits()
    }
}

impl Dialect {
    /// The line that opens a conversation.
    pub fn greeting(self) -> &'static str {
        match self {
            Dialect::Uci => "uci",
            Dialect::Ucci => "ucci",
        }
    }

    /// Reads a line.
    pub fn hear(self, line: &str) -> Heard {
        match self {
            Dialect::Uci => client_uci::hear(line),
            Dialect::Ucci => client_ucci::hear(line),
        }
    }

    /// The line that sets an option.
    pub fn set_option(self, option: &DeclaredOption, value: &str) -> String {
        match self {
            Dialect::Uci => client_uci::set_option(option, value),
            Dialect::Ucci => client_ucci::set_option(option, value),
        }
    }

    /// The line that sets up a position.
    pub fn position(self, setup: &Setup) -> String {
        match self {
            Dialect::Uci => client_uci::position(setup),
            Dialect::Ucci => client_ucci::position(setup),
        }
    }

    /// The line that says that the expected move was played, and that with it a draw was offered.
    pub fn ponder_hit(self, draw_offered: bool) -> &'static str {
        match self {
            Dialect::Ucci if draw_offered => "ponderhit draw",
            Dialect::Uci | Dialect::Ucci => "ponderhit",
        }
    }

    /// The line that starts a search.
    pub fn go(self, go: &Go<'_>) -> String {
        match self {
            Dialect::Uci => client_uci::go(go),
            Dialect::Ucci => client_ucci::go(go),
        }
    }
}

/// Reads the words of an `info` line: those of UCI, and UCCI's scores without a unit.
pub fn parse_info(words: &[&str]) -> Info {
    let mut info = Info::default();
    let mut i = 0;
    while let Some(&word) = words.get(i) {
        let value = words.get(i + 1).copied().unwrap_or_default();
        i += 2;
        match word {
            "depth" => info.depth = value.parse().ok(),
            "seldepth" => info.seldepth = value.parse().ok(),
            "nodes" => info.nodes = value.parse().ok(),
            "nps" => info.speed = value.parse().ok(),
            "hashfull" => info.table_use = value.parse().ok(),
            "tbhits" => info.table_hits = value.parse().ok(),
            "multipv" => info.multipv = value.parse().ok(),
            "time" => info.time = value.parse().ok().map(Duration::from_millis),
            "score" => i = parse_score(words, i - 1, &mut info),
            "lowerbound" | "upperbound" => {
                info.is_bound = true;
                i -= 1;
            }
            "pv" => {
                info.pv = words[i - 1..].iter().map(|&m| m.to_owned()).collect();
                break;
            }
            "string" | "message" => break,
            _ => {
                // A word we have no use for: its value is passed over as the next unknown word.
                i -= 1;
            }
        }
    }
    info
}

/// Reads `cp N`, `mate N` or `N` at `at`; the place after it.
fn parse_score(words: &[&str], at: usize, info: &mut Info) -> usize {
    let number = |i: usize| words.get(i).and_then(|word| word.parse::<i32>().ok());
    let (score, next) = match words.get(at) {
        Some(&"cp") => (number(at + 1).map(ReportedScore::Centipawns), at + 2),
        Some(&"mate") => (number(at + 1).map(ReportedScore::Mate), at + 2),
        _ => (number(at).map(ReportedScore::Centipawns), at + 1),
    };
    info.score = score;
    next
}

/// Reads the words after `bestmove`.
pub fn parse_answer(words: &[&str]) -> Answer {
    let is_none = |m: &str| matches!(m, "(none)" | "none" | "0000" | "null" | "NULL" | "a0a0");
    let best = words.first().filter(|m| !is_none(m)).map(|&m| m.to_owned());
    let after = |name: &str| {
        let at = words.iter().skip(1).position(|&word| word == name)?;
        words
            .get(at + 2)
            .filter(|m| !is_none(m))
            .map(|&m| m.to_owned())
    };
    let has = |name: &str| words.iter().skip(1).any(|&word| word == name);
    Answer {
        best,
        ponder: after("ponder"),
        draw: has("draw"),
        resign: has("resign"),
    }
}

/// Reads the part of an option's declaration that begins with `type`.
pub fn parse_declaration(name: String, words: &[&str]) -> DeclaredOption {
    let mut option = DeclaredOption {
        name,
        ..DeclaredOption::default()
    };
    let is_key = |word: &str| matches!(word, "type" | "default" | "min" | "max" | "var");
    let mut i = 0;
    while i < words.len() {
        let key = words[i];
        let end = (i + 1..words.len())
            .find(|&j| is_key(words[j]))
            .unwrap_or(words.len());
        let value = words[i + 1..end].join(" ");
        match key {
            "type" => option.kind = value,
            "default" => option.default = Some(value),
            "min" => option.min = value.parse().ok(),
            "max" => option.max = value.parse().ok(),
            "var" => option.choices.push(value),
            _ => {}
        }
        i = end;
    }
    option
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(line: &str) -> Info {
        parse_info(&line.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn infos_of_both_protocols_are_read() {
        let uci = info(
            "depth 12 seldepth 20 multipv 1 score cp -35 nodes 1234 nps 99 hashfull 3 tbhits 8 \
             time 512 pv e2e4 e7e5",
        );
        assert_eq!(
            (uci.speed, uci.table_use, uci.table_hits),
            (Some(99), Some(3), Some(8))
        );
        assert_eq!(
            (uci.depth, uci.seldepth, uci.nodes),
            (Some(12), Some(20), Some(1234))
        );
        assert_eq!(uci.score, Some(ReportedScore::Centipawns(-35)));
        assert_eq!(uci.time, Some(Duration::from_millis(512)));
        assert_eq!(uci.pv, ["e2e4", "e7e5"]);
        let ucci = info("depth 8 score 24 pv h2e2 h9g7");
        assert_eq!(ucci.score, Some(ReportedScore::Centipawns(24)));
        assert_eq!(ucci.pv.len(), 2);
        assert_eq!(
            info("score mate -3 depth 2").score,
            Some(ReportedScore::Mate(-3))
        );
        assert!(info("depth 9 score cp 50 lowerbound nodes 7").is_bound);
        assert_eq!(
            info("depth 9 score cp 50 lowerbound nodes 7").nodes,
            Some(7)
        );
        assert_eq!(info("string depth 3 score cp 1"), Info::default());
        assert_eq!(info("depth score cp"), Info::default());
        assert_eq!(info("refutation x depth 99999999999 pv"), Info::default());
    }

    #[test]
    fn exact_scores_go_before_bounds_and_the_first_line_before_others() {
        let mut sum = Info::default();
        sum.update(info("depth 5 score cp 10 pv a b"));
        sum.update(info("depth 6 score cp 90 lowerbound nodes 5 pv c"));
        assert_eq!(sum.score, Some(ReportedScore::Centipawns(10)));
        assert_eq!((sum.depth, sum.nodes), (Some(5), Some(5)));
        sum.update(info("depth 6 score cp 20 pv d"));
        sum.update(info("multipv 2 depth 6 score cp -500 pv e"));
        sum.update(info("nodes 77"));
        assert_eq!(sum.score, Some(ReportedScore::Centipawns(20)));
        assert_eq!(
            (sum.pv.clone(), sum.nodes),
            (vec!["d".to_owned()], Some(77))
        );
        let mut bounds = Info::default();
        bounds.update(info("depth 1 score cp 10 upperbound"));
        bounds.update(info("depth 1 score cp 5 upperbound"));
        assert_eq!(bounds.score, Some(ReportedScore::Centipawns(5)));
    }

    #[test]
    fn answers_are_read() {
        let answer = |line: &str| parse_answer(&line.split_whitespace().collect::<Vec<_>>());
        assert_eq!(answer("e2e4 ponder e7e5").ponder.as_deref(), Some("e7e5"));
        assert!(answer("h2e2 draw").draw && answer("h2e2 ponder h9g7 resign").resign);
        for none in ["(none)", "0000", "", "a0a0"] {
            assert_eq!(answer(none).best, None);
        }
        assert_eq!(answer("e2e4 ponder").ponder, None);
        assert_eq!(answer("e2e4 ponder (none)").ponder, None);
    }

    #[test]
    fn option_values_are_checked() {
        let words = |s: &'static str| s.split_whitespace().collect::<Vec<_>>();
        let spin = parse_declaration("Hash".into(), &words("type spin default 16 min 1 max 1024"));
        assert_eq!((spin.min, spin.max), (Some(1), Some(1024)));
        assert!(spin.objection("64").is_none() && spin.objection("2048").is_some());
        assert!(spin.objection("many").is_some());
        let combo = parse_declaration(
            "S".into(),
            &words("type combo default very safe var very safe var wild"),
        );
        assert_eq!(combo.choices, ["very safe", "wild"]);
        assert!(combo.objection("Wild").is_none() && combo.objection("tame").is_some());
        let check = parse_declaration("P".into(), &words("type check default false"));
        assert!(check.objection("yes").is_some());
    }
}
