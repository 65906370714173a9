//! The parameters of `go`, in any order, in both dialects.
//!
//! Unknown words are skipped one at a time; a keyword given twice keeps its last value; a keyword
//! without a readable number counts as not given. UCCI clients use UCI words too (its section
//! 7.6), so both dialects share one table of keywords; they differ in what a keyword's unit is.

use crate::protocol::{Command, CommandError, GoRequest};

/// Reads what follows the word `go`. `unit_ms` is the length of the time unit that UCCI's own
/// clock words count in; the UCI words always count milliseconds.
///
/// # Errors
/// `perft` without a number: a search would be no answer to it.
pub(super) fn parse(words: &[&str], unit_ms: i64) -> Result<Command, CommandError> {
    let mut request = GoRequest::default();
    let mut rest = words;
    while let [word, tail @ ..] = rest {
        let word = word.to_ascii_lowercase();
        if word == "nodes"
            && let Some(nodes) = large(tail)
        {
            request.nodes = Some(nodes);
            rest = &tail[1..];
            continue;
        }
        rest = match (word.as_str(), number(tail)) {
            ("perft", Some(depth)) => return Ok(Command::Perft(clamp_u32(depth))),
            ("perft", None) => {
                return Err(CommandError::no_number("go perft", tail.first().copied()));
            }
            ("searchmoves", _) => search_moves(&mut request, tail),
            (_, Some(n)) if pair(&mut request, &word, n, unit_ms) => &tail[1..],
            _ => {
                if !flag(&mut request, &word) {
                    request.skipped.push(word);
                }
                tail
            }
        };
    }
    Ok(Command::Go(request))
}

/// Words that stand alone. False where the word is none of them.
fn flag(request: &mut GoRequest, word: &str) -> bool {
    let flag = match word {
        "infinite" => &mut request.infinite,
        "ponder" => &mut request.ponder,
        "draw" => &mut request.draw_offer,
        _ => return false,
    };
    *flag = true;
    true
}

