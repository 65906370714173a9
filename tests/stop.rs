//! How searches end, and the process with them: `stop`, `quit`, the end of input, a deaf client.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "support/process.rs"]
mod process;

use std::time::{Duration, Instant};

use process::{Engine, LONG, run};
use twofold::game::KeyStream;

/// What a busy test machine may add to any reaction. What these tests guard against is a signal
/// that is lost, and that would take for ever.
const SLACK: Duration = Duration::from_secs(2);

const GREETINGS: [(&str, &str); 2] = [("uci", "uciok"), ("ucci", "ucciok")];

fn greeted(word: &str, ok: &str) -> Engine {
    let mut engine = Engine::start(&[]);
    engine.send(word);
    engine.until_line(ok);
    engine.send("isready");
    engine.until_line("readyok");
    engine
}

#[test]
fn go_9_a_stop_in_the_same_write_is_not_lost() {
    for (word, ok) in GREETINGS {
        let mut engine = greeted(word, ok);
        for _ in 0..200 {
            engine.write(b"position startpos\ngo infinite\nstop\n");
            let answer = engine.answer();
            assert!(answer.last().unwrap().starts_with("bestmove "));
        }
        assert!(engine.sync().is_empty());
    }
}

#[test]
fn stop_1_takes_effect_at_once_with_several_threads() {
    for (word, ok) in GREETINGS {
        let mut engine = greeted(word, ok);
        let threads = match word {
            "uci" => "setoption name Threads value 3",
            _ => "setoption threads 3",
        };
        engine.send(threads);
        engine.send("position startpos");
        let mut taken = Vec::new();
        for wait in [0, 1, 5, 30, 120] {
            engine.send("go infinite");
            std::thread::sleep(Duration::from_millis(wait));
            let asked = Instant::now();
            engine.send("stop");
            engine.answer();
            taken.push(asked.elapsed());
        }
        assert!(taken.iter().all(|t| *t < SLACK), "{taken:?}");
        let best = taken.iter().min().unwrap();
        assert!(*best < Duration::from_millis(20), "{taken:?}");
    }
}

#[test]
fn a_ponder_hit_in_the_same_write_is_not_lost() {
    for (word, ok) in GREETINGS {
        let mut engine = greeted(word, ok);
        for _ in 0..50 {
            engine.write(b"position startpos\ngo ponder depth 1\nponderhit\n");
            engine.answer();
        }
        assert!(engine.sync().is_empty());
    }
}

#[test]
fn io_11_waiting_costs_no_processor_time() {
    let mut engine = greeted("uci", "uciok");
    engine.send("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    for go in ["go infinite depth 2", "go ponder depth 2"] {
        engine.send(go);
        engine.until_thinking();
        std::thread::sleep(Duration::from_millis(100));
        let before = engine.cpu_ticks();
        engine.no_answer_for(Duration::from_millis(700));
        let (Some(before), Some(after)) = (before, engine.cpu_ticks()) else {
            return;
        };
        assert!(after - before <= 2, "{go}: {} ticks", after - before);
        engine.send("stop");
        engine.answer();
    }
}

#[test]
fn d16_quit_ends_everything_at_once() {
    for (word, ok) in GREETINGS {
        for work in [
            "",
            "go infinite",
            "go ponder",
            "go depth 60",
            "go perft 30",
            "bench",
        ] {
            let mut engine = greeted(word, ok);
            engine.send("position startpos");
            engine.send(work);
            std::thread::sleep(Duration::from_millis(30));
            let asked = Instant::now();
            engine.send("quit");
            let (code, lines, stderr) = engine.finish(LONG);
            let taken = asked.elapsed();
            assert_eq!((code, stderr.as_str()), (0, ""), "{word} {work}");
            assert!(
                taken < Duration::from_millis(100) + SLACK,
                "{work}: {taken:?}"
            );
            assert_eq!(
                lines.iter().filter(|line| *line == "bye").count(),
                usize::from(word == "ucci")
            );
        }
    }
}

#[test]
fn quit_waits_for_what_was_asked_of_an_idle_engine() {
    for _ in 0..20 {
        let (code, lines, _) = run(&[], "d\nquit\n");
        assert_eq!(code, 0);
        assert!(lines.iter().any(|line| line.starts_with("Fen: ")));
    }
}

#[test]
fn io_6_a33_the_end_of_input_stops_what_would_not_end() {
    for (word, ok) in GREETINGS {
        for work in [
            "go infinite",
            "go",
            "go ponder depth 3",
            "go ponder movetime 9",
            "",
        ] {
            let mut engine = greeted(word, ok);
            engine.send("position startpos");
            engine.send(work);
            std::thread::sleep(Duration::from_millis(30));
            let closed = Instant::now();
            engine.close_input();
            let (code, lines, stderr) = engine.finish(LONG);
            let taken = closed.elapsed();
            assert_eq!((code, stderr.as_str()), (0, ""), "{word} {work}");
            assert!(
                taken < Duration::from_millis(100) + SLACK,
                "{work}: {taken:?}"
            );
            let answers = lines.iter().filter(|l| l.starts_with("bestmove")).count();
            assert_eq!(answers, usize::from(!work.is_empty()), "{word} {work}");
        }
    }
}

