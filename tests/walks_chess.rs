//! Random games of chess and Chess960: everything kept up to date move by move equals what a
//! fresh start gives, and the legal moves are those of another implementation.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // That is how tests fail.

mod support;

use std::num::NonZeroU16;

use support::Random;
use support::chess::{USUAL, shuffled_start};
use twofold::chess::{Board, Move, MoveKind, Piece};
use twofold::game::{
    CastlingText, MoveList, Notation, Observer, PackedMove, Position, TextStyle, Wanted,
};

/// Debug builds check the board from first principles after every move, which takes its time.
const GAMES: u64 = if cfg!(debug_assertions) { 20 } else { 1_000 };
const PLIES: usize = 160;

const CHESS960: TextStyle = TextStyle {
    castling: CastlingText::KingTakesRook,
    ranks: twofold::game::RankBase::Zero,
};

fn style(castling: CastlingText) -> TextStyle {
    TextStyle {
        castling,
        ..TextStyle::default()
    }
}

/// Plays random games and shows every position on the way, with its number in the game. Half of
/// the games start from Chess960 arrangements, the others from the usual positions in turn.
fn walk(games: u64, mut visit: impl FnMut(&mut Board, usize)) {
    for game in 0..games {
        let mut random = Random::new(game);
        let start = match game % 2 {
            0 => USUAL[game as usize / 2 % USUAL.len()].to_owned(),
            _ => shuffled_start(&mut random),
        };
        let mut board = Board::from_fen(&start).expect(&start);
        for ply in 0..PLIES {
            visit(&mut board, ply);
            let moves = board.legal_moves();
            // The other implementation takes no FEN with a higher clock.
            if moves.is_empty() || board.clock_left() == Some(0) {
                break;
            }
            board.make(moves[random.below(moves.len())], &mut ());
        }
    }
}

#[test]
fn a_fresh_start_from_the_fen_gives_the_same_state() {
    walk(GAMES, |board, _| {
        for castling in [CastlingText::KingTarget, CastlingText::KingTakesRook] {
            let fen = board.to_fen(style(castling));
            let fresh = Board::from_fen(&fen).expect(&fen);
            // Placement, keys, rights, en passant square, checkers, pins and clocks.
            assert_eq!(fresh.state(), board.state(), "{fen}");
            assert_eq!(fresh.to_fen(style(castling)), fen);
        }
    });
}

#[test]
fn unmake_restores_everything() {
    walk(GAMES / 4, |board, _| {
        let before = board.clone();
        let repetitions: Vec<_> = before.record().distances().collect();
        for m in before.legal_moves() {
            board.make(m, &mut ());
            assert_ne!(board.key(), before.key());
            board.unmake();
            assert_eq!(*board, before);
        }
        if !board.in_check() {
            board.make_null();
            assert_ne!(board.side_to_move(), before.side_to_move());
            assert_eq!(board.state().en_passant(), None);
            assert_eq!(board.record().distances().count(), 0);
            board.unmake_null();
            assert_eq!(*board, before);
        }
        let after: Vec<_> = board.record().distances().collect();
        assert_eq!(after, repetitions);
    });
}

#[test]
fn any_sixteen_bits_are_legal_if_generated() {
    let visits = if cfg!(debug_assertions) { 16 } else { 4 };
    walk(GAMES / 20, |board, ply| {
        if ply % visits != 0 {
            return;
        }
        let generated = board.legal_moves();
        let mut found = 0;
        for bits in 1..=u16::MAX {
            let m = Move::from_bits(NonZeroU16::new(bits).unwrap());
            if board.is_pseudo_legal(m) {
                found += 1;
                assert!(
                    generated.contains(&m),
                    "{m:?} on {}",
                    board.to_fen(CHESS960)
                );
            }
        }
        assert_eq!(found, generated.len(), "on {}", board.to_fen(CHESS960));
    });
}

#[test]
fn noisy_and_quiet_moves_are_all_moves() {
    walk(GAMES, |board, _| {
        let [all, noisy, quiet] = [Wanted::All, Wanted::Noisy, Wanted::Quiet].map(|wanted| {
            let mut moves = MoveList::new();
            board.generate(wanted, &mut moves);
            moves
        });
        assert_eq!(noisy.len() + quiet.len(), all.len());
        assert_eq!(board.count_moves(), all.len());
        for m in &all {
            assert_eq!(noisy.contains(m), !quiet.contains(m));
            assert_eq!(noisy.contains(m), board.is_noisy(*m));
            let step = board.step(*m);
            let changes_material = step.victim.is_some() || m.promotion().is_some();
            assert_eq!(board.is_noisy(*m), changes_material);
            assert_eq!(board.gain(*m).0 > 0, changes_material);
            let castles = m.kind() == Some(MoveKind::Castling);
            assert!(castles || step.to == m.to() as u8);
        }
    });
}

