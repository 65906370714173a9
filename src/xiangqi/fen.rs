//! FEN, both ways: `rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1`.
//!
//! Ranks from Black's back rank down, files a to i, capitals for Red. Clients differ in what
//! follows the placement, so everything there may be missing or odd; the placement itself must
//! be one that the rules allow.

use crate::game::{FenError, Side};
use crate::xiangqi::checks;
use crate::xiangqi::square::{FILES, RANKS};
use crate::xiangqi::{Board, Man, Piece, PieceKind, Placement, Square};

/// Where a game begins.
pub(super) const START: &str =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Points of Red's advisors, as file and rank; Black's are their mirror images.
const ADVISOR_POINTS: [(u8, u8); 5] = [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)];
/// Points of Red's elephants.
const BISHOP_POINTS: [(u8, u8); 7] = [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)];

/// A counter of plies: what is no number counts as none, too large a one as the largest.
fn read_counter(field: &str) -> u16 {
    match field.bytes().all(|byte| byte.is_ascii_digit()) {
        true => field.parse().unwrap_or(u16::MAX),
        false => 0,
    }
}

/// Reads a FEN.
pub(super) fn read(fen: &str) -> Result<Board, FenError> {
    let mut fields = fen.split_ascii_whitespace().peekable();
    let Some(text) = fields.next() else {
        return refuse("the FEN is empty");
    };
    let placement = read_placement(text)?;
    let side = match fields.next() {
        Some("b" | "B") => Side::Second,
        _ => Side::First,
    };
    // Castling and en passant of chess mean nothing here; some clients leave one or both out.
    for _ in 0..2 {
        fields.next_if(|field| field.parse::<u32>().is_err());
    }
    let quiet = fields.next().map_or(0, read_counter);
    let number = fields
        .next()
        .and_then(|field| field.parse().ok())
        .unwrap_or(1);
    check_kings(&placement, side)?;
    Ok(Board::begin(placement, side, quiet, u32::max(number, 1)))
}

/// Writes a FEN.
pub(super) fn write(placement: &Placement, side: Side, quiet: u16, number: u32) -> String {
    let ranks: Vec<String> = (0..RANKS)
        .rev()
        .map(|rank| write_rank(placement, rank))
        .collect();
    let side = match side {
        Side::First => 'w',
        Side::Second => 'b',
    };
    format!("{} {side} - - {quiet} {number}", ranks.join("/"))
}

fn refuse<T>(reason: impl Into<String>) -> Result<T, FenError> {
    Err(FenError(reason.into()))
}

fn read_placement(text: &str) -> Result<Placement, FenError> {
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != usize::from(RANKS) {
        return refuse(format!("{} ranks instead of 10", ranks.len()));
    }
    let mut placement = Placement::empty();
    for (rank, text) in (0..RANKS).rev().zip(ranks) {
        read_rank(&mut placement, rank, text)?;
    }
    Ok(placement)
}

fn read_rank(placement: &mut Placement, rank: u8, text: &str) -> Result<(), FenError> {
    let mut file = 0;
    for letter in text.chars() {
        if let Some(gap @ 1..=9) = letter.to_digit(10) {
            file += gap as u8;
        } else if let Some(piece) = Piece::from_letter(letter) {
            if let Some(sq) = Square::at(file, rank) {
                check_point(piece, sq)?;
                placement
                    .add(piece, sq)
                    .map_err(|error| FenError(error.to_string()))?;
            }
            file += 1;
        } else {
            return refuse(format!("unknown piece {letter:?} in rank {rank}"));
        }
        if file > FILES {
            return refuse(format!("rank {rank} has more than 9 files"));
        }
    }
    if file < FILES {
        return refuse(format!("rank {rank} has {file} files instead of 9"));
    }
    Ok(())
}

/// Can a piece ever come to stand here?
fn check_point(piece: Piece, sq: Square) -> Result<(), FenError> {
    let (file, rank) = match piece.side {
        Side::First => (sq.file(), sq.rank()),
        Side::Second => (FILES - 1 - sq.file(), RANKS - 1 - sq.rank()),
    };
    let possible = match piece.kind {
        PieceKind::King => (3..6).contains(&file) && rank < 3,
        PieceKind::Advisor => ADVISOR_POINTS.contains(&(file, rank)),
        PieceKind::Bishop => BISHOP_POINTS.contains(&(file, rank)),
        PieceKind::Pawn => rank >= 5 || rank >= 3 && file % 2 == 0,
        PieceKind::Knight | PieceKind::Rook | PieceKind::Cannon => true,
    };
    if possible {
        Ok(())
    } else {
        refuse(format!("a piece {} cannot stand on {sq}", piece.letter()))
    }
}

fn check_kings(placement: &Placement, side: Side) -> Result<(), FenError> {
    for (side, name) in [(Side::First, "red"), (Side::Second, "black")] {
        if placement.count(side, PieceKind::King) == 0 {
            return refuse(format!("there is no {name} king"));
        }
    }
    let facing = Piece {
        side,
        kind: PieceKind::King,
    };
    if checks::attacks(
        placement,
        facing,
        placement.king(side),
        placement.king(!side),
    ) {
        return refuse("the kings face each other");
    }
    if checks::exposure(placement, !side).in_check {
        return refuse("the side that is not on move is in check");
    }
    Ok(())
}

