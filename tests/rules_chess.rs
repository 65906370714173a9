//! The laws of chess where they are easily got wrong: each rule has its position.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // That is how tests fail.

use twofold::chess::{Board, Square};
use twofold::game::{
    Arbiter, CastlingText, Ending, MoveTextError, Notation, Outcome, Position, Reason, Side,
    TextStyle, Verdict,
};

const CHESS: TextStyle = TextStyle {
    castling: CastlingText::KingTarget,
    ranks: twofold::game::RankBase::Zero,
};
const CHESS960: TextStyle = TextStyle {
    castling: CastlingText::KingTakesRook,
    ranks: twofold::game::RankBase::Zero,
};

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The position after these moves.
fn play(fen: &str, moves: &str) -> Board {
    let mut board = board(fen);
    for text in moves.split_whitespace() {
        let m = board
            .parse_move(text, CHESS)
            .unwrap_or_else(|error| panic!("{text}: {error}"));
        board.make(m, &mut ());
    }
    board
}

fn is_legal(fen: &str, text: &str) -> bool {
    board(fen).parse_move(text, CHESS960).is_ok()
}

fn draw(reason: Reason) -> Option<Ending> {
    Some(Ending {
        outcome: Outcome::Draw,
        reason,
    })
}

#[test]
fn castling_needs_all_six_conditions() {
    let cases = [
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            true,
            true,
            "nothing in the way",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1",
            false,
            true,
            "king's rook has moved",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w kq - 0 1",
            false,
            false,
            "king has moved",
        ),
        (
            "4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1",
            false,
            false,
            "knights in the way",
        ),
        (
            "4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1",
            false,
            false,
            "in check",
        ),
        (
            "4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1",
            false,
            true,
            "through an attacked square",
        ),
        (
            "4k3/8/8/8/6r1/8/8/R3K2R w KQ - 0 1",
            false,
            true,
            "into an attacked square",
        ),
        (
            "4k3/8/8/8/7r/8/8/R3K2R w KQ - 0 1",
            true,
            true,
            "king's rook attacked",
        ),
        (
            "4k3/8/8/8/1r6/8/8/R3K2R w KQ - 0 1",
            true,
            true,
            "only the rook's path attacked",
        ),
        (
            "4k3/8/8/8/2r5/8/8/R3K2R w KQ - 0 1",
            true,
            false,
            "c1 attacked",
        ),
        (
            "4k3/8/8/8/8/8/6p1/R3K2R w KQ - 0 1",
            false,
            true,
            "a pawn attacks f1",
        ),
    ];
    for (fen, kingside, queenside, why) in cases {
        assert_eq!(is_legal(fen, "e1h1"), kingside, "kingside: {why}");
        assert_eq!(is_legal(fen, "e1a1"), queenside, "queenside: {why}");
    }
}

#[test]
fn castling_rights_end_with_moves_of_king_and_rook_and_with_the_rook() {
    let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (moves, rights) in [
        ("e1e2 e8e7 e2e1 e7e8", "-"),
        ("h1g1", "Qkq"),
        ("a1a8", "Kk"),
        ("h1h8", "Qq"),
        ("e1g1 e8c8", "-"),
    ] {
        let fen = play(start, moves).to_fen(CHESS);
        assert_eq!(fen.split(' ').nth(2), Some(rights), "after {moves}");
    }
}

#[test]
fn castling_moves_king_and_rook_to_their_squares() {
    let after = play("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 7", "e1g1 e8c8");
    assert_eq!(after.to_fen(CHESS), "2kr3r/8/8/8/8/8/8/R4RK1 w - - 5 8");
    // Chess960: king and rook change places, or one of them stays.
    let cases = [
        (
            "4k3/8/8/8/8/8/8/5KR1 w G - 0 1",
            "f1g1",
            "4k3/8/8/8/8/8/8/5RK1 b - - 1 1",
        ),
        (
            "4k3/8/8/8/8/8/8/6KR w H - 0 1",
            "g1h1",
            "4k3/8/8/8/8/8/8/5RK1 b - - 1 1",
        ),
        (
            "4k3/8/8/8/8/8/8/3RK3 w D - 0 1",
            "e1d1",
            "4k3/8/8/8/8/8/8/2KR4 b - - 1 1",
        ),
        (
            "4k3/8/8/8/8/8/8/RK6 w A - 0 1",
            "b1a1",
            "4k3/8/8/8/8/8/8/2KR4 b - - 1 1",
        ),
    ];
    for (fen, text, expected) in cases {
        let mut board = board(fen);
        let m = board.parse_move(text, CHESS960).expect(text);
        board.make(m, &mut ());
        assert_eq!(board.to_fen(CHESS960), expected);
    }
}

