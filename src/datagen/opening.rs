//! Random openings: positions nobody has prepared, yet not decided.

use crate::datagen::Random;
use crate::datagen::starts::Starts;
use crate::game::{Arbiter, Game, Notation, Position, Score};
use crate::search::MoveOf;

/// The fewest random plies.
const PLIES: usize = 8;
/// How many more there may be.
const EXTRA_PLIES: usize = 2;
/// The most random plies.
pub(super) const MOST_PLIES: usize = PLIES + EXTRA_PLIES;
/// Openings drawn before a decided one will do.
const ATTEMPTS: u32 = 1_000;

/// A start and random moves from it.
#[derive(Clone)]
pub struct Opening<G: Game> {
    /// The FEN of the start, where it is not the usual one.
    pub start: Option<String>,
    /// The random moves.
    pub moves: Vec<MoveOf<G>>,
    /// The position they lead to.
    pub position: G::Position,
}

/// Draws openings from these starts until one goes on and is not decided, by the score that `judge`
/// finds for the side to move: its size must not exceed `limit`. If it always does, as an untaught
/// network may have it, the least decided one of many.
pub fn random_opening<G: Game>(
    random: &mut Random,
    starts: &Starts,
    limit: Score,
    mut judge: impl FnMut(&G::Position) -> Score,
) -> Opening<G> {
    let mut least: Option<(Score, Opening<G>)> = None;
    let mut attempts = 0;
    loop {
        attempts += 1;
        // A book may hold only positions from which no random game goes on so far: then one is
        // taken as it stands.
        let plies = if attempts > ATTEMPTS { 0 } else { PLIES };
        let Some(opening) = draw::<G>(random, starts, plies) else {
            continue;
        };
        let size = judge(&opening.position).abs();
        if least.as_ref().is_none_or(|(least, _)| size < *least) {
            least = Some((size, opening));
        }
        let will_do = |(size, _): &mut (Score, _)| *size <= limit || attempts >= ATTEMPTS;
        if let Some((_, opening)) = least.take_if(will_do) {
            return opening;
        }
    }
}

/// One opening of so many plies, or a few more unless there are none; `None` where they ended the
/// game.
fn draw<G: Game>(random: &mut Random, starts: &Starts, plies: usize) -> Option<Opening<G>> {
    let start = starts.draw(G::ID, random);
    let mut position = match &start {
        Some(fen) => G::Position::from_fen(fen).ok()?,
        None => G::Position::start(),
    };
    let mut moves = Vec::new();
    let extra = random.below(EXTRA_PLIES + 1);
    let count = if plies > 0 { plies + extra } else { 0 };
    for _ in 0..count {
        let legal = position.legal_moves();
        if legal.is_empty() {
            return None;
        }
        let m = legal[random.below(legal.len())];
        position.make(m, &mut ());
        moves.push(m);
    }

    position.ending().is_none().then_some(Opening {
        start,
        moves,
        position,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Chess, Xiangqi};

    fn check<G: Game>() {
        let mut random = Random::new(1, 1);
        let mut asked = 0;
        let opening = random_opening::<G>(&mut random, &Starts::Usual, Score(50), |_| {
            asked += 1;
            Score(if asked < 4 { -51 } else { 50 })
        });
        assert_eq!(asked, 4);
        assert!((8..=10).contains(&opening.moves.len()));
        let mut position = G::Position::start();
        if let Some(fen) = opening.start {
            position = G::Position::from_fen(&fen).unwrap();
        }
        for m in opening.moves {
            assert!(position.legal_moves().contains(&m));
            position.make(m, &mut ());
        }
        assert_eq!(position.key(), opening.position.key());
    }

    #[test]
    fn openings_are_drawn_until_one_is_fair() {
        check::<Chess>();
        check::<Xiangqi>();
    }

    #[test]
    fn the_least_decided_opening_will_do_where_all_are() {
        let mut sizes = Vec::new();
        let mut at_least = None;
        let opening = random_opening::<Chess>(
            &mut Random::new(2, 2),
            &Starts::Usual,
            Score(50),
            |position| {
                let size = 300 + (position.key().0 % 1_000) as i32;
                if sizes.iter().all(|other| size < *other) {
                    at_least = Some(position.key());
                }
                sizes.push(size);
                Score(size)
            },
        );
        assert_eq!(Some(opening.position.key()), at_least);
        assert!(sizes.len() > 900, "{}", sizes.len());
    }

    #[test]
    fn openings_of_a_book_begin_at_its_positions() {
        let fens = [
            "8/5k2/8/8/8/8/5K2/R7 w - - 0 1",
            "8/5k2/8/8/8/8/5K2/Q7 b - - 0 1",
        ];
        let book = Starts::Book(fens.map(str::to_owned).to_vec());
        let mut met = [0, 0];
        for number in 0..100 {
            let opening = draw::<Chess>(&mut Random::new(3, number), &book, PLIES);
            let start = opening.and_then(|opening| opening.start);
            for (count, fen) in met.iter_mut().zip(fens) {
                *count += u32::from(start.as_deref() == Some(fen));
            }
        }
        assert!(met.iter().all(|count| *count > 20), "{met:?}");
    }

    #[test]
    fn an_opening_is_found_where_no_random_moves_can_be_played() {
        // White has to take the queen, and nobody can win.
        let fen = "7k/8/8/8/8/8/1q6/K7 w - - 0 1";
        let book = Starts::Book(vec![fen.to_owned()]);
        let opening =
            random_opening::<Chess>(&mut Random::new(4, 0), &book, Score(50), |_| Score(9_999));
        assert_eq!(
            (opening.start.as_deref(), opening.moves.len()),
            (Some(fen), 0)
        );
    }

    #[test]
    fn some_chess_starts_are_of_chess960() {
        let unusual = (0..300)
            .filter_map(|number| draw::<Chess>(&mut Random::new(9, number), &Starts::Usual, PLIES))
            .filter(|opening| opening.start.is_some())
            .count();
        assert!((10..60).contains(&unusual), "{unusual}");
    }
}
