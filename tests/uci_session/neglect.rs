//! Clients that do not read, go away, or name what is no file; systems that have nothing left.
#![cfg(unix)] // Where pipes can be asked.

use std::io::{Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use crate::folder::Folder;
use crate::process::{Engine, LONG, field, is_terminal};
use crate::{checked_answer, uci};

/// Waits for the end of a process.
fn ends(limit: Duration, mut has_ended: impl FnMut() -> bool) -> bool {
    let deadline = Instant::now() + limit;
    while Instant::now() < deadline {
        if has_ended() {
            return true;
        }
        thread::sleep(Duration::from_millis(5));
    }
    false
}

#[test]
fn io_6_nobody_waits_for_a_count_any_more() {
    for count in ["go perft 12", "bench 16 1 60", "speedtest 1 16 60"] {
        let mut engine = uci();
        engine.send(count);
        engine.stop_listening();
        // The answer finds nobody, and the pipe is closed.
        engine.send("isready");
        engine.close_input();
        assert!(ends(LONG, || engine.has_ended()), "{count}");
    }
}

/// An engine whose output nobody reads for now.
fn unread() -> (Child, ChildStdin) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_twofold"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take().unwrap();
    (child, stdin)
}

#[test]
fn quit_is_heard_though_nobody_reads() {
    // More lines than a pipe holds: remarks of the reading thread, answers of the other.
    for text in [
        format!("go infinite\n{}isready\nquit\n", "d\n".repeat(20_000)),
        format!("{}isready\nquit\n", "go perft 1\n".repeat(3_000)),
    ] {
        let (mut child, mut stdin) = unread();
        let write = thread::spawn(move || stdin.write_all(text.as_bytes()));
        let ended = ends(LONG, || child.try_wait().unwrap().is_some());
        let _ = child.kill();
        assert!(ended);
        assert!(write.join().unwrap().is_ok());
    }
}

#[test]
fn nothing_is_lost_on_a_client_that_reads_late() {
    let (mut child, mut stdin) = unread();
    let text = format!("go movetime 1500\n{}", "isready\n".repeat(20_000));
    stdin.write_all(text.as_bytes()).unwrap();
    drop(stdin);
    thread::sleep(Duration::from_millis(2_500));
    let mut said = String::new();
    child
        .stdout
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .unwrap();
    child.wait().unwrap();
    assert_eq!(said.matches("readyok").count(), 20_000);
    assert_eq!(said.matches("bestmove").count(), 1);
}

#[test]
fn a_pipe_is_no_log_and_no_table() {
    let folder = Folder::new("pipes");
    for name in ["log", "KQvK.rtbw"] {
        let made = Command::new("mkfifo").arg(folder.file(name)).status();
        assert!(made.unwrap().success());
    }
    let mut engine = uci();
    let path = folder.path().to_owned();
    engine.send(&format!("setoption name Debug Log File value {path}/log"));
    let said = engine.sync();
    assert!(said[0].ends_with("a pipe, not a file"), "{said:?}");
    engine.send(&format!("setoption name SyzygyPath value {path}"));
    let said = engine.sync();
    assert!(
        said.iter()
            .any(|line| line.contains("KQvK.rtbw: cannot be read")),
        "{said:?}"
    );
}

#[test]
fn files_may_have_names_in_any_encoding() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new("names");
    let inner = folder.0.join(OsStr::from_bytes(b"t\xfcr"));
    fs::create_dir(&inner).unwrap();
    let mut engine = uci();
    let command = |before: &str, after: &str| {
        [
            before.as_bytes(),
            inner.as_os_str().as_bytes(),
            after.as_bytes(),
            b"\n",
        ]
        .concat()
    };
    engine.write(&command("export_net ", "/net.nnue"));
    engine.sync();
    assert!(inner.join("net.nnue").is_file());
    // There, and empty.
    engine.write(&command("setoption name SyzygyPath value ", ""));
    let said = engine.sync();
    assert!(said[0].contains("no tables in"), "{said:?}");
}

#[test]
fn io_14_a_table_that_cannot_be_had_is_refused_each_time() {
    let mut engine = uci();
    for _ in 0..2 {
        engine.send("setoption name Hash value 33554432");
        let said = engine.sync();
        let refusals = said
            .iter()
            .filter(|line| line.contains("keeping the old one") || line.contains("trying 16 MiB"));
        assert_eq!(refusals.count(), 1, "{said:?}");
    }
    engine.send("debug on");
    engine.send("go depth 1");
    let said = engine.answer();
    assert!(
        said.iter().any(|line| line.contains("go: 16 MiB")),
        "{said:?}"
    );
}

