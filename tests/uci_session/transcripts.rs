//! The worked dialogues of the specification once more, by clients that write other blanks and
//! line ends, and whose writes end anywhere. Clocks are shorter than there.

use twofold::game::KeyStream;

use crate::options::D9;
use crate::process::{LONG, is_terminal};
use crate::uci;

/// Here the client waits for what its `go` brings.
const WAIT: &str = "...";

/// What clients send. The twentieth dialogue consists of command lines, and has none.
const DIALOGUES: &[(&str, &[&str])] = &[
    (
        "D1",
        &[
            "uci",
            "setoption name Hash value 64",
            "setoption name Threads value 2",
            "isready",
            "ucinewgame",
            "setoption name Ponder value false",
            "position startpos",
            "isready",
            "go wtime 606 btime 606 winc 6 binc 6",
            WAIT,
        ],
    ),
    (
        "D2",
        &[
            "isready",
            "position startpos moves e2e4 e7e5 g1f3",
            "isready",
            "go wtime 980 btime 992 winc 10 binc 10",
            WAIT,
            "isready",
        ],
    ),
    (
        "D3",
        &[
            "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            "go btime 100",
            WAIT,
            "go btime 100 binc 100 wtime 100 winc 100",
            WAIT,
        ],
    ),
    (
        "D4",
        &[
            "position startpos",
            "go infinite",
            "isready",
            "setoption name MultiPV value 2",
            "stop",
            WAIT,
            "stop",
            "isready",
        ],
    ),
    (
        "D5",
        &[
            "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
            "go infinite",
            "stop",
            WAIT,
        ],
    ),
    (
        "D6",
        &[
            "setoption name Ponder value true",
            "position startpos moves e2e4 e7e5",
            "isready",
            "go ponder wtime 580 btime 590 winc 6 binc 6",
            "ponderhit",
            WAIT,
        ],
    ),
    (
        "D7",
        &[
            "position startpos moves e2e4 e7e5",
            "go ponder wtime 580 btime 590 winc 6 binc 6",
            "stop",
            WAIT,
            "position startpos moves e2e4 c7c5",
            "isready",
            "go wtime 580 btime 574 winc 6 binc 6",
            WAIT,
        ],
    ),
    (
        "D8",
        &[
            "position startpos moves d2d4 d7d5",
            "go ponder depth 2 wtime 1000 btime 1000",
            "ponderhit",
            WAIT,
        ],
    ),
    ("D9", &D9),
    (
        "D10",
        &[
            "setoption name MultiPV value 5",
            "position fen 7k/8/5K2/8/8/8/8/R7 b - - 0 1",
            "go depth 1",
            WAIT,
        ],
    ),
    (
        "D11",
        &[
            "position startpos",
            "go searchmoves a2a3 h2h4 e2e5 nodes 500",
            WAIT,
            "go nodes 500 searchmoves 0000",
            WAIT,
        ],
    ),
    (
        "D12",
        &[
            "position fen 7k/8/5K2/8/8/8/8/R7 w - - 0 1",
            "go mate 2",
            WAIT,
        ],
    ),
    (
        "D13",
        &[
            "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
            "go movetime 100",
            WAIT,
            "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "go infinite",
            "stop",
            WAIT,
        ],
    ),
    (
        "D14",
        &[
            "setoption name UCI_Chess960 value true",
            "position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1h1",
            "go depth 1",
            WAIT,
            "setoption name UCI_Chess960 value false",
            "position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1g1",
            "go depth 1",
            WAIT,
        ],
    ),
    (
        "D15",
        &[
            "position fen 4k3/P7/8/8/8/8/8/4K3 w",
            "go depth 2",
            WAIT,
            "position startpos moves e2e4 a7a6 e4e5 d7d5",
            "go depth 1 searchmoves e5d6",
            WAIT,
            "position fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "d",
        ],
    ),
    ("D16", &["position startpos", "go infinite", "quit"]),
    (
        "D17",
        &[
            "position startpos",
            "go infinite",
            "stop",
            "go nodes 100",
            "position startpos moves e2e4",
            "go depth 1",
            WAIT,
            WAIT,
            WAIT,
        ],
    ),
    (
        "D18",
        &[
            "setoption name UCI_Chess960 value true",
            "isready",
            "ucinewgame",
            "setoption name MultiPV value 1",
            "position fen r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4 moves ",
            "go nodes 50000 depth 30",
            WAIT,
        ],
    ),
    (
        "D19",
        &[
            "setoption name UCI_ShowWDL value true",
            "setoption name UCI_AnalyseMode value true",
            "setoption name UCI_Variant value chess",
            "position fen 8/8/8/8/8/4k3/4p3/4K3 b - - 0 1",
            "go depth 1 nodes 1",
            WAIT,
        ],
    ),
    (
        "D21",
        &[
            "position fen 4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            "go perft 3",
            WAIT,
        ],
    ),
    (
        "D22",
        &[
            "joho debug on",
            "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
            "position startpos moves e2e4 e2e4 d7d5",
            "go wtime -50 btime 99999999999999999999 movestogo 0 foo 12 depth",
            WAIT,
            "setoption",
            "xyzzy",
        ],
    ),
    (
        "D23",
        &[
            "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
            "go movetime 50",
            WAIT,
            "position fen 8/8/4k3/8/8/4K3/4P3/8 w - - 100 120",
            "go depth 1",
            WAIT,
        ],
    ),
    (
        "D24",
        &[
            "xboard",
            "uci",
            "position startpos moves e2e4 e7e5",
            "go ponder movetime 150",
            "ponderhit",
            WAIT,
        ],
    ),
    (
        "D25",
        &[
            "position startpos",
            "go wtime 3000 btime 3000 winc 0 binc 0 movestogo 1 depth 4 ponder",
            "stop",
            WAIT,
            "go wtime 60000 btime 60000 depth 3 movetime 2000 nodes 1000000",
            WAIT,
        ],
    ),
];

