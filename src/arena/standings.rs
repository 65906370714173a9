//! What the results of a match add up to.
//!
//! Everything here is a function of the journal's entries in their order, so that a resumed match
//! stands where the interrupted one stood.

use std::collections::BTreeMap;

use crate::arena::elo::Estimate;
use crate::arena::journal::Entry;
use crate::arena::levels::Levels;
use crate::arena::outcome::{Termination, points_of};
use crate::arena::sprt::{Decision, Sprt};
use crate::arena::stats::{Games, Pairs, Points};

/// Results of one engine, against one other or all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// By game.
    pub games: Games,
    /// By finished pair of games.
    pub pairs: Pairs,
}

impl Tally {
    /// The better estimate there is: by pairs if games were played in pairs.
    pub fn estimate(&self, has_pairs: bool) -> Estimate {
        if has_pairs && self.pairs.total() > 0 {
            Estimate::from_pairs(&self.pairs)
        } else {
            Estimate::from_games(&self.games)
        }
    }
}

/// Where a sequential test stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// What it decides; once a bound has been reached it stays decided.
    pub decision: Decision,
}

/// All results so far.
#[derive(Clone, Debug)]
pub struct Standings {
    engines: usize,
    has_pairs: bool,
    sprt: Option<Sprt>,
    /// `[one][other]`: results of one against the other.
    table: Vec<Vec<Tally>>,
    /// First results of unfinished pairs: whose, against whom, which.
    halves: BTreeMap<u64, (usize, usize, Points)>,
    /// Games of each way of ending.
    endings: BTreeMap<Termination, u64>,
    /// Failures of each engine, by kind.
    failures: Vec<BTreeMap<Termination, u64>>,
    /// Results of each engine opening its games, and answering.
    colours: Vec<[Games; 2]>,
    levels: Levels,
    progress: Option<Progress>,
    games: u64,
}

impl Standings {
    /// Nothing yet. With `has_pairs` two games of a pair count as one result of five.
    pub fn new(engines: usize, has_pairs: bool, sprt: Option<Sprt>) -> Standings {
        Standings {
            engines,
            has_pairs,
            sprt,
            table: vec![vec![Tally::default(); engines]; engines],
            halves: BTreeMap::new(),
            endings: BTreeMap::new(),
            failures: vec![BTreeMap::new(); engines],
            colours: vec![[Games::default(); 2]; engines],
            levels: Levels::new(engines),
            progress: sprt.map(|_| Progress {
                llr: 0.0,
                decision: Decision::Continue,
            }),
            games: 0,
        }
    }

    /// Books a finished game.
    pub fn add(&mut self, entry: &Entry) {
        let Some(points) = points_of(&entry.result) else {
            return;
        };
        let (first, second) = (entry.first, entry.second);
        if first >= self.engines || second >= self.engines {
            return;
        }
        self.games += 1;
        self.table[first][second].games.add(points);
        self.table[second][first].games.add(points.mirrored());
        self.colours[first][0].add(points);
        self.colours[second][1].add(points.mirrored());
        self.levels.add(first, second, points);
        *self.endings.entry(entry.termination).or_default() += 1;
        if entry.termination.is_failure() {
            let loser = if points == Points::Win { second } else { first };
            *self.failures[loser].entry(entry.termination).or_default() += 1;
        }
        if self.has_pairs {
            self.add_to_pair(entry.pair, first, second, points);
        }
        self.update_test();
    }

    fn add_to_pair(&mut self, pair: u64, first: usize, second: usize, points: Points) {
        let Some((one, other, earlier)) = self.halves.remove(&pair) else {
            self.halves.insert(pair, (first, second, points));
            return;
        };
        let later = if first == one {
            points
        } else {
            points.mirrored()
        };
        self.table[one][other].pairs.add(earlier, later);
        self.table[other][one]
            .pairs
            .add(earlier.mirrored(), later.mirrored());
    }

    fn update_test(&mut self) {
        let (Some(sprt), Some(progress)) = (self.sprt, &mut self.progress) else {
            return;
        };
        if progress.decision != Decision::Continue {
            return;
        }
        let tally = &self.table[0][1];
        let by_pairs = self
            .has_pairs
            .then(|| sprt.llr_of_pairs(&tally.pairs))
            .flatten();
        let llr = by_pairs.unwrap_or_else(|| sprt.llr_of_games(&tally.games));
        *progress = Progress {
            llr,
            decision: sprt.decision(llr),
        };
    }

