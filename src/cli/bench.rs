//! `twofold bench`.

use std::time::Instant;

use clap::Args;

use crate::cli::{CliError, GameName, Verdict};
use crate::engine::bench;
use crate::game::GameId;
use crate::output::Output;
use crate::search::Signals;
use crate::with_game;

/// What `twofold bench` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Hash table in MiB, threads and depth, in this order, as test frameworks pass them.
    #[arg(num_args = 0..=3, value_names = ["HASH", "THREADS", "DEPTH"])]
    positional: Vec<u32>,
    /// The game.
    #[arg(long, default_value = "chess")]
    game: GameName,
    /// Depth of each search.
    #[arg(long)]
    depth: Option<u32>,
    /// Search threads.
    #[arg(long)]
    threads: Option<u32>,
    /// Hash table in MiB.
    #[arg(long)]
    hash: Option<u32>,
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Result<Verdict, CliError> {
    let default = bench::Options::default();
    let given = |named: Option<u32>, index: usize| {
        named.or_else(|| arguments.positional.get(index).copied())
    };
    let size = |n: Option<u32>, default: usize| n.map_or(default, |n| n.max(1) as usize);
    let options = bench::Options {
        hash_mib: size(given(arguments.hash, 0), default.hash_mib),
        threads: size(given(arguments.threads, 1), default.threads),
        depth: given(arguments.depth, 2).unwrap_or(default.depth),
    };
    let signals = Signals::new(Instant::now(), false);
    let result = with_game!(
        GameId::from(arguments.game),
        G => bench::run::<G>(&options, &signals, |line| output.line(line))
    );
    match result {
        Ok(Some(totals)) => output.line(&totals.report()),
        // Nobody holds the signals but us.
        Ok(None) => {}
        Err(error) => return Err(CliError::Input(error.to_string())),
    }
    Ok(Verdict::Passed)
}