#[test]
fn pos_2_3_careless_fields_are_none() {
    let mut engine = uci();
    engine.write("position fen k7/8/8/8/8/8/8/7K w zz z9 3 7\nd\n".as_bytes());
    engine.until_line("Fen: k7/8/8/8/8/8/8/7K w - - 3 7");
    engine.send("position fen KQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/ppQ4Q/knQQQQQQ w - - 0 1");
    let said = engine.sync();
    let expected = "info string Invalid position: 261 legal moves, at most 256 expected; keeping the previous one";
    assert_eq!(said.last().unwrap(), expected);
}

#[test]
fn a_list_of_bad_moves_is_one_remark() {
    let mut engine = uci();
    engine.send(&format!(
        "go searchmoves {}e2e4 e2e4 depth 1",
        "e2e5 d2d5 ".repeat(500)
    ));
    let said = engine.answer();
    let remarks: Vec<_> = said
        .iter()
        .filter(|line| line.starts_with("info string"))
        .collect();
    assert_eq!(remarks.len(), 1, "{remarks:?}");
    assert!(
        remarks[0].starts_with("info string searchmoves: e2e5 d2d5 "),
        "{remarks:?}"
    );
    assert!(
        remarks[0].ends_with(" ... are not legal here, ignored"),
        "{remarks:?}"
    );
}

#[test]
fn a_weak_engine_solves_mates_as_well() {
    let mut engine = uci();
    engine.send("setoption name UCI_LimitStrength value true");
    engine.send("setoption name UCI_Elo value 500");
    engine.send("position fen 6k1/2R5/2pb3p/p1P5/p5P1/P7/1PPBbP1P/4R1K1 w - - 1 32");
    engine.send("go mate 5");
    let said = engine.answer();
    let last = said.iter().rfind(|line| line.contains(" score ")).unwrap();
    assert!(field(last, "mate").is_some(), "{last}");
}

#[test]
fn speedtest_wants_numbers() {
    let mut engine = uci();
    engine.send("speedtest x");
    assert_eq!(
        engine.sync(),
        ["info string speedtest: 'x' is not a number"]
    );
}

#[test]
fn a39_a_handshake_waits_for_the_search_that_was_stopped() {
    let mut engine = uci();
    engine.write(b"go infinite\nstop\nuci\nisready\n");
    let said = engine.until(|line| line == "readyok");
    let place = |wanted: &dyn Fn(&str) -> bool| said.iter().position(|line| wanted(line));
    let (answer, handshake) = (place(&is_terminal), place(&|line| line == "uciok"));
    assert!(answer.is_some() && answer < handshake, "{said:?}");
    engine.send("go depth 1");
    checked_answer(&mut engine);
}

#[test]
fn boards_count_their_ranks_as_moves_do() {
    let mut engine = Engine::start(&["uci", "--game", "xiangqi"]);
    for (ranks, last) in [
        ("fairy", "10 r n b a k a b n r"),
        ("pikafish", "9  r n b a k a b n r"),
    ] {
        engine.send(&format!("setoption name UCI_XiangqiRanks value {ranks}"));
        engine.send("d");
        engine.until_line(last);
    }
}

#[test]
fn a_handshake_in_batch_mode_waits_its_turn() {
    let mut engine = Engine::start(&["ucci"]);
    engine.write(b"setoption batch true\nposition startpos\ngo depth 6\nuci\nisready\nquit\n");
    let said = engine.until(|line| line == "readyok");
    let place = |wanted: &str| said.iter().position(|line| line.starts_with(wanted));
    assert!(
        place("bestmove").is_some() && place("bestmove") < place("uciok"),
        "{said:?}"
    );
    let (code, ..) = engine.finish(LONG);
    assert_eq!(code, 0);
}

#[test]
fn what_is_asked_for_after_batch_mode_can_be_stopped() {
    for leave in ["setoption batch false", "uci"] {
        let mut engine = Engine::start(&["ucci"]);
        let text = format!(
            "setoption batch true\nposition startpos\ngo depth 7\n{leave}\nposition startpos\ngo infinite\n"
        );
        engine.write(text.as_bytes());
        engine.answer();
        engine.until_thinking();
        engine.send("isready");
        engine.until_line("readyok");
        engine.send("stop");
        engine.answer();
        engine.send("quit");
        let (code, ..) = engine.finish(LONG);
        assert_eq!(code, 0, "{leave}");
    }
}

#[test]
fn what_is_said_at_once_does_not_overtake_what_was_asked_before() {
    for _ in 0..10 {
        let mut engine = uci();
        engine.write(b"uci\nposition startpos\ngo depth 5\nisready\nsetoption name Foo value 1\n");
        let said = engine.until(|line| line.ends_with("No such option: Foo"));
        let place = |wanted: &str| said.iter().position(|line| line == wanted);
        assert!(
            place("uciok").is_some() && place("uciok") < place("readyok"),
            "{said:?}"
        );
    }
}
