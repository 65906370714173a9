//! What an interrupted training goes on from, as bytes.
//!
//! Eight bytes that name the format, the length (4) and text of the fingerprint, epochs (4), steps
//! (8), the number of parameters (8), then parameters, means and squares as 32-bit floats, and the
//! CRC-32 of all that; little-endian throughout.

use thiserror::Error;

const MAGIC: [u8; 8] = *b"TWOTRAIN";

/// A training between two epochs.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// Architecture, samples and plan.
    pub fingerprint: String,
    /// Epochs done.
    pub epochs: u32,
    /// Steps done.
    pub step: u64,
    /// The network's parameters.
    pub values: Vec<f32>,
    /// The optimiser's mean gradients.
    pub means: Vec<f32>,
    /// The optimiser's mean squared gradients.
    pub squares: Vec<f32>,
}

/// Why a training cannot go on from a file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CheckpointError {
    /// Not a checkpoint, or not a whole one.
    #[error("not a whole checkpoint")]
    Damaged,
    /// It belongs to another training.
    #[error("it belongs to another training: '{found}', expected '{expected}'")]
    Other {
        /// The fingerprint found.
        found: String,
        /// The fingerprint of this training.
        expected: String,
    },
}

impl Checkpoint {
    /// As bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((self.fingerprint.len() as u32).to_le_bytes());
        bytes.extend(self.fingerprint.as_bytes());
        bytes.extend(self.epochs.to_le_bytes());
        bytes.extend(self.step.to_le_bytes());
        bytes.extend((self.values.len() as u64).to_le_bytes());
        for floats in [&self.values, &self.means, &self.squares] {
            bytes.extend_from_slice(bytemuck::cast_slice(&little_endian(floats)));
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// From bytes.
    ///
    /// # Errors
    /// When they are not a whole checkpoint.
    pub fn from_bytes(bytes: &[u8]) -> Result<Checkpoint, CheckpointError> {
        Self::parse(bytes).ok_or(CheckpointError::Damaged)
    }

    fn parse(bytes: &[u8]) -> Option<Checkpoint> {
        let (sound, checksum) = bytes.split_last_chunk::<4>()?;
        if *checksum != crc32fast::hash(sound).to_le_bytes() {
            return None;
        }
        let rest = sound.strip_prefix(&MAGIC)?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let (epochs, rest) = rest.split_first_chunk::<4>()?;
        let (step, rest) = rest.split_first_chunk::<8>()?;
        let (count, rest) = rest.split_first_chunk::<8>()?;
        let count = usize::try_from(u64::from_le_bytes(*count)).ok()?;
        let floats = rest.as_chunks::<4>().0;
        if rest.len() % 4 != 0 || Some(floats.len()) != count.checked_mul(3) {
            return None;
        }
        let floats: Vec<f32> = floats
            .iter()
            .map(|four| f32::from_le_bytes(*four))
            .collect();
        Some(Checkpoint {
            fingerprint: String::from_utf8(text.to_vec()).ok()?,
            epochs: u32::from_le_bytes(*epochs),
            step: u64::from_le_bytes(*step),
            values: floats[..count].to_vec(),
            means: floats[count..2 * count].to_vec(),
            squares: floats[2 * count..].to_vec(),
        })
    }
}

fn little_endian(floats: &[f32]) -> Vec<[u8; 4]> {
    floats.iter().map(|float| float.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_comes_back_whole_or_not_at_all() {
        let checkpoint = Checkpoint {
            fingerprint: "chess".to_owned(),
            epochs: 3,
            step: 1 << 40,
            values: vec![1.0, -2.5],
            means: vec![0.0, 1e-30],
            squares: vec![f32::MAX, 7.0],
        };
        let bytes = checkpoint.to_bytes();
        assert_eq!(Checkpoint::from_bytes(&bytes), Ok(checkpoint));
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            let refused = Checkpoint::from_bytes(&changed);
            assert_eq!(refused, Err(CheckpointError::Damaged), "{at}");
            let cut = Checkpoint::from_bytes(&bytes[..at]);
            assert_eq!(cut, Err(CheckpointError::Damaged), "{at}");
        }
    }
}
