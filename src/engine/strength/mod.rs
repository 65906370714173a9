//! Playing below full strength, and with variety: `UCI_LimitStrength` with `UCI_Elo`,
//! `Skill Level`, and UCCI's `randomness`.
//!
//! A weak player does not play random moves: it looks less far, weighs a handful of plausible
//! moves, and misjudges them a little. So does a [`Handicap`]: fewer nodes, a choice among the
//! best few lines (MultiPV), each with a random error in its score. On top of that the board is
//! looked at for mates in one, as often as a player of the level would see them: from a rating of
//! 1500 on always, so that none is allowed that can be avoided.

mod choice;
mod levels;

use std::time::{SystemTime, UNIX_EPOCH};

use crate::engine::order::Settings;
use crate::engine::winrate::Model;
use crate::game::{Arbiter, Game, GameId, KeyStream, Position, Stalemate};
use crate::protocol::{Dialect, OptionId};
use crate::search::{Conclusion, Limits, MoveOf, Reporter, Searcher, Signals};
use choice::Listener;
use levels::Level;

/// The highest skill level, which is full strength.
const FULL_SKILL: i64 = 20;
/// Among how many moves `randomness` chooses.
const VARIETY: usize = 4;

/// A source of chance: SplitMix64.
#[derive(Clone, Copy)]
pub struct Chance(KeyStream);

impl Chance {
    /// Other numbers in every process, so that a weak engine does not play one game for ever.
    pub fn from_clock() -> Chance {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let nanos = now.map_or(0, |time| time.as_nanos() as u64);
        Chance::new(nanos ^ u64::from(std::process::id()) << 32)
    }

    /// The numbers that follow from a seed.
    pub fn new(seed: u64) -> Chance {
        Chance(KeyStream::new(seed))
    }

    /// A number from 0 on and below `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        let (key, rest) = self.0.next();
        self.0 = rest;
        ((u128::from(key.0) * u128::from(bound)) >> 64) as u64
    }

    /// About normally distributed with standard deviation 1000: the sum of twelve even numbers.
    fn normal(&mut self) -> i64 {
        let sum: u64 = (0..12).map(|_| self.below(1001)).sum();
        sum as i64 - 6000
    }
}

/// What holds the engine back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// No further iteration begins after so many nodes.
    nodes: Option<u64>,
    /// Moves among which it chooses.
    candidates: usize,
    /// Standard deviation of its error in judging each, in centipawns of the evaluation.
    noise: u32,
    /// How often it looks for mates in one, in percent.
    vision: u32,
}

impl Handicap {
    /// The handicap that the options ask for, if any.
    pub fn of(settings: &Settings) -> Option<Handicap> {
        let options = &settings.options;
        let skill = options.number(OptionId::SkillLevel);
        if options.is_on(OptionId::LimitStrength) {
            let elo = options.number(OptionId::Elo);
            return Some(Handicap::rated(settings.game(), elo as f64));
        }
        if skill < FULL_SKILL {
            let table = table(settings.game());
            let (least, most) = (table[0].elo, table[table.len() - 1].elo);
            let step = f64::from(most - least) / FULL_SKILL as f64;
            let elo = f64::from(least) + step * skill as f64;
            return Some(Handicap::rated(settings.game(), elo));
        }
        // As GUIs see them: a pawn of the search's own means little.
        let shown = match options.choice(OptionId::Randomness) {
            "small" => 8,
            "medium" => 20,
            "large" => 50,
            _ => return None,
        };
        let noise = Model::of(settings.game()).of_search(shown);
        (settings.dialect == Dialect::Ucci).then_some(Handicap {
            nodes: None,
            candidates: VARIETY,
            noise,
            vision: 0,
        })
    }

