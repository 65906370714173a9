//! A whole game in few bytes.
//!
//! | bytes | what |
//! |---|---|
//! | 4 | number of the game among those of its seed |
//! | 1 | result: 0 the second side won, 1 draw, 2 the first side won |
//! | 1 | how it ended: see [`Finish`] |
//! | 1 | length of the start's FEN; 0 for the game's usual start |
//! | n | the FEN |
//! | 1 | random plies |
//! | 2 each | the random moves |
//! | 2 | searched plies |
//! | 4 each | the move, and the score of the search for the side to move |
//!
//! Numbers are little-endian, moves are those sixteen bits of [`PackedMove`], scores centipawns
//! as in [`Score`](crate::game::Score).

use std::num::NonZeroU16;

use thiserror::Error;

use crate::game::{Notation, Outcome, PackedMove, Side};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Finish {
    /// By the rules.
    Rules = 0,
    /// Both sides' scores left no doubt.
    Adjudicated = 1,
    /// It grew too long, and counts as drawn.
    TooLong = 2,
}

impl Finish {
    /// All of them, by number.
    pub const ALL: [Finish; 3] = [Finish::Rules, Finish::Adjudicated, Finish::TooLong];
}

/// A move that was searched for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scored {
    /// Its sixteen bits.
    pub m: NonZeroU16,
    /// For the side to move, in centipawns.
    pub score: i16,
}

/// A game of self-play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// Its number among those of its seed.
    pub number: u32,
    /// The FEN of the start, where it is not the usual one.
    pub start: Option<String>,
    /// The random moves that came first.
    pub random: Vec<NonZeroU16>,
    /// The rest of the game, one entry a ply.
    pub plies: Vec<Scored>,
    /// Who won.
    pub outcome: Outcome,
    /// How it ended.
    pub finish: Finish,
}

/// Why bytes are no game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordError {
    /// There are too few of them, or too many.
    #[error("wrong length")]
    Length,
    /// A field has a value that it cannot have.
    #[error("impossible {0}")]
    Field(&'static str),
    /// A move that is not legal where it was played.
    #[error("illegal move at ply {0}")]
    IllegalMove(usize),
}

/// Takes bytes off the front.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], RecordError> {
        let (front, rest) = self.0.split_at_checked(count).ok_or(RecordError::Length)?;
        self.0 = rest;
        Ok(front)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], RecordError> {
        let front = self.take(N)?;
        front.try_into().map_err(|_| RecordError::Length)
    }

    fn byte(&mut self) -> Result<u8, RecordError> {
        Ok(self.array::<1>()?[0])
    }

    fn a_move(&mut self) -> Result<NonZeroU16, RecordError> {
        let bits = u16::from_le_bytes(self.array()?);
        NonZeroU16::new(bits).ok_or(RecordError::Field("move"))
    }
}

/// Bytes of a game with a FEN of so many, and so many random and searched plies.
pub(super) const fn size(fen: usize, random: usize, searched: usize) -> usize {
    const FIXED: usize = 10;
    FIXED + fen + 2 * random + 4 * searched
}

/// How many bytes a game has by what stands at its front; `None` where too little of that is there.
pub(super) fn announced_size(front: &[u8]) -> Option<usize> {
    const BEFORE_FEN: usize = 6;
    let (fen, rest) = front.get(BEFORE_FEN..)?.split_first()?;
    let (random, rest) = rest.get(usize::from(*fen)..)?.split_first()?;
    let searched = rest.get(2 * usize::from(*random)..)?.first_chunk()?;
    let searched = u16::from_le_bytes(*searched);
    Some(size((*fen).into(), (*random).into(), searched.into()))
}

impl GameRecord {
    /// The game as bytes. Longer FENs, openings and games than fit are not made by anybody; what
    /// does not fit would be cut.
    pub fn to_bytes(&self) -> Vec<u8> {
        let fen = self.start.as_deref().unwrap_or("").as_bytes();
        let fen = &fen[..fen.len().min(255)];
        let random = &self.random[..self.random.len().min(255)];
        let plies = &self.plies[..self.plies.len().min(usize::from(u16::MAX))];
        let mut bytes = Vec::with_capacity(size(fen.len(), random.len(), plies.len()));
        bytes.extend(self.number.to_le_bytes());
        bytes.push(match self.outcome {
            Outcome::Win(Side::Second) => 0,
            Outcome::Draw => 1,
            Outcome::Win(Side::First) => 2,
        });
        bytes.push(self.finish as u8);
        bytes.push(fen.len() as u8);
        bytes.extend(fen);
        bytes.push(random.len() as u8);
        for m in random {
            bytes.extend(m.get().to_le_bytes());
        }
        bytes.extend((plies.len() as u16).to_le_bytes());
        for ply in plies {
            bytes.extend(ply.m.get().to_le_bytes());
            bytes.extend(ply.score.to_le_bytes());
        }
        bytes
    }

