//! Unix: each engine leads a process group, which is signalled as a whole.
//!
//! A runner that is killed takes the engines with it: the watchdog kills their groups, and Linux
//! kills the engines themselves even before that.
#![allow(unsafe_code)]

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus};

use rustix::process::{Pid, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::arena::process::{Signal, watchdog};

/// The process group of an engine.
#[derive(Debug)]
pub(super) struct Group(u32);

impl Group {
    /// The group that an engine leads. The watchdog knows it from now on.
    pub fn of(engine: &Child) -> Group {
        watchdog::watch(engine.id());
        Group(engine.id())
    }

    /// Sends a signal to all of it.
    pub fn signal(&self, _engine: &mut Child, signal: Signal) {
        let signal = match signal {
            Signal::Terminate => rustix::process::Signal::TERM,
            Signal::Kill => rustix::process::Signal::KILL,
        };
        if let Some(group) = Pid::from_raw(self.0 as i32) {
            // A group that is gone already needs no signal.
            let _ = kill_process_group(group, signal);
        }
    }

    /// Nothing of it is left: its number may soon be another's.
    pub fn disband(&self) {
        watchdog::leave(self.0);
    }
}

/// Has an engine ended? Looks without reaping it, so that its number stays its own.
pub(super) fn has_ended(engine: &mut Child) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let id = Pid::from_raw(engine.id() as i32).map(WaitId::Pid);
    id.is_none_or(|id| !matches!(waitid(id, options), Ok(None)))
}

/// The signal that ended a process, if one did.
pub(super) fn signal_of(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// Kills a group by its number, without waiting.
pub(super) fn kill_group(id: u32) {
    if let Some(group) = Pid::from_raw(id as i32) {
        let _ = kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// Makes a command lead a group of its own; on Linux also die with the runner, and run on these
/// cores, if there are any.
pub(super) fn isolate(command: &mut Command, cores: &[usize]) {
    command.process_group(0);
    #[cfg(target_os = "linux")]
    {
        use rustix::io::Errno;
        use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};
        use rustix::thread::{CpuSet, sched_setaffinity};
        let mut set = CpuSet::new();
        for &core in cores {
            set.set(core);
        }
        let is_bound = !cores.is_empty();
        let runner = getpid();
        let before_exec = move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // A runner that had died before would never be missed.
            if getppid() != Some(runner) {
                return Err(Errno::SRCH.into());
            }
            if is_bound {
                sched_setaffinity(None, &set)?;
            }
            Ok(())
        };
        // SAFETY: the closure runs in the child between fork and exec, where only
        // async-signal-safe work is sound: it makes a few system calls on memory it owns, and
        // neither allocates nor locks.
        unsafe {
            command.pre_exec(before_exec);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = cores;
}