    /// Number of games booked.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Number of engines.
    pub fn engines(&self) -> usize {
        self.engines
    }

    /// Are pairs counted?
    pub fn has_pairs(&self) -> bool {
        self.has_pairs
    }

    /// Results of one engine against another.
    pub fn between(&self, one: usize, other: usize) -> Tally {
        self.table[one][other]
    }

    /// Results of one engine against all.
    pub fn total(&self, one: usize) -> Tally {
        let mut sum = Tally::default();
        for tally in &self.table[one] {
            sum.games += tally.games;
            sum.pairs += tally.pairs;
        }
        sum
    }

    /// Results of an engine, the games that it opens first.
    pub fn by_colour(&self, engine: usize) -> [Games; 2] {
        self.colours[engine]
    }

    /// Engines by points, the best first; ties go by order of seed.
    pub fn ranking(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.engines).collect();
        let share = |engine: usize| {
            let games = self.total(engine).games;
            if games.total() == 0 {
                0.0
            } else {
                games.points() / games.total() as f64
            }
        };
        order.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
        order
    }

    /// The test and where it stands, if there is one.
    pub fn test(&self) -> Option<(Sprt, Progress)> {
        self.sprt.zip(self.progress)
    }

    /// Games of each way of ending.
    pub fn endings(&self) -> &BTreeMap<Termination, u64> {
        &self.endings
    }

    /// Failures of an engine, by kind.
    pub fn failures(&self, engine: usize) -> &BTreeMap<Termination, u64> {
        &self.failures[engine]
    }

    /// The standings by levels.
    pub fn levels(&self) -> &Levels {
        &self.levels
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::sprt::Model;

    fn entry(game: u64, result: &str) -> Entry {
        let swapped = game.is_multiple_of(2);
        Entry {
            game,
            pair: (game - 1) / 2,
            round: 1,
            first: usize::from(swapped),
            second: usize::from(!swapped),
            opening: 1,
            result: result.to_owned(),
            termination: Termination::Checkmate,
            reason: String::new(),
            plies: 1,
            used_ms: [0; 2],
            ended_ms: 0,
            pgn_end: 0,
        }
    }

    fn standings(sprt: Option<Sprt>) -> Standings {
        Standings::new(2, true, sprt)
    }

    #[test]
    fn pairs_are_counted_when_both_games_are_over_in_whatever_order() {
        let mut s = standings(None);
        // Engine 0 wins with the first move, and again without it, pair 0; draws and loses pair 1.
        s.add(&entry(1, "1-0"));
        s.add(&entry(4, "1-0"));
        assert_eq!(s.between(0, 1).pairs.total(), 0);
        s.add(&entry(2, "0-1"));
        s.add(&entry(3, "1/2-1/2"));
        assert_eq!(s.between(0, 1).pairs.counts, [0, 1, 0, 0, 1]);
        assert_eq!(s.between(1, 0).pairs.counts, [1, 0, 0, 1, 0]);
        let games = s.total(0).games;
        assert_eq!((games.wins, games.draws, games.losses), (2, 1, 1));
        assert_eq!(s.ranking(), [0, 1]);
    }

    #[test]
    fn a_reached_decision_stays() {
        let sprt = Sprt {
            elo0: 0.0,
            elo1: 50.0,
            alpha: 0.05,
            beta: 0.05,
            model: Model::Logistic,
        };
        let mut s = standings(Some(sprt));
        let mut game = 0;
        let mut pair = |s: &mut Standings, results: [&str; 2]| {
            for result in results {
                game += 1;
                s.add(&entry(game, result));
            }
        };
        for _ in 0..60 {
            pair(&mut s, ["1-0", "1/2-1/2"]);
            pair(&mut s, ["1/2-1/2", "1/2-1/2"]);
        }
        let (_, decided) = s.test().unwrap();
        assert_eq!(decided.decision, Decision::AcceptH1);
        pair(&mut s, ["0-1", "1-0"]);
        assert_eq!(s.test().unwrap().1, decided);
    }

    #[test]
    fn failures_are_charged_to_the_loser() {
        let mut s = standings(None);
        let mut lost = entry(2, "1-0");
        lost.termination = Termination::TimeForfeit;
        s.add(&lost);
        assert_eq!(s.failures(0).get(&Termination::TimeForfeit), Some(&1));
        assert!(s.failures(1).is_empty());
    }
}
