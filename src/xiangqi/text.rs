//! Moves and squares in coordinates, and the board as a drawing.
//!
//! UCCI and all files of ours count ranks from 0 (`h2e2`), UCI clients from 1 (`h3e3`, `a10a9`).
//! Capitals and a hyphen, as in the older ICCS texts (`H2-E2`), are understood and never written.

use std::fmt::Write;

use crate::game::{FenError, MoveTextError, Notation, Position, RankBase, TextStyle};
use crate::xiangqi::square::{FILES, RANKS};
use crate::xiangqi::{Board, Move, Square, checks, fen};

impl Notation for Board {
    const START_FEN: &'static str = fen::START;

    fn from_fen(fen: &str) -> Result<Board, FenError> {
        fen::read(fen)
    }

    fn to_fen(&self, _style: TextStyle) -> String {
        fen::write(
            &self.placement,
            self.side,
            self.halfmove_clock(),
            self.move_number(),
        )
    }

    fn parse_move(&self, text: &str, style: TextStyle) -> Result<Move, MoveTextError> {
        let m = read_move(text, style.ranks).ok_or(MoveTextError::Malformed)?;
        if self.is_pseudo_legal(m) && self.is_legal(m) {
            Ok(m)
        } else {
            Err(MoveTextError::Illegal)
        }
    }

    fn write_move(&self, m: Move, style: TextStyle) -> String {
        write_square(m.from(), style.ranks) + &write_square(m.to(), style.ranks)
    }

    fn diagram(&self) -> String {
        let mut drawing = String::new();
        for rank in (0..RANKS).rev() {
            drawing.push(char::from(b'0' + rank));
            drawing.push(' ');
            for file in 0..FILES {
                let piece = self.placement.piece(Square::on(file, rank));
                drawing.push(' ');
                drawing.push(piece.map_or('.', |piece| piece.letter()));
            }
            drawing.push('\n');
        }
        drawing.push_str("   a b c d e f g h i\n");
        drawing
    }

    fn checkers_text(&self, style: TextStyle) -> Vec<String> {
        checks::checkers(&self.placement, self.side)
            .into_iter()
            .map(|sq| write_square(sq, style.ranks))
            .collect()
    }
}

/// What is added to a rank's number in text.
const fn offset(base: RankBase) -> u8 {
    match base {
        RankBase::Zero => 0,
        RankBase::One => 1,
    }
}

fn write_square(sq: Square, base: RankBase) -> String {
    let mut text = String::from(char::from(b'a' + sq.file()));
    // Writing to a string cannot fail.
    let _ = write!(text, "{}", sq.rank() + offset(base));
    text
}

fn read_move(text: &str, base: RankBase) -> Option<Move> {
    let (from, rest) = read_square(text.as_bytes(), base)?;
    let rest = rest.strip_prefix(b"-").unwrap_or(rest);
    let (to, rest) = read_square(rest, base)?;
    rest.is_empty().then(|| Move::new(from, to))
}

/// A square at the head of a text, and what follows it.
fn read_square(text: &[u8], base: RankBase) -> Option<(Square, &[u8])> {
    let (&file, rest) = text.split_first()?;
    let file = file.to_ascii_lowercase().checked_sub(b'a')?;
    let (number, rest) = match (base, rest) {
        (RankBase::One, [b'1', b'0', rest @ ..]) => (10, rest),
        (_, [digit @ b'0'..=b'9', rest @ ..]) => (digit - b'0', rest),
        _ => return None,
    };
    let rank = number.checked_sub(offset(base))?;
    Some((Square::at(file, rank)?, rest))
}
