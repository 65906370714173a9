//! Prints what Syzygy tables say of the positions on standard input, one FEN a line: result
//! (-2 to 2), distance to zeroing, and the FEN; `none` where no table says.
//!
//! `cargo run --release --example probe_tables -- FOLDER < positions.txt`
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // A tool for tests.

use std::io::{self, BufRead, BufWriter, Write};

use twofold::chess::Board;
use twofold::game::{Notation, Tablebase};
use twofold::tablebase::Syzygy;

fn main() {
    let folder = std::env::args().nth(1).expect("a folder of tables");
    let (tables, refused) = Syzygy::open(&folder).expect("tables");
    for text in refused {
        eprintln!("{text}");
    }
    let mut output = BufWriter::new(io::stdout().lock());
    let shown = |n: Option<i32>| n.map_or("none".to_owned(), |n| n.to_string());
    for line in io::stdin().lock().lines() {
        let fen = line.expect("a line");
        let board = Board::from_fen(&fen).expect(&fen);
        let wdl = shown(tables.wdl(&board).map(|wdl| wdl.number()));
        let dtz = shown(tables.distance_to_zeroing(&board));
        writeln!(output, "{wdl} {dtz} {fen}").expect("an open output");
    }
}
