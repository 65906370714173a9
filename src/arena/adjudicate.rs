//! Rules of the match that end a game early, by the engines' own scores or by its length.

use crate::arena::config::Adjudication;
use crate::game::{Outcome, Side};

/// What an engine thought of its position when it moved, seen by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opinion {
    /// Nothing that could be used: no score, or one without depth.
    None,
    /// Centipawns.
    Centipawns(i32),
    /// It sees itself mate.
    Winning,
    /// It sees itself mated.
    Losing,
}

/// From here on a score in centipawns is a disguised mate: engines of both games write mates so.
const NEARLY_MATE: i32 = 9000;

impl Opinion {
    /// The opinion that a score in centipawns is.
    pub fn from_centipawns(score: i32) -> Opinion {
        match score {
            s if s > NEARLY_MATE => Opinion::Winning,
            s if s < -NEARLY_MATE => Opinion::Losing,
            s => Opinion::Centipawns(s),
        }
    }

    fn mirrored(self) -> Opinion {
        match self {
            Opinion::None => Opinion::None,
            Opinion::Centipawns(score) => Opinion::Centipawns(-score),
            Opinion::Winning => Opinion::Losing,
            Opinion::Losing => Opinion::Winning,
        }
    }

    fn is_level(self, score: i32) -> bool {
        matches!(self, Opinion::Centipawns(s) if s.abs() <= score)
    }

    fn is_lost(self, score: i32) -> bool {
        match self {
            Opinion::Losing => true,
            Opinion::Centipawns(s) => s <= -score,
            Opinion::None | Opinion::Winning => false,
        }
    }
}

/// Why a game was ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Adjudged {
    /// A side's scores amount to resignation.
    Resignation,
    /// Both sides' scores amount to a draw.
    DrawnScores,
    /// The game is too long.
    MaxMoves,
}

/// A move, as adjudication sees it.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    /// Who moved.
    pub mover: Side,
    /// What it thought.
    pub opinion: Opinion,
    /// Did the move reset the move count (a capture or a pawn move)?
    pub irreversible: bool,
    /// The number of full moves finished, by the FEN's count.
    pub move_number: u32,
}

/// The state of adjudication in one game. Games start with nothing counted.
#[derive(Clone, Debug)]
pub struct Adjudicator {
    rules: Adjudication,
    plies: u32,
    /// Plies on end with level scores.
    level: u32,
    /// Own moves on end on which a side thought itself lost.
    own_lost: [u32; 2],
    /// Plies on end on which both thought the side lost.
    both_lost: [u32; 2],
}

impl Adjudication {
    /// The rule that would end a game before it has begun, if there is one.
    pub fn nothing(&self) -> Option<&'static str> {
        if self.maxmoves == Some(0) {
            Some("maxmoves")
        } else if self.draw.is_some_and(|draw| draw.movecount == 0) {
            Some("movecount of draw")
        } else if self.resign.is_some_and(|resign| resign.movecount == 0) {
            Some("movecount of resign")
        } else {
            None
        }
    }
}

impl Adjudicator {
    /// Nothing counted yet.
    pub fn new(rules: Adjudication) -> Adjudicator {
        Adjudicator {
            rules,
            plies: 0,
            level: 0,
            own_lost: [0; 2],
            both_lost: [0; 2],
        }
    }

    /// Books a move; the outcome if a rule applies: resignation before draw before length.
    pub fn after(&mut self, moved: Moved) -> Option<(Outcome, Adjudged)> {
        self.plies += 1;
        self.resignation(moved)
            .or_else(|| self.drawn_scores(moved))
            .or_else(|| self.too_long())
    }

    fn resignation(&mut self, moved: Moved) -> Option<(Outcome, Adjudged)> {
        let rule = self.rules.resign?;
        let count = |on_end: &mut u32, lost: bool| *on_end = if lost { *on_end + 1 } else { 0 };
        if moved.opinion == Opinion::None {
            self.own_lost = [0; 2];
        } else {
            let own = &mut self.own_lost[moved.mover.index()];
            count(own, moved.opinion.is_lost(rule.score));
        }
        for side in Side::ALL {
            let view = if side == moved.mover {
                moved.opinion
            } else {
                moved.opinion.mirrored()
            };
            count(&mut self.both_lost[side.index()], view.is_lost(rule.score));
        }
        let has_resigned = |side: &Side| {
            if rule.twosided {
                self.both_lost[side.index()] >= 2 * rule.movecount
            } else {
                self.own_lost[side.index()] >= rule.movecount
            }
        };
        let loser = Side::ALL.into_iter().find(has_resigned)?;
        Some((Outcome::Win(!loser), Adjudged::Resignation))
    }

    fn drawn_scores(&mut self, moved: Moved) -> Option<(Outcome, Adjudged)> {
        let rule = self.rules.draw?;
        if moved.irreversible {
            self.level = 0;
        }
        self.level = if moved.opinion.is_level(rule.score) {
            self.level + 1
        } else {
            0
        };
        let drawn = self.level >= 2 * rule.movecount && moved.move_number >= rule.movenumber;
        drawn.then_some((Outcome::Draw, Adjudged::DrawnScores))
    }

