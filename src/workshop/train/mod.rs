//! Trains networks on the data of our own games.
//!
//! ```text
//!  files ──► window ──► loader ──► trainer, by slices of 32 neurons ──► checkpoint ──► quantise ──► .zwn
//!            shuffled   batches    forward, loss, backward, AdamW       at any step    and compare
//! ```
//!
//! A network has the architecture that [`network`](crate::engine::eval::network) plays: 768 features for
//! either side, of which about thirty are active, a hidden layer with the squared clipped ReLU, and one of
//! sixteen outputs. Training minimises the loss
//!
//! ```text
//!  expected(value) = 1 / (1 + exp(-value / SCALE))
//!  target          = share · result + (1 - share) · expected(score)
//!  loss            = mean of |expected(output · SCALE) - target| to the power of 2 or another exponent
//! ```
//!
//! with the [`SCALE`] of all networks, so that their centipawns mean the same to the search. An [`Anchor`]
//! gives the network with which the training began a share of the target.
//!
//! * [`Fed`]: fills windows with the positions of files that appear during the training; [`shuffled`]: their
//!   batches, made on threads, in an order independent of their number; [`Accepted`]: counts the positions
//!   used;
//! * [`Batch`]: positions as indices of active features;
//! * `slice`: 32 neurons, forward and backward, for a whole batch on one thread; [`NetworkTrainer`]: all
//!   slices and the loss; `optimiser`: the update of the weights; [`TrainingSchedule`]: learning rate and
//!   target over time;
//! * [`TrainingRun`]: a training in any number of sessions, and its checkpoint; [`Plan`]: everything that
//!   determines it;
//! * [`quantise()`]: the integers that the engine plays with, the output weights rounded together
//!   (`rounding`); [`compare`]: their deviation;
//! * [`ValueSource`]: the loss of other evaluators, for comparison.
//!
//! A plan determines the network, byte for byte, with any number of threads. The neurons of different slices
//! share only the output, whose parts are added in the order of the slices.
//!
//! Reference: Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi",
//! 2018. `docs/training.md` describes the commands.

mod accepted;
mod anchor;
mod batch;
mod checkpoint;
mod feed;
mod lane;
mod loader;
mod losses;
mod network;
mod optimiser;
mod quantise;
mod read;
mod rounding;
mod run;
mod schedule;
mod slice;
mod target;
mod trainer;
pub use accepted::{Accepted, DataFile};
pub use anchor::Anchor;
pub use batch::{BUCKETS, Batch};
pub use checkpoint::{CheckpointError, replace, unfinished};
pub use feed::{Fed, FeedError, Feeding, Shard};
pub use lane::LANES;
pub use loader::{Loader, batches, pack, shuffled};
pub use losses::{ValueSource, ValuedPositions};
pub use network::FloatNetwork;
pub use quantise::{Deviation, OtherForm, architecture, compare, dequantise, quantise};
pub use read::{ReadError, read};
pub use run::{Begin, Plan, Round, Start, TrainingError, TrainingRun};
pub use schedule::{Shape, TrainingSchedule};
pub use target::{SCALE, expected, sigmoid};
pub use trainer::{NetworkTrainer, TrainerState};

#[cfg(test)]
mod tests;
