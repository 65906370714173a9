//! Plain data to lines, in both dialects.
//!
//! Every line is ASCII with single blanks and without a line feed of its own.

use std::fmt::Write;

use crate::protocol::{Dialect, Options};

/// Words that some UCCI clients look for anywhere in what they read.
const LOADED_WORDS: [&str; 7] = [
    "nobestmove",
    "bestmove",
    "draw",
    "resign",
    "ucciok",
    "readyok",
    "bye",
];

/// The largest plain score UCI shows: won by a rule or by a tablebase, at once.
const UCI_DECIDED: i32 = 20_000;
/// The same for UCCI, below the mates.
const UCCI_DECIDED: i32 = 9_000;
/// A mate at once in UCCI.
const UCCI_MATE: i32 = 10_000;
/// More plies than any search sees: keeps plain scores and decided ones apart.
const PLIES: i32 = 247;

/// A score for a reader, from the view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreText {
    /// Centipawns.
    Plain(i32),
    /// Mate in so many plies, negative where the side to move is mated; zero: it is mated now.
    Mate(i32),
    /// Won in so many plies by a rule or a tablebase.
    Won(i32),
    /// Lost in so many plies by a rule or a tablebase.
    Lost(i32),
}

impl ScoreText {
    /// The score as the dialect writes it: `cp 31`, `mate -2`; in UCCI a bare number.
    fn text(self, dialect: Dialect) -> String {
        let cap = |decided: i32| decided - PLIES;
        match (dialect, self) {
            (Dialect::Uci, ScoreText::Plain(n)) => {
                format!("cp {}", n.clamp(-cap(UCI_DECIDED), cap(UCI_DECIDED)))
            }
            // In moves: mating takes one ply more than twice the moves before.
            (Dialect::Uci, ScoreText::Mate(plies)) => {
                format!("mate {}", (plies + plies.signum().max(0)) / 2)
            }
            (Dialect::Uci, ScoreText::Won(plies)) => format!("cp {}", UCI_DECIDED - plies),
            (Dialect::Uci, ScoreText::Lost(plies)) => format!("cp {}", plies - UCI_DECIDED),
            (Dialect::Ucci, ScoreText::Plain(n)) => {
                n.clamp(-cap(UCCI_DECIDED), cap(UCCI_DECIDED)).to_string()
            }
            (Dialect::Ucci, ScoreText::Mate(plies)) if plies > 0 => (UCCI_MATE - plies).to_string(),
            (Dialect::Ucci, ScoreText::Mate(plies)) => (-UCCI_MATE - plies).to_string(),
            (Dialect::Ucci, ScoreText::Won(plies)) => (UCCI_DECIDED - plies).to_string(),
            (Dialect::Ucci, ScoreText::Lost(plies)) => (plies - UCCI_DECIDED).to_string(),
        }
    }
}

/// One line of analysis, ready to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InfoLine {
    /// Iteration; 0 where there is no move.
    pub depth: i32,
    /// Deepest ply.
    pub selective_depth: usize,
    /// Rank of the line, from 1.
    pub line: usize,
    /// The score.
    pub score: ScoreText,
    /// `lowerbound` or `upperbound` where the score is not exact.
    pub bound: Option<&'static str>,
    /// Nodes.
    pub nodes: u64,
    /// Table use per mille.
    pub hashfull: u32,
    /// Tablebase hits.
    pub tablebase_hits: u64,
    /// Milliseconds since `go`.
    pub time_ms: u64,
    /// The moves.
    pub pv: Vec<String>,
}

/// An `info` line with a score. The fields stand in the order that every known client reads.
pub fn info(dialect: Dialect, line: &InfoLine) -> String {
    let score = line.score.text(dialect);
    if line.depth == 0 {
        return format!("info depth 0 score {score}");
    }
    let nps = line.nodes.saturating_mul(1000) / line.time_ms.max(1);
    let bound = line
        .bound
        .map(|word| format!(" {word}"))
        .unwrap_or_default();
    let mut text = format!(
        "info depth {} seldepth {}",
        line.depth, line.selective_depth
    );
    // Writing into a string cannot fail.
    let _ = match dialect {
        Dialect::Uci => write!(
            text,
            " multipv {} score {score}{bound} nodes {} nps {nps} hashfull {} tbhits {} time {}",
            line.line, line.nodes, line.hashfull, line.tablebase_hits, line.time_ms
        ),
        Dialect::Ucci => {
            if line.line > 1 {
                let _ = write!(text, " multipv {}", line.line);
            }
            write!(
                text,
                " score {score}{bound} time {} nodes {} nps {nps} hashfull {}",
                line.time_ms, line.nodes, line.hashfull
            )
        }
    };
    if !line.pv.is_empty() {
        text.push_str(" pv ");
        text.push_str(&line.pv.join(" "));
    }
    text
}

/// `info ... currmove`: the root move being searched.
pub fn current_move(depth: i32, text: &str, number: usize) -> String {
    format!("info depth {depth} currmove {text} currmovenumber {number}")
}

