//! Syzygy tables: what they say against what another prober says, files that are damaged in every
//! way, and the engine's use of them. What needs real tables takes those of `../shared`, where they
//! are; all else is done with tables of our own making.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // That is how tests fail.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/process.rs"]
mod process;
#[path = "support/tables.rs"]
mod tables;

use std::fs;
use std::path::{Path, PathBuf};

use folder::Folder;
use process::{Engine, best_move, field};
use tables::{LOSS, MADE_UP, WIN};
use twofold::chess::Board;
use twofold::game::{Arbiter, Notation, Position, Reason, Side, Tablebase, TextStyle, Wdl};
use twofold::tablebase::Syzygy;

/// FEN, result and distance, by python-chess 1.11.2.
const CASES: &str = include_str!("data/syzygy.tsv");

/// The tables for tests, where they are.
fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/syzygy");
    if !folder.is_dir() {
        println!("skipped: no ../shared");
        return None;
    }
    Some(folder)
}

fn cases() -> impl Iterator<Item = (Board, i32, i32)> {
    CASES.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let number = |at: usize| cells[at].parse().unwrap();
        (Board::from_fen(cells[0]).unwrap(), number(1), number(2))
    })
}

#[test]
fn results_and_distances_are_those_of_another_prober() {
    let Some(folder) = folder() else { return };
    let (tables, refused) = Syzygy::open(folder.to_str().unwrap()).unwrap();
    assert_eq!(refused, Vec::<String>::new());
    assert_eq!((tables.files(), tables.largest()), ([35, 35], 4));
    let mut count = 0;
    for (board, result, distance) in cases() {
        let fen = board.to_fen(TextStyle::default());
        assert_eq!(
            tables.wdl(&board).map(|wdl| wdl.number()),
            Some(result),
            "{fen}"
        );
        assert_eq!(tables.distance_to_zeroing(&board), Some(distance), "{fen}");
        count += 1;
    }
    assert!(count > 100, "{count}");
}

#[test]
fn what_no_table_has_is_not_answered() {
    let scratch = Folder::new("syzygy-unknown");
    tables::write(&scratch.0, MADE_UP);
    for path in [Some(scratch.0.clone()), folder()].into_iter().flatten() {
        let (tables, _) = Syzygy::open(path.to_str().unwrap()).unwrap();
        for fen in [
            Board::START_FEN,
            "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1",
            "4k3/8/8/8/8/8/8/1RR1K2R w - - 0 1",
        ] {
            let board = Board::from_fen(fen).unwrap();
            assert_eq!(tables.wdl(&board), None, "{fen}");
            assert_eq!(tables.distance_to_zeroing(&board), None, "{fen}");
        }
        let kings = Board::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        assert_eq!(tables.distance_to_zeroing(&kings), Some(0));
    }
}

#[test]
fn the_sides_are_told_apart_and_captures_come_first() {
    let scratch = Folder::new("syzygy-sides");
    tables::write(&scratch.0, MADE_UP);
    let (tables, refused) = Syzygy::open(scratch.path()).unwrap();
    assert_eq!(refused, Vec::<String>::new());
    assert_eq!((tables.files(), tables.largest()), ([7, 0], 4));
    for (fen, expected) in [
        ("8/8/8/3k4/8/8/8/R3K3 w - - 0 1", Wdl::Win),
        ("8/8/8/3k4/8/8/8/R3K3 b - - 0 1", Wdl::Loss),
        // Colours exchanged.
        ("8/8/8/3K4/8/8/8/r3k3 w - - 0 1", Wdl::Loss),
        ("8/8/8/3K4/8/8/8/r3k3 b - - 0 1", Wdl::Win),
        // The rook is lost, whatever its table says; the knight takes it and wins anyway.
        ("8/8/8/8/8/8/1k6/R3K3 b - - 0 1", Wdl::Draw),
        ("8/8/8/3k4/8/1n6/8/R3K3 b - - 0 1", Wdl::Win),
        // To take the knight wins, where the table has a loss.
        ("8/8/8/3k4/8/n7/8/R3K3 w - - 0 1", Wdl::Win),
        ("8/8/2n5/3k4/8/8/8/R3K3 w - - 0 1", Wdl::Loss),
        ("8/P7/8/3k4/8/8/8/4K3 b - - 0 1", Wdl::Loss),
        ("8/8/8/3K4/8/8/7p/4k3 b - - 0 1", Wdl::Win),
        ("8/8/8/3k4/8/8/8/1BN1K3 w - - 0 1", Wdl::CursedWin),
        ("8/8/8/3k4/8/8/8/1BN1K3 b - - 0 1", Wdl::BlessedLoss),
    ] {
        let board = Board::from_fen(fen).unwrap();
        assert_eq!(tables.wdl(&board), Some(expected), "{fen}");
    }
}

