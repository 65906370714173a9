//! `twofold train`: from games to a network.

mod place;

use std::fmt::Display;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::{Instant, SystemTime};

use clap::{Args, value_parser};

use crate::cli::progress::Gauge;
use crate::cli::{CliError, GameName, Verdict};
use crate::eval::chess::ChessInputs;
use crate::eval::nnue::{Inputs, Network, NetworkInfo, SCALES};
use crate::eval::xiangqi::XiangqiInputs;
use crate::game::{Notation, Score, WEIGHTS_BYTES_MAX};
use crate::games::{CHESS_HIDDEN, XIANGQI_HIDDEN};
use crate::named_file;
use crate::output::{Output, complain};
use crate::train::{
    Checkpoint, Collection, Filter, Parameters, Plan, Session, Target, check_agreement, collect,
    fit_scale, game_files, quantise, restore,
};
use crate::whole_file::write_whole;

use place::Places;

/// The longest remark, in bytes: with all else it fits into a network's file.
const REMARK_MAX: usize = 4_096;

/// What `twofold train` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The game.
    #[arg(long, default_value = "chess")]
    game: GameName,
    /// Folders or files of games, as `twofold datagen` makes them. Each file counts once.
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
    /// Threads, up to 1024; as many as there are cores where not given.
    #[arg(long, value_parser = number::<usize>(1, 1_024))]
    threads: Option<usize>,
    /// What the network's file says of it besides the data and the training: one line of up to
    /// 4096 bytes.
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
    let length = arguments.remark.len();
    if length > REMARK_MAX {
        return Err(refuse(format!(
            "--remark: {length} bytes, expected at most {REMARK_MAX}"
        )));
    }
    let threads = arguments.threads.unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| refuse(format!("--threads {threads}: {error}")))?;
    pool.install(|| match arguments.game {
        GameName::Chess => train::<ChessInputs, CHESS_HIDDEN>(arguments, output),
        GameName::Xiangqi => train::<XiangqiInputs, XIANGQI_HIDDEN>(arguments, output),
    })
}

fn refuse(error: impl ToString) -> CliError {
    CliError::Input(error.to_string())
}

/// Says something. A network is worth more than the lines about it: learning goes on where nobody
/// reads them, or where they cannot be written.
fn say(output: &Output, text: &str) {
    match output.try_line(text) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        Err(error) => complain(&format!("cannot write the output: {error}")),
    }
}

/// First everything that may be refused, then the learning.
fn train<I: Inputs, const H: usize>(
    arguments: &Arguments,
    output: &Output,
) -> Result<Verdict, CliError>
where
    I::Position: Notation,
{
    let places = Places::of(&arguments.out);
    let games = game_files(&arguments.data)?;
    places.check(&games, arguments.from.as_deref())?;
    let start = arguments.from.as_deref().map(start::<I, H>).transpose()?;
    let checkpoint = checkpoint_at(&places.checkpoint)?;
    let collection = gather::<I>(arguments, &games, output)?;
    let (info, parameters) = start.unzip();
    let plan = plan(arguments, &collection, info.as_ref());
    say(output, &introduce::<I, H>(&collection, &plan));
    let mut session = Session::<I, H>::new(plan, &collection.training, &collection.held_out);
    if let Some(parameters) = parameters {
        session.start_from(parameters);
    }
    if let Some(checkpoint) = checkpoint {
        let resumed = session.resume(checkpoint);
        resumed.map_err(|error| refuse_file(&places.checkpoint, error))?;
        say(
            output,
            &format!("going on after epoch {}", session.epochs()),
        );
    }
    let samples = collection.training.len();
    let loss = learn(&mut session, plan, samples, &places.checkpoint, output)?;
    let description = describe(arguments, &collection, &plan, loss);
    let made = write_network(&session, &collection, &plan, &description, &places.network)?;
    say(output, &made);
    // The network is there; the checkpoint has served.
    let _ = fs::remove_file(&places.checkpoint);
    Ok(Verdict::Passed)
}

fn refuse_file(path: &Path, error: impl Display) -> CliError {
    refuse(format!("{}: {error}", path.display()))
}

/// What an interrupted training goes on from, if there is anything. Only where there is nothing
/// may learning begin anew: what is damaged or cannot be read may be days of work.
fn checkpoint_at(path: &Path) -> Result<Option<Checkpoint>, CliError> {
    let bytes = match named_file::read(path, u64::MAX) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        read => read.map_err(CliError::file(path))?,
    };
    let checkpoint = Checkpoint::from_bytes(&bytes);
    checkpoint
        .map(Some)
        .map_err(|error| refuse_file(path, error))
}