/// Takes what follows `searchmoves` as long as it looks like moves, and returns the rest.
fn search_moves<'a>(request: &mut GoRequest, tail: &'a [&'a str]) -> &'a [&'a str] {
    let count = tail.iter().take_while(|text| looks_like_move(text)).count();
    let (moves, rest) = tail.split_at(count);
    if count > 0 {
        request.search_moves = Some(moves.iter().map(|text| (*text).to_owned()).collect());
    }
    rest
}

/// Words with a number after them. False where the word is none of them.
fn pair(request: &mut GoRequest, word: &str, n: i64, unit_ms: i64) -> bool {
    let scaled = n.saturating_mul(unit_ms);
    let [first, second] = &mut request.sides;
    match word {
        "wtime" => first.time = Some(n),
        "btime" => second.time = Some(n),
        "winc" => first.increment = Some(n),
        "binc" => second.increment = Some(n),
        "time" => request.own.time = Some(scaled),
        "increment" => request.own.increment = Some(scaled),
        "opptime" => request.opponent.time = Some(scaled),
        "oppincrement" => request.opponent.increment = Some(scaled),
        "movetime" => request.move_time = Some(scaled),
        "movestogo" => request.moves_to_go = (n > 0).then(|| clamp_u32(n)),
        // Depth 0 has a meaning of its own; less than that is meant to be little.
        "depth" => request.depth = Some(if n < 0 { 1 } else { clamp_u32(n) }),
        "nodes" => request.nodes = Some(n.max(1).unsigned_abs()),
        "mate" => request.mate = Some(clamp_u32(n.max(1))),
        _ => return false,
    }
    true
}

fn number(tail: &[&str]) -> Option<i64> {
    tail.first()?.parse().ok()
}

/// A number of nodes that the other numbers cannot hold.
fn large(tail: &[&str]) -> Option<u64> {
    let number = tail.first()?.parse().ok();
    number.filter(|n| *n > i64::MAX.unsigned_abs())
}

fn clamp_u32(n: i64) -> u32 {
    u32::try_from(n.max(0)).unwrap_or(u32::MAX)
}

/// Does the text have the form of a move of either game, `h2-e2` and the null move included?
fn looks_like_move(text: &str) -> bool {
    if text == "0000" {
        return true;
    }
    let bytes = text.to_ascii_lowercase().into_bytes();
    let square = |bytes: &[u8]| -> Option<usize> {
        let (file, rest) = bytes.split_first()?;
        let digits = rest
            .iter()
            .take(2)
            .take_while(|b| b.is_ascii_digit())
            .count();
        (file.is_ascii_lowercase() && *file <= b'i' && digits > 0).then_some(digits + 1)
    };
    let Some(from) = square(&bytes) else {
        return false;
    };
    let rest = &bytes[from..];
    let rest = rest.strip_prefix(b"-").unwrap_or(rest);
    let Some(to) = square(rest) else {
        return false;
    };
    matches!(rest[to..], [] | [b'q' | b'r' | b'b' | b'n'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> GoRequest {
        let words: Vec<&str> = text.split_whitespace().collect();
        match parse(&words, 1) {
            Ok(Command::Go(request)) => request,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn go_words_come_in_any_order_and_the_last_of_a_kind_wins() {
        let a = go("wtime 1 btime 2 winc 3 binc 4 depth 7");
        let b = go("depth 9 binc 4 winc 3 btime 2 depth 7 wtime 1");
        assert_eq!(a, b);
        assert_eq!(a.sides[1].increment, Some(4));
    }

    #[test]
    fn d22_bad_numbers_count_as_not_given_and_eat_no_word() {
        let request =
            go("wtime -50 btime 99999999999999999999 movestogo 0 foo 12 movetime ponder depth");
        assert_eq!(request.sides[0].time, Some(-50));
        assert_eq!(request.sides[1].time, None);
        assert_eq!(request.moves_to_go, None);
        assert_eq!((request.move_time, request.depth), (None, None));
        assert!(request.ponder);
    }

    #[test]
    fn d11_searchmoves_may_stand_anywhere() {
        let request = go("searchmoves a2a3 h2h4 e7e8Q a10a9 nodes 500");
        let moves = request.search_moves.unwrap();
        assert_eq!(moves, ["a2a3", "h2h4", "e7e8Q", "a10a9"]);
        assert_eq!(request.nodes, Some(500));
        assert_eq!(
            go("searchmoves 0000 depth 3").search_moves.unwrap(),
            ["0000"]
        );
        assert_eq!(go("searchmoves depth 3").search_moves, None);
        let last = go("searchmoves e2e4 searchmoves H2-E2 d2d4");
        assert_eq!(last.search_moves.unwrap(), ["H2-E2", "d2d4"]);
    }

    #[test]
    fn numbers_at_the_ends_of_their_ranges() {
        assert_eq!(go("nodes 18446744073709551615").nodes, Some(u64::MAX));
        assert_eq!(go("depth 0").depth, Some(0));
        assert_eq!(go("depth -5").depth, Some(1));
    }

    #[test]
    fn a20_oppincrement_is_not_increment() {
        let request = go("time 300000 opptime 290000 oppincrement 3000 increment 2000");
        assert_eq!(request.own.increment, Some(2000));
        assert_eq!(request.opponent.increment, Some(3000));
    }

    #[test]
    fn seconds_scale_the_ucci_words_only() {
        let Ok(Command::Go(request)) = parse(&["time", "300", "wtime", "300"], 1000) else {
            panic!()
        };
        assert_eq!(request.own.time, Some(300_000));
        assert_eq!(request.sides[0].time, Some(300));
    }

    #[test]
    fn bounded_means_it_ends_by_itself() {
        for text in [
            "depth 3",
            "nodes 5",
            "movetime 5",
            "wtime 5",
            "mate 2",
            "time 9",
        ] {
            assert!(go(text).is_bounded(), "{text}");
        }
        for text in ["", "infinite", "infinite depth 3"] {
            assert!(!go(text).is_bounded(), "{text}");
        }
    }

    #[test]
    fn perft_is_a_command_of_its_own() {
        assert_eq!(parse(&["perft", "5"], 1), Ok(Command::Perft(5)));
        let refused = |words| parse(words, 1).unwrap_err().to_string();
        assert_eq!(refused(&["perft"]), "go perft: expected a number");
        assert_eq!(refused(&["perft", "x"]), "go perft: 'x' is not a number");
    }
}