/// A table of results by chance, the same in every run.
fn by_chance(name: &str) -> Vec<u8> {
    let mut random = Random(5);
    tables::by_chance(name, || random.below(256) as u8)
}

/// The board of a queen and the kings on these squares, White to move, if it is one.
fn queen_board([queen, white, black]: [usize; 3]) -> Option<Board> {
    let mut squares = [' '; 64];
    for (square, piece) in [(queen, 'Q'), (white, 'K'), (black, 'k')] {
        squares[square] = piece;
    }
    let ranks: Vec<String> = squares
        .chunks(8)
        .map(|rank| rank.iter().collect::<String>().replace(' ', "1"))
        .collect();
    Board::from_fen(&format!("{} w - - 0 1", ranks.join("/"))).ok()
}

/// Compressed values are found again: those of a position are those of its reflections, whichever
/// they are.
#[test]
fn reflected_positions_have_one_value() {
    let scratch = Folder::new("syzygy-reflected");
    scratch.put("KQvK.rtbw", by_chance("KQvK"));
    let (tables, _) = Syzygy::open(scratch.path()).unwrap();
    let mut random = Random(20_261_201);
    let mut seen = [0; 5];
    for _ in 0..2000 {
        let squares = [64; 3].map(|bound| random.below(bound));
        let Some(board) = queen_board(squares) else {
            continue;
        };
        let value = tables.wdl(&board).expect("a value");
        seen[(value.number() + 2) as usize] += 1;
        for reflection in [7, 56, 63] {
            let reflected = squares.map(|square| square ^ reflection);
            let turned = reflected.map(|square| square >> 3 | (square & 7) << 3);
            for squares in [reflected, turned] {
                let board = queen_board(squares).unwrap();
                assert_eq!(tables.wdl(&board), Some(value), "{squares:?}");
            }
        }
    }
    // By the four symbols.
    assert!([0, 2, 3, 4].iter().all(|at| seen[*at] > 100), "{seen:?}");
    assert_eq!(seen[1], 0);
}

#[test]
fn bad_files_are_refused_with_a_line_each() {
    let good = by_chance("KQvK");
    let scratch = Folder::new("syzygy-refused");
    scratch.put("KQvK.rtbw", &good);
    scratch.put("KRvK.rtbw", &good);
    scratch.put("KBvK.rtbw", &good[..good.len() - 1]);
    scratch.put("KNvK.rtbw", b"no table");
    scratch.put("KQvK.rtbz", &good);
    scratch.put("QKvK.rtbw", &good);
    scratch.put("KRvKN.rtbw", b"");
    let pawn = tables::constant("KPvK", [WIN, LOSS]);
    scratch.put("KPvK.rtbw", &pawn[..16]);
    scratch.put("KPPvK.rtbw", &pawn);
    let shorter = by_chance("KNvKB");
    scratch.put("KNvKB.rtbw", &shorter[..shorter.len() - 128]);
    scratch.put("notes.txt", b"left alone");
    let (tables, refused) = Syzygy::open(scratch.path()).unwrap();
    assert_eq!(tables.files(), [1, 0]);
    let names: Vec<&str> = refused
        .iter()
        .map(|text| text.split(':').next().unwrap())
        .collect();
    let expected = [
        "KBvK.rtbw",
        "KNvK.rtbw",
        "KNvKB.rtbw",
        "KPPvK.rtbw",
        "KPvK.rtbw",
        "KQvK.rtbz",
        "KRvK.rtbw",
        "KRvKN.rtbw",
        "QKvK.rtbw",
    ];
    assert_eq!(names, expected, "{refused:#?}");
    assert!(refused.iter().all(|text| text.lines().count() == 1));
    let missing = Syzygy::open("/no/such/folder").unwrap_err().to_string();
    assert!(missing.contains("/no/such/folder"), "{missing}");
    let nothing = Folder::new("syzygy-nothing");
    assert!(Syzygy::open(nothing.path()).is_err());
    let both = format!("{};{}", nothing.path(), scratch.path());
    assert_eq!(Syzygy::open(&both).unwrap().0.files(), [1, 0]);
}

