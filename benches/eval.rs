//! Evaluations per second by hand and by network, and accumulator updates and outputs per second
//! for each kernel.
//!
//! The bytes of an update: two looks, each reading the accumulator and two or three rows and
//! writing one row, of `2 H` bytes each: 8 rows of 512 bytes, or 4 KiB, for a quiet move with 256
//! neurons. At one 32-byte load a cycle that is 96 cycles of loads and 32 of stores.
#![allow(missing_docs, clippy::expect_used)]

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use twofold::eval::chess::{ChessEvaluator, ChessInputs};
use twofold::eval::nnue::{
    Inputs, Kernel, Network, Nnue, OUTPUTS, Output, RawWeights, Row, Update,
};
use twofold::eval::xiangqi::{XiangqiEvaluator, XiangqiInputs};
use twofold::game::{Evaluator, KeyStream, Notation, Position};
use twofold::games::{CHESS_HIDDEN, XIANGQI_HIDDEN};

const CHESS: &str = "r3r1k1/1pq2pp1/p1n1bn1p/3p4/3P4/P1NBPN2/1P2QPPP/R4RK1 w - - 2 16";
const XIANGQI: &str = "r1bakab1r/9/1cn1c1n2/p1p1p1p1p/9/2P6/P3P1P1P/1CN1C1N2/9/R1BAKABR1 w - - 6 6";

/// A network of small random weights: speed does not depend on what it has learnt.
fn network<I: Inputs, const H: usize>() -> Arc<Network<I, H>> {
    let mut stream = KeyStream::new(1);
    let mut row = || -> [i16; H] {
        std::array::from_fn(|_| {
            let (key, rest) = stream.next();
            stream = rest;
            (key.0 % 101) as i16 - 50
        })
    };
    let weights = RawWeights {
        rows: (0..I::ROWS).map(|_| row()).collect(),
        bias: row(),
        outputs: std::array::from_fn(|_| [row(), row()]),
        output_biases: [0; OUTPUTS],
    };
    let file = Network::<I, H>::write(&weights, 300, "random");
    Arc::new(Network::read(&file).expect("these weights are small"))
}

/// Every move of a position: enter, make, evaluate, take back.
fn each_move<P: Position, E: Evaluator<P>>(position: &mut P, evaluator: &mut E) -> i32 {
    let mut sum = 0;
    for m in position.legal_moves() {
        evaluator.enter();
        position.make(m, evaluator);
        sum += evaluator.evaluate(position).0;
        position.unmake();
        evaluator.leave();
    }
    sum
}

fn evaluations<I: Inputs, const H: usize>(
    c: &mut Criterion,
    fen: &str,
    mut by_hand: impl Evaluator<I::Position>,
) where
    I::Position: Notation,
{
    let mut position = I::Position::from_fen(fen).expect("the positions here are valid");
    let moves = position.count_moves() as u64;
    let mut group = c.benchmark_group(format!("evaluate after each move/{}", I::GAME));
    group.throughput(Throughput::Elements(moves));
    by_hand.reset(&position);
    group.bench_function("by hand", |b| {
        b.iter(|| each_move(&mut position, &mut by_hand));
    });
    let network = network::<I, H>();
    for kernel in Kernel::all() {
        let mut evaluator = Nnue::with_kernel(network.clone(), kernel);
        evaluator.reset(&position);
        group.bench_function(BenchmarkId::new("network", kernel.name()), |b| {
            b.iter(|| each_move(&mut position, &mut evaluator));
        });
    }
    group.finish();
}

fn kernels(c: &mut Criterion) {
    const H: usize = CHESS_HIDDEN;
    let network = network::<ChessInputs, H>();
    let rows = network.rows();
    let mut into = Row([0; H]);
    let weights = [rows[6], rows[7]];
    let mut group = c.benchmark_group(format!("one look of {H}"));
    group.throughput(Throughput::Elements(1));
    for kernel in Kernel::all() {
        group.bench_function(BenchmarkId::new("update", kernel.name()), |b| {
            b.iter(|| {
                kernel.run(Update {
                    into: black_box(&mut into),
                    from: black_box(&rows[0]),
                    adds: [black_box(&rows[1])],
                    subs: [black_box(&rows[2])],
                });
            });
        });
        group.bench_function(BenchmarkId::new("output of two", kernel.name()), |b| {
            b.iter(|| {
                kernel.run(Output {
                    looks: black_box([&rows[3], &rows[4]]),
                    weights: black_box(&weights),
                })
            });
        });
    }
    group.finish();
}

fn both(c: &mut Criterion) {
    evaluations::<ChessInputs, CHESS_HIDDEN>(c, CHESS, ChessEvaluator::new());
    evaluations::<XiangqiInputs, XIANGQI_HIDDEN>(c, XIANGQI, XiangqiEvaluator::new());
}

criterion_group!(benches, kernels, both);
criterion_main!(benches);
