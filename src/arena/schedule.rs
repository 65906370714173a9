//! Who plays whom, when, with which colour, from which opening.
//!
//! Game numbers count from 1, and a number alone says all of a game (for kinds without
//! elimination or pairing by score; those are in [`crate::arena::swiss`]). So a match can be
//! resumed from the numbers of its finished games, and its course does not depend on how many
//! games run at once.

use std::collections::BTreeSet;

use crate::arena::config::{Kind, MatchConfig, Policy};
use crate::arena::stats::Points;
use crate::arena::swiss::Tournament;

/// A game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// Its number, from 1.
    pub number: u64,
    /// Its round, from 1.
    pub round: u64,
    /// The unit of two games with colours swapped that it belongs to, from 0.
    pub pair: u64,
    /// The engine that opens the game, by index.
    pub first: usize,
    /// The other one.
    pub second: usize,
    /// Which opening in order, before it is taken modulo their number.
    pub opening: u64,
}

/// Two engines that are to meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// Opens the odd games, by index.
    pub one: usize,
    /// Opens the even games.
    pub other: usize,
}

/// What there is to do next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// This game.
    Play(Job),
    /// Nothing until running games have ended.
    Wait,
    /// Nothing any more.
    Done,
}

/// All pairings of a round robin by the circle method: one engine stays, the others rotate.
pub fn round_robin(engines: usize) -> Vec<Pairing> {
    let seats = engines + engines % 2;
    let mut pairings = Vec::new();
    for turn in 0..seats.saturating_sub(1) {
        let seat = |i: usize| match i {
            0 => 0,
            i => 1 + (i - 1 + turn) % (seats - 1),
        };
        for i in 0..seats / 2 {
            let (a, b) = (seat(i), seat(seats - 1 - i));
            if a < engines && b < engines {
                pairings.push(Pairing {
                    one: a.min(b),
                    other: a.max(b),
                });
            }
        }
    }
    pairings
}

/// All pairings of the first `seeds` engines, with each other and with all others.
pub fn gauntlet(engines: usize, seeds: usize) -> Vec<Pairing> {
    (0..seeds.min(engines))
        .flat_map(|one| (one + 1..engines).map(move |other| Pairing { one, other }))
        .collect()
}

/// The games of pairings that are fixed beforehand, as a function of the game's number.
#[derive(Clone, Debug)]
pub struct Fixed {
    pairings: Vec<Pairing>,
    rounds: u64,
    games: u64,
    swap: bool,
    repeat: bool,
    reverse: bool,
    policy: Policy,
}

impl Fixed {
    /// Number of games in all.
    pub fn total(&self) -> u64 {
        (self.pairings.len() as u64)
            .saturating_mul(self.rounds)
            .saturating_mul(self.games)
    }

    /// The game with this number, if there is one.
    pub fn job(&self, number: u64) -> Option<Job> {
        let pairings = self.pairings.len() as u64;
        let index = number.checked_sub(1).filter(|_| number <= self.total())?;
        let (round, in_round) = (
            index / (pairings * self.games),
            index % (pairings * self.games),
        );
        let (which, in_encounter) = (in_round / self.games, in_round % self.games);
        let pairing = self.pairings[which as usize];
        // The game's place among all games of its pairing.
        let place = round * self.games + in_encounter;
        let unit = if self.repeat { place / 2 } else { place };
        let swapped = (self.swap && place % 2 == 1) != self.reverse;
        let (first, second) = if swapped {
            (pairing.other, pairing.one)
        } else {
            (pairing.one, pairing.other)
        };
        Some(Job {
            number,
            round: round + 1,
            pair: place / 2 * pairings + which,
            first,
            second,
            opening: match self.policy {
                Policy::Default => unit * pairings + which,
                Policy::Encounter => round * pairings + which,
                Policy::Round => round,
            },
        })
    }
}

#[derive(Debug)]
enum Plan {
    Fixed(Fixed),
    ByResults(Tournament),
}

/// Hands out games and takes in results.
#[derive(Debug)]
pub struct Schedule {
    plan: Plan,
    /// All smaller numbers have been handed out or are in `again`.
    next: u64,
    /// Numbers to be handed out again: their games were void.
    again: BTreeSet<u64>,
    /// Numbers from `next` on that are finished: a resumed match.
    finished: BTreeSet<u64>,
    /// Engines whose games are not played any more.
    withdrawn: BTreeSet<usize>,
}