    /// The game in these bytes.
    ///
    /// # Errors
    /// When they are not such as [`GameRecord::to_bytes`] writes. Legality of the moves is
    /// another matter: see [`GameRecord::replay`].
    pub fn from_bytes(bytes: &[u8]) -> Result<GameRecord, RecordError> {
        let mut reader = Reader(bytes);
        let number = u32::from_le_bytes(reader.array()?);
        let outcome = match reader.byte()? {
            0 => Outcome::Win(Side::Second),
            1 => Outcome::Draw,
            2 => Outcome::Win(Side::First),
            _ => return Err(RecordError::Field("result")),
        };
        let finish = Finish::ALL.get(usize::from(reader.byte()?)).copied();
        let fen_length = usize::from(reader.byte()?);
        let fen = std::str::from_utf8(reader.take(fen_length)?);
        let fen = fen.map_err(|_| RecordError::Field("start"))?;
        let random_plies = reader.byte()?;
        let random = (0..random_plies).map(|_| reader.a_move());
        let random = random.collect::<Result<_, _>>()?;
        let searched_plies = u16::from_le_bytes(reader.array()?);
        let plies = (0..searched_plies).map(|_| {
            let m = reader.a_move()?;
            let score = i16::from_le_bytes(reader.array()?);
            Ok(Scored { m, score })
        });
        let plies = plies.collect::<Result<_, _>>()?;
        if !reader.0.is_empty() {
            return Err(RecordError::Length);
        }
        Ok(GameRecord {
            number,
            start: (!fen.is_empty()).then(|| fen.to_owned()),
            random,
            plies,
            outcome,
            finish: finish.ok_or(RecordError::Field("ending"))?,
        })
    }

    /// Plays the game again. `visit` sees every position in which a move was searched for, before
    /// that move is played, and the move with its score.
    ///
    /// # Errors
    /// At the first move that is not legal; what was visited so far is sound.
    pub fn replay<P: Notation>(
        &self,
        mut visit: impl FnMut(&P, P::Move, i16),
    ) -> Result<(), RecordError> {
        let mut position = match &self.start {
            Some(fen) => P::from_fen(fen).map_err(|_| RecordError::Field("start"))?,
            None => P::start(),
        };
        let random = self.random.iter().map(|m| (*m, None));
        let searched = self.plies.iter().map(|ply| (ply.m, Some(ply.score)));
        for (ply, (bits, score)) in random.chain(searched).enumerate() {
            let m = P::Move::from_bits(bits);
            if !(position.is_pseudo_legal(m) && position.is_legal(m)) {
                return Err(RecordError::IllegalMove(ply));
            }
            if let Some(score) = score {
                visit(&position, m, score);
            }
            position.make(m, &mut ());
        }
        Ok(())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::game::{Game, Position, TextStyle};
    use crate::games::Chess;

    type Board = <Chess as Game>::Position;

    /// A game of these moves, the first two of them random.
    pub fn game(number: u32, start: Option<&str>, moves: &[&str]) -> GameRecord {
        let mut position = start.map_or_else(Board::start, |fen| Board::from_fen(fen).unwrap());
        let mut bits = Vec::new();
        for text in moves {
            let m = position.parse_move(text, TextStyle::default()).unwrap();
            bits.push(m.to_bits());
            position.make(m, &mut ());
        }
        let (random, searched) = bits.split_at(2);
        let plies = searched.iter().enumerate();
        GameRecord {
            number,
            start: start.map(str::to_owned),
            random: random.to_vec(),
            plies: plies
                .map(|(i, m)| Scored {
                    m: *m,
                    score: -30 * i as i16,
                })
                .collect(),
            outcome: Outcome::Win(Side::Second),
            finish: Finish::Rules,
        }
    }

    fn fools_mate() -> GameRecord {
        game(70_000, None, &["f2f3", "e7e5", "g2g4", "d8h4"])
    }

    #[test]
    fn a_game_comes_back() {
        let from_fen = game(0, Some("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), &["e1c1", "e8e7"]);
        for record in [fools_mate(), from_fen] {
            let bytes = record.to_bytes();
            assert_eq!(GameRecord::from_bytes(&bytes), Ok(record));
        }
        assert_eq!(fools_mate().to_bytes().len(), 10 + 2 * 2 + 2 * 4);
    }

    #[test]
    fn a_game_announces_its_size_as_soon_as_it_can() {
        let fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
        let bytes = game(0, Some(fen), &["e1c1", "e8e7", "d1d7"]).to_bytes();
        let first_ply = size(fen.len(), 2, 0);
        assert_eq!(announced_size(&bytes[..first_ply - 1]), None);
        assert_eq!(announced_size(&bytes[..first_ply]), Some(bytes.len()));
        assert_eq!(announced_size(&fools_mate().to_bytes()), Some(22));
    }

    #[test]
    fn bytes_that_are_no_game_are_refused() {
        let bytes = fools_mate().to_bytes();
        for length in 0..bytes.len() {
            let cut = GameRecord::from_bytes(&bytes[..length]);
            assert_eq!(cut, Err(RecordError::Length), "{length}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert_eq!(GameRecord::from_bytes(&longer), Err(RecordError::Length));
        for (at, field) in [(4, "result"), (5, "ending")] {
            let mut wrong = bytes.clone();
            wrong[at] = 3;
            assert_eq!(
                GameRecord::from_bytes(&wrong),
                Err(RecordError::Field(field))
            );
        }
    }

    #[test]
    fn replay_visits_the_searched_plies() {
        let mut visited = Vec::new();
        let record = fools_mate();
        record
            .replay(|position: &Board, m, score| {
                let text = position.write_move(m, TextStyle::default());
                visited.push((text, score));
            })
            .unwrap();
        let expected = [("g2g4".to_owned(), 0), ("d8h4".to_owned(), -30)];
        assert_eq!(visited, expected);
    }

    #[test]
    fn replay_stops_at_an_illegal_move() {
        let mut record = fools_mate();
        record.plies.swap(0, 1);
        let result = record.replay(|_: &Board, _, _| panic!("nothing to visit"));
        assert_eq!(result, Err(RecordError::IllegalMove(2)));
    }
}
