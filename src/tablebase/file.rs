//! One file: its header, and the values behind it.

use std::path::Path;

use arrayvec::ArrayVec;
use thiserror::Error;

use crate::tablebase::arrangement::{Arrangement, Said, Squares};
use crate::tablebase::bytes::{Bytes, Reader};
use crate::tablebase::material::Material;
use crate::tablebase::pairs::Pairs;

/// Each file ends in a checksum of this size, all before it being blocks of 64 bytes.
const CHECKSUM: u64 = 16;
/// Flags of a file: it has tables for either side to move; it has pawns.
const SPLIT: u8 = 1;
const PAWNS: u8 = 2;
/// Where the first arrangement stands.
const HEADER_END: u64 = 5;

/// What a file tells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Metric {
    /// Win, draw or loss: `.rtbw`.
    Wdl,
    /// Distance to the next capture or pawn move: `.rtbz`.
    Dtz,
}

impl Metric {
    /// The ending of such files' names.
    pub(super) const fn extension(self) -> &'static str {
        match self {
            Metric::Wdl => "rtbw",
            Metric::Dtz => "rtbz",
        }
    }

    const fn magic(self) -> [u8; 4] {
        match self {
            Metric::Wdl => [0x71, 0xE8, 0x23, 0x5D],
            Metric::Dtz => [0xD7, 0x66, 0x0C, 0xA5],
        }
    }
}

/// Why a file is of no use.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum Refusal {
    /// The system will not have it read.
    #[error("cannot be read")]
    Unreadable,
    /// Not the magic number of such files.
    #[error("no Syzygy file: its first bytes are others")]
    Magic,
    /// Not a length that such a file can have.
    #[error("damaged: {0} bytes are not 16 more than a multiple of 64")]
    Length(u64),
    /// The header does not fit the name.
    #[error("damaged: its header is not that of such an endgame")]
    Header,
    /// Shorter than the header says, or a header that makes no sense.
    #[error("damaged: its header leads beyond its end")]
    Contents,
}

/// How distances are to be read, for each of two kinds of results.
#[derive(Clone, Debug)]
pub(super) struct Map {
    /// By win, loss, cursed win, blessed loss.
    values: [Vec<u16>; 4],
}

impl Map {
    /// The distance behind a number of the table, for results in the order of the map.
    pub(super) fn distance(&self, result: usize, number: u16) -> Option<u16> {
        self.values[result].get(usize::from(number)).copied()
    }
}

/// The values for one side to move and, with pawns, one file of the leading pawn.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub arrangement: Arrangement,
    pub pairs: Pairs,
    /// Distances that are looked up.
    pub map: Option<Map>,
}

/// A file, its header read.
#[derive(Debug)]
pub(super) struct TableFile {
    bytes: Bytes,
    /// By file of the leading pawn (one entry without pawns) and side to move (one entry where
    /// only one side is there).
    parts: Vec<ArrayVec<Part, 2>>,
}

impl TableFile {
    /// Opens the file and reads its header.
    ///
    /// # Errors
    /// Why the file is of no use as the table of this material.
    pub(super) fn open(
        path: &Path,
        metric: Metric,
        material: &Material,
    ) -> Result<TableFile, Refusal> {
        let bytes = Bytes::open(path).map_err(|_| Refusal::Unreadable)?;
        if bytes.array(0) != Some(metric.magic()) {
            return Err(Refusal::Magic);
        }
        if bytes.length() % 64 != CHECKSUM {
            return Err(Refusal::Length(bytes.length()));
        }
        let [flags] = bytes.array(4).ok_or(Refusal::Contents)?;
        let has_pawns = material.pawns()[0] > 0;
        // The distances of either side are never both there.
        let fits = (flags & SPLIT != 0) != material.is_symmetric()
            && (flags & PAWNS != 0) == has_pawns
            && usize::from(flags >> 4) == material.men();
        if !fits {
            return Err(Refusal::Header);
        }
        let sides = match metric {
            Metric::Wdl if !material.is_symmetric() => 2,
            _ => 1,
        };
        let parts = read_parts(&bytes, metric, material, sides).ok_or(Refusal::Contents)?;
        Ok(TableFile { bytes, parts })
    }

