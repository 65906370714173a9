//! Standard algebraic notation, `Nbxd7+`: as the PGN standard (S. J. Edwards, 1994) has it out,
//! a little more tolerantly in.

use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::castling::Wing;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::PieceKind;
use crate::chess::square::{File, Rank, Square};
use crate::game::{MoveTextError, Position};

impl Board {
    /// Writes a legal move, with `+` for check and `#` for mate.
    pub fn write_san(&self, m: Move) -> String {
        let mut text = self.san_without_check(m);
        let mut after = self.clone();
        after.make(m, &mut ());
        if after.in_check() {
            text.push(if after.count_moves() == 0 { '#' } else { '+' });
        }
        text
    }

    fn san_without_check(&self, m: Move) -> String {
        if m.kind() == Some(MoveKind::Castling) {
            return match Wing::of(m.from(), m.to()) {
                Wing::King => "O-O".to_owned(),
                Wing::Queen => "O-O-O".to_owned(),
            };
        }
        let captures =
            m.kind() == Some(MoveKind::EnPassant) || self.state().piece_on(m.to()).is_some();
        let mut text = match self.state().piece_on(m.from()).map(|piece| piece.kind()) {
            Some(PieceKind::Pawn) | None if captures => m.from().file().letter().to_string(),
            Some(PieceKind::Pawn) | None => String::new(),
            Some(kind) => format!("{}{}", kind.letter(), self.origin_needed(kind, m)),
        };
        if captures {
            text.push('x');
        }
        text += &m.to().to_string();
        if let Some(kind) = m.promotion() {
            text.push('=');
            text.push(kind.letter());
        }
        text
    }

    /// What tells this move from those of the same kind of piece to the same square: the file if
    /// that suffices, else the rank, else both.
    fn origin_needed(&self, kind: PieceKind, m: Move) -> String {
        let from = m.from();
        let rivals: Bitboard = self
            .legal_moves()
            .into_iter()
            .filter(|other| other.to() == m.to() && other.kind() != Some(MoveKind::Castling))
            .map(Move::from)
            .filter(|&sq| sq != from && self.state().kind(kind).contains(sq))
            .collect();
        if rivals.is_empty() {
            String::new()
        } else if !rivals.meets(Bitboard::file(from.file())) {
            from.file().letter().to_string()
        } else if !rivals.meets(Bitboard::rank(from.rank())) {
            from.rank().digit().to_string()
        } else {
            from.to_string()
        }
    }

    /// Reads a move that is legal here. Marks of check, mate and comment may be there or not, `=`
    /// before a promotion and `x` too; castling may be written with noughts; more of the origin
    /// may be given than is needed.
    ///
    /// # Errors
    /// A text that is no move, or a move that is not legal or not the only one meant.
    pub fn parse_san(&self, text: &str) -> Result<Move, MoveTextError> {
        let pattern = Pattern::parse(text).ok_or(MoveTextError::Malformed)?;
        let mut meant = self
            .legal_moves()
            .into_iter()
            .filter(|&m| pattern.fits(self, m));
        match (meant.next(), meant.next()) {
            (Some(m), None) => Ok(m),
            _ => Err(MoveTextError::Illegal),
        }
    }
}

/// What a text says of the move it means.
enum Pattern {
    Castling(Wing),
    Other {
        kind: PieceKind,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
        promotion: Option<PieceKind>,
    },
}

