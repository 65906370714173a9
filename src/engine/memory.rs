//! How much memory the machine has.

use std::fs;

use crate::search::TableError;

/// Refuses a table larger than all memory: some systems grant any size at first, and end the
/// process once it is used. Where the machine does not say how much it has, nothing is refused.
///
/// # Errors
/// When a table of `mib` MiB cannot fit.
pub fn within_memory(mib: usize) -> Result<(), TableError> {
    let info = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    match total_mib(&info) {
        Some(total) if mib > total => Err(TableError { mib }),
        _ => Ok(()),
    }
}

/// All memory in MiB, as Linux tells it.
fn total_mib(info: &str) -> Option<usize> {
    let line = info
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kib / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_found_where_there_is_one() {
        let info = "MemTotal:       16384000 kB\nMemFree:         1234 kB\n";
        assert_eq!(total_mib(info), Some(16_000));
        assert_eq!(total_mib("nothing"), None);
        assert!(within_memory(1).is_ok());
    }
}
