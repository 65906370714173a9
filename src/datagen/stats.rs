//! What a collection of games holds.

use std::collections::BTreeMap;
use std::fmt;

use crate::datagen::record::{Finish, GameRecord};
use crate::datagen::selfplay::Settings;
use crate::datagen::shard::Shard;
use crate::game::{Notation, Outcome, Score, Side};

/// Upper limits of the classes of scores, by size, in centipawns; one class more takes the rest
/// of the evaluations, and one the mates and other proved wins.
const CLASSES: [i32; 7] = [25, 50, 100, 200, 400, 800, 1600];

/// Counts over games.
#[derive(Default)]
pub struct Stats {
    games: u64,
    positions: u64,
    unusual_starts: u64,
    /// Wins of the first side, draws, wins of the second.
    results: [u64; 3],
    finishes: [u64; Finish::ALL.len()],
    shortest: Option<usize>,
    longest: usize,
    scores: [u64; CLASSES.len() + 2],
    checks: u64,
    noisy: u64,
    keys: Vec<u64>,
    /// Games by generator, seed and nodes.
    makers: BTreeMap<(String, u64, u32), u64>,
    /// Games with an illegal move.
    unsound: u64,
    /// Bytes that are no games.
    damaged: u64,
}

impl Stats {
    /// Counts all of a shard.
    pub fn add_shard<P: Notation>(&mut self, shard: &Shard) {
        for game in &shard.games {
            self.add::<P>(game);
        }
        let Settings { seed, nodes } = shard.header.settings;
        let maker = (shard.header.generator.clone(), seed, nodes);
        *self.makers.entry(maker).or_default() += shard.games.len() as u64;
        self.damaged += shard.damaged;
    }

    /// Counts a game.
    fn add<P: Notation>(&mut self, game: &GameRecord) {
        self.games += 1;
        self.positions += game.plies.len() as u64;
        self.unusual_starts += u64::from(game.start.is_some());
        self.results[match game.outcome {
            Outcome::Win(Side::First) => 0,
            Outcome::Draw => 1,
            Outcome::Win(Side::Second) => 2,
        }] += 1;
        self.finishes[game.finish as usize] += 1;
        let plies = game.plies.len();
        self.shortest = Some(self.shortest.map_or(plies, |least| least.min(plies)));
        self.longest = self.longest.max(plies);
        let replayed = game.replay(|position: &P, m, score| {
            self.scores[class(Score(score.into()))] += 1;
            self.checks += u64::from(position.in_check());
            self.noisy += u64::from(position.is_noisy(m));
            self.keys.push(position.key().0);
        });
        self.unsound += u64::from(replayed.is_err());
    }

    /// Is all of it sound?
    pub fn is_sound(&self) -> bool {
        self.unsound == 0 && self.damaged == 0
    }

    /// Positions that came before, in the same game or another.
    fn duplicates(&self) -> u64 {
        let mut keys = self.keys.clone();
        keys.sort_unstable();
        keys.dedup();
        (self.keys.len() - keys.len()) as u64
    }
}

fn class(score: Score) -> usize {
    match score.is_decisive() {
        true => CLASSES.len() + 1,
        false => CLASSES.partition_point(|limit| *limit < score.abs().0),
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        let of_games = |part| share(part, self.games);
        let of_positions = |part| share(part, self.positions);
        let [wins, draws, losses] = self.results;
        let [rules, adjudicated, too_long] = self.finishes;
        writeln!(f, "games        {}", self.games)?;
        writeln!(f, "positions    {}", self.positions)?;
        writeln!(
            f,
            "plies        {} to {}, {:.1} on average",
            self.shortest.unwrap_or(0),
            self.longest,
            self.positions as f64 / self.games.max(1) as f64
        )?;
        writeln!(
            f,
            "results      {wins} won by the first side ({:.1} %), {draws} drawn ({:.1} %), \
             {losses} won by the second ({:.1} %)",
            of_games(wins),
            of_games(draws),
            of_games(losses)
        )?;
        writeln!(
            f,
            "endings      {:.1} % by the rules, {:.1} % adjudicated, {:.1} % too long",
            of_games(rules),
            of_games(adjudicated),
            of_games(too_long)
        )?;
        let unusual = of_games(self.unusual_starts);
        writeln!(f, "starts       {unusual:.1} % unusual")?;
        let duplicates = of_positions(self.duplicates());
        writeln!(f, "duplicates   {duplicates:.2} % of the positions")?;
        writeln!(
            f,
            "in check     {:.1} %, best move noisy {:.1} %",
            of_positions(self.checks),
            of_positions(self.noisy)
        )?;
        for ((generator, seed, nodes), games) in &self.makers {
            writeln!(
                f,
                "made by      {generator}: seed {seed}, {nodes} nodes, {games} games"
            )?;
        }
        writeln!(f, "scores by size, in centipawns:")?;
        for (index, count) in self.scores.iter().enumerate() {
            let name = match CLASSES.get(index) {
                Some(limit) => format!("to {limit}"),
                None if index == CLASSES.len() => "above".to_owned(),
                None => "proved".to_owned(),
            };
            writeln!(f, "  {name:<10} {:>6.2} %", of_positions(*count))?;
        }
        write!(
            f,
            "damage       {} games with an illegal move, {} bytes that are no games",
            self.unsound, self.damaged
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagen::record::tests::game;
    use crate::game::Game;
    use crate::games::Chess;

    #[test]
    fn games_are_counted() {
        type Board = <Chess as Game>::Position;
        let mut stats = Stats::default();
        let mate = game(0, None, &["f2f3", "e7e5", "g2g4", "d8h4"]);
        stats.add::<Board>(&mate);
        stats.add::<Board>(&mate);
        assert_eq!((stats.games, stats.positions), (2, 4));
        assert_eq!(stats.results, [0, 0, 2]);
        assert_eq!(stats.duplicates(), 2);
        assert!(stats.is_sound());
        let mut unsound = mate;
        unsound.plies.swap(0, 1);
        stats.add::<Board>(&unsound);
        assert!(!stats.is_sound());
        assert!(stats.to_string().contains("3 won by the second"));
    }

    #[test]
    fn scores_fall_into_classes() {
        assert_eq!(class(Score(-25)), 0);
        assert_eq!(class(Score(26)), 1);
        assert_eq!(class(Score(30_000)), CLASSES.len());
        assert_eq!(class(Score(-31_990)), CLASSES.len() + 1);
    }
}
