//! The XQBase book (`BOOK.DAT`) for xiangqi, as ElephantEye and XiangQi Wizard read it.
//!
//! Entries of 8 bytes, little-endian: lock, move, weight. A position is looked up as it stands,
//! then mirrored left to right; books keep one of the two.

use once_cell::sync::Lazy;

use crate::book::table::{Entry, Format, Table, meant_moves};
use crate::game::{Book, BookMove, BookRefused, Position, Side};
use crate::xiangqi::{Board, Move, Piece, Square};

/// Squares of the format's own mailbox.
const CELLS: usize = 256;
/// Files, and the first and the last one together, as files are mirrored.
const MIRROR: i8 = 8;

/// The constants whose combination is a lock: four bytes each of a stream by RC4.
struct Locks {
    black_to_move: u32,
    pieces: [[u32; CELLS]; Piece::COUNT],
}

static LOCKS: Lazy<Box<Locks>> = Lazy::new(|| {
    let mut stream = Stream::new(&[0; 4]);
    let mut locks = Box::new(Locks {
        black_to_move: stream.lock(),
        pieces: [[0; CELLS]; Piece::COUNT],
    });
    for squares in &mut locks.pieces {
        squares.fill_with(|| stream.lock());
    }
    locks
});

/// The stream of RC4.
struct Stream {
    state: [u8; 256],
    i: u8,
    j: u8,
}

impl Stream {
    fn new(key: &[u8]) -> Stream {
        let mut state = [0; 256];
        for (i, cell) in state.iter_mut().enumerate() {
            *cell = i as u8;
        }
        let mut j = 0u8;
        for i in 0..256 {
            j = j.wrapping_add(state[i]).wrapping_add(key[i % key.len()]);
            state.swap(i, usize::from(j));
        }
        Stream { state, i: 0, j: 0 }
    }

    fn byte(&mut self) -> u8 {
        self.i = self.i.wrapping_add(1);
        let (a, i) = (self.state[usize::from(self.i)], usize::from(self.i));
        self.j = self.j.wrapping_add(a);
        let b = self.state[usize::from(self.j)];
        self.state.swap(i, usize::from(self.j));
        self.state[usize::from(a.wrapping_add(b))]
    }

    fn number(&mut self) -> u32 {
        u32::from_le_bytes([self.byte(), self.byte(), self.byte(), self.byte()])
    }

    /// Of the three numbers drawn for each entry the third.
    fn lock(&mut self) -> u32 {
        self.number();
        self.number();
        self.number()
    }
}

/// A square in the format's mailbox: rank 9 is row 3, file a is column 3.
fn cell(sq: Square) -> u8 {
    16 * (12 - sq.rank()) + sq.file() + 3
}

/// The square of a cell, if it is on the board.
fn square(cell: u8) -> Option<Square> {
    let (row, column) = (cell >> 4, cell & 15);
    Square::at(column.checked_sub(3)?, 12u8.checked_sub(row)?)
}

fn mirrored(sq: Square) -> Square {
    sq.step(MIRROR - 2 * sq.file() as i8)
}

/// A move, or its mirror image, as entries have it.
fn raw(m: Move, is_mirrored: bool) -> u16 {
    let cell = |sq| cell(if is_mirrored { mirrored(sq) } else { sq });
    u16::from_le_bytes([cell(m.from()), cell(m.to())])
}

/// The lock of a position as it stands, and that of its mirror image.
pub fn xqbase_lock(board: &Board) -> (u32, u32) {
    let turn = match board.side_to_move() {
        Side::First => 0,
        Side::Second => LOCKS.black_to_move,
    };
    let men = board.placement().men();
    men.fold((turn, turn), |(direct, mirror), (man, sq)| {
        let squares = &LOCKS.pieces[usize::from(man.piece().index())];
        let lock = |sq| squares[usize::from(cell(sq))];
        (direct ^ lock(sq), mirror ^ lock(mirrored(sq)))
    })
}

/// An XQBase book.
pub struct XqbaseBook(Table<Board>);

impl Book<Board> for XqbaseBook {
    fn moves(&self, board: &Board) -> Vec<BookMove<Move>> {
        let (direct, mirror) = xqbase_lock(board);
        let mut entries = self.0.find(u64::from(direct));
        let is_mirrored = entries.is_empty();
        if is_mirrored {
            entries = self.0.find(u64::from(mirror));
        }
        let legal = |entry: &Entry| {
            let [from, to] = entry.raw.to_le_bytes();
            let (from, to) = (square(from)?, square(to)?);
            let m = match is_mirrored {
                true => Move::new(mirrored(from), mirrored(to)),
                false => Move::new(from, to),
            };
            (board.is_pseudo_legal(m) && board.is_legal(m)).then_some(m)
        };
        meant_moves(&entries, legal)
    }

