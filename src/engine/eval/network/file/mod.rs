//! Networks as bytes, little-endian:
//!
//! ```text
//!   0  8  magic "ZWNET\r\n\x1a"            32  4  scale: centipawns that an output of 1 is worth
//!   8  4  version of the format, 1         36  4  length of the provenance
//!  12  4  neurons for each side            40     provenance: a JSON object
//!  16  4  king buckets, 1                         weights of inputs (i16), biases (i16)
//!  20  4  output buckets                          weights of outputs (i16), biases of outputs (i32)
//!  24  2  activation: 1, squared              4  CRC-32 of all before
//!  26  6  QA, QB, 0 (i16)
//! ```
//!
//! The weights have the order of [`Weights`]. Both the training, which writes this format, and the engine,
//! which reads it, use this file.

use std::{fs, io, path::Path};

use super::{Architecture, INPUTS, Network, QA, QB, Unsuitable, Weights};

const MAGIC: &[u8; 8] = b"ZWNET\r\n\x1a";
const VERSION: u32 = 1;
const HEADER: usize = 40;
const CHECKSUM: usize = 4;

/// The number of the squared activation, the only one.
const SQUARED: u16 = 1;

/// The usual extension of network files.
pub const EXTENSION: &str = "zwn";

/// The reason why a network cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A folder.
    #[error("a folder, not a network file")]
    Folder,
    /// The data do not begin with the magic bytes.
    #[error("not a network file")]
    Foreign,
    /// Another version of the format.
    #[error("expected version {VERSION} of the format, got {0}")]
    Version(u32),
    /// A field of the header has an unsupported value.
    #[error("expected {what} {expected}, got {got}")]
    Header {
        /// Which field.
        what: &'static str,
        /// The supported values.
        expected: String,
        /// The value in the file.
        got: u32,
    },
    /// The file is truncated or too long.
    #[error("expected {expected} bytes, got {got}: the file is {}", if got < expected { "truncated" } else { "too long" })]
    Length {
        /// The length by its header.
        expected: u64,
        /// The actual length.
        got: u64,
    },
    /// The checksum does not match.
    #[error("expected checksum {expected:08x}, got {got:08x}: the file is damaged")]
    Checksum {
        /// The checksum in the file.
        expected: u32,
        /// The checksum of its bytes.
        got: u32,
    },
    /// The contents are not a valid network.
    #[error(transparent)]
    Unsuitable(#[from] Unsuitable),
}

impl Network {
    /// Reads a network file.
    ///
    /// # Errors
    ///
    /// [`NetworkError`] if the file cannot be read or is not a valid network.
    pub fn read(path: &Path) -> Result<Self, NetworkError> {
        // The longest network takes about 1.7 MB without its provenance. Reading a device might never end.
        const LONGEST: u64 = 1 << 26;
        let file = fs::metadata(path)?;
        if file.is_dir() {
            return Err(NetworkError::Folder);
        }
        if !file.is_file() || file.len() > LONGEST {
            return Err(NetworkError::Foreign);
        }
        Self::from_bytes(&fs::read(path)?)
    }

