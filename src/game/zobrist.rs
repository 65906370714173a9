//! Zobrist keys: 64-bit position keys built by exclusive or, and the constant stream they come from.

use std::fmt;
use std::ops::{BitXor, BitXorAssign};

/// A 64-bit Zobrist key (A. Zobrist, 1970). Equal positions have equal keys; the converse holds
/// for all practical purposes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Key(pub u64);

impl BitXor for Key {
    type Output = Key;

    fn bitxor(self, other: Key) -> Key {
        Key(self.0 ^ other.0)
    }
}

impl BitXorAssign for Key {
    fn bitxor_assign(&mut self, other: Key) {
        self.0 ^= other.0;
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016X}", self.0)
    }
}

/// A constant stream of keys: SplitMix64 (Steele, Lea and Flood, 2014), so that every build and
/// every run uses the same keys.
#[derive(Clone, Copy)]
pub struct KeyStream(u64);

impl KeyStream {
    /// The stream that starts from `seed`.
    pub const fn new(seed: u64) -> KeyStream {
        KeyStream(seed)
    }

    /// The next key, and the stream after it. By value, so that it serves in `const` loops.
    pub const fn next(self) -> (Key, KeyStream) {
        let state = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (Key(z ^ (z >> 31)), KeyStream(state))
    }

    /// `N` keys, and the stream after them.
    pub const fn take<const N: usize>(self) -> ([Key; N], KeyStream) {
        let mut keys = [Key(0); N];
        let mut stream = self;
        let mut i = 0;
        while i < N {
            (keys[i], stream) = stream.next();
            i += 1;
        }
        (keys, stream)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_values_of_the_stream_are_those_of_splitmix64() {
        // Reference values of SplitMix64 for seed 0.
        let (keys, _) = KeyStream::new(0).take::<3>();
        assert_eq!(
            keys.map(|k| k.0),
            [
                0xE220_A839_7B1D_CDAF,
                0x6E78_9E6A_A1B9_65F4,
                0x06C4_5D18_8009_454F
            ]
        );
    }
}
