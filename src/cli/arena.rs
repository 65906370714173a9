//! `twofold match`: matches between engines.
//!
//! The names of the options are those that users of cutechess-cli and fastchess know.

mod check_file;
mod cutechess;
mod overrides;
mod words;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;

pub(super) use cutechess::translate;

use crate::arena::check::check;
use crate::arena::config::{ConfigError, Deadlines, EngineConfig, GameKind, Kind, Scoring};
use crate::arena::config_file::{ConfigFile, Played};
use crate::arena::folder::FolderLock;
use crate::arena::journal::{Existing, FILE as JOURNAL};
use crate::arena::player::Surroundings;
use crate::arena::process::kill_all;
use crate::arena::referee::Rules;
use crate::arena::runner::{self, PAUSE_FILE, RunError, RunOptions, STOP_FILE};
use crate::cli::complain;
use crate::game::Game;
use crate::output::Output;
use crate::with_game;

/// The configuration file that is read where none is named.
const DEFAULT_FILE: &str = "engines.toml";

/// What `twofold match` takes. `twofold match cli` takes the options of cutechess-cli and
/// fastchess, with one dash, instead.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// A match of the configuration file.
    name: Option<String>,
    /// The configuration file [default: engines.toml, if there is one].
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Set a key of the file: match.KEY=VALUE, engine.NAME.KEY=VALUE, defaults.KEY=VALUE.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// A player: a name of the configuration file, `self`, or keys such as cmd=PATH,proto=ucci.
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<String>,
    /// Keys for every player.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    each: Vec<String>,
    /// The game.
    #[arg(long, visible_alias = "variant")]
    game: Option<GameKind>,
    /// Clock: [moves/][minutes:]seconds[+increment], or [minutes:]secondshg, an hourglass.
    #[arg(long)]
    tc: Option<String>,
    /// Seconds for each move.
    #[arg(long)]
    st: Option<f64>,
    /// Nodes for each move.
    #[arg(long)]
    nodes: Option<u64>,
    /// Depth for each move.
    #[arg(long)]
    depth: Option<u32>,
    /// Milliseconds by which a limit may be overstepped.
    #[arg(long, value_name = "MS")]
    timemargin: Option<u64>,
    /// Milliseconds from an engine's start to its greeting [default: 10000].
    #[arg(long, value_name = "MS")]
    startup_ms: Option<u64>,
    /// Milliseconds from a new game to `readyok` [default: 60000].
    #[arg(long, value_name = "MS")]
    ucinewgame_ms: Option<u64>,
    /// Milliseconds from `isready` to `readyok` [default: 15000].
    #[arg(long, value_name = "MS")]
    ping_ms: Option<u64>,
    /// Games of each pairing in all, rounded up to pairs.
    #[arg(long, conflicts_with_all = ["rounds", "encounter"])]
    games: Option<u64>,
    /// Encounters of each pairing.
    #[arg(long)]
    rounds: Option<u64>,
    /// Games of each encounter [default: 2].
    #[arg(long, value_name = "GAMES")]
    encounter: Option<u64>,
    /// How encounters are arranged.
    #[arg(long, value_name = "KIND")]
    tournament: Option<Kind>,
    /// Engines of a gauntlet that meet everybody.
    #[arg(long)]
    seeds: Option<usize>,
    /// Games at once; zero or less: the number of cores plus this.
    #[arg(long, allow_hyphen_values = true)]
    concurrency: Option<i64>,
    /// Openings: file=F, order=random|sequential, start=N, plies=N, policy=default|encounter|round.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    openings: Vec<String>,
    /// Colours stay as they are within an encounter.
    #[arg(long)]
    noswap: bool,
    /// The second engine of each pairing opens its odd games.
    #[arg(long)]
    reverse: bool,
    /// Every game has an opening of its own.
    #[arg(long)]
    norepeat: bool,
    /// Seed of the order of openings.
    #[arg(long, value_name = "SEED")]
    srand: Option<u64>,
    /// Draw by score: movenumber=N, movecount=N, score=N.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    draw: Vec<String>,
    /// Loss by score: movecount=N, score=N, twosided=true.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    resign: Vec<String>,
    /// Draw after so many moves.
    #[arg(long)]
    maxmoves: Option<u32>,
    /// Sequential test: elo0=N, elo1=N, alpha=N, beta=N, model=NAME.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// Standings by levels too.
    #[arg(long)]
    scoring: Option<Scoring>,
    /// File of the games, in the directory of the match; also notation=san|lan|uci|iccs|wxf,
    /// mate_unit=plies|moves, match_line=REGEX, unfinished=true, min=true.
    #[arg(long, num_args = 1.., value_name = "FILE|KEY=VALUE")]
    pgnout: Vec<String>,
    /// The text on the terminal: format=human|fastchess|cutechess|json.
    #[arg(long, value_name = "format=NAME")]
    output: Option<String>,
    /// Warn of lines to mate that are not as long as they say, or do not end with mate.
    #[arg(long)]
    check_mate_pvs: bool,
    /// File of the event stream; `-`: standard output.
    #[arg(long, value_name = "FILE")]
    events: Option<PathBuf>,
    /// Games between two prints of the standings; 0: none.
    #[arg(long, value_name = "N")]
    ratinginterval: Option<u64>,
    /// Games between two prints of the bare score; 0: none.
    #[arg(long, value_name = "N")]
    scoreinterval: Option<u64>,
    /// Event tag of the records.
    #[arg(long)]
    event: Option<String>,
    /// Site tag of the records.
    #[arg(long)]
    site: Option<String>,
    /// Milliseconds between games.
    #[arg(long, value_name = "MS")]
    wait: Option<u64>,
    /// Bind engines to cores of their own.
    #[arg(long)]
    affinity: bool,
    /// Moves in a notation that the protocol does not know are illegal.
    #[arg(long)]
    strict: bool,
    /// Directory of the match [default: matches/NAME].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with a match that was broken off.
    #[arg(long, conflicts_with = "discard")]
    resume: bool,
    /// Start anew; what there is in the match's own directory is set aside.
    #[arg(long)]
    discard: bool,
    /// Go on though the match has changed, or start though the machine is too small.
    #[arg(long)]
    force: bool,
    /// Name all engines and matches of the configuration file.
    #[arg(long)]
    list: bool,
    /// Check whether an engine keeps to its protocol.
    #[arg(long, value_name = "ENGINE")]
    check: Option<String>,
    /// Read a configuration file and its openings, and start its engines with their options.
    #[arg(long, value_name = "FILE")]
    check_file: Option<PathBuf>,
    /// Let the running match of this name, or in this directory, finish its games and stop.
    #[arg(long, value_name = "NAME|DIR")]
    stop: Option<String>,
    /// Let the running match of this name, or in this directory, begin no new games until --unpause.
    #[arg(long, value_name = "NAME|DIR")]
    pause: Option<String>,
    /// Let a match that --pause held go on.
    #[arg(long, value_name = "NAME|DIR")]
    unpause: Option<String>,
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> ExitCode {
    match execute(arguments, output) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            complain(&error.to_string());
            ExitCode::from(match error {
                RunError::Config(_) => 2,
                RunError::Journal(refusal) if refusal.is_refusal() => 2,
                RunError::Journal(_) | RunError::File(_) => 3,
            })
        }
    }
}

