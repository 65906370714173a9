//! How many games a machine can play at once, and which cores each of them gets.

use std::thread::available_parallelism;

use crate::arena::config::{ConfigError, MatchConfig};

/// Cores a game needs: the threads of the two engines that use most. Only one of the two thinks
/// at a time, unless one ponders.
fn threads_of_game(config: &MatchConfig) -> usize {
    let mut threads: Vec<usize> = config.engines.iter().map(|e| e.threads()).collect();
    threads.sort_unstable_by(|a, b| b.cmp(a));
    let both = config.engines.iter().any(|engine| engine.ponder);
    threads
        .iter()
        .take(if both { 2 } else { 1 })
        .sum::<usize>()
        .max(1)
}

fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// Games at once: as configured, counted down from the number of cores where that is zero or less.
///
/// # Errors
/// More threads than there are cores, unless forced: clocks mean little then.
pub fn slots(config: &MatchConfig, force: bool) -> Result<usize, ConfigError> {
    let (cores, each) = (cores(), threads_of_game(config));
    let wanted = config.concurrency;
    let slots = if wanted > 0 {
        wanted as usize
    } else {
        cores.saturating_sub(wanted.unsigned_abs() as usize).max(1) / each
    };
    let slots = slots.max(1);
    if slots * each > cores && !force {
        return Err(ConfigError(format!(
            "{slots} games at once of {each} threads need more than the {cores} cores there are; \
             lower the concurrency, or use --force"
        )));
    }
    Ok(slots)
}

/// The cores of a slot's engines; none unless asked for. Slots have no core in common.
pub fn cores_of(config: &MatchConfig, slot: usize) -> Vec<usize> {
    let each = threads_of_game(config);
    let first = slot * each;
    if config.affinity && first + each <= cores() {
        (first..first + each).collect()
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::config::EngineConfig;

    fn config(threads: &str, concurrency: i64) -> MatchConfig {
        let engine = EngineConfig {
            options: vec![("Threads".to_owned(), threads.to_owned())],
            ..EngineConfig::default()
        };
        MatchConfig {
            engines: vec![engine, EngineConfig::default()],
            concurrency,
            affinity: true,
            ..MatchConfig::default()
        }
    }

    #[test]
    fn engines_threads_count() {
        assert_eq!(slots(&config("1", 1), false), Ok(1));
        let too_many = cores() as i64 + 1;
        assert!(slots(&config("1", too_many), false).is_err());
        assert_eq!(slots(&config("1", too_many), true), Ok(cores() + 1));
        let all = cores().to_string();
        assert_eq!(slots(&config(&all, 0), false), Ok(1));
        assert!(slots(&config(&all, 2), false).is_err());
        assert_eq!(slots(&config("1", 0), false), Ok(cores()));
    }

    #[test]
    fn slots_share_no_core() {
        let config = config("1", 0);
        let mut all: Vec<usize> = (0..cores())
            .flat_map(|slot| cores_of(&config, slot))
            .collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(cores_of(&config, 10_000).is_empty());
    }
}
