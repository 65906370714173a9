//! `twofold train`: from games to a network.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Instant, SystemTime};

use clap::{Args, value_parser};

use crate::cli::progress::Gauge;
use crate::cli::{CliError, GameName, Verdict};
use crate::eval::chess::ChessInputs;
use crate::eval::nnue::{Inputs, Network, NetworkInfo, SCALES};
use crate::eval::xiangqi::XiangqiInputs;
use crate::game::{Notation, Score};
use crate::games::{CHESS_HIDDEN, XIANGQI_HIDDEN};
use crate::output::Output;
use crate::train::{
    Checkpoint, Collection, Filter, Parameters, Plan, Session, Target, check_agreement, collect,
    fit_scale, quantise, restore,
};
use crate::whole_file::write_whole;

/// What `twofold train` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The game.
    #[arg(long, default_value = "chess")]
    game: GameName,
    /// Folders or files of games, as `twofold datagen` makes them.
    #[arg(long, required = true, num_args = 1..)]
    data: Vec<PathBuf>,
    /// The network to be made. A checkpoint stands beside it until it is done.
    #[arg(long)]
    out: PathBuf,
    /// Begin with the weights of this network instead of random ones.
    #[arg(long, value_name = "NET")]
    from: Option<PathBuf>,
    /// Times every position is seen.
    #[arg(long, default_value_t = 8, value_parser = value_parser!(u32).range(1..))]
    epochs: u32,
    /// Positions of a step.
    #[arg(long, default_value_t = 8_192, value_parser = number::<usize>(1, 1 << 30))]
    batch: usize,
    /// The highest learning rate, above 0.
    #[arg(long, default_value_t = 0.001, value_parser = number::<f32>(1e-9, 1.0))]
    rate: f32,
    /// The share of all steps until it is reached.
    #[arg(long, default_value_t = 0.05, value_parser = number::<f32>(0.0, 1.0))]
    warm_up: f32,
    /// Weight decay.
    #[arg(long, default_value_t = 0.02, value_parser = number::<f32>(0.0, 100.0))]
    decay: f32,
    /// How much the results of games count, of 1; the rest is the search's score.
    #[arg(long, default_value_t = 0.1, value_parser = number::<f32>(0.0, 1.0))]
    result_share: f32,
    /// Centipawns for an output of 1. Where not given, those of the network that learning begins
    /// with, or else fitted to the results.
    #[arg(long, value_parser = number::<f32>(*SCALES.start() as f32, *SCALES.end() as f32))]
    scale: Option<f32>,
    /// Searched plies of every game that are left out.
    #[arg(long, default_value_t = Filter::default().first_plies)]
    first_plies: usize,
    /// Positions with a score beyond this are left out.
    #[arg(long, default_value_t = Filter::default().decided.0, value_parser = number::<i32>(1, 30_000))]
    decided: i32,
    /// The seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; all there are where not given.
    #[arg(long)]
    threads: Option<usize>,
    /// What the network's file says of it besides the data and the training.
    #[arg(long, default_value = "")]
    remark: String,
}

/// A number between these, both included.
fn number<T>(least: T, most: T) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync
where
    T: FromStr + PartialOrd + Display + Copy + Send + Sync,
{
    move |text| {
        let number = text.parse().ok();
        number
            .filter(|number| (least..=most).contains(number))
            .ok_or_else(|| format!("expected a number from {least} to {most}"))
    }
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Result<Verdict, CliError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.threads.unwrap_or(0));
    let pool = pool.build().map_err(refuse)?;
    pool.install(|| match arguments.game {
        GameName::Chess => train::<ChessInputs, CHESS_HIDDEN>(arguments, output),
        GameName::Xiangqi => train::<XiangqiInputs, XIANGQI_HIDDEN>(arguments, output),
    })
}

fn refuse(error: impl ToString) -> CliError {
    CliError::Input(error.to_string())
}

fn train<I: Inputs, const H: usize>(
    arguments: &Arguments,
    output: &Output,
) -> Result<Verdict, CliError>
where
    I::Position: Notation,
{
    let filter = Filter {
        first_plies: arguments.first_plies,
        decided: Score(arguments.decided),
    };
    check_place(&arguments.out)?;
    let collection = collect::<I>(&arguments.data, &filter).map_err(refuse)?;
    for note in &collection.notes {
        output.line(note);
    }
    if collection.training.is_empty() || collection.held_out.is_empty() {
        return Err(refuse(
            "there are no positions to learn from, or none to try what was learnt",
        ));
    }
    let start = arguments.from.as_deref().map(start::<I, H>).transpose()?;
    let plan = plan(arguments, &collection, start.as_ref().map(|(info, _)| info));
    output.line(&format!(
        "{}\n{} games, {} positions; {} to learn from, {} held out; scale {:.0}",
        Network::<I, H>::architecture(),
        collection.games,
        collection.positions,
        collection.training.len(),
        collection.held_out.len(),
        plan.target.scale
    ));
    let mut session = Session::<I, H>::new(plan, &collection.training, &collection.held_out);
    if let Some((_, parameters)) = start {
        session.start_from(parameters);
    }
    let mut beside = arguments.out.clone().into_os_string();
    beside.push(".checkpoint");
    let beside = PathBuf::from(beside);
    if let Ok(bytes) = fs::read(&beside) {
        let refused = |error| refuse(format!("{}: {error}", beside.display()));
        let checkpoint = Checkpoint::from_bytes(&bytes).map_err(refused)?;
        session.resume(checkpoint).map_err(refused)?;
        output.line(&format!("going on after epoch {}", session.epochs()));
    }
    let loss = learn(
        &mut session,
        plan,
        collection.training.len(),
        &beside,
        output,
    )?;
    let description = describe(arguments, &collection, &plan, loss);
    write_network(&session, plan, &collection, &description, arguments, output)?;
    // The network is there; the checkpoint has served.
    let _ = fs::remove_file(&beside);
    Ok(Verdict::Passed)
}

