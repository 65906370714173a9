//! Tournaments whose later pairings depend on earlier results: Swiss and knockout.
//!
//! A round is paired when the last game of the round before it has ended, from the results alone,
//! so that a resumed tournament pairs as the interrupted one would have done.

use std::collections::BTreeMap;

use crate::arena::schedule::{Job, Next, Pairing};
use crate::arena::stats::Points;

/// Tied knockout encounters get at most so many more pairs of games; then the better seed goes on.
const MAX_TIEBREAKS: u64 = 3;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum System {
    Swiss { rounds: u64 },
    Knockout,
}

/// An encounter of the present round.
#[derive(Clone, Debug)]
struct Encounter {
    pairing: Pairing,
    /// Number of its games, by the order in which they are played.
    games: Vec<u64>,
}

/// A tournament in progress.
#[derive(Clone, Debug)]
pub struct Tournament {
    system: System,
    engines: usize,
    games: u64,
    round: u64,
    encounters: Vec<Encounter>,
    /// Engines that sit out the present round.
    byes: Vec<usize>,
    /// Every game so far planned, the first one's number being 1.
    plan: Vec<Job>,
    /// Points of the first side, by the game's number.
    results: BTreeMap<u64, Points>,
    /// Half points of each engine, by encounters won: what Swiss ranks by.
    score: Vec<usize>,
    met: Vec<Vec<usize>>,
    had_bye: Vec<bool>,
    /// Engines still in a knockout, in order of the bracket.
    bracket: Vec<Option<usize>>,
    finished: bool,
}

impl Tournament {
    /// A knockout of encounters of `games` games; the first engine is the first seed.
    pub fn knockout(engines: usize, games: u64) -> Tournament {
        let mut tournament = Tournament::new(System::Knockout, engines, games);
        tournament.bracket = seeded_bracket(engines);
        tournament.pair_round();
        tournament
    }

    /// A Swiss tournament of `rounds` rounds of encounters of `games` games.
    pub fn swiss(engines: usize, games: u64, rounds: u64) -> Tournament {
        let mut tournament = Tournament::new(System::Swiss { rounds }, engines, games);
        tournament.pair_round();
        tournament
    }

    fn new(system: System, engines: usize, games: u64) -> Tournament {
        Tournament {
            system,
            engines,
            games,
            round: 0,
            encounters: Vec::new(),
            byes: Vec::new(),
            plan: Vec::new(),
            results: BTreeMap::new(),
            score: vec![0; engines],
            met: vec![Vec::new(); engines],
            had_bye: vec![false; engines],
            bracket: Vec::new(),
            finished: false,
        }
    }

    /// The game with this number, once it is known.
    pub fn job(&mut self, number: u64) -> Next {
        let index = number.saturating_sub(1) as usize;
        match self.plan.get(index) {
            Some(job) => Next::Play(*job),
            None if self.finished => Next::Done,
            None => Next::Wait,
        }
    }

    /// Takes in a result; `points` are the first side's.
    pub fn finish(&mut self, number: u64, points: Points) {
        self.results.insert(number, points);
        // A resumed tournament hears of games of rounds it has still to pair.
        while !self.finished && self.is_round_over() {
            if !self.add_tiebreaks() {
                self.close_round();
                self.pair_round();
            }
        }
    }

    /// The engine that has won a finished knockout.
    pub fn champion(&self) -> Option<usize> {
        match &self.bracket[..] {
            [champion] => *champion,
            _ => None,
        }
    }

    fn is_round_over(&self) -> bool {
        let mut games = self.encounters.iter().flat_map(|e| &e.games);
        games.all(|number| self.results.contains_key(number))
    }

    /// Half points of the engine `one` of an encounter, and of the other.
    fn half_points(&self, encounter: &Encounter) -> (usize, usize) {
        let mut one = 0;
        for number in &encounter.games {
            let points = self.results.get(number).copied().unwrap_or(Points::Draw);
            let first = self.plan[*number as usize - 1].first;
            one += if first == encounter.pairing.one {
                points.halves()
            } else {
                points.mirrored().halves()
            };
        }
        (one, 2 * encounter.games.len() - one)
    }

    /// Plans two more games for each tied knockout encounter; false if there is none to plan.
    fn add_tiebreaks(&mut self) -> bool {
        if self.system != System::Knockout {
            return false;
        }
        let most = self.games + 2 * MAX_TIEBREAKS;
        let is_tied = |tournament: &Tournament, i: usize| {
            let encounter = &tournament.encounters[i];
            let (one, other) = tournament.half_points(encounter);
            one == other && (encounter.games.len() as u64) < most
        };
        let tied: Vec<usize> = (0..self.encounters.len())
            .filter(|&i| is_tied(self, i))
            .collect();
        for &i in &tied {
            self.plan_games(i, 2);
        }
        !tied.is_empty()
    }

