//! How the moves of a game's position rank: by their results, and by how near they come to them
//! where that is needed.

use crate::chess::{Board, Move};
use crate::game::{Position, RootAdvice, Verdict, Wdl};
use crate::tablebase::folder::Syzygy;
use crate::tablebase::probe::{before_zeroing, is_zeroing};

/// Better than any distance.
const MOST: i32 = 1 << 18;
/// Plies that the move-count rule allows.
const CLOCK: i32 = 100;

/// All moves, ranked by distances, or else by results alone.
pub(super) fn advice(
    tables: &Syzygy,
    board: &Board,
    clock_counts: bool,
) -> Option<Vec<RootAdvice<Move>>> {
    let state = board.state();
    if state.castling_rooks().any() || state.occupied().len() as u32 > tables.largest_men() {
        return None;
    }
    let moves = board.legal_moves();
    let by_distance = || rank(&moves, |m| distance_rank(tables, board, m, clock_counts));
    let by_result = || rank(&moves, |m| result_rank(tables, board, m, clock_counts));
    by_distance().or_else(by_result)
}

/// Each move with its rank, if all have one.
fn rank(moves: &[Move], of: impl Fn(Move) -> Option<(i32, Wdl)>) -> Option<Vec<RootAdvice<Move>>> {
    let advice = moves.iter().map(|m| {
        let (rank, wdl) = of(*m)?;
        Some(RootAdvice { m: *m, rank, wdl })
    });
    advice.collect()
}

/// A win that the clock cannot spoil ranks as high as any other, unless positions have begun to
/// come again: then the shortest way is taken. Other wins rank by distance; losses the longer the
/// better where the clock might yet save.
fn distance_rank(
    tables: &Syzygy,
    board: &Board,
    m: Move,
    clock_counts: bool,
) -> Option<(i32, Wdl)> {
    let distance = distance_after(tables, board, m)?;
    let clock = i32::from(board.halfmove_clock());
    let repeats = (0..=clock as usize).any(|back| board.record().was_repeated(back));
    let rank = match distance.signum() {
        1 if distance + clock < CLOCK && !repeats => MOST,
        1 => MOST - (distance + clock),
        -1 if -distance * 2 + clock < CLOCK => -MOST,
        -1 => -MOST + (-distance + clock),
        _ => 0,
    };
    let wdl = match (
        distance.signum(),
        distance.abs() + clock < CLOCK || !clock_counts,
    ) {
        (1, true) => Wdl::Win,
        (1, false) => Wdl::CursedWin,
        (-1, true) => Wdl::Loss,
        (-1, false) => Wdl::BlessedLoss,
        _ => Wdl::Draw,
    };
    Some((rank, wdl))
}

/// Plies to the next capture or pawn move if this move is played, by the sign for whom.
fn distance_after(tables: &Syzygy, board: &Board, m: Move) -> Option<i32> {
    let state = board.state();
    let after = state.after(m);
    let mates = after.checkers().any() && after.legal_moves().is_empty();
    if mates {
        return Some(1);
    }
    if is_zeroing(state, m) {
        return Some(before_zeroing(tables.wdl_of(&after)?.flip()));
    }
    if is_drawn(board, m) {
        return Some(0);
    }
    let distance = -tables.dtz_of(&after)?;
    Some(distance + distance.signum())
}

fn result_rank(tables: &Syzygy, board: &Board, m: Move, clock_counts: bool) -> Option<(i32, Wdl)> {
    if is_drawn(board, m) {
        return Some((0, Wdl::Draw));
    }
    let wdl = tables.wdl_of(&board.state().after(m))?.flip();
    let wdl = if clock_counts {
        wdl
    } else {
        wdl.without_clock()
    };
    Some((wdl.number(), wdl))
}

/// Does a rule draw at once after this move?
fn is_drawn(board: &Board, m: Move) -> bool {
    let mut after = board.clone();
    after.make(m, &mut ());
    after.verdict(1) == Verdict::Draw
}
