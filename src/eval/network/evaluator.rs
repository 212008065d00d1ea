//! The network as an evaluator of the search.

use std::{fmt, sync::Arc};

use shakmaty::{Color, Position as _};

use super::{Network, accumulator::Accumulators, bucket, output};
use crate::{
    eval::{Evaluator, endgame::Scaling},
    position::{Delta, Position},
    value::Value,
};

/// Evaluates with a network. All clones share its weights; each has accumulators of its own.
///
/// [`Scaling::beside_network`] corrects the output of the network.
#[derive(Clone)]
pub struct Neural {
    network: Arc<Network>,
    accumulators: Accumulators,
}

impl Neural {
    /// Returns an evaluator with the weights of `network`.
    #[must_use]
    pub fn new(network: Arc<Network>) -> Self {
        Self { accumulators: Accumulators::new(&network), network }
    }

    /// Returns the weighted sum of the activations, for neurons that take `N` lanes a side; 0 for any number. The shipped
    /// network has 256 neurons, 8 lanes.
    #[inline(always)]
    fn weighted_sum<const N: usize>(&mut self, turn: Color, bucket: usize) -> i64 {
        let network = &*self.network;
        let lanes = if N == 0 { network.lanes() } else { N };
        let sums = self.accumulators.sums::<N>(network, turn);
        output::weigh(network.architecture.activation, sums, network.output_row(lanes, bucket))
    }

    /// [`weighted_sum`](Self::weighted_sum) for other networks than the shipped one, compiled separately for each usual
    /// size, 128 to 512 neurons, and once for all others.
    #[inline(never)]
    fn weighted_sum_of_other_sizes(&mut self, turn: Color, bucket: usize) -> i64 {
        match self.network.lanes() {
            4 => self.weighted_sum::<4>(turn, bucket),
            12 => self.weighted_sum::<12>(turn, bucket),
            16 => self.weighted_sum::<16>(turn, bucket),
            _ => self.weighted_sum::<0>(turn, bucket),
        }
    }

    /// The network it evaluates with.
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
        self.accumulators.reset(&self.network, root.chess().board());
    }

    #[inline(always)]
    fn push(&mut self, after: &Position, delta: &Delta) {
        self.accumulators.push(&self.network, after.chess().board(), delta);
    }

    fn push_null(&mut self, _: &Position) {
        self.accumulators.push_null();
    }

    #[inline]
    fn pop(&mut self) {
        self.accumulators.pop();
    }

    #[inline(never)]
    fn evaluate(&mut self, position: &Position) -> Value {
        let (board, turn) = (position.chess().board(), position.turn());
        let bucket = bucket(board.occupied().count(), self.network.architecture.buckets);
        let sum = match self.network.lanes() {
            8 => self.weighted_sum::<8>(turn, bucket),
            _ => self.weighted_sum_of_other_sizes(turn, bucket),
        };
        let value = self.network.value(sum, bucket);
        let white = turn.fold_wb(value, -value);
        let white = Scaling::beside_network(board, white > 0).apply(white);
        turn.fold_wb(white, -white)
    }
}
