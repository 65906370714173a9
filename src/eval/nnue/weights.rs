//! Networks as files.
//!
//! Little-endian throughout: eight bytes that name the format, its version (2), the length (2)
//! and text of the architecture, the length (2) and text of the description, the scale (4); then
//! the weights: input rows, hidden bias, output weights (two rows for each set of outputs, the
//! side to move's first), all of sixteen bits, and the output biases of 32 bits; at last the
//! CRC-32 of everything before it.

use thiserror::Error;

use crate::eval::nnue::inputs::{Inputs, OUTPUTS};
use crate::eval::nnue::kernels::Kernel;
use crate::eval::nnue::layers::{OUTPUT_WEIGHT_MAX, Output, QA, QB, Row};

const MAGIC: [u8; 8] = *b"TWOFONET";
const VERSION: u16 = 1;
/// The most pieces on a board, hence rows in an accumulator.
const PIECES_MAX: i32 = 32;
/// Sane limits of the scale, in centipawns.
pub const SCALES: std::ops::RangeInclusive<i32> = 1..=4_000;
/// Bound of an output bias, as many times 1: keeps all sums within 64 bits and the output within
/// 32.
const OUTPUT_BIAS_MAX: u32 = 100;

/// Why a file is no network for this program. The old one stays in use.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WeightsError {
    /// Not the format at all.
    #[error("not a network file of this program")]
    Foreign,
    /// A version of the format that this program does not know.
    #[error("format version {0}, expected {VERSION}")]
    Version(u16),
    /// Another game, or other sizes.
    #[error("its architecture is '{found}', expected '{expected}'")]
    Architecture {
        /// What the file says.
        found: String,
        /// What is needed here.
        expected: String,
    },
    /// Too short or too long.
    #[error("{found} bytes, expected {expected}")]
    Length {
        /// Bytes there are.
        found: usize,
        /// Bytes there ought to be.
        expected: usize,
    },
    /// Damaged.
    #[error("wrong checksum: the file is damaged")]
    Checksum,
    /// Values with which sums could overflow.
    #[error("its {0} is out of bounds")]
    OutOfBounds(&'static str),
}

/// What a file says of itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NetworkInfo {
    /// Game, inputs and sizes.
    pub architecture: String,
    /// Who made it of what, and when.
    pub description: String,
    /// Centipawns for an output of 1.
    pub scale: i32,
    /// The CRC-32 of the file without its last four bytes, which are just that.
    pub checksum: u32,
}

/// The weights of a network for the inputs `I` with `H` neurons for each look.
pub struct Network<I: Inputs, const H: usize> {
    info: NetworkInfo,
    rows: Box<[Row<H>]>,
    bias: Row<H>,
    outputs: Box<[[Row<H>; 2]; OUTPUTS]>,
    output_biases: [i32; OUTPUTS],
    inputs: std::marker::PhantomData<fn() -> I>,
}

/// The weights of a network, for whoever makes one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawWeights<const H: usize> {
    /// A row for each input; in units of 1 / QA.
    pub rows: Vec<[i16; H]>,
    /// The hidden bias; in units of 1 / QA.
    pub bias: [i16; H],
    /// Output weights of either look; in units of 1 / QB.
    pub outputs: [[[i16; H]; 2]; OUTPUTS],
    /// Output biases; in units of 1 / (QA QB).
    pub output_biases: [i32; OUTPUTS],
}

/// Takes parts off the front of a file.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (front, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(front)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    /// A text of one line: it is shown where a line break would begin another answer.
    fn text(&mut self) -> Option<String> {
        let length = u16::from_le_bytes(self.array()?);
        let bytes = self.take(usize::from(length))?;
        Some(String::from_utf8_lossy(bytes).replace(char::is_control, " "))
    }

    fn words<const H: usize>(&mut self) -> Option<[i16; H]> {
        let bytes = self.take(2 * H)?;
        let mut words = [0; H];
        for (word, pair) in words.iter_mut().zip(bytes.as_chunks::<2>().0) {
            *word = i16::from_le_bytes(*pair);
        }
        Some(words)
    }
}

impl NetworkInfo {
    /// What a sound file says of itself, whatever network it is, and the weights.
    fn split(bytes: &[u8]) -> Result<(NetworkInfo, &[u8]), WeightsError> {
        let mut reader = Reader(bytes);
        if reader.array() != Some(MAGIC) {
            return Err(WeightsError::Foreign);
        }
        let version = reader.array().map(u16::from_le_bytes);
        let version = version.ok_or(WeightsError::Foreign)?;
        if version != VERSION {
            return Err(WeightsError::Version(version));
        }
        let (sound, checksum) = bytes.split_last_chunk().ok_or(WeightsError::Checksum)?;
        let checksum = u32::from_le_bytes(*checksum);
        if crc32fast::hash(sound) != checksum {
            return Err(WeightsError::Checksum);
        }
        let mut header = || {
            Some(NetworkInfo {
                architecture: reader.text()?,
                description: reader.text()?,
                scale: i32::from_le_bytes(reader.array()?),
                checksum,
            })
        };
        let info = header().ok_or(WeightsError::Checksum)?;
        let weights = reader.0.strip_suffix(&checksum.to_le_bytes());
        Ok((info, weights.ok_or(WeightsError::Checksum)?))
    }

    /// What a file says of itself, whatever network it is.
    ///
    /// # Errors
    /// When it is no network, or damaged.
    pub fn read(bytes: &[u8]) -> Result<NetworkInfo, WeightsError> {
        NetworkInfo::split(bytes).map(|(info, _)| info)
    }
}

