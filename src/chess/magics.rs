//! Slider attacks by magic multiplication (P. Kannan, 2007), for any processor.
//!
//! A magic number gathers the occupied squares of a mask in the top bits of a product, such that
//! no two occupations with different attacks get the same index. These numbers are our own: the
//! first that a seeded search accepts for each square. The search stands in the tests below, which
//! find some of them anew.

use std::array;

use crate::chess::attacks::{AttackTable, Slider, Sliders, TABLE_SIZE, fill_table};
use crate::chess::bitboard::Bitboard;
use crate::chess::square::Square;

/// What turns the occupied squares into an index for one square.
struct Entry {
    mask: Bitboard,
    magic: u64,
    shift: u32,
    offset: u32,
}

impl Entry {
    #[inline(always)]
    fn index(&self, occupied: Bitboard) -> usize {
        let product = (occupied & self.mask).0.wrapping_mul(self.magic);
        self.offset as usize + (product >> self.shift) as usize
    }
}

/// The magic numbers with the attack table laid out by them.
pub(super) struct Magics {
    bishop: [Entry; 64],
    rook: [Entry; 64],
    attacks: AttackTable,
}

impl Magics {
    /// Fills the table; that takes a few milliseconds at most.
    pub(super) fn new() -> Magics {
        let mut offset = 0;
        let rook = Magics::entries(Slider::Rook, &ROOK, &mut offset);
        let bishop = Magics::entries(Slider::Bishop, &BISHOP, &mut offset);
        debug_assert_eq!(offset as usize, TABLE_SIZE);
        let attacks = fill_table(|slider, sq, occupied| match slider {
            Slider::Rook => rook[sq.index()].index(occupied),
            Slider::Bishop => bishop[sq.index()].index(occupied),
        });
        Magics {
            bishop,
            rook,
            attacks,
        }
    }

    /// The entries of one kind of slider, their areas one after the other from `offset`.
    fn entries(slider: Slider, magics: &[u64; 64], offset: &mut u32) -> [Entry; 64] {
        array::from_fn(|i| {
            let mask = slider.mask(Square::ALL[i]);
            let bits = mask.len() as u32;
            let entry = Entry {
                mask,
                magic: magics[i],
                shift: 64 - bits,
                offset: *offset,
            };
            *offset += 1 << bits;
            entry
        })
    }
}

impl Sliders for &Magics {
    #[inline(always)]
    fn bishop(self, sq: Square, occupied: Bitboard) -> Bitboard {
        self.attacks[self.bishop[sq.index()].index(occupied)]
    }

    #[inline(always)]
    fn rook(self, sq: Square, occupied: Bitboard) -> Bitboard {
        self.attacks[self.rook[sq.index()].index(occupied)]
    }
}

/// Magic numbers of bishops, from a1 on.
#[rustfmt::skip]
static BISHOP: [u64; 64] = [
    0x0040_1001_0045_9180, 0x0220_0414_2242_4100, 0x8008_2801_0020_0100, 0x0209_0401_0000_0001,
    0x1102_0211_0012_008A, 0x0021_0120_3001_8002, 0x2889_0802_0220_0404, 0x0000_2084_1008_0A09,
    0x4100_4410_3021_2500, 0x4800_4410_8425_0060, 0x0008_4850_A106_0009, 0x0220_7804_8101_0008,
    0x0100_0A02_1000_1101, 0x0040_4182_2020_0040, 0x0010_1208_2208_0400, 0x0000_1230_8808_0880,
    0x4120_3830_02B0_2300, 0x0A04_6030_0108_0500, 0x0030_0492_0082_0008, 0x0012_4004_0502_0080,
    0x1104_0102_20A0_0600, 0x9082_0008_4150_2400, 0x0200_E844_040A_8300, 0x8000_A142_050C_0A01,
    0x0420_2010_3004_0100, 0x2001_A020_B004_0B00, 0x4004_0300_0A0E_0400, 0x0042_0800_2401_0C60,
    0x0041_0100_2870_4000, 0x0008_0040_0205_0780, 0x6058_0C40_0904_2210, 0x1B04_2100_0041_0889,
    0x0870_0212_4508_1040, 0x8000_B044_2510_1404, 0x1562_2110_0001_0400, 0x0040_0202_8048_0080,
    0x0030_008A_0004_2200, 0x0001_0502_0011_0044, 0x0422_A40C_0081_0180, 0x0208_0500_611A_4200,
    0x1C01_2310_4040_3001, 0x0001_0308_0200_6000, 0x8042_0928_0400_0800, 0x4209_20B1_4800_3400,
    0x4000_4014_0820_0900, 0x0002_0408_0088_6200, 0x0012_9001_0101_0221, 0x0110_0080_8100_1080,
    0x0052_0690_0410_0000, 0x4400_4042_6820_000D, 0x0008_0031_0808_0020, 0x0400_2009_2088_0000,
    0x9000_0150_0202_0010, 0x0A40_2004_0906_0800, 0x0540_0891_5400_9004, 0x040C_1002_0041_0100,
    0x2002_8068_8210_4000, 0x0008_2484_0405_0C60, 0x1022_4211_0861_1000, 0x5000_2002_0084_0C04,
    0x3020_0084_2222_4400, 0x0800_4060_1810_9120, 0x0C04_4828_9808_0A40, 0x824C_0824_880A_0040,
];