/// The line that answers a `go`. `accepts_draw` says yes to a draw offer (UCCI).
pub fn best_move(
    dialect: Dialect,
    best: Option<&str>,
    ponder: Option<&str>,
    accepts_draw: bool,
) -> String {
    let Some(best) = best else {
        return match dialect {
            Dialect::Uci => "bestmove (none)".to_owned(),
            Dialect::Ucci => "nobestmove".to_owned(),
        };
    };
    let mut text = format!("bestmove {best}");
    if let Some(ponder) = ponder {
        text.push_str(" ponder ");
        text.push_str(ponder);
    }
    if accepts_draw && dialect == Dialect::Ucci {
        text.push_str(" draw");
    }
    text
}

/// A remark for the user: `info string`, or `info message`.
pub fn message(dialect: Dialect, text: &str) -> String {
    let text = ascii(text);
    match dialect {
        Dialect::Uci => format!("info string {text}"),
        Dialect::Ucci => {
            let mut text = text;
            for word in LOADED_WORDS {
                while let Some(at) = text.to_ascii_lowercase().find(word) {
                    text.replace_range(at..at + word.len(), "?");
                }
            }
            format!("info message {text}")
        }
    }
}

/// The text with everything but printable ASCII replaced by question marks, and cut to a length
/// that every client can read.
pub fn ascii(text: &str) -> String {
    const LONGEST: usize = 400;
    text.chars()
        .take(LONGEST)
        .map(|c| match c {
            '\t' => ' ',
            c if c.is_ascii() && !c.is_ascii_control() => c,
            _ => '?',
        })
        .collect()
}

/// The answer to `uci` or `ucci`, line by line.
pub fn handshake(dialect: Dialect, options: &Options) -> Vec<String> {
    let version = env!("CARGO_PKG_VERSION");
    let mut lines = match dialect {
        Dialect::Uci => vec![format!("id name Twofold {version}")],
        Dialect::Ucci => vec![
            "id name Twofold".to_owned(),
            format!("id version {version}"),
        ],
    };
    lines.push("id author the Twofold authors".to_owned());
    lines.extend(options.declare(dialect));
    lines.push(match dialect {
        Dialect::Uci => "uciok".to_owned(),
        Dialect::Ucci => "ucciok".to_owned(),
    });
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b24_uci_counts_mates_in_moves() {
        let text = |plies| ScoreText::Mate(plies).text(Dialect::Uci);
        for (plies, expected) in [
            (1, "mate 1"),
            (3, "mate 2"),
            (5, "mate 3"),
            (0, "mate 0"),
            (-2, "mate -1"),
            (-4, "mate -2"),
        ] {
            assert_eq!(text(plies), expected);
        }
    }

    #[test]
    fn a15_ucci_counts_mates_in_plies_below_ten_thousand() {
        let text = |plies| ScoreText::Mate(plies).text(Dialect::Ucci);
        assert_eq!([text(1), text(3), text(-2)], ["9999", "9997", "-9998"]);
        assert_eq!(text(0), "-10000");
    }

    #[test]
    fn decided_and_plain_scores_do_not_meet() {
        assert_eq!(ScoreText::Won(3).text(Dialect::Uci), "cp 19997");
        assert_eq!(ScoreText::Lost(3).text(Dialect::Ucci), "-8997");
        assert_eq!(ScoreText::Plain(30_900).text(Dialect::Uci), "cp 19753");
        assert_eq!(ScoreText::Plain(-30_900).text(Dialect::Ucci), "-8753");
    }

    fn line() -> InfoLine {
        InfoLine {
            depth: 2,
            selective_depth: 3,
            line: 1,
            score: ScoreText::Plain(31),
            bound: None,
            nodes: 500,
            hashfull: 4,
            tablebase_hits: 0,
            time_ms: 0,
            pv: vec!["e2e4".to_owned(), "e7e5".to_owned()],
        }
    }

    #[test]
    fn info_fields_stand_in_the_order_of_the_specifications() {
        assert_eq!(
            info(Dialect::Uci, &line()),
            "info depth 2 seldepth 3 multipv 1 score cp 31 nodes 500 nps 500000 hashfull 4 \
             tbhits 0 time 0 pv e2e4 e7e5"
        );
        assert_eq!(
            info(Dialect::Ucci, &line()),
            "info depth 2 seldepth 3 score 31 time 0 nodes 500 nps 500000 hashfull 4 pv e2e4 e7e5"
        );
    }

    #[test]
    fn bounds_follow_the_number() {
        let line = InfoLine {
            bound: Some("lowerbound"),
            ..line()
        };
        assert!(info(Dialect::Uci, &line).contains("score cp 31 lowerbound nodes"));
    }

    #[test]
    fn the_line_that_ends_a_search() {
        use Dialect::{Ucci, Uci};
        assert_eq!(best_move(Uci, None, None, false), "bestmove (none)");
        assert_eq!(best_move(Ucci, None, None, true), "nobestmove");
        assert_eq!(
            best_move(Ucci, Some("i3i4"), Some("e8f9"), true),
            "bestmove i3i4 ponder e8f9 draw"
        );
        assert_eq!(best_move(Uci, Some("e2e4"), None, true), "bestmove e2e4");
    }

    #[test]
    fn io_3_messages_are_ascii_and_set_no_trap() {
        assert_eq!(message(Dialect::Uci, "a\tb\u{e9}\r"), "info string a b??");
        assert_eq!(
            message(Dialect::Ucci, "illegal move noBestMove"),
            "info message illegal move ?"
        );
    }
}
