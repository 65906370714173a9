//! An engine with chosen faults: the test program itself, started again with a fault named in its
//! environment. It plays legal moves, at once, unless its fault keeps it from that.

use std::io::{self, BufRead, Write};
use std::process::{Command, exit};
use std::time::Duration;
use std::{env, fs, thread};

use twofold::chess;
use twofold::game::{Notation, Position, TextStyle, Wanted};
use twofold::xiangqi;

/// The variable that names the fault, and makes the test program an engine.
pub const FAULT: &str = "TWOFOLD_FAKE";
/// Set where it plays xiangqi: under UCI the start position does not tell.
pub const XIANGQI: &str = "TWOFOLD_FAKE_XIANGQI";
/// Tells the processes of one match from all others.
pub const MARK: &str = "TWOFOLD_FAKE_MARK";
/// Where `forks` leaves the number of its child.
pub const PID_FILE: &str = "TWOFOLD_FAKE_PID";

/// Is this process to be an engine? Then it is one, and does not return.
pub fn run_if_asked() {
    let Ok(fault) = env::var(FAULT) else {
        return;
    };
    // What the test harness has written stands on a line of its own.
    println!();
    let mut engine = Fake::new(&fault);
    engine.at_start();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        engine.obey(&line);
    }
    if fault == "ignores-quit" {
        sleep_for_ever();
    }
    exit(0);
}

fn sleep_for_ever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1));
    }
}