    /// The part for a side to move and the file of the leading pawn.
    pub(super) fn part(&self, side: usize, file: usize) -> Option<&Part> {
        let sides = self.parts.get(file)?;
        sides.get(side).or(sides.first())
    }

    /// The value of the position with these squares.
    pub(super) fn value(&self, part: &Part, squares: &mut Squares) -> Option<u16> {
        let number = part.arrangement.number(squares)?;
        part.pairs.value(&self.bytes, number)
    }
}

fn read_parts(
    bytes: &Bytes,
    metric: Metric,
    material: &Material,
    sides: usize,
) -> Option<Vec<ArrayVec<Part, 2>>> {
    let mut reader = Reader::new(bytes, HEADER_END);
    let arrangements = read_arrangements(&mut reader, material, sides)?;
    let mut parts = Vec::new();
    for of_file in arrangements {
        let mut of_sides = ArrayVec::new();
        for arrangement in of_file {
            let pairs = Pairs::read(&mut reader, arrangement.size)?;
            of_sides.push(Part {
                arrangement,
                pairs,
                map: None,
            });
        }
        parts.push(of_sides);
    }
    if metric == Metric::Dtz {
        read_maps(&mut reader, &mut parts)?;
    }
    for part in parts.iter_mut().flatten() {
        part.pairs.place_index(&mut reader)?;
    }
    for part in parts.iter_mut().flatten() {
        part.pairs.place_lengths(&mut reader)?;
    }
    for part in parts.iter_mut().flatten() {
        part.pairs.place_data(&mut reader)?;
    }
    (reader.place <= bytes.length() - CHECKSUM).then_some(parts)
}

/// The arrangements of all parts: for each file of the leading pawn, those of the sides.
fn read_arrangements(
    reader: &mut Reader<'_>,
    material: &Material,
    sides: usize,
) -> Option<Vec<ArrayVec<Arrangement, 2>>> {
    let pawns = material.pawns();
    let files = if pawns[0] > 0 { 4 } else { 1 };
    let mut arrangements = Vec::new();
    for file in 0..files {
        let order = reader.byte()?;
        let order_of_pawns = match pawns[1] > 0 {
            true => Some(reader.byte()?),
            false => None,
        };
        let codes = reader.vec(material.men())?;
        let mut of_sides = ArrayVec::new();
        for side in 0..sides {
            // White to move in the low half of each byte, Black in the high one.
            let half = |byte: u8| byte >> (4 * side) & 0xF;
            let said = Said {
                codes: codes.iter().map(|code| half(*code)).collect(),
                order: half(order),
                order_of_pawns: order_of_pawns.map(half),
                file,
            };
            of_sides.push(Arrangement::new(&said, material)?);
        }
        arrangements.push(of_sides);
    }
    reader.align(2);
    Some(arrangements)
}

/// Flags of distances.
pub(super) mod dtz {
    /// The side to move of which the table is: set for the second side.
    pub const SIDE: u8 = 1;
    /// Distances are looked up in a map.
    pub const MAPPED: u8 = 2;
    /// Wins are in plies rather than in moves.
    pub const WIN_PLIES: u8 = 4;
    /// So are losses.
    pub const LOSS_PLIES: u8 = 8;
    /// The map has two bytes for each distance.
    pub const WIDE: u8 = 16;
}

fn read_maps(reader: &mut Reader<'_>, parts: &mut [ArrayVec<Part, 2>]) -> Option<()> {
    for part in parts.iter_mut().flatten() {
        if part.pairs.flags & dtz::MAPPED == 0 {
            continue;
        }
        let mut values = [const { Vec::new() }; 4];
        if part.pairs.flags & dtz::WIDE != 0 {
            reader.align(2);
            for values in &mut values {
                let count = usize::from(reader.u16()?);
                *values = reader.u16s(count)?;
            }
        } else {
            for values in &mut values {
                let count = usize::from(reader.byte()?);
                let bytes = reader.vec(count)?;
                *values = bytes.into_iter().map(u16::from).collect();
            }
        }
        part.map = Some(Map { values });
    }
    reader.align(2);
    Some(())
}
