//! The state of an unfinished training, as a file:
//!
//! ```text
//!  0  8  magic `ZWTRAIN\n`
//!  8  4  version of the format, 3
//! 12  4  length of the head
//! 16     head: JSON, the plan, the rounds so far, and the shards used
//!        weights, means and squares, f32, slice by slice; those of the output biases
//!     4  CRC-32 of all before
//! ```
//!
//! All numbers are little-endian.

use std::{
    fs::{self, File},
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{
    feed::Fed,
    lane::{LANES, Lane},
    network::FloatNetwork,
    optimiser::Moments,
    run::{Plan, Round, TrainingRun},
    slice::{NeuronSlice, ROWS},
    trainer::{NetworkTrainer, TrainerState},
};
use crate::files;

const MAGIC: &[u8; 8] = b"ZWTRAIN\n";
const VERSION: u32 = 3;

/// The reason why a checkpoint cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The data do not begin with the magic bytes.
    #[error("not a checkpoint of a training")]
    Foreign,
    /// Another version of the format.
    #[error("expected version {VERSION} of the format, got {0}")]
    Version(u32),
    /// The data are truncated or have changed.
    #[error("the checkpoint is damaged")]
    Damaged,
    /// The file is whole, but not of a training as this program does it.
    #[error("expected a checkpoint of this program: {0}")]
    Head(serde_json::Error),
}

#[derive(Serialize, Deserialize)]
struct Head {
    plan: Plan,
    // Checkpoints of earlier programs have this name.
    #[serde(rename = "epochs")]
    rounds: Vec<Round>,
    steps: u64,
    age: u64,
    loss: f64,
    fed: Fed,
}

impl TrainingRun {
    /// Returns the bytes of the file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let state = self.trainer.state();
        let head = Head {
            plan: self.plan.clone(),
            rounds: self.rounds.clone(),
            steps: state.steps,
            age: state.age,
            loss: self.loss,
            fed: self.fed.clone(),
        };
        let head = serde_json::to_vec(&head).expect("plain numbers and names");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((head.len() as u32).to_le_bytes());
        bytes.extend(head);
        let biases = [state.network.biases];
        let weights = state.network.slices.iter().map(|slice| &*slice.rows).chain([&biases[..]]);
        for (weights, moments) in weights.zip(&state.moments) {
            for lane in [weights, &moments.means, &moments.squares].into_iter().flatten() {
                bytes.extend(lane.numbers().iter().flat_map(|number| number.to_le_bytes()));
            }
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Parses the result of [`to_bytes`](Self::to_bytes).
    ///
    /// # Errors
    ///
    /// [`CheckpointError`] if `bytes` are not exactly one checkpoint.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(CheckpointError::Foreign)?;
        let (version, _) = rest.split_first_chunk().ok_or(CheckpointError::Damaged)?;
        if u32::from_le_bytes(*version) != VERSION {
            return Err(CheckpointError::Version(u32::from_le_bytes(*version)));
        }
        let (content, checksum) = bytes.split_last_chunk().ok_or(CheckpointError::Damaged)?;
        if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
            return Err(CheckpointError::Damaged);
        }
        let (length, rest) = content[12..].split_first_chunk().ok_or(CheckpointError::Damaged)?;
        let parts = rest.split_at_checked(u32::from_le_bytes(*length) as usize);
        let (head, numbers) = parts.ok_or(CheckpointError::Damaged)?;
        let head = serde_json::from_slice(head).map_err(CheckpointError::Head)?;
        Self::from_parts(head, numbers).ok_or(CheckpointError::Damaged)
    }

    fn from_parts(head: Head, numbers: &[u8]) -> Option<Self> {
        let Head { plan, rounds, steps, age, loss, fed } = head;
        let (numbers, []) = numbers.as_chunks::<4>() else { return None };
        let numbers: Vec<f32> = numbers.iter().map(|&number| f32::from_le_bytes(number)).collect();
        let (lanes, []) = numbers.as_chunks::<LANES>() else { return None };
        // The plan may say anything; a huge number would overflow.
        let slices = lanes.len() / (3 * ROWS);
        if plan.hidden / LANES != slices || lanes.len() != 3 * (slices * ROWS + 1) {
            return None;
        }
        let mut lanes = lanes.iter().map(|&lane| Lane::new(lane));
        let mut rows = |count: usize| -> Vec<Lane> { lanes.by_ref().take(count).collect() };
        let mut part = |count: usize| (rows(count), Moments { means: rows(count), squares: rows(count) });
        let (weights, mut moments): (Vec<_>, Vec<_>) = (0..slices).map(|_| part(ROWS)).unzip();
        let (biases, bias_moments) = part(1);
        moments.push(bias_moments);
        let slices = weights.into_iter().map(|rows| NeuronSlice { rows }).collect();
        let network = FloatNetwork { slices, biases: biases[0] };
        let trainer = NetworkTrainer::new(TrainerState { network, moments, steps, age }, plan.schedule);
        Some(Self { plan, rounds, loss, fed, trainer })
    }

    /// Writes the file by [`replace`].
    ///
    /// # Errors
    ///
    /// The error of writing.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        replace(path, &self.to_bytes())
    }

    /// Reads a checkpoint file.
    ///
    /// # Errors
    ///
    /// [`CheckpointError`] if the file cannot be read or is not a checkpoint.
    pub fn load(path: &Path) -> Result<Self, CheckpointError> {
        // The weights take at most 10 MB, a round about 120 bytes, and a shard 200. Reading a device might
        // never end.
        const LONGEST: u64 = 1 << 28;
        let file = File::open(path)?;
        let mut bytes = Vec::new();
        (&file).take(MAGIC.len() as u64).read_to_end(&mut bytes)?;
        if bytes == MAGIC {
            file.take(LONGEST).read_to_end(&mut bytes)?;
        }
        Self::from_bytes(&bytes)
    }
}

/// The path at which [`replace`] writes the new file.
#[must_use]
pub fn unfinished(path: &Path) -> PathBuf {
    path.with_extension("unfinished")
}

/// Writes a file of a training folder atomically: at any time either the old or the new one exists. After an
/// error nothing of the new one is left, which matters if the disk is full.
///
/// # Errors
///
/// The error of writing.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let unfinished = unfinished(path);
    let written = fs::write(&unfinished, bytes).and_then(|()| files::replace(&unfinished, path));
    written.inspect_err(|_| drop(fs::remove_file(unfinished)))
}
