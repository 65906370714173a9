//! Evaluations of both games: sums kept move by move equal sums from scratch, and neither colour
//! is favoured.
#![allow(clippy::unwrap_used)]

use twofold::chess;
use twofold::eval::chess::ChessEvaluator;
use twofold::eval::xiangqi::XiangqiEvaluator;
use twofold::game::{Evaluator, KeyStream, Notation, TextStyle};
use twofold::xiangqi;

/// Plays random games and hands every position to `look`, with an evaluator that came there move
/// by move.
fn walk<P, E>(games: usize, mut make: impl FnMut() -> E, mut look: impl FnMut(&P, &mut E))
where
    P: Notation,
    E: Evaluator<P>,
{
    let mut stream = KeyStream::new(7);
    for _ in 0..games {
        let mut position = P::start();
        let mut evaluator = make();
        evaluator.reset(&position);
        for _ in 0..120 {
            look(&position, &mut evaluator);
            if position.ending().is_some() {
                break;
            }
            let moves = position.legal_moves();
            let (key, next) = stream.next();
            stream = next;
            // Looks one move aside as well, as a search does.
            evaluator.enter();
            position.make(moves[0], &mut evaluator);
            position.unmake();
            evaluator.leave();
            evaluator.enter();
            position.make(moves[(key.0 % moves.len() as u64) as usize], &mut evaluator);
        }
    }
}

/// The same position with colours exchanged: ranks in reverse, cases and sides swapped.
fn exchanged(fen: &str) -> String {
    let swap = |c: char| {
        if c.is_ascii_uppercase() {
            c.to_ascii_lowercase()
        } else {
            c.to_ascii_uppercase()
        }
    };
    let mut fields: Vec<String> = fen.split(' ').map(str::to_string).collect();
    let ranks: Vec<String> = fields[0]
        .split('/')
        .rev()
        .map(|r| r.chars().map(swap).collect())
        .collect();
    fields[0] = ranks.join("/");
    fields[1] = if fields[1] == "w" { "b" } else { "w" }.to_string();
    // Castling rights by letter; an en passant square changes its rank.
    fields[2] = fields[2].chars().map(swap).collect();
    fields[3] = fields[3]
        .replace('3', "x")
        .replace('6', "3")
        .replace('x', "6");
    fields.join(" ")
}

fn check<P: Notation, E: Evaluator<P>>(make: impl Fn() -> E) {
    let fresh = |position: &P| {
        let mut evaluator = make();
        evaluator.reset(position);
        evaluator.evaluate(position)
    };
    walk::<P, E>(60, &make, |position, evaluator| {
        let score = evaluator.evaluate(position);
        assert_eq!(
            score,
            fresh(position),
            "kept sums differ from sums from scratch"
        );
        let other = P::from_fen(&exchanged(&position.to_fen(TextStyle::default()))).unwrap();
        assert_eq!(
            score,
            fresh(&other),
            "{}",
            position.to_fen(TextStyle::default())
        );
    });
}

#[test]
fn chess_evaluation_is_incremental_and_colour_blind() {
    check::<chess::Board, _>(ChessEvaluator::new);
}

#[test]
fn xiangqi_evaluation_is_incremental_and_colour_blind() {
    check::<xiangqi::Board, _>(XiangqiEvaluator::new);
}