#[test]
fn io_6_a33_the_end_of_input_lets_bounded_searches_finish() {
    for word in ["uci", "ucci"] {
        for limit in ["depth 5", "nodes 30000", "movetime 200", "mate 1"] {
            if (word, limit) == ("ucci", "mate 1") {
                continue;
            }
            let mate = "position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
            let position = match limit {
                "mate 1" => mate,
                _ => "position startpos",
            };
            let (code, lines, stderr) = run(&[], &format!("{word}\n{position}\ngo {limit}\n"));
            assert_eq!((code, stderr.as_str()), (0, ""));
            let last = lines.last().unwrap();
            assert!(last.starts_with("bestmove "), "{word} {limit}: {last}");
        }
    }
}

#[test]
fn io_7_a_closed_output_is_a_quit() {
    for work in ["", "go infinite"] {
        let mut engine = greeted("uci", "uciok");
        engine.send("position startpos");
        engine.send(work);
        engine.stop_listening();
        // The first answer finds nobody and closes the pipe, a later one notices.
        let asked = Instant::now();
        while !engine.has_ended() && asked.elapsed() < LONG {
            engine.try_send("isready");
            std::thread::sleep(Duration::from_millis(10));
        }
        let (code, _, stderr) = engine.finish(LONG);
        assert_eq!((code, stderr.as_str()), (0, ""), "{work}");
    }
}

#[test]
fn ucinewgame_and_setoption_do_not_deafen_a_searching_engine() {
    let mut engine = greeted("uci", "uciok");
    engine.send("position startpos");
    engine.send("go infinite");
    engine.send("setoption name Hash value 32");
    engine.send("setoption name Clear Hash");
    engine.send("isready");
    engine.until_line("readyok");
    engine.send("ucinewgame");
    engine.answer();
    assert!(engine.sync().is_empty());
}

/// Cycles of the stress test: `TWOFOLD_STRESS_CYCLES`, or a few.
fn stress_cycles() -> u64 {
    let set = std::env::var("TWOFOLD_STRESS_CYCLES").ok();
    set.map_or(300, |text| text.parse().expect("a number of cycles"))
}

/// A wait of a random length below `bound` microseconds.
fn pause(stream: &mut KeyStream, bound: u64) {
    let (key, rest) = stream.next();
    *stream = rest;
    std::thread::sleep(Duration::from_micros(key.0 % bound));
}

/// One `go` of a kind and how it ends; exactly one answer to it.
fn cycle(engine: &mut Engine, kind: u64, stream: &mut KeyStream) {
    engine.send("position startpos");
    let (go, ends): (_, &[&str]) = match kind {
        0 => ("go infinite", &["stop"]),
        1 => ("go ponder wtime 50 btime 50", &["stop"]),
        2 => ("go ponder wtime 9 btime 9", &["ponderhit"]),
        3 => ("go ponder wtime 60000 btime 60000", &["ponderhit", "stop"]),
        _ => ("go nodes 300", &["stop"]),
    };
    engine.send(go);
    for end in ends {
        pause(stream, 3000);
        engine.send(end);
    }
    engine.answer();
    // A stop that came after the end is answered in UCCI (A3). Nothing else follows.
    let late = engine.sync();
    assert!(late.iter().all(|line| line == "nobestmove"), "{late:?}");
}

/// Threads and open files of the engine, where the system tells.
fn belongings(engine: &Engine) -> Option<(usize, usize)> {
    let count = |what| {
        let path = format!("/proc/{}/{what}", engine.id());
        std::fs::read_dir(path).ok().map(Iterator::count)
    };
    Some((count("task")?, count("fd")?))
}

#[test]
fn stress_cycles_keep_their_pairs() {
    let cycles = stress_cycles();
    for (word, ok) in GREETINGS {
        let mut stream = KeyStream::new(7);
        let mut engine = greeted(word, ok);
        let mut before = None;
        for round in 0..cycles {
            cycle(&mut engine, round % 5, &mut stream);
            if round == 20 {
                before = belongings(&engine);
            }
            // Now and then it leaves in the middle of a search, and another one goes on.
            if round % 250 == 249 {
                assert_eq!(belongings(&engine), before, "{word}: round {round}");
                engine
                    .send(["go infinite", "go ponder wtime 50 btime 50"][round as usize / 250 % 2]);
                pause(&mut stream, 3000);
                engine.send("quit");
                let (code, _, stderr) = engine.finish(LONG);
                assert_eq!((code, stderr.as_str()), (0, ""), "{word}: round {round}");
                engine = greeted(word, ok);
            }
        }
        engine.sync();
    }
}
