//! `bench [HASH] [THREADS] [LIMIT] [FILE] [UNIT]` and `speedtest [THREADS] [HASH] [SECONDS]`, as
//! Stockfish has them.

use crate::protocol::{CommandError, SpeedTestRequest};

/// What `bench` is to do; what is left out is the default.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BenchRequest {
    /// Hash table size in MiB.
    pub hash: Option<u32>,
    /// Search threads.
    pub threads: Option<u32>,
    /// How far each search goes.
    pub limit: Option<u64>,
    /// Which positions.
    pub source: BenchSource,
    /// What the limit counts.
    pub unit: BenchUnit,
}

/// Where the positions of a bench come from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum BenchSource {
    /// The engine's own list.
    #[default]
    Default,
    /// The position on the board.
    Current,
    /// A file with a FEN or an EPD a line.
    File(String),
}

/// What the limit of a bench counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BenchUnit {
    /// Iterations.
    #[default]
    Depth,
    /// Nodes.
    Nodes,
    /// Milliseconds.
    MoveTime,
    /// Plies, of which all positions are counted: no search.
    Perft,
}

impl BenchRequest {
    /// Reads the words behind `bench`.
    ///
    /// # Errors
    /// A word that is no number, or no unit.
    pub fn parse(words: &[&str]) -> Result<BenchRequest, CommandError> {
        let word = |index: usize| words.get(index).copied();
        let small = |index| word(index).map(|word| number("bench", word)).transpose();
        Ok(BenchRequest {
            hash: small(0)?,
            threads: small(1)?,
            limit: word(2).map(|word| number("bench", word)).transpose()?,
            source: match word(3) {
                None | Some("default") => BenchSource::Default,
                Some("current") => BenchSource::Current,
                Some(path) => BenchSource::File(path.to_owned()),
            },
            unit: word(4).map_or(Ok(BenchUnit::Depth), unit)?,
        })
    }
}

impl SpeedTestRequest {
    /// Reads the words behind `speedtest`.
    ///
    /// # Errors
    /// A word that is no number.
    pub fn parse(words: &[&str]) -> Result<SpeedTestRequest, CommandError> {
        let word = |index: usize| words.get(index).map(|word| number("speedtest", word));
        Ok(SpeedTestRequest {
            threads: word(0).transpose()?,
            hash: word(1).transpose()?,
            seconds: word(2).transpose()?,
        })
    }
}

fn number<N: std::str::FromStr>(command: &'static str, word: &str) -> Result<N, CommandError> {
    let number = word.parse();
    number.map_err(|_| CommandError::NotANumber(command, word.to_owned()))
}

fn unit(word: &str) -> Result<BenchUnit, CommandError> {
    match word {
        "depth" => Ok(BenchUnit::Depth),
        "nodes" => Ok(BenchUnit::Nodes),
        "movetime" => Ok(BenchUnit::MoveTime),
        "perft" => Ok(BenchUnit::Perft),
        _ => Err(CommandError::BenchUnit(word.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_taken_in_their_order() {
        assert_eq!(BenchRequest::parse(&[]), Ok(BenchRequest::default()));
        let all = BenchRequest::parse(&["64", "2", "9000", "some.epd", "nodes"]).unwrap();
        assert_eq!(
            (all.hash, all.threads, all.limit),
            (Some(64), Some(2), Some(9000))
        );
        assert_eq!(all.source, BenchSource::File("some.epd".to_owned()));
        assert_eq!(all.unit, BenchUnit::Nodes);
        assert_eq!(
            BenchRequest::parse(&["many"]),
            Err(CommandError::NotANumber("bench", "many".to_owned()))
        );
        let strange = BenchRequest::parse(&["1", "1", "1", "current", "hours"]);
        assert_eq!(strange, Err(CommandError::BenchUnit("hours".to_owned())));
    }
}
