//! Computes the training loss of other evaluators, by the same formula on the same positions.

use std::{array, path::PathBuf, sync::Arc, thread};

use rayon::prelude::*;
use shakmaty::Position as _;

use super::{
    accepted::Accepted,
    read::{ReadError, read},
    target::{SCALE, expected, sigmoid, target},
};
use crate::{
    chess::{position::Position, value::Value},
    engine::{
        eval::{Classical, Evaluator as _, network::Network},
        wdl::{self, Curve},
    },
    workshop::data::{Filter, Record},
};

/// The source of the values.
#[derive(Clone, Debug)]
pub enum ValueSource {
    /// The search, whose score is in the data; no evaluator is expected to be better.
    Search,
    /// The classical evaluator.
    Classical,
    /// A quantised network, without the corrections for endgames with which the engine plays.
    Network(Arc<Network>),
}

impl ValueSource {
    /// Returns the value of `record`, whose position is `position`, for the side to move. `classical` is
    /// reused between calls.
    fn value(&self, record: &Record, position: &Position, classical: &mut Classical) -> Value {
        match self {
            Self::Search => record.score(),
            Self::Classical => {
                classical.reset(position);
                classical.evaluate(position)
            }
            Self::Network(network) => network.evaluate(&record.board(), record.turn()),
        }
    }
}

/// A position, for the side to move.
#[derive(Clone, Copy, Debug)]
struct Valued {
    /// In centipawns.
    value: f32,
    /// The result of its game, in points.
    result: f32,
    /// The score of the search, in expected points.
    score: f32,
    /// Its material ([`wdl::band`]).
    band: u8,
}

/// Values of some positions, and the results of their games; all for the side to move.
#[derive(Clone, Debug, Default)]
pub struct ValuedPositions {
    all: Vec<Valued>,
    /// The positions used and left out.
    pub counts: Accepted,
}

impl ValuedPositions {
    /// The largest scale that [`best_scale`](Self::best_scale) tries, in centipawns.
    pub const LARGEST_SCALE: f32 = 4000.0;

    /// Evaluates the positions of `files` that `filter` and the rules accept by `source`.
    ///
    /// # Errors
    ///
    /// The first error while reading.
    pub fn of(
        source: &ValueSource,
        files: &[PathBuf],
        filter: Filter,
        threads: usize,
    ) -> Result<Self, ReadError> {
        thread::scope(|scope| {
            let mut valued = Self::default();
            for part in read(scope, files, threads, |records| Self::of_records(source, records, filter))? {
                let part = part?;
                valued.all.extend(part.all);
                valued.counts += part.counts;
            }
            Ok(valued)
        })
    }

    fn of_records(source: &ValueSource, records: &[Record], filter: Filter) -> Self {
        let (mut valued, mut classical) = (Self::default(), Classical::default());
        for record in records {
            let Some(position) = valued.counts.accept_position(filter, record) else { continue };
            let white = record.white_points() as f32;
            let result = record.turn().fold_wb(white, 1.0 - white);
            let value = source.value(record, &position, &mut classical) as f32;
            let score = expected(record.score() as f32);
            let band = wdl::band(wdl::material(position.chess().board())) as u8;
            valued.all.push(Valued { value, result, score, band });
        }
        valued
    }

    /// The mean loss if the result has `share` of the target, with values converted to points by `scale`.
    #[must_use]
    pub fn loss(&self, share: f32, scale: f32) -> f64 {
        let loss = |&Valued { value, result, score, .. }: &Valued| {
            f64::from((sigmoid(value / scale) - target(share, result, score)).powi(2))
        };
        let pieces: Vec<f64> =
            self.all.par_chunks(1 << 14).map(|piece| piece.iter().map(loss).sum::<f64>()).collect();
        pieces.iter().sum::<f64>() / self.all.len() as f64
    }

    /// The curves of [`wdl`] for each band of material, fitted to the values and the results, and the number
    /// of positions in each.
    #[must_use]
    pub fn wdl(&self) -> [(Curve, usize); wdl::BANDS] {
        array::from_fn(|band| {
            let of_band = self.all.iter().filter(|valued| usize::from(valued.band) == band);
            let results = of_band.map(|valued| (valued.value as Value, valued.result));
            (wdl::fitted(results.clone()), results.count())
        })
    }

    /// The scale with the smallest loss, to 5 centipawns: a fair scale for an evaluator whose values have
    /// other units.
    ///
    /// It is at most [`Self::LARGEST_SCALE`]. The loss of values that say nothing about the target, or the
    /// opposite, falls without end as the scale grows.
    #[must_use]
    pub fn best_scale(&self, share: f32) -> f32 {
        let mut scale = SCALE;
        for step in [20.0, 5.0] {
            // The loss first falls and then rises.
            while scale < Self::LARGEST_SCALE && self.loss(share, scale + step) < self.loss(share, scale) {
                scale = (scale + step).min(Self::LARGEST_SCALE);
            }
            while scale > 2.0 * step && self.loss(share, scale - step) < self.loss(share, scale) {
                scale -= step;
            }
        }
        scale
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workshop::data::tests::record;

    #[test]
    fn all_judge_the_same_positions() {
        let playable = record("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 30 | 0.5 | e2e4");
        let mut bytes = playable.to_bytes();
        bytes[8] &= 0xf0; // a pawn on a1
        let records = [playable, Record::from_bytes(&bytes).unwrap()];
        for source in [ValueSource::Search, ValueSource::Classical] {
            let valued = ValuedPositions::of_records(&source, &records, Filter::default());
            let Accepted { positions, unplayable, .. } = valued.counts;
            assert_eq!((valued.all.len(), positions, unplayable), (1, 1, 1), "{source:?}");
        }
    }

    #[test]
    fn the_best_scale_is_near_and_never_beyond_the_limit() {
        let of = |values: Vec<(f32, f32, f32)>| {
            let valued = |(value, result, score)| Valued { value, result, score, band: 0 };
            ValuedPositions { all: values.into_iter().map(valued).collect(), ..ValuedPositions::default() }
        };
        let values = (-300..300).step_by(25).map(|value| value as f32);
        let agreeing = values.map(|value| (2.0 * value, expected(value), 0.5)).collect();
        let scale = of(agreeing).best_scale(1.0);
        assert!((scale - 2.0 * SCALE).abs() <= 5.0, "{scale}");
        let opposite = of(vec![(300.0, 0.0, 0.5), (-500.0, 1.0, 0.5), (100.0, 0.0, 0.5)]);
        let scale = opposite.best_scale(1.0);
        assert!(scale <= ValuedPositions::LARGEST_SCALE, "{scale}");
    }
}
