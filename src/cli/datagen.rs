//! `twofold datagen`: self-play games, and what there is of them.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, value_parser};

use crate::cli::progress::Gauge;
use crate::cli::{CliError, GameName, Verdict};
use crate::datagen::{Event, Plan, Progress, Settings, Shard, Stats, Target, generate, shards_in};
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
    /// Nodes of a search, at least 1: it begins no further iteration after them.
    #[arg(long, default_value_t = 300, value_parser = value_parser!(u32).range(1..))]
    nodes: u32,
    /// Games played at a time, one thread each, at most 1024.
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u16).range(1..=1024))]
    threads: u16,
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
    #[arg(long, conflicts_with_all = ["games", "positions", "nodes", "threads", "seed", "net"])]
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
        threads: arguments.threads.into(),
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
    let written = generate::<G>(&plan, &loaded.weights, &mut |event| {
        let now = match event {
            Event::Progress(now) => now,
            Event::Cut { path, bytes } => {
                let path = path.display();
                let note = format!("{path}: its last {bytes} bytes were no whole game and are cut");
                return output.line(&note);
            }
        };
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

/// What the folder holds, of the game asked for or of each there is. A file that cannot be read is
/// told of, and the others are counted all the same.
fn show_stats(arguments: &Arguments, output: &Output) -> Result<Verdict, CliError> {
    let asked = arguments.game.map(GameId::from);
    let folder = &arguments.out;
    let mut found = GameId::ALL.map(|game| (game, None));
    let mut failed = false;
    for path in shards_in(folder)? {
        let shard = match Shard::read(&path) {
            Ok(shard) => shard,
            Err(error) => {
                output.line(&error.to_string());
                failed = true;
                continue;
            }
        };
        let game = shard.header.game;
        if asked.is_none_or(|asked| asked == game) {
            let (_, stats) = &mut found[game as usize];
            let stats = stats.get_or_insert_with(Stats::default);
            with_game!(game, G => stats.add_shard::<<G as Game>::Position>(&shard));
        }
    }
    if found.iter().all(|(_, stats)| stats.is_none()) {
        let wanted = asked.map_or(String::new(), |game| format!(" of {game}"));
        let text = format!("{}: no games{wanted}", folder.display());
        return Err(CliError::Input(text));
    }
    for (game, stats) in found {
        let Some(stats) = stats else { continue };
        output.line(&format!("game         {game}\n{stats}"));
        failed |= !stats.is_sound();
    }
    Ok(match failed {
        true => Verdict::Failed,
        false => Verdict::Passed,
    })
}
