//! Standings by levels and points, the scheme of the rule book.
//!
//! A player has no level, or one of 30 to 1, the first being the best; a level is worth 100 points.
//! Everybody starts without a level, at 0 points; 100 points are level 30, 3,000 level 1. After
//! every game points move from one player to the other: the loser loses what the winner gains.
//! With `diff` the difference before the game, in whole points:
//!
//! | result | `diff` | points moved |
//! |---|---|---|
//! | draw | below 10 | 0 |
//! | draw | 10 to 99 | (10 + diff / 10) / 2 to the lower |
//! | draw | from 100 | diff / 4 to the lower |
//! | win by the lower | below 10 | 10 |
//! | win by the lower | 10 to 99 | 10 + diff / 10 |
//! | win by the lower | from 100 | diff / 2 |
//! | win by the higher | below 10 | 10 |
//! | win by the higher | 10 to 99 | 10 - diff / 10, at least 1 |
//! | win by the higher | from 100 | 1 |
//!
//! The book is silent on a win by the higher: the last three rows are ours. They mirror the rows
//! above, so that equals move 10 whoever wins, and a win always gains something. Divisions drop
//! remainders. Nobody falls below 0; the winner gains in full even where the loser has less to
//! give, for otherwise nobody could ever leave 0.

use crate::arena::stats::Points;

/// Points of a level.
const LEVEL: i64 = 100;
/// The best level is 1, the lowest this.
const LEVELS: i64 = 30;

/// Points that move after a game, to the one whose points are given first; `ours` is its result.
pub fn movement(mine: i64, theirs: i64, ours: Points) -> i64 {
    let diff = (mine - theirs).abs();
    let lower_wins = match diff {
        0..10 => 10,
        10..LEVEL => 10 + diff / 10,
        _ => diff / 2,
    };
    let drawn = match diff {
        0..10 => 0,
        10..LEVEL => (10 + diff / 10) / 2,
        _ => diff / 4,
    };
    let higher_wins = match diff {
        0..10 => 10,
        10..LEVEL => (10 - diff / 10).max(1),
        _ => 1,
    };
    let am_lower = mine < theirs;
    match ours {
        Points::Draw if am_lower => drawn,
        Points::Draw => -drawn,
        Points::Win if am_lower => lower_wins,
        Points::Win => higher_wins,
        Points::Loss if am_lower => -higher_wins,
        Points::Loss => -lower_wins,
    }
}

/// Points of all players.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Levels {
    points: Vec<i64>,
}

impl Levels {
    /// Everybody at nothing.
    pub fn new(players: usize) -> Levels {
        Levels {
            points: vec![0; players],
        }
    }

    /// Books a game; `result` is that of `one`.
    pub fn add(&mut self, one: usize, other: usize, result: Points) {
        let moved = movement(self.points[one], self.points[other], result);
        for (player, change) in [(one, moved), (other, -moved)] {
            self.points[player] = (self.points[player] + change).max(0);
        }
    }

    /// A player's points.
    pub fn points(&self, player: usize) -> i64 {
        self.points[player]
    }

    /// A player's level, 30 to 1; `None`: no level yet.
    pub fn level(&self, player: usize) -> Option<i64> {
        let hundreds = self.points[player] / LEVEL;
        (hundreds > 0).then(|| (LEVELS + 1 - hundreds).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Points::{Draw, Loss, Win};

    #[test]
    fn the_rule_book() {
        for (mine, theirs, result, moved) in [
            (500, 509, Draw, 0),
            (500, 510, Draw, 5),
            (500, 550, Draw, 7),
            (500, 599, Draw, 9),
            (500, 600, Draw, 25),
            (600, 500, Draw, -25),
            (500, 509, Win, 10),
            (500, 510, Win, 11),
            (500, 599, Win, 19),
            (500, 700, Win, 100),
            (700, 500, Loss, -100),
            (500, 500, Loss, -10),
        ] {
            assert_eq!(
                movement(mine, theirs, result),
                moved,
                "{mine} {theirs} {result:?}"
            );
        }
    }

    #[test]
    fn what_the_book_is_silent_on() {
        for (mine, theirs, moved) in [(509, 500, 10), (550, 500, 5), (599, 500, 1), (900, 500, 1)] {
            assert_eq!(movement(mine, theirs, Win), moved);
            assert_eq!(movement(theirs, mine, Loss), -moved);
        }
    }

    #[test]
    fn what_one_gains_the_other_loses() {
        for (a, b) in [(300, 300), (300, 345), (300, 800), (800, 300)] {
            for result in [Win, Draw, Loss] {
                assert_eq!(movement(a, b, result), -movement(b, a, result.mirrored()));
            }
        }
    }

    #[test]
    fn levels_rise_from_none_to_the_first() {
        let mut levels = Levels::new(2);
        assert_eq!((levels.points(0), levels.level(0)), (0, None));
        levels.add(0, 1, Win);
        assert_eq!((levels.points(0), levels.points(1)), (10, 0));
        for (points, level) in [
            (99, None),
            (100, Some(30)),
            (3000, Some(1)),
            (3500, Some(1)),
        ] {
            levels.points[0] = points;
            assert_eq!(levels.level(0), level, "{points}");
        }
    }
}