/// Magic numbers of rooks, from a1 on.
#[rustfmt::skip]
static ROOK: [u64; 64] = [
    0x0280_0810_4002_8020, 0x0040_08A0_0040_1000, 0x0080_1000_8020_000C, 0x1480_0482_0800_1000,
    0x0880_0800_0400_0280, 0x1100_0813_0084_0002, 0x2100_2420_8200_2100, 0x0100_0048_8300_0032,
    0x8018_8008_4001_8420, 0x0202_4040_1000_2000, 0x0601_0020_0500_4410, 0x6000_8008_0010_0080,
    0x0020_8004_0048_0080, 0x0016_0004_0830_0600, 0x4004_0008_2402_1001, 0x0401_0000_8600_4B00,
    0x0020_8080_0030_4005, 0x0050_0840_0020_08C2, 0x8020_0280_2010_0180, 0x0010_8480_0802_5000,
    0x6000_8180_0400_0800, 0x0105_0100_0218_0400, 0x8100_0400_3008_4209, 0x8400_0200_0400_88C1,
    0x0040_2380_8000_4008, 0xC020_1000_4000_2240, 0x2100_1001_8020_0082, 0x0A00_1000_8018_0080,
    0x0088_A801_0014_9100, 0x000A_001A_0010_086C, 0x3091_0804_0010_0E21, 0x0013_0182_0000_C421,
    0x01C0_8040_0680_0020, 0x0430_2207_0200_4080, 0x0208_2000_4100_1101, 0x4480_9060_4200_0A00,
    0x1100_0400_8080_1801, 0x4908_8004_0080_0200, 0x0811_0A10_A400_0308, 0x2809_4051_1200_0084,
    0x0000_2081_4002_8000, 0x0100_C020_1000_4000, 0x58A0_2200_8042_0010, 0x5508_2010_4202_0008,
    0x0104_1188_0101_0004, 0x0020_0440_2028_0110, 0x0802_0024_0832_0001, 0x2008_4988_5502_0004,
    0x0801_0A10_2040_8200, 0x3005_4010_2000_8E80, 0x0112_8050_0160_0080, 0x0A00_230B_0050_0100,
    0x0200_4800_1005_0100, 0x8015_0200_802C_0080, 0x8789_1002_0108_0400, 0x4600_0380_4411_0200,
    0x0C09_8411_0040_6202, 0x8012_1222_8100_4001, 0x0100_2001_0108_C015, 0x2100_0804_2100_1001,
    0x0002_0008_A004_D002, 0x8416_0088_0C10_0102, 0x0A00_1008_A801_1204, 0x0448_0410_4281_0222,
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::attacks::subsets;
    use crate::chess::attacks::tests::check_everywhere;
    use crate::game::KeyStream;

    /// The first number of the square's own stream that serves.
    fn search(slider: Slider, sq: Square) -> u64 {
        let mask = slider.mask(sq);
        let shift = 64 - mask.len() as u32;
        let attacks: Vec<_> = subsets(mask).map(|o| (o, slider.scan(sq, o))).collect();
        let mut stream = KeyStream::new(sq.index() as u64 + 64 * slider as u64);
        // When a cell was last written, so that nothing need be cleared between trials.
        let mut table = vec![(0, Bitboard::EMPTY); attacks.len()];
        for trial in 1u32.. {
            let (keys, rest) = stream.take::<3>();
            stream = rest;
            // Few bits set make few carries.
            let magic = keys[0].0 & keys[1].0 & keys[2].0;
            let fits = attacks.iter().all(|&(occupied, attacks)| {
                let cell = &mut table[(occupied.0.wrapping_mul(magic) >> shift) as usize];
                let free = cell.0 != trial;
                *cell = if free { (trial, attacks) } else { *cell };
                cell.1 == attacks
            });
            if fits {
                return magic;
            }
        }
        unreachable!("the stream never ends")
    }

    #[test]
    fn every_magic_number_is_right_everywhere() {
        check_everywhere(&Magics::new());
    }

    #[test]
    fn the_search_finds_the_same_numbers_again() {
        for sq in Square::ALL {
            assert_eq!(
                search(Slider::Bishop, sq),
                BISHOP[sq.index()],
                "bishop {sq}"
            );
        }
        for sq in [Square::D4, Square::E5, Square::G7] {
            assert_eq!(search(Slider::Rook, sq), ROOK[sq.index()], "rook {sq}");
        }
    }
}
