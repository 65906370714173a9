//! What is wrong with a configuration, in words: the line, and the name that was meant.

use std::path::Path;

use crate::arena::config::ConfigError;
use crate::arena::plain_words::in_plain_words;

/// The number, from 1, of the line in which the byte at `offset` stands.
pub fn line_of(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().iter().take(offset);
    1 + before.filter(|&&byte| byte == b'\n').count()
}

/// What to say behind a name that is not known.
pub fn hint(name: &str, known: &[&str]) -> String {
    nearest(name, known).map_or_else(String::new, |n| format!("; did you mean `{n}`?"))
}

/// The known name most like `name`, if one is like it at all.
pub fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let likeness = |other: &str| strsim::jaro_winkler(name, other);
    // Of names of two or three letters one slip leaves little that is alike.
    let is_a_slip = |other: &str| strsim::osa_distance(name, other) == 1;
    known
        .iter()
        .copied()
        .filter(|other| likeness(other) > 0.68 || is_a_slip(other))
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
}

/// One line with the place of the error.
pub fn describe(path: &Path, text: &str, error: &toml::de::Error) -> ConfigError {
    let line = error.span().map_or(1, |span| line_of(text, span.start));
    let words = in_words(error);
    ConfigError(format!("{}:{line}: {words}", path.display()))
}

/// What is wrong; for an unknown key, with the nearest key there is.
pub fn in_words(error: &toml::de::Error) -> String {
    let message = error.message().trim().replace('\n', " ");
    let mut quoted = message.split('`').skip(1).step_by(2);
    match message.strip_prefix("unknown field") {
        Some(_) => {
            let unknown = quoted.next().unwrap_or_default();
            let known: Vec<&str> = quoted.collect();
            let hint = hint(unknown, &known);
            format!("unknown key `{unknown}`{hint}")
        }
        None => in_plain_words(&message),
    }
}
