//! What makes a match the same match: checked before its games go on.

use std::fs::File;
use std::io::{self, Read};

use crate::arena::config::{ConfigError, MatchConfig};
use crate::arena::journal::Fingerprint;
use crate::arena::process::find_program;

/// Checks that every engine's program is there.
///
/// # Errors
/// One line that names all that are missing.
pub fn check_programs(config: &MatchConfig) -> Result<(), ConfigError> {
    let missing: Vec<String> = config
        .engines
        .iter()
        .filter(|engine| find_program(&engine.command).is_none())
        .map(|engine| format!("{} ({})", engine.name, engine.command.display()))
        .collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(ConfigError(format!(
            "missing engines: {}",
            missing.join(", ")
        )))
    }
}

/// Checksums of everything that has a bearing on results: settings, openings, engines. The number
/// of rounds, concurrency and outputs have none.
///
/// # Errors
/// A program that cannot be read.
pub fn of(config: &MatchConfig, openings: u32) -> io::Result<Fingerprint> {
    let plain = MatchConfig::default();
    let settings = MatchConfig {
        dir: plain.dir,
        engines: Vec::new(),
        rounds: 0,
        concurrency: 0,
        output: plain.output,
        scoring: plain.scoring,
        recover: plain.recover,
        max_crashes: plain.max_crashes,
        on_start_failure: plain.on_start_failure,
        wait: plain.wait,
        affinity: plain.affinity,
        check_mate_pvs: plain.check_mate_pvs,
        event: plain.event,
        site: plain.site,
        ..config.clone()
    };
    let mut parts = vec![
        (
            "settings".to_owned(),
            crc32fast::hash(&serde_json::to_vec(&settings)?),
        ),
        ("openings".to_owned(), openings),
    ];
    for engine in &config.engines {
        let mut sum = crc32fast::Hasher::new();
        sum.update(&serde_json::to_vec(engine)?);
        if let Some(program) = find_program(&engine.command) {
            add_file(&mut sum, File::open(program)?)?;
        }
        parts.push((format!("engine {}", engine.name), sum.finalize()));
    }
    Ok(Fingerprint { parts })
}

fn add_file(sum: &mut crc32fast::Hasher, mut file: File) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(());
        }
        sum.update(&buffer[..read]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::config::EngineConfig;
    use std::path::PathBuf;

    #[test]
    fn what_bears_on_results_is_in_it_and_nothing_else() {
        let config = MatchConfig {
            engines: vec![EngineConfig::default(); 2],
            ..MatchConfig::default()
        };
        let print = |config: &MatchConfig| of(config, 7).unwrap();
        let base = print(&config);
        for same in [
            MatchConfig {
                rounds: 99,
                ..config.clone()
            },
            MatchConfig {
                concurrency: 3,
                ..config.clone()
            },
            MatchConfig {
                event: "x".to_owned(),
                ..config.clone()
            },
        ] {
            assert_eq!(print(&same), base);
        }
        let mut other_option = config.clone();
        other_option.engines[1]
            .options
            .push(("Hash".to_owned(), "1".to_owned()));
        let other_seed = MatchConfig {
            seed: 1,
            ..config.clone()
        };
        assert_ne!(print(&other_option), base);
        assert_ne!(print(&other_seed), base);
        assert_ne!(of(&config, 8).unwrap(), base);
    }

    #[test]
    fn missing_engines_are_all_named() {
        let engine = |name: &str| EngineConfig {
            name: name.to_owned(),
            command: PathBuf::from(format!("no-such-{name}")),
            ..EngineConfig::default()
        };
        let config = MatchConfig {
            engines: vec![engine("one"), engine("two")],
            ..MatchConfig::default()
        };
        let error = check_programs(&config).unwrap_err().to_string();
        assert_eq!(
            error,
            "missing engines: one (no-such-one), two (no-such-two)"
        );
    }
}
