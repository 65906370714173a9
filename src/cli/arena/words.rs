//! Options of several words, `key=value` each, as users of the other runners know them.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::arena::config::{
    ConfigError, DrawRule, Format, OpeningsConfig, Order, Output, ResignRule,
};
use crate::arena::config_file::nearest;
use crate::arena::plain_words::value_of;
use crate::arena::sprt::{Model, Sprt};

pub(super) fn split(word: &str) -> Result<(&str, &str), ConfigError> {
    word.split_once('=')
        .ok_or_else(|| ConfigError(format!("`{word}` is not key=value")))
}

pub(super) fn value<T: std::str::FromStr>(key: &str, text: &str) -> Result<T, ConfigError>
where
    T::Err: std::fmt::Display,
{
    value_of(key, text).map_err(ConfigError)
}

pub(super) fn unknown(key: &str, known: &[&str]) -> ConfigError {
    let hint = nearest(key, known).map_or_else(String::new, |n| format!("; did you mean `{n}`?"));
    ConfigError(format!("unknown key `{key}`{hint}"))
}

pub(super) fn openings(words: &[String]) -> Result<OpeningsConfig, ConfigError> {
    let mut openings = OpeningsConfig::default();
    for word in words {
        match split(word)? {
            ("file", text) => openings.file = PathBuf::from(text),
            ("order", "random") => openings.order = Order::Random,
            ("order", "sequential") => openings.order = Order::Sequential,
            ("order", text) => {
                return Err(ConfigError(format!(
                    "order={text} is neither random nor sequential"
                )));
            }
            ("start", text) => openings.start = value("start", text)?,
            ("plies", text) => openings.plies = value("plies", text)?,
            ("policy", text) => openings.policy = choice("policy", text)?,
            ("strict", text) => openings.strict = value("strict", text)?,
            // What the file is, its name tells.
            ("format", _) => {}
            (key, _) => {
                let known = ["file", "order", "start", "plies", "policy", "strict"];
                return Err(unknown(key, &known));
            }
        }
    }
    Ok(openings)
}

/// One of the names of a choice.
fn choice<T: ValueEnum>(key: &str, text: &str) -> Result<T, ConfigError> {
    T::from_str(text, false).map_err(|_| {
        let values = T::value_variants().iter();
        let names: Vec<String> = values
            .filter_map(|value| Some(value.to_possible_value()?.get_name().to_owned()))
            .collect();
        ConfigError(format!("{key}={text} is none of {}", names.join(", ")))
    })
}

/// How records are written: a file, and keys.
pub(super) fn records(words: &[String], output: &mut Output) -> Result<(), ConfigError> {
    for (place, word) in words.iter().enumerate() {
        match word.split_once('=') {
            None if place == 0 => output.pgn = Some(PathBuf::from(word)),
            None => return Err(ConfigError(format!("`{word}` is not key=value"))),
            Some(("file", text)) => output.pgn = Some(PathBuf::from(text)),
            Some(("notation", text)) => output.notation = Some(choice("notation", text)?),
            Some(("mate_unit", text)) => output.mate_unit = choice("mate_unit", text)?,
            Some(("match_line", text)) => output.match_line = Some(text.to_owned()),
            Some(("unfinished", text)) => output.unfinished = value("unfinished", text)?,
            Some(("min", text)) => output.min = value("min", text)?,
            Some((key, _)) => {
                let known = [
                    "file",
                    "notation",
                    "mate_unit",
                    "match_line",
                    "unfinished",
                    "min",
                ];
                return Err(unknown(key, &known));
            }
        }
    }
    Ok(())
}

/// `format=NAME`.
pub(super) fn format(word: &str) -> Result<Format, ConfigError> {
    match split(word)? {
        ("format", text) => choice("format", text),
        (key, _) => Err(unknown(key, &["format"])),
    }
}

pub(super) fn draw_rule(words: &[String]) -> Result<DrawRule, ConfigError> {
    let mut rule = DrawRule {
        movenumber: 0,
        movecount: 8,
        score: 0,
    };
    for word in words {
        match split(word)? {
            ("movenumber", text) => rule.movenumber = value("movenumber", text)?,
            ("movecount", text) => rule.movecount = value("movecount", text)?,
            ("score", text) => rule.score = value("score", text)?,
            (key, _) => return Err(unknown(key, &["movenumber", "movecount", "score"])),
        }
    }
    Ok(rule)
}

pub(super) fn resign_rule(words: &[String]) -> Result<ResignRule, ConfigError> {
    let mut rule = ResignRule {
        movecount: 3,
        score: 1000,
        twosided: false,
    };
    for word in words {
        match split(word)? {
            ("movecount", text) => rule.movecount = value("movecount", text)?,
            ("score", text) => rule.score = value("score", text)?,
            ("twosided", text) => rule.twosided = value("twosided", text)?,
            (key, _) => return Err(unknown(key, &["movecount", "score", "twosided"])),
        }
    }
    Ok(rule)
}

pub(super) fn sprt(words: &[String]) -> Result<Sprt, ConfigError> {
    let mut sprt = Sprt {
        elo0: 0.0,
        elo1: 5.0,
        alpha: 0.05,
        beta: 0.05,
        model: Model::Normalized,
    };
    for word in words {
        match split(word)? {
            ("elo0", text) => sprt.elo0 = value("elo0", text)?,
            ("elo1", text) => sprt.elo1 = value("elo1", text)?,
            ("alpha", text) => sprt.alpha = value("alpha", text)?,
            ("beta", text) => sprt.beta = value("beta", text)?,
            ("model", text) => sprt.model = model(text)?,
            (key, _) => return Err(unknown(key, &["elo0", "elo1", "alpha", "beta", "model"])),
        }
    }
    sprt.validated()
        .map_err(|e| ConfigError(format!("sprt: {e}")))
}

fn model(text: &str) -> Result<Model, ConfigError> {
    let models = [
        Model::Normalized,
        Model::Logistic,
        Model::Bayesian,
        Model::OpenBench,
        Model::Cutechess,
    ];
    let found = models.into_iter().find(|model| model.to_string() == text);
    found.ok_or_else(|| {
        let names = models.map(|model| model.to_string());
        ConfigError(format!("model={text} is none of {}", names.join(", ")))
    })
}
