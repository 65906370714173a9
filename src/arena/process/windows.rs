//! Windows: each engine is put into a job object, which ends with everything in it as soon as its
//! last handle is closed: by us, or by the system when the runner ends in whatever way.

use std::os::windows::io::AsRawHandle;
use std::process::{Child, Command, ExitStatus};

use win32job::{ExtendedLimitInfo, Job};

use crate::arena::process::Signal;

/// The job of an engine; none if the system refused one, or once it is closed.
#[derive(Debug)]
pub(super) struct Group(Option<Job>);

impl Group {
    /// Puts an engine, and whatever it starts from now on, into a job of its own.
    pub fn of(engine: &Child) -> Group {
        let mut limits = ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = Job::create_with_limit_info(&limits).ok();
        Group(job.filter(|job| job.assign_process(engine.as_raw_handle() as isize).is_ok()))
    }

    /// There is no gentle way: a group is killed or left alone.
    pub fn signal(&mut self, engine: &mut Child, signal: Signal) {
        if let Signal::Kill = signal {
            self.disband();
            // Where there was no job, the engine at least.
            let _ = engine.kill();
        }
    }

    /// Closes the job, and so ends all in it.
    pub fn disband(&mut self) {
        self.0 = None;
    }
}

/// Has an engine ended?
pub(super) fn has_ended(engine: &mut Child) -> bool {
    !matches!(engine.try_wait(), Ok(None))
}

/// No process is ended by a signal here.
pub(super) fn signal_of(_status: ExitStatus) -> Option<i32> {
    None
}

/// Jobs end with the runner, which is about to.
pub(super) fn kill_group(_id: u32) {}

/// Jobs are made once the process runs. Cores are left to the system.
pub(super) fn isolate(_command: &mut Command, _cores: &[usize]) {}
