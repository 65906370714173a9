//! The rules of xiangqi, each by a position that shows it.

// Helpers here may fail the test that called them.
#![allow(clippy::panic)]

#[path = "support/xiangqi.rs"]
mod support;

use support::board;
use twofold::game::{
    Arbiter, Ending, Notation, Outcome, Position, Reason, Rules, Side, TextStyle, Verdict,
};
use twofold::xiangqi::Board;

const STYLE: TextStyle = TextStyle {
    castling: twofold::game::CastlingText::KingTarget,
    ranks: twofold::game::RankBase::Zero,
};

/// The targets of the legal moves from one square, sorted.
fn targets(fen: &str, from: &str) -> Vec<String> {
    let position = board(fen);
    let mut found: Vec<String> = position
        .legal_moves()
        .iter()
        .map(|&m| position.write_move(m, STYLE))
        .filter_map(|text| text.strip_prefix(from).map(String::from))
        .collect();
    found.sort();
    found
}

fn play(position: &mut Board, moves: &str) {
    for text in moves.split(' ') {
        let m = position
            .parse_move(text, STYLE)
            .unwrap_or_else(|e| panic!("{text}: {e}"));
        position.make(m, &mut ());
    }
}

fn win(side: Side, reason: Reason) -> Option<Ending> {
    let outcome = Outcome::Win(side);
    Some(Ending { outcome, reason })
}

fn draw(reason: Reason) -> Option<Ending> {
    let outcome = Outcome::Draw;
    Some(Ending { outcome, reason })
}

#[test]
fn king_and_advisors_stay_in_the_palace() {
    let fen = "3k5/9/9/9/9/9/9/5K3/9/9 w - - 0 1";
    assert_eq!(targets(fen, "f2"), ["e2", "f1"]);
    let fen = "3k5/9/9/9/9/9/9/9/4AK3/9 w - - 0 1";
    assert_eq!(targets(fen, "e1"), ["d0", "d2", "f0", "f2"]);
    let fen = "4k4/9/9/9/9/9/9/3A1K3/9/9 w - - 0 1";
    assert_eq!(targets(fen, "d2"), ["e1"]);
}

#[test]
fn elephants_need_an_empty_eye_and_stay_on_their_bank() {
    let fen = "3k5/9/9/9/9/2B6/9/9/9/5K3 w - - 0 1";
    assert_eq!(targets(fen, "c4"), ["a2", "e2"]);
    let fen = "3k5/9/9/9/9/2B6/3p5/9/9/5K3 w - - 0 1";
    assert_eq!(targets(fen, "c4"), ["a2"]);
    let fen = "3k5/9/9/9/2b6/9/9/9/9/5K3 b - - 0 1";
    assert_eq!(targets(fen, "c5"), ["a7", "e7"]);
}

#[test]
fn a_horse_is_blocked_by_its_leg_only() {
    let fen = "3k5/9/9/9/9/4N4/9/9/9/5K3 w - - 0 1";
    let free = ["c3", "c5", "d2", "d6", "f2", "f6", "g3", "g5"];
    assert_eq!(targets(fen, "e4"), free);
    let fen = "3k5/9/9/9/4p4/4N4/9/9/9/5K3 w - - 0 1";
    assert_eq!(targets(fen, "e4"), ["c3", "c5", "d2", "f2", "g3", "g5"]);
    // Diagonal neighbours block nothing, and targets may be captured.
    let fen = "3k5/9/9/3r1r3/3c1c3/4N4/9/9/9/4K4 w - - 0 1";
    assert_eq!(targets(fen, "e4"), free);
}

#[test]
fn a_cannon_captures_over_exactly_one_screen() {
    let fen = "3k5/9/9/9/C1p1r3n/9/9/9/9/5K3 w - - 0 1";
    let along_the_rank: Vec<String> = targets(fen, "a5")
        .into_iter()
        .filter(|to| to.ends_with('5'))
        .collect();
    assert_eq!(along_the_rank, ["b5", "e5"]);
    // An own piece serves as a screen too; nothing lies beyond two.
    let fen = "3k5/9/9/9/C1P1P3n/9/9/9/9/5K3 w - - 0 1";
    let along_the_rank: Vec<String> = targets(fen, "a5")
        .into_iter()
        .filter(|to| to.ends_with('5'))
        .collect();
    assert_eq!(along_the_rank, ["b5"]);
}

#[test]
fn a_pawn_goes_sideways_across_the_river_and_never_back() {
    let fen = "3k5/9/9/9/9/4P4/9/9/9/5K3 w - - 0 1";
    assert_eq!(targets(fen, "e4"), ["e5"]);
    let fen = "3k5/9/9/9/4P4/9/9/9/9/5K3 w - - 0 1";
    assert_eq!(targets(fen, "e5"), ["d5", "e6", "f5"]);
    let fen = "P2k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1";
    assert_eq!(targets(fen, "a9"), ["b9"]);
    let fen = "3k5/9/9/9/9/4p4/9/9/9/5K3 b - - 0 1";
    assert_eq!(targets(fen, "e4"), ["d4", "e3", "f4"]);
}