fn write_rank(placement: &Placement, rank: u8) -> String {
    let mut text = String::new();
    let mut gap = 0;
    for file in 0..FILES {
        match placement.cell(Square::on(file, rank)).man() {
            None => gap += 1,
            Some(man) => {
                push_gap(&mut text, &mut gap);
                text.push(Man::piece(man).letter());
            }
        }
    }
    push_gap(&mut text, &mut gap);
    text
}

fn push_gap(text: &mut String, gap: &mut u8) {
    if *gap > 0 {
        text.push(char::from(b'0' + *gap));
        *gap = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Notation, Position, TextStyle};

    fn refusal(fen: &str) -> String {
        match read(fen) {
            Ok(_) => panic!("{fen} was accepted"),
            Err(FenError(reason)) => reason,
        }
    }

    #[test]
    fn whatever_follows_the_placement_may_be_missing_or_odd() {
        let full = read(START).unwrap().to_fen(TextStyle::default());
        assert_eq!(full, START);
        let placement = START.split(' ').next().unwrap();
        for tail in [
            "",
            " w",
            " r",
            " R - -",
            " w -- 0 1",
            " w 0 1",
            " w - - x y",
            " w - - -3 0",
        ] {
            let board = read(&format!("{placement}{tail}")).unwrap();
            assert_eq!(board.to_fen(TextStyle::default()), START, "{tail:?}");
        }
        let board = read(&format!("  {placement} b - - 17 40 extra")).unwrap();
        assert_eq!(
            board.to_fen(TextStyle::default()),
            format!("{placement} b - - 17 40")
        );
        for black in ["b", "B"] {
            let board = read(&format!("{placement} {black}")).unwrap();
            assert_eq!(board.side_to_move(), Side::Second);
        }
    }

    #[test]
    fn elephants_and_horses_have_two_letters() {
        let fen = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1";
        assert_eq!(read(fen).unwrap().to_fen(TextStyle::default()), START);
    }

    #[test]
    fn the_move_number_rises_after_black() {
        let mut board = read("4k4/9/9/9/9/9/9/9/9/3K5 b - - 3 7").unwrap();
        for (text, tail) in [
            ("e9e8", "w - - 4 8"),
            ("d0d1", "b - - 5 8"),
            ("e8e9", "w - - 6 9"),
        ] {
            let m = board.parse_move(text, TextStyle::default()).unwrap();
            board.make(m, &mut ());
            assert!(board.to_fen(TextStyle::default()).ends_with(tail), "{text}");
        }
    }

    #[test]
    fn impossible_placements_are_refused_with_the_reason() {
        let cases = [
            ("", "the FEN is empty"),
            ("9/9/9", "3 ranks instead of 10"),
            ("4k4/9/9/9/9/9/9/9/9/9/4K4", "11 ranks instead of 10"),
            ("4k3/9/9/9/9/9/9/9/9/3K5", "rank 9 has 8 files instead of 9"),
            ("4k5/9/9/9/9/9/9/9/9/3K5", "rank 9 has more than 9 files"),
            ("4k4/9/9/9/9/9/9/9/91/3K5", "rank 1 has more than 9 files"),
            ("4k4/9/9/9/9/9/9/9/8R1/3K5", "rank 1 has more than 9 files"),
            ("4k4/9/9/9/9/9/9/9/8G/3K5", "unknown piece 'G' in rank 1"),
            ("4k4/9/9/9/9/9/9/9/08R/3K5", "unknown piece '0' in rank 1"),
            ("4k4/9/9/9/9/9/9/9/帅8/3K5", "unknown piece '帅' in rank 1"),
            ("9/9/9/9/9/9/9/9/9/3K5", "there is no black king"),
            ("4k4/9/9/9/9/9/9/9/9/9", "there is no red king"),
            ("4k4/9/9/9/9/9/9/9/9/3KK4", "too many pieces K"),
            ("4k4/9/9/9/9/9/9/9/9/RRRK5", "too many pieces R"),
            ("4k4/9/9/9/9/9/3K5/9/9/9", "a piece K cannot stand on d3"),
            ("4k4/9/9/9/9/9/9/9/3A5/3K5", "a piece A cannot stand on d1"),
            ("4k4/9/9/9/b8/9/9/9/9/3K5", "a piece b cannot stand on a5"),
            ("4k4/9/9/9/9/9/9/P8/9/3K5", "a piece P cannot stand on a2"),
            ("4k4/9/9/9/9/9/1P7/9/9/3K5", "a piece P cannot stand on b3"),
            ("4k4/9/9/1p7/9/9/9/9/9/3K5", "a piece p cannot stand on b6"),
            ("4k4/9/9/9/9/9/9/9/9/4K4", "the kings face each other"),
            (
                "4k4/9/9/9/4R4/9/9/9/9/3K5",
                "the side that is not on move is in check",
            ),
        ];
        for (fen, reason) in cases {
            assert_eq!(refusal(fen), reason, "{fen}");
        }
        // The same check is fine when the attacked side is on move.
        assert!(read("4k4/9/9/9/4R4/9/9/9/9/3K5 b").is_ok());
    }
}
