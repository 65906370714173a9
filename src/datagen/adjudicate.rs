//! When a game is over before the rules say so.

use crate::game::{Outcome, Score, Side};

/// Both sides must agree on this much...
const WIN_SCORE: Score = Score(1_500);
/// ...for so many plies in a row.
const WIN_PLIES: u32 = 6;
/// Both sides must see no more than this...
const DRAW_SCORE: Score = Score(8);
/// ...for so many plies in a row...
const DRAW_PLIES: u32 = 12;
/// ...so many plies after the opening.
const DRAW_FROM: u32 = 80;

/// Watches the scores of one game.
#[derive(Default)]
pub(super) struct Adjudicator {
    seen: u32,
    leader: Option<Side>,
    leading: u32,
    level: u32,
}

impl Adjudicator {
    /// Takes note of the score that `side` to move found; says whether the game is decided.
    pub fn hear(&mut self, side: Side, score: Score) -> Option<Outcome> {
        self.seen += 1;
        let leader = match score {
            s if s >= WIN_SCORE => Some(side),
            s if s <= -WIN_SCORE => Some(!side),
            _ => None,
        };
        self.leading = match leader == self.leader {
            true => self.leading + 1,
            false => 1,
        };
        self.leader = leader;
        self.level = match score.abs() <= DRAW_SCORE {
            true => self.level + 1,
            false => 0,
        };
        if let Some(winner) = leader
            && self.leading >= WIN_PLIES
        {
            return Some(Outcome::Win(winner));
        }
        (self.seen >= DRAW_FROM && self.level >= DRAW_PLIES).then_some(Outcome::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Side::{First, Second};

    /// The plies heard until the game was decided, and how.
    fn verdict(scores: impl IntoIterator<Item = (Side, i32)>) -> Option<(u32, Outcome)> {
        let mut adjudicator = Adjudicator::default();
        scores.into_iter().find_map(|(side, score)| {
            let outcome = adjudicator.hear(side, Score(score))?;
            Some((adjudicator.seen, outcome))
        })
    }

    fn alternate(first: i32, second: i32) -> impl Iterator<Item = (Side, i32)> {
        [(First, first), (Second, second)]
            .into_iter()
            .cycle()
            .take(300)
    }

    #[test]
    fn a_win_needs_both_sides_to_see_it() {
        let win = Some((WIN_PLIES, Outcome::Win(Second)));
        assert_eq!(verdict(alternate(-1600, 31_990)), win);
        assert_eq!(verdict(alternate(1600, 1600)), None);
        assert_eq!(verdict(alternate(1600, -1400)), None);
    }

    #[test]
    fn a_swing_starts_the_count_anew() {
        let swing = alternate(2000, -2000).take(5).chain([(Second, 2000)]);
        let rest = alternate(-2000, 2000).take(WIN_PLIES as usize);
        let (plies, outcome) = verdict(swing.chain(rest)).unwrap();
        assert_eq!((plies, outcome), (5 + WIN_PLIES, Outcome::Win(Second)));
    }

    #[test]
    fn a_draw_needs_a_long_game_and_calm() {
        assert_eq!(verdict(alternate(0, 5)), Some((DRAW_FROM, Outcome::Draw)));
        assert_eq!(verdict(alternate(0, 9)), None);
    }
}
