//! How the numbers of a match came about: the statistics after each game.

use std::collections::BTreeMap;

use crate::arena::config::MatchConfig;
use crate::arena::journal::Entry;
use crate::arena::outcome::Termination;
use crate::arena::standings::Standings;

/// Points kept of a track; more could not be told apart on a page.
const POINTS: usize = 400;
/// Bars of the chart of lengths, at most.
const BARS: usize = 24;

/// A rating after so many games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// Games of the match so far.
    pub games: u64,
    /// The difference in Elo, finite.
    pub elo: f64,
    /// Half width of its 95 % interval, finite and above zero.
    pub error: f64,
}

/// Games by result: won by the first side, drawn, won by the second side.
pub type Results = [u64; 3];

/// Games of some lengths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bar {
    /// The shortest, in moves of both sides.
    pub from: usize,
    /// The longest.
    pub to: usize,
    /// How many, by result.
    pub results: Results,
}

/// Everything that is drawn.
#[derive(Debug)]
pub struct Tracks {
    /// The final standings.
    pub standings: Standings,
    /// For each engine its rating over games; with two engines only the first one's.
    pub ratings: Vec<Vec<Rating>>,
    /// The ratio of the sequential test over games; empty without one.
    pub ratios: Vec<(u64, f64)>,
    /// Games of each way of ending.
    pub endings: BTreeMap<Termination, Results>,
    /// Games by length.
    pub lengths: Vec<Bar>,
}

/// Follows a match through its games.
pub fn tracks(config: &MatchConfig, entries: &[Entry]) -> Tracks {
    let engines = config.engines.len();
    let shown = if engines == 2 { 1 } else { engines };
    let mut standings = Standings::new(engines, config.has_pairs(), config.sprt);
    let mut ratings = vec![Vec::new(); shown];
    let mut ratios = Vec::new();
    let mut endings: BTreeMap<Termination, Results> = BTreeMap::new();
    let step = entries.len().div_ceil(POINTS).max(1);
    for (index, entry) in entries.iter().enumerate() {
        standings.add(entry);
        endings.entry(entry.termination).or_default()[result_index(entry)] += 1;
        // The last point is always kept: it is the result.
        if !(entries.len() - 1 - index).is_multiple_of(step) {
            continue;
        }
        let games = standings.games();
        for (engine, track) in ratings.iter_mut().enumerate() {
            let estimate = standings.total(engine).estimate(config.has_pairs());
            // Without spread in the results there is no error to go by.
            if estimate.elo.is_finite() && estimate.elo_error > 0.0 {
                track.push(Rating {
                    games,
                    elo: estimate.elo,
                    error: estimate.elo_error,
                });
            }
        }
        if let Some((_, progress)) = standings.test() {
            ratios.push((games, progress.llr));
        }
    }
    Tracks {
        standings,
        ratings,
        ratios,
        endings,
        lengths: lengths(entries),
    }
}

fn result_index(entry: &Entry) -> usize {
    match entry.result.as_str() {
        "1-0" => 0,
        "0-1" => 2,
        _ => 1,
    }
}

fn lengths(entries: &[Entry]) -> Vec<Bar> {
    let moves = |entry: &Entry| entry.plies.div_ceil(2);
    let longest = entries.iter().map(moves).max().unwrap_or(0);
    let width = nice_width((longest + 1).div_ceil(BARS));
    let mut bars: Vec<Bar> = (0..=longest / width)
        .map(|i| Bar {
            from: i * width,
            to: (i + 1) * width - 1,
            results: [0; 3],
        })
        .collect();
    for entry in entries {
        bars[moves(entry) / width].results[result_index(entry)] += 1;
    }
    bars
}

/// The next of 1, 2, 5, 10, 20, 50 and so on.
fn nice_width(least: usize) -> usize {
    let decades = (0..18).map(|exponent| 10usize.pow(exponent));
    decades
        .flat_map(|decade| [1, 2, 5].map(|n| n * decade))
        .find(|&width| width >= least)
        .unwrap_or(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::config::EngineConfig;
    use crate::arena::sprt::{Model, Sprt};

    fn entry(game: u64, result: &str, plies: usize) -> Entry {
        let swapped = game.is_multiple_of(2);
        Entry {
            game,
            pair: (game - 1) / 2,
            round: 1,
            first: usize::from(swapped),
            second: usize::from(!swapped),
            opening: 1,
            result: result.to_owned(),
            termination: Termination::Repetition,
            reason: String::new(),
            plies,
            used_ms: [0; 2],
            ended_ms: 0,
            pgn_end: 0,
        }
    }

    fn config() -> MatchConfig {
        MatchConfig {
            engines: vec![EngineConfig::default(); 2],
            sprt: Some(Sprt {
                elo0: 0.0,
                elo1: 10.0,
                alpha: 0.05,
                beta: 0.05,
                model: Model::Normalized,
            }),
            ..MatchConfig::default()
        }
    }

    #[test]
    fn a_track_ends_where_the_match_stands() {
        let results = ["1-0", "1/2-1/2", "0-1", "1/2-1/2", "1-0"];
        let entries: Vec<Entry> = (1..=3000)
            .map(|game| entry(game, results[game as usize % 5], 40))
            .collect();
        let tracks = tracks(&config(), &entries);
        assert_eq!(tracks.ratings.len(), 1);
        let track = &tracks.ratings[0];
        assert!(track.len() <= POINTS, "{}", track.len());
        assert!(track.is_sorted_by(|a, b| a.games < b.games));
        let last = track.last().unwrap();
        let end = tracks.standings.total(0).estimate(true);
        assert_eq!(
            (last.games, last.elo, last.error),
            (3000, end.elo, end.elo_error)
        );
        let (games, llr) = tracks.ratios.last().copied().unwrap();
        assert_eq!((games, llr), (3000, tracks.standings.test().unwrap().1.llr));
        assert_eq!(tracks.endings[&Termination::Repetition], [1200, 1200, 600]);
    }

    #[test]
    fn one_sided_results_have_no_rating_to_draw() {
        let tracks = tracks(&config(), &[entry(1, "1-0", 3)]);
        assert!(tracks.ratings[0].is_empty());
    }

    #[test]
    fn every_game_is_in_one_bar() {
        let plies = [0, 1, 99, 100, 333];
        let entries: Vec<Entry> = (1..).zip(plies).map(|(g, p)| entry(g, "1-0", p)).collect();
        let bars = lengths(&entries);
        assert!(bars.len() <= BARS);
        assert_eq!(bars.iter().map(|bar| bar.results[0]).sum::<u64>(), 5);
        assert_eq!((bars[0].from, bars[0].to, bars[0].results[0]), (0, 9, 2));
        assert_eq!(nice_width(7), 10);
        assert_eq!(nice_width(0), 1);
    }
}
