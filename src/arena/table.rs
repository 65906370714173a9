//! Standings as text, in the layout that readers and scripts of fastchess know.

use std::fmt::Write;

use crate::arena::config::{EngineConfig, Format, MatchConfig, Scoring};
use crate::arena::elo::Estimate;
use crate::arena::outcome::Termination;
use crate::arena::play::limits_of;
use crate::arena::sprt::Decision;
use crate::arena::standings::Standings;
use crate::arena::stats::Games;
use crate::game::Side;

/// What stands below the line of a finished game, its line break in front; for two engines only.
pub fn after_game(config: &MatchConfig, standings: &Standings, format: Format) -> String {
    match format {
        Format::Human | Format::Cutechess => format!("\n{}", score(config, standings)),
        Format::Fastchess | Format::Json => String::new(),
    }
}

/// The standings as a format has them.
pub fn standings_in(config: &MatchConfig, standings: &Standings, format: Format) -> String {
    let plain = self::standings(config, standings);
    match format {
        Format::Human | Format::Json => plain,
        Format::Fastchess => {
            let line = "-".repeat(50);
            format!("{line}\n{plain}\n{line}")
        }
        Format::Cutechess if standings.engines() == 2 => cutechess(config, standings),
        Format::Cutechess => plain,
    }
}

/// A block of a match of two as cutechess-cli prints it.
fn cutechess(config: &MatchConfig, standings: &Standings) -> String {
    let name = &config.engines[0].name;
    let games = standings.between(0, 1).games;
    let [white, black] = standings.by_colour(0);
    let e = Estimate::from_games(&games);
    let mut out = score(config, standings);
    let mut line = |what: &str, games: Games| {
        let _ = write!(out, "\n...      {what}: {}", plain_score(games));
    };
    line(&format!("{name} playing White"), white);
    line(&format!("{name} playing Black"), black);
    let from_white = Games {
        wins: white.wins + black.losses,
        losses: white.losses + black.wins,
        draws: white.draws + black.draws,
    };
    line("White vs Black", from_white);
    let _ = write!(
        out,
        "\nElo difference: {:.1} +/- {:.1}, LOS: {:.1} %, DrawRatio: {:.1} %",
        e.elo,
        e.elo_error,
        100.0 * e.superiority,
        100.0 * games.draw_ratio()
    );
    if let Some((sprt, progress)) = standings.test() {
        let decision = match progress.decision {
            Decision::Continue => "",
            Decision::AcceptH0 => " - H0 was accepted",
            Decision::AcceptH1 => " - H1 was accepted",
        };
        let _ = write!(
            out,
            "\nSPRT: llr {:.3} ({:.1}%), lbound {:.2}, ubound {:.2}{decision}",
            progress.llr,
            100.0 * sprt.progress(progress.llr),
            sprt.lower_bound(),
            sprt.upper_bound(),
        );
    }
    out
}

fn plain_score(games: Games) -> String {
    format!(
        "{} - {} - {}  [{:.3}] {}",
        games.wins,
        games.losses,
        games.draws,
        games.points() / games.total().max(1) as f64,
        games.total()
    )
}

/// The standings: one block for two engines, a table for more.
pub fn standings(config: &MatchConfig, standings: &Standings) -> String {
    let mut out = if standings.engines() == 2 {
        two(config, standings)
    } else {
        many(config, standings) + &crosstable(config, standings)
    };
    if config.scoring == Scoring::Levels {
        out += &levels(config, standings);
    }
    out += &failures(config, standings);
    out.truncate(out.trim_end().len());
    out
}

/// The bare score of a match of two, in the layout that readers of cutechess-cli know.
pub fn score(config: &MatchConfig, standings: &Standings) -> String {
    let games = standings.between(0, 1).games;
    format!(
        "Score of {} vs {}: {}",
        config.engines[0].name,
        config.engines[1].name,
        plain_score(games)
    )
}

/// A number as other runners print it, `nan` and `inf` included.
pub fn number(x: f64) -> String {
    if x.is_nan() {
        "nan".to_owned()
    } else {
        format!("{x:.2}")
    }
}

