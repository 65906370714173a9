//! Opening books: built from games, shown, and played from by the real binary.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // That is how tests fail.

#[path = "support/folder.rs"]
mod folder;
#[path = "support/process.rs"]
mod process;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use folder::Folder;
use process::{Engine, best_move, run};

/// What a command that succeeds prints: books are shown with Chinese characters.
fn out(arguments: &[&str]) -> Vec<String> {
    let program = env!("CARGO_BIN_EXE_twofold");
    let output = Command::new(program).args(arguments).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {stderr}");
    assert_eq!(stderr, "", "{arguments:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// The command fails with exit code 2 and one line on standard error that says this.
fn refused(arguments: &[&str], says: &str) {
    let (code, lines, stderr) = run(arguments, "");
    assert_eq!(code, 2, "{arguments:?}: {stderr}");
    assert!(lines.is_empty(), "{lines:?}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.contains(says), "{stderr}");
}

const CHESS_GAMES: &str = "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O 1-0\n\n\
    [Result \"1/2-1/2\"]\n\n1. e4 c5 1/2-1/2\n\n\
    [Result \"0-1\"]\n\n1. d4 d5 2. Qd9 0-1\n";

fn chess_book(scratch: &Folder) -> String {
    let (games, book) = (
        scratch.put("games.pgn", CHESS_GAMES),
        scratch.file("book.bin"),
    );
    let lines = out(&["book", "build", "--min-games", "1", "-o", &book, &games]);
    assert_eq!(lines.len(), 2);
    assert!(
        lines[0].starts_with("1 games end at what is not legal, first at"),
        "{lines:?}"
    );
    assert!(lines[0].ends_with("games.pgn:11: 'Qd9'"), "{lines:?}");
    // Of the seven moves of the game that White won White's four, and Black's two answers of the
    // other games.
    assert!(
        lines[1].ends_with("book.bin: 6 entries from 3 games"),
        "{lines:?}"
    );
    book
}

#[test]
fn a_book_of_chess_is_built_and_shown() {
    let scratch = Folder::new("books-chess");
    let book = chess_book(&scratch);
    let lines = out(&["book", "show", &book]);
    assert!(lines[0].ends_with("book.bin: Polyglot book, 6 entries"));
    assert!(lines[1].starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"));
    assert_eq!(lines[2..], ["e2e4  e4  3  100.0%"]);
    let castling = out(&["book", "show", &book, "--moves", "e4 e5 Nf3 b8c6 Bc4 Bc5"]);
    assert_eq!(castling[2..], ["e1g1  O-O  2  100.0%"]);
    let ahead = out(&["book", "show", &book, "--depth", "2"]);
    assert_eq!(ahead[3..], ["  c7c5  c5  1  100.0%"]);
    let unknown = out(&["book", "show", &book, "--fen", "4k3/8/8/8/8/8/8/4K2R w K -"]);
    assert_eq!(unknown[2..], ["not in the book"]);
}

#[test]
fn a_book_of_xiangqi_is_built_from_every_notation_and_shown() {
    let scratch = Folder::new("books-xiangqi");
    let games = scratch.put(
        "games.pgn",
        "[Result \"1-0\"]\n\n1. 炮二平五 马８进７ 2. 马二进三 1-0\n\n\
         [Result \"1-0\"]\n\n1. C2.5 H8+7 2. H2+3 1-0\n\n\
         [Result \"1/2-1/2\"]\n\n1. B2-E2 B9-C7 1/2-1/2\n",
    );
    let book = scratch.file("BOOK.DAT");
    let build = [
        "book",
        "build",
        "--game",
        "xiangqi",
        "--min-games",
        "1",
        "-o",
        &book,
        &games,
    ];
    assert!(out(&build)[0].ends_with("BOOK.DAT: 4 entries from 3 games"));
    let lines = out(&["book", "show", &book]);
    let either = [
        "b2e2  C8=5  炮八平五  5  50.0%",
        "h2e2  C2=5  炮二平五  5  50.0%",
    ];
    assert!(
        either
            .iter()
            .all(|line| lines.iter().any(|own| own == line)),
        "{lines:?}"
    );
    // The mirror image of the game in coordinates is the same game.
    let reply = out(&["book", "show", &book, "--moves", "炮二平五"]);
    assert_eq!(reply[2..], ["h9g7  H8+7  马８进７  1  100.0%"]);
}

#[test]
fn games_of_self_play_make_a_book() {
    let scratch = Folder::new("books-selfplay");
    let (data, book) = (scratch.file("data"), scratch.file("book.bin"));
    out(&["datagen", "--games", "2", "--nodes", "60", "--out", &data]);
    let plan = ["--min-games", "1", "--plies", "24"];
    let build = [&["book", "build"], &plan[..], &["-o", &book, &data]].concat();
    let lines = out(&build);
    assert!(lines[0].ends_with("entries from 2 games"), "{lines:?}");
    let shown = out(&["book", "show", &book]);
    assert!(!shown[0].contains(" 0 entries"), "{shown:?}");
    let other = [
        &["book", "build", "--game", "xiangqi"],
        &plan[..],
        &["-o", &book],
    ]
    .concat();
    let shard = fs::read_dir(&data).unwrap().next().unwrap().unwrap().path();
    refused(
        &[&other[..], &[shard.to_str().unwrap()]].concat(),
        "games of chess",
    );
}

#[test]
fn what_is_no_book_is_refused_in_one_line() {
    let scratch = Folder::new("books-damaged");
    let book = chess_book(&scratch);
    let mut bytes = fs::read(&book).unwrap();
    bytes.reverse();
    fs::write(&book, &bytes).unwrap();
    refused(
        &["book", "show", &book],
        "is out of order: a damaged book, or no Polyglot book",
    );
    refused(
        &["book", "show", &book, "--game", "xiangqi"],
        "no XQBase book",
    );
    fs::write(&book, &bytes[..33]).unwrap();
    refused(
        &["book", "show", &book],
        "33 bytes are no whole number of entries",
    );
    refused(&["book", "show", &scratch.file("none.bin")], "none.bin");
    refused(
        &["book", "build", "-o", &book, &scratch.file("none.pgn")],
        "none.pgn",
    );
    let empty = scratch.put("empty.pgn", "");
    refused(
        &["book", "build", "-o", &book, &empty],
        "no move of the first 30 plies",
    );

    let mut engine = Engine::start(&["uci"]);
    engine.send("setoption name OwnBook value true");
    engine.send(&format!("setoption name Book File value {book}"));
    let said = engine.sync();
    let about: Vec<_> = said
        .iter()
        .filter(|line| line.contains("Book File"))
        .collect();
    assert_eq!(about.len(), 1, "{said:?}");
    assert!(about[0].ends_with("no such book is used"), "{about:?}");
    engine.send("go depth 1");
    assert!(engine.answer().last().unwrap().starts_with("bestmove"));
    // The same name again, of a book that was mended meanwhile.
    bytes.reverse();
    fs::write(&book, &bytes).unwrap();
    engine.send(&format!("setoption name Book File value {book}"));
    assert!(engine.sync().is_empty());
    engine.send("go wtime 60000 btime 60000");
    let answer = engine.answer();
    assert!(answer[answer.len() - 2].contains(" nodes 0 "), "{answer:?}");
}

#[test]
fn the_engine_plays_from_the_book_when_it_may() {
    let scratch = Folder::new("books-engine");
    let book = chess_book(&scratch);
    let mut engine = Engine::start(&["uci"]);
    engine.send(&format!("setoption name Book File value {book}"));
    let is_from_book = |lines: &[String]| lines[lines.len() - 2].contains(" nodes 0 ");
    engine.send("go depth 2");
    assert!(
        !is_from_book(&engine.answer()),
        "off unless it is switched on"
    );
    engine.send("setoption name OwnBook value true");
    engine.send("go wtime 60000 btime 60000");
    let answer = engine.answer();
    assert!(is_from_book(&answer), "{answer:?}");
    assert_eq!(answer.last().unwrap(), "bestmove e2e4 ponder c7c5");
    assert!(
        answer[answer.len() - 2].ends_with(" pv e2e4 c7c5"),
        "{answer:?}"
    );
    engine.send("position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
    engine.send("go movetime 100");
    assert_eq!(best_move(engine.answer().last().unwrap()), "e1g1");
    // Analysis thinks for itself, and so does a search of other moves.
    engine.send("position startpos");
    engine.send("go depth 2 searchmoves a2a3 b2b3");
    assert!(!is_from_book(&engine.answer()));
    engine.send("setoption name UCI_AnalyseMode value true");
    engine.send("go nodes 100");
    engine.send("stop");
    assert!(!is_from_book(&engine.answer()));
    engine.send("setoption name UCI_AnalyseMode value false");
    // A move of the book waits for the ponder hit like any other.
    engine.send("go ponder wtime 60000 btime 60000");
    engine.no_answer_for(std::time::Duration::from_millis(300));
    engine.send("ponderhit");
    assert_eq!(best_move(engine.answer().last().unwrap()), "e2e4");
}

/// Position, moves of the book with their weights, as the format's specification has them.
const VECTORS: &[(&str, &[&str])] = &[
    (
        "",
        &[
            "h2e2 1473",
            "b2e2 1473",
            "g3g4 546",
            "c3c4 546",
            "g0e2 311",
            "c0e2 311",
            "b0c2 89",
        ],
    ),
    ("b2e2", &["b9c7 761", "h9g7 172", "b7e7 97", "h7e7 1"]),
    ("h2e2", &["h9g7 761", "b9c7 172", "h7e7 97", "b7e7 1"]),
    ("h2e2 b9c7", &["h0g2 226", "c3c4 16", "g3g4 1"]),
];

/// A book of the entries above, as bytes by the format's specification. After h2e2 the mirror image
/// of the position after b2e2 is to be found.
fn small_xqbase_book(scratch: &Folder) -> String {
    let square =
        |text: &[u8]| 16 * (12 - u16::from(text[1] - b'0')) + u16::from(text[0] - b'a') + 3;
    let mut bytes = Vec::new();
    for (lock, at) in [(0x0526_56D5_u32, 0), (0x4901_3568, 3), (0x5396_644F, 1)] {
        for entry in VECTORS[at].1 {
            let (m, weight) = entry.split_once(' ').unwrap();
            let (from, to) = m.as_bytes().split_at(2);
            bytes.extend(lock.to_le_bytes());
            bytes.extend((square(from) | square(to) << 8).to_le_bytes());
            bytes.extend(weight.parse::<u16>().unwrap().to_le_bytes());
        }
    }
    let path = scratch.file("SMALL.DAT");
    fs::write(&path, bytes).unwrap();
    path
}

/// The books to read, with the number of their entries: our own, and the one of `../shared`, where
/// that is.
fn xqbase_books(scratch: &Folder) -> Vec<(String, u32)> {
    let mut books = vec![(small_xqbase_book(scratch), 14)];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/xiangqi/BOOK.DAT");
    if path.is_file() {
        books.push((path.to_str().unwrap().to_owned(), 12_081));
    } else {
        println!("skipped: no ../shared");
    }
    books
}

#[test]
fn the_book_of_other_programs_is_read_as_they_read_it() {
    let scratch = Folder::new("books-xqbase");
    for (book, entries) in xqbase_books(&scratch) {
        for (moves, expected) in VECTORS {
            let lines = out(&["book", "show", &book, "--moves", moves]);
            let title = format!("XQBase book, {entries} entries");
            assert!(lines[0].ends_with(&title), "{}", lines[0]);
            let found: Vec<String> = lines[2..]
                .iter()
                .map(|line| {
                    let words: Vec<&str> = line.split_whitespace().collect();
                    format!("{} {}", words[0], words[3])
                })
                .collect();
            for entry in *expected {
                assert!(found.iter().any(|own| own == entry), "{entry} in {found:?}");
            }
        }
    }
}

#[test]
fn ucci_plays_from_the_books_it_is_given() {
    let scratch = Folder::new("books-ucci");
    for (book, _) in xqbase_books(&scratch) {
        let mut engine = Engine::start(&["ucci"]);
        engine.send(&format!("setoption bookfiles /no/such.dat;{book}"));
        engine.send("setoption bestbookmove true");
        engine.send("position startpos moves h2e2");
        engine.send("go time 60000 increment 0");
        assert_eq!(best_move(engine.answer().last().unwrap()), "h9g7");
        // What is banned is not played, from a book neither.
        engine.send("banmoves h9g7");
        engine.send("go time 60000 increment 0");
        assert_eq!(best_move(engine.answer().last().unwrap()), "b9c7");
        engine.send("setoption usebook false");
        engine.send("go depth 2");
        let answer = engine.answer();
        assert!(
            !answer[answer.len() - 2].contains(" nodes 0 "),
            "{answer:?}"
        );
    }
}

#[test]
fn ucci_plays_the_best_move_of_a_book_every_time_where_that_is_wanted() {
    let scratch = Folder::new("books-best");
    let book = small_xqbase_book(&scratch);
    let mut engine = Engine::start(&["ucci"]);
    engine.send(&format!("setoption bookfiles {book}"));
    engine.send("position startpos moves h2e2");
    // By weight three in four of the answers would be the best one anyway.
    let mut choices = |best: bool, randomness: &str| {
        engine.send(&format!("setoption bestbookmove {best}"));
        engine.send(&format!("setoption randomness {randomness}"));
        let mut seen = BTreeSet::new();
        for _ in 0..80 {
            engine.send("go time 60000 increment 0");
            seen.insert(best_move(engine.answer().last().unwrap()).to_owned());
        }
        seen
    };
    let best = BTreeSet::from(["h9g7".to_owned()]);
    assert_eq!(choices(true, "small"), best);
    assert_eq!(choices(false, "none"), best);
    assert!(choices(false, "small").len() > 1);
}
