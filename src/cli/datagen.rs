//! `twofold datagen`: self-play games, and what there is of them.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;

use crate::cli::progress::Gauge;
use crate::cli::{CliError, GameName, Verdict};
use crate::datagen::{Plan, Progress, Settings, Shard, Stats, Target, generate, shards_in};
use crate::engine::{BY_HAND, Loaded};
use crate::eval::nnue::NetworkInfo;
use crate::game::{Game, GameId};
use crate::output::Output;
use crate::with_game;

/// What `twofold datagen` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The game: chess where none is given, and all there are for `--stats`.
    #[arg(long)]
    game: Option<GameName>,
    /// Play until the folder holds this many games of the seed.
    #[arg(long, required_unless_present_any = ["positions", "stats"], conflicts_with = "positions")]
    games: Option<u64>,
    /// Play until the folder holds this many positions of the seed.
    #[arg(long)]
    positions: Option<u64>,
    /// Nodes of a search: it begins no further iteration after them.
    #[arg(long, default_value_t = 300)]
    nodes: u32,
    /// Games played at a time, one thread each.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// The seed: it, the nodes, the program and the network alone determine the games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder of the games. What it holds of the seed is continued.
    #[arg(long)]
    out: PathBuf,
    /// The network to evaluate with, instead of the built-in one; `hand-crafted` for none.
    #[arg(long)]
    net: Option<String>,
    /// Play nothing: say what the folder holds, of all seeds.
    #[arg(long, conflicts_with_all = ["games", "positions", "nodes", "threads", "seed"])]
    stats: bool,
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Result<Verdict, CliError> {
    if arguments.stats {
        return show_stats(arguments, output);
    }
    let game = arguments.game.unwrap_or(GameName::Chess);
    with_game!(GameId::from(game), G => play::<G>(arguments, output))
}

fn play<G: Game>(arguments: &Arguments, output: &Output) -> Result<Verdict, CliError> {
    let target = match (arguments.games, arguments.positions) {
        (_, Some(positions)) => Target::Positions(positions),
        (games, None) => Target::Games(games.unwrap_or(0)),
    };
    let loaded = Loaded::<G>::from_path(arguments.net.as_deref().unwrap_or_default());
    let loaded = loaded.map_err(CliError::Input)?;
    let plan = Plan {
        settings: Settings {
            seed: arguments.seed,
            nodes: arguments.nodes,
        },
        target,
        threads: arguments.threads,
        folder: arguments.out.clone(),
        generator: generator(&loaded),
    };
    let mut gauge = match target {
        Target::Games(games) => Gauge::new(games, "games"),
        Target::Positions(positions) => Gauge::new(positions, "positions"),
    };
    let started = Instant::now();
    let mut before = None;
    let speed = |before: Progress, now: Progress| {
        (now.positions - before.positions) as f64 / started.elapsed().as_secs_f64().max(1e-9)
    };
    let written = generate::<G>(&plan, &loaded.weights, &mut |now: Progress| {
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
fn generator<G: Game>(loaded: &Loaded<G>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let commit = env!("TWOFOLD_COMMIT");
    match NetworkInfo::read(&loaded.bytes) {
        Ok(info) => format!("twofold {version} {commit}, network {:08x}", info.checksum),
        Err(_) => format!("twofold {version} {commit}, {BY_HAND}"),
    }
}

/// What the folder holds, of the game asked for or of each there is.
fn show_stats(arguments: &Arguments, output: &Output) -> Result<Verdict, CliError> {
    let asked = arguments.game.map(GameId::from);
    let folder = &arguments.out;
    let mut found = GameId::ALL.map(|game| (game, None));
    for path in shards_in(folder)? {
        let shard = Shard::read(&path)?;
        let game = shard.header.game;
        if asked.is_none_or(|asked| asked == game) {
            let (_, stats) = &mut found[game as usize];
            let stats = stats.get_or_insert_with(Stats::default);
            with_game!(game, G => stats.add_shard::<<G as Game>::Position>(&shard));
        }
    }
    let mut verdict = None;
    for (game, stats) in found {
        let Some(stats) = stats else { continue };
        output.line(&format!("game         {game}\n{stats}"));
        if !stats.is_sound() {
            verdict = Some(Verdict::Failed);
        }
        verdict = verdict.or(Some(Verdict::Passed));
    }
    verdict.ok_or_else(|| {
        let wanted = asked.map_or(String::new(), |game| format!(" of {game}"));
        CliError::Input(format!("{}: no games{wanted}", folder.display()))
    })
}
