//! Moves and squares in coordinates, and the board as a drawing.
//!
//! UCCI and all files of ours count ranks from 0 (`h2e2`), UCI clients from 1 (`h3e3`, `a10a9`).
//! Capitals and a hyphen, as in the older ICCS texts (`H2-E2`), are understood and never written;
//! so are the notations of players, 炮二平五 and `C2=5`.

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

    fn move_number(&self) -> u32 {
        Board::move_number(self)
    }

    fn parse_move(&self, text: &str, style: TextStyle) -> Result<Move, MoveTextError> {
        let Some(m) = read_move(text, style.ranks) else {
            return self.parse_relative(text);
        };
        if self.is_pseudo_legal(m) && self.is_legal(m) {
            Ok(m)
        } else {
            Err(MoveTextError::Illegal)
        }
    }

    fn write_move(&self, m: Move, style: TextStyle) -> String {
        write_square(m.from(), style.ranks) + &write_square(m.to(), style.ranks)
    }

    fn write_by_piece(&self, m: Move) -> String {
        self.write_wxf(m)
    }

    fn diagram(&self, style: TextStyle) -> String {
        let mut drawing = String::new();
        for rank in (0..RANKS).rev() {
            // Ten ranks from one on need two digits.
            drawing += &format!("{:<2}", rank + offset(style.ranks));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn style(ranks: RankBase) -> TextStyle {
        TextStyle {
            ranks,
            ..TextStyle::default()
        }
    }

    #[test]
    fn iccs_spellings_are_understood() {
        let start = Board::start();
        let zero = style(RankBase::Zero);
        let m = start.parse_move("h2e2", zero).unwrap();
        for text in ["H2-E2", "h2-e2", "H2E2"] {
            assert_eq!(start.parse_move(text, zero), Ok(m));
        }
        assert_eq!(start.write_move(m, zero), "h2e2");
    }

    #[test]
    fn ranks_may_count_from_one() {
        let start = Board::start();
        let one = style(RankBase::One);
        let m = start.parse_move("h3e3", one).unwrap();
        assert_eq!(start.write_move(m, style(RankBase::Zero)), "h2e2");
        let black =
            Board::from_fen("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b");
        let black = black.unwrap();
        for text in ["a10a9", "A10-A9"] {
            let m = black.parse_move(text, one).unwrap();
            assert_eq!(black.write_move(m, one), "a10a9");
            assert_eq!(black.write_move(m, style(RankBase::Zero)), "a9a8");
        }
    }

    #[test]
    fn every_legal_move_reads_back_in_both_styles() {
        let start = Board::start();
        for base in [RankBase::Zero, RankBase::One] {
            for m in start.legal_moves() {
                let text = start.write_move(m, style(base));
                assert_eq!(start.parse_move(&text, style(base)), Ok(m), "{text}");
            }
        }
    }

    #[test]
    fn what_is_no_move_and_what_is_not_legal_are_told_apart() {
        let start = Board::start();
        let zero = style(RankBase::Zero);
        let malformed = [
            "",
            "h",
            "h2",
            "h2e",
            "h2e2x",
            "h2e2q",
            "j2e2",
            "h2--e2",
            "h2 e2",
            "a10a9",
            "炮二平",
            "0000",
            "h2e\u{662}",
        ];
        for text in malformed {
            let error = start.parse_move(text, zero);
            assert_eq!(error, Err(MoveTextError::Malformed), "{text:?}");
        }
        for text in ["h2h2", "h2i4", "h9g7", "e4e5"] {
            assert_eq!(
                start.parse_move(text, zero),
                Err(MoveTextError::Illegal),
                "{text:?}"
            );
        }
        for text in ["h0e0", "h11e3", "a0a1"] {
            let error = start.parse_move(text, style(RankBase::One));
            assert_eq!(error, Err(MoveTextError::Malformed), "{text:?}");
        }
    }

    #[test]
    fn the_drawing_has_red_at_the_bottom() {
        let drawing = Board::start().diagram(style(RankBase::Zero));
        let lines: Vec<&str> = drawing.lines().collect();
        assert_eq!(lines.len(), 11);
        assert_eq!(lines[0], "9  r n b a k a b n r");
        assert_eq!(lines[9], "0  R N B A K A B N R");
        let drawing = Board::start().diagram(style(RankBase::One));
        let lines: Vec<&str> = drawing.lines().collect();
        assert_eq!(lines[0], "10 r n b a k a b n r");
        assert_eq!(lines[9], "1  R N B A K A B N R");
    }

    #[test]
    fn checkers_are_named_in_the_style_asked_for() {
        let board = Board::from_fen("4k4/9/3N5/9/4R4/9/9/9/9/3K5 b").unwrap();
        let mut squares = board.checkers_text(style(RankBase::Zero));
        squares.sort();
        assert_eq!(squares, ["d7", "e5"]);
        assert!(
            board
                .checkers_text(style(RankBase::One))
                .contains(&String::from("e6"))
        );
    }
}
