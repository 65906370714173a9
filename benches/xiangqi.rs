//! Speed of the xiangqi rules: perft, generation, make and unmake, and the board's layout against
//! the obvious alternative. `cargo bench --bench xiangqi`.

// Criterion's macros write undocumented items.
#![allow(missing_docs)]

#[path = "../tests/support/xiangqi.rs"]
mod support;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use support::{board, perft, read_epd};
use twofold::game::{MoveList, Notation, Position, Score, Wanted};
use twofold::xiangqi::{Board, Ids, Move, PieceKind, Placement, Square, generate};

fn positions() -> Vec<Board> {
    let epd = include_str!("../tests/data/perft-xiangqi.epd");
    read_epd(epd)
        .iter()
        .map(|position| board(position.fen))
        .collect()
}

fn bench_perft(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("xiangqi perft");
    group.throughput(Throughput::Elements(3_290_240));
    group.bench_function("start, depth 4", |bencher| {
        let mut start = Board::start();
        bencher.iter(|| assert_eq!(perft(&mut start, 4), 3_290_240));
    });
    group.finish();
}

fn bench_generate(criterion: &mut Criterion) {
    let boards = positions();
    let mut group = criterion.benchmark_group("xiangqi generate, per position");
    group.throughput(Throughput::Elements(boards.len() as u64));
    for (name, wanted) in [("all", Wanted::All), ("noisy", Wanted::Noisy)] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                for board in &boards {
                    let mut moves = MoveList::new();
                    board.generate(wanted, &mut moves);
                    black_box(&moves);
                }
            });
        });
    }
    group.bench_function("legal", |bencher| {
        bencher.iter(|| {
            boards
                .iter()
                .map(|board| board.legal_moves().len())
                .sum::<usize>()
        });
    });
    group.bench_function("count", |bencher| {
        bencher.iter(|| boards.iter().map(Board::count_moves).sum::<usize>());
    });
    group.finish();
}

fn bench_moves(criterion: &mut Criterion) {
    let mut boards = positions();
    let moves: Vec<_> = boards.iter().map(Board::legal_moves).collect();
    let total: usize = moves.iter().map(|moves| moves.len()).sum();
    let mut group = criterion.benchmark_group("xiangqi per move");
    group.throughput(Throughput::Elements(total as u64));
    group.bench_function("make and unmake", |bencher| {
        bencher.iter(|| {
            for (board, moves) in boards.iter_mut().zip(&moves) {
                for &m in moves {
                    board.make(m, &mut ());
                    black_box(board.key());
                    board.unmake();
                }
            }
        });
    });
    group.bench_function("exchange evaluation", |bencher| {
        bencher.iter(|| {
            for (board, moves) in boards.iter().zip(&moves) {
                for &m in moves {
                    black_box(board.see_at_least(m, Score(0)));
                }
            }
        });
    });
    group.finish();
}

/// Chariot and cannon moves without line tables: from square to square until a man or the
/// padding stops the walk.
fn scan_sliders(board: &Board, out: &mut MoveList<Move>) {
    let (placement, side) = (board.placement(), board.side_to_move());
    for id in placement.alive(side) & Ids::SLIDERS {
        let from = placement.square(side, id);
        let jumps = Ids::of(PieceKind::Cannon).contains(id);
        for step in [16, 1, -1, -16] {
            let mut to = from.step(step);
            while placement.cell(to).is_empty() {
                out.push(Move::new(from, to));
                to = to.step(step);
            }
            if jumps {
                to = beyond(placement, to, step);
            }
            if placement.cell(to).is_prey_of(side) {
                out.push(Move::new(from, to));
            }
        }
    }
}

/// The next cell beyond a screen that is not empty.
fn beyond(placement: &Placement, screen: Square, step: i8) -> Square {
    if placement.cell(screen).man().is_none() {
        return screen;
    }
    let mut to = screen.step(step);
    while placement.cell(to).is_empty() {
        to = to.step(step);
    }
    to
}

fn bench_layout(criterion: &mut Criterion) {
    let boards = positions();
    for board in &boards {
        let (mut scanned, mut looked_up) = (MoveList::new(), MoveList::new());
        scan_sliders(board, &mut scanned);
        look_up_sliders(board, Wanted::All, &mut looked_up);
        assert_eq!(scanned.len(), looked_up.len());
    }
    let mut group = criterion.benchmark_group("xiangqi sliders, per position");
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("line tables", |bencher| {
        bencher.iter(|| {
            for board in &boards {
                let mut moves = MoveList::new();
                look_up_sliders(board, Wanted::All, &mut moves);
                black_box(&moves);
            }
        });
    });
    group.bench_function("scans", |bencher| {
        bencher.iter(|| {
            for board in &boards {
                let mut moves = MoveList::new();
                scan_sliders(board, &mut moves);
                black_box(&moves);
            }
        });
    });
    group.bench_function("line tables, captures only", |bencher| {
        bencher.iter(|| {
            for board in &boards {
                let mut moves = MoveList::new();
                look_up_sliders(board, Wanted::Noisy, &mut moves);
                black_box(&moves);
            }
        });
    });
    group.bench_function("scans, captures only", |bencher| {
        bencher.iter(|| {
            for board in &boards {
                let mut moves = MoveList::new();
                scan_sliders(board, &mut moves);
                moves.retain(|m| board.is_noisy(*m));
                black_box(&moves);
            }
        });
    });
    group.bench_function("line tables, count", |bencher| {
        bencher.iter(|| {
            let count = |board: &Board| {
                generate::count_of(
                    board.placement(),
                    board.side_to_move(),
                    Ids::SLIDERS & board.placement().alive(board.side_to_move()),
                )
            };
            boards.iter().map(count).sum::<usize>()
        });
    });
    group.finish();
}

fn look_up_sliders(board: &Board, wanted: Wanted, out: &mut MoveList<Move>) {
    let (placement, side) = (board.placement(), board.side_to_move());
    let men = placement.alive(side) & Ids::SLIDERS;
    generate::moves_of(placement, side, men, wanted, out);
}

fn short() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .sample_size(20)
}

criterion_group! {
    name = benches;
    config = short();
    targets = bench_perft, bench_generate, bench_moves, bench_layout
}
criterion_main!(benches);
