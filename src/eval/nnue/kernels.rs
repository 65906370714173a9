//! The processor's vector instructions, chosen once at run time.
//!
//! Loops over accumulators are written once, in safe Rust, as a [`Task`]. A [`Kernel`] runs a
//! task compiled for the instruction set it stands for; the compiler does the rest. All kernels
//! compute the same integers.
//!
//! There is none for AVX-512's VNNI, which multiplies, adds pairs and accumulates in one
//! instruction: the compiler does not use it for the outputs' sums even where it may, because the
//! two instructions it stands for wait less for each other.
#![allow(unsafe_code)]

use once_cell::sync::Lazy;

/// A loop to be compiled for several instruction sets.
///
/// `run` must be `#[inline(always)]`, and so must all it calls, or it stays compiled for the
/// oldest processors.
pub trait Task {
    /// What the loop computes.
    type Output;
    /// Runs the loop.
    fn run(self) -> Self::Output;
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Level {
    /// What every processor of the target has: SSE2 on x86-64, NEON on AArch64.
    Portable,
    #[cfg(target_arch = "x86_64")]
    Sse41,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

/// An instruction set that this processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kernel(Level);

impl Kernel {
    /// The kernel that works everywhere.
    pub const PORTABLE: Kernel = Kernel(Level::Portable);

    /// The best kernel for this processor.
    pub fn best() -> Kernel {
        static BEST: Lazy<Kernel> =
            Lazy::new(|| Kernel::all().last().copied().unwrap_or(Kernel::PORTABLE));
        *BEST
    }

    /// Every kernel that this processor can run, the best one last.
    #[cfg(target_arch = "x86_64")]
    pub fn all() -> Vec<Kernel> {
        let avx512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl");
        let levels = [
            (Level::Portable, true),
            (Level::Sse41, is_x86_feature_detected!("sse4.1")),
            (Level::Avx2, is_x86_feature_detected!("avx2")),
            (Level::Avx512, avx512),
        ];
        let present = levels.into_iter().filter(|(_, present)| *present);
        present.map(|(level, _)| Kernel(level)).collect()
    }

    /// Every kernel that this processor can run, the best one last.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn all() -> Vec<Kernel> {
        vec![Kernel::PORTABLE]
    }

    /// Its name, for benches and reports.
    pub fn name(self) -> &'static str {
        match self.0 {
            Level::Portable => "portable",
            #[cfg(target_arch = "x86_64")]
            Level::Sse41 => "sse4.1",
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => "avx512",
        }
    }

    /// Runs a task with these instructions.
    #[inline(always)]
    pub fn run<T: Task>(self, task: T) -> T::Output {
        match self.0 {
            Level::Portable => task.run(),
            // SAFETY: a `Kernel` is made by `all` only, where its instructions were detected.
            #[cfg(target_arch = "x86_64")]
            Level::Sse41 => unsafe { run_sse41(task) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => unsafe { run_avx2(task) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { run_avx512(task) },
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "sse4.1")]
fn run_sse41<T: Task>(task: T) -> T::Output {
    task.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_avx2<T: Task>(task: T) -> T::Output {
    task.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl")]
fn run_avx512<T: Task>(task: T) -> T::Output {
    task.run()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_portable_kernel_is_always_there() {
        let all = Kernel::all();
        assert_eq!(all[0], Kernel::PORTABLE);
        assert_eq!(all.last(), Some(&Kernel::best()));
    }
}
