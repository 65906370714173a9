//! `twofold perft`: counts, or checks the counts of a file of positions.
//!
//! A line of such a file is a FEN and its counts, `FEN ;D1 20 ;D2 400`; empty lines and lines that
//! begin with `#` say nothing.

use std::fs;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use clap::Args;

use crate::cli::{CliError, GameName, Verdict};
use crate::game::{CastlingText, Game, GameId, Notation, TextStyle};
use crate::named_file::unmarked;
use crate::output::Output;
use crate::perft::{self, Options};
use crate::with_game;

/// The depth where none is given.
const DEPTH: u32 = 5;

/// What `twofold perft` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The game.
    #[arg(long, default_value = "chess")]
    game: GameName,
    /// The position; the start position where none is given.
    #[arg(long, conflicts_with = "epd")]
    fen: Option<String>,
    /// A file of positions with their counts, to be checked.
    #[arg(long, conflicts_with = "divide")]
    epd: Option<String>,
    /// Plies to count; with --epd the deepest count that is checked.
    #[arg(long)]
    depth: Option<u32>,
    /// Show the count behind each first move.
    #[arg(long)]
    divide: bool,
    /// Threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Table in MiB; 0 means none.
    #[arg(long, default_value_t = 0)]
    hash: usize,
    /// With --epd: skip counts above this.
    #[arg(long, default_value_t = u64::MAX, hide_default_value = true)]
    max_nodes: u64,
    /// Write castling as the king taking its rook.
    #[arg(long)]
    chess960: bool,
}

/// A position and its counts.
struct Case<P> {
    line: usize,
    fen: String,
    position: P,
    counts: Vec<(u32, u64)>,
}

/// What has been counted so far.
#[derive(Default)]
struct Sums {
    positions: usize,
    nodes: u64,
    failed: usize,
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Result<Verdict, CliError> {
    with_game!(GameId::from(arguments.game), G => run_game::<G>(arguments, output))
}

fn run_game<G: Game>(arguments: &Arguments, output: &Output) -> Result<Verdict, CliError> {
    let started = Instant::now();
    let sums = match &arguments.epd {
        Some(path) => check_file::<G::Position>(path, arguments, output)?,
        None => count_one::<G::Position>(arguments, output)?,
    };
    let seconds = started.elapsed().as_secs_f64().max(1e-9);
    output.line(&format!(
        "{} positions, {} nodes, {} failed, {:.1} Mnps",
        sums.positions,
        sums.nodes,
        sums.failed,
        sums.nodes as f64 / seconds / 1e6
    ));
    Ok(match sums.failed {
        0 => Verdict::Passed,
        _ => Verdict::Failed,
    })
}

fn options(arguments: &Arguments) -> Options {
    Options {
        threads: arguments.threads.max(1),
        hash_mib: arguments.hash,
    }
}

/// Counts one position, and shows what it counted.
fn count_one<P: Notation>(arguments: &Arguments, output: &Output) -> Result<Sums, CliError> {
    let position = match &arguments.fen {
        Some(fen) => {
            P::from_fen(fen).map_err(|error| CliError::Input(format!("--fen: {error}")))?
        }
        None => P::start(),
    };
    let style = TextStyle {
        castling: match arguments.chess960 {
            true => CastlingText::KingTakesRook,
            false => CastlingText::KingTarget,
        },
        ..TextStyle::default()
    };
    let depth = arguments.depth.unwrap_or(DEPTH);
    let options = options(arguments);
    let never = AtomicBool::new(false);
    let nodes = if arguments.divide && depth > 0 {
        let parts = perft::divide(&position, depth, &options, &never).unwrap_or_default();
        for (m, nodes) in &parts {
            output.line(&format!("{}: {nodes}", position.write_move(*m, style)));
        }
        output.line("");
        parts.iter().map(|(_, nodes)| nodes).sum()
    } else {
        perft::perft(&position, depth, &options, &never).unwrap_or(0)
    };
    output.line(&format!("Nodes searched: {nodes}"));
    Ok(Sums {
        positions: 1,
        nodes,
        failed: 0,
    })
}

/// Checks all counts of a file; a position fails by its first wrong count.
fn check_file<P: Notation>(
    path: &str,
    arguments: &Arguments,
    output: &Output,
) -> Result<Sums, CliError> {
    let bytes = fs::read(path).map_err(CliError::file(path.as_ref()))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut cases = Vec::new();
    for (index, line) in unmarked(&text).lines().enumerate() {
        let line_number = index + 1;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let case = read_case::<P>(line, line_number).map_err(|cause| CliError::Line {
            path: path.to_owned(),
            line: line_number,
            cause,
        })?;
        cases.push(case);
    }
    if cases.is_empty() {
        return Err(CliError::Input(format!("{path}: no positions")));
    }
    let options = options(arguments);
    let mut sums = Sums::default();
    for case in &cases {
        check_case(case, arguments, &options, &mut sums, |text| {
            output.line(&format!("{path}:{}: {text}", case.line));
        });
    }
    Ok(sums)
}

fn read_case<P: Notation>(line: &str, number: usize) -> Result<Case<P>, String> {
    let mut parts = line.split(';');
    let fen = parts.next().unwrap_or("").trim().to_owned();
    let position = P::from_fen(&fen).map_err(|error| error.to_string())?;
    let mut counts = Vec::new();
    for part in parts.map(str::trim).filter(|part| !part.is_empty()) {
        let count = read_count(part);
        counts.push(count.ok_or_else(|| format!("expected 'D<depth> <count>', found '{part}'"))?);
    }
    if counts.is_empty() {
        return Err("no counts, as in ';D1 20 ;D2 400'".to_owned());
    }
    Ok(Case {
        line: number,
        fen,
        position,
        counts,
    })
}

/// `D3 8902`.
fn read_count(text: &str) -> Option<(u32, u64)> {
    let (depth, count) = text.strip_prefix('D')?.split_once(char::is_whitespace)?;
    Some((depth.parse().ok()?, count.trim().parse().ok()?))
}

fn check_case<P: Notation>(
    case: &Case<P>,
    arguments: &Arguments,
    options: &Options,
    sums: &mut Sums,
    complain: impl Fn(&str),
) {
    let never = AtomicBool::new(false);
    let deepest = arguments.depth.unwrap_or(u32::MAX);
    sums.positions += 1;
    for &(depth, expected) in &case.counts {
        if depth > deepest || expected > arguments.max_nodes {
            continue;
        }
        let found = perft::perft(&case.position, depth, options, &never).unwrap_or(0);
        sums.nodes += found;
        if found != expected {
            sums.failed += 1;
            complain(&format!(
                "depth {depth}: expected {expected}, found {found}: {}",
                case.fen
            ));
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_strictly() {
        assert_eq!(read_count("D3 8902"), Some((3, 8902)));
        for text in ["D3", "3 8902", "D3 x", "D 8902", "Dx 1", ""] {
            assert_eq!(read_count(text), None, "{text}");
        }
    }
}
