//! The two protocols as text: lines in, plain data out; plain data in, lines out.
//!
//! Nothing here knows a game, a search or a stream. Moves and positions pass through as text.
//! UCI (chess, and xiangqi for clients that speak UCI) and UCCI (xiangqi) share one [`Command`]
//! type and one table of options; the rule tags in comments and tests (`OPT-1`, `GO-5`, `A39`)
//! are those of the two specifications the project follows.
#![forbid(unsafe_code)]

mod bench;
mod command;
mod error;
mod go;
mod options;
mod reply;
mod ucci;
mod uci;

pub use bench::{BenchRequest, BenchSource, BenchUnit};
pub use command::{
    ClockFields, Command, Dialect, GoRequest, PositionRequest, SpeedTestRequest, Start,
};
pub use error::{CommandError, OptionError};
pub use options::{OptionId, Options, SetOption};
pub use reply::{
    Closing, InfoLine, PopHash, ScoreText, ascii, best_move, current_move, handshake, info,
    message, no_move, pop_hash,
};

/// Reads one line of the given dialect.
///
/// # Errors
/// What is wrong with the line, for the client's user to read.
pub fn parse(line: &str, dialect: Dialect, unit_ms: i64) -> Result<Command, CommandError> {
    match dialect {
        Dialect::Uci => uci::parse(line),
        Dialect::Ucci => ucci::parse(line, unit_ms),
    }
}

/// Is this word the name of a UCI command or helper?
pub fn is_command_word(word: &str) -> bool {
    uci::is_command_word(word)
}