impl Schedule {
    /// The schedule of a match.
    pub fn new(config: &MatchConfig) -> Schedule {
        let engines = config.engines.len();
        let fixed = |pairings| {
            Plan::Fixed(Fixed {
                pairings,
                rounds: config.rounds,
                games: config.games,
                swap: config.swap,
                repeat: config.repeat,
                reverse: config.reverse,
                policy: config.policy(),
            })
        };
        let plan = match config.kind {
            Kind::RoundRobin => fixed(round_robin(engines)),
            Kind::Gauntlet => fixed(gauntlet(engines, config.seeds)),
            Kind::Knockout => Plan::ByResults(Tournament::knockout(engines, config.games)),
            Kind::Swiss => Plan::ByResults(Tournament::swiss(engines, config.games, config.rounds)),
        };
        Schedule {
            plan,
            next: 1,
            again: BTreeSet::new(),
            finished: BTreeSet::new(),
            withdrawn: BTreeSet::new(),
        }
    }

    /// The number of games, where it is known beforehand.
    pub fn total(&self) -> Option<u64> {
        match &self.plan {
            Plan::Fixed(fixed) => Some(fixed.total()),
            Plan::ByResults(_) => None,
        }
    }

    /// The number of different openings that the games want, where it is known beforehand.
    pub fn openings(&self) -> Option<u64> {
        match &self.plan {
            Plan::Fixed(fixed) => Some(fixed.job(fixed.total()).map_or(0, |job| job.opening + 1)),
            Plan::ByResults(_) => None,
        }
    }

    /// Takes in a finished game; `points` are those of [`Job::first`].
    pub fn finish(&mut self, number: u64, points: Points) {
        if number >= self.next {
            self.finished.insert(number);
        }
        if let Plan::ByResults(tournament) = &mut self.plan {
            tournament.finish(number, points);
        }
    }

    /// Takes back a game that did not count.
    pub fn replay(&mut self, number: u64) {
        self.again.insert(number);
    }

    /// Takes an engine's games off the schedule. False where that cannot be: further pairings
    /// depend on its results.
    pub fn withdraw(&mut self, engine: usize) -> bool {
        let can = matches!(self.plan, Plan::Fixed(_));
        if can {
            self.withdrawn.insert(engine);
        }
        can
    }

    /// The next game.
    pub fn take(&mut self) -> Next {
        loop {
            match self.take_any() {
                Next::Play(job) if self.is_off(&job) => {}
                next => return next,
            }
        }
    }

    fn is_off(&self, job: &Job) -> bool {
        [job.first, job.second]
            .iter()
            .any(|engine| self.withdrawn.contains(engine))
    }

    fn take_any(&mut self) -> Next {
        if let Some(number) = self.again.pop_first() {
            return self.job(number);
        }
        while self.finished.remove(&self.next) {
            self.next += 1;
        }
        let next = self.job(self.next);
        if let Next::Play(_) = next {
            self.next += 1;
        }
        next
    }

