//! Chinese notation and its letters: a table of all the ways to name a piece, written and read;
//! and random games, in which every move must come back.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // That is how tests fail.

use twofold::game::{MoveTextError, Notation, Position, TextStyle};
use twofold::xiangqi::{Board, Move};

/// FEN, coordinates, Chinese, WXF, xqbase's letters, numbered pawns, older Chinese; `-` for none.
const TABLE: &str = include_str!("data/notation-xiangqi.tsv");

struct Row {
    board: Board,
    m: Move,
    cells: Vec<&'static str>,
}

fn rows() -> Vec<Row> {
    let lines = TABLE.lines().skip(1);
    let rows: Vec<Row> = lines
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            assert_eq!(cells.len(), 7, "{line}");
            let board = Board::from_fen(cells[0]).expect(line);
            let m = board.parse_move(cells[1], TextStyle::default());
            Row {
                m: m.expect(line),
                board,
                cells,
            }
        })
        .collect();
    assert_eq!(rows.len(), 82);
    rows
}

#[test]
fn every_row_of_the_table_is_written() {
    for row in rows() {
        let (chinese, wxf) = (row.cells[2], row.cells[3]);
        assert_eq!(row.board.write_chinese(row.m), chinese, "{:?}", row.cells);
        let is_middle = wxf.as_bytes()[..2].iter().all(u8::is_ascii_digit);
        let wxf = match is_middle {
            true => wxf.to_owned(),
            false => wxf.replace('.', "="),
        };
        assert_eq!(row.board.write_wxf(row.m), wxf, "{:?}", row.cells);
    }
}

#[test]
fn every_row_of_the_table_is_read() {
    for row in rows() {
        for text in row.cells[2..].iter().filter(|text| **text != "-") {
            let read = row.board.parse_relative(text);
            assert_eq!(read, Ok(row.m), "{text} in {:?}", row.cells);
            let through_seam = row.board.parse_move(text, TextStyle::default());
            assert_eq!(through_seam, Ok(row.m), "{text} in {:?}", row.cells);
        }
    }
}

/// Position, text, what it means (`-`: nothing, or several moves).
const OTHER_SPELLINGS: &[(&str, &str, &str)] = &[
    (Board::START_FEN, "炮2平5", "h2e2"),
    (Board::START_FEN, "砲二平五", "h2e2"),
    (Board::START_FEN, " 炮 ２ 平 ５ ", "h2e2"),
    (Board::START_FEN, "c2=5", "h2e2"),
    (Board::START_FEN, "c2.5", "h2e2"),
    (Board::START_FEN, "傌二進三", "h0g2"),
    (Board::START_FEN, "象三进五", "g0e2"),
    (Board::START_FEN, "n2+3", "h0g2"),
    (Board::START_FEN, "e3+5", "g0e2"),
    (Board::START_FEN, "俥九進一", "a0a1"),
    ("3k5/9/9/2C6/4P4/9/9/2C6/9/4K4 w", "+C.4", "c6f6"),
    ("3k5/9/9/2C6/4P4/9/9/2C6/9/4K4 w", "後包退一", "c2c1"),
    ("3k5/9/9/2N6/4P4/9/9/2N6/9/4K4 w", "-H+6", "c2d4"),
    ("3k5/9/9/2C6/4P4/9/9/2C6/9/4K4 w", "C7=4", "-"),
    ("3k5/9/9/2C6/4P4/9/9/2C6/9/4K4 w", "中炮平四", "-"),
    // Four and five on a file, the older way, with either kind of numerals.
    ("3k5/6P2/6P2/6P2/6P2/9/P8/9/9/4K4 w", "前兵平四", "g8f8"),
    ("3k5/6P2/6P2/6P2/6P2/9/P8/9/9/4K4 w", "二兵平四", "g7f7"),
    ("3k5/6P2/6P2/6P2/6P2/9/P8/9/9/4K4 w", "3兵平四", "g6f6"),
    ("3k5/6P2/6P2/6P2/6P2/9/P8/9/9/4K4 w", "后兵平四", "g5f5"),
    ("3k2P2/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w", "四兵平四", "g6f6"),
    ("3k2P2/6P2/6P2/6P2/6P2/9/9/9/9/4K4 w", "后兵平四", "g5f5"),
    // Two crowded files: the file may be added, and the piece left out.
    ("4k4/3P1P3/9/3P1P3/9/9/P8/9/9/3K5 w", "前四平五", "f8e8"),
    ("3k5/6P2/2P6/6P2/2P3P2/9/9/9/9/4K4 w", "中兵三平四", "g6f6"),
    ("3k5/9/9/9/9/2p3p2/2p6/6p2/2p6/5K3 b", "中卒3平4", "c3d3"),
    ("3k5/9/9/9/9/2p3p2/2p6/6p2/2p6/5K3 b", "后7平8", "g4h4"),
    // Without the file it is not said which pair is meant.
    ("4k4/3P1P3/9/3P1P3/9/9/P8/9/9/3K5 w", "前兵平五", "-"),
    // The middle pawn of file 3 by the standard; with the other sign the third pawn.
    ("3k5/6P2/2P6/6P2/2P3P2/9/9/9/9/4K4 w", "33.2", "g6h6"),
    ("3k5/6P2/2P6/6P2/2P3P2/9/9/9/9/4K4 w", "33=2", "g5h5"),
    // Three on one file, numbered.
    ("3k5/6P2/9/6P2/6P2/9/P8/9/9/4K4 w", "23=4", "g6f6"),
];