impl Pattern {
    fn parse(text: &str) -> Option<Pattern> {
        let text = text.trim_end_matches(['+', '#', '!', '?']);
        match text {
            "O-O" | "0-0" | "o-o" => return Some(Pattern::Castling(Wing::King)),
            "O-O-O" | "0-0-0" | "o-o-o" => return Some(Pattern::Castling(Wing::Queen)),
            _ => {}
        }
        let mut letters: Vec<char> = text
            .chars()
            .filter(|c| !matches!(c, 'x' | '=' | '-'))
            .collect();
        let promotion = match letters.last()? {
            letter @ ('N' | 'B' | 'R' | 'Q') => PieceKind::from_letter(*letter),
            _ => None,
        };
        if promotion.is_some() {
            letters.pop();
        }
        // A lower-case b is a file.
        let kind = letters.first().filter(|letter| letter.is_ascii_uppercase());
        let kind = match kind {
            Some(&letter) => {
                letters.remove(0);
                PieceKind::from_letter(letter)?
            }
            None => PieceKind::Pawn,
        };
        let to = Square::at(
            File::from_letter(*letters.get(letters.len().checked_sub(2)?)?)?,
            Rank::from_digit(*letters.last()?)?,
        );
        letters.truncate(letters.len() - 2);
        let (file, rank) = match letters[..] {
            [] => (None, None),
            [only] => match File::from_letter(only) {
                Some(file) => (Some(file), None),
                None => (None, Some(Rank::from_digit(only)?)),
            },
            [file, rank] => (
                Some(File::from_letter(file)?),
                Some(Rank::from_digit(rank)?),
            ),
            _ => return None,
        };
        Some(Pattern::Other {
            kind,
            file,
            rank,
            to,
            promotion,
        })
    }

    fn fits(&self, board: &Board, m: Move) -> bool {
        let castles = m.kind() == Some(MoveKind::Castling);
        match *self {
            Pattern::Castling(wing) => castles && Wing::of(m.from(), m.to()) == wing,
            Pattern::Other {
                kind,
                file,
                rank,
                to,
                promotion,
            } => {
                !castles
                    && m.to() == to
                    && m.promotion() == promotion
                    && board.state().kind(kind).contains(m.from())
                    && file.is_none_or(|file| m.from().file() == file)
                    && rank.is_none_or(|rank| m.from().rank() == rank)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Notation, TextStyle};

    #[test]
    fn moves_are_written_as_the_standard_says() {
        let cases = [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "g1f3",
                "Nf3",
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "e2e4",
                "e4",
            ),
            ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"),
            ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3", "dxe3"),
            ("3nk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q+"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O"),
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "O-O-O"),
            ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8", "Ra8#"),
            // Two knights of different files; of one file; three of which two tell nothing.
            ("4k3/8/8/8/8/8/8/N1N1K3 w - - 0 1", "a1b3", "Nab3"),
            ("4k3/8/8/N7/8/8/8/N3K3 w - - 0 1", "a1b3", "N1b3"),
            ("4k3/8/8/N7/8/8/8/N1N1K3 w - - 0 1", "a1b3", "Na1b3"),
            // The other knight is pinned and needs no telling apart.
            ("4k3/8/8/8/4r3/8/4N3/N3K3 w - - 0 1", "a1c2", "Nc2"),
            ("4k3/8/8/8/4r3/8/4N3/1N2K3 w - - 0 1", "b1c3", "Nc3"),
        ];
        for (fen, coordinates, san) in cases {
            let board = Board::from_fen(fen).unwrap();
            let m = board.parse_move(coordinates, TextStyle::default()).unwrap();
            assert_eq!(board.write_san(m), san, "{fen}");
            assert_eq!(board.parse_san(san), Ok(m), "{fen}");
        }
    }

    #[test]
    fn reading_is_tolerant_but_not_vague() {
        let fen = "r3k2b/1P6/8/8/8/8/8/N1N1K2R w K - 0 1";
        let board = Board::from_fen(fen).unwrap();
        let read = |text| {
            let m = board.parse_san(text)?;
            Ok(board.write_move(m, TextStyle::default()))
        };
        for (text, expected) in [
            ("0-0", "e1g1"),
            ("O-O!?", "e1g1"),
            ("Na1-b3", "a1b3"),
            ("Nab3+?", "a1b3"),
            ("b8Q", "b7b8q"),
            ("b7xa8=N", "b7a8n"),
            ("Kd1", "e1d1"),
        ] {
            assert_eq!(read(text), Ok(expected.to_owned()), "{text}");
        }
        for text in ["Nb3", "O-O-O", "Bc4", "b8", "Ke1", "b8=K"] {
            let error = read(text).unwrap_err();
            assert!(
                matches!(error, MoveTextError::Illegal | MoveTextError::Malformed),
                "{text}"
            );
        }
        for text in [
            "", "x", "+", "N", "Nb", "Nb9", "Xb3", "Naaab3", "é", "Né3", "=Q", "3", "Q",
        ] {
            assert_eq!(read(text), Err(MoveTextError::Malformed), "{text}");
        }
    }
}