    fn plan_games(&mut self, encounter: usize, count: u64) {
        for _ in 0..count {
            let Encounter { pairing, games } = &mut self.encounters[encounter];
            let number = self.plan.len() as u64 + 1;
            let place = games.len() as u64;
            let (first, second) = if place.is_multiple_of(2) {
                (pairing.one, pairing.other)
            } else {
                (pairing.other, pairing.one)
            };
            // Both games of a pair share an opening: that of the pair's first game.
            let leader = if place.is_multiple_of(2) {
                number
            } else {
                games.last().copied().unwrap_or(number)
            };
            games.push(number);
            self.plan.push(Job {
                number,
                round: self.round,
                pair: leader - 1,
                first,
                second,
                opening: (leader - 1) / 2,
            });
        }
    }

    fn close_round(&mut self) {
        let encounters = std::mem::take(&mut self.encounters);
        let mut winners = BTreeMap::new();
        for encounter in &encounters {
            let Pairing { one, other } = encounter.pairing;
            let (points, against) = self.half_points(encounter);
            self.score[one] += points;
            self.score[other] += against;
            self.met[one].push(other);
            self.met[other].push(one);
            // Equal points: the better seed, whose index is lower.
            let one_wins = points > against || (points == against && one < other);
            winners.insert(one.min(other), if one_wins { one } else { other });
        }
        for engine in std::mem::take(&mut self.byes) {
            self.score[engine] += 2 * self.games as usize;
            self.had_bye[engine] = true;
        }
        if self.system == System::Knockout {
            self.bracket = self
                .bracket
                .chunks(2)
                .map(|two| {
                    match (
                        two.first().copied().flatten(),
                        two.get(1).copied().flatten(),
                    ) {
                        (Some(a), Some(b)) => winners.get(&a.min(b)).copied(),
                        (a, b) => a.or(b),
                    }
                })
                .collect();
        }
    }

    fn pair_round(&mut self) {
        self.round += 1;
        let pairings = match self.system {
            System::Knockout => self.knockout_pairings(),
            System::Swiss { rounds } if self.round > rounds => Vec::new(),
            System::Swiss { .. } => self.swiss_pairings(),
        };
        self.finished = pairings.is_empty();
        for pairing in pairings {
            self.encounters.push(Encounter {
                pairing,
                games: Vec::new(),
            });
            self.plan_games(self.encounters.len() - 1, self.games);
        }
    }

    fn knockout_pairings(&self) -> Vec<Pairing> {
        let pairs = self.bracket.chunks(2);
        pairs
            .filter_map(|two| match two {
                [Some(a), Some(b)] => Some(Pairing {
                    one: *a.min(b),
                    other: *a.max(b),
                }),
                _ => None,
            })
            .collect()
    }

    /// Engines by score, then by the scores of those they met (Buchholz), then by seed.
    fn ranking(&self) -> Vec<usize> {
        let buchholz = |e: usize| self.met[e].iter().map(|&o| self.score[o]).sum::<usize>();
        let mut order: Vec<usize> = (0..self.engines).collect();
        order.sort_by_key(|&e| (usize::MAX - self.score[e], usize::MAX - buchholz(e), e));
        order
    }

    fn swiss_pairings(&mut self) -> Vec<Pairing> {
        let mut order = self.ranking();
        if order.len() % 2 == 1 {
            let lowest = order.iter().rposition(|&e| !self.had_bye[e]);
            let bye = order.remove(lowest.unwrap_or(order.len() - 1));
            self.byes.push(bye);
        }
        // The upper half of a score group meets its lower half in the first round; later ones go
        // down the ranking.
        if self.round == 1 {
            let half = order.len() / 2;
            return (0..half)
                .map(|i| Pairing {
                    one: order[i],
                    other: order[half + i],
                })
                .collect();
        }
        let mut budget = 200_000;
        let mut pairs = Vec::new();
        if !self.pair_down(&mut order.clone(), &mut pairs, &mut budget) {
            pairs = order
                .chunks(2)
                .map(|two| Pairing {
                    one: two[0],
                    other: two[1],
                })
                .collect();
        }
        pairs
    }

