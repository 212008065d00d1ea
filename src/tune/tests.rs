//! Tests the tuner against the evaluator, finite differences, known weights, and the file in the repository.

use rand::{Rng as _, SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};

use super::*;
use crate::{
    eval::{
        Classical, Evaluator as _,
        classical::terms::{FEATURES, TERMS, WEIGHTS},
    },
    position::Position,
};

/// Positions of random games from the starting position.
fn positions(games: usize, seed: u64) -> Vec<Position> {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut found = Vec::new();
    for _ in 0..games {
        let mut position = Position::default();
        for _ in 0..120 {
            let moves = position.legal_moves();
            let Some(&m) = moves.choose(&mut rng) else { break };
            position.play(m);
            found.push(position.clone());
        }
    }
    found
}

fn current() -> TaperedWeights {
    WEIGHTS.iter().map(|weight| [weight.mg() as f32, weight.eg() as f32]).collect()
}

#[test]
fn the_tuner_sees_what_the_evaluator_sees() {
    let weights = current();
    let mut evaluator = Classical::default();
    let mut scaled = 0;
    let endgames = [
        "8/8/4k3/8/8/3K4/4B3/3N4 w - - 0 1",
        "4kb2/8/8/8/8/8/PP6/4KB2 w - - 0 1",
        "2b1k3/8/8/8/8/8/8/R3K3 b - - 0 1",
        "7r/8/8/8/8/2k5/8/K7 b - - 0 1",
    ];
    let endgames = endgames.map(|fen| Position::from_fen(fen).unwrap());
    for position in positions(30, 1).iter().chain(&endgames) {
        let mut data = Dataset::default();
        data.push(position, 1, 0);
        let (value, growth) = Model::value(&data.sample(0), &weights);
        evaluator.reset(position);
        let played = evaluator.evaluate(position);
        let played = position.turn().fold_wb(played, -played) as f32;
        assert!((value - played).abs() < 2.5, "{value} and {played} in {}", position.fen());
        scaled += u32::from(growth < 1.0);
    }
    assert!(scaled >= 2, "endgames that are scaled");
}

#[test]
fn the_gradient_is_the_slope_of_the_loss() {
    let mut rng = StdRng::seed_from_u64(2);
    let mut data = Dataset::default();
    for position in positions(4, 2) {
        data.push(&position, rng.random_range(0..=2), rng.random_range(-300..300));
    }
    let model = Model { scale: 150.0, blend: 0.6 };
    let weights: TaperedWeights =
        current().iter().map(|pair| pair.map(|weight| weight + rng.random_range(-8.0..8.0))).collect();
    let all: Vec<u32> = (0..data.len() as u32).collect();
    let (loss, gradient) = model.gradient(&data, &all, &weights);
    assert!((loss - model.loss(&data, &weights)).abs() < 1e-6);
    let mut steep = 0;
    for feature in 0..FEATURES {
        for half in 0..2 {
            let at = |step: f32| {
                let mut weights = weights.clone();
                weights[feature][half] += step;
                model.loss(&data, &weights)
            };
            let slope = (at(2.0) - at(-2.0)) / 4.0;
            let computed = f64::from(gradient[feature][half]);
            assert!((slope - computed).abs() < 2e-6 + slope.abs() * 0.05, "{feature}: {slope}, {computed}");
            steep += u32::from(slope.abs() > 2e-5);
        }
    }
    assert!(steep > 50, "{steep} slopes to speak of");
}

/// Positions with the scores of an evaluator with known weights.
fn synthetic(weights: &TaperedWeights) -> Split {
    let mut rng = StdRng::seed_from_u64(3);
    let mut data = Split::new(0.1, 3);
    for (index, position) in positions(250, 3).iter().enumerate() {
        let mut one = Dataset::default();
        one.push(position, 1, 0);
        let (value, _) = Model::value(&one.sample(0), weights);
        let side = if index % 10 == 0 { &mut data.validation } else { &mut data.training };
        side.push(position, rng.random_range(0..=2), value as i32);
    }
    data
}

