//! `twofold bench`.

use std::time::Instant;

use clap::Args;

use crate::cli::{CliError, GameName, Verdict};
use crate::engine::bench;
use crate::game::{Game, GameId, Notation};
use crate::output::Output;
use crate::protocol::BenchRequest;
use crate::search::Signals;
use crate::with_game;

/// What `twofold bench` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// Hash table in MiB, threads, limit of each search, positions (`default` or a file), and what
    /// the limit is: `depth`, `nodes`, `movetime` in ms, or `perft`.
    #[arg(num_args = 0..=5, value_names = ["HASH", "THREADS", "LIMIT", "FILE", "UNIT"])]
    positional: Vec<String>,
    /// The game; chess, unless the program is named after xiangqi.
    #[arg(long)]
    game: Option<GameName>,
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

pub(super) fn run(
    arguments: &Arguments,
    default_game: GameId,
    output: &Output,
) -> Result<Verdict, CliError> {
    let words: Vec<&str> = arguments.positional.iter().map(String::as_str).collect();
    let refuse = |error: &dyn std::error::Error| CliError::Input(error.to_string());
    let mut request = BenchRequest::parse(&words).map_err(|error| refuse(&error))?;
    if arguments.depth.is_some() && request.limit.is_some() {
        let text = "--depth: the third word is the limit already".to_owned();
        return Err(CliError::Input(text));
    }
    request.hash = arguments.hash.or(request.hash);
    request.threads = arguments.threads.or(request.threads);
    request.limit = arguments.depth.map(u64::from).or(request.limit);
    let signals = Signals::new(Instant::now(), false);
    let result = with_game!(arguments.game.map_or(default_game, GameId::from), G => {
        let start = <<G as Game>::Position as Notation>::start();
        let weights = <G as Game>::Weights::default();
        bench::run::<G>(&request, &weights, Some(&start), &signals, |line| output.line(line))
    });
    match result {
        Ok(Some(totals)) => output.line(&totals.report()),
        // Nobody holds the signals but us.
        Ok(None) => {}
        Err(error) => return Err(refuse(&error)),
    }
    Ok(Verdict::Passed)
}
