//! Chinese notation out: 炮二平五, as printed in Chinese books and by the xqbase programs.
//!
//! Red's numbers are Chinese numerals, Black's full-width digits. Pawns that share a file are 前
//! and 后, or 前 中 后; from four on, or where two files hold several, they are counted 一 to 五,
//! with Chinese numerals for either side, since these mean an order and no file.

use crate::game::Side;
use crate::xiangqi::relative::{Name, Place, Relative, Way};
use crate::xiangqi::{Board, Move, PieceKind};

/// 1 to 9 as Red writes them.
const NUMERALS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
/// 1 to 9 as Black writes them.
const DIGITS: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];

impl Board {
    /// Writes a legal move of this position in Chinese notation, simplified characters.
    pub fn write_chinese(&self, m: Move) -> String {
        Relative::of(self, m).map_or_else(String::new, |relative| write(&relative))
    }
}

fn write(said: &Relative) -> String {
    let piece = piece(said.side, said.kind);
    let mut text = String::new();
    match said.name {
        Name::File(file) => text.extend([piece, number(said.side, file)]),
        Name::Tandem { place, .. } => text.extend([word(place), piece]),
        Name::Crowd { number, .. } => text.extend([ordinal(number), piece]),
    }
    text.push(match said.way {
        Way::Forward => '进',
        Way::Backward => '退',
        Way::Sideways => '平',
    });
    text.push(number(said.side, said.number));
    text
}

/// The word for a place on the only file that several share.
fn word(place: Place) -> char {
    match place.of {
        0..=3 if place.is_front() => '前',
        0..=3 if place.is_rear() => '后',
        0..=3 => '中',
        _ => ordinal(place.index + 1),
    }
}

fn ordinal(n: u8) -> char {
    pick(&NUMERALS, n)
}

fn number(side: Side, n: u8) -> char {
    match side {
        Side::First => pick(&NUMERALS, n),
        Side::Second => pick(&DIGITS, n),
    }
}

/// The character for a number from 1 to 9.
fn pick(characters: &[char; 9], n: u8) -> char {
    debug_assert!((1..=9).contains(&n));
    characters[usize::from(n.clamp(1, 9) - 1)]
}

fn piece(side: Side, kind: PieceKind) -> char {
    let names = match side {
        Side::First => ['帅', '仕', '相', '马', '车', '炮', '兵'],
        Side::Second => ['将', '士', '象', '马', '车', '炮', '卒'],
    };
    names[kind as usize]
}
