//! Random games of xiangqi: every incremental value equals the value from scratch, every move
//! set equals that of the plain reference, and taking back restores every bit.

#[path = "support/xiangqi_reference.rs"]
mod reference;
#[path = "support/xiangqi.rs"]
mod support;

use std::collections::HashSet;
use std::num::NonZeroU16;

use reference::{PlainBoard, PlainMove};
use support::{Random, board};
use twofold::game::{MoveList, Notation, PackedMove, Position, TextStyle, Wanted};
use twofold::xiangqi::{Board, Move, Square, checks};

const MAX_PLIES: usize = 200;

fn plain(m: Move) -> PlainMove {
    let of = |sq: Square| (i32::from(sq.file()), i32::from(sq.rank()));
    let ((from_file, from_rank), (to_file, to_rank)) = (of(m.from()), of(m.to()));
    (from_file, from_rank, to_file, to_rank)
}

fn generated(board: &Board, wanted: Wanted) -> MoveList<Move> {
    let mut moves = MoveList::new();
    board.generate(wanted, &mut moves);
    moves
}

/// Plays random games from the start and shows every position to `visit`.
fn walk(games: u64, mut visit: impl FnMut(&mut Board, &mut Random)) {
    for seed in 0..games {
        let mut random = Random::new(seed + 1);
        let mut board = Board::start();
        for _ in 0..MAX_PLIES {
            visit(&mut board, &mut random);
            let Some(m) = random.pick(&board) else {
                break;
            };
            board.make(m, &mut ());
        }
    }
}

#[test]
fn legal_moves_equal_those_of_the_plain_reference() {
    let games = if cfg!(debug_assertions) { 60 } else { 2000 };
    for seed in 0..games {
        let mut random = Random::new(seed + 1);
        let mut board = Board::start();
        let mut judge = PlainBoard::from_fen(Board::START_FEN);
        for _ in 0..MAX_PLIES {
            let fen = board.to_fen(TextStyle::default());
            let moves = board.legal_moves();
            let mut ours: Vec<PlainMove> = moves.iter().map(|&m| plain(m)).collect();
            let mut theirs = judge.legal_moves();
            ours.sort_unstable();
            theirs.sort_unstable();
            assert_eq!(ours, theirs, "{fen}");
            assert_eq!(board.count_moves(), moves.len(), "{fen}");
            assert_eq!(board.in_check(), judge.is_check(), "{fen}");
            assert!(fen.starts_with(&(judge.fen_head() + " ")), "{fen}");
            let Some(m) = random.pick(&board) else {
                break;
            };
            board.make(m, &mut ());
            judge.play(plain(m));
        }
    }
}

#[test]
fn keys_lists_and_checks_equal_those_from_scratch() {
    let games = if cfg!(debug_assertions) { 10 } else { 200 };
    walk(games, |board, _| {
        let fen = board.to_fen(TextStyle::default());
        let fresh = support::board(&fen);
        assert!(board.placement().is_consistent(), "{fen}");
        assert_eq!(board.key(), fresh.key(), "{fen}");
        for which in 0..Board::STRUCTURES {
            assert_eq!(
                board.structure_key(which),
                fresh.structure_key(which),
                "{fen}"
            );
        }
        assert_eq!(fresh.to_fen(TextStyle::default()), fen);
        assert_eq!(board.in_check(), fresh.in_check(), "{fen}");
        let checkers = checks::checkers(board.placement(), board.side_to_move());
        assert_eq!(board.in_check(), !checkers.is_empty(), "{fen}");
    });
}

#[test]
fn a_man_keeps_his_number() {
    let games = if cfg!(debug_assertions) { 10 } else { 100 };
    walk(games, |board, random| {
        let Some(m) = random.pick(board) else {
            return;
        };
        let mut expected: Vec<_> = board.placement().men().collect();
        expected.retain(|&(_, sq)| sq != m.to());
        for (_, sq) in &mut expected {
            if *sq == m.from() {
                *sq = m.to();
            }
        }
        board.make(m, &mut ());
        assert_eq!(board.placement().men().collect::<Vec<_>>(), expected);
        board.unmake();
    });
}

