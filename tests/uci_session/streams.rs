//! Starting, ending, and the bytes in between.

use std::time::{Duration, Instant};

use twofold::game::KeyStream;

use crate::process::{LONG, best_move, is_terminal, run};
use crate::{FIRST_MOVES, SLACK, check_answer, checked_answer, uci};

#[test]
fn d1_handshake_options_and_a_first_move() {
    let mut engine = uci();
    let asked = Instant::now();
    engine.send("uci");
    let lines = engine.until_line("uciok");
    assert!(asked.elapsed() < Duration::from_secs(1), "IO-12");
    assert!(lines[0].starts_with("id name Twofold "));
    assert!(lines[1].starts_with("id author "));
    for line in &lines[2..lines.len() - 1] {
        assert!(line.starts_with("option name "), "{line}");
    }
    for option in [
        "option name Threads type spin default 1 min 1 max 1024",
        "option name Hash type spin default 16 min 1 max 1048576",
        "option name Clear Hash type button",
        "option name Ponder type check default false",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name Move Overhead type spin default 30 min 0 max 5000",
        "option name UCI_Chess960 type check default false",
        "option name UCI_AnalyseMode type check default false",
        "option name UCI_ShowWDL type check default false",
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin default 1500 min 500 max 2850",
        "option name Skill Level type spin default 20 min 0 max 20",
        "option name Debug Log File type string default <empty>",
        "option name EvalFile type string default <empty>",
        "option name UCI_Variant type combo default chess var chess var xiangqi",
    ] {
        assert!(lines.iter().any(|line| line == option), "{option}");
    }
    engine.send("setoption name Hash value 64");
    engine.send("setoption name Threads value 2");
    assert!(engine.sync().is_empty());
    engine.send("ucinewgame");
    engine.send("setoption name Ponder value false");
    engine.send("position startpos");
    assert!(engine.sync().is_empty());
    engine.send("go wtime 1060 btime 1060 winc 60 binc 60");
    let answer = checked_answer(&mut engine);
    assert!(FIRST_MOVES.contains(&best_move(&answer)), "{answer}");
}

#[test]
fn d18_no_uci_an_empty_move_list_and_info_lines_only() {
    let mut engine = uci();
    engine.write(
        b"setoption name UCI_Chess960 value true\nisready\nucinewgame\n\
          setoption name MultiPV value 1\n\
          position fen r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4 moves \n\
          go nodes 50000 depth 30\n",
    );
    assert_eq!(engine.line_within(LONG), "readyok");
    let lines = engine.answer();
    check_answer(&lines);
    assert!(
        lines[..lines.len() - 1]
            .iter()
            .all(|l| l.starts_with("info "))
    );
    assert_eq!(best_move(lines.last().unwrap()), "f3f7");
}

#[test]
fn d24_probing_and_ponder_with_movetime() {
    let mut engine = uci();
    engine.send("xboard");
    engine.send("uci");
    assert!(engine.until_line("uciok")[0].starts_with("id name"));
    engine.send("position startpos moves e2e4 e7e5");
    engine.send("go ponder movetime 300");
    engine.no_answer_for(Duration::from_millis(500));
    let hit = Instant::now();
    engine.send("ponderhit");
    checked_answer(&mut engine);
    let taken = hit.elapsed();
    assert!(
        taken > Duration::from_millis(150) && taken < Duration::from_millis(300) + SLACK,
        "PH-1: the timer starts at the hit: {taken:?}"
    );
}

#[test]
fn io_1_io_2_any_bytes_any_length_and_both_line_ends() {
    let mut engine = uci();
    engine.write(b"setoption name UCI_Opponent value none none human M\xFCller\r\nisready\r\r\n");
    assert_eq!(
        engine.line_within(LONG),
        "info string No such option: UCI_Opponent"
    );
    assert_eq!(engine.line_within(LONG), "readyok");
    let junk = "x ".repeat(1 << 19);
    engine.send(&format!("isready {junk}"));
    assert_eq!(engine.line_within(LONG), "readyok");
    engine.write(b"\t go \t depth   2\t\r\n");
    checked_answer(&mut engine);
}

