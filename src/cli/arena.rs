//! `twofold match`: matches between engines.
//!
//! The names of the options are those that users of cutechess-cli and fastchess know.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;

use crate::arena::check::check;
use crate::arena::config::{
    Adjudication, ConfigError, Deadlines, DrawRule, EngineConfig, GameKind, Kind, MatchConfig,
    OpeningsConfig, Order, ResignRule, Scoring,
};
use crate::arena::config_file::{ConfigFile, nearest};
use crate::arena::fingerprint::check_programs;
use crate::arena::inline;
use crate::arena::journal::Existing;
use crate::arena::openings::Openings;
use crate::arena::player::Surroundings;
use crate::arena::process::kill_all;
use crate::arena::referee::Rules;
use crate::arena::runner::{self, RunError, RunOptions, STOP_FILE};
use crate::arena::sprt::{Model, Sprt};
use crate::cli::complain;
use crate::game::Game;
use crate::output::Output;
use crate::with_game;

/// The configuration file that is read where none is named.
const DEFAULT_FILE: &str = "engines.toml";

/// What `twofold match` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// A match of the configuration file.
    name: Option<String>,
    /// The configuration file [default: engines.toml, if there is one].
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// A player: a name of the configuration file, `self`, or keys such as cmd=PATH,proto=ucci.
    #[arg(long = "engine", value_name = "ENGINE")]
    engines: Vec<String>,
    /// Keys for every player.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    each: Vec<String>,
    /// The game.
    #[arg(long, visible_alias = "variant")]
    game: Option<GameKind>,
    /// Clock: [moves/][minutes:]seconds[+increment].
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
    /// Games of each pairing in all, rounded up to pairs.
    #[arg(long)]
    games: Option<u64>,
    /// Encounters of each pairing.
    #[arg(long)]
    rounds: Option<u64>,
    /// How encounters are arranged.
    #[arg(long, value_name = "KIND")]
    tournament: Option<Kind>,
    /// Engines of a gauntlet that meet everybody.
    #[arg(long)]
    seeds: Option<usize>,
    /// Games at once; zero or less: the number of cores plus this.
    #[arg(long, allow_hyphen_values = true)]
    concurrency: Option<i64>,
    /// Openings: file=F, order=random|sequential, start=N, plies=N.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    openings: Vec<String>,
    /// Colours stay as they are within an encounter.
    #[arg(long)]
    noswap: bool,
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
    /// File of the games, in the directory of the match.
    #[arg(long, value_name = "FILE")]
    pgnout: Option<PathBuf>,
    /// File of the event stream.
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
    /// Start anew; what there is is set aside.
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
    /// Read a configuration file, and look for its engines.
    #[arg(long, value_name = "FILE")]
    check_file: Option<PathBuf>,
    /// Let the running match of this name finish its games and stop.
    #[arg(long, value_name = "NAME")]
    stop: Option<String>,
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> ExitCode {
    match execute(arguments, output) {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            complain(&error.to_string());
            ExitCode::from(match error {
                RunError::Config(_) => 2,
                RunError::Journal(_) | RunError::File(_) => 3,
            })
        }
    }
}