    fn job(&mut self, number: u64) -> Next {
        match &mut self.plan {
            Plan::Fixed(fixed) => fixed.job(number).map_or(Next::Done, Next::Play),
            Plan::ByResults(tournament) => tournament.job(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::config::{EngineConfig, OpeningsConfig};
    use std::collections::HashSet;

    fn config(engines: usize, kind: Kind, rounds: u64, games: u64) -> MatchConfig {
        MatchConfig {
            engines: vec![EngineConfig::default(); engines],
            kind,
            rounds,
            games,
            ..MatchConfig::default()
        }
    }

    fn jobs(config: &MatchConfig) -> Vec<Job> {
        let mut schedule = Schedule::new(config);
        std::iter::from_fn(|| match schedule.take() {
            Next::Play(job) => Some(job),
            Next::Wait | Next::Done => None,
        })
        .collect()
    }

    #[test]
    fn round_robin_meets_everybody_once() {
        for n in 2..9 {
            let pairings = round_robin(n);
            let distinct: HashSet<_> = pairings.iter().map(|p| (p.one, p.other)).collect();
            assert_eq!(distinct.len(), n * (n - 1) / 2);
            assert_eq!(pairings.len(), distinct.len());
            assert!(pairings.iter().all(|p| p.one < p.other && p.other < n));
        }
    }

    #[test]
    fn gauntlet_has_the_right_number_of_encounters() {
        for (n, s) in [(5, 1), (5, 2), (6, 3)] {
            assert_eq!(gauntlet(n, s).len(), s * n - s * (s + 1) / 2);
        }
    }

    #[test]
    fn a_pair_has_one_opening_and_both_colours() {
        let all = jobs(&config(3, Kind::RoundRobin, 4, 2));
        assert_eq!(all.len(), 24);
        for two in all.chunks(2) {
            assert_eq!((two[0].pair, two[0].opening), (two[1].pair, two[1].opening));
            assert_eq!((two[0].first, two[0].second), (two[1].second, two[1].first));
        }
        let openings: HashSet<_> = all.iter().map(|job| job.opening).collect();
        assert_eq!(openings.len(), 12);
        assert_eq!(all.iter().map(|job| job.opening).max(), Some(11));
    }

    #[test]
    fn the_second_engine_begins_where_that_is_asked_for() {
        let reversed = MatchConfig {
            reverse: true,
            ..config(3, Kind::RoundRobin, 2, 2)
        };
        let usual = jobs(&config(3, Kind::RoundRobin, 2, 2));
        for (usual, job) in usual.iter().zip(jobs(&reversed)) {
            assert_eq!((job.first, job.second), (usual.second, usual.first));
            let same = Job {
                first: usual.first,
                second: usual.second,
                ..job
            };
            assert_eq!(same, *usual);
        }
    }

    #[test]
    fn openings_are_kept_for_an_encounter_or_a_round() {
        let wanted = |policy, games| {
            let config = MatchConfig {
                openings: Some(OpeningsConfig {
                    policy,
                    ..OpeningsConfig::default()
                }),
                ..config(3, Kind::RoundRobin, 2, games)
            };
            Schedule::new(&config).openings()
        };
        assert_eq!(wanted(Policy::Encounter, 4), Some(6));
        assert_eq!(wanted(Policy::Round, 2), Some(2));
        assert_eq!(wanted(Policy::Default, 2), Some(6));
        let openings = |policy, games| {
            let config = MatchConfig {
                openings: Some(OpeningsConfig {
                    policy,
                    ..OpeningsConfig::default()
                }),
                ..config(3, Kind::RoundRobin, 2, games)
            };
            let all = jobs(&config);
            all.iter().map(|job| job.opening).collect::<Vec<_>>()
        };
        let encounters = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2];
        let second: Vec<u64> = encounters.iter().map(|n| n + 3).collect();
        let all: Vec<u64> = encounters.into_iter().chain(second).collect();
        assert_eq!(openings(Policy::Encounter, 4), all);
        let rounds = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1];
        assert_eq!(openings(Policy::Round, 2), rounds);
        let pairs = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5];
        assert_eq!(openings(Policy::Default, 2), pairs);
    }

    #[test]
    fn single_game_rounds_still_make_pairs() {
        let all = jobs(&config(2, Kind::RoundRobin, 6, 1));
        assert_eq!(
            all.iter().map(|j| j.first).collect::<Vec<_>>(),
            [0, 1, 0, 1, 0, 1]
        );
        assert_eq!(
            all.iter().map(|j| j.opening).collect::<Vec<_>>(),
            [0, 0, 1, 1, 2, 2]
        );
        let fixed_colours = MatchConfig {
            swap: false,
            repeat: false,
            ..config(2, Kind::RoundRobin, 3, 1)
        };
        let all = jobs(&fixed_colours);
        assert!(all.iter().all(|j| j.first == 0));
        assert_eq!(all.iter().map(|j| j.opening).collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn a_resumed_schedule_plays_exactly_what_is_missing() {
        let config = config(4, Kind::RoundRobin, 2, 2);
        let all = jobs(&config);
        let done = [1, 2, 5, 6, 7, 12, 24];
        let mut schedule = Schedule::new(&config);
        for number in done {
            schedule.finish(number, Points::Draw);
        }
        let mut rest = Vec::new();
        while let Next::Play(job) = schedule.take() {
            rest.push(job);
        }
        let wanted: Vec<_> = all
            .into_iter()
            .filter(|j| !done.contains(&j.number))
            .collect();
        assert_eq!(rest, wanted);
    }

    #[test]
    fn the_others_play_on_when_an_engine_leaves() {
        let mut schedule = Schedule::new(&config(4, Kind::RoundRobin, 2, 2));
        let Next::Play(first) = schedule.take() else {
            panic!("a game")
        };
        assert!(schedule.withdraw(first.first));
        schedule.replay(first.number);
        let mut games = 0;
        while let Next::Play(job) = schedule.take() {
            assert!(job.first != first.first && job.second != first.first);
            games += 1;
        }
        assert_eq!(games, 12, "three engines, two rounds of two games");
        let mut swiss = Schedule::new(&config(4, Kind::Swiss, 2, 2));
        assert!(!swiss.withdraw(0));
    }

    #[test]
    fn void_games_come_again() {
        let mut schedule = Schedule::new(&config(2, Kind::Gauntlet, 1, 2));
        let Next::Play(job) = schedule.take() else {
            panic!("a game")
        };
        schedule.replay(job.number);
        assert_eq!(schedule.take(), Next::Play(job));
        assert!(matches!(schedule.take(), Next::Play(Job { number: 2, .. })));
        assert_eq!(schedule.take(), Next::Done);
    }
}
