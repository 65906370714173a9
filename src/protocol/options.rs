//! One table of options for both dialects: what they are called, what they may be, what they are.
//!
//! A new option is one line of [`TABLE`] and one name in [`OptionId`]. Only what works is
//! declared. Names are compared without case; in UCCI blanks and underscores do not count either,
//! so that `clear_hash` is `Clear Hash`.

use crate::protocol::{Dialect, OptionError};

/// The options, in the order in which they are declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub enum OptionId {
    /// The unit of UCCI clocks: milliseconds, or seconds.
    UseMillisec,
    /// UCCI: no input is acted upon during a search.
    Batch,
    /// More remarks. In UCI a command instead.
    Debug,
    /// Transposition table in MiB; 0 leaves it to the engine.
    Hash,
    /// Search threads; 0 leaves it to the engine.
    Threads,
    /// The client will ponder.
    Ponder,
    /// How many best lines to show.
    MultiPv,
    /// Time in milliseconds lost per move outside the engine.
    MoveOverhead,
    /// Forget what the hash table holds.
    ClearHash,
    /// UCCI: a new game begins.
    NewGame,
    /// Castling is written as the king taking its rook.
    Chess960,
    /// Which game UCI plays.
    Variant,
    /// How the ranks of xiangqi moves are numbered over UCI.
    XiangqiRanks,
    /// The search serves analysis: it does not end early.
    AnalyseMode,
    /// How repetitions are judged in xiangqi.
    RepetitionRule,
    /// Plies without a capture that draw a game of xiangqi; 0 for never.
    NoCaptureLimit,
    /// A file of weights to evaluate chess with; empty for the built-in evaluation.
    EvalFile,
    /// The same for xiangqi.
    EvalFileXiangqi,
}

/// One line of the table.
struct Spec {
    id: OptionId,
    uci: Option<&'static str>,
    ucci: Option<&'static str>,
    kind: Kind,
}

enum Kind {
    Check(bool),
    Spin {
        default: i64,
        min: i64,
        max: i64,
    },
    /// As `Spin`, but UCCI may also say 0: the engine decides.
    Amount {
        default: i64,
        max: i64,
    },
    Combo {
        default: &'static str,
        choices: &'static [&'static str],
    },
    Button,
    /// Any text, to begin with none.
    Text,
}

use Kind::{Amount, Button, Check, Combo, Spin, Text};

const fn spec(
    id: OptionId,
    uci: Option<&'static str>,
    ucci: Option<&'static str>,
    kind: Kind,
) -> Spec {
    Spec {
        id,
        uci,
        ucci,
        kind,
    }
}

const GAMES: &[&str] = &["chess", "xiangqi"];
const RANKS: &[&str] = &["fairy", "pikafish"];
const RULES: &[&str] = &["asian", "computer", "chinese", "simple"];

/// What older UCCI clients call the rules.
const OLD_RULES: &[(&str, &str)] = &[("asianrule", "asian"), ("chineserule", "chinese")];

