//! Books from games.
//!
//! A move weighs two for each game that its side won and one for each that was drawn or not
//! finished; what only lost is left out.

use std::collections::BTreeMap;

use crate::book::table::{Entry, Format};
use crate::game::{Outcome, Side};

/// What goes into a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Moves of each game, in plies from its beginning.
    pub plies: usize,
    /// Games in which a move must have been played to be kept.
    pub min_games: u32,
    /// Every move weighs the same, whatever came of it.
    pub is_uniform: bool,
}

#[derive(Clone, Copy, Default)]
struct Tally {
    games: u32,
    points: u64,
}

/// A book being built. Moves are kept by key and raw move, in order.
pub struct Builder {
    plan: Plan,
    tallies: BTreeMap<(u64, u16), Tally>,
}

impl Builder {
    /// An empty book.
    pub fn new(plan: Plan) -> Builder {
        Builder {
            plan,
            tallies: BTreeMap::new(),
        }
    }

    /// Adds a move that was played `ply` plies after the beginning of a game (0 is its first
    /// move), and how the game ended.
    pub fn add<P: Format>(
        &mut self,
        position: &P,
        m: P::Move,
        ply: usize,
        outcome: Option<Outcome>,
    ) {
        if ply >= self.plan.plies {
            return;
        }
        let points = points(position.side_to_move(), outcome);
        for place in position.filed(m) {
            let tally = self.tallies.entry(place).or_default();
            tally.games = tally.games.saturating_add(1);
            tally.points += points;
        }
    }

    /// The file.
    pub fn finish<P: Format>(&self) -> Vec<u8> {
        let mut file = Vec::new();
        let mut position = Vec::new();
        for (&(key, raw), tally) in &self.tallies {
            if position
                .first()
                .is_some_and(|(first, ..): &(u64, u16, u64)| *first != key)
            {
                write_position::<P>(&mut position, &mut file);
            }
            if tally.games >= self.plan.min_games && tally.points > 0 {
                let points = if self.plan.is_uniform {
                    1
                } else {
                    tally.points
                };
                position.push((key, raw, points));
            }
        }
        write_position::<P>(&mut position, &mut file);
        file
    }
}

fn points(mover: Side, outcome: Option<Outcome>) -> u64 {
    match outcome {
        Some(Outcome::Win(side)) if side == mover => 2,
        Some(Outcome::Win(_)) => 0,
        Some(Outcome::Draw) | None => 1,
    }
}

/// Writes the moves of a position, the heaviest first, and forgets them. Points that do not fit
/// into a weight are scaled down, those of the whole position alike.
fn write_position<P: Format>(moves: &mut Vec<(u64, u16, u64)>, file: &mut Vec<u8>) {
    moves.sort_by_key(|(_, raw, points)| (std::cmp::Reverse(*points), *raw));
    let most = moves.first().map_or(0, |(.., points)| *points);
    let limit = u64::from(u16::MAX);
    for (key, raw, points) in moves.drain(..) {
        let weight = match most > limit {
            true => (points * limit / most).max(1),
            false => points,
        };
        let entry = Entry {
            key,
            raw,
            weight: u16::try_from(weight).unwrap_or(u16::MAX),
        };
        P::write_entry(&entry, file);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Board;
    use crate::game::{Notation, Position};

    const PLAN: Plan = Plan {
        plies: 2,
        min_games: 1,
        is_uniform: false,
    };

    fn play(builder: &mut Builder, moves: &str, outcome: Option<Outcome>) {
        let mut board = Board::start();
        for (ply, text) in moves.split_whitespace().enumerate() {
            let m = board.parse_san(text).unwrap();
            builder.add(&board, m, ply, outcome);
            board.make(m, &mut ());
        }
    }

    fn shown(builder: &Builder, moves: &str) -> Vec<String> {
        let file = builder.finish::<Board>();
        let Ok(book) = Board::open(file) else {
            return Vec::new();
        };
        let mut board = Board::start();
        for text in moves.split_whitespace() {
            let m = board.parse_san(text).unwrap();
            board.make(m, &mut ());
        }
        let entries = book.moves(&board).into_iter();
        entries
            .map(|entry| format!("{} {}", board.write_san(entry.m), entry.weight))
            .collect()
    }

    fn some_games(plan: Plan) -> Builder {
        let mut builder = Builder::new(plan);
        play(&mut builder, "e4 e5 Nf3", Some(Outcome::Win(Side::First)));
        play(&mut builder, "e4 e5 Nc3", Some(Outcome::Draw));
        play(&mut builder, "e4 c5", Some(Outcome::Win(Side::Second)));
        play(&mut builder, "d4", None);
        builder
    }

    #[test]
    fn moves_weigh_what_they_earned() {
        let builder = some_games(PLAN);
        assert_eq!(shown(&builder, ""), ["e4 3", "d4 1"]);
        assert_eq!(shown(&builder, "e4"), ["c5 2", "e5 1"]);
        assert!(shown(&builder, "e4 e5").is_empty(), "beyond the plies");
    }

    #[test]
    fn the_plan_is_kept() {
        let rare = Plan {
            min_games: 2,
            ..PLAN
        };
        assert_eq!(shown(&some_games(rare), ""), ["e4 3"]);
        assert_eq!(shown(&some_games(rare), "e4"), ["e5 1"]);
        let uniform = Plan {
            is_uniform: true,
            ..PLAN
        };
        assert_eq!(shown(&some_games(uniform), ""), ["d4 1", "e4 1"]);
    }

    #[test]
    fn large_counts_are_scaled_to_what_a_weight_can_be() {
        let mut builder = Builder::new(PLAN);
        for _ in 0..40_000 {
            play(&mut builder, "e4", Some(Outcome::Win(Side::First)));
        }
        play(&mut builder, "d4", Some(Outcome::Draw));
        assert_eq!(shown(&builder, ""), ["e4 65535", "d4 1"]);
    }
}
