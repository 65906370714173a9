//! What the xiangqi tests share: perft, EPD lines and reproducible random games.

// Each test file uses its own part, and a helper may fail the test that called it.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use twofold::game::{Notation, Position};
use twofold::xiangqi::{Board, Move};

/// Leaf positions after `depth` plies, the last ply counted without playing it.
pub fn perft(board: &mut Board, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => board.count_moves() as u64,
        _ => {
            let mut nodes = 0;
            for m in board.legal_moves() {
                board.make(m, &mut ());
                nodes += perft(board, depth - 1);
                board.unmake();
            }
            nodes
        }
    }
}

/// The board of a FEN that must be good.
pub fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// A position with its known counts by depth.
pub struct Counted<'a> {
    pub fen: &'a str,
    pub counts: Vec<(u32, u64)>,
}

/// Reads `FEN ;D1 20 ;D2 400 ...` lines; `#` begins a comment line.
pub fn read_epd(text: &str) -> Vec<Counted<'_>> {
    text.lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|line| {
            let mut parts = line.split(';');
            let fen = parts.next().unwrap().trim();
            let counts = parts
                .map(|part| {
                    let (depth, nodes) = part.trim()[1..].split_once(' ').unwrap();
                    (depth.parse().unwrap(), nodes.trim().parse().unwrap())
                })
                .collect();
            Counted { fen, counts }
        })
        .collect()
}

/// A generator of random numbers with a fixed seed (xorshift64*, Vigna 2014).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        high as usize % bound
    }

    /// One of the legal moves, captures twice as likely as their number has it.
    pub fn pick(&mut self, board: &Board) -> Option<Move> {
        let moves = board.legal_moves();
        if moves.is_empty() {
            return None;
        }
        let first = moves[self.below(moves.len())];
        if board.is_noisy(first) {
            Some(first)
        } else {
            Some(moves[self.below(moves.len())])
        }
    }
}

/// A case of a repetition file: a game, and what the rules say at its end.
pub struct Case<'a> {
    pub id: &'a str,
    pub fen: &'a str,
    pub moves: Vec<&'a str>,
    /// Under the Asian rules, for the side to move: `win`, `loss`, `draw`, or `none`.
    pub expected: &'a str,
    source: &'a str,
}

impl<'a> Case<'a> {
    /// The verdict under another rule set, where the file gives one.
    pub fn under(&self, rule: &str) -> Option<&'a str> {
        let mut fields = self.source.split(';').map(str::trim);
        fields.find_map(|field| field.strip_prefix(rule)?.strip_prefix('='))
    }
}

/// Reads tab-separated rows of id, FEN, moves, verdict, rule and source, after a header line.
pub fn read_cases(text: &str) -> Vec<Case<'_>> {
    text.lines()
        .skip(1)
        .map(|row| {
            let [id, fen, moves, expected, _, source] = row.split('\t').collect::<Vec<_>>()[..]
            else {
                panic!("{row}");
            };
            Case {
                id,
                fen,
                moves: moves.split_whitespace().collect(),
                expected,
                source,
            }
        })
        .collect()
}