/// Random numbers: a linear congruence suffices to choose bytes.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % bound
    }
}

/// Probes whatever can be probed; what comes out of a damaged file is of no interest.
fn probe_all(folder: &str, boards: &[Board]) {
    if let Ok((tables, _)) = Syzygy::open(folder) {
        for board in boards {
            let _ = tables.wdl(board);
            let _ = tables.distance_to_zeroing(board);
            let _ = tables.root(board, true);
        }
    }
}

/// A file with damage of one of four kinds.
fn damaged(whole: &[u8], kind: u32, random: &mut Random) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    match kind {
        // In the header, where most depends on most.
        0 | 1 => {
            for _ in 0..=random.below(3) {
                let at = 4 + random.below(300.min(bytes.len()) - 4);
                bytes[at] ^= 1 << random.below(8);
            }
        }
        2 => {
            for _ in 0..200 {
                let at = 4 + random.below(bytes.len() - 4);
                bytes[at] = random.below(256) as u8;
            }
        }
        // Cut at a length that looks right.
        _ => bytes.truncate(64 * random.below(bytes.len() / 64) + 16),
    }
    bytes
}

#[test]
fn no_damage_to_a_file_does_harm() {
    let mut endgames = vec![
        vec![("KQvK.rtbw".to_owned(), by_chance("KQvK"))],
        vec![(
            "KPvK.rtbw".to_owned(),
            tables::constant("KPvK", [WIN, LOSS]),
        )],
    ];
    if let Some(folder) = folder() {
        for name in ["KQvK", "KPvK", "KPvKP", "KBvKP", "KRvKN"] {
            let files = ["rtbw", "rtbz"].map(|kind| format!("{name}.{kind}"));
            let read = |file: String| {
                let bytes = fs::read(folder.join(&file)).unwrap();
                (file, bytes)
            };
            endgames.push(files.map(read).into());
        }
    }
    let boards: Vec<Board> = cases()
        .map(|(board, ..)| board)
        .filter(|board| board.to_fen(TextStyle::default()).len() < 40)
        .step_by(3)
        .collect();
    let scratch = Folder::new("syzygy-damaged");
    let mut random = Random(20_261_130);
    for files in endgames {
        for round in 0..120 {
            for (file, whole) in &files {
                scratch.put(file, damaged(whole, round % 4, &mut random));
            }
            probe_all(scratch.path(), &boards);
        }
        for (file, _) in files {
            fs::remove_file(scratch.0.join(file)).unwrap();
        }
    }
}

#[test]
fn a_file_that_shrinks_after_it_was_checked_does_no_harm() {
    let scratch = Folder::new("syzygy-shrinking");
    scratch.put("KQvK.rtbw", by_chance("KQvK"));
    let (tables, _) = Syzygy::open(scratch.path()).unwrap();
    let board = Board::from_fen("8/8/8/3k4/8/8/8/Q3K3 w - - 0 1").unwrap();
    assert!(tables.wdl(&board).is_some());
    scratch.put("KQvK.rtbw", &tables::constant("KQvK", [WIN, LOSS])[..4]);
    assert_eq!(tables.wdl(&board), None);
}

