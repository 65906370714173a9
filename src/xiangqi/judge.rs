//! Who is to blame for a repetition.
//!
//! The judge looks at a *window*: the plies after the first of the equal positions up to the
//! last. What every move of a side has in common puts the side on a rung of a ladder of
//! offences; the side that stands higher loses, and equal rungs draw. A single quiet move
//! anywhere in the window clears its side.
//!
//! [`crate::xiangqi::chase`] says what a move threatens; which rung that makes is decided here,
//! by the rules chosen. No case of history comes in: the window is all there is.

use crate::game::{Reason, RepetitionRule, Side};
use crate::xiangqi::{Board, Ids, Placement, Ply, chase};

/// A rung of the ladder of offences.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// At least one move that nobody may object to.
    Free,
    /// Every move newly threatened one and the same man.
    Chase,
    /// Every move gave check or newly threatened one and the same man, and both occurred; an
    /// offence in the rules of platforms only.
    CheckAndChase,
    /// As `Chase`, the victim being after each move a chariot that may not leave the leg of an
    /// enemy horse.
    PinnedChase,
    /// Every move gave check, threatened mate or newly threatened some man; an offence in the
    /// Chinese rules only, where it takes the place of the three before.
    Attack,
    /// Every move gave check.
    PerpetualCheck,
}

impl Level {
    /// The reason for which a side on this level loses; none on the lowest.
    pub const fn reason(self) -> Option<Reason> {
        match self {
            Level::Free => None,
            Level::Chase | Level::PinnedChase => Some(Reason::PerpetualChase),
            Level::CheckAndChase | Level::Attack => Some(Reason::PerpetualAttack),
            Level::PerpetualCheck => Some(Reason::PerpetualCheck),
        }
    }
}

/// Where the sides stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judgement {
    /// The level of each side.
    pub levels: [Level; 2],
    /// For levels of chase: the enemy men that every move of the side newly threatened.
    pub quarry: [Ids; 2],
}

impl Judgement {
    const INNOCENT: Judgement = Judgement {
        levels: [Level::Free; 2],
        quarry: [Ids::NONE; 2],
    };

    /// The side that loses, and what for; `None` draws.
    pub fn loser(&self) -> Option<(Side, Reason)> {
        let [first, second] = self.levels;
        let (side, level) = match first.cmp(&second) {
            std::cmp::Ordering::Equal => return None,
            std::cmp::Ordering::Greater => (Side::First, first),
            std::cmp::Ordering::Less => (Side::Second, second),
        };
        Some((side, level.reason()?))
    }
}

impl Board {
    /// Judges the last `window` plies, which must be moves that capture nothing and lead back to
    /// the position before them.
    pub fn judge(&self, window: usize) -> Judgement {
        let first = self.plies().len().saturating_sub(window);
        let window = Window {
            plies: &self.plies()[first..],
            now: self.placement(),
            last_mover: !self.side,
        };
        window.judge(self.rules.repetition)
    }
}

/// The plies to be judged.
struct Window<'a> {
    plies: &'a [Ply],
    /// What stands where after the last of them.
    now: &'a Placement,
    last_mover: Side,
}

impl Window<'_> {
    fn judge(&self, rule: RepetitionRule) -> Judgement {
        let mut judgement = Judgement::INNOCENT;
        let perpetual = Side::ALL.map(|side| self.checks_of(side).all(|check| check));
        for side in Side::ALL {
            if perpetual[side.index()] {
                judgement.levels[side.index()] = Level::PerpetualCheck;
            }
        }
        let anybody_checks = self.plies.iter().any(|ply| ply.exposure.in_check);
        let settled = perpetual != [false; 2]
            || rule == RepetitionRule::Computer && anybody_checks
            || self.plies.is_empty();
        if settled {
            return judgement;
        }
        if rule == RepetitionRule::Chinese {
            judgement.levels = self.attackers();
            return judgement;
        }
        let hunts = self.hunts(rule);
        for side in Side::ALL {
            let hunt = &hunts[side.index()];
            judgement.quarry[side.index()] = hunt.common;
            judgement.levels[side.index()] = if hunt.common.is_empty() {
                Level::Free
            } else if self.checks_of(side).any(|check| check) {
                Level::CheckAndChase
            } else if rule != RepetitionRule::Computer && !hunt.pinned.is_empty() {
                Level::PinnedChase
            } else {
                Level::Chase
            };
        }
        judgement
    }

    /// Did the moves of this side give check? From the last one back.
    fn checks_of(&self, side: Side) -> impl Iterator<Item = bool> + '_ {
        let skip = usize::from(side != self.last_mover);
        let own = self.plies.iter().rev().skip(skip).step_by(2);
        own.map(|ply| ply.exposure.in_check)
    }

    /// What each side hunted with all its moves. A check is no chase: it ends the hunt, or is
    /// passed over by the rules under which checks and chases add up.
    fn hunts(&self, rule: RepetitionRule) -> [Hunt; 2] {
        let checks_add_up = rule == RepetitionRule::Simple;
        let mut hunts = Side::ALL.map(|side| {
            let may_hunt = checks_add_up || !self.checks_of(side).any(|check| check);
            Hunt::of(if may_hunt { Ids::ALL } else { Ids::NONE })
        });
        let mut board = self.now.clone();
        let mut side = self.last_mover;
        for ply in self.plies.iter().rev() {
            if hunts.iter().all(|hunt| hunt.common.is_empty()) {
                break;
            }
            let hunt = &mut hunts[side.index()];
            if ply.exposure.in_check {
                roll_back(&mut board, ply);
            } else {
                let after = chase::victims(&mut board, side, hunt.common);
                if !(hunt.pinned & after).is_empty() {
                    hunt.pinned &= chase::leg_pinned_chariots(&board, !side);
                }
                roll_back(&mut board, ply);
                hunt.common = after & !chase::victims(&mut board, side, after);
                hunt.pinned &= hunt.common;
            }
            side = !side;
        }
        hunts
    }

    /// The levels of the Chinese rules: who attacked with every move?
    fn attackers(&self) -> [Level; 2] {
        let mut levels = [Level::Attack; 2];
        let mut board = self.now.clone();
        let mut side = self.last_mover;
        for ply in self.plies.iter().rev() {
            if levels == [Level::Free; 2] {
                break;
            }
            let level = &mut levels[side.index()];
            if *level == Level::Free || ply.exposure.in_check {
                roll_back(&mut board, ply);
            } else {
                let mates = chase::threatens_mate(&mut board, side);
                let after = chase::victims(&mut board, side, Ids::ALL);
                roll_back(&mut board, ply);
                let new = after & !chase::victims(&mut board, side, after);
                if !mates && new.is_empty() {
                    *level = Level::Free;
                }
            }
            side = !side;
        }
        levels
    }
}

/// What all moves of a side so far have in common.
struct Hunt {
    /// The men newly threatened by every one of them.
    common: Ids,
    /// Those of them that were each time chariots pinned by a horse's leg.
    pinned: Ids,
}

impl Hunt {
    const fn of(everybody: Ids) -> Hunt {
        Hunt {
            common: everybody,
            pinned: everybody,
        }
    }
}

/// Takes a ply without a capture back.
pub(super) fn roll_back(board: &mut Placement, ply: &Ply) {
    debug_assert!(ply.captured.is_none(), "no cycle holds a capture");
    if let Some(m) = ply.played
        && let Some(man) = board.cell(m.to()).man()
    {
        board.lift(man, m.to());
        board.put(man, m.from());
    }
}
