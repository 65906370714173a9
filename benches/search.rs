//! Nodes per second of the search, both games, one thread and two: so many nodes, all threads
//! together, from each of a few positions, with a cleared table.
#![allow(missing_docs, clippy::expect_used)]

use std::time::Instant;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use twofold::game::{Game, Notation};
use twofold::games::{Chess, Xiangqi};
use twofold::search::{Limits, Searcher, Signals};

const CHESS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3r1k1/1pq2pp1/p1n1bn1p/3p4/3P4/P1NBPN2/1P2QPPP/R4RK1 w - - 2 16",
    "8/5pk1/1p2p1p1/p1r4p/P3P2P/1P1R1PP1/5K2/8 w - - 3 38",
];
const XIANGQI: [&str; 3] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "r1bakab1r/9/1cn1c1n2/p1p1p1p1p/9/2P6/P3P1P1P/1CN1C1N2/9/R1BAKABR1 w - - 6 6",
    "3akab2/9/4b1n2/p3p3p/2p6/6R2/P3P3P/4C4/4A4/2BAK1B2 b - - 4 31",
];

/// Nodes searched from each position.
const NODES: u64 = 300_000;

fn search<G: Game>(searcher: &mut Searcher<G>, fens: &[&str]) {
    let limits = Limits {
        nodes: Some(NODES),
        ..Limits::default()
    };
    for fen in fens {
        let position = G::Position::from_fen(fen).expect("the positions here are valid");
        let signals = Signals::new(Instant::now(), false);
        searcher.clear();
        searcher.search(&position, &limits, &signals, &mut ());
    }
}

fn bench<G: Game>(c: &mut Criterion, fens: &[&str]) {
    let mut group = c.benchmark_group(format!("search/{}", G::ID));
    group.sample_size(10);
    group.throughput(Throughput::Elements(NODES * fens.len() as u64));
    for threads in [1, 2] {
        let mut searcher = Searcher::<G>::new(64, threads).expect("64 MiB can be had");
        group.bench_function(format!("{threads} threads"), |b| {
            b.iter(|| search(&mut searcher, fens));
        });
    }
    group.finish();
}

fn both(c: &mut Criterion) {
    bench::<Chess>(c, &CHESS);
    bench::<Xiangqi>(c, &XIANGQI);
}

criterion_group!(benches, both);
criterion_main!(benches);
