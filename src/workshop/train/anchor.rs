//! A part of the target that keeps a network from forgetting.

use super::{
    batch::Batch,
    network::FloatNetwork,
    schedule::TrainingSchedule,
    target::sigmoid,
    trainer::{NetworkTrainer, TrainerState},
};

/// The network with which a training begins, as a part of the target of each position.
///
/// A network that goes on with new games alone forgets the old ones. With an anchor it learns what the games
/// add to its own opinion, also at a high learning rate (Z. Li and D. Hoiem, "Learning without Forgetting",
/// 2016).
#[derive(Clone, Debug)]
pub struct Anchor {
    share: f32,
    network: NetworkTrainer,
}

impl Anchor {
    /// Gives the expected points by `network` a `share`, 0 to 1, of the target.
    #[must_use]
    pub fn new(network: FloatNetwork, share: f32) -> Self {
        let network = NetworkTrainer::new(TrainerState::new(network), TrainingSchedule::default());
        Self { share, network }
    }

    /// Moves the scores and the results of `batch` towards the network's expected points. Their blend, the
    /// target, moves by the same share.
    pub(super) fn pull(&mut self, batch: &mut Batch) {
        let outputs = self.network.outputs(batch);
        for points in [&mut batch.scores, &mut batch.results] {
            for (points, output) in points.iter_mut().zip(&outputs) {
                *points += self.share * (sigmoid(*output) - *points);
            }
        }
    }
}
