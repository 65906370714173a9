//! Messages of the libraries that read numbers, TOML and command lines, in words for people who
//! do not program.

/// What those libraries say, and what it means.
const MEANINGS: [(&str, &str); 28] = [
    ("invalid type: string ", "the text "),
    ("invalid type: integer ", "the number "),
    ("invalid type: floating point ", "the number "),
    ("invalid type: boolean ", "the value "),
    ("invalid type: sequence", "a list"),
    ("invalid type: map", "a table"),
    ("invalid value: integer ", "the number "),
    ("` as i128, ", "`, "),
    ("expected usize", "expected a whole number from 0"),
    ("expected u64", "expected a whole number from 0"),
    ("expected u32", "expected a whole number from 0"),
    ("expected u16", "expected a whole number from 0 to 65535"),
    ("expected i64", "expected a whole number"),
    ("expected i32", "expected a whole number"),
    ("expected f64", "expected a number"),
    ("expected a boolean", "expected true or false"),
    ("expected a string", "expected a text in quotation marks"),
    ("expected a sequence", "expected a list in brackets"),
    ("expected a map", "expected a table of keys"),
    ("expected path string", "expected a text in quotation marks"),
    ("unknown variant", "unknown word"),
    ("missing field", "missing key"),
    (
        "cannot parse integer from empty string",
        "expected a whole number",
    ),
    ("cannot parse float from empty string", "expected a number"),
    ("invalid float literal", "expected a number"),
    (
        "number too large to fit in target type",
        "the number is too large",
    ),
    (
        "number too small to fit in target type",
        "the number is too small",
    ),
    (
        "provided string was not `true` or `false`",
        "expected true or false",
    ),
];

/// The same message for people.
pub fn in_plain_words(message: &str) -> String {
    let mut text = message.to_owned();
    for (jargon, plain) in MEANINGS {
        text = text.replace(jargon, plain);
    }
    // The sign of a number that has none is the one thing wrong with most that are refused.
    let is_negative = text.match_indices('-').any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + 1..]);
        before.ends_with(['=', '\'']) && behind.starts_with(|c: char| c.is_ascii_digit())
    });
    let wanted = if is_negative {
        "expected a whole number from 0"
    } else {
        "expected a whole number"
    };
    tables_without_names(&text.replace("invalid digit found in string", wanted))
}

/// `struct NAME`, which no user knows, is a table.
fn tables_without_names(text: &str) -> String {
    let Some((before, after)) = text.split_once("expected struct ") else {
        return text.to_owned();
    };
    let rest = after.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
    format!("{before}expected a table of keys{rest}")
}

/// A value of `key=text`.
///
/// # Errors
/// One line that names both, and what was expected.
pub fn value_of<T: std::str::FromStr>(key: &str, text: &str) -> Result<T, String>
where
    T::Err: std::fmt::Display,
{
    text.parse()
        .map_err(|e| in_plain_words(&format!("{key}={text}: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_type_of_a_programming_language_is_named() {
        for (message, plain) in [
            (
                "invalid type: string \"many\", expected u64",
                "the text \"many\", expected a whole number from 0",
            ),
            (
                "invalid value: integer `-1`, expected usize",
                "the number `-1`, expected a whole number from 0",
            ),
            (
                "invalid type: string \"x.epd\", expected struct OpeningsConfig",
                "the text \"x.epd\", expected a table of keys",
            ),
            (
                "invalid type: integer `99999999999999999999` as i128, expected u64",
                "the number `99999999999999999999`, expected a whole number from 0",
            ),
            ("nothing to change", "nothing to change"),
        ] {
            assert_eq!(in_plain_words(message), plain);
        }
        let error = |key, text| value_of::<u64>(key, text).unwrap_err();
        assert_eq!(error("nodes", "x"), "nodes=x: expected a whole number");
        assert_eq!(
            error("nodes", "-3"),
            "nodes=-3: expected a whole number from 0"
        );
        // The dashes of options are no signs, nor is one before a letter.
        assert_eq!(
            in_plain_words(
                "invalid value 'x' for '--rounds <ROUNDS>': invalid digit found in string"
            ),
            "invalid value 'x' for '--rounds <ROUNDS>': expected a whole number"
        );
        assert_eq!(error("score", "-x"), "score=-x: expected a whole number");
        assert_eq!(
            value_of::<bool>("strict", "perhaps").unwrap_err(),
            "strict=perhaps: expected true or false"
        );
        assert_eq!(
            value_of::<f64>("elo0", "five").unwrap_err(),
            "elo0=five: expected a number"
        );
    }
}