#[test]
fn a_chess960_rook_may_shield_its_king_from_castling() {
    // The rook on a1 would attack the king on c1 once the rook on b1 has left.
    assert!(!is_legal("4k3/8/8/8/8/8/8/rRK5 w B - 0 1", "c1b1"));
    assert!(is_legal("4k3/8/8/8/8/8/8/bRK5 w B - 0 1", "c1b1"));
    assert!(is_legal("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "c1b1"));
}

#[test]
fn chess960_paths_must_be_free_of_all_but_the_two() {
    // The rook goes from g1 to f1, the king from b1 to g1.
    assert!(is_legal("4k3/8/8/8/8/8/8/1K4R1 w G - 0 1", "b1g1"));
    assert!(!is_legal("4k3/8/8/8/8/8/8/1KN3R1 w G - 0 1", "b1g1"));
    // From a1 the rook must pass b1, though the king does not.
    assert!(!is_legal("4k3/8/8/8/8/8/8/RN2K3 w A - 0 1", "e1a1"));
    // The king passes f1 unattacked, or may not castle.
    assert!(!is_legal("4k3/8/8/5r2/8/8/8/1K4R1 w G - 0 1", "b1g1"));
}

#[test]
fn there_is_no_vertical_castling() {
    // A pawn has just become a rook on e8, above a king that never moved.
    let board = play("8/4P1k1/8/8/8/8/8/4K2R w K - 0 1", "e7e8r g7f6");
    assert_eq!(
        board.parse_move("e1e8", CHESS960),
        Err(MoveTextError::Illegal)
    );
    assert!(board.parse_move("e1h1", CHESS960).is_ok());
    // Nor does a rook that the pawn became on the first rank inherit a right.
    let board = play("4k3/8/8/8/8/8/7p/R3K3 b Q - 0 1", "h2h1q");
    assert_eq!(board.to_fen(CHESS).split(' ').nth(2), Some("Q"));
}

#[test]
fn en_passant_square_is_kept_only_where_the_capture_is_legal() {
    let cases = [
        // A neighbour can capture.
        (
            "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",
            "e2e4",
            Some(Square::E3),
        ),
        // There is none.
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", None),
        // Both pawns leave the fourth rank at once: the rook would attack the king.
        ("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e2e4", None),
        // The same with the king on the other side, a queen and the captor beyond.
        ("8/8/8/8/1Q2p2k/8/3P4/4K3 w - - 0 1", "d2d4", None),
        // The captor is pinned on its file.
        ("3k4/8/8/8/3p4/8/4P3/3RK3 w - - 0 1", "e2e4", None),
        // The captor is pinned on the diagonal that it captures along.
        (
            "8/8/8/2k5/3p4/8/4PB2/4K3 w - - 0 1",
            "e2e4",
            Some(Square::E3),
        ),
        // The captor is pinned on the other diagonal.
        (
            "5k2/8/8/8/3p4/8/1B2P3/4K3 w - - 0 1",
            "e2e4",
            Some(Square::E3),
        ),
        ("8/6k1/8/8/3p4/8/1B2P3/4K3 w - - 0 1", "e2e4", None),
        // The pawn gives check itself and may be captured for that.
        (
            "8/8/8/3k4/3p4/8/4P3/4K3 w - - 0 1",
            "e2e4",
            Some(Square::E3),
        ),
        // The move uncovers a check that the capture does not end.
        (
            "8/8/8/8/3p4/7k/4P3/3B1K2 w - - 0 1",
            "e2e4",
            Some(Square::E3),
        ),
        ("8/8/8/7k/3p4/8/4P3/3B1K2 w - - 0 1", "e2e4", None),
    ];
    for (fen, text, expected) in cases {
        let after = play(fen, text);
        assert_eq!(after.state().en_passant(), expected, "{fen}");
        // The reader judges as the mover does.
        let mut fields: Vec<String> = after.to_fen(CHESS).split(' ').map(str::to_owned).collect();
        fields[3] = if text == "d2d4" { "d3" } else { "e3" }.to_owned();
        assert_eq!(board(&fields.join(" ")).state(), after.state(), "{fen}");
    }
}

#[test]
fn en_passant_of_either_of_two_captors() {
    // The d-pawn is pinned by the rook, the f-pawn is not.
    let after = play("3k4/8/8/8/3p1p2/8/4P3/3RK3 w - - 0 1", "e2e4");
    assert_eq!(after.state().en_passant(), Some(Square::E3));
    assert!(after.parse_move("d4e3", CHESS).is_err());
    let captured = {
        let mut board = after.clone();
        board.make(board.parse_move("f4e3", CHESS).unwrap(), &mut ());
        board
    };
    assert_eq!(captured.to_fen(CHESS), "3k4/8/8/8/3p4/4p3/8/3RK3 w - - 0 2");
}

#[test]
fn a_square_no_one_can_capture_on_does_not_change_the_key() {
    let with = board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    let without = board("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_eq!(with.key(), without.key());
    let capturable = board("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    assert_ne!(
        capturable.key(),
        board("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1").key()
    );
}

#[test]
fn a_pawn_becomes_any_of_four_pieces() {
    let board = board("3nk3/4P3/8/8/8/8/8/4K3 w - - 0 1");
    for text in ["e7d8q", "e7d8r", "e7d8b", "e7d8n", "e7d8Q"] {
        assert!(board.parse_move(text, CHESS).is_ok(), "{text}");
    }
    for text in ["e7d8", "e7d8k", "e7d8p", "e7e8q"] {
        assert!(board.parse_move(text, CHESS).is_err(), "{text}");
    }
}

#[test]
fn mate_and_stalemate_end_the_game() {
    let fools_mate = play(Board::START_FEN, "f2f3 e7e5 g2g4 d8h4");
    let lost = Ending {
        outcome: Outcome::Win(Side::Second),
        reason: Reason::Checkmate,
    };
    assert_eq!(fools_mate.ending(), Some(lost));
    let stalemate = board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(stalemate.ending(), draw(Reason::Stalemate));
    assert_eq!(Board::start().ending(), None);
}

#[test]
fn the_third_occurrence_draws_the_game() {
    let cycle = "g1f3 g8f6 f3g1 f6g8 ";
    let twice = play(Board::START_FEN, cycle);
    assert_eq!((twice.ending(), twice.verdict(0)), (None, Verdict::Open));
    assert_eq!(
        twice.verdict(5),
        Verdict::Draw,
        "a second time within the tree"
    );
    let thrice = play(Board::START_FEN, &cycle.repeat(2));
    assert_eq!(thrice.ending(), draw(Reason::Repetition));
    assert_eq!(thrice.verdict(0), Verdict::Draw);
}

#[test]
fn positions_with_other_rights_are_other_positions() {
    let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    // The rooks come back, the rights do not: the first position is not one of the three.
    let cycle = "h1g1 h8g8 g1h1 g8h8 ";
    assert_eq!(play(start, &cycle.repeat(2)).ending(), None);
    assert_eq!(
        play(start, &cycle.repeat(3)).ending(),
        draw(Reason::Repetition)
    );
    // The first time Black could capture in passing, later not.
    let passed = "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1";
    let cycle = "e8e7 e1e2 e7e8 e2e1 ";
    assert_eq!(
        play(passed, &("e2e4 ".to_owned() + &cycle.repeat(2))).ending(),
        None
    );
    let thrice = play(passed, &("e2e4 ".to_owned() + &cycle.repeat(3)));
    assert_eq!(thrice.ending(), draw(Reason::Repetition));
}

#[test]
fn fifty_moves_draw_unless_the_last_one_mates() {
    let almost = "7k/8/5K2/8/8/8/8/6R1 w - - 98 80";
    let after = play(almost, "f6f7");
    assert_eq!((after.ending(), after.clock_left()), (None, Some(1)));
    let drawn = play(almost, "f6f7 h8h7");
    assert_eq!(drawn.ending(), draw(Reason::MoveCount));
    assert_eq!(
        (drawn.verdict(2), drawn.clock_left()),
        (Verdict::Draw, Some(0))
    );
    // Mate on the hundredth ply.
    let mated = play("7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8");
    let won = Ending {
        outcome: Outcome::Win(Side::First),
        reason: Reason::Checkmate,
    };
    assert_eq!(
        (mated.ending(), mated.verdict(1)),
        (Some(won), Verdict::Open)
    );
    // A check on the hundredth ply that is not mate.
    let checked = play("7k/8/5K2/8/8/8/8/R7 w - - 99 80", "a1a8");
    assert_eq!(
        (checked.ending(), checked.verdict(1)),
        (draw(Reason::MoveCount), Verdict::Draw)
    );
    // Captures and pawn moves begin the count anew.
    assert_eq!(
        play("7k/8/5K2/8/8/8/P7/R7 w - - 99 80", "a2a3").halfmove_clock(),
        0
    );
    assert_eq!(
        play("7k/8/5K2/8/8/8/p7/R7 w - - 99 80", "a1a2").halfmove_clock(),
        0
    );
}

#[test]
fn dead_material() {
    let dead = [
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
        "4k1n1/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4KB2 w - - 0 1",
        // c1, f8 and h8 are dark.
        "4kb1b/8/8/8/8/8/8/2B1K3 w - - 0 1",
    ];
    let alive = [
        "4k3/8/8/8/8/8/8/4KNN1 w - - 0 1",
        "4k1n1/8/8/8/8/8/8/4KN2 w - - 0 1",
        "4k1n1/8/8/8/8/8/8/4KB2 w - - 0 1",
        // f1 is light, f8 dark.
        "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1",
        "4k3/7p/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/7r/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/7Q/8/8/8/8/8/4K3 w - - 0 1",
    ];
    for fen in dead {
        let board = board(fen);
        assert_eq!(board.ending(), draw(Reason::Material), "{fen}");
        assert_eq!(board.verdict(3), Verdict::Draw, "{fen}");
    }
    for fen in alive {
        let board = board(fen);
        assert_eq!(
            (board.ending(), board.verdict(3)),
            (None, Verdict::Open),
            "{fen}"
        );
    }
}

#[test]
fn a_wall_of_pawns_that_no_king_can_pass_is_dead() {
    let dead = [
        "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1",
        "4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3 b - - 0 1",
        // A pawn behind a blocked one is blocked as well.
        "4k3/8/8/p1p1p1p1/P1P1P1P1/P7/8/4K3 w - - 0 1",
    ];
    let alive = [
        // A king walks round the wall.
        "4k3/8/8/p1p1p3/P1P1P3/8/8/4K3 w - - 0 1",
        // A pawn may still move.
        "4k3/8/8/p1p1p1p1/P1P1P1P1/8/P7/4K3 w - - 0 1",
        // A pawn may capture.
        "4k3/8/8/p1p1pp1p/P1P1P2P/8/8/4K3 w - - 0 1",
        // A king is through already.
        "4K3/8/8/p1p1p1p1/P1P1P1P1/8/8/4k3 w - - 0 1",
        // A knight hops over.
        "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4KN2 w - - 0 1",
    ];
    for fen in dead {
        assert_eq!(board(fen).ending(), draw(Reason::Material), "{fen}");
    }
    for fen in alive {
        assert_eq!(board(fen).ending(), None, "{fen}");
    }
}

#[test]
fn null_moves_are_sound_with_a_piece() {
    assert!(board("4k3/8/8/8/8/8/P7/4KN2 w - - 0 1").null_move_sound());
    assert!(!board("4k1n1/8/8/8/8/8/P7/4K3 w - - 0 1").null_move_sound());
}

#[test]
fn castling_is_read_in_both_spellings_and_written_in_one() {
    let board = board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    for (texts, king_target, king_takes_rook) in [
        (["e1g1", "e1h1"], "e1g1", "e1h1"),
        (["e1c1", "E1A1"], "e1c1", "e1a1"),
    ] {
        for text in texts {
            for style in [CHESS, CHESS960] {
                let m = board.parse_move(text, style).expect(text);
                assert_eq!(board.write_move(m, CHESS), king_target);
                assert_eq!(board.write_move(m, CHESS960), king_takes_rook);
            }
        }
    }
}

#[test]
fn a_step_beside_the_target_is_no_castling() {
    // f1g1 is a step, f1h1 castles.
    let board = board("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    for style in [CHESS, CHESS960] {
        let step = board.parse_move("f1g1", style).unwrap();
        let castling = board.parse_move("f1h1", style).unwrap();
        assert_ne!(step, castling);
        assert_eq!(board.write_move(castling, style), "f1h1");
    }
}

#[test]
fn what_is_no_move_is_told_from_what_is_not_legal() {
    let board = Board::start();
    for text in [
        "", "e2", "e2e", "e2e9", "i2e4", "e2e4qq", "e7e8x", "0000", "é2e4", "e2é4", "é2é",
    ] {
        assert_eq!(
            board.parse_move(text, CHESS),
            Err(MoveTextError::Malformed),
            "{text}"
        );
    }
    for text in ["e2e5", "e7e5", "e1g1", "e2e4q", "a3a4"] {
        assert_eq!(
            board.parse_move(text, CHESS),
            Err(MoveTextError::Illegal),
            "{text}"
        );
    }
}

#[test]
fn checkers_are_named() {
    let board = board("4k3/8/8/8/4r3/8/3p4/4K3 w - - 0 1");
    assert_eq!(board.checkers_text(CHESS), ["d2", "e4"]);
    assert!(board.in_check());
}
