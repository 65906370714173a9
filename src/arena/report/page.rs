//! Puts a report together: one HTML page with its style, its script and all its data.

use crate::arena::config::{GameKind, MatchConfig};
use crate::arena::outcome::side_name;
use crate::arena::referee::Rules;
use crate::arena::report::replay::{Replay, replays};
use crate::arena::report::run::{ReportError, Run};
use crate::arena::report::tracks::{Tracks, tracks};
use crate::arena::report::{boards, charts, tables};
use crate::arena::table::limits_in_words;
use crate::game::Side;

/// The page; `{{name}}` stands for what is filled in.
const PAGE: &str = include_str!("assets/page.html");
const STYLE: &str = include_str!("assets/page.css");
const SCRIPT: &str = include_str!("assets/viewer.js");

/// Text as HTML, in quotation marks or out of them.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// The report of a match; the viewer has its last `limit` games.
///
/// # Errors
/// A game record that is not of a game by the rules.
pub fn page(run: &Run, rules: &Rules, limit: usize) -> Result<String, ReportError> {
    let config = &run.config;
    let tracks = tracks(config, &run.entries);
    let games = replays(run, rules, limit)?;
    let fill = |name: &str| match name {
        "title" => escaped(&config.name),
        "summary" => summary(run),
        "style" => STYLE.to_owned(),
        "script" => SCRIPT.to_owned(),
        "standings" => tables::standings(config, &tracks.standings),
        "failures" => tables::failures(config, &tracks.standings),
        "crosstable" => tables::crosstable(config, &tracks.standings),
        "charts" => drawn(config, &tracks),
        "pieces" => boards::pieces(config.game),
        "viewer" => viewer(run, games.len()),
        "data" => data(config, &games),
        _ => String::new(),
    };
    Ok(filled(PAGE, fill))
}

/// Fills a template in one pass, so that what is filled in is never taken for a place to fill.
fn filled(template: &str, fill: impl Fn(&str) -> String) -> String {
    let mut parts = template.split("{{");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once("}}").unwrap_or((part, ""));
        out += &fill(name);
        out += rest;
    }
    out
}

fn summary(run: &Run) -> String {
    let config = &run.config;
    let names: Vec<&str> = config.engines.iter().map(|e| e.name.as_str()).collect();
    let players = if names.len() == 2 {
        names.join(" – ")
    } else {
        format!("{} engines", names.len())
    };
    let limits = limits_in_words(config);
    let book = config.openings.as_ref().and_then(|o| o.file.file_name());
    let book = book.map_or("no opening book".into(), |name| name.to_string_lossy());
    let count = run.entries.len();
    let plural = if count == 1 { "" } else { "s" };
    let ended = run.entries.iter().map(|entry| entry.ended_ms).max();
    let ended = std::time::Duration::from_millis(ended.unwrap_or(0));
    let ended = std::time::UNIX_EPOCH.checked_add(ended);
    let day = ended.map_or(String::new(), |time| {
        let text = humantime::format_rfc3339_seconds(time).to_string();
        format!(" · {}", &text[..10])
    });
    let players = escaped(&players);
    let (game, book) = (config.game, escaped(&book));
    format!("{players} · {game} · {count} game{plural} · {limits} · {book}{day}")
}

fn drawn(config: &MatchConfig, tracks: &Tracks) -> String {
    let names: Vec<&str> = config.engines.iter().map(|e| e.name.as_str()).collect();
    let card = |title: &str, body: String, note: &str| {
        format!(r#"<section class="card"><h2>{title}</h2>{body}{note}</section>"#)
    };
    let mut out = String::new();
    let whose = match names[..] {
        [one, other] => format!("{} against {}", escaped(one), escaped(other)),
        _ => "each engine against all others".to_owned(),
    };
    let note = format!(r#"<p class="note">{whose}; the band is the 95 % interval.</p>"#);
    let few = || r#"<p class="note">Too few games for a rating.</p>"#.to_owned();
    let elo = charts::ratings(&tracks.ratings, &names);
    out += &match elo {
        Some(chart) => card("Elo over games", chart, &note),
        None => card("Elo over games", few(), ""),
    };
    if let Some((sprt, progress)) = tracks.standings.test()
        && let Some(chart) = charts::ratios(&tracks.ratios, &sprt)
    {
        let note = format!(r#"<p class="note">{}</p>"#, tables::test(&sprt, &progress));
        out += &card("Sequential test", chart, &note);
    }
    let legend = tables::results_legend(config.game);
    out += &card(
        "How games ended",
        charts::endings(&tables::ending_rows(tracks)),
        &legend,
    );
    if let Some(chart) = charts::lengths(&tracks.lengths) {
        out += &card("Length in moves", chart, &legend);
    }
    out
}

/// The viewer's frame, or why there is none.
fn viewer(run: &Run, shown: usize) -> String {
    if shown == 0 {
        return r#"<p class="note">The match kept no game records.</p>"#.to_owned();
    }
    let all = run.entries.len();
    let note = if shown < all {
        format!(r#"<p class="note">The last {shown} of {all} games.</p>"#)
    } else {
        String::new()
    };
    let frame = include_str!("assets/viewer.html");
    filled(frame, |name| match name {
        "board" => boards::board(run.config.game),
        "first" => side_name(run.config.game, Side::First).to_owned(),
        "note" => note.clone(),
        _ => String::new(),
    })
}

/// The games as JSON that cannot end the element it stands in.
fn data(config: &MatchConfig, games: &[Replay]) -> String {
    let names: Vec<&str> = config.engines.iter().map(|e| e.name.as_str()).collect();
    let sides = [Side::First, Side::Second].map(|side| side_name(config.game, side));
    let data = serde_json::json!({
        "xiangqi": config.game == GameKind::Xiangqi,
        "sides": sides,
        "engines": names,
        "games": games,
    });
    data.to_string().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_is_filled_once() {
        let fill = |name: &str| format!("<{name}{{{{b}}}}>");
        assert_eq!(filled("x{{a}}y{{b}}", fill), "x<a{{b}}>y<b{{b}}>");
    }

    #[test]
    fn every_place_of_the_page_is_known() {
        let places = PAGE.split("{{").skip(1);
        let mut names: Vec<&str> = places.filter_map(|p| Some(p.split_once("}}")?.0)).collect();
        names.sort_unstable();
        names.dedup();
        let known = [
            "charts",
            "crosstable",
            "data",
            "failures",
            "pieces",
            "script",
            "standings",
            "style",
            "summary",
            "title",
            "viewer",
        ];
        assert_eq!(names, known);
    }

    #[test]
    fn names_cannot_leave_their_place() {
        assert_eq!(escaped("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
        let config = MatchConfig {
            engines: vec![crate::arena::config::EngineConfig {
                name: "</script><b>".to_owned(),
                ..Default::default()
            }],
            ..MatchConfig::default()
        };
        assert!(!data(&config, &[]).contains('<'));
    }
}