#[rustfmt::skip]
const TABLE: [Spec; 18] = [
    spec(OptionId::UseMillisec,  None,                    Some("usemillisec"),  Check(true)),
    spec(OptionId::Batch,        None,                    Some("batch"),        Check(false)),
    spec(OptionId::Debug,        None,                    Some("debug"),        Check(false)),
    spec(OptionId::Hash,         Some("Hash"),            Some("hashsize"),     Amount { default: 16, max: 1_048_576 }),
    spec(OptionId::Threads,      Some("Threads"),         Some("threads"),      Amount { default: 1, max: 1024 }),
    spec(OptionId::Ponder,       Some("Ponder"),          Some("ponder"),       Check(false)),
    spec(OptionId::MultiPv,      Some("MultiPV"),         Some("multipv"),      Spin { default: 1, min: 1, max: 256 }),
    spec(OptionId::MoveOverhead, Some("Move Overhead"),   Some("moveoverhead"), Spin { default: 30, min: 0, max: 5000 }),
    spec(OptionId::ClearHash,    Some("Clear Hash"),      None,                 Button),
    spec(OptionId::NewGame,      None,                    Some("newgame"),      Button),
    spec(OptionId::Chess960,     Some("UCI_Chess960"),    None,                 Check(false)),
    spec(OptionId::Variant,      Some("UCI_Variant"),     None,                 Combo { default: "chess", choices: GAMES }),
    spec(OptionId::XiangqiRanks, Some("UCI_XiangqiRanks"), None,                Combo { default: "fairy", choices: RANKS }),
    spec(OptionId::AnalyseMode,  Some("UCI_AnalyseMode"), None,                 Check(false)),
    spec(OptionId::RepetitionRule, Some("Repetition Rule"), Some("repetition"), Combo { default: "asian", choices: RULES }),
    spec(OptionId::NoCaptureLimit, Some("No Capture Limit"), Some("natural"),   Spin { default: 120, min: 0, max: 1000 }),
    spec(OptionId::EvalFile,     Some("EvalFile"),        None,                 Text),
    spec(OptionId::EvalFileXiangqi, Some("EvalFileXiangqi"), Some("evalfile"),  Text),
];

impl Spec {
    fn name(&self, dialect: Dialect) -> Option<&'static str> {
        match dialect {
            Dialect::Uci => self.uci,
            Dialect::Ucci => self.ucci,
        }
    }

    /// Is this the option's own name in the dialect? Case, and in UCCI blanks and underscores, do
    /// not count.
    fn is_named(&self, name: &str, dialect: Dialect) -> bool {
        match dialect {
            Dialect::Uci => self.uci.is_some_and(|own| own.eq_ignore_ascii_case(name)),
            Dialect::Ucci => self.ucci == Some(plain(name).as_str()),
        }
    }

    /// UCCI clients have UCI habits, except for `UCI_*`: is this the option's UCI name?
    fn is_named_by_habit(&self, name: &str, dialect: Dialect) -> bool {
        let uci = self.uci.filter(|own| !own.starts_with("UCI_"));
        dialect == Dialect::Ucci && uci.is_some_and(|own| plain(own) == plain(name))
    }

    /// The range of a number in this dialect.
    fn range(&self, dialect: Dialect) -> (i64, i64) {
        match self.kind {
            Spin { min, max, .. } => (min, max),
            Amount { max, .. } => (i64::from(dialect == Dialect::Uci), max),
            _ => (0, 0),
        }
    }
}

/// A name as UCCI compares it.
fn plain(text: &str) -> String {
    text.replace([' ', '_'], "").to_ascii_lowercase()
}

/// The option that answers to a name: by its own name in the dialect rather than by habit, since
/// one option's UCI name may be another's in UCCI.
fn named(name: &str, dialect: Dialect) -> Option<&'static Spec> {
    let own = TABLE.iter().find(|spec| spec.is_named(name, dialect));
    let by_habit = || TABLE.iter().find(|s| s.is_named_by_habit(name, dialect));
    own.or_else(by_habit)
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Value {
    Check(bool),
    Number(i64),
    Choice(&'static str),
    Text(String),
    None,
}

/// What a `setoption` line did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetOption {
    /// The option that was set, or the button that was pressed.
    pub id: OptionId,
    /// What the user should know: that a number was out of range.
    pub note: Option<String>,
}

/// The values of all options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    values: [Value; TABLE.len()],
    /// What the client is told are the defaults.
    defaults: [Value; TABLE.len()],
}

impl Options {
    /// The defaults. `xiangqi` says that the process was started to play xiangqi: then that is
    /// the default game, and ranks count from 0.
    pub fn new(xiangqi: bool) -> Options {
        let mut values = TABLE.each_ref().map(|spec| match spec.kind {
            Check(default) => Value::Check(default),
            Spin { default, .. } | Amount { default, .. } => Value::Number(default),
            Combo { default, .. } => Value::Choice(default),
            Button => Value::None,
            Text => Value::Text(String::new()),
        });
        if xiangqi {
            values[OptionId::Variant as usize] = Value::Choice("xiangqi");
            values[OptionId::XiangqiRanks as usize] = Value::Choice("pikafish");
        }
        Options {
            defaults: values.clone(),
            values,
        }
    }