fn execute(arguments: &Arguments, output: &Output) -> Result<u8, RunError> {
    if let Some(path) = &arguments.check_file {
        let abort = abort_on_signal()?;
        let file = ConfigFile::load(path)?.with_settings(None, &arguments.set)?;
        return check_file::check_file(&file, &abort, output);
    }
    let played = match (&arguments.name, arguments.engines.is_empty()) {
        (_, false) => Some(Played::OneOff),
        (name, true) => name.as_deref().map(Played::OfFile),
    };
    let file = load(arguments.config.as_deref())?.with_settings(played, &arguments.set)?;
    if arguments.list {
        output.line(&listing(&file));
        return Ok(0);
    }
    if let Some(result) = tell_running(arguments, &file) {
        return result;
    }
    if let Some(player) = &arguments.check {
        let mut engine = file.engine(player, arguments.game.unwrap_or_default())?;
        overrides::set_each(arguments, &mut engine)?;
        let game = arguments.game.or(engine.only_game()).unwrap_or_default();
        let deadlines = overrides::deadlines(arguments, Deadlines::default());
        return check_engine(&engine, game, deadlines, output);
    }
    let config = overrides::configure(arguments, &file)?;
    let options = RunOptions {
        existing: existing(arguments),
        force: arguments.force,
        abort: abort_on_signal()?,
        finish: finish_on_signal()?,
    };
    runner::run(
        &config,
        &rules(config.game).by(config.law),
        &options,
        output,
    )
    .map(runner::Ended::exit_code)
}