#[test]
fn kings_may_not_face_each_other() {
    // The only man between may not leave the file, and a king may not enter an open one.
    let fen = "3k5/9/9/9/9/9/9/3A5/9/3K5 w - - 0 1";
    assert_eq!(targets(fen, "d2"), Vec::<String>::new());
    let fen = "4k4/9/9/9/9/4C4/9/9/9/4K4 w - - 0 1";
    assert!(targets(fen, "e4").iter().all(|to| to.starts_with('e')));
    let fen = "3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1";
    assert_eq!(targets(fen, "e0"), ["e1", "f0"]);
}

#[test]
fn stepping_before_a_bare_cannon_is_check_to_oneself() {
    let fen = "4c4/3k5/9/9/9/9/R8/9/9/4K4 w - - 0 1";
    assert!(!targets(fen, "a3").contains(&String::from("e3")));
}

#[test]
fn no_legal_move_loses_in_check_or_not() {
    let mate = board("R3k4/1R7/9/9/9/9/9/9/9/3K5 b - - 0 1");
    assert_eq!(mate.ending(), win(Side::First, Reason::Checkmate));
    let stalemate = board("3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1");
    assert!(!stalemate.in_check());
    assert_eq!(stalemate.ending(), win(Side::First, Reason::Stalemate));
}

#[test]
fn perpetual_check_loses_and_checking_each_other_draws() {
    // AXF manual, diagram 2: the chariot checks for ever.
    let mut position = board("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1");
    let cycle = "f0e0 e8f8 e0f0 f8e8";
    play(&mut position, cycle);
    assert_eq!(position.ending(), None);
    assert_eq!(position.verdict(0), Verdict::Open);
    // Below the root one loop is enough: only a closed one is final.
    assert_eq!(position.verdict(5), Verdict::DrawOrWorse);
    play(&mut position, "f0e0");
    assert_eq!(position.verdict(6), Verdict::Won);
    position.unmake();
    play(&mut position, cycle);
    assert_eq!(position.ending(), win(Side::Second, Reason::PerpetualCheck));
    assert_eq!(position.verdict(0), Verdict::Lost);
}

#[test]
fn a_quiet_cycle_draws() {
    let mut position = Board::start();
    for _ in 0..2 {
        assert_eq!(position.ending(), None);
        play(&mut position, "h0g2 h9g7 g2h0 g7h9");
    }
    assert_eq!(position.ending(), draw(Reason::Repetition));
    assert_eq!(position.verdict(0), Verdict::Draw);
}

#[test]
fn the_limit_draws_unless_the_side_to_move_has_no_move() {
    let mut position = board("3k5/9/9/9/9/9/9/9/r8/4K4 w - - 119 90");
    assert_eq!((position.clock_left(), position.ending()), (Some(1), None));
    play(&mut position, "e0f0");
    assert_eq!(position.ending(), draw(Reason::MoveCount));
    assert_eq!(position.verdict(1), Verdict::Draw);
    position.set_rules(&Rules {
        no_capture_limit: None,
        ..Rules::default()
    });
    assert_eq!(
        (position.clock_left(), position.verdict(1)),
        (None, Verdict::Open)
    );

    // Mate by the last ply of the limit wins.
    let mut position = board("4k4/1R7/9/9/9/9/9/R8/9/3K5 w - - 119 90");
    play(&mut position, "a2a9");
    assert_eq!(position.halfmove_clock(), 120);
    assert_eq!(position.ending(), win(Side::First, Reason::Checkmate));
    assert_eq!(position.verdict(1), Verdict::Open);
}

#[test]
fn a_capture_resets_the_count_and_a_pawn_move_does_not() {
    let mut position = board("3k5/9/9/9/4p4/4P4/9/9/9/4K4 w - - 50 30");
    play(&mut position, "e0e1");
    assert_eq!(position.halfmove_clock(), 51);
    let mut captured = position.clone();
    play(&mut captured, "e5e4");
    assert_eq!(captured.halfmove_clock(), 0);
    assert_eq!(
        captured.to_fen(STYLE),
        "3k5/9/9/9/9/4p4/9/9/4K4/9 w - - 0 31"
    );
    let mut position = board("3k5/9/9/9/4p3p/4P4/9/9/9/4K4 b - - 50 30");
    play(&mut position, "i5i4");
    assert_eq!(position.halfmove_clock(), 51);
}

#[test]
fn material_that_cannot_win_is_drawn() {
    let drawn = [
        "2bak4/4a4/4b4/9/9/9/9/4B4/4A4/2BAK4 w - - 0 1",
        "3ak4/9/9/9/9/9/9/9/9/3K2C2 w - - 0 1",
        "4k1c2/9/9/9/9/9/9/9/9/3K2C2 w - - 0 1",
    ];
    for fen in drawn {
        assert_eq!(board(fen).ending(), draw(Reason::Material), "{fen}");
        assert_eq!(board(fen).verdict(0), Verdict::Draw);
    }
    let open = [
        "3ak4/4a4/9/9/9/9/9/9/9/3K2C2 w - - 0 1",
        "4k4/9/9/9/9/9/9/9/9/3K1AC2 w - - 0 1",
        "4k4/9/9/9/9/9/9/9/9/2BK2C2 w - - 0 1",
        "4k4/9/9/9/9/4P4/9/9/9/3K5 w - - 0 1",
        "4k4/9/9/9/9/4N4/9/9/9/3K5 w - - 0 1",
        "4k4/9/9/9/9/9/9/9/9/3K1CC2 w - - 0 1",
    ];
    for fen in open {
        assert_eq!(board(fen).verdict(0), Verdict::Open, "{fen}");
    }
}
