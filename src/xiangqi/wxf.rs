//! The letters of the World Xiangqi Federation out: `C2=5`, `H+-6`, `P3+1`.
//!
//! A sideways move is written with `=`, as most programs do, where the standard has a dot. One
//! case keeps the dot: the middle one of three pawns where another file holds several too. There
//! the standard's `33.4` means the middle pawn of file 3, while programs that write `33=4` mean
//! its third pawn.

use crate::xiangqi::relative::{Name, Place, Relative, Way};
use crate::xiangqi::{Board, Move, PieceKind};

impl Board {
    /// Writes a legal move of this position in the letters of the World Xiangqi Federation.
    pub fn write_wxf(&self, m: Move) -> String {
        Relative::of(self, m).map_or_else(String::new, |relative| write(&relative))
    }
}

fn write(said: &Relative) -> String {
    let (head, sideways) = head(said);
    let way = match said.way {
        Way::Forward => '+',
        Way::Backward => '-',
        Way::Sideways => sideways,
    };
    format!("{head}{way}{}", said.number)
}

/// The first two characters, and how a sideways move is written after them.
fn head(said: &Relative) -> (String, char) {
    let letter = letter(said.kind);
    match said.name {
        Name::File(file) => (format!("{letter}{file}"), '='),
        Name::Tandem { file, place } => (tandem(letter, file, place), '='),
        Name::Crowd { file, place, .. } if place.is_front() => (format!("{file}+"), '='),
        Name::Crowd { file, place, .. } if place.is_rear() => (format!("{file}-"), '='),
        Name::Crowd { file, .. } => (format!("{file}{file}"), '.'),
    }
}

/// Of four and five on a file the outermost have a sign in place of the letter.
pub(super) fn tandem(letter: char, file: u8, place: Place) -> String {
    let (from_front, from_rear) = (place.index, place.of - 1 - place.index);
    let outermost = u8::from(place.of > 3);
    match (from_front, from_rear) {
        (0, _) if outermost == 1 => "++".to_owned(),
        (_, 0) if outermost == 1 => "--".to_owned(),
        (front, _) if front == outermost => format!("{letter}+"),
        (_, rear) if rear == outermost => format!("{letter}-"),
        _ => format!("{letter}{file}"),
    }
}

pub(super) const fn letter(kind: PieceKind) -> char {
    match kind {
        PieceKind::Bishop => 'E',
        PieceKind::Knight => 'H',
        other => other.letter(),
    }
}
