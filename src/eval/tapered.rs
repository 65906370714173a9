//! Middle-game and endgame score in one integer.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A pair of scores in centipawns, for the middle game and for the endgame, packed into one
/// integer so that one addition adds both: the endgame's in the upper half, the middle game's,
/// with its sign, in the lower. Each must stay within sixteen bits.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Tapered(i32);

/// Shorthand for tables of values.
pub(crate) const fn t(middle: i32, end: i32) -> Tapered {
    Tapered::new(middle, end)
}

impl Tapered {
    /// A score for the middle game and one for the endgame.
    pub const fn new(middle: i32, end: i32) -> Tapered {
        Tapered((end << 16) + middle)
    }

    /// The middle-game score.
    pub const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame score.
    pub const fn end(self) -> i32 {
        // A negative lower half has borrowed from the upper one.
        ((self.0 + 0x8000) >> 16) as i16 as i32
    }

    /// The sum, for tables made by `const` arithmetic.
    pub const fn plus(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0)
    }

    /// The score at a phase of the game, `full` meaning all pieces are there and 0 none.
    pub fn at(self, phase: i32, full: i32) -> i32 {
        let phase = phase.clamp(0, full);
        (self.middle() * phase + self.end() * (full - phase)) / full
    }
}

impl Add for Tapered {
    type Output = Tapered;
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0)
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0 - other.0)
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    fn neg(self) -> Tapered {
        Tapered(-self.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    fn mul(self, factor: i32) -> Tapered {
        Tapered(self.0 * factor)
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Tapered) {
        self.0 += other.0;
    }
}

impl SubAssign for Tapered {
    fn sub_assign(&mut self, other: Tapered) {
        self.0 -= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        for m in [-9000, -1, 0, 1, 77, 9000] {
            for e in [-8000, -1, 0, 1, 55, 8000] {
                let pair = Tapered::new(m, e);
                assert_eq!((pair.middle(), pair.end()), (m, e));
                let sum = pair + t(-3, 4) * 5 - t(10, -10);
                assert_eq!((sum.middle(), sum.end()), (m - 25, e + 30));
                assert_eq!(((-pair).middle(), (-pair).end()), (-m, -e));
            }
        }
    }

    #[test]
    fn phase_blends_and_is_clamped() {
        let pair = t(100, 0);
        assert_eq!(pair.at(24, 24), 100);
        assert_eq!(pair.at(12, 24), 50);
        assert_eq!(pair.at(-5, 24), 0);
        assert_eq!(pair.at(99, 24), 100);
    }
}