#[test]
fn noisy_and_quiet_moves_are_all_moves() {
    let games = if cfg!(debug_assertions) { 10 } else { 200 };
    walk(games, |board, _| {
        let all: HashSet<Move> = generated(board, Wanted::All).into_iter().collect();
        let noisy = generated(board, Wanted::Noisy);
        let quiet = generated(board, Wanted::Quiet);
        assert!(noisy.iter().all(|&m| board.is_noisy(m)));
        assert!(quiet.iter().all(|&m| !board.is_noisy(m)));
        assert_eq!(noisy.len() + quiet.len(), all.len());
        assert!(noisy.iter().chain(&quiet).all(|m| all.contains(m)));
    });
}

#[test]
fn any_sixteen_bits_are_judged_as_the_generator_would() {
    let games = if cfg!(debug_assertions) { 1 } else { 10 };
    walk(games, |board, random| {
        if random.below(8) != 0 {
            return;
        }
        let all: HashSet<Move> = generated(board, Wanted::All).into_iter().collect();
        for bits in 1..=u16::MAX {
            let m = Move::from_bits(NonZeroU16::new(bits).unwrap());
            let fen = || board.to_fen(TextStyle::default());
            assert_eq!(
                board.is_pseudo_legal(m),
                all.contains(&m),
                "{m:?} in {}",
                fen()
            );
        }
    });
}

#[test]
fn the_quick_legality_test_agrees_with_looking_after_the_move() {
    let games = if cfg!(debug_assertions) { 10 } else { 200 };
    walk(games, |board, _| {
        let judge = PlainBoard::from_fen(&board.to_fen(TextStyle::default()));
        let legal: HashSet<PlainMove> = judge.legal_moves().into_iter().collect();
        for m in generated(board, Wanted::All) {
            let (side, placement) = (board.side_to_move(), board.placement());
            let safe = checks::is_safe_after(placement, side, m.from(), m.to());
            assert_eq!(
                safe,
                legal.contains(&plain(m)),
                "{m:?} in {}",
                judge.fen_head()
            );
            assert_eq!(board.is_legal(m), safe, "{m:?} in {}", judge.fen_head());
        }
    });
}

#[test]
fn taking_back_restores_everything() {
    let games = if cfg!(debug_assertions) { 4 } else { 40 };
    walk(games, |board, _| {
        let before = format!("{board:?}");
        for m in board.legal_moves() {
            board.make(m, &mut ());
            board.unmake();
        }
        if !board.in_check() {
            board.make_null();
            board.unmake_null();
        }
        assert_eq!(format!("{board:?}"), before);
    });
}

#[test]
fn the_step_and_the_gain_of_a_move_tell_what_make_does() {
    let games = if cfg!(debug_assertions) { 4 } else { 40 };
    walk(games, |board, random| {
        let Some(m) = random.pick(board) else {
            return;
        };
        let step = board.step(m);
        let mut events = Events::default();
        board.make(m, &mut events);
        let mut expected: Vec<_> = step.victim.map(|v| ('-', v, step.to)).into_iter().collect();
        expected.extend([('-', step.piece, step.from), ('+', step.piece, step.to)]);
        assert_eq!(events.0, expected);
        board.unmake();
        assert_eq!(board.gain(m).0 > 0, step.victim.is_some());
        assert!(usize::from(step.piece) < Board::PIECES && usize::from(step.to) < Board::SQUARES);
    });
}

#[derive(Default)]
struct Events(Vec<(char, u8, u8)>);

impl twofold::game::Observer for Events {
    fn put(&mut self, piece: u8, square: u8) {
        self.0.push(('+', piece, square));
    }
    fn lift(&mut self, piece: u8, square: u8) {
        self.0.push(('-', piece, square));
    }
}

#[test]
fn a_null_move_passes_the_turn_and_nothing_else() {
    let mut position = board(Board::START_FEN);
    let key = position.key();
    position.make_null();
    assert_ne!(position.key(), key);
    assert_eq!(position.halfmove_clock(), 0);
    assert_eq!(position.count_moves(), 44);
    position.make_null();
    assert_eq!(position.key(), key);
    position.unmake_null();
    position.unmake_null();
    assert_eq!(position.key(), key);
}
