use rayon::ThreadPoolBuilder;

use super::*;
use crate::workshop::{
    data::{Filter, Record, tests::record},
    train::{
        loader::pack,
        schedule::Shape,
        slice::{BIAS, UNIT},
    },
};

const SCHEDULE: TrainingSchedule = TrainingSchedule {
    steps: 100,
    warm_up: 0,
    rate: 0.01,
    final_rate: 0.01,
    shape: Shape::Constant,
    result_share: [0.3, 0.3],
    decay: 0.0,
    exponent: 2.0,
};

/// A few positions of every kind: both sides to move, kings on either wing, many pieces and few.
fn positions() -> Batch {
    let lines = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3 | 31 | 1.0 | f1c4",
        "r1bq1rk1/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQ1RK1 b - - 0 6 | 12 | 0.5 | d7d6",
        "2kr4/ppp5/8/3n4/8/5N2/PPP5/2KR4 b - - 0 31 | -45 | 0.0 | d5f4",
        "8/5k2/8/3P4/8/8/1K6/8 w - - 0 61 | 204 | 1.0 | b2c3",
        "8/8/1r3k2/8/8/2R5/6K1/8 b - - 5 81 | 0 | 0.5 | f6e5",
        "6k1/5ppp/8/1q6/8/4Q3/5PPP/6K1 w - - 3 41 | -320 | 0.0 | e3e1",
    ];
    let records: Vec<Record> = lines.iter().map(|line| record(line)).collect();
    let batch = pack(&records, Filter { score_limit: Some(2500), ..Filter::QUIET });
    assert_eq!(batch.len(), lines.len());
    batch
}

/// More than one piece of work for the threads.
fn many() -> Batch {
    let (few, mut batch) = (positions(), Batch::default());
    while batch.len() < 2 * PIECE + 100 {
        batch.extend(&few, 0..few.len());
    }
    batch
}

#[test]
fn the_gradient_is_that_of_finite_differences() {
    for exponent in [2.0, 2.5] {
        check_gradient(TrainingSchedule { exponent, ..SCHEDULE });
    }
}

fn check_gradient(schedule: TrainingSchedule) {
    // The forward pass rounds weights to multiples of 1/UNIT.
    const SMALL: f32 = 32.0 / UNIT as f32;
    let whole = |weight: f32| (weight * f32::from(UNIT)).round() / f32::from(UNIT);
    let batch = positions();
    let mut network = FloatNetwork::random(32, 3);
    // Weights large enough to affect the loss, and sums away from the limits of the activation.
    let slice = &mut network.slices[0];
    for row in &mut slice.rows[..BIAS] {
        *row = Lane::new(row.numbers().map(|weight| whole(weight / 4.0)));
    }
    slice.rows[BIAS] = Lane::new([0.5; 32]);
    let mut trainer = NetworkTrainer::new(TrainerState::new(network.clone()), schedule);
    trainer.step(&batch);
    let loss = |network: &FloatNetwork| {
        NetworkTrainer::new(TrainerState::new(network.clone()), schedule).loss(&batch, 0.3)
    };

    let (mut checked, mut largest) = (0, 0.0_f64);
    for row in 0..trainer.parts[0].gradient.rows.len() {
        let slopes = trainer.parts[0].gradient.rows[row];
        if row % 97 != 0 && slopes == Lane::ZERO {
            continue; // an input that is off everywhere
        }
        for lane in [0, 5, 31] {
            let mut shifted = network.clone();
            let weight = network.slices[0].rows[row].numbers()[lane];
            let mut at = |shift: f32| {
                shifted.slices[0].rows[row].numbers_mut()[lane] = weight + shift;
                loss(&shifted)
            };
            let expected = (at(SMALL) - at(-SMALL)) / f64::from(2.0 * SMALL);
            let got = f64::from(slopes.numbers()[lane]);
            assert!(
                (got - expected).abs() < 2e-5 + 0.01 * expected.abs(),
                "row {row}: {got}, not {expected}"
            );
            largest = largest.max(expected.abs());
            checked += 1;
        }
    }
    assert!(checked > 200 && largest > 1e-3, "{checked} slopes, the largest {largest}");
}

