//! Numbers of squares and pairs of squares, as the format counts them.
//!
//! By reflections the first piece of a table without pawns is brought into the triangle
//! a1-d1-d4, and the leading pawn of one with pawns onto the files a to d.

/// How many pairs of kings there are, the first in the triangle, up to reflection.
pub(super) const KING_PAIRS: u64 = 462;

/// The sign tells on which side of the diagonal a1-h8 a square lies: positive above.
pub(super) const fn off_diagonal(sq: u8) -> i8 {
    (sq >> 3) as i8 - (sq & 7) as i8
}

/// The square reflected at the diagonal a1-h8.
pub(super) const fn flipped(sq: u8) -> u8 {
    (sq >> 3) | (sq & 7) << 3
}

/// The number of a square below the diagonal, 0 to 27: along the ranks.
pub(super) const LOWER: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut next = 0;
    let mut sq = 0;
    while sq < 64 {
        if off_diagonal(sq) < 0 {
            numbers[sq as usize] = next;
            next += 1;
        }
        sq += 1;
    }
    numbers
};

/// The number of a square of the triangle a1-d1-d4: those below the diagonal first, 0 to 5, then
/// those on it, 6 to 9.
pub(super) const TRIANGLE: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut next = 0;
    let mut sq = 0;
    while sq < 32 {
        if off_diagonal(sq) < 0 && sq & 7 < 4 {
            numbers[sq as usize] = next;
            next += 1;
        }
        sq += 1;
    }
    let mut file = 0;
    while file < 4 {
        numbers[9 * file] = next;
        next += 1;
        file += 1;
    }
    numbers
};

/// What stands in [`KINGS`] where no position is.
const NO_PAIR: u16 = u16::MAX;

/// The number of a pair of kings, by the first one's number in the triangle and the second one's
/// square. Where the first is on the diagonal the second is not above it; pairs that are both on
/// the diagonal come last.
static KINGS: [[u16; 64]; 10] = {
    let mut numbers = [[NO_PAIR; 64]; 10];
    let mut next = 0;
    let mut both_on_diagonal = false;
    loop {
        let mut place = 0;
        while place < 10 {
            let first = triangle_square(place);
            let mut second = 0;
            while second < 64 {
                let on_diagonal = off_diagonal(first) == 0;
                let above = on_diagonal && off_diagonal(second) > 0;
                let both = on_diagonal && off_diagonal(second) == 0;
                if !are_adjacent(first, second) && !above && both == both_on_diagonal {
                    numbers[place as usize][second as usize] = next;
                    next += 1;
                }
                second += 1;
            }
            place += 1;
        }
        if both_on_diagonal {
            break;
        }
        both_on_diagonal = true;
    }
    assert!(next as u64 == KING_PAIRS);
    numbers
};

/// The square with this number in the triangle.
const fn triangle_square(number: u8) -> u8 {
    let mut sq = 0;
    while sq < 32 {
        let inside = off_diagonal(sq) <= 0 && sq & 7 < 4;
        if inside && TRIANGLE[sq as usize] == number {
            return sq;
        }
        sq += 1;
    }
    0
}

/// The same square counts too.
const fn are_adjacent(a: u8, b: u8) -> bool {
    (a >> 3).abs_diff(b >> 3) <= 1 && (a & 7).abs_diff(b & 7) <= 1
}

/// The number of a pair of kings, reflected as [`KINGS`] wants them.
pub(super) fn king_pair(first: u8, second: u8) -> Option<u64> {
    let number = KINGS[usize::from(TRIANGLE[usize::from(first)])][usize::from(second)];
    (number != NO_PAIR).then_some(u64::from(number))
}

/// The number of a leading pawn's square on the files a to d: along the files.
pub(super) const fn leading_pawn(sq: u8) -> u8 {
    let file = sq & 7;
    let file = if file < 4 { file } else { 7 - file };
    6 * file + (sq >> 3) - 1
}

/// The number of a square for the pawns beside the leading one, 0 to 47: a2 is the last, h2 comes
/// before it, then a3 and so on up the ranks, files from the rims inwards.
pub(super) const fn other_pawn(sq: u8) -> u8 {
    let (file, rank) = (sq & 7, sq >> 3);
    let from_rim = if file < 4 { file } else { 7 - file };
    let left = if file < 4 { 47 } else { 46 };
    left - 12 * from_rim - 2 * (rank - 1)
}

/// In how many ways `k` of `n` can be chosen.
pub(super) const fn choose(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    let mut ways = 1;
    let mut i = 0;
    while i < k {
        ways = ways * (n - i) / (i + 1);
        i += 1;
    }
    ways
}

/// How many sets of `pawns` leading pawns have their leader on this square or, of the same file,
/// on a rank before: `upto` ranks of the file, 0 to 6.
pub(super) fn pawn_sets(pawns: u8, file: u8, upto: u8) -> u64 {
    let with_leader = |rank: u8| {
        let leader = 8 * (rank + 1) + file;
        choose(u64::from(other_pawn(leader)), u64::from(pawns) - 1)
    };
    (0..upto).map(with_leader).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_format() {
        let (b1, c2, d3, a1, d4) = (1, 10, 19, 0, 27);
        assert_eq!(
            [b1, c2, d3, a1, d4].map(|sq: usize| TRIANGLE[sq]),
            [0, 3, 5, 6, 9]
        );
        assert_eq!(LOWER[1], 0);
        assert_eq!(LOWER[10], 7);
        assert_eq!(LOWER[55], 27);
        assert_eq!([8, 15, 16, 51, 52].map(other_pawn), [47, 46, 45, 1, 0]);
        assert_eq!([8, 15, 48, 11].map(leading_pawn), [0, 0, 5, 18]);
        assert_eq!(flipped(1), 8);
    }

    #[test]
    fn pairs_of_kings_are_numbered_without_gaps() {
        let mut numbers: Vec<u16> = KINGS.iter().flatten().copied().collect();
        numbers.retain(|n| *n != NO_PAIR);
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..462));
        // b1 and d1; a1 and h8, the last of the pairs on the diagonal that begin with a1.
        assert_eq!(king_pair(1, 3), Some(0));
        assert_eq!(king_pair(1, 1), None);
        assert!(king_pair(0, 63).unwrap() >= 441);
    }

    #[test]
    fn choices_are_counted() {
        assert_eq!(choose(64, 0), 1);
        assert_eq!(choose(47, 2), 1081);
        assert_eq!(choose(2, 3), 0);
        assert_eq!(pawn_sets(1, 0, 6), 6);
        assert_eq!(pawn_sets(2, 0, 1), 47);
    }
}
