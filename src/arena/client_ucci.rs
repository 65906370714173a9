//! The client's side of UCCI.
//!
//! Positions begin after the last capture, clocks are in seconds unless the engine has and was
//! given `usemillisec`, and there is no fixed time for a move: one move to the end of a period
//! says the same.

use std::time::Duration;

use crate::arena::client::{
    Answer, DeclaredOption, Go, Heard, parse_answer, parse_declaration, parse_info,
};
use crate::arena::referee::Setup;
use crate::arena::time_control::Clock;

/// Reads a line.
pub fn hear(line: &str) -> Heard {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["ucciok"] => Heard::Greeting,
        ["readyok"] => Heard::Ready,
        ["id", "name", ..] => Heard::Name(words[2..].join(" ")),
        ["option", name, "type", ..] => {
            Heard::Option(parse_declaration(name.to_owned(), &words[2..]))
        }
        ["info", ..] => Heard::Info(parse_info(&words[1..])),
        ["bestmove", ..] => Heard::Answer(parse_answer(&words[1..])),
        ["nobestmove", ..] => Heard::Answer(Answer::default()),
        _ => Heard::Other,
    }
}

/// `setoption N V`.
pub fn set_option(option: &DeclaredOption, value: &str) -> String {
    match option.kind.as_str() {
        "button" => format!("setoption {}", option.name),
        _ => format!("setoption {} {value}", option.name),
    }
}

/// `position fen F [moves ...]`.
pub fn position(setup: &Setup) -> String {
    let mut line = format!("position fen {}", setup.fen);
    if !setup.moves.is_empty() {
        line += " moves ";
        line += &setup.moves.join(" ");
    }
    line
}

/// `go ...`: depth, nodes or time; UCCI has no way to combine them.
pub fn go(go: &Go<'_>) -> String {
    let mut line = "go".to_owned();
    if go.ponder {
        line += " ponder";
    } else if go.draw_offered {
        line += " draw";
    }
    let limits = go.limits();
    if limits.clock.is_some() || limits.move_time.is_some() {
        line += &own_time(go.own(), go.millis);
        line += &opponents_time(go.clocks[1 - go.side.index()], go.millis);
    } else if let Some(nodes) = limits.nodes {
        line += &format!(" nodes {nodes}");
    } else if let Some(depth) = limits.depth {
        line += &format!(" depth {depth}");
    }
    line
}

/// Milliseconds, or whole seconds rounded down, at least one.
fn amount(time: Duration, millis: bool) -> u128 {
    if millis {
        time.as_millis().max(1)
    } else {
        u128::from(time.as_secs().max(1))
    }
}

fn increment(time: Duration, millis: bool) -> u128 {
    if millis {
        time.as_millis()
    } else {
        u128::from(time.as_secs())
    }
}

fn own_time(clock: &Clock, millis: bool) -> String {
    if let Some(time) = clock.limits().move_time {
        return format!(" time {} movestogo 1", amount(time, millis));
    }
    let time = amount(clock.left(), millis);
    match (clock.moves_to_go(), clock.limits().clock) {
        (Some(moves), _) => format!(" time {time} movestogo {moves}"),
        (None, Some(terms)) => {
            format!(
                " time {time} increment {}",
                increment(terms.increment, millis)
            )
        }
        (None, None) => String::new(),
    }
}

fn opponents_time(clock: &Clock, millis: bool) -> String {
    let time = amount(clock.left(), millis);
    match (clock.moves_to_go(), clock.limits().clock) {
        (Some(moves), _) => format!(" opptime {time} oppmovestogo {moves}"),
        (None, Some(terms)) => {
            format!(
                " opptime {time} oppincrement {}",
                increment(terms.increment, millis)
            )
        }
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::time_control::Limits;
    use crate::game::Side;

    fn clock(text: &str) -> Clock {
        let limits = Limits {
            clock: Some(text.parse().unwrap()),
            ..Limits::default()
        };
        Clock::new(limits, Duration::ZERO)
    }

    fn line(clocks: [&Clock; 2], millis: bool) -> String {
        go(&Go {
            side: Side::First,
            clocks,
            ponder: false,
            draw_offered: false,
            millis,
        })
    }

    #[test]
    fn the_worked_example_of_the_specification() {
        let both = clock("10+0.1");
        assert_eq!(
            line([&both, &both], true),
            "go time 10100 increment 100 opptime 10100 oppincrement 100"
        );
    }

    #[test]
    fn seconds_are_rounded_down_but_never_to_nothing() {
        let (a, b) = (clock("1.9"), clock("0.3"));
        assert_eq!(
            line([&a, &b], false),
            "go time 1 increment 0 opptime 1 oppincrement 0"
        );
    }

    #[test]
    fn periods_and_fixed_limits() {
        let periods = clock("40/60");
        assert_eq!(
            line([&periods, &periods], true),
            "go time 60000 movestogo 40 opptime 60000 oppmovestogo 40"
        );
        let fixed = |limits| Clock::new(limits, Duration::ZERO);
        let time = fixed(Limits {
            move_time: Some(Duration::from_millis(500)),
            ..Limits::default()
        });
        assert_eq!(line([&time, &time], true), "go time 500 movestogo 1");
        let nodes = fixed(Limits {
            nodes: Some(1000),
            ..Limits::default()
        });
        assert_eq!(line([&nodes, &nodes], true), "go nodes 1000");
        let depth = fixed(Limits {
            depth: Some(7),
            ..Limits::default()
        });
        assert_eq!(line([&depth, &depth], true), "go depth 7");
    }

    #[test]
    fn an_offer_comes_with_the_move_that_was_expected_too() {
        use crate::arena::client::Dialect;
        assert_eq!(Dialect::Ucci.ponder_hit(true), "ponderhit draw");
        assert_eq!(Dialect::Ucci.ponder_hit(false), "ponderhit");
        assert_eq!(Dialect::Uci.ponder_hit(true), "ponderhit");
    }

    #[test]
    fn lines_of_an_engine() {
        assert_eq!(hear("ucciok"), Heard::Greeting);
        assert_eq!(hear("nobestmove"), Heard::Answer(Answer::default()));
        assert!(matches!(hear("bestmove h2e2 draw"), Heard::Answer(a) if a.draw));
        let Heard::Option(option) = hear("option usemillisec type check default false") else {
            panic!("an option")
        };
        assert_eq!(set_option(&option, "true"), "setoption usemillisec true");
        assert_eq!(option.kind, "check");
    }
}