    fn entries(&self) -> usize {
        self.0.len()
    }
}

impl Format for Board {
    const FORMAT: &'static str = "XQBase book";
    const ENTRY_BYTES: usize = 8;

    fn open(file: Vec<u8>) -> Result<Box<dyn Book<Board>>, BookRefused> {
        Ok(Box::new(XqbaseBook(Table::new(file)?)))
    }

    fn read_entry(bytes: &[u8]) -> Entry {
        let number = |bytes: &[u8]| {
            let bytes = bytes.iter().rev();
            bytes.fold(0, |n: u64, byte| n << 8 | u64::from(*byte))
        };
        Entry {
            key: number(&bytes[..4]),
            raw: number(&bytes[4..6]) as u16,
            weight: number(&bytes[6..8]) as u16,
        }
    }

    fn write_entry(entry: &Entry, file: &mut Vec<u8>) {
        // Locks have 32 bits.
        file.extend((entry.key as u32).to_le_bytes());
        file.extend(entry.raw.to_le_bytes());
        file.extend(entry.weight.to_le_bytes());
    }

    /// Of a position and its mirror image the one with the smaller lock is kept.
    fn filed(&self, m: Move) -> Vec<(u64, u16)> {
        let (direct, mirror) = xqbase_lock(self);
        let as_it_stands = (u64::from(direct), raw(m, false));
        let as_mirrored = (u64::from(mirror), raw(m, true));
        match direct.cmp(&mirror) {
            std::cmp::Ordering::Less => vec![as_it_stands],
            std::cmp::Ordering::Greater => vec![as_mirrored],
            std::cmp::Ordering::Equal if as_it_stands == as_mirrored => vec![as_it_stands],
            std::cmp::Ordering::Equal => vec![as_it_stands, as_mirrored],
        }
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

    #[test]
    fn locks_are_those_that_other_programs_compute() {
        assert_eq!(xqbase_lock(&Board::start()).0, 0x0526_56d5);
        assert_eq!(xqbase_lock(&after("b2e2")).0, 0x5396_644f);
        assert_eq!(xqbase_lock(&after("h2e2")).1, 0x5396_644f);
        assert_eq!(xqbase_lock(&after("h2e2 b9c7")).0, 0x4901_3568);
        let kings = Board::from_fen("9/4k4/9/9/9/9/9/9/4K4/9 w");
        // The kings face each other there, which no position of a game may.
        assert!(kings.is_err());
        let start = xqbase_lock(&Board::start());
        assert_eq!(start.0, start.1, "the array is its own mirror image");
    }

    #[test]
    fn cells_and_squares_agree() {
        for sq in Square::all() {
            assert_eq!(square(cell(sq)), Some(sq));
            assert_eq!(mirrored(mirrored(sq)), sq);
        }
        let on_board = (0..=255).filter(|cell| square(*cell).is_some());
        assert_eq!(on_board.count(), Square::COUNT);
    }

    #[test]
    fn a_mirrored_entry_gives_the_move_as_it_stands() {
        let direct = after("b2e2");
        let m = direct.parse_move("b9c7", TextStyle::default()).unwrap();
        let mut file = Vec::new();
        let entry = Entry {
            key: u64::from(xqbase_lock(&direct).0),
            raw: raw(m, false),
            weight: 5,
        };
        Board::write_entry(&entry, &mut file);
        let book = Board::open(file).unwrap();
        for (moves, reply) in [("b2e2", "b9c7"), ("h2e2", "h9g7")] {
            let board = after(moves);
            let found = book.moves(&board);
            assert_eq!(found.len(), 1);
            assert_eq!(board.write_move(found[0].m, TextStyle::default()), reply);
        }
        assert!(book.moves(&after("c3c4")).is_empty());
    }

    #[test]
    fn a_position_and_its_mirror_image_are_filed_as_one() {
        let filed = |moves, m| {
            let board = after(moves);
            let m = board.parse_move(m, TextStyle::default()).unwrap();
            board.filed(m)
        };
        assert_eq!(filed("b2e2", "b9c7"), filed("h2e2", "h9g7"));
        assert_eq!(filed("", "b2e2").len(), 2);
        assert_eq!(filed("", "e3e4").len(), 1);
    }
}