/// Leaves word for a match that another process runs, if that is what was asked for.
fn tell_running(arguments: &Arguments, file: &ConfigFile) -> Option<Result<u8, RunError>> {
    let dir = |name: &str| match &arguments.out {
        Some(dir) => Ok(dir.clone()),
        None => folder_of(file, name),
    };
    let leave = |name: &str, word: &str| -> Result<u8, RunError> {
        let dir = dir(name)?;
        if !FolderLock::is_held(&dir)? {
            let message = format!("no match is running in {}", dir.display());
            return Err(ConfigError(message).into());
        }
        let path = dir.join(word);
        std::fs::write(&path, "").map_err(|e| of_path(&path, &e))?;
        Ok(0)
    };
    if let Some(name) = &arguments.stop {
        return Some(leave(name, STOP_FILE));
    }
    if let Some(name) = &arguments.pause {
        return Some(leave(name, PAUSE_FILE));
    }
    let name = arguments.unpause.as_ref()?;
    let take_back = || {
        let path = dir(name)?.join(PAUSE_FILE);
        match std::fs::remove_file(&path) {
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                let message = format!("nothing is paused: there is no {}", path.display());
                Err(ConfigError(message).into())
            }
            Err(e) => Err(of_path(&path, &e)),
            Ok(()) => Ok(0),
        }
    };
    Some(take_back())
}

fn of_path(path: &Path, error: &std::io::Error) -> RunError {
    std::io::Error::other(format!("{}: {error}", path.display())).into()
}

/// Where a match is: one of the file by its name, any other by its directory or the name of its
/// directory in `matches`.
fn folder_of(file: &ConfigFile, name: &str) -> Result<PathBuf, ConfigError> {
    let unknown = match file.find_match(name) {
        Ok(config) => return Ok(config.dir),
        Err(unknown) => unknown,
    };
    let dirs = [PathBuf::from(name), Path::new("matches").join(name)];
    let found = dirs.into_iter().find(|dir| dir.join(JOURNAL).is_file());
    found.ok_or(unknown)
}

fn load(path: Option<&Path>) -> Result<ConfigFile, ConfigError> {
    match path {
        Some(path) => ConfigFile::load(path),
        None if Path::new(DEFAULT_FILE).exists() => ConfigFile::load(Path::new(DEFAULT_FILE)),
        None => Ok(ConfigFile::default()),
    }
}

/// The rules of a game, for those who referee.
pub(super) fn rules(game: GameKind) -> Rules {
    with_game!(game.id(), G => Rules::of::<<G as Game>::Position>())
}

/// Prints each step; 1 if one failed.
fn check_engine(
    engine: &EngineConfig,
    game: GameKind,
    deadlines: Deadlines,
    output: &Output,
) -> Result<u8, RunError> {
    let surroundings = Surroundings {
        game,
        deadlines,
        abort: abort_on_signal()?,
        ..Surroundings::default()
    };
    let steps = check(engine, &surroundings, &rules(game), |step| {
        output.line(&match &step.failure {
            None => format!("passed  {}", step.what),
            Some(why) => format!("FAILED  {}: {why}", step.what),
        });
    });
    let failed = steps.iter().filter(|step| step.failure.is_some()).count();
    output.line(&format!(
        "{}: {} steps, {failed} failed",
        engine.name,
        steps.len()
    ));
    Ok(u8::from(failed > 0))
}

fn listing(file: &ConfigFile) -> String {
    let line = |what: &str, names: Vec<&str>| format!("{what}: {}", names.join(", "));
    line("engines", file.engine_names()) + "\n" + &line("matches", file.match_names())
}

fn existing(arguments: &Arguments) -> Existing {
    match (arguments.resume, arguments.discard) {
        (true, _) if arguments.force => Existing::Force,
        (true, _) => Existing::Resume,
        (false, true) => Existing::Discard,
        (false, false) => Existing::Refuse,
    }
}

/// SIGUSR1 does what the file `stop` does: the games that are running are the last ones.
#[cfg(unix)]
fn finish_on_signal() -> Result<Arc<AtomicBool>, RunError> {
    let finish = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGUSR1, finish.clone())?;
    Ok(finish)
}

#[cfg(not(unix))]
fn finish_on_signal() -> Result<Arc<AtomicBool>, RunError> {
    Ok(Arc::new(AtomicBool::new(false)))
}

/// The first signal breaks the match off in good order, the second one at once.
fn abort_on_signal() -> Result<Arc<AtomicBool>, RunError> {
    let abort = Arc::new(AtomicBool::new(false));
    let flag = abort.clone();
    let was_signalled = AtomicBool::new(false);
    let handler = move || {
        flag.store(true, Ordering::Relaxed);
        if was_signalled.swap(true, Ordering::Relaxed) {
            kill_all();
            std::process::exit(130);
        }
    };
    ctrlc::set_handler(handler).map_err(|e| std::io::Error::other(e.to_string()))?;
    Ok(abort)
}