    /// Pairs the best of `left` with the best it has not met, backtracking where the rest cannot be
    /// paired; false if nothing was found within the budget: then rematches are unavoidable.
    fn pair_down(&self, left: &mut Vec<usize>, pairs: &mut Vec<Pairing>, budget: &mut u32) -> bool {
        if left.is_empty() {
            return true;
        }
        let best = left.remove(0);
        for i in 0..left.len() {
            if *budget == 0 {
                break;
            }
            *budget -= 1;
            let other = left[i];
            if self.met[best].contains(&other) {
                continue;
            }
            left.remove(i);
            pairs.push(Pairing { one: best, other });
            if self.pair_down(left, pairs, budget) {
                return true;
            }
            pairs.pop();
            left.insert(i, other);
        }
        left.insert(0, best);
        false
    }
}

/// A bracket of a power of two, in which the first two seeds can meet in the last round only; the
/// best seeds have the empty places as opponents.
fn seeded_bracket(engines: usize) -> Vec<Option<usize>> {
    let mut order = vec![0];
    while order.len() < engines {
        let size = 2 * order.len();
        order = order
            .iter()
            .flat_map(|&seed| [seed, size - 1 - seed])
            .collect();
    }
    order
        .into_iter()
        .map(|seed| (seed < engines).then_some(seed))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays to the end; the lower index always wins with the first side, else draws.
    fn play(tournament: &mut Tournament, result: impl Fn(&Job) -> Points) -> Vec<Job> {
        let mut jobs = Vec::new();
        loop {
            match tournament.job(jobs.len() as u64 + 1) {
                Next::Play(job) => {
                    tournament.finish(job.number, result(&job));
                    jobs.push(job);
                }
                Next::Wait => panic!("all games are finished, yet nothing is planned"),
                Next::Done => return jobs,
            }
        }
    }

    fn better_wins(job: &Job) -> Points {
        if job.first < job.second {
            Points::Win
        } else {
            Points::Loss
        }
    }

    #[test]
    fn brackets_keep_the_best_apart_and_give_them_the_byes() {
        assert_eq!(seeded_bracket(4), [Some(0), Some(3), Some(1), Some(2)]);
        let five = seeded_bracket(5);
        assert_eq!(five.len(), 8);
        assert_eq!(five[..2], [Some(0), None]);
    }

    #[test]
    fn the_best_wins_a_knockout() {
        for engines in 2..10 {
            let mut tournament = Tournament::knockout(engines, 2);
            let jobs = play(&mut tournament, better_wins);
            assert_eq!(tournament.champion(), Some(0));
            assert_eq!(jobs.len(), 2 * (engines - 1), "{engines}");
        }
    }

    #[test]
    fn ties_are_broken_by_more_games_and_then_by_seed() {
        let mut tournament = Tournament::knockout(2, 2);
        let jobs = play(&mut tournament, |_| Points::Draw);
        assert_eq!(jobs.len() as u64, 2 + 2 * MAX_TIEBREAKS);
        assert_eq!(tournament.champion(), Some(0));
        let mut tournament = Tournament::knockout(2, 2);
        let jobs = play(&mut tournament, |job| match (job.number, job.first) {
            (1 | 2, _) => Points::Draw,
            (_, 1) => Points::Win,
            _ => Points::Loss,
        });
        assert_eq!((jobs.len(), tournament.champion()), (4, Some(1)));
    }

    #[test]
    fn swiss_has_no_rematch_and_one_bye_each() {
        for engines in [6, 7, 8, 11] {
            let rounds = 4;
            let mut tournament = Tournament::swiss(engines, 2, rounds);
            let jobs = play(&mut tournament, better_wins);
            assert_eq!(jobs.len() as u64, rounds * 2 * (engines as u64 / 2));
            let mut met: Vec<_> = jobs
                .iter()
                .step_by(2)
                .map(|j| (j.first.min(j.second), j.first.max(j.second)))
                .collect();
            met.sort_unstable();
            met.dedup();
            assert_eq!(met.len() as u64, rounds * (engines as u64 / 2), "{engines}");
            assert_eq!(tournament.ranking()[0], 0);
        }
    }

    #[test]
    fn a_resumed_tournament_pairs_alike() {
        let mut whole = Tournament::swiss(7, 2, 4);
        let jobs = play(&mut whole, better_wins);
        let mut resumed = Tournament::swiss(7, 2, 4);
        // Results arrive in another order, half of them.
        for job in jobs[..jobs.len() / 2].iter().rev() {
            resumed.finish(job.number, better_wins(job));
        }
        for job in &jobs[jobs.len() / 2..] {
            assert_eq!(resumed.job(job.number), Next::Play(*job));
            resumed.finish(job.number, better_wins(job));
        }
        assert_eq!(resumed.job(jobs.len() as u64 + 1), Next::Done);
    }
}
