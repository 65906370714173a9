//! Values of options: what clients write, read.

use super::table::{Kind, OptionId, Spec};
use crate::protocol::{Dialect, OptionError};

/// What older UCCI clients call the rules.
const OLD_RULES: &[(&str, &str)] = &[("asianrule", "asian"), ("chineserule", "chinese")];

/// The value of one option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value {
    Check(bool),
    Number(i64),
    Choice(&'static str),
    Text(String),
    None,
}

impl Value {
    /// What an option is to begin with.
    pub fn default_of(kind: &Kind) -> Value {
        match *kind {
            Kind::Check(default) => Value::Check(default),
            Kind::Spin { default, .. } | Kind::Amount { default, .. } => Value::Number(default),
            Kind::Combo { default, .. } => Value::Choice(default),
            Kind::Button => Value::None,
            Kind::Text(default) => Value::Text(default.to_owned()),
        }
    }
}

/// Reads a value for an option that now has the value `kept`; and what the user should know of
/// it, if anything.
pub(super) fn read(
    spec: &Spec,
    dialect: Dialect,
    text: &str,
    kept: &Value,
) -> Result<(Value, Option<String>), OptionError> {
    let name = spec.name(dialect).or(spec.uci).unwrap_or("");
    let text = text.trim();
    let value = || text.to_owned();
    let new = match (&spec.kind, kept) {
        (Kind::Check(_), &Value::Check(kept)) => {
            Value::Check(read_check(text).ok_or_else(|| OptionError::Check {
                name,
                value: value(),
                kept,
            })?)
        }
        (Kind::Spin { .. } | Kind::Amount { .. }, &Value::Number(kept)) => {
            let n = read_number(text).ok_or_else(|| OptionError::Number {
                name,
                value: value(),
                kept,
            })?;
            let (min, max) = spec.range(dialect);
            let used = n.clamp(min, max);
            let note = (used != n).then(|| format!("{name}: {text} out of range, using {used}"));
            return Ok((Value::Number(used), note));
        }
        (Kind::Combo { choices, .. }, &Value::Choice(kept)) => {
            let word = current_word(spec.id, text);
            let choice = choices
                .iter()
                .find(|choice| choice.eq_ignore_ascii_case(word));
            Value::Choice(choice.ok_or_else(|| OptionError::Choice {
                name,
                value: value(),
                choices: choices.join(", "),
                kept,
            })?)
        }
        (Kind::Text(_), _) => Value::Text(match text {
            // What clients write for nothing, as an empty value cannot be sent by all.
            "<empty>" => String::new(),
            _ => value(),
        }),
        _ => Value::None,
    };
    Ok((new, None))
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