/// Plays a dialogue, each line written in these pieces, and returns what was heard.
fn play(lines: &[&str], dress: &mut dyn FnMut(&str) -> Vec<Vec<u8>>) -> Vec<String> {
    let mut engine = uci();
    let mut heard = Vec::new();
    for line in lines {
        if *line == WAIT {
            heard.extend(engine.until(|l| is_terminal(l) || l.starts_with("Nodes searched")));
            continue;
        }
        for piece in dress(line) {
            engine.write(&piece);
        }
        match *line {
            "uci" => heard.extend(engine.until_line("uciok")),
            "isready" => heard.extend(engine.until_line("readyok")),
            // Drawn by another thread than the one that answers what it does not know.
            "d" => heard.extend(engine.until(|l| l.starts_with("Checkers:"))),
            "quit" => {
                let (code, lines, stderr) = engine.finish(LONG);
                assert_eq!((code, stderr.as_str()), (0, ""));
                // Whether it answers before it goes is its own affair.
                heard.extend(lines.into_iter().filter(|line| !is_terminal(line)));
                return heard;
            }
            _ => {}
        }
    }
    for piece in dress("finis") {
        engine.write(&piece);
    }
    heard.extend(engine.until_line("info string Unknown command: 'finis'"));
    heard
}

/// What must be heard whenever the dialogue is played: all but what depends on the clock.
fn essence(lines: &[&str], heard: &[String]) -> Vec<String> {
    let by_clock = |line: &&str| {
        ["time", "infinite", "ponder"]
            .iter()
            .any(|w| line.contains(w))
    };
    let is_timed = lines.iter().filter(|l| l.starts_with("go ")).any(by_clock);
    let kept = heard
        .iter()
        .filter(|line| !is_timed || !line.starts_with("info depth "));
    kept.map(|line| match is_timed && line.starts_with("bestmove ") {
        true => "bestmove".to_owned(),
        false => timeless(line),
    })
    .collect()
}

/// A line without what depends on the clock.
fn timeless(line: &str) -> String {
    let mut kept = Vec::new();
    let mut words = line.split(' ');
    while let Some(word) = words.next() {
        match word {
            "time" | "nps" => drop(words.next()),
            word => kept.push(word),
        }
    }
    kept.join(" ")
}

/// Numbers by chance, the same in every run.
struct Lots(KeyStream);

impl Lots {
    fn below(&mut self, bound: usize) -> usize {
        let (key, rest) = self.0.next();
        self.0 = rest;
        (key.0 % bound as u64) as usize
    }

    /// The line with other blanks and another end, in pieces.
    fn dressed(&mut self, line: &str) -> Vec<Vec<u8>> {
        // A value is taken as it stands.
        let (words, value) = match line.split_once(" value ") {
            Some((words, value)) => (format!("{words} value"), value),
            None => (line.to_owned(), ""),
        };
        let mut text = String::new();
        for word in words.split(' ') {
            text += [" ", "  ", "\t", " \t "][self.below(4)];
            text += word;
        }
        text += " ";
        text += value;
        text += ["\n", "\r\n", " \n", "\r\r\n", "\t\r\n"][self.below(5)];
        let mut rest = text.as_bytes();
        let mut pieces = Vec::new();
        while !rest.is_empty() {
            let (piece, tail) = rest.split_at(rest.len().min(1 + self.below(7)));
            pieces.push(piece.to_vec());
            rest = tail;
        }
        pieces
    }
}

#[test]
fn io_1_io_2_blanks_tabs_line_ends_and_chunks_change_nothing() {
    let mut lots = Lots(KeyStream::new(11));
    for (name, lines) in DIALOGUES {
        let plain = play(lines, &mut |line| vec![format!("{line}\n").into_bytes()]);
        let plain = essence(lines, &plain);
        let asked = lines
            .iter()
            .filter(|line| line.starts_with("go ") && !line.contains("perft"));
        let answered = plain.iter().filter(|line| line.starts_with("bestmove"));
        if *name != "D16" {
            assert_eq!(asked.count(), answered.count(), "{name}: {plain:#?}");
        }
        for _ in 0..2 {
            let dressed = play(lines, &mut |line| lots.dressed(line));
            assert_eq!(essence(lines, &dressed), plain, "{name}");
        }
    }
}