fn execute(arguments: &Arguments, output: &Output) -> Result<u8, RunError> {
    if let Some(path) = &arguments.check_file {
        return check_file(&ConfigFile::load(path)?, output);
    }
    let file = load(arguments.config.as_deref())?;
    if arguments.list {
        output.line(&listing(&file));
        return Ok(0);
    }
    if let Some(name) = &arguments.stop {
        let config = file.find_match(name)?;
        std::fs::write(config.dir.join(STOP_FILE), "")?;
        return Ok(0);
    }
    if let Some(player) = &arguments.check {
        let engine = file.engine(player, arguments.game.unwrap_or_default())?;
        let game = arguments.game.or(engine.only_game()).unwrap_or_default();
        return check_engine(&engine, game, output);
    }
    let config = configure(arguments, &file)?;
    let options = RunOptions {
        existing: existing(arguments),
        force: arguments.force,
        abort: abort_on_signal()?,
    };
    runner::run(
        &config,
        &rules(config.game).by(config.law),
        &options,
        output,
    )
    .map(runner::Ended::exit_code)
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
fn check_engine(engine: &EngineConfig, game: GameKind, output: &Output) -> Result<u8, RunError> {
    let surroundings = Surroundings {
        game,
        deadlines: Deadlines::default(),
        abort: abort_on_signal()?,
        cores: Vec::new(),
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

/// Says what is in a sound file; 1 if an engine of it is not on this machine.
fn check_file(file: &ConfigFile, output: &Output) -> Result<u8, RunError> {
    let mut code = 0;
    output.line(&listing(file));
    for name in file.match_names() {
        let config = file.find_match(name)?;
        if let Err(missing) = check_programs(&config) {
            output.line(&format!("match {name}: {missing}"));
            code = 1;
        }
        if let Some(openings) = &config.openings {
            let loaded = Openings::load(
                openings,
                config.game,
                &rules(config.game).by(config.law),
                config.seed,
            )?;
            output.line(&format!("match {name}: {} openings", loaded.count()));
            for warning in &loaded.warnings {
                output.line(&format!("match {name}: {warning}"));
            }
        }
    }
    Ok(code)
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

/// The match that is asked for: one of the file or a new one, changed by the options.
fn configure(arguments: &Arguments, file: &ConfigFile) -> Result<MatchConfig, ConfigError> {
    let mut config = match (&arguments.name, arguments.engines.is_empty()) {
        (Some(name), true) => file.find_match(name)?,
        (name, false) => new_match(arguments, name.as_deref(), file)?,
        (None, true) => {
            let known = file.match_names().join(", ");
            return Err(ConfigError(format!(
                "name a match ({known}) or give players with --engine"
            )));
        }
    };
    override_limits(arguments, &mut config)?;
    override_schedule(arguments, &mut config);
    override_rules(arguments, &mut config)?;
    override_output(arguments, &mut config);
    for word in &arguments.each {
        let (key, value) = split(word)?;
        for engine in &mut config.engines {
            inline::set(engine, key, value)?;
        }
    }
    config.validated()
}

fn new_match(
    arguments: &Arguments,
    name: Option<&str>,
    file: &ConfigFile,
) -> Result<MatchConfig, ConfigError> {
    let game = arguments.game.unwrap_or_default();
    let players = arguments
        .engines
        .iter()
        .map(|player| file.engine(player, game));
    let mut engines: Vec<EngineConfig> = players.collect::<Result<_, _>>()?;
    number_namesakes(&mut engines);
    let names: Vec<&str> = engines.iter().map(|engine| engine.name.as_str()).collect();
    let name = name.map_or_else(|| names.join("-"), str::to_owned);
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    let directory: String = name
        .chars()
        .map(|c| if is_plain(c) { c } else { '_' })
        .collect();
    Ok(MatchConfig {
        dir: Path::new("matches").join(directory),
        name,
        game,
        engines,
        ..MatchConfig::default()
    })
}

/// A second engine of one name gets a number.
fn number_namesakes(engines: &mut [EngineConfig]) {
    for i in 1..engines.len() {
        let base = engines[i].name.clone();
        let mut number = 2;
        while engines[..i]
            .iter()
            .any(|other| other.name == engines[i].name)
        {
            engines[i].name = format!("{base}-{number}");
            number += 1;
        }
    }
}

fn override_limits(arguments: &Arguments, config: &mut MatchConfig) -> Result<(), ConfigError> {
    let clock = arguments.tc.as_deref().filter(|&tc| tc != "inf");
    let clock = clock.map(|text| text.parse().map_err(|e| ConfigError(format!("{e}"))));
    let clock = clock.transpose()?;
    let fixed = arguments.st.map(Duration::try_from_secs_f64).transpose();
    let fixed = fixed.map_err(|e| ConfigError(format!("--st: {e}")))?;
    for limits in &mut config.limits {
        if arguments.tc.is_some() {
            limits.clock = clock;
        }
        limits.move_time = fixed.or(limits.move_time);
        limits.nodes = arguments.nodes.or(limits.nodes);
        limits.depth = arguments.depth.or(limits.depth);
    }
    if let Some(ms) = arguments.timemargin {
        config.time_margin = Duration::from_millis(ms);
    }
    Ok(())
}

fn override_schedule(arguments: &Arguments, config: &mut MatchConfig) {
    config.kind = arguments.tournament.unwrap_or(config.kind);
    config.seeds = arguments.seeds.unwrap_or(config.seeds);
    config.rounds = arguments.rounds.unwrap_or(config.rounds);
    config.swap &= !arguments.noswap;
    config.repeat &= !arguments.norepeat;
    if let Some(games) = arguments.games {
        config.games = if config.swap { 2 } else { 1 };
        config.rounds = games.div_ceil(config.games);
    }
    config.concurrency = arguments.concurrency.unwrap_or(config.concurrency);
    config.seed = arguments.srand.unwrap_or(config.seed);
    config.affinity |= arguments.affinity;
    if let Some(ms) = arguments.wait {
        config.wait = Duration::from_millis(ms);
    }
}

fn override_rules(arguments: &Arguments, config: &mut MatchConfig) -> Result<(), ConfigError> {
    config.strict |= arguments.strict;
    config.scoring = arguments.scoring.unwrap_or(config.scoring);
    if !arguments.openings.is_empty() {
        config.openings = Some(openings(&arguments.openings)?);
    }
    let Adjudication {
        draw,
        resign,
        maxmoves,
    } = &mut config.adjudication;
    if !arguments.draw.is_empty() {
        *draw = Some(draw_rule(&arguments.draw)?);
    }
    if !arguments.resign.is_empty() {
        *resign = Some(resign_rule(&arguments.resign)?);
    }
    *maxmoves = arguments.maxmoves.or(*maxmoves);
    if !arguments.sprt.is_empty() {
        config.sprt = Some(sprt(&arguments.sprt)?);
    }
    Ok(())
}

fn override_output(arguments: &Arguments, config: &mut MatchConfig) {
    if let Some(dir) = &arguments.out {
        config.dir.clone_from(dir);
    }
    if arguments.pgnout.is_some() {
        config.output.pgn.clone_from(&arguments.pgnout);
    }
    if arguments.events.is_some() {
        config.output.events.clone_from(&arguments.events);
    }
    let interval = &mut config.output.score_interval;
    *interval = arguments.scoreinterval.unwrap_or(*interval);
    let interval = &mut config.output.rating_interval;
    *interval = arguments.ratinginterval.unwrap_or(*interval);
    if let Some(event) = &arguments.event {
        config.event.clone_from(event);
    }
    if let Some(site) = &arguments.site {
        config.site.clone_from(site);
    }
}

fn split(word: &str) -> Result<(&str, &str), ConfigError> {
    word.split_once('=')
        .ok_or_else(|| ConfigError(format!("`{word}` is not key=value")))
}

fn value<T: std::str::FromStr>(key: &str, text: &str) -> Result<T, ConfigError>
where
    T::Err: std::fmt::Display,
{
    text.parse()
        .map_err(|e| ConfigError(format!("{key}={text}: {e}")))
}

fn unknown(key: &str, known: &[&str]) -> ConfigError {
    let hint = nearest(key, known).map_or_else(String::new, |n| format!("; did you mean `{n}`?"));
    ConfigError(format!("unknown key `{key}`{hint}"))
}

fn openings(words: &[String]) -> Result<OpeningsConfig, ConfigError> {
    let mut openings = OpeningsConfig::default();
    for word in words {
        match split(word)? {
            ("file", text) => openings.file = PathBuf::from(text),
            ("order", "random") => openings.order = Order::Random,
            ("order", "sequential") => openings.order = Order::Sequential,
            ("order", text) => {
                return Err(ConfigError(format!(
                    "order={text} is neither random nor sequential"
                )));
            }
            ("start", text) => openings.start = value("start", text)?,
            ("plies", text) => openings.plies = value("plies", text)?,
            ("strict", text) => openings.strict = value("strict", text)?,
            // What the file is, its name tells.
            ("format", _) => {}
            (key, _) => return Err(unknown(key, &["file", "order", "start", "plies", "strict"])),
        }
    }
    Ok(openings)
}

fn draw_rule(words: &[String]) -> Result<DrawRule, ConfigError> {
    let mut rule = DrawRule {
        movenumber: 0,
        movecount: 8,
        score: 0,
    };
    for word in words {
        match split(word)? {
            ("movenumber", text) => rule.movenumber = value("movenumber", text)?,
            ("movecount", text) => rule.movecount = value("movecount", text)?,
            ("score", text) => rule.score = value("score", text)?,
            (key, _) => return Err(unknown(key, &["movenumber", "movecount", "score"])),
        }
    }
    Ok(rule)
}

fn resign_rule(words: &[String]) -> Result<ResignRule, ConfigError> {
    let mut rule = ResignRule {
        movecount: 3,
        score: 1000,
        twosided: false,
    };
    for word in words {
        match split(word)? {
            ("movecount", text) => rule.movecount = value("movecount", text)?,
            ("score", text) => rule.score = value("score", text)?,
            ("twosided", text) => rule.twosided = value("twosided", text)?,
            (key, _) => return Err(unknown(key, &["movecount", "score", "twosided"])),
        }
    }
    Ok(rule)
}

fn sprt(words: &[String]) -> Result<Sprt, ConfigError> {
    let mut sprt = Sprt {
        elo0: 0.0,
        elo1: 5.0,
        alpha: 0.05,
        beta: 0.05,
        model: Model::Normalized,
    };
    for word in words {
        match split(word)? {
            ("elo0", text) => sprt.elo0 = value("elo0", text)?,
            ("elo1", text) => sprt.elo1 = value("elo1", text)?,
            ("alpha", text) => sprt.alpha = value("alpha", text)?,
            ("beta", text) => sprt.beta = value("beta", text)?,
            ("model", text) => sprt.model = model(text)?,
            (key, _) => return Err(unknown(key, &["elo0", "elo1", "alpha", "beta", "model"])),
        }
    }
    sprt.validated()
        .map_err(|e| ConfigError(format!("sprt: {e}")))
}

fn model(text: &str) -> Result<Model, ConfigError> {
    let models = [
        Model::Normalized,
        Model::Logistic,
        Model::Bayesian,
        Model::OpenBench,
        Model::Cutechess,
    ];
    let found = models.into_iter().find(|model| model.to_string() == text);
    found.ok_or_else(|| {
        let names = models.map(|model| model.to_string());
        ConfigError(format!("model={text} is none of {}", names.join(", ")))
    })
}
