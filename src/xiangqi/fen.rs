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
    let quiet = fields
        .next()
        .and_then(|field| field.parse().ok())
        .unwrap_or(0);
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