#[test]
fn known_weights_are_found_again() {
    let mut known = start();
    for (place, pair) in known.iter_mut().enumerate().take(5 * 64) {
        let more = [40.0, -30.0, 60.0, 50.0, -120.0][place / 64];
        *pair = pair.map(|weight| weight + more);
    }
    let data = synthetic(&known);
    let model = Model { scale: 400.0, blend: 0.0 };
    let schedule = TuningSchedule { epochs: 12, batch: 512, rate: 5.0, seed: 1 };
    // Without mobility, whose rows could absorb a part of the material, because each piece has one of their entries.
    let names: Vec<String> = TERMS.iter().map(|term| term.name.to_owned()).collect();
    let mut trainer = Tuner::new(&data, model, schedule, without(&names));
    let before = trainer.best().0;
    for _ in 0..schedule.epochs {
        trainer.epoch(|_| {}).unwrap();
    }
    let (loss, found) = trainer.best();
    assert!(loss < before / 20.0, "from {before} to {loss}");
    let origin = start();
    // Each role's mean over the squares, weighted by how often the data have a piece there.
    for (role, more) in [40.0, -30.0, 60.0, 50.0, -120.0].into_iter().enumerate() {
        let (mut sum, mut times) = (0.0, 0.0);
        for sample in (0..data.training.len()).map(|index| data.training.sample(index)) {
            for (&feature, &count) in sample.features.iter().zip(sample.counts) {
                if usize::from(feature) / 64 == role {
                    let [mg, eg] = found[usize::from(feature)];
                    let weight = mg * sample.phase + eg * (1.0 - sample.phase);
                    sum += (weight - origin[usize::from(feature)][0]) * f32::from(count).abs();
                    times += f32::from(count).abs();
                }
            }
        }
        let mean = sum / times;
        assert!((mean - more).abs() < 0.3 * more.abs(), "role {role}: {mean} instead of {more}");
    }
}

#[test]
fn a_fit_depends_on_its_seed_and_not_on_threads() {
    let data = synthetic(&start());
    let fit = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let schedule = TuningSchedule { epochs: 2, batch: 5000, rate: 2.0, seed };
        let model = Model { scale: 200.0, blend: 1.0 };
        pool.install(|| {
            let mut trainer = Tuner::new(&data, model, schedule, vec![true; FEATURES]);
            (trainer.epoch(|_| {}).unwrap(), trainer.epoch(|_| {}).unwrap(), trainer.best().1.clone())
        })
    };
    assert_eq!(fit(1, 1), fit(4, 1));
    assert_ne!(fit(1, 1).0, fit(1, 2).0);
}

#[test]
fn terms_left_out_stay_at_nothing() {
    let data = synthetic(&start());
    let schedule = TuningSchedule { epochs: 1, batch: 5000, rate: 2.0, seed: 1 };
    let fitted = without(&["TEMPO".to_owned()]);
    let mut trainer = Tuner::new(&data, Model { scale: 200.0, blend: 1.0 }, schedule, fitted);
    trainer.epoch(|_| {}).unwrap();
    let tempo = TERMS.iter().find(|term| term.name == "TEMPO").unwrap();
    assert_eq!(trainer.weights()[tempo.first], [0.0; 2]);
    assert_ne!(trainer.weights()[64 + 18], start()[64 + 18], "a knight on c3");
}

#[test]
fn scales_are_found_again() {
    let mut rng = StdRng::seed_from_u64(4);
    let mut data = Dataset::default();
    let position = Position::default();
    for _ in 0..60_000 {
        let score: i32 = rng.random_range(-600..=600);
        let chance = |value: f64| 1.0 / (1.0 + ((120.0 - value) / 70.0).exp());
        let (win, loss) = (chance(f64::from(score)), chance(f64::from(-score)));
        let drawn: f64 = rng.random_range(0.0..1.0);
        let result = if drawn < win { 2 } else { u8::from(drawn > win + loss) };
        data.push(&position, result, score);
    }
    let (midpoint, spread) = Outcomes::of(&data).wdl();
    assert!((midpoint - 120.0).abs() < 3.0 && (spread - 70.0).abs() < 3.0, "{midpoint}, {spread}");
    let scale = Outcomes::of(&data).scale();
    assert!((70.0..140.0).contains(&scale), "draws make the curve flatter: {scale}");
}

#[test]
fn blocks_stay_on_one_side_and_both_sides_get_their_share() {
    for (share, expected) in [(0.2, 20), (0.4, 40), (0.3, 30), (0.5, 50), (0.1, 10), (0.07, 7), (1e-300, 0)] {
        let mut data = Split::new(share, 1);
        let mut kept = 0;
        for _ in 0..100 {
            kept += u32::from(data.is_validation());
            data.add(&crate::data::Block::default(), crate::data::Filter::QUIET);
        }
        assert_eq!(kept, expected, "{share}");
    }
}

/// The file must equal the tuner's output, so that the engine plays with the fitted weights.
#[test]
fn the_weights_of_the_repository_are_in_the_tuners_format() {
    let text = source(&rounded(&current()));
    assert!(
        text == include_str!("../eval/classical/weights.rs"),
        "src/eval/classical/weights.rs was not written by `zugwerk tune`"
    );
}
