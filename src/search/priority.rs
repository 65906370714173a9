//! Threads far beyond the number of processors give way to the others.
//!
//! The system serves all that are ready in turn. Behind hundreds of busy ones the thread that reads
//! commands would wait for seconds, and so would the one that has to answer.

use std::thread::available_parallelism;

/// So many threads a processor take their turns soon enough, some milliseconds each.
const CROWD: usize = 8;

/// Gives the calling thread, the `index`-th of a search, the lowest priority if there is a crowd
/// before it. Does nothing where the system has no such thing.
pub(crate) fn give_way_in_a_crowd(index: usize) {
    let processors = available_parallelism().map_or(1, usize::from);
    if index >= CROWD * processors {
        give_way();
    }
}

#[cfg(target_os = "linux")]
fn give_way() {
    use rustix::process::setpriority_process;
    use rustix::thread::gettid;
    const LOWEST: i32 = 19;
    // To ask for less is never refused; and if it were, all would go on as before.
    let _ = setpriority_process(Some(gettid()), LOWEST);
}

#[cfg(not(target_os = "linux"))]
fn give_way() {}
