//! The command line: which subcommand, with what, and the exit code.
//!
//! Exit codes: 0 for success, 1 where a check failed, 2 for input that makes no sense, with one
//! line on standard error that says where and why.
#![forbid(unsafe_code)]

mod arena;
mod bench;
mod book;
mod datagen;
mod explain;
mod genfens;
mod judge;
mod net;
mod perft;
mod progress;
mod report;
#[cfg(feature = "train")]
mod train;
mod winrate;

use std::ffi::OsString;
use std::io::{self, BufReader, Cursor};
use std::panic;
use std::path::Path;
use std::process::{self, ExitCode};

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use thiserror::Error;

use crate::arena::plain_words::in_plain_words;
use crate::datagen::ShardError;
use crate::engine::{self, Start};
use crate::game::GameId;
use crate::output::{Output, complain};
use crate::protocol::{self, Dialect};

/// A panic's exit code.
const PANICKED: i32 = 101;

/// Twofold: one search that plays chess (UCI) and xiangqi (UCCI, UCI).
///
/// Without arguments it talks to a chess program on standard input: `uci` answers for chess,
/// `ucci` for xiangqi. Arguments that are no subcommand are run as lines of that conversation.
#[derive(Parser, Debug)]
#[command(name = "twofold", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Subcommands>,
}

#[derive(Subcommand, Debug)]
enum Subcommands {
    /// Speak UCI on standard input and output.
    Uci {
        /// The game to play until the option UCI_Variant says otherwise.
        #[arg(long)]
        game: Option<GameName>,
    },
    /// Speak UCCI on standard input and output.
    Ucci,
    /// Count the positions of a tree of moves, or check the counts of a file.
    Perft(perft::Arguments),
    /// Play matches between engines.
    Match(Box<arena::Arguments>),
    /// Make a page of a match: standings, charts, and its games on a board.
    Report(report::Arguments),
    /// Search fixed positions: a signature of the search, and its speed.
    Bench(bench::Arguments),
    /// Build opening books from games, and show what is in them.
    Book(book::Arguments),
    /// Play games against itself, to learn an evaluation from.
    Datagen(datagen::Arguments),
    /// Say how a game stands, by which rule, and what the moves of a repetition did.
    Judge(judge::Arguments),
    /// Look into network files.
    Net(net::Arguments),
    /// Learn from games how often a score wins: the model behind the scores shown.
    Winrate(winrate::Arguments),
    /// Learn a network from games.
    #[cfg(feature = "train")]
    Train(train::Arguments),
}

/// A game on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum GameName {
    Chess,
    Xiangqi,
}

impl From<GameName> for GameId {
    fn from(name: GameName) -> GameId {
        match name {
            GameName::Chess => GameId::Chess,
            GameName::Xiangqi => GameId::Xiangqi,
        }
    }
}

/// What a subcommand cannot go on with.
#[derive(Debug, Error)]
enum CliError {
    /// A file that cannot be read or written.
    #[error("{path}: {cause}")]
    File {
        /// The file.
        path: String,
        /// The system's reason.
        cause: io::Error,
    },
    /// A line of a file.
    #[error("{path}:{line}: {cause}")]
    Line {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        cause: String,
    },
    /// Anything else that is wrong with what was given.
    #[error("{0}")]
    Input(String),
}

impl CliError {
    /// What to say of this file if the system refuses it.
    fn file(path: &Path) -> impl FnOnce(io::Error) -> CliError + '_ {
        |cause| CliError::File {
            path: path.display().to_string(),
            cause,
        }
    }
}

impl From<ShardError> for CliError {
    fn from(error: ShardError) -> CliError {
        CliError::Input(error.to_string())
    }
}

/// What a subcommand that ran to its end found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// All is well.
    Passed,
    /// A check failed.
    Failed,
}

/// Runs the program with the arguments of the process.
pub fn run() -> ExitCode {
    end_process_on_panic();
    #[cfg(feature = "tune")]
    if let Err(text) = crate::search::check_given() {
        return refuse(&text);
    }
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let words: Vec<String> = arguments
        .iter()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    let default_game = game_of_name(arguments.first());
    match words.first() {
        None => talk(Dialect::Uci, default_game),
        Some(first) if is_subcommand(first) => {
            let arguments = match of_another_runner(&words) {
                None => arguments,
                Some(Ok(words)) => words.into_iter().map(OsString::from).collect(),
                Some(Err(error)) => return refuse(&error),
            };
            match Arguments::try_parse_from(&arguments) {
                Ok(parsed) => dispatch(parsed, default_game),
                Err(error) => explain(&error),
            }
        }
        Some(_) => script(&words, default_game),
    }
}

/// The whole command line in our own words, if it is `match cli` and so written as for another
/// match runner.
fn of_another_runner(words: &[String]) -> Option<Result<Vec<String>, String>> {
    let [first, second, rest @ ..] = words else {
        return None;
    };
    if first != "match" || second != "cli" {
        return None;
    }
    let directory = std::env::current_dir().unwrap_or_default();
    let translated = arena::translate(rest, &directory).map_err(|e| e.to_string());
    Some(translated.map(|words| {
        let program = ["twofold", "match"].map(str::to_owned);
        program.into_iter().chain(words).collect()
    }))
}

