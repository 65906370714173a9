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
    /// The score as a number: centipawns, decided games far out; in UCI mates in moves, in UCCI
    /// mates farther out yet, in plies.
    pub fn number(self, dialect: Dialect) -> i32 {
        let (decided, is_uci) = match dialect {
            Dialect::Uci => (UCI_DECIDED, true),
            Dialect::Ucci => (UCCI_DECIDED, false),
        };
        match self {
            ScoreText::Plain(n) => n.clamp(PLIES - decided, decided - PLIES),
            ScoreText::Won(plies) => decided - plies,
            ScoreText::Lost(plies) => plies - decided,
            // Mating takes one ply more than twice the moves before.
            ScoreText::Mate(plies) if is_uci => (plies + plies.signum().max(0)) / 2,
            ScoreText::Mate(plies) if plies > 0 => UCCI_MATE - plies,
            ScoreText::Mate(plies) => -UCCI_MATE - plies,
        }
    }

    /// The score as the dialect writes it: `cp 31`, `mate -2`; in UCCI a bare number.
    fn text(self, dialect: Dialect) -> String {
        let number = self.number(dialect);
        match (dialect, self) {
            (Dialect::Uci, ScoreText::Mate(_)) => format!("mate {number}"),
            (Dialect::Uci, _) => format!("cp {number}"),
            (Dialect::Ucci, _) => number.to_string(),
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
    /// It is one of several.
    pub has_rank: bool,
    /// The score.
    pub score: ScoreText,
    /// `lowerbound` or `upperbound` where the score is not exact.
    pub bound: Option<&'static str>,
    /// Chances of win, draw and loss per mille, where the client wants them (UCI).
    pub chances: Option<[u32; 3]>,
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

/// UCCI programs read lines into buffers of about a thousand bytes.
const UCCI_PV_MOVES: usize = 120;

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
    let wdl = line
        .chances
        .map(|[win, draw, loss]| format!(" wdl {win} {draw} {loss}"))
        .unwrap_or_default();
    let mut text = format!(
        "info depth {} seldepth {}",
        line.depth, line.selective_depth
    );
    // Writing into a string cannot fail.
    let _ = match dialect {
        Dialect::Uci => write!(
            text,
            " multipv {} score {score}{bound}{wdl} nodes {} nps {nps} hashfull {} tbhits {} time {}",
            line.line, line.nodes, line.hashfull, line.tablebase_hits, line.time_ms
        ),
        Dialect::Ucci => {
            if line.has_rank {
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
        let room = match dialect {
            Dialect::Uci => line.pv.len(),
            Dialect::Ucci => line.pv.len().min(UCCI_PV_MOVES),
        };
        text.push_str(" pv ");
        text.push_str(&line.pv[..room].join(" "));
    }
    text
}

/// `info ... currmove`: the root move being searched.
pub fn current_move(depth: i32, text: &str, number: usize) -> String {
    format!("info depth {depth} currmove {text} currmovenumber {number}")
}

/// What a UCCI engine adds to its move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closing {
    /// Nothing: the game goes on.
    PlayOn,
    /// It accepts the draw that was offered.
    AcceptDraw,
    /// It gives the game up.
    Resign,
}

/// The line that answers a `go` where there is no move.
pub fn no_move(dialect: Dialect) -> String {
    match dialect {
        Dialect::Uci => "bestmove (none)".to_owned(),
        Dialect::Ucci => "nobestmove".to_owned(),
    }
}

/// The line that answers a `go`. In UCI the closing word is left out.
pub fn best_move(
    dialect: Dialect,
    best: Option<&str>,
    ponder: Option<&str>,
    closing: Closing,
) -> String {
    let Some(best) = best else {
        return no_move(dialect);
    };
    let mut text = format!("bestmove {best}");
    if let Some(ponder) = ponder {
        text.push_str(" ponder ");
        text.push_str(ponder);
    }
    text.push_str(match (dialect, closing) {
        (Dialect::Ucci, Closing::AcceptDraw) => " draw",
        (Dialect::Ucci, Closing::Resign) => " resign",
        _ => "",
    });
    text
}

/// What the hash table knows of a position (UCCI): the move, and bounds with their depths.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PopHash {
    /// The best move, or one that refutes the position before.
    pub best: Option<String>,
    /// The score is at least this.
    pub lower: Option<(ScoreText, i32)>,
    /// The score is at most this.
    pub upper: Option<(ScoreText, i32)>,
}

/// The line that answers `probe`.
pub fn pop_hash(known: &PopHash) -> String {
    let mut text = "pophash".to_owned();
    if let Some(best) = &known.best {
        text.push_str(" bestmove ");
        text.push_str(best);
    }
    for (name, bound) in [("lowerbound", known.lower), ("upperbound", known.upper)] {
        if let Some((score, depth)) = bound {
            let score = score.number(Dialect::Ucci);
            // Writing into a string cannot fail.
            let _ = write!(text, " {name} {score} depth {depth}");
        }
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
            has_rank: false,
            score: ScoreText::Plain(31),
            bound: None,
            chances: None,
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
        let line = InfoLine {
            chances: Some([400, 550, 50]),
            ..line
        };
        let expected = "score cp 31 lowerbound wdl 400 550 50 nodes";
        assert!(info(Dialect::Uci, &line).contains(expected));
        assert!(!info(Dialect::Ucci, &line).contains("wdl"));
    }

    #[test]
    fn the_line_that_ends_a_search() {
        use Closing::{AcceptDraw, PlayOn, Resign};
        use Dialect::{Ucci, Uci};
        assert_eq!(best_move(Uci, None, None, PlayOn), "bestmove (none)");
        assert_eq!(best_move(Ucci, None, None, AcceptDraw), "nobestmove");
        assert_eq!(
            best_move(Ucci, Some("i3i4"), Some("e8f9"), AcceptDraw),
            "bestmove i3i4 ponder e8f9 draw"
        );
        let resigned = best_move(Ucci, Some("i3i4"), None, Resign);
        assert_eq!(resigned, "bestmove i3i4 resign");
        let played = best_move(Uci, Some("e2e4"), None, AcceptDraw);
        assert_eq!(played, "bestmove e2e4");
    }

    #[test]
    fn s6_8_pophash_keeps_its_order() {
        let bound = Some((ScoreText::Plain(-4), 5));
        let known = PopHash {
            best: Some("b9c7".to_owned()),
            lower: bound,
            upper: bound,
        };
        let all = "pophash bestmove b9c7 lowerbound -4 depth 5 upperbound -4 depth 5";
        assert_eq!(pop_hash(&known), all);
        assert_eq!(pop_hash(&PopHash::default()), "pophash");
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
