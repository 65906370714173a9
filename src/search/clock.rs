//! How long to think: a soft limit, looked at between iterations and stretched or shrunk by how
//! the search goes, and a hard limit, looked at within them.

use std::time::Duration;

use crate::search::{GameClock, Limits};

/// Moves a game is assumed to last yet, where the clock does not say.
const HORIZON: u32 = 34;
/// The most moves to the time control that are planned for one by one.
const HORIZON_MAX: u32 = 40;
/// A move may take at most this share of the time left, in percent.
const HARD_SHARE: u32 = 60;
/// A move may take at most this many times its planned time.
const HARD_FACTOR: u32 = 5;
/// With one legal move, the share of the planned time that is used, in percent: enough for a
/// score and a ponder move.
const FORCED_SHARE: u32 = 5;

/// Time limits of one search, measured from the start of the own clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TimeBudget {
    /// Planned time; `None` where only the hard limit counts.
    pub soft: Option<Duration>,
    /// Never more than this.
    pub hard: Option<Duration>,
}

impl TimeBudget {
    /// The budget for these limits, for a side with or without a choice of moves.
    pub fn new<M>(limits: &Limits<M>, only_move: bool) -> TimeBudget {
        let mut budget = TimeBudget {
            soft: None,
            hard: None,
        };
        if let Some(clock) = limits.clock {
            budget = plan(clock, limits.overhead, limits.ponder_enabled);
            if only_move {
                budget.soft = budget.soft.map(|t| t * FORCED_SHARE / 100);
            }
        }
        if let Some(time) = limits.move_time {
            let usable = time
                .saturating_sub(limits.overhead.min(time / 2))
                .max(Duration::from_millis(1));
            budget.hard = Some(budget.hard.map_or(usable, |hard| hard.min(usable)));
        }
        budget
    }
}

/// Plans one move by the clock. One overhead is lost with this move, and one more is never
/// touched, so that the flag does not fall by an unlucky millisecond.
fn plan(clock: GameClock, overhead: Duration, ponder_enabled: bool) -> TimeBudget {
    let least = Duration::from_millis(1);
    let reserve = overhead + overhead.min(clock.remaining / 8);
    let usable = clock.remaining.saturating_sub(reserve).max(least);
    let moves = clock
        .moves_to_go
        .map_or(HORIZON, |m| m.clamp(1, HORIZON_MAX));
    if moves == 1 && clock.moves_to_go.is_some() {
        return TimeBudget {
            soft: Some(usable * 3 / 4),
            hard: Some(usable),
        };
    }
    // The increment comes back after each move, less the overhead of each.
    let increment = clock.increment.saturating_sub(overhead / 2);
    let mut soft = (usable / moves + increment * 3 / 4).min(usable / 2);
    if ponder_enabled {
        soft = soft * 5 / 4;
    }
    let hard = (soft * HARD_FACTOR).min(usable * HARD_SHARE / 100);
    TimeBudget {
        soft: Some(soft.min(hard).max(least)),
        hard: Some(hard.max(least)),
    }
}

/// The time that a search with these limits is planned to take, and the most that it may; `None`
/// without a clock.
pub fn planned_time<M>(limits: &Limits<M>) -> Option<[Duration; 2]> {
    let TimeBudget { soft, hard } = TimeBudget::new(limits, false);
    Some([soft?, hard?])
}

/// What the last iterations tell of how settled the choice is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settledness {
    /// Iterations the best move has stood.
    pub stable_iterations: u32,
    /// Centipawns the score fell since the iteration before.
    pub score_drop: i32,
    /// Share of the nodes spent on the best move, per mille.
    pub effort: u32,
}

/// The planned time, in percent of the soft limit, after an iteration that went like this.
pub(crate) fn stretch(settled: Settledness) -> u32 {
    let stability = 145_u32
        .saturating_sub(14 * settled.stable_iterations)
        .max(75);
    let drop = (100 + settled.score_drop.clamp(-15, 60)) as u32;
    let effort = 165 - settled.effort.min(1000) / 10;
    (stability * drop / 100 * effort / 100).clamp(30, 250)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    fn limits(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits<u16> {
        Limits {
            clock: Some(GameClock {
                remaining: MS(remaining),
                increment: MS(increment),
                moves_to_go,
            }),
            overhead: MS(30),
            ..Limits::default()
        }
    }

    #[test]
    fn hard_limit_always_leaves_the_overhead_on_the_clock() {
        for remaining in [0, 1, 20, 60, 100, 1010, 60_000, u64::from(u32::MAX)] {
            for increment in [0, 10, 1000, 100_000] {
                for moves in [None, Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let budget = TimeBudget::new(&limits(remaining, increment, moves), false);
                    let hard = budget.hard.unwrap();
                    assert!(
                        hard <= MS(remaining.saturating_sub(30).max(1)),
                        "{remaining}+{increment}/{moves:?}: {hard:?}"
                    );
                    assert!(budget.soft.unwrap() <= hard);
                }
            }
        }
    }

    #[test]
    fn time_lasts_for_the_moves_to_the_control() {
        let mut left = MS(60_000);
        for to_go in (1..=40).rev() {
            let l = limits(left.as_millis() as u64, 0, Some(to_go));
            let soft = TimeBudget::new(&l, false).soft.unwrap();
            left = left.checked_sub(soft + MS(30)).unwrap();
        }
    }

    #[test]
    fn move_time_is_cut_by_the_overhead_but_by_half_at_most() {
        let mut l = limits(0, 0, None);
        l.clock = None;
        for (asked, hard) in [(1000, 970), (40, 20), (1, 1)] {
            l.move_time = Some(MS(asked));
            let budget = TimeBudget::new(&l, true);
            assert_eq!((budget.soft, budget.hard), (None, Some(MS(hard))));
        }
    }

    #[test]
    fn unsettled_searches_get_more() {
        let calm = Settledness {
            stable_iterations: 8,
            score_drop: 0,
            effort: 900,
        };
        let torn = Settledness {
            stable_iterations: 0,
            score_drop: 40,
            effort: 300,
        };
        assert!(stretch(calm) < 70);
        assert!(stretch(torn) > 150);
    }
}
