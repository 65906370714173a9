//! UCI lines to commands.

use crate::protocol::{
    BenchRequest, Command, CommandError, Dialect, PositionRequest, SpeedTestRequest, Start, go,
};

/// Every word that begins a command, our helpers and what clients of sister protocols send.
const WORDS: [&str; 30] = [
    "uci",
    "ucci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "uccinewgame",
    "uxinewgame",
    "newgame",
    "position",
    "fen",
    "startpos",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "d",
    "eval",
    "perft",
    "bench",
    "speedtest",
    "flip",
    "export_net",
    "help",
    "compiler",
    "license",
    "genfens",
    "xboard",
    "protover",
];

/// Is this word the name of a command?
pub(super) fn is_command_word(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    WORDS.contains(&word.as_str())
}

/// Reads a line. Unknown words before the first known one are skipped, as the protocol asks.
pub(super) fn parse(line: &str) -> Result<Command, CommandError> {
    if line.trim_start().starts_with('#') {
        return Ok(Command::Nothing);
    }
    let mut rest = line.trim();
    let first = rest;
    while let Some((word, tail)) = split_word(rest) {
        if let Some(command) = command(&word.to_ascii_lowercase(), tail) {
            return command;
        }
        rest = tail;
    }
    match first {
        "" => Ok(Command::Nothing),
        _ => Err(CommandError::Unknown(first.to_owned())),
    }
}

/// The command that this word names, if any.
fn command(word: &str, tail: &str) -> Option<Result<Command, CommandError>> {
    let words = || tail.split_ascii_whitespace().collect::<Vec<_>>();
    Some(Ok(match word {
        "uci" => Command::Handshake(Dialect::Uci),
        "ucci" => Command::Handshake(Dialect::Ucci),
        "isready" => Command::IsReady,
        "debug" => Command::Debug(on_off(tail)),
        "setoption" => return Some(set_option(tail)),
        "ucinewgame" | "uccinewgame" | "uxinewgame" | "newgame" => Command::NewGame,
        "position" => Command::Position(position(&words())),
        "fen" => Command::Position(fen(&words())),
        "startpos" => Command::Position(position(&prefixed("startpos", tail))),
        "go" => return Some(go::parse(&words(), 1)),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit { draw_offer: false },
        "quit" => Command::Quit,
        "register" | "xboard" | "protover" => Command::Nothing,
        _ => return helper(word, tail),
    }))
}

/// The helpers outside the protocol, the same in both dialects.
pub(super) fn helper(word: &str, tail: &str) -> Option<Result<Command, CommandError>> {
    let number = tail.split_ascii_whitespace().next();
    Some(Ok(match word {
        "d" => Command::Show,
        "eval" => Command::Eval,
        "perft" => {
            let depth = number.and_then(|text| text.parse().ok());
            let depth = depth.map(Command::Perft);
            return Some(depth.ok_or_else(|| CommandError::no_number("perft", number)));
        }
        "bench" => {
            let words: Vec<&str> = tail.split_ascii_whitespace().collect();
            return Some(BenchRequest::parse(&words).map(Command::Bench));
        }
        "speedtest" => {
            let words: Vec<&str> = tail.split_ascii_whitespace().collect();
            return Some(SpeedTestRequest::parse(&words).map(Command::SpeedTest));
        }
        "flip" => Command::Flip,
        "export_net" => Command::ExportNet(tail.trim().to_owned()),
        "help" => Command::Help,
        "compiler" => Command::Compiler,
        "license" => Command::License,
        "genfens" => Command::GenFens(format!("genfens {}", tail.trim())),
        _ => return None,
    }))
}

/// `position [startpos | fen FEN] [moves ...]`; a FEN without the word `fen` is understood.
pub(super) fn position(words: &[&str]) -> PositionRequest {
    let is = |word: &str, name: &str| word.eq_ignore_ascii_case(name);
    match words {
        [] => PositionRequest {
            start: Start::Unchanged,
            moves: Vec::new(),
        },
        [word, rest @ ..] if is(word, "fen") => fen(rest),
        [word, ..] if word.contains('/') => fen(words),
        _ => PositionRequest {
            start: match words[0] {
                word if is(word, "startpos") || is(word, "moves") => Start::StartPosition,
                other => Start::Fen(other.to_owned()),
            },
            moves: moves_of(words),
        },
    }
}

/// A FEN up to the word `moves`, and the moves after it.
pub(super) fn fen(words: &[&str]) -> PositionRequest {
    let fields = words
        .iter()
        .take_while(|word| !word.eq_ignore_ascii_case("moves"));
    PositionRequest {
        start: Start::Fen(fields.copied().collect::<Vec<_>>().join(" ")),
        moves: moves_of(words),
    }
}

