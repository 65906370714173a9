//! The helpers outside the protocols: `d`, `eval`, `perft`, `help`, `compiler`.
//!
//! Scripts read some of their lines (`Fen: `, `Key: `, `Nodes searched: `), so these keep their
//! exact form.

use std::fmt::Write;

use crate::game::{Evaluator, Game, GameId, Notation, Position, Side, TextStyle};

/// What `help` says.
pub const HELP: &str = "\
Twofold plays chess (UCI) and xiangqi (UCI and UCCI). Besides the commands of the protocols:
  d                             show the position
  eval                          explain the static evaluation
  perft N, go perft N           count the positions N plies ahead, by first move
  bench [HASH] [THREADS] [DEPTH]  search fixed positions, count the nodes
  compiler                      what this binary was built by and for
  uci, ucci                     choose the protocol
  quit                          leave
From the command line: twofold --help";

/// What `compiler` says.
pub fn compiler() -> String {
    let mut features = Vec::new();
    #[cfg(target_arch = "x86_64")]
    {
        for (name, is_there) in [
            ("popcnt", is_x86_feature_detected!("popcnt")),
            ("bmi2", is_x86_feature_detected!("bmi2")),
            ("avx2", is_x86_feature_detected!("avx2")),
            ("avx512bw", is_x86_feature_detected!("avx512bw")),
        ] {
            if is_there {
                features.push(name);
            }
        }
    }
    let features = match features.is_empty() {
        true => "none that matter".to_owned(),
        false => features.join(" "),
    };
    format!(
        "Twofold {}\nCompiled by    : {}\nTarget         : {}\nProfile        : {}\n\
         Commit         : {}\nFeatures of CPU: {features}",
        env!("CARGO_PKG_VERSION"),
        env!("TWOFOLD_COMPILER"),
        env!("TWOFOLD_TARGET"),
        env!("TWOFOLD_PROFILE"),
        env!("TWOFOLD_COMMIT"),
    )
}

/// What `d` says.
pub fn show<P: Notation>(position: &P, style: TextStyle) -> String {
    format!(
        "\n{}\nFen: {}\nKey: {:?}\nCheckers: {}",
        position.diagram(),
        position.to_fen(style),
        position.key(),
        position.checkers_text(style).join(" ")
    )
    .trim_end_matches(' ')
    .to_owned()
}

/// What `eval` says.
pub fn evaluation<G: Game>(position: &G::Position, weights: &G::Weights) -> String {
    if position.in_check() {
        return "Final evaluation: none (in check)".to_owned();
    }
    let mut evaluator = G::evaluator(weights);
    evaluator.reset(position);
    let score = evaluator.evaluate(position);
    let first = match position.side_to_move() {
        Side::First => score,
        Side::Second => -score,
    };
    let side = match G::ID {
        GameId::Chess => "white",
        GameId::Xiangqi => "red",
    };
    format!(
        "{}\nFinal evaluation  {:+.2} ({side} side)",
        evaluator.explain(position).trim_end(),
        f64::from(first.0) / 100.0
    )
}

/// The report of a perft: a line a move, then the sum.
pub fn division<P: Notation>(
    position: &P,
    depth: u32,
    parts: &[(P::Move, u64)],
    style: TextStyle,
) -> String {
    let mut text = String::new();
    for (m, nodes) in parts {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "{}: {nodes}", position.write_move(*m, style));
    }
    let sum: u64 = match depth {
        0 => 1,
        _ => parts.iter().map(|(_, nodes)| nodes).sum(),
    };
    let _ = write!(text, "\nNodes searched: {sum}\n");
    text
}
