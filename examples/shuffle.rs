//! Random games of xiangqi, biased to shuffling, as rows of a case file:
//! `cargo run --release --example shuffle -- COUNT SEED [cycles]`.
//!
//! Men go back where they came from, give check and attack more often than chance has it, so that
//! positions come again. A game ends with the third occurrence of a position, whatever the
//! judge thinks of it, or after some plies without. With `cycles`, only games whose repetition
//! is one loop of four plies played twice are kept. The verdict in the rows is ours, for another
//! program to be asked as well (`tests/clients/law_differential.py`).

use std::env;
use std::io::{self, Write};

use twofold::game::{Arbiter, MoveList, Notation, Outcome, Position, Rules, TextStyle};
use twofold::xiangqi::{Board, Move};

/// Plies after which a game that does not repeat is given up: one before the limit of plies
/// without a capture could end it.
const LONGEST: usize = 119;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        // xorshift64* (S. Vigna, 2016).
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        high as usize % bound.max(1)
    }

    fn one_of(&mut self, moves: &[Move]) -> Option<Move> {
        (!moves.is_empty()).then(|| moves[self.below(moves.len())])
    }
}

/// How much there is to capture after the move: a plain measure of aggression.
fn attacks_after(board: &mut Board, m: Move) -> usize {
    board.make(m, &mut ());
    let gives_check = board.in_check();
    let count = if gives_check {
        20
    } else {
        board.make_null();
        let moves = board.legal_moves();
        let count = moves.iter().filter(|&&m| board.is_noisy(m)).count();
        board.unmake_null();
        count
    };
    board.unmake();
    count
}

/// A position some random plies into a game, thinned out so that men meet.
fn opened(random: &mut Random) -> Board {
    loop {
        let mut board = Board::start();
        for _ in 0..random.below(110) {
            let moves = board.legal_moves();
            let captures: MoveList<Move> = moves
                .iter()
                .copied()
                .filter(|&m| board.is_noisy(m))
                .collect();
            let pool = if random.below(10) < 6 && !captures.is_empty() {
                &captures
            } else {
                &moves
            };
            let Some(m) = random.one_of(pool) else { break };
            board.make(m, &mut ());
        }
        let fields = board.to_fen(TextStyle::default());
        let fields: Vec<&str> = fields.split(' ').take(2).collect();
        if let Ok(fresh) = Board::from_fen(&format!("{} - - 0 1", fields.join(" ")))
            && fresh.ending().is_none()
        {
            return fresh;
        }
    }
}

fn choose(board: &mut Board, played: &[Move], random: &mut Random) -> Option<Move> {
    let legal = board.legal_moves();
    let quiet: Vec<Move> = legal
        .iter()
        .copied()
        .filter(|&m| !board.is_noisy(m))
        .collect();
    let back = played
        .len()
        .checked_sub(2)
        .map(|at| Move::new(played[at].to(), played[at].from()))
        .filter(|back| quiet.contains(back));
    match (random.below(100), back) {
        (0..=54, Some(back)) => Some(back),
        (0..=84, _) => {
            let some: Vec<Move> = (0..6).filter_map(|_| random.one_of(&quiet)).collect();
            some.into_iter().max_by_key(|&m| attacks_after(board, m))
        }
        (85..=87, _) => random.one_of(&legal),
        _ => random.one_of(&quiet),
    }
    .or_else(|| random.one_of(&legal))
}

/// A game up to the third occurrence of a position, or given up.
fn play(start: &Board, random: &mut Random) -> (Board, Vec<Move>) {
    let mut board = start.clone();
    let mut played = Vec::new();
    while played.len() < LONGEST && board.cycle(3).is_none() {
        let Some(m) = choose(&mut board, &played, random) else {
            break;
        };
        board.make(m, &mut ());
        if board.count_moves() == 0 {
            board.unmake();
            break;
        }
        played.push(m);
    }
    (board, played)
}

fn is_plain_cycle(played: &[Move]) -> bool {
    let len = played.len();
    len >= 8 && played[len - 8..len - 4] == played[len - 4..]
}

fn main() -> io::Result<()> {
    let words: Vec<String> = env::args().skip(1).collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
    let count = number(0).unwrap_or(100);
    let mut random = Random(number(1).unwrap_or(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let only_cycles = words.get(2).is_some_and(|word| word == "cycles");
    let mut out = io::BufWriter::new(io::stdout().lock());
    writeln!(out, "id\tfen\tmoves\texpected\trule\tsource")?;
    let mut written = 0;
    while written < count {
        let mut start = match written % 4 {
            0 if !only_cycles => Board::start(),
            _ => opened(&mut random),
        };
        start.set_rules(&Rules {
            no_capture_limit: None,
            ..Rules::default()
        });
        let (mut board, mut played) = play(&start, &mut random);
        if only_cycles {
            if !is_plain_cycle(&played) {
                continue;
            }
            // From the first occurrence on.
            for _ in 0..8 {
                board.unmake();
            }
            let fields = board.to_fen(TextStyle::default());
            let fields: Vec<&str> = fields.split(' ').take(2).collect();
            let Ok(fresh) = Board::from_fen(&format!("{} - - 0 1", fields.join(" "))) else {
                continue;
            };
            start = fresh;
            played.drain(..played.len() - 8);
            board = start.clone();
            for &m in &played {
                board.make(m, &mut ());
            }
        }
        let verdict = match board.ending().map(|ending| ending.outcome) {
            None => "none",
            Some(Outcome::Draw) => "draw",
            Some(Outcome::Win(side)) if side == board.side_to_move() => "win",
            Some(Outcome::Win(_)) => "loss",
        };
        let moves: Vec<String> = played
            .iter()
            .map(|&m| board.write_move(m, TextStyle::default()))
            .collect();
        let fen = start.to_fen(TextStyle::default());
        let moves = moves.join(" ");
        writeln!(
            out,
            "random{written}\t{fen}\t{moves}\t{verdict}\trandom\town"
        )?;
        written += 1;
    }
    Ok(())
}
