//! The tables of a report, as HTML.

use std::fmt::Write;

use crate::arena::config::{GameKind, MatchConfig, Scoring};
use crate::arena::outcome::{Termination, side_name};
use crate::arena::report::page::escaped;
use crate::arena::report::tracks::{Results, Tracks};
use crate::arena::sprt::{Decision, Sprt};
use crate::arena::standings::{Progress, Standings};
use crate::arena::stats::Games;
use crate::arena::table::number;
use crate::game::Side;

// Writing to a string cannot fail, here and below.

/// A number for people: a minus sign of its full width, and words where there is no number.
fn shown(x: f64) -> String {
    if x.is_nan() {
        "–".to_owned()
    } else if x.is_infinite() {
        if x > 0.0 { "∞" } else { "−∞" }.to_owned()
    } else {
        number(x).replace('-', "−")
    }
}

fn signed(x: f64) -> String {
    let plus = if x > 0.0 { "+" } else { "" };
    format!("{plus}{}", shown(x))
}

fn share(games: &Games) -> f64 {
    100.0 * games.points() / games.total() as f64
}

/// Everybody's results, the best first.
pub fn standings(config: &MatchConfig, standings: &Standings) -> String {
    let pairs = standings.has_pairs();
    let mut out = String::from(
        "<table><thead><tr><th>#<th class=l>Engine<th>Elo<th>± 95 %<th>nElo<th>LOS %<th>Games\
         <th>Won<th>Drawn<th>Lost<th>Score %",
    );
    if pairs {
        out += "<th title=\"pairs of games with 0, ½, 1, 1½ and 2 points\">Pairs 0–2";
    }
    if config.scoring == Scoring::Levels {
        out += "<th>Level<th>Points";
    }
    out += "<tbody>";
    for (place, engine) in standings.ranking().into_iter().enumerate() {
        let tally = standings.total(engine);
        let (e, games) = (tally.estimate(pairs), tally.games);
        let _ = write!(
            out,
            "<tr><td>{}<td class=l>{}<td><b>{}</b><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}",
            place + 1,
            escaped(&config.engines[engine].name),
            signed(e.elo),
            shown(e.elo_error),
            signed(e.normalized),
            shown(100.0 * e.superiority),
            games.total(),
            games.wins,
            games.draws,
            games.losses,
            shown(share(&games)),
        );
        if pairs {
            let counts = tally.pairs.counts.map(|n| n.to_string());
            let _ = write!(out, "<td>{}", counts.join(" · "));
        }
        if config.scoring == Scoring::Levels {
            let levels = standings.levels();
            let level = levels
                .level(engine)
                .map_or("–".to_owned(), |l| l.to_string());
            let _ = write!(out, "<td>{level}<td>{}", levels.points(engine));
        }
    }
    out + "</table>"
}

/// Wins, draws and losses of each against each.
pub fn crosstable(config: &MatchConfig, standings: &Standings) -> String {
    let order = standings.ranking();
    let mut out = String::from("<table><thead><tr><th>#<th class=l>Engine");
    for place in 1..=order.len() {
        let _ = write!(out, "<th>{place}");
    }
    out += "<tbody>";
    for (place, &one) in order.iter().enumerate() {
        let name = escaped(&config.engines[one].name);
        let _ = write!(out, "<tr><td>{}<td class=l>{name}", place + 1);
        for &other in &order {
            let games = standings.between(one, other).games;
            if games.total() == 0 {
                out += "<td class=none>·";
                continue;
            }
            let _ = write!(
                out,
                "<td><b>{}</b> <small>+{} ={} −{}</small>",
                games.points(),
                games.wins,
                games.draws,
                games.losses
            );
        }
    }
    out + "</table>"
}

/// The failures of the engines; empty if there are none.
pub fn failures(config: &MatchConfig, standings: &Standings) -> String {
    let mut out = String::new();
    for (engine, settings) in config.engines.iter().enumerate() {
        for (&kind, count) in standings.failures(engine) {
            let name = escaped(&settings.name);
            let _ = write!(out, "<li>{name}: {} × {count}", ending_name(kind));
        }
    }
    if out.is_empty() {
        out
    } else {
        format!("<ul class=\"failures\">{out}</ul>")
    }
}

/// One sentence on the sequential test.
pub fn test(sprt: &Sprt, progress: &Progress) -> String {
    let decision = match progress.decision {
        Decision::Continue => "not decided",
        Decision::AcceptH0 => "H0 accepted",
        Decision::AcceptH1 => "H1 accepted",
    };
    format!(
        "H0: {} Elo, H1: {} Elo, {} model, α = {}, β = {}. LLR {} of ({}, {}): <b>{decision}</b>.",
        shown(sprt.elo0),
        shown(sprt.elo1),
        sprt.model,
        sprt.alpha,
        sprt.beta,
        shown(progress.llr),
        shown(sprt.lower_bound()),
        shown(sprt.upper_bound()),
    )
}

/// The colours of the charts that are stacked by result.
pub fn results_legend(game: GameKind) -> String {
    let first = side_name(game, Side::First);
    format!(
        "<ul class=\"legend\"><li class=\"first\">{first} won<li class=\"draw\">drawn\
         <li class=\"second\">Black won</ul>"
    )
}

/// Ways of ending with their names, the most frequent first.
pub fn ending_rows(tracks: &Tracks) -> Vec<(String, Results)> {
    let endings = tracks.endings.iter();
    let mut rows: Vec<(String, Results)> = endings
        .map(|(&kind, &results)| (ending_name(kind).to_owned(), results))
        .collect();
    rows.sort_by_key(|(_, results)| std::cmp::Reverse(results.iter().sum::<u64>()));
    rows
}

fn ending_name(kind: Termination) -> &'static str {
    match kind {
        Termination::Checkmate => "mate",
        Termination::Stalemate => "stalemate",
        Termination::Repetition => "repetition",
        Termination::PerpetualCheck => "perpetual check",
        Termination::PerpetualChase => "perpetual chase",
        Termination::MoveCount => "move count",
        Termination::Material => "material",
        Termination::Adjudication => "adjudication",
        Termination::Agreement => "agreement",
        Termination::TimeForfeit => "lost on time",
        Termination::IllegalMove => "illegal move",
        Termination::Disconnect => "disconnect",
        Termination::Stall => "stall",
        Termination::Unterminated => "unterminated",
    }
}