    /// The value of a check option; false for any other.
    pub fn is_on(&self, id: OptionId) -> bool {
        self.values[id as usize] == Value::Check(true)
    }

    /// The value of a numeric option; 0 for any other.
    pub fn number(&self, id: OptionId) -> i64 {
        match self.values[id as usize] {
            Value::Number(n) => n,
            _ => 0,
        }
    }

    /// The value of a combo option; empty for any other.
    pub fn choice(&self, id: OptionId) -> &'static str {
        match self.values[id as usize] {
            Value::Choice(text) => text,
            _ => "",
        }
    }

    /// The value of a text option; empty for any other.
    pub fn text(&self, id: OptionId) -> &str {
        match &self.values[id as usize] {
            Value::Text(text) => text,
            _ => "",
        }
    }

    /// What a numeric option is set to where nobody sets it.
    pub fn default_number(&self, id: OptionId) -> i64 {
        match self.defaults[id as usize] {
            Value::Number(n) => n,
            _ => 0,
        }
    }

    /// Switches a check option without going through text.
    pub fn switch(&mut self, id: OptionId, on: bool) {
        if matches!(self.values[id as usize], Value::Check(_)) {
            self.values[id as usize] = Value::Check(on);
        }
    }

    /// Carries out a `setoption` line.
    ///
    /// # Errors
    /// An unknown name or an unreadable value; nothing has changed then.
    pub fn set(
        &mut self,
        dialect: Dialect,
        name: &str,
        value: Option<&str>,
    ) -> Result<SetOption, OptionError> {
        let spec = named(name, dialect).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let mut note = None;
        let new = self.read(spec, dialect, value.unwrap_or(""), &mut note)?;
        self.values[spec.id as usize] = new;
        Ok(SetOption { id: spec.id, note })
    }

    /// Reads a value for the option.
    fn read(
        &self,
        spec: &Spec,
        dialect: Dialect,
        text: &str,
        note: &mut Option<String>,
    ) -> Result<Value, OptionError> {
        let name = spec.name(dialect).or(spec.uci).unwrap_or("");
        let text = text.trim();
        let value = || text.to_owned();
        match (&spec.kind, self.values[spec.id as usize].clone()) {
            (Check(_), Value::Check(kept)) => {
                read_check(text)
                    .map(Value::Check)
                    .ok_or_else(|| OptionError::Check {
                        name,
                        value: value(),
                        kept,
                    })
            }
            (Spin { .. } | Amount { .. }, Value::Number(kept)) => {
                let n = read_number(text).ok_or_else(|| OptionError::Number {
                    name,
                    value: value(),
                    kept,
                })?;
                let (min, max) = spec.range(dialect);
                let used = n.clamp(min, max);
                if used != n {
                    *note = Some(format!("{name}: {text} out of range, using {used}"));
                }
                Ok(Value::Number(used))
            }
            (Combo { choices, .. }, Value::Choice(kept)) => choices
                .iter()
                .find(|choice| choice.eq_ignore_ascii_case(current_word(spec.id, text)))
                .map(|choice| Value::Choice(choice))
                .ok_or_else(|| OptionError::Choice {
                    name,
                    value: value(),
                    choices: choices.join(", "),
                    kept,
                }),
            (Text, _) => Ok(Value::Text(match text {
                // What clients write for nothing, as an empty value cannot be sent by all.
                "<empty>" => String::new(),
                _ => value(),
            })),
            _ => Ok(Value::None),
        }
    }

    /// The option lines of a handshake.
    pub fn declare(&self, dialect: Dialect) -> Vec<String> {
        TABLE
            .iter()
            .filter_map(|spec| Some((spec.name(dialect)?, spec)))
            .map(|(name, spec)| self.declare_one(name, spec, dialect))
            .collect()
    }

    fn declare_one(&self, name: &str, spec: &Spec, dialect: Dialect) -> String {
        let default = match &self.defaults[spec.id as usize] {
            Value::Check(on) => on.to_string(),
            Value::Number(n) => n.to_string(),
            Value::Choice(text) => (*text).to_owned(),
            Value::Text(text) if text.is_empty() => "<empty>".to_owned(),
            Value::Text(text) => text.clone(),
            Value::None => String::new(),
        };
        let (kind, extra) = match &spec.kind {
            Check(_) => ("check", String::new()),
            Button => ("button", String::new()),
            Text => ("string", String::new()),
            Spin { .. } | Amount { .. } => {
                let (min, max) = spec.range(dialect);
                ("spin", format!(" min {min} max {max}"))
            }
            Combo { choices, .. } => {
                let list = choices.iter().map(|choice| format!(" var {choice}"));
                ("combo", list.collect())
            }
        };
        let default = match default.as_str() {
            "" => default,
            text => format!(" default {text}"),
        };
        match dialect {
            Dialect::Uci => format!("option name {name} type {kind}{default}{extra}"),
            Dialect::Ucci => format!("option {name} type {kind}{extra}{default}"),
        }
    }
}