/// A board kept by listening.
#[derive(Clone, PartialEq, Debug)]
struct Listener([Option<u8>; 64]);

impl Listener {
    fn of(board: &Board) -> Listener {
        Listener(twofold::chess::Square::ALL.map(|sq| board.state().piece_on(sq).map(|p| p as u8)))
    }
}

impl Observer for Listener {
    fn put(&mut self, piece: u8, square: u8) {
        assert!(usize::from(piece) < Piece::COUNT);
        assert_eq!(self.0[usize::from(square)].replace(piece), None);
    }

    fn lift(&mut self, piece: u8, square: u8) {
        assert_eq!(self.0[usize::from(square)].take(), Some(piece));
    }
}

#[test]
fn observers_hear_of_every_change() {
    walk(GAMES / 10, |board, _| {
        let before = Listener::of(board);
        for m in board.legal_moves() {
            let mut listener = before.clone();
            board.make(m, &mut listener);
            assert_eq!(listener, Listener::of(board), "after {m:?}");
            board.unmake();
        }
    });
}

#[test]
fn move_texts_come_back() {
    walk(GAMES / 20, |board, _| {
        for m in board.legal_moves() {
            for castling in [CastlingText::KingTarget, CastlingText::KingTakesRook] {
                let text = board.write_move(m, style(castling));
                assert_eq!(board.parse_move(&text, style(castling)), Ok(m), "{text}");
            }
            let san = board.write_san(m);
            assert_eq!(board.parse_san(&san), Ok(m), "{san}");
        }
    });
}

/// Moves as numbers that both implementations agree on.
fn ours(board: &Board) -> Vec<(usize, usize, Option<char>)> {
    let letter = |m: Move| m.promotion().map(|kind| kind.letter().to_ascii_lowercase());
    let moves = board.legal_moves().into_iter();
    let mut moves: Vec<_> = moves
        .map(|m| (m.from().index(), m.to().index(), letter(m)))
        .collect();
    moves.sort_unstable();
    moves
}

fn theirs(board: &cozy_chess::Board) -> Vec<(usize, usize, Option<char>)> {
    let mut moves = Vec::new();
    board.generate_moves(|set| {
        moves.extend(set.into_iter().map(|m| {
            let letter = m.promotion.map(char::from);
            (m.from as usize, m.to as usize, letter)
        }));
        false
    });
    moves.sort_unstable();
    moves
}

/// `cozy-chess` writes castling by the rook, as our moves do.
#[test]
fn legal_moves_are_those_of_another_implementation() {
    let games = if cfg!(debug_assertions) { 20 } else { 2_000 };
    walk(games, |board, _| {
        let fen = board.to_fen(CHESS960);
        let other = cozy_chess::Board::from_fen(&fen, true).expect(&fen);
        assert_eq!(ours(board), theirs(&other), "{fen}");
        assert_eq!(board.in_check(), !other.checkers().is_empty(), "{fen}");
    });
}

#[test]
fn whole_games_follow_another_implementation() {
    let games = if cfg!(debug_assertions) { 20 } else { 2_000 };
    for game in 0..games {
        let mut random = Random::new(!game);
        let start = match game % 2 {
            0 => Board::START_FEN.to_owned(),
            _ => shuffled_start(&mut random),
        };
        let mut board = Board::from_fen(&start).expect(&start);
        let shredder = board.to_fen(CHESS960);
        let mut other = cozy_chess::Board::from_fen(&shredder, true).expect(&shredder);
        for _ in 0..PLIES {
            let moves = board.legal_moves();
            assert_eq!(ours(&board), theirs(&other), "{}", board.to_fen(CHESS960));
            if moves.is_empty() {
                break;
            }
            let m = moves[random.below(moves.len())];
            let text = board.write_move(m, CHESS960);
            other.play(text.parse().expect(&text));
            board.make(m, &mut ());
            assert_eq!(
                u32::from(board.halfmove_clock()),
                u32::from(other.halfmove_clock())
            );
        }
    }
}