#[test]
fn io_3_io_5_silence_before_input_and_chunked_input() {
    let mut engine = uci();
    engine.silent_for(Duration::from_millis(150));
    for byte in b"isready\nposition startpos moves e2e4\ngo depth 1\n" {
        engine.write(&[*byte]);
    }
    assert_eq!(engine.line_within(LONG), "readyok");
    checked_answer(&mut engine);
}

#[test]
fn io_6_a_bounded_search_outlives_the_input() {
    let (code, lines, stderr) = run(&[], "uci\nposition startpos\ngo movetime 300\n");
    assert_eq!((code, stderr.as_str()), (0, ""));
    let answers = lines.iter().filter(|line| line.starts_with("bestmove"));
    assert_eq!(answers.count(), 1);
    check_answer(&lines[lines.iter().position(|l| l == "uciok").unwrap() + 1..]);
}
#[test]
fn the_other_protocols_word_switches_when_idle() {
    let mut engine = uci();
    engine.send("uci");
    engine.until_line("uciok");
    engine.send("ucci");
    engine.until_line("ucciok");
    engine.send("position startpos moves h2e2");
    engine.send("go depth 1");
    assert_eq!(best_move(engine.answer().last().unwrap()).len(), 4);
    engine.send("uci");
    engine.until_line("uciok");
    engine.send("position startpos");
    engine.send("go depth 1");
    let answer = checked_answer(&mut engine);
    assert!(FIRST_MOVES.contains(&best_move(&answer)));
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

#[test]
fn io_1_io_2_blanks_tabs_line_ends_and_chunks_change_nothing() {
    let script = [
        "uci",
        "setoption name Move Overhead value 40",
        "setoption name MultiPV value 2",
        "isready",
        "ucinewgame",
        "position startpos moves e2e4 e7e5 g1f3",
        "go depth 4",
        "isready",
        "position fen 7k/8/5K2/8/8/8/8/R7 w - - 0 1",
        "go mate 2",
        "isready",
        "position fen 4k3/P7/8/8/8/8/8/4K3 w",
        "go searchmoves a7a8n e1e2 depth 3",
        "position startpos",
        "go perft 2",
        "setoption name UCI_Chess960 value true",
        "position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1 moves e1h1",
        "d",
        "finis",
    ];
    let play = |dress: &mut dyn FnMut(&str) -> Vec<Vec<u8>>| {
        let mut engine = uci();
        let mut heard = Vec::new();
        for line in script {
            for chunk in dress(line) {
                engine.write(&chunk);
            }
            // The next step would end a search.
            if line.starts_with("go") {
                heard.extend(engine.until(|l| is_terminal(l) || l.starts_with("Nodes searched")));
            }
            // Drawn by another thread than the one that answers what it does not know.
            if line == "d" {
                heard.extend(engine.until(|l| l.starts_with("Checkers:")));
            }
        }
        heard.extend(engine.until_line("info string Unknown command: 'finis'"));
        heard.iter().map(|line| timeless(line)).collect::<Vec<_>>()
    };
    let plain = play(&mut |line| vec![format!("{line}\n").into_bytes()]);
    assert!(plain.len() > 60);
    let mut stream = KeyStream::new(11);
    let mut below = |n: u64| {
        let key;
        (key, stream) = stream.next();
        key.0 % n
    };
    for _ in 0..3 {
        let dressed = play(&mut |line| {
            let mut text = String::new();
            for word in line.split(' ') {
                let blanks = [" ", "  ", "\t", " \t "];
                text += blanks[below(4) as usize];
                text += word;
            }
            text += ["\n", "\r\n", " \n", "\r\r\n"][below(4) as usize];
            let mut rest = text.as_bytes();
            let mut chunks = Vec::new();
            while !rest.is_empty() {
                let (chunk, tail) = rest.split_at(rest.len().min(1 + below(7) as usize));
                chunks.push(chunk.to_vec());
                rest = tail;
            }
            chunks
        });
        assert_eq!(dressed, plain);
    }
}
