//! How many pipes and files a match holds open, and the system's limit to that.

use crate::arena::config::ConfigError;

/// Of a slot: three pipes of each of two engines, and, while one of them starts, their other ends
/// and what starting a process takes.
#[cfg(unix)]
const OF_A_SLOT: u64 = 2 * 3 + 8;
/// Of the runner: its streams, journal, records, events, openings, and some for its libraries.
#[cfg(unix)]
const OF_THE_RUNNER: u64 = 32;

/// Descriptors for so many games at once.
#[cfg(unix)]
fn needed(slots: usize) -> u64 {
    OF_A_SLOT
        .saturating_mul(slots as u64)
        .saturating_add(OF_THE_RUNNER)
}

/// What is to be done about a limit.
#[cfg(unix)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// It suffices.
    Enough,
    /// It can be raised to this.
    Raise(u64),
    /// It cannot be raised beyond this.
    TooFew(u64),
}

/// `soft` is in force, `hard` is how far anybody may raise it; `None`: no limit.
#[cfg(unix)]
fn judge(soft: Option<u64>, hard: Option<u64>, needed: u64) -> Verdict {
    match (soft, hard) {
        (None, _) => Verdict::Enough,
        (Some(soft), _) if soft >= needed => Verdict::Enough,
        (_, Some(hard)) if hard < needed => Verdict::TooFew(hard),
        _ => Verdict::Raise(needed),
    }
}

/// Sees to it that so many games at once find the descriptors they need: raises the limit of this
/// process where it has to.
///
/// # Errors
/// The system does not allow so many, unless forced.
#[cfg(unix)]
pub fn ensure(slots: usize, force: bool) -> Result<(), ConfigError> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let needed = needed(slots);
    let allowed = match judge(limit.current, limit.maximum, needed) {
        Verdict::Enough => return Ok(()),
        Verdict::Raise(to) => {
            let raised = Rlimit {
                current: Some(to),
                ..limit
            };
            match setrlimit(Resource::Nofile, raised) {
                Ok(()) => return Ok(()),
                Err(_) => limit.current.unwrap_or(to),
            }
        }
        Verdict::TooFew(hard) => hard,
    };
    if force {
        return Ok(());
    }
    Err(ConfigError(format!(
        "{slots} games at once need {needed} open files, the system allows {allowed}; lower the \
         concurrency or raise the limit (ulimit -n), or use --force"
    )))
}

/// No other system counts pipes against a limit that a process could raise.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn ensure(_slots: usize, _force: bool) -> Result<(), ConfigError> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn limits_are_raised_as_far_as_needed_and_allowed() {
        assert_eq!(needed(1), 46);
        assert_eq!(judge(None, None, 46), Verdict::Enough);
        assert_eq!(judge(Some(46), Some(46), 46), Verdict::Enough);
        assert_eq!(judge(Some(45), Some(46), 46), Verdict::Raise(46));
        assert_eq!(judge(Some(45), None, 46), Verdict::Raise(46));
        assert_eq!(judge(Some(20), Some(45), 46), Verdict::TooFew(45));
    }

    #[test]
    fn more_than_the_system_has_is_refused() {
        assert_eq!(ensure(1, false), Ok(()));
        if rustix::process::getrlimit(rustix::process::Resource::Nofile)
            .maximum
            .is_some()
        {
            let error = ensure(usize::MAX, false).unwrap_err().to_string();
            assert!(error.contains("--force"), "{error}");
            assert_eq!(ensure(usize::MAX, true), Ok(()));
        }
    }
}
