//! Reads the comments that [`crate::arena::record`] writes behind moves.
//!
//! What a comment does not say, or says in words of its own, is left out: it is no error.

use std::time::Duration;

use crate::arena::config::MateUnit;
use crate::arena::record::{MoveFacts, ReportedScore};

/// What a comment says of its move; mates are counted in `unit`.
pub fn read(comment: &str, unit: MateUnit) -> MoveFacts {
    let mut facts = MoveFacts::default();
    for (place, part) in parts(comment).into_iter().enumerate() {
        match part.split_once('=') {
            Some((key, value)) => fact(&mut facts, key, value),
            None if place == 0 && part == "book" => facts.is_book = true,
            None if place == 0 => head(&mut facts, part, unit),
            None => {}
        }
    }
    facts
}

/// The parts between commas, those within quotation marks not counted.
fn parts(comment: &str) -> Vec<&str> {
    let mut quoted = false;
    let is_comma = move |c: char| {
        quoted ^= c == '"';
        c == ',' && !quoted
    };
    comment.split(is_comma).map(str::trim).collect()
}

/// `+0.35/12 0.512s` or `0.512s`.
fn head(facts: &mut MoveFacts, text: &str, unit: MateUnit) {
    let (thought, time) = match text.split_once(' ') {
        Some((thought, time)) => (Some(thought), time),
        None => (None, text),
    };
    let Some(time) = time.strip_suffix('s').and_then(seconds) else {
        return;
    };
    facts.time = time;
    if let Some((score_text, depth)) = thought.and_then(|text| text.split_once('/')) {
        facts.score = score(score_text, unit);
        facts.depth = depth.parse().ok();
    }
}

fn fact(facts: &mut MoveFacts, key: &str, value: &str) {
    match key {
        "n" => facts.nodes = value.parse().ok(),
        "nps" => facts.speed = value.parse().ok(),
        "hashfull" => facts.table_use = value.parse().ok(),
        "tbhits" => facts.table_hits = value.parse().ok(),
        "sd" => facts.seldepth = value.parse().ok(),
        "tl" => facts.left = seconds(value),
        "latency" => facts.latency = seconds(value),
        "pv" => {
            let line = value.trim_matches('"').split_whitespace();
            facts.pv = line.map(str::to_owned).collect();
        }
        "line" => facts.line = Some(value.trim_matches('"').to_owned()),
        _ => {}
    }
}

fn seconds(text: &str) -> Option<Duration> {
    let value: f64 = text.parse().ok()?;
    Duration::try_from_secs_f64(value).ok()
}

/// A score as [`crate::arena::record::score_text`] writes it.
fn score(text: &str, unit: MateUnit) -> Option<ReportedScore> {
    let negative = text.starts_with('-');
    let size = text.strip_prefix(['+', '-'])?;
    if let Some(distance) = size.strip_prefix('M') {
        let distance: i32 = distance.parse().ok()?;
        let moves = match unit {
            MateUnit::Plies => distance / 2 + distance % 2,
            MateUnit::Moves => distance,
        };
        return Some(ReportedScore::Mate(if negative { -moves } else { moves }));
    }
    let (pawns, hundredths) = size.split_once('.')?;
    let pawns: i32 = pawns.parse().ok()?;
    let hundredths: i32 = hundredths.parse().ok().filter(|h| (0..100).contains(h))?;
    let size = pawns.checked_mul(100)?.checked_add(hundredths)?;
    let cp = if negative { -size } else { size };
    Some(ReportedScore::Centipawns(cp))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::record::score_text;

    #[test]
    fn a_whole_comment() {
        let facts = read(
            "+0.35/12 0.512s, n=12345, sd=20, nps=24111, hashfull=7, tbhits=3, \
             tl=7.568, latency=0.002, pv=\"e2e4 e7e5, g1f3\", \
             line=\"info string a=b, c\", White mates",
            MateUnit::Plies,
        );
        let wanted = MoveFacts {
            score: Some(ReportedScore::Centipawns(35)),
            depth: Some(12),
            seldepth: Some(20),
            nodes: Some(12_345),
            speed: Some(24_111),
            table_use: Some(7),
            table_hits: Some(3),
            time: Duration::from_millis(512),
            latency: Some(Duration::from_millis(2)),
            left: Some(Duration::from_millis(7568)),
            is_book: false,
            pv: ["e2e4", "e7e5,", "g1f3"].map(str::to_owned).to_vec(),
            line: Some("info string a=b, c".to_owned()),
        };
        assert_eq!(facts, wanted);
    }

    #[test]
    fn scores_come_back_as_they_were_written() {
        let centipawns = [0, 5, 35, -35, -1205, 30_000].map(ReportedScore::Centipawns);
        let mates = [1, 2, 17, 0, -1, -9].map(ReportedScore::Mate);
        for wanted in centipawns.into_iter().chain(mates) {
            for unit in [MateUnit::Plies, MateUnit::Moves] {
                assert_eq!(score(&score_text(wanted, unit), unit), Some(wanted));
            }
        }
    }

    #[test]
    fn odd_comments_say_nothing() {
        for text in [
            "",
            "a fine move",
            "+x/3 0.1s",
            "+1.5e9/3 1s",
            ",,=,\"",
            "-/- -1s",
        ] {
            let facts = read(text, MateUnit::Plies);
            assert_eq!((facts.score, facts.left), (None, None), "{text}");
        }
        assert!(read("book", MateUnit::Plies).is_book);
        assert_eq!(
            read("0.250s", MateUnit::Plies).time,
            Duration::from_millis(250)
        );
    }
}
