//! One game of the engine against itself.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use crate::datagen::adjudicate::Adjudicator;
use crate::datagen::opening::{Opening, random_opening};
use crate::datagen::random::Random;
use crate::datagen::record::{Finish, GameRecord, Scored};
use crate::datagen::starts::Starts;
use crate::game::{Arbiter, Game, Outcome, PackedMove, Position, Score};
use crate::search::{Conclusion, Limits, MoveOf, Searcher, Signals, TableError};

/// Hash table of a player in MiB: enough for the searches of a few moves, small enough to be
/// cleared for every game and to stay near the core.
const HASH_MIB: usize = 4;
/// An opening is fair if the first search finds no more than this for either side.
const FAIR: Score = Score(250);
/// Searched plies after which a game counts as drawn.
pub(super) const LONGEST: usize = 400;
/// A search ends within an iteration only at so many times the soft limit.
const HARD_FACTOR: u64 = 10;

/// What the games of a seed depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The seed.
    pub seed: u64,
    /// Nodes after which a search begins no further iteration, at least 1.
    pub nodes: u32,
}

/// Plays games against itself, on one thread.
pub struct Player<G: Game> {
    searcher: Searcher<G>,
    settings: Settings,
    starts: Starts,
    limits: Limits<MoveOf<G>>,
}

impl<G: Game> Player<G> {
    /// A player that evaluates with these weights.
    ///
    /// # Errors
    /// When there is no memory for its table.
    pub fn new(settings: Settings, weights: &G::Weights) -> Result<Self, TableError> {
        let mut searcher = Searcher::new(HASH_MIB, 1)?;
        searcher.set_weights(weights.clone());
        let nodes = u64::from(settings.nodes.max(1));
        Ok(Player {
            searcher,
            settings,
            starts: Starts::Usual,
            limits: Limits {
                soft_nodes: Some(nodes),
                nodes: Some(nodes * HARD_FACTOR),
                ..Limits::default()
            },
        })
    }

    /// The same player, its games beginning elsewhere.
    pub fn from_starts(self, starts: Starts) -> Self {
        Player { starts, ..self }
    }

    /// A fair random opening for the game with this number.
    pub fn opening(&mut self, number: u32) -> Opening<G> {
        let mut random = Random::new(self.settings.seed, u64::from(number));
        self.searcher.clear();
        let starts = std::mem::take(&mut self.starts);
        let judge = |position: &G::Position| self.search(position).score;
        let opening = random_opening(&mut random, &starts, FAIR, judge);
        self.starts = starts;
        opening
    }

    /// Plays the game with this number; `None` if it was told to stop meanwhile, or if a search
    /// found no move where the game goes on, which would be a fault.
    pub fn play(&mut self, number: u32, stop: &AtomicBool) -> Option<GameRecord> {
        let opening = self.opening(number);
        let random = opening.moves.iter().map(|m| m.to_bits()).collect();
        let mut position = opening.position;
        let mut plies = Vec::with_capacity(128);
        let mut adjudicator = Adjudicator::default();
        let (outcome, finish) = loop {
            if let Some(ending) = position.ending() {
                break (ending.outcome, Finish::Rules);
            }
            if plies.len() >= LONGEST {
                break (Outcome::Draw, Finish::TooLong);
            }
            if stop.load(Relaxed) {
                return None;
            }
            let found = self.search(&position);
            // The game is not over, so that there is a move: [`generate`](super::generate) takes
            // an end that nobody asked for as an error.
            let m = found.best?;
            plies.push(Scored {
                m: m.to_bits(),
                score: found.score.0 as i16,
            });
            let decided = adjudicator.hear(position.side_to_move(), found.score);
            position.make(m, &mut ());
            if let Some(outcome) = decided {
                break (outcome, Finish::Adjudicated);
            }
        };
        Some(GameRecord {
            number,
            start: opening.start,
            random,
            plies,
            outcome,
            finish,
        })
    }

    fn search(&mut self, position: &G::Position) -> Conclusion<MoveOf<G>> {
        let signals = Signals::new(Instant::now(), false);
        self.searcher
            .search(position, &self.limits, &signals, &mut ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Chess, Xiangqi};

    const SETTINGS: Settings = Settings { seed: 5, nodes: 60 };

    fn check<G: Game>() {
        let never = AtomicBool::new(false);
        let mut player = Player::<G>::new(SETTINGS, &G::Weights::default()).unwrap();
        let games: Vec<_> = (0..3).map(|n| player.play(n, &never).unwrap()).collect();
        // Whatever was played before, a game comes out the same.
        assert_eq!(player.play(1, &never).as_ref(), Some(&games[1]));
        assert_ne!(games[0].plies, games[1].plies);
        for game in &games {
            let mut visited = 0;
            game.replay(|position: &G::Position, _, _| {
                assert_eq!(position.ending(), None);
                visited += 1;
            })
            .unwrap();
            assert_eq!(visited, game.plies.len());
            assert!(visited > 0);
        }
        assert_eq!(player.play(0, &AtomicBool::new(true)), None);
    }

    #[test]
    fn games_are_legal_and_repeat() {
        check::<Chess>();
        check::<Xiangqi>();
    }
}
