//! Polyglot books (`.bin`) for chess.
//!
//! Entries of 16 bytes, big-endian: key, move, weight, and four bytes of learning data, which are
//! ignored. Castling is kept as the king taking its rook, which is how moves are kept here too;
//! entries that name the king's target instead are understood.

use crate::book::polyglot_keys::NUMBERS;
use crate::book::table::{Entry, Format, Table, meant_moves};
use crate::chess::{Board, Move, MoveKind, PieceKind, Square, Wing};
use crate::game::{Book, BookMove, BookRefused, Position, Side};

/// Where the numbers of castling rights, en passant files and the turn begin.
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const TURN: usize = 780;

/// The key of a position. A pawn that just moved two squares counts if an enemy pawn stands beside
/// it, whether or not that may take it.
pub fn polyglot_key(board: &Board) -> u64 {
    let state = board.state();
    let mut key = 0;
    for sq in state.occupied() {
        if let Some(piece) = state.piece_on(sq) {
            let is_white = usize::from(piece.side() == Side::First);
            let kind = 2 * piece.kind().index() + is_white;
            key ^= NUMBERS[64 * kind + sq.index()];
        }
    }
    let rights = Side::ALL
        .into_iter()
        .flat_map(|side| Wing::ALL.map(|wing| (side, wing)));
    for (index, (side, wing)) in rights.enumerate() {
        if state.castling_rook(side, wing).is_some() {
            key ^= NUMBERS[CASTLING + index];
        }
    }
    if let Some(sq) = board
        .passed_square()
        .filter(|sq| board.has_pawn_to_take(*sq))
    {
        key ^= NUMBERS[EN_PASSANT + sq.file().index()];
    }
    if state.side_to_move() == Side::First {
        key ^= NUMBERS[TURN];
    }
    key
}

/// A move as entries have it: to, from, promotion, three bits a coordinate from the lowest up.
fn raw(from: Square, to: Square, promotion: Option<PieceKind>) -> u16 {
    // Knight 1, bishop 2, rook 3, queen 4.
    let promotion = promotion.map_or(0, |kind| kind as u16);
    to as u16 | (from as u16) << 6 | promotion << 12
}

/// The move as books should have it.
fn usual(m: Move) -> u16 {
    raw(m.from(), m.to(), m.promotion())
}

/// Castling by the king's target.
fn by_target(m: Move) -> Option<u16> {
    let is_castling = m.kind() == Some(MoveKind::Castling);
    is_castling.then(|| raw(m.from(), m.castled_king(), None))
}

/// A Polyglot book.
pub struct PolyglotBook(Table<Board>);

impl Book<Board> for PolyglotBook {
    fn moves(&self, board: &Board) -> Vec<BookMove<Move>> {
        let legal = board.legal_moves();
        let meant = |entry: &Entry| {
            let moves = || legal.iter().copied();
            moves()
                .find(|m| usual(*m) == entry.raw)
                .or_else(|| moves().find(|m| by_target(*m) == Some(entry.raw)))
        };
        let entries = self.0.find(polyglot_key(board));
        meant_moves(&entries, meant)
    }

    fn entries(&self) -> usize {
        self.0.len()
    }
}

impl Format for Board {
    const FORMAT: &'static str = "Polyglot book";
    const ENTRY_BYTES: usize = 16;

    fn open(file: Vec<u8>) -> Result<Box<dyn Book<Board>>, BookRefused> {
        Ok(Box::new(PolyglotBook(Table::new(file)?)))
    }

    fn read_entry(bytes: &[u8]) -> Entry {
        let number = |bytes: &[u8]| {
            bytes
                .iter()
                .fold(0, |n: u64, byte| n << 8 | u64::from(*byte))
        };
        Entry {
            key: number(&bytes[..8]),
            raw: number(&bytes[8..10]) as u16,
            weight: number(&bytes[10..12]) as u16,
        }
    }

    fn write_entry(entry: &Entry, file: &mut Vec<u8>) {
        file.extend(entry.key.to_be_bytes());
        file.extend(entry.raw.to_be_bytes());
        file.extend(entry.weight.to_be_bytes());
        file.extend([0; 4]);
    }

    fn filed(&self, m: Move) -> Vec<(u64, u16)> {
        vec![(polyglot_key(self), usual(m))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Notation, TextStyle};

    fn after(moves: &str) -> Board {
        let mut board = Board::start();
        for text in moves.split_whitespace() {
            let m = board.parse_move(text, TextStyle::default()).unwrap();
            board.make(m, &mut ());
        }
        board
    }

    /// The examples of the format's description.
    #[test]
    fn keys_are_those_of_the_description() {
        for (moves, key) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            let board = after(moves);
            assert_eq!(polyglot_key(&board), key, "{moves}");
            let fen = board.to_fen(TextStyle::default());
            assert_eq!(polyglot_key(&Board::from_fen(&fen).unwrap()), key, "{fen}");
        }
    }

    /// A pawn that stands beside the one that passed counts although it is pinned.
    #[test]
    fn a_capture_in_passing_need_not_be_legal_to_count() {
        let fen = "4r1k1/3p4/8/4P3/8/8/8/4K3 b - - 0 1";
        let mut board = Board::from_fen(fen).unwrap();
        let m = board.parse_move("d7d5", TextStyle::default()).unwrap();
        board.make(m, &mut ());
        assert_eq!(board.passed_square(), Some(Square::D6));
        let pinned = "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 2";
        let from_fen = Board::from_fen(pinned).unwrap();
        assert_eq!(polyglot_key(&board), polyglot_key(&from_fen));
        let without = Board::from_fen("4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 2").unwrap();
        assert_ne!(polyglot_key(&board), polyglot_key(&without));
        let pawn_elsewhere = after("e2e4 a7a5");
        assert_eq!(pawn_elsewhere.passed_square(), Some(Square::A6));
        assert!(!pawn_elsewhere.has_pawn_to_take(Square::A6));
    }

    fn book(entries: &[Entry]) -> Result<Box<dyn Book<Board>>, BookRefused> {
        let mut file = Vec::new();
        for entry in entries {
            Board::write_entry(entry, &mut file);
        }
        Board::open(file)
    }

    #[test]
    fn castling_is_understood_in_both_spellings() {
        let board = Board::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let key = polyglot_key(&board);
        let entry = |from, to, weight| Entry {
            key,
            raw: raw(from, to, None),
            weight,
        };
        let entries = [
            entry(Square::E1, Square::H1, 3),
            entry(Square::E1, Square::C1, 7),
            entry(Square::E1, Square::E8, 9),
        ];
        let found = book(&entries).unwrap().moves(&board);
        let texts: Vec<_> = found
            .iter()
            .map(|entry| (board.write_san(entry.m), entry.weight))
            .collect();
        assert_eq!(texts, [("O-O-O".to_owned(), 7), ("O-O".to_owned(), 3)]);
    }

    #[test]
    fn damaged_books_are_refused() {
        let entry = |key| Entry {
            key,
            raw: 1,
            weight: 1,
        };
        assert!(book(&[entry(1), entry(1), entry(2)]).is_ok());
        let error = book(&[entry(2), entry(1)]).err().unwrap();
        assert!(error.0.contains("entry 2 is out of order"), "{error}");
        assert!(Board::open(Vec::new()).is_err());
        assert!(Board::open(vec![0; 17]).is_err());
    }
}
