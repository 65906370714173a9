//! The client's side of UCI, in chess and in xiangqi.

use crate::arena::client::{
    Answer, DeclaredOption, Go, Heard, parse_answer, parse_declaration, parse_info,
};
use crate::arena::referee::Setup;
use crate::game::Side;

/// Reads a line.
pub fn hear(line: &str) -> Heard {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        ["uciok"] => Heard::Greeting,
        ["readyok"] => Heard::Ready,
        ["id", "name", ..] => Heard::Name(words[2..].join(" ")),
        ["option", "name", ..] => option(&words[2..]),
        ["info", ..] => Heard::Info(parse_info(&words[1..])),
        // Offers and resignations are UCCI's.
        ["bestmove", ..] => Heard::Answer(Answer {
            draw: false,
            resign: false,
            ..parse_answer(&words[1..])
        }),
        _ => Heard::Other,
    }
}

fn option(words: &[&str]) -> Heard {
    match words.iter().position(|&word| word == "type") {
        Some(at) if at > 0 => Heard::Option(parse_declaration(words[..at].join(" "), &words[at..])),
        _ => Heard::Other,
    }
}

/// `setoption name N value V`.
pub fn set_option(option: &DeclaredOption, value: &str) -> String {
    match (option.kind.as_str(), value) {
        ("button", _) => format!("setoption name {}", option.name),
        (_, "") => format!("setoption name {} value <empty>", option.name),
        _ => format!("setoption name {} value {value}", option.name),
    }
}

/// `position startpos|fen F [moves ...]`.
pub fn position(setup: &Setup) -> String {
    let mut line = if setup.is_usual {
        "position startpos".to_owned()
    } else {
        format!("position fen {}", setup.fen)
    };
    if !setup.moves.is_empty() {
        line += " moves ";
        line += &setup.moves.join(" ");
    }
    line
}

/// `go ...` with both clocks and every limit there is.
pub fn go(go: &Go<'_>) -> String {
    let mut line = "go".to_owned();
    if go.ponder {
        line += " ponder";
    }
    let limits = go.limits();
    if limits.clock.is_some() {
        for (side, time, inc) in [
            (Side::First, "wtime", "winc"),
            (Side::Second, "btime", "binc"),
        ] {
            let clock = go.clocks[side.index()];
            if let Some(terms) = clock.limits().clock {
                line += &format!(" {time} {}", clock.left().as_millis());
                line += &format!(" {inc} {}", terms.increment.as_millis());
            }
        }
        if let Some(moves) = go.own().moves_to_go() {
            line += &format!(" movestogo {moves}");
        }
    }
    if let Some(time) = limits.move_time {
        line += &format!(" movetime {}", time.as_millis().max(1));
    }
    if let Some(nodes) = limits.nodes {
        line += &format!(" nodes {nodes}");
    }
    if let Some(depth) = limits.depth {
        line += &format!(" depth {depth}");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::time_control::{Clock, Limits};
    use std::time::Duration;

    fn clock(text: &str) -> Clock {
        let limits = Limits {
            clock: Some(text.parse().unwrap()),
            ..Limits::default()
        };
        Clock::new(limits, Duration::ZERO)
    }

    fn line(first: &Clock, second: &Clock, side: Side) -> String {
        go(&Go {
            side,
            clocks: [first, second],
            ponder: false,
            draw_offered: false,
            millis: true,
        })
    }

    #[test]
    fn go_names_both_clocks() {
        let (a, b) = (clock("10+0.1"), clock("40/60"));
        assert_eq!(
            line(&a, &b, Side::First),
            "go wtime 10100 winc 100 btime 60000 binc 0"
        );
        assert_eq!(
            line(&a, &b, Side::Second),
            "go wtime 10100 winc 100 btime 60000 binc 0 movestogo 40"
        );
    }

    #[test]
    fn go_names_fixed_limits() {
        let limits = Limits {
            nodes: Some(5000),
            depth: Some(9),
            move_time: Some(Duration::from_millis(250)),
            clock: None,
        };
        let fixed = Clock::new(limits, Duration::ZERO);
        assert_eq!(
            line(&fixed, &clock("1"), Side::First),
            "go movetime 250 nodes 5000 depth 9"
        );
    }

    #[test]
    fn positions_and_options() {
        let mut setup = Setup {
            fen: "F w - - 0 1".to_owned(),
            is_usual: true,
            moves: vec!["e2e4".to_owned()],
        };
        assert_eq!(position(&setup), "position startpos moves e2e4");
        setup.is_usual = false;
        setup.moves.clear();
        assert_eq!(position(&setup), "position fen F w - - 0 1");
        let Heard::Option(option) =
            hear("option name Move Overhead type spin default 10 min 0 max 5000")
        else {
            panic!("an option")
        };
        assert_eq!(
            set_option(&option, "50"),
            "setoption name Move Overhead value 50"
        );
    }

    #[test]
    fn lines_are_told_by_whole_words() {
        assert_eq!(hear("bestmovee e2e4"), Heard::Other);
        assert_eq!(hear("uciok "), Heard::Greeting);
        assert_eq!(hear(""), Heard::Other);
        assert!(
            matches!(hear("  bestmove\te2e4 "), Heard::Answer(a) if a.best.as_deref() == Some("e2e4"))
        );
        assert!(matches!(hear("bestmove e2e4 resign"), Heard::Answer(a) if !a.resign));
        assert_eq!(hear("option name type"), Heard::Other);
    }
}
