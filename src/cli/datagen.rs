//! `twofold datagen`: self-play games, and what there is of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use crate::cli::progress::Gauge;
use crate::cli::{CliError, GameName, Verdict};
use crate::datagen::{Plan, Progress, Settings, Shard, Stats, Target, generate, shards_in};
use crate::engine::BY_HAND;
use crate::game::{Game, GameId};
use crate::output::Output;
use crate::with_game;

/// What `twofold datagen` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The game.
    #[arg(long, default_value = "chess")]
    game: GameName,
    /// Play until the folder holds this many games of the seed.
    #[arg(long, required_unless_present_any = ["positions", "stats"], conflicts_with = "positions")]
    games: Option<u64>,
    /// Play until the folder holds this many positions of the seed.
    #[arg(long)]
    positions: Option<u64>,
    /// Nodes of a search: it begins no further iteration after them.
    #[arg(long, default_value_t = 2_000)]
    nodes: u32,
    /// Games played at a time, one thread each.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// The seed: it, the nodes and the program alone determine the games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder of the games. What it holds of the seed is continued.
    #[arg(long)]
    out: PathBuf,
    /// The network to evaluate with, instead of the built-in one; `hand-crafted` for none.
    #[arg(long)]
    net: Option<PathBuf>,
    /// Play nothing: say what the folder holds of the game, of all seeds.
    #[arg(long, conflicts_with_all = ["games", "positions", "nodes", "threads", "seed"])]
    stats: bool,
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Result<Verdict, CliError> {
    with_game!(GameId::from(arguments.game), G => match arguments.stats {
        true => show_stats::<G>(&arguments.out, output),
        false => play::<G>(arguments, output),
    })
}

fn play<G: Game>(arguments: &Arguments, output: &Output) -> Result<Verdict, CliError> {
    let target = match (arguments.games, arguments.positions) {
        (_, Some(positions)) => Target::Positions(positions),
        (games, None) => Target::Games(games.unwrap_or(0)),
    };
    let plan = Plan {
        settings: Settings {
            seed: arguments.seed,
            nodes: arguments.nodes,
        },
        target,
        threads: arguments.threads,
        folder: arguments.out.clone(),
        generator: generator(arguments.net.as_deref()),
    };
    let weights = read_weights::<G>(arguments.net.as_deref())?;
    let mut gauge = match target {
        Target::Games(games) => Gauge::new(games, "games"),
        Target::Positions(positions) => Gauge::new(positions, "positions"),
    };
    let started = Instant::now();
    let mut before = None;
    let speed = |before: Progress, now: Progress| {
        (now.positions - before.positions) as f64 / started.elapsed().as_secs_f64().max(1e-9)
    };
    let written = generate::<G>(&plan, &weights, &mut |now: Progress| {
        let before = *before.get_or_insert(now);
        let done = match target {
            Target::Games(_) => now.games,
            Target::Positions(_) => now.positions,
        };
        gauge.show(done, || {
            let (games, positions) = (now.games, now.positions);
            let speed = speed(before, now);
            format!("{games} games, {positions} positions, {speed:.0} positions/s")
        });
    });
    gauge.finish();
    let written = written.map_err(|error| CliError::Input(error.to_string()))?;
    let new = speed(before.unwrap_or_default(), written);
    output.line(&format!(
        "{} games, {} positions, {new:.0} positions/s",
        written.games, written.positions
    ));
    Ok(Verdict::Passed)
}

/// What the headers of the games name as their maker.
fn generator(net: Option<&Path>) -> String {
    let name = net.and_then(Path::file_name).unwrap_or_default();
    format!(
        "twofold {} {} {}",
        env!("CARGO_PKG_VERSION"),
        env!("TWOFOLD_COMMIT"),
        name.to_string_lossy()
    )
    .trim_end()
    .to_owned()
}

/// The weights in a file, or the game's own.
fn read_weights<G: Game>(path: Option<&Path>) -> Result<G::Weights, CliError> {
    let Some(path) = path else {
        return Ok(G::Weights::default());
    };
    if path == Path::new(BY_HAND) {
        return Ok(G::by_hand());
    }
    let shown = path.display();
    let bytes = fs::read(path).map_err(|cause| CliError::File {
        path: shown.to_string(),
        cause,
    })?;
    G::weights(&bytes).map_err(|refused| CliError::Input(format!("{shown}: {refused}")))
}

fn show_stats<G: Game>(folder: &Path, output: &Output) -> Result<Verdict, CliError> {
    let refuse = |error: crate::datagen::ShardError| CliError::Input(error.to_string());
    let mut stats = Stats::default();
    for path in shards_in(folder).map_err(refuse)? {
        let shard = Shard::read(&path).map_err(refuse)?;
        if shard.header.game != G::ID {
            continue;
        }
        for game in &shard.games {
            stats.add::<G::Position>(game);
        }
        stats.add_damage(shard.damaged);
    }
    output.line(&stats.to_string());
    Ok(match stats.is_sound() {
        true => Verdict::Passed,
        false => Verdict::Failed,
    })
}