/// The word of today for what a client says.
fn current_word(id: OptionId, text: &str) -> &str {
    let old = OLD_RULES
        .iter()
        .find(|(old, _)| id == OptionId::RepetitionRule && old.eq_ignore_ascii_case(text));
    old.map_or(text, |(_, new)| new)
}

fn read_check(text: &str) -> Option<bool> {
    let any = |words: [&str; 4]| words.iter().any(|word| word.eq_ignore_ascii_case(text));
    match (
        any(["true", "on", "1", "yes"]),
        any(["false", "off", "0", "no"]),
    ) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// A signed decimal number of any length; what does not fit is the nearest that does.
fn read_number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', ..] => (true, &text[1..]),
        [b'+', ..] => (false, &text[1..]),
        _ => (false, text),
    };
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let size = digits.parse::<i64>().unwrap_or(i64::MAX);
    Some(if negative { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(options: &mut Options, name: &str, value: &str) -> Result<SetOption, OptionError> {
        options.set(Dialect::Uci, name, Some(value))
    }

    #[test]
    fn the_table_stands_in_the_order_of_the_ids() {
        for (index, spec) in TABLE.iter().enumerate() {
            assert_eq!(spec.id as usize, index);
        }
    }

    #[test]
    fn every_declared_spelling_sets_its_option() {
        for dialect in [Dialect::Uci, Dialect::Ucci] {
            for spec in &TABLE {
                if let Some(name) = spec.name(dialect) {
                    let owner = named(name, dialect);
                    assert_eq!(owner.map(|s| s.id), Some(spec.id), "{name}");
                }
            }
        }
    }

    #[test]
    fn option_lines_have_the_shape_clients_parse() {
        let uci = Options::new(false).declare(Dialect::Uci);
        for line in [
            "option name Hash type spin default 16 min 1 max 1048576",
            "option name Threads type spin default 1 min 1 max 1024",
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name Move Overhead type spin default 30 min 0 max 5000",
            "option name UCI_Variant type combo default chess var chess var xiangqi",
            "option name UCI_XiangqiRanks type combo default fairy var fairy var pikafish",
        ] {
            assert!(uci.iter().any(|own| own == line), "{line}");
        }
        let ucci = Options::new(false).declare(Dialect::Ucci);
        for line in [
            "option usemillisec type check default true",
            "option hashsize type spin min 0 max 1048576 default 16",
            "option newgame type button",
        ] {
            assert!(ucci.iter().any(|own| own == line), "{line}");
        }
        assert!(ucci.iter().all(|line| !line.contains("draw")));
    }

    #[test]
    fn defaults_tell_of_a_start_as_xiangqi() {
        let lines = Options::new(true).declare(Dialect::Uci);
        let xiangqi = "option name UCI_Variant type combo default xiangqi var chess var xiangqi";
        assert!(lines.iter().any(|line| line == xiangqi));
        assert_eq!(
            Options::new(true).choice(OptionId::XiangqiRanks),
            "pikafish"
        );
    }

    #[test]
    fn opt_1_names_without_case() {
        let mut options = Options::new(false);
        set(&mut options, "mOVE overHEAD", "100").unwrap();
        assert_eq!(options.number(OptionId::MoveOverhead), 100);
        assert!(set(&mut options, "MoveOverhead", "7").is_err());
    }

    #[test]
    fn opt_4_check_values() {
        let mut options = Options::new(false);
        for (text, on) in [("TRUE", true), ("0", false), ("yes", true), ("off", false)] {
            set(&mut options, "Ponder", text).unwrap();
            assert_eq!(options.is_on(OptionId::Ponder), on, "{text}");
        }
        let error = set(&mut options, "Ponder", "perhaps").unwrap_err();
        assert_eq!(
            error.to_string(),
            "Ponder: 'perhaps' is neither true nor false, keeping false"
        );
    }

    #[test]
    fn opt_5_spin_values() {
        let mut options = Options::new(false);
        let note = set(&mut options, "Hash", "0").unwrap().note;
        assert_eq!(note.as_deref(), Some("Hash: 0 out of range, using 1"));
        let error = set(&mut options, "Threads", "many").unwrap_err();
        assert_eq!(
            error.to_string(),
            "Threads: 'many' is not a number, keeping 1"
        );
        set(&mut options, "Threads", "99999999999999999999").unwrap();
        assert_eq!(options.number(OptionId::Threads), 1024);
        set(&mut options, "Hash", " +64 ").unwrap();
        assert_eq!(options.number(OptionId::Hash), 64);
    }

    #[test]
    fn opt_6_combo_values() {
        let mut options = Options::new(false);
        set(&mut options, "UCI_Variant", "XiangQi").unwrap();
        assert_eq!(options.choice(OptionId::Variant), "xiangqi");
        assert!(set(&mut options, "UCI_Variant", "shogi").is_err());
        assert_eq!(options.choice(OptionId::Variant), "xiangqi");
    }

    #[test]
    fn rules_of_xiangqi_in_both_dialects() {
        let uci = Options::new(false).declare(Dialect::Uci);
        let rule = "option name Repetition Rule type combo default asian \
                    var asian var computer var chinese var simple";
        let limit = "option name No Capture Limit type spin default 120 min 0 max 1000";
        assert!(uci.iter().any(|line| line == rule) && uci.iter().any(|line| line == limit));
        let ucci = Options::new(false).declare(Dialect::Ucci);
        let rule = "option repetition type combo var asian var computer var chinese var simple \
                    default asian";
        assert!(ucci.iter().any(|line| line == rule), "{ucci:?}");

        let mut options = Options::new(false);
        for (old, new) in [("ChineseRule", "chinese"), ("asianrule", "asian")] {
            options.set(Dialect::Ucci, "repetition", Some(old)).unwrap();
            assert_eq!(options.choice(OptionId::RepetitionRule), new);
        }
        let refused = options.set(Dialect::Ucci, "repetition", Some("alwaysdraw"));
        assert!(refused.is_err());
        assert_eq!(options.choice(OptionId::RepetitionRule), "asian");
        options.set(Dialect::Ucci, "natural", Some("0")).unwrap();
        assert_eq!(options.number(OptionId::NoCaptureLimit), 0);
    }

    #[test]
    fn ucci_names_and_automatic_amounts() {
        let mut options = Options::new(false);
        for name in ["hashsize", "HashSize", "hash", "Hash"] {
            let set = options.set(Dialect::Ucci, name, Some("0")).unwrap();
            assert_eq!((set.id, set.note), (OptionId::Hash, None));
        }
        assert_eq!(options.number(OptionId::Hash), 0);
        let pressed = options.set(Dialect::Ucci, "clear_hash", None).unwrap();
        assert_eq!(pressed.id, OptionId::ClearHash);
        assert!(
            options
                .set(Dialect::Ucci, "UCI_Chess960", Some("true"))
                .is_err()
        );
        assert!(
            options
                .set(Dialect::Uci, "usemillisec", Some("false"))
                .is_err()
        );
    }
}
