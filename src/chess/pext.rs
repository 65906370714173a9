//! Slider attacks by PEXT, the instruction that gathers the bits of a mask (Intel BMI2).
//!
//! [`Pext`] exists only where the processor has the instruction and is quick at it: AMD's before
//! Zen 3 take a hundred cycles and more. A task run here is compiled with the other bit
//! instructions of the same generation too: POPCNT, LZCNT and BMI1.
//!
//! Measured on an AMD EPYC of the Zen 3 family, one thread, best of many runs, million leaves of
//! perft a second (bulk counting) and nanoseconds for counting the legal moves once:
//!
//! | position | PEXT | magic | PEXT, count | magic, count |
//! |---|---|---|---|---|
//! | start | 338 | 255 | 32 ns | 46 ns |
//! | usual position 2 | 592 | 486 | 46 ns | 68 ns |
//! | usual position 3 | 270 | 235 | 22 ns | 30 ns |
//! | usual position 4 | 565 | 427 | 35 ns | 55 ns |
//! | usual position 6 | 646 | 490 | 36 ns | 55 ns |
//!
//! Either table is filled in 1.5 ms there. Lists of moves take the same time both ways.
#![cfg(target_arch = "x86_64")]
#![allow(unsafe_code)]

use std::arch::is_x86_feature_detected;
use std::arch::x86_64::{__cpuid, _pext_u64};
use std::array;

use crate::chess::attacks::{AttackTable, Slider, SliderTask, Sliders, TABLE_SIZE, fill_table};
use crate::chess::bitboard::Bitboard;
use crate::chess::square::Square;

/// A mask and where the attacks of its square begin.
struct Entry {
    mask: Bitboard,
    offset: usize,
}

/// The attack table laid out by PEXT, and the proof that the processor has the instructions.
pub(super) struct Pext {
    bishop: [Entry; 64],
    rook: [Entry; 64],
    attacks: AttackTable,
}

impl Pext {
    /// Fills the table where the processor is fit for it.
    pub(super) fn detect() -> Option<Pext> {
        let has_all = is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt");
        if !has_all || is_slow() {
            return None;
        }
        let mut offset = 0;
        let rook = Pext::entries(Slider::Rook, &mut offset);
        let bishop = Pext::entries(Slider::Bishop, &mut offset);
        debug_assert_eq!(offset, TABLE_SIZE);
        let attacks = fill_table(|slider, sq, occupied| {
            let entry = match slider {
                Slider::Rook => &rook[sq.index()],
                Slider::Bishop => &bishop[sq.index()],
            };
            // SAFETY: BMI2 was detected above.
            unsafe { entry.index(occupied) }
        });
        Some(Pext {
            bishop,
            rook,
            attacks,
        })
    }

    /// The entries of one kind of slider, their areas one after the other from `offset`.
    fn entries(slider: Slider, offset: &mut usize) -> [Entry; 64] {
        array::from_fn(|i| {
            let mask = slider.mask(Square::ALL[i]);
            let entry = Entry {
                mask,
                offset: *offset,
            };
            *offset += 1 << mask.len();
            entry
        })
    }

    /// Runs a task with these look-ups, compiled for processors that have them.
    #[inline(always)]
    pub(super) fn run<T: SliderTask>(&self, task: T) -> T::Output {
        // SAFETY: a `Pext` is made only by `detect`, where all these features are present.
        unsafe { run_with_features(self, task) }
    }
}

#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt")]
fn run_with_features<T: SliderTask>(pext: &Pext, task: T) -> T::Output {
    task.run(pext)
}

impl Entry {
    /// # Safety
    /// The processor must have BMI2.
    #[inline(always)]
    unsafe fn index(&self, occupied: Bitboard) -> usize {
        // SAFETY: the caller vouches for BMI2.
        self.offset + unsafe { _pext_u64(occupied.0, self.mask.0) } as usize
    }
}

impl Sliders for &Pext {
    #[inline(always)]
    fn bishop(self, sq: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a `Pext` is made only by `detect`, where BMI2 is present.
        self.attacks[unsafe { self.bishop[sq.index()].index(occupied) }]
    }

    #[inline(always)]
    fn rook(self, sq: Square, occupied: Bitboard) -> Bitboard {
        // SAFETY: a `Pext` is made only by `detect`, where BMI2 is present.
        self.attacks[unsafe { self.rook[sq.index()].index(occupied) }]
    }
}

/// Is PEXT done in microcode here? So it is on AMD's and Hygon's families before 19h (Zen 3).
// `__cpuid` is unsafe in the oldest compiler we support, safe in later ones.
#[allow(unused_unsafe)]
fn is_slow() -> bool {
    // SAFETY: every processor of this architecture has CPUID with these two leaves.
    let (vendor, version) = unsafe { (__cpuid(0), __cpuid(1)) };
    let is_amd = vendor.ebx == u32::from_le_bytes(*b"Auth");
    let is_hygon = vendor.ebx == u32::from_le_bytes(*b"Hygo");
    // Both fields count where the first one is full.
    let family = (version.eax >> 8 & 0xF) + (version.eax >> 20 & 0xFF);
    (is_amd || is_hygon) && family < 0x19
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::attacks::tests::check_everywhere;

    #[test]
    fn pext_is_right_everywhere_where_it_is() {
        if let Some(pext) = Pext::detect() {
            check_everywhere(&pext);
        }
    }
}
