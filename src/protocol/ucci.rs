//! UCCI lines to commands.

use crate::protocol::uci::{fen, helper, position, prefixed, set_option, split_word};
use crate::protocol::{Command, CommandError, Dialect, go};

/// Reads a line. The first word decides; a line that begins with no known word is an error, which
/// the protocol wants passed over in silence. `unit_ms` is the unit of the clock words.
pub(super) fn parse(line: &str, unit_ms: i64) -> Result<Command, CommandError> {
    let Some((first, tail)) = split_word(line) else {
        return Ok(Command::Nothing);
    };
    let word = first.to_ascii_lowercase();
    let words = || tail.split_ascii_whitespace().collect::<Vec<_>>();
    Ok(match word.as_str() {
        "ucci" => Command::Handshake(Dialect::Ucci),
        "uci" => Command::Handshake(Dialect::Uci),
        "isready" => Command::IsReady,
        "setoption" => return option(tail),
        "uccinewgame" | "ucinewgame" | "uxinewgame" | "newgame" => Command::NewGame,
        "position" => Command::Position(position(&words())),
        "fen" => Command::Position(fen(&words())),
        "startpos" => Command::Position(position(&prefixed("startpos", tail))),
        "probe" => Command::Probe(position(&words())),
        "banmoves" => Command::BanMoves(words().iter().map(|m| (*m).to_owned()).collect()),
        "go" => limits(go::parse(&words(), unit_ms)?),
        "ponderhit" => Command::PonderHit {
            draw_offer: words().iter().any(|word| word.eq_ignore_ascii_case("draw")),
        },
        "stop" => Command::Stop,
        "quit" => Command::Quit,
        "register" | "debug" => Command::Nothing,
        word if word.starts_with('#') => Command::Nothing,
        word => {
            return helper(word, tail)
                .unwrap_or_else(|| Err(CommandError::Unknown(line.trim().to_owned())));
        }
    })
}

/// UCCI's own reading of `go`: a finite limit beats `infinite` (A12), `time` without anything
/// about later moves is for this one move, a bare `go` is infinite, and a bare `go draw` wants a
/// verdict within about a second (A10).
fn limits(command: Command) -> Command {
    const VERDICT_MS: i64 = 1000;
    let Command::Go(mut request) = command else {
        return command;
    };
    if request.has_limit() {
        request.infinite = false;
    }
    if let Some(time) = request.own.time
        && request.own.increment.is_none()
        && request.moves_to_go.is_none()
    {
        request.own.time = None;
        request.move_time = Some(request.move_time.map_or(time, |given| given.min(time)));
    }
    match (request.has_limit(), request.draw_offer && !request.infinite) {
        (true, _) => {}
        (false, true) => request.move_time = Some(VERDICT_MS),
        (false, false) => request.infinite = true,
    }
    Command::Go(request)
}

/// `<option> [<value>]`, or the UCI spelling where the first word is `name`.
fn option(tail: &str) -> Result<Command, CommandError> {
    let (name, rest) = split_word(tail).ok_or(CommandError::OptionName)?;
    if name.eq_ignore_ascii_case("name") {
        return set_option(tail);
    }
    let value = rest.trim();
    Ok(Command::SetOption {
        name: name.to_owned(),
        value: (!value.is_empty()).then(|| value.to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{GoRequest, Start};

    fn go(line: &str) -> GoRequest {
        match parse(line, 1).unwrap() {
            Command::Go(request) => request,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn ucci_4_3_options_in_both_spellings() {
        let expected = |name: &str, value: Option<&str>| Command::SetOption {
            name: name.to_owned(),
            value: value.map(str::to_owned),
        };
        for (line, name, value) in [
            ("setoption pruning  large", "pruning", Some("large")),
            ("SETOPTION newgame", "newgame", None),
            ("setoption name hashsize value 64", "hashsize", Some("64")),
            (
                "setoption bookfiles a b;c  d ",
                "bookfiles",
                Some("a b;c  d"),
            ),
        ] {
            assert_eq!(parse(line, 1), Ok(expected(name, value)), "{line}");
        }
    }

    #[test]
    fn ucci_7_2_time_alone_is_for_one_move() {
        assert_eq!(go("go time 1000").move_time, Some(1000));
        assert_eq!(go("go time 1000").own.time, None);
        assert_eq!(go("go time 1000 movetime 300").move_time, Some(300));
        assert_eq!(go("go time 1000 increment 0").own.time, Some(1000));
        assert_eq!(go("go time 1000 movestogo 4").move_time, None);
    }

    #[test]
    fn a10_a12_limits() {
        assert!(!go("go infinite time 20000").infinite);
        assert!(go("go infinite").infinite);
        assert!(go("go ").infinite);
        assert_eq!(go("go draw").move_time, Some(1000));
    }

    #[test]
    fn gmchess_and_cyclone_positions() {
        for line in [
            "position fen 4k4/9/9/9/9/9/9/9/9/4K4 w -- 0 1  moves h2e2",
            "fen 4k4/9/9/9/9/9/9/9/9/4K4 w -- 0 1 moves h2e2 ",
        ] {
            let Ok(Command::Position(request)) = parse(line, 1) else {
                panic!("{line}")
            };
            let fen = "4k4/9/9/9/9/9/9/9/9/4K4 w -- 0 1".to_owned();
            assert_eq!(request.start, Start::Fen(fen));
            assert_eq!(request.moves, ["h2e2"]);
        }
    }

    #[test]
    fn a28_unknown_words_do_not_look_further() {
        assert!(matches!(
            parse("foo stop", 1),
            Err(CommandError::Unknown(_))
        ));
        assert_eq!(parse("", 1), Ok(Command::Nothing));
    }
}
