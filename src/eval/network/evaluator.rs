//! The network as an evaluator of the search.

use std::{fmt, sync::Arc};

use shakmaty::Position as _;

use super::{Network, accumulator::Accumulators, bucket, output};
use crate::{
    eval::{Evaluator, endgame::Scaling},
    position::{Delta, Position},
    value::Value,
};

/// Evaluates with a network; its weights are shared by all clones, each has sums of its own.
///
/// What the network says counts as [`Scaling::beside_network`] lets it.
#[derive(Clone)]
pub struct Neural {
    network: Arc<Network>,
    accumulators: Accumulators,
}

impl Neural {
    /// An evaluator with the weights of `network`.
    #[must_use]
    pub fn new(network: Arc<Network>) -> Self {
        Self { accumulators: Accumulators::new(&network), network }
    }

    /// What it evaluates with.
    #[must_use]
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }
}

impl fmt::Debug for Neural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Neural").field(&self.network.architecture()).finish()
    }
}

impl Evaluator for Neural {
    fn reset(&mut self, root: &Position) {
        self.accumulators.reset(root.chess().board());
    }

    #[inline]
    fn push(&mut self, after: &Position, delta: &Delta) {
        self.accumulators.push(after.chess().board(), delta);
    }

    fn push_null(&mut self, _: &Position) {
        self.accumulators.push_null();
    }

    #[inline]
    fn pop(&mut self) {
        self.accumulators.pop();
    }

    fn evaluate(&mut self, position: &Position) -> Value {
        let (network, board, turn) = (&*self.network, position.chess().board(), position.turn());
        let bucket = bucket(board.occupied().count(), network.architecture.buckets);
        let sums = self.accumulators.sums(network, board, turn);
        let sum = output::weigh(network.architecture.activation, sums, network.output_row(bucket));
        let value = network.value(sum, bucket);
        let white = turn.fold_wb(value, -value);
        let white = Scaling::beside_network(board, white > 0).apply(white);
        turn.fold_wb(white, -white)
    }
}
