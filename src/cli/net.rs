//! `twofold net`: what a network file says of itself.

use std::fs;

use clap::{Args, Subcommand};

use crate::cli::{CliError, Verdict};
use crate::eval::nnue::NetworkInfo;
use crate::game::GameId;
use crate::games::built_in_network;
use crate::output::Output;

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
        let bytes = fs::read(path).map_err(CliError::file(path.as_ref()))?;
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
         scale         {} centipawns\nchecksum      {:08x}",
        bytes.len(),
        info.architecture,
        info.description,
        info.scale,
        info.checksum
    ))
}
