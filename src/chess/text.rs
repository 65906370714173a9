//! Coordinate moves and what else clients see of a board as text.

use crate::chess::board::Board;
use crate::chess::castling::Castling;
use crate::chess::fen;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::{Piece, PieceKind};
use crate::chess::square::{File, Rank, Square};
use crate::game::{CastlingText, FenError, MoveTextError, Notation, Position, TextStyle};

/// A coordinate move as it stands there: `e7e8q`.
struct Coordinates {
    from: Square,
    to: Square,
    promotion: Option<PieceKind>,
}

impl Coordinates {
    fn parse(text: &str) -> Option<Coordinates> {
        let promotion = match text.len() {
            4 => None,
            5 => Some(PieceKind::from_letter(text.chars().last()?)?),
            _ => return None,
        };
        if matches!(promotion, Some(PieceKind::Pawn | PieceKind::King)) {
            return None;
        }
        Some(Coordinates {
            from: Square::parse(text.get(0..2)?)?,
            to: Square::parse(text.get(2..4)?)?,
            promotion,
        })
    }

    /// The castling that these squares spell, by the king's target or by the rook.
    fn as_castling(&self, m: Move, spelling: CastlingText) -> bool {
        m.kind() == Some(MoveKind::Castling)
            && m.from() == self.from
            && self.promotion.is_none()
            && match spelling {
                CastlingText::KingTarget => Castling::of(m.from(), m.to()).king_to == self.to,
                CastlingText::KingTakesRook => m.to() == self.to,
            }
    }

    fn as_other(&self, m: Move) -> bool {
        m.kind() != Some(MoveKind::Castling)
            && (m.from(), m.to(), m.promotion()) == (self.from, self.to, self.promotion)
    }
}

impl Notation for Board {
    const START_FEN: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn from_fen(fen: &str) -> Result<Board, FenError> {
        fen::parse(fen)
    }

    fn to_fen(&self, style: TextStyle) -> String {
        fen::write(self.state(), style.castling)
    }

    fn move_number(&self) -> u32 {
        self.state().fullmove_number().into()
    }

    /// Both spellings of castling are read. A king's step of one square is never read as castling
    /// by the king's target.
    fn parse_move(&self, text: &str, _style: TextStyle) -> Result<Move, MoveTextError> {
        let read = Coordinates::parse(text).ok_or(MoveTextError::Malformed)?;
        let moves = self.legal_moves();
        let find = |reading: &dyn Fn(Move) -> bool| moves.iter().copied().find(|&m| reading(m));
        // No two of these readings differ except the first from the last, where a king of
        // Chess960 stands beside its target.
        find(&|m| read.as_other(m))
            .or_else(|| find(&|m| read.as_castling(m, CastlingText::KingTakesRook)))
            .or_else(|| find(&|m| read.as_castling(m, CastlingText::KingTarget)))
            .ok_or(MoveTextError::Illegal)
    }

    /// Where the king would go one square or none, as it can only in Chess960, castling is
    /// written by the rook in either style.
    fn write_move(&self, m: Move, style: TextStyle) -> String {
        let (from, to) = (m.from(), m.to());
        if m.kind() == Some(MoveKind::Castling) {
            let target = Castling::of(from, to).king_to;
            let leaps = (target as u8).abs_diff(from as u8) > 1;
            if leaps && style.castling == CastlingText::KingTarget {
                return format!("{from}{target}");
            }
        }
        match m.promotion() {
            Some(kind) => format!("{from}{to}{}", kind.letter().to_ascii_lowercase()),
            None => format!("{from}{to}"),
        }
    }

    fn write_record(&self, m: Move) -> String {
        self.write_san(m)
    }

    fn parse_record(&self, text: &str) -> Result<Move, MoveTextError> {
        self.parse_san(text)
    }

    fn diagram(&self, _style: TextStyle) -> String {
        let rule = " +---+---+---+---+---+---+---+---+\n";
        let mut text = rule.to_owned();
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let piece = self.state().piece_on(Square::at(file, rank));
                text += &format!(" | {}", piece.map_or(' ', Piece::letter));
            }
            text += &format!(" | {}\n{rule}", rank.digit());
        }
        for file in File::ALL {
            text += &format!("   {}", file.letter());
        }
        text + "\n"
    }

    fn checkers_text(&self, _style: TextStyle) -> Vec<String> {
        let checkers = self.state().checkers().into_iter();
        checkers.map(|sq| sq.to_string()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_diagram_has_white_below() {
        let diagram = Board::start().diagram(TextStyle::default());
        let lines: Vec<&str> = diagram.lines().collect();
        assert_eq!(lines.len(), 18);
        assert_eq!(lines[1], " | r | n | b | q | k | b | n | r | 8");
        assert_eq!(lines[15], " | R | N | B | Q | K | B | N | R | 1");
        assert_eq!(lines[17], "   a   b   c   d   e   f   g   h");
    }
}
