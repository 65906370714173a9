//! Options of several words, `key=value` each, as users of the other runners know them.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::arena::config::{
    ConfigError, DrawRule, Format, OpeningsConfig, Order, Output, ResignRule,
};
use crate::arena::hints::hint;
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
    let hint = hint(key, known);
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

/// A key that has no value of its own, as it has none in the configuration file.
fn needed<T>(option: &str, key: &str, given: Option<T>) -> Result<T, ConfigError> {
    given.ok_or_else(|| ConfigError(format!("{option}: {key}=N is missing")))
}

pub(super) fn draw_rule(words: &[String]) -> Result<DrawRule, ConfigError> {
    let mut movenumber = 0;
    let (mut movecount, mut score) = (None, None);
    for word in words {
        match split(word)? {
            ("movenumber", text) => movenumber = value("movenumber", text)?,
            ("movecount", text) => movecount = Some(value("movecount", text)?),
            ("score", text) => score = Some(value("score", text)?),
            (key, _) => return Err(unknown(key, &["movenumber", "movecount", "score"])),
        }
    }
    Ok(DrawRule {
        movenumber,
        movecount: needed("draw", "movecount", movecount)?,
        score: needed("draw", "score", score)?,
    })
}

pub(super) fn resign_rule(words: &[String]) -> Result<ResignRule, ConfigError> {
    let mut twosided = false;
    let (mut movecount, mut score) = (None, None);
    for word in words {
        match split(word)? {
            ("movecount", text) => movecount = Some(value("movecount", text)?),
            ("score", text) => score = Some(value("score", text)?),
            ("twosided", text) => twosided = value("twosided", text)?,
            (key, _) => return Err(unknown(key, &["movecount", "score", "twosided"])),
        }
    }
    Ok(ResignRule {
        movecount: needed("resign", "movecount", movecount)?,
        score: needed("resign", "score", score)?,
        twosided,
    })
}

pub(super) fn sprt(words: &[String]) -> Result<Sprt, ConfigError> {
    let (mut elo0, mut elo1) = (None, None);
    let (mut alpha, mut beta, mut kind) = (0.05, 0.05, Model::Normalized);
    for word in words {
        match split(word)? {
            ("elo0", text) => elo0 = Some(value("elo0", text)?),
            ("elo1", text) => elo1 = Some(value("elo1", text)?),
            ("alpha", text) => alpha = value("alpha", text)?,
            ("beta", text) => beta = value("beta", text)?,
            ("model", text) => kind = model(text)?,
            (key, _) => return Err(unknown(key, &["elo0", "elo1", "alpha", "beta", "model"])),
        }
    }
    let sprt = Sprt {
        elo0: needed("sprt", "elo0", elo0)?,
        elo1: needed("sprt", "elo1", elo1)?,
        alpha,
        beta,
        model: kind,
    };
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
