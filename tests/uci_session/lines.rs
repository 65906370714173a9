//! What lines of analysis say: mates, bounds, and several lines at once.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use crate::process::field;
use crate::uci;

/// The moves of a line.
fn moves(line: &str) -> Vec<&str> {
    let (_, pv) = line.split_once(" pv ").unwrap();
    pv.split(' ').collect()
}

/// Is the line, of a side that is mated, a bound or as long as the mate takes?
fn is_honest(line: &str) -> bool {
    line.contains("upperbound")
        || field(line, "mate")
            .and_then(|mate| mate.strip_prefix('-')?.parse().ok())
            .is_none_or(|mate: usize| moves(line).len() == 2 * mate)
}

/// A mate that is known as a bound only comes without its line: then it is told as a bound.
#[test]
fn info_2_an_exact_mate_has_its_line() {
    let mut engine = uci();
    engine.send("setoption name MultiPV value 3");
    engine.send("position fen q2r3R/8/5p2/4k3/8/8/K5p1/7Q w - - 0 1");
    engine.send("go depth 12");
    let said = engine.answer();
    let scores = said.iter().filter(|line| line.contains(" score "));
    for line in scores {
        assert!(is_honest(line), "{line}");
    }
}

#[test]
fn go_5_the_last_line_is_no_bound_and_has_its_line() {
    let mut engine = uci();
    for nodes in (200..4000).step_by(200) {
        engine.send("ucinewgame");
        engine.send("position fen 8/8/8/2Q5/8/7R/4k3/2K5 b - - 0 1");
        engine.send(&format!("go nodes {nodes}"));
        let said = engine.answer();
        let [.., last, best] = &said[..] else {
            panic!("{said:?}");
        };
        assert!(is_honest(last) && !last.contains("bound"), "{last}");
        assert_eq!(field(best, "bestmove"), Some(moves(last)[0]), "{last}");
    }
}

#[test]
fn go_5_an_iteration_cut_short_leaves_no_move_in_two_lines() {
    let mut engine = uci();
    engine.send("setoption name MultiPV value 3");
    for nodes in (1_000..30_000).step_by(1_000) {
        engine.send("ucinewgame");
        engine.send(
            "position fen rnbqkb1r/ppppp2p/5p1n/6p1/3P4/1P2P3/P1PN1PPP/R1BQKBNR b KQkq - 0 4",
        );
        engine.send(&format!("go nodes {nodes}"));
        let said = engine.answer();
        let last = |rank: &str| {
            let of_rank = |line: &&String| field(line, "multipv") == Some(rank);
            moves(said.iter().rfind(of_rank).unwrap())[0]
        };
        let first_moves = HashSet::from(["1", "2", "3"].map(last));
        assert_eq!(first_moves.len(), 3, "{said:?}");
    }
}

#[test]
fn hundreds_of_threads_on_a_few_processors_answer_in_time() {
    let mut engine = uci();
    engine.send("setoption name Threads value 512");
    engine.sync();
    let asked = Instant::now();
    engine.send("go movetime 50");
    engine.answer();
    // With each thread waiting for its turn it took some seconds.
    let took = asked.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");
}
