//! The helpers outside the protocols: `d`, `eval`, `perft`, `help`, `compiler`.
//!
//! Scripts read some of their lines (`Fen: `, `Key: `, `Nodes searched: `), so these keep their
//! exact form.

use std::fmt::Write;

use crate::engine::winrate::Model;
use crate::game::{Evaluator, Game, GameId, Notation, Position, Side, TextStyle};

/// What `help` says.
pub const HELP: &str = "\
Twofold plays chess (UCI) and xiangqi (UCI and UCCI). Besides the commands of the protocols:
  d                             show the position
  eval                          explain the static evaluation
  flip                          exchange the colours
  perft N, go perft N           count the positions N plies ahead, by first move
  bench [HASH] [THREADS] [LIMIT] [default|current|FILE] [depth|nodes|movetime|perft]
                                search fixed positions, or others, and count the nodes
  speedtest [THREADS] [HASH] [SECONDS]  how fast this machine searches
  genfens N seed S book None|FILE
                                N random openings, from positions of a file or from the start
  export_net [FILE]             write the network in use to a file
  compiler                      what this binary was built by and for
  license                       whose it is, and what you may do with it
  uci, ucci                     choose the protocol
  quit                          leave
From the command line: twofold --help";

/// What `license` says: the text of the MIT licence, which one may choose.
pub const LICENSE: &str = concat!(
    "Twofold is free software, under the Apache License, Version 2.0, or the following, as you like.\n\n",
    include_str!("../../LICENSE-MIT"),
);

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
        position.diagram(style),
        position.to_fen(style),
        position.key(),
        position.checkers_text(style).join(" ")
    )
    .trim_end_matches(' ')
    .to_owned()
}

/// What `eval` says.
pub fn evaluation<G: Game>(
    position: &G::Position,
    weights: &G::Weights,
    style: TextStyle,
) -> String {
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
        "{}\n{}\n(pawns as the search counts them; below, normalised as scores are)\n\n\
         Final evaluation  {:+.2} ({side} side)",
        position.diagram(style),
        evaluator.explain(position).trim_end(),
        f64::from(Model::of(G::ID).normalised(first)) / 100.0
    )
}

/// The FEN of the same position with the colours exchanged, of either game: the ranks turned
/// over, the case of all letters changed, the other side to move.
pub fn flipped(fen: &str) -> String {
    let swap_case = |text: &str| -> String {
        let swap = |c: char| match c.is_ascii_uppercase() {
            true => c.to_ascii_lowercase(),
            false => c.to_ascii_uppercase(),
        };
        text.chars().map(swap).collect()
    };
    let mut fields: Vec<String> = fen.split_whitespace().map(str::to_owned).collect();
    if let Some(placement) = fields.first_mut() {
        let ranks: Vec<String> = placement.rsplit('/').map(swap_case).collect();
        *placement = ranks.join("/");
    }
    if let Some(side) = fields.get_mut(1) {
        *side = if side == "w" { "b" } else { "w" }.to_owned();
    }
    if let Some(castling) = fields.get_mut(2) {
        *castling = swap_case(castling);
    }
    if let Some(square) = fields.get_mut(3) {
        // En passant happens on the third rank or the sixth.
        *square = square.replace(['3', '6'], if square.ends_with('3') { "6" } else { "3" });
    }
    fields.join(" ")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanged_colours_twice_are_the_position_again() {
        for (fen, turned) in [
            (
                "r3k2r/8/8/3pP3/8/8/8/R3K3 w Qkq d6 0 9",
                "r3k3/8/8/8/3Pp3/8/8/R3K2R b qKQ d3 0 9",
            ),
            (
                "3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1",
                "4k4/9/9/9/9/9/9/9/4p4/3K5 w - - 0 1",
            ),
        ] {
            assert_eq!(flipped(fen), turned);
            assert_eq!(flipped(turned), fen);
        }
    }
}