/// Mates with bishop and knight take long: with the clock far gone they come too late.
#[test]
fn the_clock_turns_wins_into_draws_unless_it_is_not_played() {
    let Some(folder) = folder() else { return };
    let (tables, _) = Syzygy::open(folder.to_str().unwrap()).unwrap();
    let advice = |clock: u32, clock_counts| {
        let fen = format!("8/8/8/8/8/2k5/8/KBN5 w - - {clock} 60");
        let board = Board::from_fen(&fen).unwrap();
        assert!(tables.distance_to_zeroing(&board).unwrap() > 40);
        tables.root(&board, clock_counts).unwrap()
    };
    let best = |clock, clock_counts| {
        let advice = advice(clock, clock_counts);
        let best = advice.iter().max_by_key(|advice| advice.rank).unwrap();
        let equal = advice.iter().filter(|advice| advice.rank == best.rank);
        (best.wdl, equal.count())
    };
    assert_eq!(best(0, true).0, Wdl::Win);
    assert_eq!(best(80, true).0, Wdl::CursedWin);
    assert_eq!(best(80, false).0, Wdl::Win);
    // With time enough the search may choose; without, only the shortest way is left.
    assert!(best(0, true).1 > best(80, true).1);
}

/// Shallow searches mate with bishop and knight, against the longest defence.
#[test]
fn a_won_game_is_won_within_fifty_moves() {
    let Some(folder) = folder() else { return };
    let mut engine = engine_with_tables(&folder);
    let (tables, _) = Syzygy::open(folder.to_str().unwrap()).unwrap();
    let start = "8/8/8/3k4/8/8/8/KBN5 w - - 0 1";
    let mut board = Board::from_fen(start).unwrap();
    let mut moves = String::new();
    while board.ending().is_none() {
        let m = match board.side_to_move() {
            Side::First => {
                engine.send(&format!("position fen {start} moves{moves}"));
                engine.send("go depth 3");
                let answer = engine.answer();
                let text = best_move(answer.last().unwrap()).to_owned();
                board.parse_move(&text, TextStyle::default()).unwrap()
            }
            Side::Second => {
                let distance = |m| {
                    let mut after = board.clone();
                    after.make(m, &mut ());
                    tables.distance_to_zeroing(&after)
                };
                board
                    .legal_moves()
                    .into_iter()
                    .max_by_key(|m| distance(*m))
                    .unwrap()
            }
        };
        moves += " ";
        moves += &board.write_move(m, TextStyle::default());
        board.make(m, &mut ());
    }
    assert_eq!(board.ending().unwrap().reason, Reason::Checkmate, "{moves}");
}

fn engine_with_tables(folder: &Path) -> Engine {
    let mut engine = Engine::start(&["uci"]);
    let path = folder.to_str().unwrap();
    engine.send(&format!("setoption name SyzygyPath value {path}"));
    let said = engine.sync();
    let expected = "info string SyzygyPath: 35 tables of results and 35 of distances, up to 4 men";
    assert!(said.iter().any(|line| line == expected), "{said:?}");
    engine
}

