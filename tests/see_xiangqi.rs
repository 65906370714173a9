//! Static exchange evaluation of xiangqi against playing the exchange out on the plain board.

#[path = "support/xiangqi_reference.rs"]
mod reference;
#[path = "support/xiangqi.rs"]
mod support;

use reference::PlainBoard;
use support::{Random, board};
use twofold::game::{MoveList, Notation, Position, Score, TextStyle, Wanted};
use twofold::xiangqi::Board;

/// The order in which men are sent into an exchange.
const CHEAPEST_FIRST: &str = "PABNCRK";

fn value(letter: char, rank: i32) -> i32 {
    match letter {
        'K' | 'k' => 10_000,
        'R' | 'r' => 900,
        'C' | 'c' => 450,
        'N' | 'n' => 400,
        'P' if (5..=8).contains(&rank) => 200,
        'p' if (1..=4).contains(&rank) => 200,
        'P' | 'p' => 100,
        '.' => 0,
        _ => 200,
    }
}

/// The least and the most that the side to capture on a point can win there, over all choices
/// among its cheapest men. The rules: stop when one likes, and no king into an attack.
fn outcomes(plain: &PlainBoard, red: bool, file: i32, rank: i32) -> (i32, i32) {
    let order = |piece: char| CHEAPEST_FIRST.find(piece.to_ascii_uppercase());
    let next_to = |f: i32, r: i32| (f - file).abs() + (r - rank).abs() == 1;
    let mut attackers = plain.attackers(red, file, rank);
    attackers.retain(|&(piece, f, r)| !piece.eq_ignore_ascii_case(&'k') || next_to(f, r));
    let Some(cheapest) = attackers.iter().map(|a| order(a.0)).min() else {
        return (0, 0);
    };
    let (mut least, mut most) = (i32::MAX, i32::MIN);
    for (piece, f, r) in attackers {
        if order(piece) != cheapest {
            continue;
        }
        let won = value(plain.at(file, rank).unwrap_or('.'), rank);
        let mut after = plain.clone();
        after.play((f, r, file, rank));
        let mut answers = after.attackers(!red, file, rank);
        answers.retain(|&(p, f, r)| !p.eq_ignore_ascii_case(&'k') || next_to(f, r));
        if piece.eq_ignore_ascii_case(&'k') && !answers.is_empty() {
            return (0, 0);
        }
        let (low, high) = outcomes(&after, !red, file, rank);
        least = least.min((won - high).max(0));
        most = most.max((won - low).max(0));
    }
    (least, most)
}

#[test]
fn random_positions_agree_with_playing_it_out() {
    let games = if cfg!(debug_assertions) { 20 } else { 200 };
    let mut captures = 0;
    for seed in 0..games {
        let mut random = Random::new(seed + 77);
        let mut position = Board::start();
        for _ in 0..150 {
            let mut moves = MoveList::new();
            position.generate(Wanted::All, &mut moves);
            let fen = position.to_fen(TextStyle::default());
            let plain = PlainBoard::from_fen(&fen);
            let red = fen.contains(" w ");
            for &m in &moves {
                let [from_file, from_rank, file, rank] = [
                    m.from().file(),
                    m.from().rank(),
                    m.to().file(),
                    m.to().rank(),
                ]
                .map(i32::from);
                let won = value(plain.at(file, rank).unwrap_or('.'), rank);
                let mut after = plain.clone();
                after.play((from_file, from_rank, file, rank));
                let (low, high) = outcomes(&after, !red, file, rank);
                let at_least = |points| position.see_at_least(m, Score(points));
                assert!(at_least(won - high), "{m:?} wins {} in {fen}", won - high);
                assert!(
                    !at_least(won - low + 1),
                    "{m:?} wins {} at most in {fen}",
                    won - low
                );
                captures += i32::from(won > 0);
            }
            let Some(m) = random.pick(&position) else {
                break;
            };
            position.make(m, &mut ());
        }
    }
    assert!(captures > 100);
}

/// FEN, move, and what the exchange wins exactly.
const CASES: [(&str, &str, i32); 7] = [
    // An unprotected chariot.
    ("3k5/9/9/9/4r4/9/9/9/4R4/5K3 w - - 0 1", "e1e5", 900),
    // A pawn across the river that its neighbour protects.
    ("3k5/9/9/9/9/4pp3/9/9/4R4/5K3 w - - 0 1", "e1e4", 200 - 900),
    // The second chariot behind the first one takes part once the first has left.
    (
        "3k5/9/4r4/9/4p4/9/9/9/4R4/4RK3 w - - 0 1",
        "e1e5",
        100 - 900 + 900,
    ),
    // A cannon protects over the captured piece's place only while a screen stands between.
    (
        "3kc4/9/4n4/9/4n4/9/9/9/4R4/5K3 w - - 0 1",
        "e1e5",
        400 - 900,
    ),
    // No screen, no protection.
    ("3kc4/9/9/9/4n4/9/9/9/4R4/5K3 w - - 0 1", "e1e5", 400),
    // The capturing chariot was itself the screen over which the cannon protected.
    ("3k5/9/9/9/p3R3c/9/9/9/9/5K3 w - - 0 1", "e5a5", 100),
    // A king does not take a protected piece.
    ("4k4/4a4/9/9/9/9/4R4/9/4R4/3K5 w - - 0 1", "e3e8", 200),
];

#[test]
fn known_exchanges_have_their_exact_value() {
    for (fen, text, expected) in CASES {
        let position = board(fen);
        let m = position.parse_move(text, TextStyle::default()).unwrap();
        assert!(position.see_at_least(m, Score(expected)), "{fen} {text}");
        assert!(
            !position.see_at_least(m, Score(expected + 1)),
            "{fen} {text}"
        );
    }
}
