//! The cost of training: making batches of positions, and training steps. The unit is positions.

use std::thread;

use divan::{Bencher, counter::ItemsCount};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use rayon::ThreadPoolBuilder;
use shakmaty::KnownOutcome;
use zugwerk::{
    chess::position::{PackedMove, Position},
    workshop::{
        data::{Filter, Record},
        train::{Batch, FloatNetwork, NetworkTrainer, Shape, TrainerState, TrainingSchedule, pack, shuffled},
    },
};

fn main() {
    divan::main();
}

/// Positions of random games, with as many pieces as late in a long game.
fn records(count: usize) -> Vec<Record> {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut records = Vec::with_capacity(count);
    while records.len() < count {
        let mut position = Position::default();
        for _ in 0..250 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let m = moves[rng.random_range(0..moves.len())];
            let best = PackedMove::new(m).expect("a move");
            records.push(Record::new(&position, 0, best, KnownOutcome::Draw).expect("few pieces"));
            position.play(m);
        }
    }
    records.truncate(count);
    records
}

/// Makes batches of a window of positions.
#[divan::bench(args = [1, 2], sample_count = 10)]
fn load(bencher: Bencher, threads: usize) {
    let window = records(1 << 20);
    bencher.counter(ItemsCount::new(window.len())).with_inputs(|| window.clone()).bench_local_values(
        |mut window| {
            thread::scope(|scope| {
                let batches = shuffled(scope, &mut window, 1 << 14, 1, threads).expect("threads");
                batches.map(|batch| batch.len()).sum::<usize>()
            })
        },
    );
}

/// Training steps on batches in memory.
#[divan::bench(args = [(256, 1), (256, 2), (512, 1), (512, 2)], sample_count = 10)]
fn learn(bencher: Bencher, (hidden, threads): (usize, usize)) {
    let batches: Vec<Batch> =
        records(1 << 16).chunks(1 << 14).map(|records| pack(records, Filter::default()).sorted()).collect();
    let schedule = TrainingSchedule {
        steps: 1000,
        warm_up: 0,
        rate: 0.001,
        final_rate: 0.001,
        shape: Shape::Cosine,
        result_share: [0.3; 2],
        decay: 0.01,
        exponent: 2.0,
    };
    let mut trainer = NetworkTrainer::new(TrainerState::new(FloatNetwork::random(hidden, 1)), schedule);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let positions: usize = batches.iter().map(Batch::len).sum();
    bencher
        .counter(ItemsCount::new(positions))
        .bench_local(|| pool.install(|| batches.iter().map(|batch| trainer.step(batch)).sum::<f64>()));
}
