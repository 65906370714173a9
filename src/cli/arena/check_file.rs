//! `twofold match --check-file`: is everything that a configuration file speaks of there, and as it
//! says?

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::arena::config::{ConfigError, EngineConfig, GameKind, MatchConfig};
use crate::arena::config_file::ConfigFile;
use crate::arena::fingerprint::check_programs;
use crate::arena::handshake;
use crate::arena::openings::Openings;
use crate::arena::player::Surroundings;
use crate::arena::runner::RunError;
use crate::cli::arena::{listing, rules};
use crate::output::Output;

/// Says what is in a sound file, loads the openings of its matches and starts their engines; 1 if
/// an engine is not on this machine, does not start, or has not the options that are set.
pub(super) fn check_file(
    file: &ConfigFile,
    abort: &Arc<AtomicBool>,
    output: &Output,
) -> Result<u8, RunError> {
    output.line(&listing(file));
    let mut started: Vec<Started> = Vec::new();
    let mut is_sound = true;
    for name in file.match_names() {
        let config = file.find_match(name)?;
        check_openings(&config, output)?;
        if let Err(missing) = check_programs(&config) {
            output.line(&format!("match {name}: {missing}"));
            is_sound = false;
            continue;
        }
        for engine in &config.engines {
            let one = start(&config, engine, abort, &mut started);
            for fault in &one.faults {
                output.line(&format!("match {name}: {}: {fault}", engine.name));
                is_sound = false;
            }
        }
    }
    for name in file.engine_names() {
        let is_it = |one: &Started| one.engine.name == name;
        if started.iter().any(is_it) {
            continue;
        }
        let engine = file.engine(name, GameKind::default())?;
        let config = MatchConfig {
            game: engine.only_game().unwrap_or_default(),
            engines: vec![engine],
            ..MatchConfig::default()
        };
        let faults = match check_programs(&config) {
            Ok(_) => start(&config, &config.engines[0], abort, &mut started)
                .faults
                .clone(),
            // It is said already where a match needs the engine.
            Err(missing) if !is_played(file, name)? => vec![missing.to_string()],
            Err(_) => continue,
        };
        for fault in faults {
            output.line(&format!("engine {name}: {fault}"));
            is_sound = false;
        }
    }
    Ok(u8::from(!is_sound))
}

/// Does an engine of the file play in one of its matches?
fn is_played(file: &ConfigFile, engine: &str) -> Result<bool, ConfigError> {
    for name in file.match_names() {
        if file
            .find_match(name)?
            .engines
            .iter()
            .any(|e| e.name == engine)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

fn check_openings(config: &MatchConfig, output: &Output) -> Result<(), RunError> {
    let Some(openings) = &config.openings else {
        return Ok(());
    };
    let rules = rules(config.game).by(config.law);
    let loaded = Openings::load(openings, config.game, &rules, config.seed)?;
    let name = &config.name;
    output.line(&format!("match {name}: {} openings", loaded.count()));
    for warning in &loaded.warnings {
        output.line(&format!("match {name}: {warning}"));
    }
    Ok(())
}

/// An engine that was tried, in a match of this game.
struct Started {
    engine: EngineConfig,
    game: GameKind,
    faults: Vec<String>,
}

/// Starts an engine, unless it has been before; what is wrong with it.
fn start<'a>(
    config: &MatchConfig,
    engine: &EngineConfig,
    abort: &Arc<AtomicBool>,
    started: &'a mut Vec<Started>,
) -> &'a Started {
    let is_it = |one: &Started| one.engine == *engine && one.game == config.game;
    let place = started.iter().position(is_it).unwrap_or_else(|| {
        let surroundings = Surroundings {
            game: config.game,
            deadlines: config.deadlines,
            abort: abort.clone(),
            ..Surroundings::default()
        };
        let faults = match handshake::start(engine, &surroundings) {
            Ok(mut player) => {
                let warnings = player.take_warnings();
                player.end();
                warnings
            }
            Err(failure) => vec![failure.to_string()],
        };
        started.push(Started {
            engine: engine.clone(),
            game: config.game,
            faults,
        });
        started.len() - 1
    });
    &started[place]
}