    fn too_long(&self) -> Option<(Outcome, Adjudged)> {
        let plies = self.rules.maxmoves?.saturating_mul(2);
        (self.plies >= plies).then_some((Outcome::Draw, Adjudged::MaxMoves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::config::{DrawRule, ResignRule};

    const CP: fn(i32) -> Opinion = Opinion::from_centipawns;

    /// The ply, from 1, after which a game with these opinions is ended, and how.
    fn ended(rules: Adjudication, opinions: &[Opinion]) -> Option<(usize, Outcome, Adjudged)> {
        let mut adjudicator = Adjudicator::new(rules);
        let mut mover = Side::First;
        for (i, &opinion) in opinions.iter().enumerate() {
            let moved = Moved {
                mover,
                opinion,
                irreversible: false,
                move_number: 1 + i as u32 / 2,
            };
            if let Some((outcome, why)) = adjudicator.after(moved) {
                return Some((i + 1, outcome, why));
            }
            mover = !mover;
        }
        None
    }

    fn draw(movenumber: u32, movecount: u32, score: i32) -> Adjudication {
        Adjudication {
            draw: Some(DrawRule {
                movenumber,
                movecount,
                score,
            }),
            ..Adjudication::default()
        }
    }

    fn resign(movecount: u32, score: i32, twosided: bool) -> Adjudication {
        Adjudication {
            resign: Some(ResignRule {
                movecount,
                score,
                twosided,
            }),
            ..Adjudication::default()
        }
    }

    #[test]
    fn level_scores_of_both_sides_draw() {
        let drawn = |at| Some((at, Outcome::Draw, Adjudged::DrawnScores));
        assert_eq!(ended(draw(0, 2, 10), &[CP(10); 9]), drawn(4));
        assert_eq!(ended(draw(4, 2, 10), &[CP(-10); 9]), drawn(7));
        let one_off = [CP(0), CP(11), CP(0), CP(0), CP(0), CP(0)];
        assert_eq!(ended(draw(0, 2, 10), &one_off), drawn(6));
        let unknown = [CP(0), CP(0), CP(0), Opinion::None, CP(0), CP(0), CP(0)];
        assert_eq!(ended(draw(0, 2, 10), &unknown), None);
        let disguised = [CP(31_000); 8];
        assert_eq!(ended(draw(0, 2, 100_000), &disguised), None);
    }

    #[test]
    fn a_capture_starts_the_count_anew_with_itself() {
        let mut adjudicator = Adjudicator::new(draw(0, 1, 10));
        let mut moved = Moved {
            mover: Side::First,
            opinion: CP(0),
            irreversible: false,
            move_number: 50,
        };
        assert_eq!(adjudicator.after(moved), None);
        moved.irreversible = true;
        assert_eq!(adjudicator.after(moved), None);
        moved.irreversible = false;
        assert!(adjudicator.after(moved).is_some());
    }

    #[test]
    fn one_sided_resignation_asks_the_loser_only() {
        let lost = Some((3, Outcome::Win(Side::Second), Adjudged::Resignation));
        let opinions = [CP(-600), CP(0), CP(-601), CP(0)];
        assert_eq!(ended(resign(2, 600, false), &opinions), lost);
        let mates = [Opinion::Losing, CP(0), CP(-9500), CP(0)];
        assert_eq!(ended(resign(2, 600, false), &mates), lost);
        let recovers = [CP(-600), CP(0), CP(-500), CP(0), CP(-600), CP(0)];
        assert_eq!(ended(resign(2, 600, false), &recovers), None);
        let unknown = [CP(-600), Opinion::None, CP(-600), CP(0)];
        assert_eq!(ended(resign(2, 600, false), &unknown), None);
    }

    #[test]
    fn two_sided_resignation_compares_signs() {
        let agree = [CP(-600), CP(600), CP(-700), CP(800)];
        let lost = Some((4, Outcome::Win(Side::Second), Adjudged::Resignation));
        assert_eq!(ended(resign(2, 600, true), &agree), lost);
        let both_pessimists = [CP(-600); 8];
        assert_eq!(ended(resign(2, 600, true), &both_pessimists), None);
        let doubter = [CP(-600), CP(599), CP(-700), CP(100), CP(-700)];
        assert_eq!(ended(resign(2, 600, true), &doubter), None);
    }

    #[test]
    fn resignation_goes_before_length() {
        let rules = Adjudication {
            maxmoves: Some(2),
            ..resign(2, 600, true)
        };
        let opinions = [CP(-600), CP(600), CP(-700), CP(800)];
        assert_eq!(ended(rules, &opinions).unwrap().2, Adjudged::Resignation);
        assert_eq!(
            ended(rules, &[CP(0); 8]),
            Some((4, Outcome::Draw, Adjudged::MaxMoves))
        );
    }
}