#[test]
fn the_bias_of_the_output_goes_the_way_of_its_slope() {
    let batch = positions();
    let mut trainer = NetworkTrainer::new(TrainerState::new(FloatNetwork::random(32, 3)), SCHEDULE);
    let (_, slopes) = trainer.forward(&batch, 0.3);
    trainer.step(&batch);
    for bucket in 0..super::super::batch::BUCKETS {
        let slope: f32 = (0..batch.len()).filter(|&at| batch.bucket(at) == bucket).map(|at| slopes[at]).sum();
        let moved = trainer.biases.numbers()[bucket];
        assert!(if slope == 0.0 { moved == 0.0 } else { moved * slope < 0.0 }, "{bucket}: {moved}, {slope}");
    }
}

#[test]
fn one_seed_gives_one_network_with_any_number_of_threads() {
    let batch = many();
    let train = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut trainer = NetworkTrainer::new(
                TrainerState::new(FloatNetwork::random(64, 1)),
                TrainingSchedule { decay: 0.01, ..SCHEDULE },
            );
            let losses: Vec<f64> = (0..3).map(|_| trainer.step(&batch)).collect();
            (losses, trainer.state())
        })
    };
    let one = train(1);
    assert_eq!(one, train(2));
    assert_eq!(one, train(3));
}

#[test]
fn what_is_seen_often_enough_is_learnt() {
    let batch = positions();
    let mut trainer = NetworkTrainer::new(TrainerState::new(FloatNetwork::random(32, 1)), SCHEDULE);
    let first = trainer.step(&batch);
    let last = (1..100).map(|_| trainer.step(&batch)).last().unwrap();
    assert!(last < first / 100.0, "from {first} to {last}");
}

#[test]
fn a_widened_network_has_the_same_output_and_learns_with_its_new_neurons_too() {
    let batch = positions();
    let narrow = FloatNetwork::random(32, 1);
    let wide = narrow.clone().widened(64, 2);
    assert_eq!((wide.hidden(), &wide.slices[..1]), (64, &narrow.slices[..]));
    let [mut before, mut after] =
        [narrow, wide.clone()].map(|network| NetworkTrainer::new(TrainerState::new(network), SCHEDULE));
    assert_eq!(before.outputs(&batch), after.outputs(&batch));
    for _ in 0..2 {
        after.step(&batch);
    }
    let (old, new) = (wide.hidden_biases(), after.network().hidden_biases());
    assert!((32..64).any(|neuron| old[neuron] != new[neuron]), "no new neuron has learnt");
}

#[test]
fn a_branch_goes_on_with_weights_and_moments_as_if_nothing_had_happened() {
    let batch = positions();
    let schedule = TrainingSchedule { shape: Shape::Constant, rate: 0.001, ..SCHEDULE };
    let begun = |steps| {
        let mut trainer = NetworkTrainer::new(TrainerState::new(FloatNetwork::random(32, 1)), schedule);
        (0..steps).for_each(|_| _ = trainer.step(&batch));
        trainer
    };
    let trunk = begun(3).state();
    let mut branch = NetworkTrainer::new(TrainerState { steps: 0, ..trunk.clone() }, schedule);
    (0..3).for_each(|_| _ = branch.step(&batch));
    assert_eq!((branch.state().steps, branch.state().age), (3, 6));
    assert_eq!(branch.network(), begun(6).network());
    let mut weights_alone = NetworkTrainer::new(TrainerState::new(trunk.network), schedule);
    (0..3).for_each(|_| _ = weights_alone.step(&batch));
    assert_ne!(branch.network(), weights_alone.network());
}
