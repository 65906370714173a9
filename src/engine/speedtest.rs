//! `speedtest`: how many nodes a second this machine searches, with all its cores.
//!
//! The positions are those of the bench, each searched for an equal share of the time, so that
//! two machines are compared over the same work. The report goes to standard error, for people;
//! one line comes back for programs.

use std::io::{self, Write};
use std::thread::available_parallelism;
use std::time::Duration;

use crate::engine::bench;
use crate::engine::memory::within_memory;
use crate::game::{Game, Notation};
use crate::protocol::SpeedTestRequest;
use crate::search::{Limits, Searcher, Signals, TableError};

/// Length of a test where nobody says otherwise.
const SECONDS: u32 = 150;
/// Hash table for each thread, in MiB, where nobody says otherwise.
const HASH_PER_THREAD: usize = 128;

/// Runs the test and returns its result as a line. `None` when `signals` stopped it.
///
/// # Errors
/// When the memory for the table cannot be had.
pub fn run<G: Game>(
    request: SpeedTestRequest,
    signals: &Signals,
) -> Result<Option<String>, TableError> {
    let size = |n: Option<u32>| n.map(|n| n.max(1) as usize);
    let cores = || available_parallelism().map_or(1, usize::from);
    let threads = size(request.threads)
        .unwrap_or_else(cores)
        .min(bench::THREADS_MAX);
    let hash = size(request.hash).unwrap_or(HASH_PER_THREAD * threads);
    let whole = Duration::from_secs(request.seconds.unwrap_or(SECONDS).max(1).into());
    within_memory(hash, 0)?;
    let mut searcher = Searcher::<G>::new(hash, threads)?;
    let count = bench::positions(G::ID).count() as u32;
    let mut nodes = 0;
    for (number, fen) in (1..).zip(bench::positions(G::ID)) {
        let Ok(position) = G::Position::from_fen(fen) else {
            continue;
        };
        let limits = Limits {
            // Times count from the signals' start, that of the whole test.
            move_time: Some(whole * number / count),
            ..Limits::default()
        };
        nodes += searcher.search(&position, &limits, signals, &mut ()).nodes;
        if signals.is_stopped() {
            return Ok(None);
        }
    }
    let ms = signals.started().elapsed().as_millis().max(1);
    let speed = u128::from(nodes) * 1000 / ms;
    let report = format!(
        "Game            : {}\nThreads         : {threads}\nHash (MiB)      : {hash}\n\
         Positions       : {count}\nTotal time (ms) : {ms}\nNodes searched  : {nodes}",
        G::ID
    );
    // Nobody need read it.
    let _ = writeln!(io::stderr(), "{report}");
    Ok(Some(format!("Nodes/second    : {speed}")))
}
