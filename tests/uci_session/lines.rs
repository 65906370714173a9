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

/// Is the line a bound, or of no mate, or as long as its mate takes?
fn is_honest(line: &str) -> bool {
    let mate = field(line, "mate").map(|mate| mate.parse::<i32>().unwrap());
    let plies = mate.map(|mate| if mate > 0 { 2 * mate - 1 } else { -2 * mate });
    line.contains("bound") || plies.is_none_or(|plies| moves(line).len() == plies as usize)
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
    // A mate that is proved without its line; moves that fail high for the first time.
    let lost = ("chess", "8/8/8/2Q5/8/7R/4k3/2K5 b - - 0 1");
    let won = ("chess", "7k/1K5P/8/3R3q/8/8/8/2q5 b - - 0 1");
    let xiangqi = ("xiangqi", "5k3/9/9/9/5P3/9/9/5K3/8C/9 w - - 0 1");
    let mut engine = uci();
    for ((game, fen), nodes) in [(lost, 1900..2100), (won, 1800..2000), (xiangqi, 400..600)] {
        engine.send(&format!("setoption name UCI_Variant value {game}"));
        for nodes in nodes.step_by(4) {
            engine.send("ucinewgame");
            engine.send(&format!("position fen {fen}"));
            engine.send(&format!("go nodes {nodes}"));
            let said = engine.answer();
            let [.., last, best] = &said[..] else {
                panic!("{said:?}");
            };
            assert!(is_honest(last) && !last.contains("bound"), "{last}");
            assert_eq!(field(best, "bestmove"), Some(moves(last)[0]), "{last}");
        }
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
        let of_rank = |rank: &str| {
            let is_rank = |line: &&String| field(line, "multipv") == Some(rank);
            said.iter().rfind(is_rank).unwrap()
        };
        let lines = ["1", "2", "3"].map(of_rank);
        let first_moves = HashSet::from(lines.map(|line| moves(line)[0]));
        assert_eq!(first_moves.len(), 3, "{said:?}");
        let scores = lines.map(|line| field(line, "cp").unwrap().parse::<i32>().unwrap());
        assert!(scores.is_sorted_by(|a, b| a >= b), "{said:?}");
        assert_eq!(
            lines.map(|line| field(line, "depth")),
            [field(lines[0], "depth"); 3]
        );
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