impl<I: Inputs, const H: usize> Network<I, H> {
    /// Bytes of the weights.
    const WEIGHT_BYTES: usize = 2 * H * (I::ROWS + 1 + 2 * OUTPUTS) + 4 * OUTPUTS;

    /// The architecture of these networks, as their files name it.
    pub fn architecture() -> String {
        format!(
            "{} {} -> {H}x2 screlu -> {OUTPUTS} by pieces",
            I::GAME,
            I::NAME
        )
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When it is another network or damaged, or when its weights are so large that the
    /// accumulators' sixteen bits or the output's could overflow.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let (info, weights) = NetworkInfo::split(bytes)?;
        let expected = Self::architecture();
        if info.architecture != expected {
            return Err(WeightsError::Architecture {
                found: info.architecture,
                expected,
            });
        }
        if weights.len() != Self::WEIGHT_BYTES {
            return Err(WeightsError::Length {
                found: bytes.len(),
                expected: bytes.len() - weights.len() + Self::WEIGHT_BYTES,
            });
        }
        let short = || WeightsError::Length {
            found: weights.len(),
            expected: Self::WEIGHT_BYTES,
        };
        let raw = Self::parse(&mut Reader(weights)).ok_or_else(short)?;
        Self::from_raw(info, &raw)
    }

    fn parse(reader: &mut Reader<'_>) -> Option<RawWeights<H>> {
        let rows = (0..I::ROWS).map(|_| reader.words());
        let rows = rows.collect::<Option<Vec<_>>>()?;
        let bias = reader.words()?;
        let mut outputs = [[[0; H]; 2]; OUTPUTS];
        for row in outputs.iter_mut().flatten() {
            *row = reader.words()?;
        }
        let mut output_biases = [0; OUTPUTS];
        for bias in &mut output_biases {
            *bias = i32::from_le_bytes(reader.array()?);
        }
        Some(RawWeights {
            rows,
            bias,
            outputs,
            output_biases,
        })
    }

    fn from_raw(info: NetworkInfo, raw: &RawWeights<H>) -> Result<Self, WeightsError> {
        if !SCALES.contains(&info.scale) {
            return Err(WeightsError::OutOfBounds("scale"));
        }
        let size = |row: &[i16; H]| row.iter().map(|w| i32::from(*w).abs()).max().unwrap_or(0);
        let largest = raw.rows.iter().map(size).max().unwrap_or(0);
        if PIECES_MAX * largest + size(&raw.bias) > i32::from(i16::MAX) {
            return Err(WeightsError::OutOfBounds("input weight"));
        }
        let outputs = raw.outputs.iter().flatten().map(size);
        if outputs.max().unwrap_or(0) > i32::from(OUTPUT_WEIGHT_MAX) {
            return Err(WeightsError::OutOfBounds("output weight"));
        }
        let bias_max =
            OUTPUT_BIAS_MAX * u32::from(QA.unsigned_abs()) * u32::from(QB.unsigned_abs());
        let biases = raw.output_biases.iter();
        if biases.map(|bias| bias.unsigned_abs()).max() > Some(bias_max) {
            return Err(WeightsError::OutOfBounds("output bias"));
        }
        Ok(Network {
            info,
            rows: raw.rows.iter().map(|row| Row(*row)).collect(),
            bias: Row(raw.bias),
            outputs: Box::new(raw.outputs.map(|looks| looks.map(Row))),
            output_biases: raw.output_biases,
            inputs: std::marker::PhantomData,
        })
    }

    /// The file of these weights. Longer texts than 65,535 bytes are cut.
    pub fn write(raw: &RawWeights<H>, scale: i32, description: &str) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        for text in [Self::architecture().as_bytes(), description.as_bytes()] {
            let text = &text[..text.len().min(usize::from(u16::MAX))];
            bytes.extend((text.len() as u16).to_le_bytes());
            bytes.extend(text);
        }
        bytes.extend(scale.to_le_bytes());
        let outputs = raw.outputs.iter().flatten();
        let all = raw.rows.iter().chain([&raw.bias]).chain(outputs);
        for weight in all.flatten() {
            bytes.extend(weight.to_le_bytes());
        }
        for bias in raw.output_biases {
            bytes.extend(bias.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The weights, for whoever learns on from them.
    pub fn raw(&self) -> RawWeights<H> {
        RawWeights {
            rows: self.rows.iter().map(|row| row.0).collect(),
            bias: self.bias.0,
            outputs: self.outputs.map(|looks| looks.map(|row| row.0)),
            output_biases: self.output_biases,
        }
    }

    /// What the file said of itself.
    pub fn info(&self) -> &NetworkInfo {
        &self.info
    }

    /// The rows of the inputs.
    #[inline]
    pub fn rows(&self) -> &[Row<H>] {
        &self.rows
    }

    /// The hidden layer of an empty board.
    pub fn bias(&self) -> &Row<H> {
        &self.bias
    }

    /// The output of one set of output weights for the looks of the side to move and the other
    /// side, in centipawns, rounded towards zero.
    #[inline]
    pub fn output(&self, kernel: Kernel, looks: [&Row<H>; 2], output: usize) -> i32 {
        let weights = &self.outputs[output];
        let sum = kernel.run(Output { looks, weights });
        let (qa, qb) = (i64::from(QA), i64::from(QB));
        let sum = sum / qa + i64::from(self.output_biases[output]);
        (sum * i64::from(self.info.scale) / (qa * qb)) as i32
    }
}