    /// Parses a network from `bytes`.
    ///
    /// # Errors
    ///
    /// [`NetworkError`] if `bytes` are not exactly one network.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        if !bytes.starts_with(MAGIC) {
            let partial = !bytes.is_empty() && MAGIC.starts_with(bytes);
            return Err(if partial { too_short(HEADER, bytes) } else { NetworkError::Foreign });
        }
        if bytes.len() < HEADER {
            return Err(too_short(HEADER, bytes));
        }
        let field = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[at + byte]));
        if field(8) != VERSION {
            return Err(NetworkError::Version(field(8)));
        }
        let architecture = architecture(field)?;
        let provenance = field(36) as usize;
        let expected = HEADER as u64 + provenance as u64 + (weights_len(architecture) + CHECKSUM) as u64;
        let got = bytes.len() as u64;
        if got != expected {
            return Err(NetworkError::Length { expected, got });
        }
        let (content, checksum) = bytes.split_at(bytes.len() - CHECKSUM);
        let expected = u32::from_le_bytes(checksum.try_into().expect("four bytes"));
        let got = crc32fast::hash(content);
        if expected != got {
            return Err(NetworkError::Checksum { expected, got });
        }
        let (text, weights) = content[HEADER..].split_at(provenance);
        let text =
            String::from_utf8(text.to_vec()).map_err(|error| Unsuitable::Provenance(error.to_string()))?;
        let scale = i32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[32 + byte]));
        Ok(Self::new(architecture, &weights_of(architecture, weights), scale, text)?)
    }

    /// Returns the network as bytes that [`Network::from_bytes`] reads.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let Architecture { neurons, buckets } = self.architecture;
        let length = |number: usize| u32::try_from(number).expect("checked by `new`");
        let mut bytes = MAGIC.to_vec();
        for field in [VERSION, length(neurons), 1, length(buckets)] {
            bytes.extend(field.to_le_bytes());
        }
        for field in [SQUARED, QA as u16, QB as u16, 0] {
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend(self.scale.to_le_bytes());
        bytes.extend(length(self.provenance.len()).to_le_bytes());
        bytes.extend(self.provenance.as_bytes());
        let mut write =
            |weights: &[i16]| bytes.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
        (0..INPUTS).for_each(|input| write(self.input_weights(input)));
        write(self.biases());
        (0..buckets).for_each(|bucket| write(self.output_weights(bucket)));
        bytes.extend(self.layers.iter().flat_map(|layer| layer.bias.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The checksum of the file: eight hexadecimal digits that identify a network.
    #[must_use]
    pub fn hash(&self) -> String {
        let bytes = self.to_bytes();
        format!("{:08x}", crc32fast::hash(&bytes[..bytes.len() - CHECKSUM]))
    }
}

fn too_short(expected: usize, bytes: &[u8]) -> NetworkError {
    NetworkError::Length { expected: expected as u64, got: bytes.len() as u64 }
}

/// Returns the architecture that the fields of a header describe.
fn architecture(field: impl Fn(usize) -> u32) -> Result<Architecture, NetworkError> {
    let only = |what, expected: u32, got: u32| {
        if got == expected {
            Ok(())
        } else {
            Err(NetworkError::Header { what, expected: expected.to_string(), got })
        }
    };
    only("king buckets", 1, field(16))?;
    only("activation", SQUARED.into(), field(24) & 0xffff)?;
    only("QA", QA as u32, field(24) >> 16)?;
    only("QB", QB as u32, field(28) & 0xffff)?;
    only("reserved field", 0, field(28) >> 16)?;
    let architecture = Architecture { neurons: field(12) as usize, buckets: field(20) as usize };
    if architecture.is_valid() {
        Ok(architecture)
    } else {
        Err(Unsuitable::Architecture(architecture).into())
    }
}

/// The number of bytes that the weights of `architecture` take.
fn weights_len(Architecture { neurons, buckets }: Architecture) -> usize {
    2 * (INPUTS * neurons + neurons + buckets * 2 * neurons) + 4 * buckets
}

/// Parses the weights of `architecture` from `bytes`, which have the right length.
fn weights_of(Architecture { neurons, buckets }: Architecture, bytes: &[u8]) -> Weights {
    let mut rest = bytes;
    let mut numbers = |count: usize| -> Vec<i16> {
        let (these, behind) = rest.split_at(2 * count);
        rest = behind;
        these.as_chunks::<2>().0.iter().map(|&bytes| i16::from_le_bytes(bytes)).collect()
    };
    Weights {
        inputs: numbers(INPUTS * neurons),
        biases: numbers(neurons),
        outputs: numbers(buckets * 2 * neurons),
        output_biases: rest.as_chunks::<4>().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect(),
    }
}

#[cfg(test)]
mod tests;
