//! From the options of the command line to the match that is asked for.

use std::path::Path;
use std::time::Duration;

use crate::arena::config::{Adjudication, ConfigError, Deadlines, EngineConfig, MatchConfig};
use crate::arena::config_file::ConfigFile;
use crate::arena::folder;
use crate::arena::inline;
use crate::arena::time_control;
use crate::cli::arena::{Arguments, words};

/// The match that is asked for: one of the file or a new one, changed by the options.
pub(super) fn configure(
    arguments: &Arguments,
    file: &ConfigFile,
) -> Result<MatchConfig, ConfigError> {
    let mut config = match (&arguments.name, arguments.engines.is_empty()) {
        (Some(name), true) => of_file(arguments, name, file)?,
        (name, false) => new_match(arguments, name.as_deref(), file)?,
        (None, true) => {
            let names = file.match_names();
            let known = match names.is_empty() {
                true => "of a configuration file".to_owned(),
                false => format!("({})", names.join(", ")),
            };
            return Err(ConfigError(format!(
                "name a match {known} or give players with --engine"
            )));
        }
    };
    override_limits(arguments, &mut config)?;
    override_schedule(arguments, &mut config);
    override_rules(arguments, &mut config)?;
    override_output(arguments, &mut config)?;
    for engine in &mut config.engines {
        set_each(arguments, engine)?;
    }
    config.validated()
}

/// Sets what is said of every player.
pub(super) fn set_each(
    arguments: &Arguments,
    engine: &mut EngineConfig,
) -> Result<(), ConfigError> {
    for word in &arguments.each {
        let (key, value) = words::split(word)?;
        inline::set(engine, key, value)?;
    }
    Ok(())
}

fn of_file(
    arguments: &Arguments,
    name: &str,
    file: &ConfigFile,
) -> Result<MatchConfig, ConfigError> {
    let config = file.find_match(name)?;
    match arguments.game {
        Some(game) if game != config.game => Err(ConfigError(format!(
            "--game {game}: `{name}` is a match of {}",
            config.game
        ))),
        _ => Ok(config),
    }
}

fn new_match(
    arguments: &Arguments,
    name: Option<&str>,
    file: &ConfigFile,
) -> Result<MatchConfig, ConfigError> {
    let plain = file.one_off();
    let game = arguments.game.unwrap_or(plain.game);
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
    if !folder::is_plain_name(&directory) {
        return Err(ConfigError(format!("`{name}` is no name of a match")));
    }
    Ok(MatchConfig {
        dir: Path::new("matches").join(directory),
        name,
        game,
        engines,
        ..plain
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
    let fixed = arguments.st.map(time_control::move_time).transpose();
    let fixed = fixed.map_err(ConfigError)?;
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
    config.deadlines = deadlines(arguments, config.deadlines);
    Ok(())
}

/// These deadlines, with those that are given on the command line.
pub(super) fn deadlines(arguments: &Arguments, deadlines: Deadlines) -> Deadlines {
    let given = |ms: Option<u64>, time| ms.map_or(time, Duration::from_millis);
    Deadlines {
        start: given(arguments.startup_ms, deadlines.start),
        new_game: given(arguments.ucinewgame_ms, deadlines.new_game),
        ping: given(arguments.ping_ms, deadlines.ping),
        ..deadlines
    }
}

fn override_schedule(arguments: &Arguments, config: &mut MatchConfig) {
    config.kind = arguments.tournament.unwrap_or(config.kind);
    config.seeds = arguments.seeds.unwrap_or(config.seeds);
    config.rounds = arguments.rounds.unwrap_or(config.rounds);
    config.games = arguments.encounter.unwrap_or(config.games);
    config.swap &= !arguments.noswap;
    config.reverse |= arguments.reverse;
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
    config.check_mate_pvs |= arguments.check_mate_pvs;
    config.scoring = arguments.scoring.unwrap_or(config.scoring);
    if !arguments.openings.is_empty() {
        config.openings = Some(words::openings(&arguments.openings)?);
    }
    let Adjudication {
        draw,
        resign,
        maxmoves,
    } = &mut config.adjudication;
    if !arguments.draw.is_empty() {
        *draw = Some(words::draw_rule(&arguments.draw)?);
    }
    if !arguments.resign.is_empty() {
        *resign = Some(words::resign_rule(&arguments.resign)?);
    }
    *maxmoves = arguments.maxmoves.or(*maxmoves);
    if !arguments.sprt.is_empty() {
        config.sprt = Some(words::sprt(&arguments.sprt)?);
    }
    Ok(())
}

fn override_output(arguments: &Arguments, config: &mut MatchConfig) -> Result<(), ConfigError> {
    if let Some(dir) = &arguments.out {
        config.dir.clone_from(dir);
    }
    words::records(&arguments.pgnout, &mut config.output)?;
    if let Some(word) = &arguments.output {
        config.output.format = words::format(word)?;
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
    Ok(())
}