#[test]
fn the_engine_plays_what_the_tables_say() {
    let Some(folder) = folder() else { return };
    let mut engine = engine_with_tables(&folder);
    // A win, a draw, a loss.
    for (fen, score) in [
        ("8/8/8/8/3k4/8/3K4/3Q4 w - - 0 1", "2"),
        ("8/8/8/8/3k4/8/8/2BK4 w - - 0 1", "0"),
        ("8/8/8/8/3k4/8/3K4/3Q4 b - - 0 1", "-"),
    ] {
        engine.send(&format!("position fen {fen}"));
        engine.send("go depth 4");
        let answer = engine.answer();
        let last = answer
            .iter()
            .rfind(|line| line.contains(" score "))
            .unwrap();
        let shown = field(last, "cp").or(field(last, "mate")).unwrap();
        assert!(
            shown.starts_with(score) || last.contains("score mate"),
            "{last}"
        );
    }
    // Below the root: five men, but four after a capture.
    engine.send("position fen 8/8/8/8/3k4/2r5/3K4/R3N3 b - - 0 1");
    engine.send("go depth 8");
    let answer = engine.answer();
    let last = answer
        .iter()
        .rfind(|line| line.contains(" score "))
        .unwrap();
    assert_ne!(field(last, "tbhits"), Some("0"), "{last}");
    // The limit switches them off.
    engine.send("setoption name SyzygyProbeLimit value 0");
    engine.send("go depth 6");
    let answer = engine.answer();
    let last = answer
        .iter()
        .rfind(|line| line.contains(" score "))
        .unwrap();
    assert_eq!(field(last, "tbhits"), Some("0"), "{last}");
}

/// The last iteration's lines: move, and centipawns unless it is a mate.
fn lines_of(engine: &mut Engine, fen: &str) -> Vec<(String, Option<i32>)> {
    engine.send(&format!("position fen {fen}"));
    engine.send("go depth 5");
    let answer = engine.answer();
    let last = answer
        .iter()
        .filter(|line| line.starts_with("info depth 5 "));
    let line = |text: &String| {
        let score = field(text, "cp").map(|score| score.parse().unwrap());
        (field(text, "pv").unwrap().to_owned(), score)
    };
    let mut lines: Vec<_> = last.map(line).collect();
    // The best line is told again at the end.
    lines.pop();
    lines
}

#[test]
fn all_lines_are_ranked_by_the_tables() {
    let Some(folder) = folder() else { return };
    let (tables, _) = Syzygy::open(folder.to_str().unwrap()).unwrap();
    let mut engine = engine_with_tables(&folder);
    engine.send("setoption name MultiPV value 60");
    // Won with queens to hang, won by the shortest way only, drawn with moves that lose, lost.
    for fen in [
        "8/8/8/8/3k4/8/3K4/3Q4 w - - 0 1",
        "8/8/8/8/8/2k5/8/KBN5 w - - 80 60",
        "8/8/8/8/3k4/3p4/3K4/8 w - - 0 1",
        "8/8/8/3k4/3P4/3K4/8/8 b - - 0 1",
        "8/8/8/8/3k4/8/3K4/3Q4 b - - 0 1",
    ] {
        let board = Board::from_fen(fen).unwrap();
        let advice = tables.root(&board, true).unwrap();
        let told = lines_of(&mut engine, fen);
        assert_eq!(told.len(), advice.len(), "{fen}: {told:?}");
        let of = |text: &str| {
            let m = board.parse_move(text, TextStyle::default()).unwrap();
            advice.iter().find(|advice| advice.m == m).unwrap()
        };
        assert!(
            told.is_sorted_by(|a, b| of(&a.0).rank >= of(&b.0).rank),
            "{fen}: {told:?}"
        );
        for (text, score) in told {
            let sign = match of(&text).wdl {
                Wdl::Win => 10_000..20_001,
                Wdl::Loss => -20_000..-10_000,
                _ => -2..3,
            };
            assert!(
                score.is_none_or(|score| sign.contains(&score)),
                "{fen} {text}: {score:?}"
            );
        }
    }
}

#[test]
fn a_folder_that_is_not_there_is_one_line() {
    let mut engine = Engine::start(&["uci"]);
    engine.send("setoption name SyzygyPath value /no/such/folder");
    let said = engine.sync();
    let about: Vec<_> = said
        .iter()
        .filter(|line| line.contains("SyzygyPath"))
        .collect();
    assert_eq!(about.len(), 1, "{said:?}");
    assert!(about[0].ends_with("no tables are used"), "{about:?}");
    engine.send("go depth 1");
    assert!(engine.answer().last().unwrap().starts_with("bestmove"));
}