fn two(config: &MatchConfig, standings: &Standings) -> String {
    let mut out = String::new();
    let tally = standings.between(0, 1);
    let has_pairs = standings.has_pairs();
    let e = tally.estimate(has_pairs);
    let games = tally.games;
    let [a, b] = [&config.engines[0].name, &config.engines[1].name];
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(out, "Results of {a} vs {b} ({}):", conditions(config));
    let _ = writeln!(
        out,
        "Elo: {} +/- {}, nElo: {} +/- {}",
        number(e.elo),
        number(e.elo_error),
        number(e.normalized),
        number(e.normalized_error)
    );
    let (draw_ratio, ratio) = if has_pairs && tally.pairs.total() > 0 {
        let ratio = format!(", PairsRatio: {}", number(tally.pairs.pairs_ratio()));
        (tally.pairs.draw_ratio(), ratio)
    } else {
        (games.draw_ratio(), String::new())
    };
    let _ = writeln!(
        out,
        "LOS: {} %, DrawRatio: {} %{ratio}",
        number(100.0 * e.superiority),
        number(100.0 * draw_ratio)
    );
    let _ = writeln!(
        out,
        "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({} %)",
        games.total(),
        games.wins,
        games.losses,
        games.draws,
        games.points(),
        number(100.0 * games.points() / games.total() as f64)
    );
    if has_pairs {
        let _ = writeln!(
            out,
            "Ptnml(0-2): {:?}, WL/DD Ratio: {}",
            tally.pairs.counts,
            number(tally.pairs.decisive_ratio())
        );
    }
    out + &test(standings)
}

/// The line of the sequential test, with the model's name.
fn test(standings: &Standings) -> String {
    let Some((sprt, progress)) = standings.test() else {
        return String::new();
    };
    let decision = match progress.decision {
        Decision::Continue => "",
        Decision::AcceptH0 => " H0 accepted",
        Decision::AcceptH1 => " H1 accepted",
    };
    format!(
        "LLR: {:.2} ({:.1}%) ({:.2}, {:.2}) [{:.2}, {:.2}] {}{decision}\n",
        progress.llr,
        100.0 * sprt.progress(progress.llr),
        sprt.lower_bound(),
        sprt.upper_bound(),
        sprt.elo0,
        sprt.elo1,
        sprt.model,
    )
}

fn conditions(config: &MatchConfig) -> String {
    let of_each = |text: &dyn Fn(&EngineConfig) -> String| {
        let mut texts: Vec<String> = config.engines.iter().map(text).collect();
        texts.dedup();
        texts.join(" - ")
    };
    let limits = limits_in_words(config);
    let threads = of_each(&|engine| format!("{}t", engine.threads()));
    let hash = of_each(&|engine| format!("{}MB", engine.hash()));
    let book = config.openings.as_ref().and_then(|o| o.file.file_name());
    let book = book.map_or_else(
        || "no book".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    );
    format!("{limits}, {threads}, {hash}, {book}")
}

/// The limits of the match, or those of each player where they differ.
pub fn limits_in_words(config: &MatchConfig) -> String {
    let of = |engine: &EngineConfig| limits_of(config, engine.limits, Side::First).to_string();
    let mut texts: Vec<String> = config.engines.iter().map(of).collect();
    texts.dedup();
    texts.join(" - ")
}

fn many(config: &MatchConfig, standings: &Standings) -> String {
    let mut out = String::new();
    let width = name_width(config);
    let _ = writeln!(
        out,
        "Rank {:<width$} {:>8} {:>8} {:>8} {:>8} {:>6} {:>7} {:>7}  Ptnml(0-2)",
        "Name", "Elo", "+/-", "nElo", "+/-", "Games", "Score", "Draw"
    );
    for (place, &engine) in standings.ranking().iter().enumerate() {
        let tally = standings.total(engine);
        let e = tally.estimate(standings.has_pairs());
        let _ = writeln!(
            out,
            "{:>4} {:<width$} {:>8} {:>8} {:>8} {:>8} {:>6} {:>6}% {:>6}%  {:?}",
            place + 1,
            config.engines[engine].name,
            number(e.elo),
            number(e.elo_error),
            number(e.normalized),
            number(e.normalized_error),
            tally.games.total(),
            number(100.0 * tally.games.points() / tally.games.total() as f64),
            number(100.0 * tally.games.draw_ratio()),
            tally.pairs.counts,
        );
    }
    out
}