fn dispatch(arguments: Arguments, default_game: GameId) -> ExitCode {
    let output = Output::stdout();
    let result = match arguments.command {
        None => return talk(Dialect::Uci, default_game),
        Some(Subcommands::Uci { game }) => {
            return talk(Dialect::Uci, game.map_or(default_game, GameId::from));
        }
        Some(Subcommands::Ucci) => return talk(Dialect::Ucci, default_game),
        Some(Subcommands::Match(arguments)) => return arena::run(&arguments, &output),
        Some(Subcommands::Report(arguments)) => report::run(&arguments, &output),
        Some(Subcommands::Perft(arguments)) => perft::run(&arguments, &output),
        Some(Subcommands::Bench(arguments)) => bench::run(&arguments, default_game, &output),
        Some(Subcommands::Book(arguments)) => book::run(&arguments, &output),
        Some(Subcommands::Datagen(arguments)) => datagen::run(&arguments, &output),
        Some(Subcommands::Judge(arguments)) => judge::run(&arguments, &output),
        Some(Subcommands::Net(arguments)) => net::run(&arguments, &output),
        Some(Subcommands::Winrate(arguments)) => winrate::run(&arguments, &output),
        #[cfg(feature = "train")]
        Some(Subcommands::Train(arguments)) => train::run(&arguments, &output),
    };
    finish(result)
}

fn finish(result: Result<Verdict, CliError>) -> ExitCode {
    match result {
        Ok(Verdict::Passed) => ExitCode::SUCCESS,
        Ok(Verdict::Failed) => ExitCode::from(1),
        Err(error) => refuse(&error.to_string()),
    }
}

/// Serves the client on standard input.
fn talk(dialect: Dialect, game: GameId) -> ExitCode {
    let start = Start {
        dialect,
        game,
        script: false,
        write_openings: genfens::run,
    };
    engine::run(start, BufReader::new(io::stdin()), &Output::stdout());
    ExitCode::SUCCESS
}

/// Runs the arguments as lines (IO-15): each one is a line where any holds a blank, else all
/// together are one. The first that makes no sense ends it.
fn script(words: &[String], game: GameId) -> ExitCode {
    let separate = words.iter().any(|word| word.contains(char::is_whitespace));
    let text = words.join(if separate { "\n" } else { " " });
    let first = text.split_whitespace().next().unwrap_or("");
    if first == "train" {
        return refuse("train: not in this program; build it with --features train");
    }
    if !protocol::is_command_word(first) {
        return refuse(&format!("unknown command '{first}'; see twofold --help"));
    }
    let start = Start {
        dialect: Dialect::Uci,
        game,
        script: true,
        write_openings: genfens::run,
    };
    engine::run(start, Cursor::new(text), &Output::stdout());
    ExitCode::SUCCESS
}

fn is_subcommand(word: &str) -> bool {
    let command = Arguments::command();
    word.starts_with('-')
        || word == "help"
        || command.get_subcommands().any(|sub| sub.get_name() == word)
}

/// A copy or link named after xiangqi plays xiangqi, for clients that allow no arguments.
fn game_of_name(program: Option<&OsString>) -> GameId {
    let name = program.and_then(|path| Path::new(path).file_name());
    match name.map(|name| name.to_string_lossy().to_lowercase()) {
        Some(name) if name.contains("xiangqi") => GameId::Xiangqi,
        _ => GameId::Chess,
    }
}

/// Help and version go to standard output; what clap refuses is one line on standard error.
fn explain(error: &clap::Error) -> ExitCode {
    if error.exit_code() == 0 {
        Output::stdout().line(error.render().to_string().trim_end());
        return ExitCode::SUCCESS;
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return refuse(&without_subcommand());
    }
    let text = error.render().to_string();
    refuse(&in_plain_words(&first_paragraph(&text)))
}

/// What a subcommand that has subcommands of its own says when it is given none.
fn without_subcommand() -> String {
    let word = std::env::args().nth(1).unwrap_or_default();
    let command = Arguments::command();
    let names = command.find_subcommand(&word).map(|subcommand| {
        let names = subcommand.get_subcommands().map(|sub| sub.get_name());
        names.collect::<Vec<_>>().join(" or ")
    });
    format!("{word}: expected {}", names.unwrap_or_default())
}

/// What is wrong and what was expected, as one line: clap lists possible values and conflicting
/// options on lines of their own, and hints behind a blank one.
fn first_paragraph(text: &str) -> String {
    let lines = text.lines().map(str::trim);
    let lines: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    lines.join(" ").trim_start_matches("error: ").to_owned()
}

fn refuse(text: &str) -> ExitCode {
    complain(text);
    ExitCode::from(2)
}

/// A panic anywhere is a bug of ours. It ends the whole process at once, with one line on
/// standard error, for half an engine costs its client more than none.
fn end_process_on_panic() {
    panic::set_hook(Box::new(|panic| {
        let text = panic.to_string().replace('\n', ": ");
        complain(&text);
        process::exit(PANICKED);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declared_arguments_are_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn io_15_the_name_of_the_program_chooses_the_game() {
        let game = |name: &str| game_of_name(Some(&OsString::from(name)));
        assert_eq!(game("/opt/Twofold-XiangQi.exe"), GameId::Xiangqi);
        assert_eq!(game("/opt/xiangqi/twofold"), GameId::Chess);
    }
}
