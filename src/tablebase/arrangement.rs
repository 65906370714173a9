//! The number of a position within a table.
//!
//! Pieces are taken in groups of equals: first the leading group (three single pieces, the two
//! kings, or the leading side's pawns), then the others. Each group's squares make a number, and
//! the numbers are put together with factors in an order that the file gives.

use arrayvec::ArrayVec;

use crate::tablebase::material::{MOST_MEN, Material};
use crate::tablebase::squares::{
    KING_PAIRS, LOWER, TRIANGLE, choose, flipped, king_pair, leading_pawn, off_diagonal,
    other_pawn, pawn_sets,
};

/// Placements of three single pieces, up to reflection.
const TRIPLES: u64 = 31_332;
/// No place in the order of groups.
const NEVER: u8 = 0xF;
/// Kings in files' codes.
const KINGS: [u8; 2] = [6, 14];

/// Squares of the pieces of a position, in the order of an arrangement.
pub(super) type Squares = ArrayVec<u8, MOST_MEN>;

/// What the leading group is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Leaders {
    Triple,
    Kings,
    Pawns,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    length: u8,
    factor: u64,
    /// Pawns, which cannot stand on the first and the last rank.
    is_pawns: bool,
}

/// The order in which a table takes the pieces of its positions, and what each counts.
#[derive(Clone, Debug)]
pub(super) struct Arrangement {
    /// The pieces by the codes of files, equals side by side.
    pub codes: ArrayVec<u8, MOST_MEN>,
    leaders: Leaders,
    /// The leading group is the first.
    groups: ArrayVec<Group, MOST_MEN>,
    /// How many positions there are.
    pub size: u64,
}

/// What the header of a table says of one arrangement.
#[derive(Clone, Debug)]
pub(super) struct Said {
    /// The pieces.
    pub codes: ArrayVec<u8, MOST_MEN>,
    /// The place of the leading group in the order of factors.
    pub order: u8,
    /// That of the other side's pawns, if there are any.
    pub order_of_pawns: Option<u8>,
    /// The leading pawn's file, 0 to 3.
    pub file: u8,
}

impl Arrangement {
    /// The arrangement that a header describes; `None` if these are not the pieces of the table or
    /// the order makes no sense.
    pub(super) fn new(said: &Said, material: &Material) -> Option<Arrangement> {
        if !material.is_made_of(&said.codes) {
            return None;
        }
        let pawns = material.pawns();
        let leaders = match (pawns[0] > 0, material.singles() >= 3) {
            (true, _) => Leaders::Pawns,
            (false, true) => Leaders::Triple,
            (false, false) => Leaders::Kings,
        };
        let groups = groups(&said.codes, leaders, pawns)?;
        let order = [said.order, said.order_of_pawns.unwrap_or(NEVER)];
        let mut arrangement = Arrangement {
            codes: said.codes.clone(),
            leaders,
            groups,
            size: 0,
        };
        arrangement.set_factors(order, said.file)?;
        Some(arrangement)
    }

    /// Gives each group its factor, and the table its size.
    fn set_factors(&mut self, [leading, pawns]: [u8; 2], file: u8) -> Option<()> {
        let has_other_pawns = self.groups.get(1).is_some_and(|group| group.is_pawns);
        if has_other_pawns != (pawns != NEVER) || leading == pawns {
            return None;
        }
        let fixed = 1 + usize::from(has_other_pawns);
        let taken: u8 = self.groups[..fixed].iter().map(|group| group.length).sum();
        let mut free = 64 - u64::from(taken);
        let mut next = fixed;
        let mut size = 1u64;
        let places = self.groups.len() as u8;
        for place in 0..places {
            let index = match place {
                place if place == leading => 0,
                place if place == pawns => 1,
                _ => {
                    next += 1;
                    next - 1
                }
            };
            let lead_count = self.leading_positions(file);
            let lead_length = u64::from(self.groups.first()?.length);
            let group = self.groups.get_mut(index)?;
            let length = u64::from(group.length);
            group.factor = size;
            let positions = match index {
                0 => lead_count,
                1 if has_other_pawns => choose(48 - lead_length, length),
                _ => {
                    let positions = choose(free, length);
                    free -= length;
                    positions
                }
            };
            size = size.checked_mul(positions)?;
        }
        self.size = size;
        let all_are_placed = leading < places && (pawns < places || pawns == NEVER);
        all_are_placed.then_some(())
    }

    fn leading_positions(&self, file: u8) -> u64 {
        match self.leaders {
            Leaders::Triple => TRIPLES,
            Leaders::Kings => KING_PAIRS,
            Leaders::Pawns => pawn_sets(self.groups[0].length, file, 6),
        }
    }

