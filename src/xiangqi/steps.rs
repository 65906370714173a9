//! How pieces move on an empty or a crowded board: steps, horse legs, elephant eyes and lines.
//!
//! A chariot's or cannon's moves along its file or rank depend on nothing but its place in that
//! line and on which squares of the line are occupied: nine or ten bits. [`along_rank`] and
//! [`along_file`] look the answer up (the idea is ElephantEye's "bit rank and bit file"), so no
//! line is ever scanned square by square. Bit 0 of a rank is file a, bit 0 of a file is rank 0.

use crate::game::Side;
use crate::xiangqi::square::{FILES, RANKS};
use crate::xiangqi::{Mailbox, Square};

/// One square up the board, from Red's view.
pub const UP: i8 = 16;
/// One square to the right, from Red's view.
pub const RIGHT: i8 = 1;

/// The four steps of a king.
pub const ORTHOGONAL: [i8; 4] = [UP, RIGHT, -RIGHT, -UP];
/// The four steps of an advisor; doubled, those of an elephant.
pub const DIAGONAL: [i8; 4] = [UP + RIGHT, UP - RIGHT, RIGHT - UP, -UP - RIGHT];

/// The horse's moves in one direction: past one leg to two targets.
pub struct Leap {
    /// From the horse to the square that must be empty.
    pub leg: i8,
    /// From the horse to where it may then go.
    pub targets: [i8; 2],
}

/// The four directions of a horse.
pub const LEAPS: [Leap; 4] = [
    leap(UP, RIGHT),
    leap(RIGHT, UP),
    leap(-RIGHT, UP),
    leap(-UP, RIGHT),
];

const fn leap(leg: i8, sideways: i8) -> Leap {
    Leap {
        leg,
        targets: [2 * leg + sideways, 2 * leg - sideways],
    }
}

/// A pawn's step forward.
#[inline]
pub const fn forward(side: Side) -> i8 {
    match side {
        Side::First => UP,
        Side::Second => -UP,
    }
}

/// Leg steps by the difference of target and start; zero where a horse cannot go.
static LEGS: Mailbox<i8> = {
    let mut table = Mailbox::filled(0);
    let mut i = 0;
    while i < LEAPS.len() {
        let leap = &LEAPS[i];
        table = table.with(Square::from_byte(leap.targets[0] as u8), leap.leg);
        table = table.with(Square::from_byte(leap.targets[1] as u8), leap.leg);
        i += 1;
    }
    table
};

/// The square that must be empty for a horse to go from one square to another, if these two are
/// a horse's move apart.
#[inline]
pub fn leg(from: Square, to: Square) -> Option<Square> {
    match LEGS[Square::from_byte(to.difference(from))] {
        0 => None,
        step => Some(from.step(step)),
    }
}

/// Is this difference of squares, see [`Square::difference`], one of these steps times `factor`?
#[inline]
pub fn is_step(difference: u8, steps: [i8; 4], factor: i8) -> bool {
    steps.iter().any(|&s| (s * factor) as u8 == difference)
}

/// What a slider can reach in one line, as bits of that line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach {
    /// Empty squares up to the first man each way: a chariot or cannon may go there.
    pub quiet: u16,
    /// The first man each way: a chariot may capture there.
    pub near: u16,
    /// The second man each way: a cannon may capture there.
    pub far: u16,
}

impl Reach {
    const NOWHERE: Reach = Reach {
        quiet: 0,
        near: 0,
        far: 0,
    };

    /// From bit `place` of a line of `length` squares with these squares occupied.
    const fn on_line(place: u32, occupied: u16, length: u32) -> Reach {
        let below = (1u16 << place) - 1;
        let above = ((1u16 << length) - 1) & !below & !(1 << place);
        let up = occupied & above;
        let up_near = lowest(up);
        let up_far = lowest(up & !up_near);
        let down = occupied & below;
        let down_near = highest(down);
        let down_far = highest(down & !down_near);
        // All bits below the first man above; all bits above the first man below.
        let short_of_up = up_near.wrapping_sub(1);
        let short_of_down = if down_near == 0 {
            u16::MAX
        } else {
            !((down_near << 1) - 1)
        };
        Reach {
            quiet: (above & short_of_up) | (below & short_of_down),
            near: up_near | down_near,
            far: up_far | down_far,
        }
    }
}