#[test]
fn other_spellings_are_understood_unless_they_are_vague() {
    for (fen, text, expected) in OTHER_SPELLINGS {
        let board = Board::from_fen(fen).unwrap();
        let read = board.parse_relative(text);
        let written = read.map(|m| board.write_move(m, TextStyle::default()));
        let expected = match *expected {
            "-" => Err(MoveTextError::Illegal),
            coordinates => Ok(coordinates.to_owned()),
        };
        assert_eq!(written, expected, "{text} in {fen}");
    }
}

#[test]
fn what_has_not_the_form_of_a_move_is_malformed() {
    let board = Board::start();
    for text in [
        "",
        "炮",
        "炮二",
        "炮二平",
        "二平五",
        "平五",
        "炮二平五五",
        "炮二平炮",
        "X2=5",
        "C2*5",
        "C2=",
        "=5",
        "C2=0",
        "前前前前前前",
        "\u{1f600}",
        "é2=5",
    ] {
        let read = board.parse_relative(text);
        assert_eq!(read, Err(MoveTextError::Malformed), "{text:?}");
    }
    assert_eq!(
        board.parse_relative("炮二进八"),
        Err(MoveTextError::Illegal)
    );
}

#[test]
fn every_move_of_random_games_comes_back() {
    let mut state: u64 = 20_261_130;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % below
    };
    let mut moves_seen = 0;
    for _ in 0..60 {
        let mut board = Board::start();
        for _ in 0..120 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            for m in &moves {
                for text in [board.write_chinese(*m), board.write_wxf(*m)] {
                    let read = board.parse_relative(&text);
                    let fen = board.to_fen(TextStyle::default());
                    assert_eq!(read, Ok(*m), "{text} in {fen}");
                }
                moves_seen += 1;
            }
            // Pawns ahead, and captures seldom, so that files fill with pawns.
            let quiet: Vec<Move> = moves
                .iter()
                .copied()
                .filter(|m| !board.is_noisy(*m))
                .collect();
            let m = match quiet.is_empty() || random(8) == 0 {
                true => moves[random(moves.len())],
                false => quiet[random(quiet.len())],
            };
            board.make(m, &mut ());
        }
    }
    assert!(moves_seen > 100_000, "{moves_seen}");
}
