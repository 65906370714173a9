//! `twofold net`: what a network file says of itself.

use clap::{Args, Subcommand};

use crate::cli::{CliError, Verdict};
use crate::eval::nnue::NetworkInfo;
use crate::game::{Game, GameId, WEIGHTS_BYTES_MAX};
use crate::games::built_in_network;
use crate::named_file;
use crate::output::Output;
use crate::with_game;

/// What `twofold net` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Show architecture, origin and checksum of networks.
    Info {
        /// The files; the built-in networks where there is none.
        files: Vec<String>,
    },
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Result<Verdict, CliError> {
    let Command::Info { files } = &arguments.command;
    for path in files {
        let bytes = named_file::read(path.as_ref(), WEIGHTS_BYTES_MAX);
        let bytes = bytes.map_err(CliError::file(path.as_ref()))?;
        output.line(&describe(path, &bytes)?);
    }
    if files.is_empty() {
        for game in GameId::ALL {
            output.line(&describe("built-in", built_in_network(game))?);
        }
    }
    Ok(Verdict::Passed)
}

fn describe(path: &str, bytes: &[u8]) -> Result<String, CliError> {
    let info =
        NetworkInfo::read(bytes).map_err(|error| CliError::Input(format!("{path}: {error}")))?;
    Ok(format!(
        "file          {path}, {} bytes\narchitecture  {}\ndescription   {}\n\
         scale         {} centipawns\nchecksum      {:08x}\nplayable      {}",
        bytes.len(),
        info.architecture,
        info.description,
        info.scale,
        info.checksum,
        playable(&info, bytes)
    ))
}

/// Would the engine take it?
fn playable(info: &NetworkInfo, bytes: &[u8]) -> String {
    let name = info.architecture.split(' ').next();
    let game = GameId::ALL
        .into_iter()
        .find(|game| name == Some(&game.to_string()));
    let refused = match game {
        Some(game) => with_game!(game, G => G::weights(bytes).err().map(|refused| refused.0)),
        None => Some("it is of no game here".to_owned()),
    };
    refused.map_or_else(|| "yes".to_owned(), |reason| format!("no: {reason}"))
}
