//! Move generation of chess, beside another library in the same run.
//!
//! `cargo bench --bench generate`. Both sides count the last ply of perft in bulk.
#![allow(missing_docs, clippy::expect_used)]

use std::hint::black_box;
use std::sync::atomic::AtomicBool;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use twofold::chess::{Board, kernel_name};
use twofold::game::{MoveList, Notation, Position, Wanted};
use twofold::perft::{Options, perft};

/// An opening, a rich middlegame, a middlegame of checks and pins, an endgame, and Chess960.
const POSITIONS: [(&str, &str, u32); 5] = [
    (
        "start",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
        4,
    ),
    (
        "rich",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w HAha - 0 1",
        4,
    ),
    (
        "checks",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w ha - 0 1",
        4,
    ),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5),
    (
        "960",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        4,
    ),
];

fn cozy_perft(board: &cozy_chess::Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|set| {
        if depth == 1 {
            nodes += set.len() as u64;
        } else {
            for m in set {
                let mut child = board.clone();
                child.play_unchecked(m);
                nodes += cozy_perft(&child, depth - 1);
            }
        }
        false
    });
    nodes
}

fn compare_perft(c: &mut Criterion) {
    let go = AtomicBool::new(false);
    for (name, fen, depth) in POSITIONS {
        let board = Board::from_fen(fen).expect(fen);
        let other = cozy_chess::Board::from_fen(fen, true).expect(fen);
        let count = |depth| perft(&board, depth, &Options::default(), &go).expect("not aborted");
        let nodes = count(depth);
        assert_eq!(nodes, cozy_perft(&other, depth), "{name}");
        let mut group = c.benchmark_group(format!("perft/{name}"));
        group
            .sample_size(20)
            .throughput(Throughput::Elements(nodes));
        group.bench_function(format!("twofold-{}", kernel_name()), |b| {
            b.iter(|| count(black_box(depth)));
        });
        group.bench_function("cozy-chess", |b| {
            b.iter(|| cozy_perft(black_box(&other), black_box(depth)));
        });
        group.finish();
    }
}

fn generate(c: &mut Criterion) {
    for (name, fen, _) in POSITIONS {
        let board = Board::from_fen(fen).expect(fen);
        for wanted in [Wanted::All, Wanted::Noisy, Wanted::Quiet] {
            c.bench_function(&format!("generate/{name}/{wanted:?}"), |b| {
                b.iter(|| {
                    let mut moves = MoveList::new();
                    black_box(&board).generate(wanted, &mut moves);
                    moves.len()
                });
            });
        }
    }
}

fn make(c: &mut Criterion) {
    for (name, fen, _) in POSITIONS {
        let mut board = Board::from_fen(fen).expect(fen);
        let moves = board.legal_moves();
        let mut group = c.benchmark_group("make-and-unmake");
        group.throughput(Throughput::Elements(moves.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                for &m in &moves {
                    board.make(black_box(m), &mut ());
                    board.unmake();
                }
            });
        });
        group.finish();
    }
}

criterion_group!(benches, compare_perft, generate, make);
criterion_main!(benches);
