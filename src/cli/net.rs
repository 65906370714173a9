//! `twofold net`: what a network file says of itself.

use std::fs;

use clap::{Args, Subcommand};

use crate::cli::{CliError, Verdict};
use crate::eval::nnue::NetworkInfo;
use crate::output::Output;

/// What `twofold net` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Show architecture, origin and checksum of network files.
    Info {
        /// The files.
        #[arg(required = true)]
        files: Vec<String>,
    },
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Result<Verdict, CliError> {
    let Command::Info { files } = &arguments.command;
    for path in files {
        let bytes = fs::read(path).map_err(|cause| CliError::File {
            path: path.clone(),
            cause,
        })?;
        let info = NetworkInfo::read(&bytes)
            .map_err(|error| CliError::Input(format!("{path}: {error}")))?;
        output.line(&format!(
            "file          {path}, {} bytes\narchitecture  {}\ndescription   {}\n\
             scale         {} centipawns\nchecksum      {:08x}",
            bytes.len(),
            info.architecture,
            info.description,
            info.scale,
            info.checksum
        ));
    }
    Ok(Verdict::Passed)
}