fn say(text: &str) {
    let mut out = io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

struct Fake {
    fault: String,
    position: String,
    /// Searches so far.
    searches: u32,
    is_ucci: bool,
    /// What it would answer once its pondering ends.
    pondered: Option<String>,
    /// Was it told to stop, once?
    was_stopped: bool,
}

impl Fake {
    fn new(fault: &str) -> Fake {
        Fake {
            fault: fault.to_owned(),
            position: String::new(),
            searches: 0,
            is_ucci: false,
            pondered: None,
            was_stopped: false,
        }
    }

    fn has(&self, fault: &str) -> bool {
        self.fault == fault
    }

    // The child is to be an orphan.
    #[expect(clippy::zombie_processes)]
    fn at_start(&self) {
        match self.fault.as_str() {
            "crashes-at-start" => exit(7),
            "sleeps" => sleep_for_ever(),
            "forks" => {
                let child = Command::new(env::current_exe().unwrap())
                    .args(env::args().skip(1))
                    .env(FAULT, "sleeps")
                    .spawn()
                    .unwrap();
                fs::write(env::var(PID_FILE).unwrap(), child.id().to_string()).unwrap();
            }
            "floods-stderr" => {
                for _ in 0..20_000 {
                    eprintln!("{}", "x".repeat(100));
                }
            }
            _ => {}
        }
    }

    fn obey(&mut self, line: &str) {
        let first = line.split_whitespace().next().unwrap_or_default();
        match first {
            "uci" if self.has("only-ucci") => {
                eprintln!("greeted with uci");
                exit(1)
            }
            "uci" | "ucci" if self.has("never-greets") => {}
            "uci" | "ucci" => self.greet(first),
            "isready" if self.has("never-ready") && self.searches > 0 => {}
            "isready" => say("readyok\n"),
            "position" => self.position = line.to_owned(),
            "go" => self.go(line),
            "stop" if self.has("stops-late") && !self.was_stopped => self.was_stopped = true,
            "stop" | "ponderhit" => {
                self.was_stopped = false;
                if let Some(answer) = self.pondered.take() {
                    say(&answer);
                }
            }
            "quit" if self.has("ignores-quit") => {}
            "quit" => exit(0),
            _ => {}
        }
    }

    fn greet(&mut self, protocol: &str) {
        self.is_ucci = protocol == "ucci";
        if self.is_ucci {
            eprintln!("greeted with ucci");
            say("id name Fake\noption usemillisec type check default false\nucciok\n");
        } else {
            say("id name Fake\r\noption name Hash type spin default 1 min 1 max 64\r\nuciok\r\n");
        }
    }

    fn go(&mut self, line: &str) {
        self.searches += 1;
        let (best, reply) = self.choose();
        let ponder = reply.map_or_else(String::new, |reply| format!(" ponder {reply}"));
        let answer = format!("bestmove {best}{ponder}\n");
        if line.contains(" ponder") && self.has("impatient") {
            say(&answer);
            return;
        }
        if line.contains(" ponder") || line.contains("infinite") {
            self.pondered = Some(answer);
            return;
        }
        if self.is_ucci {
            say(&format!("info depth 3 score 12 pv {best}\n"));
        } else {
            say(&format!(
                "info depth 3 score cp 12 nodes 100 time 0 pv {best}\n"
            ));
        }
        // The fault shows in the second search of a game that has begun well.
        if self.searches < 2 || !self.misbehave(&best) {
            say(&answer);
        }
    }

    /// Does what its fault demands instead of answering; false if it is to answer all the same.
    fn misbehave(&self, best: &str) -> bool {
        match self.fault.as_str() {
            "crashes" => exit(3),
            "aborts" => std::process::abort(),
            "hangs" => sleep_for_ever(),
            "closes-output" => {
                say("bestmove e2");
                // Half a line, and then the end.
                exit(0)
            }
            "half-a-line" => {
                say("bestmove ");
                sleep_for_ever()
            }
            "talks-for-ever" => loop {
                say("info depth 1 score cp 1 nodes 1\n");
            },
            "long-line" => {
                say(&"x".repeat(10 << 20));
                say("\n");
                false
            }
            "not-text" => {
                let mut out = io::stdout().lock();
                let _ = out.write_all(b"info string \xff\xfe\x80\nbestmov\xc3 e2e4\n");
                let _ = out.flush();
                false
            }
            "illegal" => {
                say("bestmove e1e8\n");
                true
            }
            "no-move" => {
                say("bestmove (none)\n");
                true
            }
            "resigns" => {
                say(&format!("bestmove {best} resign\n"));
                true
            }
            "offers-draw" => {
                say(&format!("bestmove {best} draw\n"));
                true
            }
            #[cfg(target_os = "linux")]
            "takes-all-along" => {
                kill_others_of_the_match();
                exit(4)
            }
            "late" => {
                thread::sleep(Duration::from_millis(900));
                false
            }
            "answers-twice" => {
                say(&format!("bestmove {best}\n"));
                false
            }
            _ => false,
        }
    }

    /// A move of the present position, always the same one, and a reply to it.
    fn choose(&self) -> (String, Option<String>) {
        let text = self.position.trim_start_matches("position ");
        let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
        let fen = start.trim_start_matches("fen ");
        if env::var_os(XIANGQI).is_some() {
            choose::<xiangqi::Board>(fen, moves)
        } else {
            choose::<chess::Board>(fen, moves)
        }
    }
}

/// Kills the other engines that have the same mark.
#[cfg(target_os = "linux")]
fn kill_others_of_the_match() {
    let mark = format!("{MARK}={}", env::var(MARK).unwrap());
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let pid = entry.file_name().into_string().unwrap_or_default();
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        let is_marked = environment
            .split(|&byte| byte == 0)
            .any(|variable| variable == mark.as_bytes());
        if is_marked && pid != std::process::id().to_string() {
            let _ = Command::new("kill").args(["-KILL", &pid]).status();
        }
    }
}

fn choose<P: Notation>(fen: &str, moves: &str) -> (String, Option<String>) {
    let mut position = if fen == "startpos" {
        P::start()
    } else {
        P::from_fen(fen).unwrap()
    };
    let style = TextStyle::default();
    for text in moves.split_whitespace() {
        let m = position.parse_move(text, style).unwrap();
        position.make(m, &mut ());
    }
    let Some(best) = some_move(&position) else {
        return ("(none)".to_owned(), None);
    };
    let text = position.write_move(best, style);
    position.make(best, &mut ());
    let reply = some_move(&position).map(|m| position.write_move(m, style));
    (text, reply)
}

/// A legal move, chosen by the key of the position.
fn some_move<P: Position>(position: &P) -> Option<P::Move> {
    let mut moves = twofold::game::MoveList::new();
    position.generate(Wanted::All, &mut moves);
    moves.retain(|m| P::LEGAL_GENERATOR || position.is_legal(*m));
    let index = position.key().0 as usize % moves.len().max(1);
    moves.get(index).copied()
}