    /// The handicap that makes the engine play like this rating.
    fn rated(game: GameId, elo: f64) -> Handicap {
        let table = table(game);
        let above = table.partition_point(|level| f64::from(level.elo) < elo);
        let high = &table[above.min(table.len() - 1)];
        let low = &table[above.saturating_sub(1)];
        let span = f64::from(high.elo) - f64::from(low.elo);
        let share = match span > 0.0 {
            true => ((elo - f64::from(low.elo)) / span).clamp(0.0, 1.0),
            false => 0.0,
        };
        let between = |of: fn(&Level) -> u32| {
            let (low, high) = (f64::from(of(low)), f64::from(of(high)));
            low + share * (high - low)
        };
        let (low, high) = (f64::from(low.nodes), f64::from(high.nodes));
        Handicap {
            nodes: Some(libm::round(low * libm::pow(high / low, share)) as u64),
            candidates: libm::round(between(|level| level.candidates)) as usize,
            noise: libm::round(between(|level| level.noise)) as u32,
            vision: libm::round(between(|level| level.vision)) as u32,
        }
    }

    /// Searches as [`Searcher::search`] does, but as weakly as the handicap says. The last line
    /// reported begins with the move that is returned, as it does there.
    pub fn search<G: Game>(
        &self,
        searcher: &mut Searcher<G>,
        position: &G::Position,
        mut limits: Limits<MoveOf<G>>,
        signals: &Signals,
        reporter: &mut dyn Reporter<MoveOf<G>>,
        chance: &mut Chance,
    ) -> Conclusion<MoveOf<G>> {
        if chance.below(100) < u64::from(self.vision) {
            look_for_mates::<G>(position, &mut limits);
        }
        let shown = limits.multi_pv;
        limits.soft_nodes = self.nodes;
        limits.multi_pv = shown.max(self.candidates);
        let mut listener = Listener::new(reporter, shown);
        let conclusion = searcher.search(position, &limits, signals, &mut listener);
        listener.choose::<G::Position>(position, conclusion, self.noise, chance)
    }
}

fn table(game: GameId) -> &'static [Level] {
    match game {
        GameId::Chess => &levels::CHESS,
        GameId::Xiangqi => &levels::XIANGQI,
    }
}

/// Confines the search to mates in one, where there are any; or else to moves that allow none,
/// where there are any.
fn look_for_mates<G: Game>(position: &G::Position, limits: &mut Limits<MoveOf<G>>) {
    let all = match &limits.root_moves {
        Some(moves) => moves.clone(),
        None => position.legal_moves().to_vec(),
    };
    let mut board = position.clone();
    let keep = |wanted: fn(&mut G::Position, MoveOf<G>) -> bool, board: &mut G::Position| {
        let kept: Vec<_> = all.iter().copied().filter(|m| wanted(board, *m)).collect();
        (!kept.is_empty() && kept.len() < all.len()).then_some(kept)
    };
    let found = keep(mates::<G::Position>, &mut board);
    if let Some(moves) = found.or_else(|| keep(allows_no_mate::<G::Position>, &mut board)) {
        limits.root_moves = Some(moves);
    }
}

/// Does this move end the game at once, to the good of the mover?
fn mates<P: Position>(board: &mut P, m: P::Move) -> bool {
    board.make(m, &mut ());
    let decides = board.in_check() || P::STALEMATE == Stalemate::Loss;
    let over = decides && board.count_moves() == 0;
    board.unmake();
    over
}

