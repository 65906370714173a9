//! One table of options for both dialects: what they are called, what they may be, what they are.
//!
//! A new option is one line of the `table`. Names are compared without case; in UCCI blanks and
//! underscores do not count either, so that `clear_hash` is `Clear Hash`.

mod table;
#[cfg(test)]
mod tests;
mod value;

pub use table::OptionId;

use crate::protocol::{Dialect, OptionError};
use table::{Kind, Spec, TABLE, named};
use value::Value;

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
    /// How often each was set.
    times_set: [u32; TABLE.len()],
}

impl Options {
    /// The defaults. `xiangqi` says that the process was started to play xiangqi: then that is
    /// the default game, and ranks count from 0.
    pub fn new(xiangqi: bool) -> Options {
        let mut values = TABLE.each_ref().map(|spec| Value::default_of(&spec.kind));
        if xiangqi {
            values[OptionId::Variant as usize] = Value::Choice("xiangqi");
            values[OptionId::XiangqiRanks as usize] = Value::Choice("pikafish");
        }
        Options {
            defaults: values.clone(),
            times_set: [0; TABLE.len()],
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

    /// How often the client has set an option: a file that is named again is to be read again.
    pub fn times_set(&self, id: OptionId) -> u32 {
        self.times_set[id as usize]
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
        let kept = &self.values[spec.id as usize];
        let (new, note) = value::read(spec, dialect, value.unwrap_or(""), kept)?;
        self.values[spec.id as usize] = new;
        self.times_set[spec.id as usize] += 1;
        Ok(SetOption { id: spec.id, note })
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
            Kind::Check(_) => ("check", String::new()),
            Kind::Button => ("button", String::new()),
            Kind::Text(_) => ("string", String::new()),
            Kind::Spin { .. } | Kind::Amount { .. } => {
                let (min, max) = spec.range(dialect);
                ("spin", format!(" min {min} max {max}"))
            }
            Kind::Combo { choices, .. } => {
                let list = choices.iter().map(|choice| format!(" var {choice}"));
                ("combo", list.collect())
            }
        };
        let default = match default.as_str() {
            "" => default,
            // UCCI leaves the default of an empty text out.
            "<empty>" if dialect == Dialect::Ucci => String::new(),
            text => format!(" default {text}"),
        };
        match dialect {
            Dialect::Uci => format!("option name {name} type {kind}{default}{extra}"),
            Dialect::Ucci => format!("option {name} type {kind}{extra}{default}"),
        }
    }
}
