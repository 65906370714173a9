//! Scripts: all input is there from the beginning.

use std::time::{Duration, Instant};

use crate::process::{LONG, best_move, field, run};
use crate::{last, ucci};

/// The lines after the handshake.
fn after_handshake(lines: &[String]) -> &[String] {
    let end = lines.iter().position(|line| line == "ucciok").unwrap();
    assert!(
        lines[..end]
            .iter()
            .all(|line| line.starts_with("id ") || line.starts_with("option "))
    );
    &lines[end + 1..]
}

#[test]
fn d17_24_batch_mode_from_a_file() {
    let input = "ucci\nsetoption batch true\nposition startpos\ngo depth 3\n\
                 position fen 3Rk4/9/4P4/9/9/9/9/9/9/3K5 b - - 0 1\ngo depth 3\nquit\n";
    let (code, lines, stderr) = run(&[], input);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let [infos @ .., answer, none, bye] = after_handshake(&lines) else {
        panic!("{lines:?}");
    };
    assert!(best_move(answer).as_bytes()[1] < b'5', "Red moves");
    assert_eq!((none.as_str(), bye.as_str()), ("nobestmove", "bye"));
    assert!(
        infos.iter().all(|line| line.starts_with("info depth ")),
        "{infos:?}"
    );
    let deepest = infos.last().expect("analysis");
    assert_eq!(field(deepest, "depth"), Some("3"));
    assert_eq!(field(deepest, "pv"), Some(best_move(answer)));
}

#[test]
fn d17_25_quit_does_not_cut_a_search_short_in_batch_mode() {
    let input = "ucci\nsetoption batch true\nsetoption usemillisec true\n\
                 position fen rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1\n\
                 go time 1000\nquit\n";
    let started = Instant::now();
    let (code, lines, stderr) = run(&[], input);
    let taken = started.elapsed();
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(taken > Duration::from_millis(700), "{taken:?}");
    let [infos @ .., answer, bye] = after_handshake(&lines) else {
        panic!("{lines:?}");
    };
    assert_eq!(bye, "bye");
    assert!(
        infos.iter().all(|line| line.starts_with("info depth ")),
        "{infos:?}"
    );
    let deepest = infos.last().expect("analysis");
    assert_eq!(field(deepest, "pv"), Some(best_move(answer)));
}

#[test]
fn batch_mode_reads_nothing_during_a_search() {
    let input = "ucci\nsetoption batch true\nposition startpos moves h2e2\ngo depth 5\nisready\n\
                 stop\nquit\n";
    let (code, lines, stderr) = run(&[], input);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let [infos @ .., answer, ready, idle, bye] = after_handshake(&lines) else {
        panic!("{lines:?}");
    };
    assert_eq!(field(infos.last().unwrap(), "depth"), Some("5"));
    assert!(best_move(answer).as_bytes()[1] >= b'5', "Black moves");
    assert_eq!([ready, idle, bye], ["readyok", "nobestmove", "bye"]);
}

#[test]
fn batch_mode_ends_after_what_was_asked_for_in_it() {
    let input = "ucci\nsetoption batch true\nposition startpos\ngo nodes 8000\n\
                 setoption batch false\nposition startpos moves h2e2\ngo depth 3\n";
    let (code, lines, stderr) = run(&[], input);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let moves = lines.iter().filter(|line| line.starts_with("bestmove "));
    let sides: Vec<bool> = moves
        .map(|line| best_move(line).as_bytes()[1] >= b'5')
        .collect();
    assert_eq!(sides, [false, true]);
}

#[test]
fn d17_24_batch_mode_quits_although_the_input_stays_open() {
    let mut engine = ucci();
    engine.send("setoption batch true");
    engine.send("quit");
    assert_eq!(engine.line_within(LONG), "bye");
    assert_eq!(engine.finish(LONG).0, 0);
}

#[test]
fn bye_is_the_last_line_whatever_was_going_on() {
    for work in ["eval", "perft 3", "go depth 3", "d"] {
        for _ in 0..5 {
            let input = format!("ucci\nposition startpos\ngo infinite\nstop\n{work}\nquit\n");
            let (code, lines, stderr) = run(&["ucci"], &input);
            assert_eq!((code, stderr.as_str()), (0, ""));
            assert_eq!(lines.last().map(String::as_str), Some("bye"), "{work}");
            assert_eq!(lines.iter().filter(|line| *line == "bye").count(), 1);
        }
    }
}

#[test]
fn a33_a_bounded_search_outlives_the_input() {
    let (code, lines, stderr) = run(&[], "ucci\nposition startpos\ngo depth 4\n");
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(last(&lines).starts_with("bestmove "));
}