/// The samples, enough of them and not too many.
fn gather<I: Inputs>(
    arguments: &Arguments,
    games: &[PathBuf],
    output: &Output,
) -> Result<Collection, CliError>
where
    I::Position: Notation,
{
    let collection = collect::<I>(games, &filter(arguments))?;
    for note in &collection.notes {
        say(output, note);
    }
    if collection.training.is_empty() || collection.held_out.is_empty() {
        return Err(refuse(
            "there are no positions to learn from, or none to try what was learnt",
        ));
    }
    // A sample's number is one of 32 bits.
    let samples = collection.training.len();
    match u32::try_from(samples) {
        Ok(_) => Ok(collection),
        Err(_) => Err(refuse(format!(
            "{samples} positions to learn from, expected at most {}",
            u32::MAX
        ))),
    }
}

fn filter(arguments: &Arguments) -> Filter {
    Filter {
        first_plies: arguments.first_plies,
        decided: Score(arguments.decided),
    }
}

fn introduce<I: Inputs, const H: usize>(collection: &Collection, plan: &Plan) -> String {
    format!(
        "{}\n{} games, {} positions; {} to learn from, {} held out; scale {:.0}",
        Network::<I, H>::architecture(),
        collection.games,
        collection.positions,
        collection.training.len(),
        collection.held_out.len(),
        plan.target.scale
    )
}

/// The network to begin with, and what it says of itself.
fn start<I: Inputs, const H: usize>(
    path: &Path,
) -> Result<(NetworkInfo, Parameters<I, H>), CliError> {
    let file = named_file::read(path, WEIGHTS_BYTES_MAX).map_err(CliError::file(path))?;
    let info = NetworkInfo::read(&file).map_err(|error| refuse_file(path, error))?;
    let parameters = restore(&file).map_err(|error| refuse_file(path, error))?;
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
        let speed = samples as f64 / started.elapsed().as_secs_f64().max(1e-9);
        let (all, training) = (plan.epochs, epoch.training);
        say(
            output,
            &format!(
                "epoch {number}/{all}: loss {training:.6}, held out {held_out:.6}, {speed:.0} \
                 positions/s"
            ),
        );
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

/// What a network's file says of it: one line, whatever the remark and the games' makers say.
fn describe(arguments: &Arguments, collection: &Collection, plan: &Plan, loss: f64) -> String {
    let data = format!(
        "{} games, {} positions, {} learnt from; data: {}; without the first {} plies and scores \
         beyond {}",
        collection.games,
        collection.positions,
        collection.training.len(),
        collection.origins,
        arguments.first_plies,
        arguments.decided
    );
    let learning = format!(
        "{} epochs of batches of {}, rate {}, warm-up {}, decay {}, result share {}, seed {}; \
         held-out loss {loss:.6}",
        plan.epochs,
        plan.batch,
        plan.rate,
        plan.warm_up,
        plan.decay,
        plan.target.result_share,
        plan.seed
    );
    let maker = format!(
        "made by twofold {} {} on {}",
        env!("CARGO_PKG_VERSION"),
        env!("TWOFOLD_COMMIT"),
        &humantime::format_rfc3339_seconds(SystemTime::now()).to_string()[..10]
    );
    let mut parts = vec![data, learning, maker];
    if let Some(checksum) = plan.start {
        parts.push(format!("begun from network {checksum:08x}"));
    }
    if !arguments.remark.is_empty() {
        parts.push(arguments.remark.clone());
    }
    parts.join("; ").replace(char::is_control, " ")
}

/// Writes the network, if the engine agrees with it, and returns what there is to say of it.
fn write_network<I: Inputs, const H: usize>(
    session: &Session<'_, I, H>,
    collection: &Collection,
    plan: &Plan,
    description: &str,
    out: &Path,
) -> Result<String, CliError> {
    let parameters = session.parameters();
    let raw = quantise(parameters);
    let file = Network::<I, H>::write(&raw, plan.target.scale as i32, description);
    let agreement = check_agreement(&file, parameters, &collection.held_out).map_err(refuse)?;
    write_whole(out, &file).map_err(CliError::file(out))?;
    Ok(format!(
        "{}: {} bytes; on {} positions the engine is at most {:.2} centipawns off the rounded \
         weights, {:.2} off the learnt ones on average",
        out.display(),
        file.len(),
        agreement.positions,
        agreement.arithmetic,
        agreement.rounding
    ))
}
