//! Lines that no client would send: the engine stays alive, and answers each `go` once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // That is how tests fail.

#[path = "support/process.rs"]
mod process;

use process::{Engine, is_terminal};
use twofold::game::KeyStream;
use twofold::protocol::{self, Command, Dialect};

const LINES: usize = 4000;

/// First words and what may follow them, in both dialects.
const HEADS: &[&str] = &[
    "go",
    "go",
    "go",
    "position",
    "position",
    "setoption",
    "setoption name",
    "stop",
    "ponderhit",
    "isready",
    "ucinewgame",
    "banmoves",
    "d",
    "eval",
    "fen",
    "startpos",
    "debug",
    "register",
    "go perft",
    "nonsense",
    "",
    "probe",
    "xboard",
    "ucci",
    "uci",
    "help",
    "flip",
];
const TAILS: &[&str] = &[
    "startpos",
    "fen",
    "moves",
    "e2e4",
    "e7e5",
    "h2e2",
    "a10a9",
    "0000",
    "e1g1",
    "a7a8q",
    "z9z9",
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "btime",
    "winc",
    "time",
    "increment",
    "movestogo",
    "mate",
    "infinite",
    "ponder",
    "draw",
    "searchmoves",
    "perft",
    "0",
    "1",
    "2",
    "3",
    "-5",
    "100",
    "99999999999999999999",
    "name",
    "value",
    "MultiPV",
    "multipv",
    "UCI_Variant",
    "xiangqi",
    "chess",
    "UCI_Chess960",
    "usemillisec",
    "debug",
    "true",
    "false",
    "ponder",
    "newgame",
    "UCI_LimitStrength",
    "UCI_Elo",
    "Skill Level",
    "UCI_ShowWDL",
    "randomness",
    "large",
    "on",
    "\u{e9}\u{7ff}",
    "8/8/8/8/8/8/8/8",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    "w",
    "b",
    "KQkq",
    "-",
    "4k4/9/9/9/9/9/9/9/9/4K4",
    "r3k2r/8/8/8/8/8/8/R3K2R",
    "////",
    "\t",
    "  ",
    "#",
    "\r",
];

struct Random(KeyStream);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        let (key, next) = self.0.next();
        self.0 = next;
        (key.0 % n as u64) as usize
    }

    /// A line, without `uci` and `ucci` unless `switches`: they change who counts.
    fn line(&mut self, switches: bool) -> String {
        loop {
            let mut line = HEADS[self.below(HEADS.len())].to_owned();
            for _ in 0..self.below(9) {
                line.push(' ');
                line.push_str(TAILS[self.below(TAILS.len())]);
            }
            let is_switch = ["uci", "ucci"].iter().any(|word| line.starts_with(word))
                && !line.starts_with("ucinewgame");
            // Nobody could wait for the tables of these.
            if (switches || !is_switch) && !line.contains("perft 100") {
                return line;
            }
        }
    }
}

#[test]
fn go_1_uci_answers_each_go_exactly_once_whatever_comes() {
    for seed in [1, 2] {
        let mut random = Random(KeyStream::new(seed));
        let mut engine = Engine::start(&[]);
        let mut asked = 0;
        for _ in 0..LINES {
            let line = random.line(false);
            let clean = line.replace('\r', "");
            if matches!(protocol::parse(&clean, Dialect::Uci, 1), Ok(Command::Go(_))) {
                asked += 1;
            }
            engine.send(&line);
        }
        engine.close_input();
        let (code, lines, stderr) = engine.finish(process::LONG);
        assert_eq!((code, stderr.as_str()), (0, ""), "seed {seed}");
        let answered = lines.iter().filter(|line| is_terminal(line)).count();
        assert_eq!(asked, answered, "seed {seed}");
        assert!(asked > 200);
    }
}

#[test]
fn whatever_comes_ucci_and_switching_stay_alive() {
    for seed in [3, 4] {
        let mut random = Random(KeyStream::new(seed));
        let mut engine = Engine::start(&["ucci"]);
        for _ in 0..LINES / 100 {
            for _ in 0..100 {
                engine.send(&random.line(true));
            }
            engine.sync();
        }
        engine.close_input();
        let (code, _, stderr) = engine.finish(process::LONG);
        assert_eq!((code, stderr.as_str()), (0, ""), "seed {seed}");
    }
}