    /// The number of the position with these squares, in the order of the codes; with pawns, the
    /// leading one of them first. `None` for what no table has.
    pub(super) fn number(&self, squares: &mut Squares) -> Option<u64> {
        if squares.len() != self.codes.len() {
            return None;
        }
        if squares[0] & 4 != 0 {
            for sq in squares.iter_mut() {
                *sq ^= 7;
            }
        }
        let leading = match self.leaders {
            Leaders::Pawns => self.pawn_number(squares),
            Leaders::Triple => {
                reflect(squares, 3);
                triple_number(squares)
            }
            Leaders::Kings => {
                reflect(squares, 2);
                king_pair(squares[0], squares[1])?
            }
        };
        let mut number = leading * self.groups[0].factor;
        let mut start = usize::from(self.groups[0].length);
        for group in &self.groups[1..] {
            let end = start + usize::from(group.length);
            squares[start..end].sort_unstable();
            let mut within = 0;
            for at in start..end {
                let sq = squares[at];
                let before = squares[..start].iter().filter(|other| **other < sq).count() as u64;
                let offset = if group.is_pawns { 8 } else { 0 };
                let free = u64::from(sq).checked_sub(before + offset)?;
                within += choose(free, (at - start) as u64 + 1);
            }
            number += within * group.factor;
            start = end;
        }
        (number < self.size).then_some(number)
    }

    /// The number of the leading pawns, the leader first.
    fn pawn_number(&self, squares: &mut Squares) -> u64 {
        let count = usize::from(self.groups[0].length);
        let leader = squares[0];
        squares[1..count].sort_unstable_by_key(|sq| std::cmp::Reverse(other_pawn(*sq)));
        let mut number = pawn_sets(count as u8, leader & 7, (leader >> 3) - 1);
        for (at, sq) in squares[1..count].iter().enumerate() {
            let length = (count - 1 - at) as u64;
            number += choose(u64::from(other_pawn(*sq)), length);
        }
        number
    }
}

/// Brings the pawn that leads to the front: the one on the outermost file, the rearmost of them.
/// Returns its file, 0 to 3.
pub(super) fn lead_pawns(pawns: &mut [u8]) -> u8 {
    let numbers = pawns.iter().enumerate();
    let leader = numbers.min_by_key(|(_, sq)| leading_pawn(**sq));
    let leader = leader.map_or(0, |(at, _)| at);
    pawns.swap(0, leader);
    leading_pawn(pawns[0]) / 6
}

/// The groups of equals behind the leaders, checked for what leaders must be.
fn groups(codes: &[u8], leaders: Leaders, pawns: [u8; 2]) -> Option<ArrayVec<Group, MOST_MEN>> {
    let group = |length, is_pawns| Group {
        length,
        factor: 0,
        is_pawns,
    };
    let mut groups = ArrayVec::new();
    let lead = match leaders {
        Leaders::Triple => 3,
        Leaders::Kings => 2,
        Leaders::Pawns => pawns[0],
    };
    groups.push(group(lead, leaders == Leaders::Pawns));
    let (head, mut rest) = codes.split_at_checked(usize::from(lead))?;
    let is_pawn = |code: &u8| code & 7 == 1;
    let head_is_right = match leaders {
        Leaders::Pawns => head.iter().all(|code| is_pawn(code) && *code == head[0]),
        Leaders::Kings => KINGS.iter().all(|king| head.contains(king)),
        Leaders::Triple => head
            .iter()
            .all(|code| codes.iter().filter(|c| *c == code).count() == 1),
    };
    if !head_is_right {
        return None;
    }
    while let Some(first) = rest.first() {
        let length = rest.iter().take_while(|code| *code == first).count();
        let is_pawns = is_pawn(first);
        // The other side's pawns follow the leading ones at once.
        if is_pawns && (groups.len() != 1 || length != usize::from(pawns[1])) {
            return None;
        }
        groups.push(group(length as u8, is_pawns));
        rest = &rest[length..];
    }
    Some(groups)
}

/// Reflects the squares so that the first one is in the triangle a1-d1-d4 (it is on the files a to
/// d already), and the first of the leading ones that is off the diagonal is below it.
fn reflect(squares: &mut Squares, leading: usize) {
    if squares[0] & 0x20 != 0 {
        for sq in squares.iter_mut() {
            *sq ^= 0x38;
        }
    }
    let first_off = squares[..leading].iter().find(|sq| off_diagonal(**sq) != 0);
    if first_off.is_some_and(|sq| off_diagonal(*sq) > 0) {
        for sq in squares.iter_mut() {
            *sq = flipped(*sq);
        }
    }
}

/// The number of three pieces: the first in the triangle, the others anywhere; where the first is
/// on the diagonal the second below it or on it, and so on.
fn triple_number(squares: &Squares) -> u64 {
    let [a, b, c] = [squares[0], squares[1], squares[2]];
    let second = u64::from(b) - u64::from(b > a);
    let third = u64::from(c) - u64::from(c > a) - u64::from(c > b);
    let along = |sq: u8| u64::from(sq & 7);
    let (a_off, b_off, c_off) = (off_diagonal(a), off_diagonal(b), off_diagonal(c));
    let lower = |sq: u8| u64::from(LOWER[usize::from(sq)]);
    if a_off != 0 {
        return (u64::from(TRIANGLE[usize::from(a)]) * 63 + second) * 62 + third;
    }
    let base = 6 * 63 * 62;
    if b_off != 0 {
        return base + (along(a) * 28 + lower(b)) * 62 + third;
    }
    let base = base + 4 * 28 * 62;
    let second_along = along(b) - u64::from(b > a);
    if c_off != 0 {
        return base + (along(a) * 7 + second_along) * 28 + lower(c);
    }
    let base = base + 4 * 7 * 28;
    let third_along = along(c) - u64::from(c > a) - u64::from(c > b);
    base + (along(a) * 7 + second_along) * 6 + third_along
}
