//! From what a `go` line said to what the search is to do.

use std::time::Duration;

use crate::engine::order::Settings;
use crate::game::{Depth, Side};
use crate::protocol::{ClockFields, Dialect, GoRequest, OptionId};
use crate::search::{GameClock, Limits};

/// What UCCI clients that count whole seconds may hide: they round down, and wait in seconds too.
const SECONDS_RESERVE: Duration = Duration::from_secs(1);

/// More moves than any mate takes that a search can see.
const ANY_MATE: u32 = 10_000;

/// The limits of a search for `side`. `root_moves` restricts it.
pub fn limits<M>(
    request: &GoRequest,
    side: Side,
    settings: &Settings,
    root_moves: Option<Vec<M>>,
) -> Limits<M> {
    let clock = own_clock(request, side).and_then(|own| {
        Some(GameClock {
            remaining: millis(own.time?),
            increment: Duration::from_millis(own.increment.unwrap_or(0).max(0).unsigned_abs()),
            moves_to_go: request.moves_to_go,
        })
    });
    let analysing = settings.options.is_on(OptionId::AnalyseMode);
    let watched = request.infinite && !settings.sequential;
    let endless = settings.sequential && !request.is_bounded();
    Limits {
        clock,
        move_time: request.move_time.map(millis),
        depth: request.depth.map(|depth| {
            let depth = i32::try_from(depth).unwrap_or(i32::MAX);
            Depth(depth.clamp(1, Depth::MAX.0))
        }),
        nodes: request.nodes,
        soft_nodes: None,
        // Nobody can stop a search of a script: it ends when there is nothing more to find.
        mate: request.mate.or(endless.then_some(ANY_MATE)),
        infinite: watched || (analysing && clock.is_none() && request.mate.is_none() && !endless),
        overhead: overhead(settings),
        root_moves,
        multi_pv: usize::try_from(settings.options.number(OptionId::MultiPv)).unwrap_or(1),
        ponder_enabled: settings.options.is_on(OptionId::Ponder),
    }
}

/// The clock of the side to move; where only the other one's is known, that one.
fn own_clock(request: &GoRequest, side: Side) -> Option<ClockFields> {
    let mine = request.sides[side.index()];
    let theirs = request.sides[(!side).index()];
    [request.own, mine, theirs]
        .into_iter()
        .find(|fields| fields.time.is_some())
}

fn overhead(settings: &Settings) -> Duration {
    let option = settings.options.number(OptionId::MoveOverhead);
    let overhead = Duration::from_millis(option.max(0).unsigned_abs());
    let seconds =
        settings.dialect == Dialect::Ucci && !settings.options.is_on(OptionId::UseMillisec);
    if seconds {
        overhead.max(SECONDS_RESERVE)
    } else {
        overhead
    }
}

/// At least one millisecond, whatever the client says.
fn millis(n: i64) -> Duration {
    Duration::from_millis(n.max(1).unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{self, Command, Options};

    fn settings(dialect: Dialect) -> Settings {
        Settings {
            dialect,
            options: Options::new(false),
            script: false,
            sequential: false,
        }
    }

    fn of(line: &str, side: Side, settings: &Settings) -> Limits<u16> {
        let Ok(Command::Go(request)) = protocol::parse(line, settings.dialect, 1) else {
            panic!("{line}")
        };
        limits(&request, side, settings, None)
    }

    const MS: fn(u64) -> Duration = Duration::from_millis;

    #[test]
    fn each_side_uses_its_own_clock() {
        let settings = settings(Dialect::Uci);
        let line = "go wtime 100 btime 200 winc 1 binc 2 movestogo 9";
        for (side, remaining, increment) in [(Side::First, 100, 1), (Side::Second, 200, 2)] {
            let clock = of(line, side, &settings).clock.unwrap();
            assert_eq!(
                (clock.remaining, clock.increment),
                (MS(remaining), MS(increment))
            );
            assert_eq!(clock.moves_to_go, Some(9));
        }
    }

    #[test]
    fn d22_a_missing_clock_is_the_other_one_and_none_is_below_a_millisecond() {
        let settings = settings(Dialect::Uci);
        let clock = of("go wtime -50 winc -3", Side::Second, &settings)
            .clock
            .unwrap();
        assert_eq!((clock.remaining, clock.increment), (MS(1), MS(0)));
        assert_eq!(of("go depth 3", Side::First, &settings).clock, None);
    }

    #[test]
    fn ucci_names_the_own_clock() {
        let settings = settings(Dialect::Ucci);
        let line = "go time 300000 opptime 1 oppincrement 9 increment 3000";
        let clock = of(line, Side::Second, &settings).clock.unwrap();
        assert_eq!((clock.remaining, clock.increment), (MS(300_000), MS(3000)));
        let limits = of("go time -5", Side::First, &settings);
        assert_eq!((limits.clock, limits.move_time), (None, Some(MS(1))));
    }

    #[test]
    fn depth_is_clamped() {
        let settings = settings(Dialect::Uci);
        for (asked, depth) in [("0", 1), ("100", 100), ("4000000000", 245)] {
            let limits = of(&format!("go depth {asked}"), Side::First, &settings);
            assert_eq!(limits.depth, Some(Depth(depth)));
        }
    }

    #[test]
    fn whole_seconds_leave_a_reserve() {
        let mut settings = settings(Dialect::Ucci);
        assert_eq!(of("go depth 1", Side::First, &settings).overhead, MS(30));
        settings.options.switch(OptionId::UseMillisec, false);
        assert_eq!(of("go depth 1", Side::First, &settings).overhead, MS(1000));
    }

    #[test]
    fn a_script_ends_its_endless_searches_at_a_mate() {
        let mut settings = settings(Dialect::Ucci);
        assert!(of("go", Side::First, &settings).infinite);
        settings.sequential = true;
        let limits = of("go infinite", Side::First, &settings);
        assert!(!limits.infinite && limits.mate.is_some());
    }

    #[test]
    fn analysis_does_not_end_early_but_keeps_to_clocks_and_mates() {
        let mut settings = settings(Dialect::Uci);
        settings.options.switch(OptionId::AnalyseMode, true);
        assert!(of("go movetime 100", Side::First, &settings).infinite);
        assert!(!of("go wtime 100", Side::First, &settings).infinite);
        assert!(!of("go mate 3", Side::First, &settings).infinite);
    }
}