const fn lowest(bits: u16) -> u16 {
    bits & bits.wrapping_neg()
}

const fn highest(bits: u16) -> u16 {
    if bits == 0 {
        0
    } else {
        1 << (15 - bits.leading_zeros())
    }
}

const RANK_PATTERNS: usize = 1 << FILES;
const FILE_PATTERNS: usize = 1 << RANKS;

static RANK_REACH: [[Reach; RANK_PATTERNS]; FILES as usize] = {
    let mut table = [[Reach::NOWHERE; RANK_PATTERNS]; FILES as usize];
    let mut place = 0;
    while place < FILES as usize {
        let mut occupied = 0;
        while occupied < RANK_PATTERNS {
            table[place][occupied] = Reach::on_line(place as u32, occupied as u16, FILES as u32);
            occupied += 1;
        }
        place += 1;
    }
    table
};

static FILE_REACH: [[Reach; FILE_PATTERNS]; RANKS as usize] = {
    let mut table = [[Reach::NOWHERE; FILE_PATTERNS]; RANKS as usize];
    let mut place = 0;
    while place < RANKS as usize {
        let mut occupied = 0;
        while occupied < FILE_PATTERNS {
            table[place][occupied] = Reach::on_line(place as u32, occupied as u16, RANKS as u32);
            occupied += 1;
        }
        place += 1;
    }
    table
};

/// What a slider on `sq`, a square of the board, reaches along its rank.
#[inline]
pub fn along_rank(sq: Square, occupied: u16) -> Reach {
    RANK_REACH[usize::from(sq.file())][usize::from(occupied) & (RANK_PATTERNS - 1)]
}

/// What a slider on `sq`, a square of the board, reaches along its file.
#[inline]
pub fn along_file(sq: Square, occupied: u16) -> Reach {
    FILE_REACH[usize::from(sq.rank())][usize::from(occupied) & (FILE_PATTERNS - 1)]
}

/// The bits strictly between two places of a line.
#[inline]
pub const fn between(a: u8, b: u8) -> u16 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    ((1u16 << (high & 15)) - 1) & !((2u16 << (low & 15)) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same answer by walking the line square by square.
    fn walk(place: i32, occupied: u16, length: i32) -> Reach {
        let mut reach = Reach::NOWHERE;
        for direction in [-1, 1] {
            let mut men = 0;
            let mut at = place + direction;
            while (0..length).contains(&at) {
                let bit = 1 << at;
                if occupied & bit != 0 {
                    men += 1;
                    match men {
                        1 => reach.near |= bit,
                        2 => reach.far |= bit,
                        _ => {}
                    }
                } else if men == 0 {
                    reach.quiet |= bit;
                }
                at += direction;
            }
        }
        reach
    }

    #[test]
    fn line_tables_equal_a_walk_along_the_line() {
        for sq in Square::all() {
            for occupied in 0..RANK_PATTERNS as u16 {
                let expected = walk(i32::from(sq.file()), occupied, 9);
                assert_eq!(along_rank(sq, occupied), expected);
            }
            for occupied in 0..FILE_PATTERNS as u16 {
                let expected = walk(i32::from(sq.rank()), occupied, 10);
                assert_eq!(along_file(sq, occupied), expected);
            }
        }
    }

    #[test]
    fn between_is_exclusive_and_symmetric() {
        assert_eq!(between(2, 5), 0b011000);
        assert_eq!(between(5, 2), 0b011000);
        assert_eq!(between(3, 4), 0);
        assert_eq!(between(3, 3), 0);
        assert_eq!(between(0, 9), 0b01_1111_1110);
    }

    #[test]
    fn a_leg_lies_next_to_the_horse_on_the_long_side() {
        let horse = Square::on(4, 4);
        assert_eq!(leg(horse, Square::on(5, 6)), Some(Square::on(4, 5)));
        assert_eq!(leg(horse, Square::on(6, 3)), Some(Square::on(5, 4)));
        assert_eq!(leg(horse, Square::on(2, 5)), Some(Square::on(3, 4)));
        assert_eq!(leg(horse, Square::on(3, 2)), Some(Square::on(4, 3)));
        let reachable = Square::all().filter(|&to| leg(horse, to).is_some()).count();
        assert_eq!(reachable, 8);
    }
}
