//! What can be wrong with a line from a client.

use thiserror::Error;

/// A line that is no command, or a command without what it needs.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CommandError {
    /// No word of the line is the name of a command.
    #[error("Unknown command: '{0}'")]
    Unknown(String),
    /// `setoption` without the word `name`, or with nothing after it.
    #[error("setoption: missing name")]
    OptionName,
    /// A command that needs a number did not get one.
    #[error("{0}: expected a number")]
    Number(&'static str),
    /// A command with a word where a number belongs.
    #[error("{0}: '{1}' is not a number")]
    NotANumber(&'static str, String),
    /// `bench` with a limit in something else.
    #[error("bench: '{0}' is not one of depth, nodes, movetime, perft")]
    BenchUnit(String),
}

impl CommandError {
    /// The command needs a number, and this is what came in its place, if anything.
    pub fn no_number(command: &'static str, word: Option<&str>) -> CommandError {
        match word {
            Some(word) => CommandError::NotANumber(command, word.to_owned()),
            None => CommandError::Number(command),
        }
    }
}

/// An option that stays as it was.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("No such option: {0}")]
    Unknown(String),
    /// A spin option got something else than a whole number.
    #[error("{name}: '{value}' is not a number, keeping {kept}")]
    Number {
        /// The option.
        name: &'static str,
        /// What came.
        value: String,
        /// The value that stays.
        kept: i64,
    },
    /// A check option got something else than true or false.
    #[error("{name}: '{value}' is neither true nor false, keeping {kept}")]
    Check {
        /// The option.
        name: &'static str,
        /// What came.
        value: String,
        /// The value that stays.
        kept: bool,
    },
    /// A combo option got a word that is not in its list.
    #[error("{name}: '{value}' is not one of {choices}, keeping {kept}")]
    Choice {
        /// The option.
        name: &'static str,
        /// What came.
        value: String,
        /// What may come.
        choices: String,
        /// The value that stays.
        kept: &'static str,
    },
}
