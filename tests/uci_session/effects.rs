//! What options change: each test would fail if the option were read and forgotten.

use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use crate::process::{Engine, LONG, best_move, field, run};
use crate::{check_answer, checked_answer, uci};

/// A number of the last line of analysis.
fn number(lines: &[String], name: &str) -> u64 {
    let text = field(&lines[lines.len() - 2], name).expect(name);
    text.parse().unwrap()
}

/// Searches and returns the answer, its form checked.
fn searched(engine: &mut Engine, go: &str) -> Vec<String> {
    engine.send(&format!("go {go}"));
    let lines = engine.answer();
    check_answer(&lines);
    lines
}

#[test]
fn who_ponders_plans_more_time_for_a_move() {
    let mut engine = uci();
    engine.send("debug on");
    let mut planned = |ponders: bool| -> u64 {
        engine.send(&format!("setoption name Ponder value {ponders}"));
        engine.send("go wtime 3000 btime 3000");
        let lines = engine.answer();
        let said = lines.iter().find(|line| line.contains(" planned "));
        field(said.expect("the plan"), "planned")
            .unwrap()
            .parse()
            .unwrap()
    };
    let (without, with) = (planned(false), planned(true));
    assert!(with > without * 11 / 10, "{without} ms, then {with} ms");
}

#[test]
fn clear_hash_forgets_what_a_search_has_found() {
    let mut engine = uci();
    let first = number(&searched(&mut engine, "depth 7"), "nodes");
    let second = number(&searched(&mut engine, "depth 7"), "nodes");
    assert!(second < first, "{second} of {first}: the table helps");
    engine.send("setoption name Clear Hash");
    let third = number(&searched(&mut engine, "depth 7"), "nodes");
    assert_eq!(third, first);
}

#[test]
fn the_table_is_as_large_as_hash_says() {
    let mut engine = uci();
    let mut fullness = Vec::new();
    for mib in [128, 1, 32] {
        engine.send(&format!("setoption name Hash value {mib}"));
        assert!(engine.sync().is_empty());
        engine.send("ucinewgame");
        let lines = searched(&mut engine, "nodes 60000");
        fullness.push(number(&lines, "hashfull"));
        if let Some(largest) = engine.largest_mapping() {
            let expected = mib..mib.max(32) + 32;
            assert!(
                expected.contains(&largest),
                "{largest} MiB instead of {mib}"
            );
        }
    }
    assert!(
        fullness[0] < fullness[2] && fullness[2] < fullness[1],
        "{fullness:?}"
    );
}

/// How many threads work for 50 ms at least, while all together use so many ticks of 10 ms. `None`
/// where it cannot be known.
fn busy_threads(engine: &Engine, enough: u64) -> Option<usize> {
    let deadline = Instant::now() + LONG;
    let before = engine.thread_ticks()?;
    loop {
        thread::sleep(Duration::from_millis(20));
        let now = engine.thread_ticks()?;
        let used = now
            .iter()
            .map(|(thread, ticks)| ticks - before.get(thread).unwrap_or(&0));
        if used.clone().sum::<u64>() >= enough {
            return Some(used.filter(|ticks| *ticks >= 5).count());
        }
        assert!(Instant::now() < deadline, "{now:?}");
    }
}

#[test]
fn as_many_threads_search_as_are_asked_for() {
    for (threads, enough) in [(1, 50), (4, 200)] {
        let mut engine = uci();
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.sync();
        engine.send("go infinite");
        engine.until_thinking();
        if let Some(busy) = busy_threads(&engine, enough) {
            assert_eq!(busy, threads);
        }
        engine.send("stop");
        checked_answer(&mut engine);
    }
}

#[test]
fn a_low_skill_level_looks_less_far() {
    let mut engine = uci();
    let mut nodes = |level: u32| {
        engine.send("ucinewgame");
        engine.send(&format!("setoption name Skill Level value {level}"));
        engine.send("position startpos moves e2e4 c7c5");
        let lines = searched(&mut engine, "depth 8");
        (number(&lines, "depth"), number(&lines, "nodes"))
    };
    let (low, full) = (nodes(0), nodes(20));
    assert!(low.0 < 8 && full.0 == 8, "{low:?} {full:?}");
    assert!(low.1 < full.1 / 4, "{low:?} {full:?}");
}

#[test]
fn the_best_book_move_is_played_every_time_where_that_is_wanted() {
    let path = |end| {
        let name = format!("twofold-best-{}.{end}", std::process::id());
        std::env::temp_dir().join(name).to_str().unwrap().to_owned()
    };
    let (games, book) = (path("pgn"), path("bin"));
    let game = |first: &str| format!("[Result \"1/2-1/2\"]\n\n1. {first} 1/2-1/2\n\n");
    let text = [["e4"; 3].map(game), ["d4", "d4", "c4"].map(game)].concat();
    fs::write(&games, text.concat()).unwrap();
    let build = ["book", "build", "--min-games", "1", "-o", &book, &games];
    assert_eq!(run(&build, "").0, 0);
    let mut engine = uci();
    engine.send("setoption name OwnBook value true");
    engine.send(&format!("setoption name Book File value {book}"));
    let mut choices = |best: bool| {
        engine.send(&format!("setoption name Best Book Move value {best}"));
        let mut seen = BTreeMap::new();
        for _ in 0..60 {
            let answer = searched(&mut engine, "wtime 60000 btime 60000");
            let chosen = best_move(answer.last().unwrap()).to_owned();
            *seen.entry(chosen).or_insert(0) += 1;
        }
        seen
    };
    assert_eq!(choices(true), BTreeMap::from([("e2e4".to_owned(), 60)]));
    let lots = choices(false);
    assert!(lots.len() > 1, "{lots:?}");
    for file in [games, book] {
        fs::remove_file(file).unwrap();
    }
}
