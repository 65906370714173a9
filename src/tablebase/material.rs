//! The pieces of an endgame, as the name of its tables says them.

use crate::chess::{PieceKind, State};
use crate::game::Side;

/// The most pieces a table can have.
pub(super) const MOST_MEN: usize = 7;

/// How many pieces of each kind each side has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Material {
    /// By side and kind.
    counts: [[u8; 6]; 2],
}

/// Kinds in the order in which names have them.
const NAMED: [PieceKind; 6] = [
    PieceKind::King,
    PieceKind::Queen,
    PieceKind::Rook,
    PieceKind::Bishop,
    PieceKind::Knight,
    PieceKind::Pawn,
];

impl Material {
    /// Of a position.
    pub(super) fn of(state: &State) -> Material {
        let count = |side| PieceKind::ALL.map(|kind| state.pieces(side, kind).len() as u8);
        Material {
            counts: Side::ALL.map(count),
        }
    }

    /// Of a name such as `KRPvKB`: one king a side, kinds in falling order, 3 to 7 men in all.
    pub(super) fn of_name(name: &str) -> Option<Material> {
        let (first, second) = name.split_once('v')?;
        let material = Material {
            counts: [side_of_name(first)?, side_of_name(second)?],
        };
        (3..=MOST_MEN).contains(&material.men()).then_some(material)
    }

    pub(super) fn count(&self, side: Side, kind: PieceKind) -> u8 {
        self.counts[side.index()][kind.index()]
    }

    /// All pieces.
    pub(super) fn men(&self) -> usize {
        self.counts.iter().flatten().map(|n| usize::from(*n)).sum()
    }

    /// The same with colours exchanged.
    pub(super) fn swapped(&self) -> Material {
        let [first, second] = self.counts;
        Material {
            counts: [second, first],
        }
    }

    /// Have both sides the same?
    pub(super) fn is_symmetric(&self) -> bool {
        self.counts[0] == self.counts[1]
    }

    /// Pawns of the side whose pawns come first in tables, and of the other: the side with fewer,
    /// White where both have as many.
    pub(super) fn pawns(&self) -> [u8; 2] {
        let [first, second] = Side::ALL.map(|side| self.count(side, PieceKind::Pawn));
        match second > 0 && (first == 0 || second < first) {
            true => [second, first],
            false => [first, second],
        }
    }

    /// How many pieces there are only one of.
    pub(super) fn singles(&self) -> usize {
        self.counts.iter().flatten().filter(|n| **n == 1).count()
    }

    /// Are these the pieces, in any order, by the codes of table files?
    pub(super) fn is_made_of(&self, codes: &[u8]) -> bool {
        let mut counts = [[0; 6]; 2];
        for code in codes {
            let Some((side, kind)) = piece_of_code(*code) else {
                return false;
            };
            counts[side.index()][kind.index()] += 1;
        }
        counts == self.counts
    }
}

fn side_of_name(name: &str) -> Option<[u8; 6]> {
    let mut counts = [0; 6];
    let mut last = 0;
    for letter in name.chars() {
        let place = NAMED.iter().position(|kind| kind.letter() == letter)?;
        if place < last {
            return None;
        }
        last = place;
        counts[NAMED[place].index()] += 1;
    }
    (counts[PieceKind::King.index()] == 1).then_some(counts)
}

/// Codes in files: pawn 1, knight 2, ... king 6, and 8 more for Black's.
pub(super) fn piece_of_code(code: u8) -> Option<(Side, PieceKind)> {
    let side = match code & 8 {
        0 => Side::First,
        _ => Side::Second,
    };
    let kind = usize::from((code & 7).checked_sub(1)?);
    Some((side, *PieceKind::ALL.get(kind)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_strictly() {
        let material = Material::of_name("KRPvKB").unwrap();
        assert_eq!(material.men(), 5);
        assert_eq!(material.pawns(), [1, 0]);
        assert_eq!(material.singles(), 5);
        assert!(!material.is_symmetric());
        assert_eq!(material.swapped(), Material::of_name("KBvKRP").unwrap());
        for bad in [
            "",
            "K",
            "KvK",
            "KPRvK",
            "KRvKK",
            "RvK",
            "KQRBNPPvKP",
            "kqvk",
            "KQvKv",
            "KQ",
            "KXvK",
        ] {
            assert_eq!(Material::of_name(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_side_with_fewer_pawns_leads() {
        let pawns = |name| Material::of_name(name).unwrap().pawns();
        assert_eq!(pawns("KPPvKP"), [1, 2]);
        assert_eq!(pawns("KPvKPP"), [1, 2]);
        assert_eq!(pawns("KPvKP"), [1, 1]);
        assert_eq!(pawns("KQvKP"), [1, 0]);
    }

    #[test]
    fn codes_name_pieces() {
        assert_eq!(piece_of_code(0xE), Some((Side::Second, PieceKind::King)));
        assert_eq!(piece_of_code(1), Some((Side::First, PieceKind::Pawn)));
        for bad in [0, 7, 8, 15] {
            assert_eq!(piece_of_code(bad), None);
        }
        assert!(Material::of_name("KQvK").unwrap().is_made_of(&[0xE, 6, 5]));
        assert!(!Material::of_name("KQvK").unwrap().is_made_of(&[0xE, 6, 4]));
    }
}