fn moves_of(words: &[&str]) -> Vec<String> {
    words
        .iter()
        .skip_while(|word| !word.eq_ignore_ascii_case("moves"))
        .skip(1)
        .map(|word| (*word).to_owned())
        .collect()
}

pub(super) fn prefixed<'a>(word: &'a str, tail: &'a str) -> Vec<&'a str> {
    std::iter::once(word)
        .chain(tail.split_ascii_whitespace())
        .collect()
}

/// `name <id> [value <x>]`: the name with its blanks collapsed, the value raw (OPT-1 to OPT-3).
pub(super) fn set_option(tail: &str) -> Result<Command, CommandError> {
    let (first, mut rest) = split_word(tail).ok_or(CommandError::OptionName)?;
    if !first.eq_ignore_ascii_case("name") {
        return Err(CommandError::OptionName);
    }
    let mut name = Vec::new();
    let mut value = None;
    while let Some((word, after)) = split_word(rest) {
        if word.eq_ignore_ascii_case("value") {
            value = Some(after.trim().to_owned());
            break;
        }
        name.push(word);
        rest = after;
    }
    if name.is_empty() {
        return Err(CommandError::OptionName);
    }
    Ok(Command::SetOption {
        name: name.join(" "),
        value,
    })
}

/// The first word and the text after it; `None` where only blanks are left.
pub(super) fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text
        .find(|c: char| c.is_ascii_whitespace())
        .unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

fn on_off(tail: &str) -> Option<bool> {
    let word = tail.split_ascii_whitespace().next()?;
    ["off", "on"]
        .iter()
        .position(|name| word.eq_ignore_ascii_case(name))
        .map(|index| index == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(line: &str) -> (String, Option<String>) {
        match parse(line).unwrap() {
            Command::SetOption { name, value } => (name, value),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn unknown_words_before_a_command_are_skipped() {
        assert_eq!(parse("joho debug on"), Ok(Command::Debug(Some(true))));
        assert_eq!(parse("  \t isready\t"), Ok(Command::IsReady));
        assert_eq!(parse(""), Ok(Command::Nothing));
        assert_eq!(parse("  # remark isready"), Ok(Command::Nothing));
        assert_eq!(
            parse("xyzzy").unwrap_err().to_string(),
            "Unknown command: 'xyzzy'"
        );
    }

    #[test]
    fn opt_1_to_3_names_collapse_and_values_stay_raw() {
        let s = |text: &str| text.to_owned();
        assert_eq!(
            set("setoption name  Move   Overhead  value  100 "),
            (s("Move Overhead"), Some(s("100")))
        );
        assert_eq!(
            set(r"setoption name EvalFile value C:\My  Nets\a value b.nnue"),
            (s("EvalFile"), Some(s(r"C:\My  Nets\a value b.nnue")))
        );
        assert_eq!(set("setoption name Clear Hash"), (s("Clear Hash"), None));
        assert_eq!(set("setoption name X value "), (s("X"), Some(s(""))));
    }

    #[test]
    fn opt_10_garbage_is_an_error() {
        for line in [
            "setoption",
            "setoption Name=Hash",
            "setoption name",
            "setoption name value 3",
        ] {
            assert_eq!(parse(line), Err(CommandError::OptionName), "{line}");
        }
    }

    #[test]
    fn pos_1_position_in_all_its_forms() {
        let request = |line: &str| match parse(line).unwrap() {
            Command::Position(request) => request,
            other => panic!("{other:?}"),
        };
        let moves = vec!["e2e4".to_owned(), "e7e5".to_owned()];
        for line in [
            "position startpos moves e2e4 e7e5",
            "position moves e2e4 e7e5",
            "position\tstartpos  junk moves  e2e4   e7e5 ",
            "startpos moves e2e4 e7e5",
        ] {
            let expected = PositionRequest {
                start: Start::StartPosition,
                moves: moves.clone(),
            };
            assert_eq!(request(line), expected, "{line}");
        }
        let expected = PositionRequest {
            start: Start::Fen("4k3/8/8/8/8/8/8/4K3 w".to_owned()),
            moves: Vec::new(),
        };
        for line in [
            "position fen 4k3/8/8/8/8/8/8/4K3 w moves ",
            "position 4k3/8/8/8/8/8/8/4K3 w",
            "fen 4k3/8/8/8/8/8/8/4K3 w",
        ] {
            assert_eq!(request(line), expected, "{line}");
        }
        assert_eq!(request("position").start, Start::Unchanged);
    }

    #[test]
    fn every_command_word_is_understood() {
        for word in WORDS {
            let line = format!("{word} 1");
            assert!(
                !matches!(parse(&line), Err(CommandError::Unknown(_))),
                "{word}"
            );
        }
    }
}