/// Does no reply to this move mate?
fn allows_no_mate<P: Arbiter>(board: &mut P, m: P::Move) -> bool {
    board.make(m, &mut ());
    let replies = board.legal_moves();
    let safe = !replies.iter().any(|reply| mates(board, *reply));
    board.unmake();
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::games::{Chess, Xiangqi};
    use crate::protocol::Options;

    fn settings(lines: &[(&str, &str)]) -> Settings {
        let mut options = Options::new(false);
        for (name, value) in lines {
            options.set(Dialect::Uci, name, Some(value)).unwrap();
        }
        Settings {
            dialect: Dialect::Uci,
            options,
            script: false,
            sequential: false,
        }
    }

    #[test]
    fn the_range_of_the_option_is_that_of_the_tables() {
        let lines = Options::new(false).declare(Dialect::Uci);
        for table in [&levels::CHESS, &levels::XIANGQI] {
            let (least, most) = (table[0].elo, table[table.len() - 1].elo);
            let line = format!("option name UCI_Elo type spin default 1500 min {least} max {most}");
            assert!(lines.contains(&line), "{line}");
            assert!(table.is_sorted_by(|a, b| a.elo < b.elo && a.nodes < b.nodes));
            assert!(table.is_sorted_by(|a, b| a.noise >= b.noise && a.vision <= b.vision));
            assert!(
                table
                    .iter()
                    .all(|level| level.elo < 1500 || level.vision == 100)
            );
        }
    }

    /// Nodes of the row of chess with this rating.
    fn nodes_at(elo: u32) -> u64 {
        let row = levels::CHESS.iter().find(|level| level.elo == elo);
        u64::from(row.unwrap().nodes)
    }

    #[test]
    fn ratings_between_the_rows_lie_between_them() {
        let at = |elo| Handicap::rated(GameId::Chess, elo);
        let [low, middle, high] = [1500.0, 1600.0, 1750.0].map(at);
        assert_eq!(low.nodes, Some(nodes_at(1500)));
        assert!(low.nodes < middle.nodes && middle.nodes < high.nodes);
        assert!(low.noise > middle.noise && middle.noise > high.noise);
        assert_eq!(at(1.0), at(500.0));
        assert_eq!(at(9000.0), at(2850.0));
    }

    #[test]
    fn the_options_ask_for_a_handicap_or_none() {
        assert_eq!(Handicap::of(&settings(&[])), None);
        assert_eq!(Handicap::of(&settings(&[("UCI_Elo", "1500")])), None);
        let limited = settings(&[("UCI_LimitStrength", "true"), ("UCI_Elo", "2000")]);
        let limited = Handicap::of(&limited).unwrap();
        assert_eq!(limited.nodes, Some(nodes_at(2000)));
        let lowest = Handicap::of(&settings(&[("Skill Level", "-9")])).unwrap();
        assert_eq!(lowest, Handicap::rated(GameId::Chess, 500.0));
    }

    #[test]
    fn chance_is_about_normal() {
        let mut chance = Chance::new(1);
        let n = 4000;
        let values: Vec<i64> = (0..n).map(|_| chance.normal()).collect();
        let mean = values.iter().sum::<i64>() / n;
        let variance = values.iter().map(|x| x * x).sum::<i64>() / n;
        assert!(mean.abs() < 60, "{mean}");
        assert!((900_000..1_100_000).contains(&variance), "{variance}");
    }

    #[test]
    fn mates_in_one_are_seen_on_both_sides() {
        fn kept<G: Game>(fen: &str) -> Vec<String> {
            let position = G::Position::from_fen(fen).unwrap();
            let mut limits = Limits::default();
            look_for_mates::<G>(&position, &mut limits);
            let moves = limits.root_moves.unwrap_or_default();
            let write = |m: &MoveOf<G>| position.write_move(*m, Default::default());
            moves.iter().map(write).collect()
        }
        let mate = kept::<Chess>("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
        assert_eq!(mate, ["a1a8"]);
        // Whatever makes room for the king stops the rook's mate; to step aside does not.
        let safe = kept::<Chess>("r5k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 1");
        assert!(safe.contains(&"h2h3".to_owned()) && !safe.contains(&"g1h1".to_owned()));
        let mate = kept::<Xiangqi>("3k5/9/3P5/9/9/9/9/9/4R4/4K4 w - - 0 1");
        assert!(mate.contains(&"e1e9".to_owned()), "{mate:?}");
        assert_eq!(kept::<Chess>(<Chess as Game>::Position::START_FEN), [""; 0]);
    }
}
