//! How much memory there is for a table.

use std::fs;

use crate::search::TableError;

/// Limits of the control group that a process may be in, and the group's own, in both versions.
const GROUP_LIMITS: [&str; 2] = [
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes",
];

/// Refuses a table larger than the memory that can be had: some systems grant any size at first,
/// and end the process once it is used. `old` is the size of a table that will go. Where the
/// machine does not say how much it has, nothing is refused.
///
/// # Errors
/// When a table of `mib` MiB cannot fit.
pub fn within_memory(mib: usize, old: usize) -> Result<(), TableError> {
    let info = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let own = fs::read_to_string("/proc/self/status").unwrap_or_default();
    // Of the old table what was never used is free already.
    let old = old.min(field_mib(&own, "VmRSS:").unwrap_or(0));
    let groups = GROUP_LIMITS.map(|path| fs::read_to_string(path).unwrap_or_default());
    match room_mib(&info, &groups, old) {
        Some(room) if mib > room => Err(TableError { mib }),
        _ => Ok(()),
    }
}

/// The memory in MiB for a table that replaces one of which `old` MiB are in use: what Linux can
/// free, swap included, and no more than a group's limit.
fn room_mib(info: &str, groups: &[String], old: usize) -> Option<usize> {
    let swap = field_mib(info, "SwapFree:").unwrap_or(0);
    let free = field_mib(info, "MemAvailable:").map(|memory| memory + swap + old);
    let limits = groups.iter().filter_map(|text| text.trim().parse().ok());
    let limits = limits.map(|bytes: u64| usize::try_from(bytes >> 20).unwrap_or(usize::MAX));
    free.into_iter().chain(limits).min()
}

/// A line of `/proc/meminfo` or of a process's status, in MiB.
fn field_mib(info: &str, name: &str) -> Option<usize> {
    let line = info.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kib / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_room_is_what_can_be_freed_within_the_limit() {
        let info = "MemTotal: 16384000 kB\nMemAvailable: 8192000 kB\nSwapFree: 1024000 kB\n";
        let groups = |texts: [&str; 2]| texts.map(str::to_owned);
        assert_eq!(room_mib(info, &groups(["max\n", ""]), 0), Some(9_000));
        assert_eq!(room_mib(info, &groups(["max\n", ""]), 500), Some(9_500));
        let limited = groups(["1073741824\n", "9223372036854771712\n"]);
        assert_eq!(room_mib(info, &limited, 500), Some(1_024));
        assert_eq!(room_mib("nothing", &groups(["", ""]), 500), None);
        assert!(within_memory(1, 0).is_ok());
        assert!(within_memory(1 << 40, 0).is_err() || cfg!(not(target_os = "linux")));
    }
}