/// Wins, losses and draws of each against each.
fn crosstable(config: &MatchConfig, standings: &Standings) -> String {
    let mut out = String::from("\n");
    let width = name_width(config);
    let order = standings.ranking();
    let _ = write!(out, "     {:<width$}", "");
    for place in 1..=order.len() {
        let _ = write!(out, " {place:>11}");
    }
    out.push('\n');
    for (place, &one) in order.iter().enumerate() {
        let _ = write!(out, "{:>4} {:<width$}", place + 1, config.engines[one].name);
        for &other in &order {
            let g = standings.between(one, other).games;
            let cell = if g.total() == 0 {
                "-".to_owned()
            } else {
                format!("{}-{}-{}", g.wins, g.losses, g.draws)
            };
            let _ = write!(out, " {cell:>11}");
        }
        out.push('\n');
    }
    out
}

fn levels(config: &MatchConfig, standings: &Standings) -> String {
    let levels = standings.levels();
    let mut order: Vec<usize> = (0..standings.engines()).collect();
    order.sort_by_key(|&engine| -levels.points(engine));
    let mut out = String::from("Levels:\n");
    let width = name_width(config);
    for engine in order {
        let level = levels
            .level(engine)
            .map_or_else(|| "none".to_owned(), |l| l.to_string());
        let name = &config.engines[engine].name;
        let _ = writeln!(
            out,
            "     {name:<width$} level {level:>4}, {:>5} points",
            levels.points(engine)
        );
    }
    out
}

/// Failures, in the words that other programs look for; nothing where there are none.
fn failures(config: &MatchConfig, standings: &Standings) -> String {
    let mut out = String::new();
    for (engine, config) in config.engines.iter().enumerate() {
        let parts: Vec<String> = standings
            .failures(engine)
            .iter()
            .map(|(kind, count)| format!("{count} {}", failure_word(*kind)))
            .collect();
        if !parts.is_empty() {
            let _ = writeln!(out, "Failures of {}: {}", config.name, parts.join(", "));
        }
    }
    out
}

fn failure_word(kind: Termination) -> &'static str {
    match kind {
        Termination::TimeForfeit => "losses on time",
        Termination::IllegalMove => "illegal moves",
        Termination::Disconnect => "disconnects",
        _ => "stalls",
    }
}

fn name_width(config: &MatchConfig) -> usize {
    let widths = config
        .engines
        .iter()
        .map(|engine| engine.name.chars().count());
    widths.max().unwrap_or(0).max(4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::config::EngineConfig;
    use crate::arena::journal::Entry;

    fn config(names: &[&str]) -> MatchConfig {
        let engines = names.iter().map(|name| EngineConfig {
            name: (*name).to_owned(),
            ..EngineConfig::default()
        });
        MatchConfig {
            engines: engines.collect(),
            scoring: Scoring::Levels,
            ..MatchConfig::default()
        }
    }

    fn entry(game: u64, first: usize, second: usize, termination: Termination) -> Entry {
        Entry {
            game,
            pair: game,
            round: 1,
            first,
            second,
            opening: 1,
            result: "1-0".to_owned(),
            termination,
            reason: String::new(),
            plies: 1,
            used_ms: [0; 2],
            ended_ms: 0,
            pgn_end: 0,
        }
    }

    #[test]
    fn no_games_are_no_reason_to_panic() {
        for names in [&["A", "B"][..], &["A", "B", "C"][..]] {
            let config = config(names);
            let empty = Standings::new(names.len(), true, None);
            assert!(standings(&config, &empty).contains("nan"));
        }
    }

    #[test]
    fn failures_and_crosstable_are_shown() {
        let config = config(&["A", "B", "Long name"]);
        let mut s = Standings::new(3, false, None);
        s.add(&entry(1, 2, 0, Termination::TimeForfeit));
        s.add(&entry(2, 2, 1, Termination::Checkmate));
        let text = standings(&config, &s);
        assert!(text.contains("Failures of A: 1 losses on time"), "{text}");
        assert!(text.contains("   1 Long name"), "{text}");
        assert!(text.contains("1-0-0"), "{text}");
        assert!(
            text.contains("level none,    19 points") || text.contains("20 points"),
            "{text}"
        );
    }
}
