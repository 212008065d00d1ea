//! The network as an evaluator of the search.

use std::{fmt, sync::Arc};

use shakmaty::Position as _;

use super::{Network, accumulator::Accumulators, output};
use crate::{
    chess::{
        position::{Delta, Position},
        value::Value,
    },
    engine::eval::{
        Evaluator,
        endgame::{Scaling, needs_no_correction},
    },
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

    /// Returns the value of the network, whose neurons of one side take this number of lanes.
    #[inline(always)]
    fn output(&self, position: &Position, lanes: usize) -> Value {
        let network = &*self.network;
        let [black, white] = self.accumulators.sums(lanes);
        let sums = position.turn().fold_wb([white, black], [black, white]);
        let layer = network.layer(position.chess().board());
        let sum = output::weigh(sums, &layer.weights[..2 * lanes]);
        network.value(sum, layer)
    }

    /// [`output`](Self::output) of other networks than the shipped one.
    #[inline(never)]
    fn output_of_other_sizes(&self, position: &Position) -> Value {
        self.output(position, self.network.lanes())
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
        let value = match self.network.lanes() {
            16 => self.output(position, 16),
            _ => self.output_of_other_sizes(position),
        };
        if needs_no_correction(position.chess().board()) { value } else { scaled(position, value) }
    }
}

/// Corrects `value`, the output of the network for the side to move.
#[cold]
#[inline(never)]
fn scaled(position: &Position, value: Value) -> Value {
    let turn = position.turn();
    let white = turn.fold_wb(value, -value);
    let white = Scaling::beside_network(position, white > 0).apply(white);
    turn.fold_wb(white, -white)
}