/// Can a file be written there? To be asked before hours of learning, not after.
fn check_place(out: &Path) -> Result<(), CliError> {
    let folder = match out.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let folder_data = fs::metadata(folder).map_err(CliError::file(folder))?;
    match folder_data.is_dir() && !out.is_dir() {
        true => Ok(()),
        false => Err(refuse(format!("{}: not a place for a file", out.display()))),
    }
}

/// The network to begin with, and what it says of itself.
fn start<I: Inputs, const H: usize>(
    path: &Path,
) -> Result<(NetworkInfo, Parameters<I, H>), CliError> {
    let file = fs::read(path).map_err(CliError::file(path))?;
    let refused = |error: String| refuse(format!("{}: {error}", path.display()));
    let info = NetworkInfo::read(&file).map_err(|error| refused(error.to_string()))?;
    let parameters = restore(&file).map_err(|error| refused(error.to_string()))?;
    Ok((info, parameters))
}

/// The units of a network that learning begins from are kept.
fn plan(arguments: &Arguments, collection: &Collection, start: Option<&NetworkInfo>) -> Plan {
    let fitted = || match start {
        Some(info) => info.scale as f32,
        None => fit_scale(collection.training.metas()),
    };
    Plan {
        epochs: arguments.epochs,
        batch: arguments.batch,
        rate: arguments.rate,
        warm_up: arguments.warm_up,
        decay: arguments.decay,
        target: Target {
            // The engine's scale is an integer.
            scale: arguments.scale.unwrap_or_else(fitted).round().max(1.0),
            result_share: arguments.result_share,
        },
        seed: arguments.seed,
        start: start.map(|info| info.checksum),
    }
}

/// All epochs that are left; the loss over the held-out games after the last.
fn learn<I: Inputs, const H: usize>(
    session: &mut Session<'_, I, H>,
    plan: Plan,
    samples: usize,
    beside: &Path,
    output: &Output,
) -> Result<f64, CliError> {
    let mut last = None;
    while !session.is_done() {
        let started = Instant::now();
        let number = session.epochs() + 1;
        let mut gauge = Gauge::new(samples as u64, "positions");
        let epoch = session.run_epoch(|seen, loss| {
            gauge.show(seen as u64, || {
                format!("positions, epoch {number}/{}, loss {loss:.6}", plan.epochs)
            });
        });
        gauge.finish();
        let held_out = epoch.held_out;
        last = Some(held_out);
        output.line(&format!(
            "epoch {number}/{}: loss {:.6}, held out {held_out:.6}, {:.0} positions/s",
            plan.epochs,
            epoch.training,
            samples as f64 / started.elapsed().as_secs_f64().max(1e-9)
        ));
        if !epoch.training.is_finite() || !held_out.is_finite() {
            return Err(refuse(
                "the loss is no number any more: a lower --rate may help",
            ));
        }
        write_whole(beside, &session.checkpoint().to_bytes()).map_err(CliError::file(beside))?;
    }
    // Nothing is left to learn where only the network could not be written.
    Ok(last.unwrap_or_else(|| session.held_out_loss()))
}

fn describe(arguments: &Arguments, collection: &Collection, plan: &Plan, loss: f64) -> String {
    let mut text = format!(
        "{} games, {} positions, {} learnt from; {} epochs of batches of {}, rate {}, result \
         share {}, seed {}; held-out loss {loss:.6}; made by twofold {} {} on {}",
        collection.games,
        collection.positions,
        collection.training.len(),
        plan.epochs,
        plan.batch,
        plan.rate,
        plan.target.result_share,
        plan.seed,
        env!("CARGO_PKG_VERSION"),
        env!("TWOFOLD_COMMIT"),
        &humantime::format_rfc3339_seconds(SystemTime::now()).to_string()[..10]
    );
    if let Some(checksum) = plan.start {
        text.push_str(&format!("; begun from network {checksum:08x}"));
    }
    if !arguments.remark.is_empty() {
        text.push_str("; ");
        text.push_str(&arguments.remark);
    }
    text
}

fn write_network<I: Inputs, const H: usize>(
    session: &Session<'_, I, H>,
    plan: Plan,
    collection: &Collection,
    description: &str,
    arguments: &Arguments,
    output: &Output,
) -> Result<(), CliError> {
    let parameters = session.parameters();
    let raw = quantise(parameters);
    let file = Network::<I, H>::write(&raw, plan.target.scale as i32, description);
    let agreement = check_agreement(&file, parameters, &collection.held_out).map_err(refuse)?;
    write_whole(&arguments.out, &file).map_err(CliError::file(&arguments.out))?;
    output.line(&format!(
        "{}: {} bytes; on {} positions the engine is at most {:.2} centipawns off the rounded \
         weights, {:.2} off the learnt ones on average",
        arguments.out.display(),
        file.len(),
        agreement.positions,
        agreement.arithmetic,
        agreement.rounding
    ));
    Ok(())
}
