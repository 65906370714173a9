//! Hints about memory: they change how fast it is, never what is in it.
//!
//! A large table is read at random, so that nearly every access also has to find out where the
//! page lies that it goes to. With pages of 2 MiB instead of 4 KiB the processor keeps that at
//! hand.
#![allow(unsafe_code)]

/// Asks the system to back this memory by huge pages, where it can and has not filled it yet.
pub(crate) fn prefer_huge_pages<T>(memory: &[T]) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        let page = rustix::param::page_size();
        let address = memory.as_ptr().addr();
        let before = address % page;
        let length = (before + size_of_val(memory)).next_multiple_of(page);
        let begin = memory.as_ptr().cast::<u8>().wrapping_sub(before);
        if !memory.is_empty() {
            // SAFETY: the pages that hold `memory`; this advice leaves what is in them, also
            // what is not ours. Where the system knows no huge pages it says so, and nothing is
            // lost.
            let _ = unsafe { madvise(begin.cast_mut().cast(), length, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

/// Has the processor fetch the cache line where `memory` begins: memory is far away.
#[inline]
pub(crate) fn prefetch<T>(memory: &[T]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint that reads nothing; every x86-64 has it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(memory.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = memory;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_leave_memory_as_it_is() {
        let filled: Vec<u64> = (0..3 << 18).collect();
        for part in [&filled[..], &filled[1..], &filled[..100], &filled[..0]] {
            prefer_huge_pages(part);
            prefetch(part);
        }
        assert!(filled.iter().copied().eq(0..3 << 18));
    }
}
