//! Compares the incremental network with the same network computed from scratch: the values must be identical
//! after all moves and at all times of evaluation.

use std::sync::Arc;

use crate::support::walks;

use rand::{Rng as _, SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};
use shakmaty::{Move, Position as _, Role};
use walks::random_positions;
use zugwerk::{
    chess::{position::Position, value::KNOWN_WIN},
    engine::eval::{
        Evaluator as _, EvaluatorChoice, EvaluatorKind, Standard,
        endgame::Scaling,
        network::{
            Architecture, BIAS_LIMIT, INPUT_LIMIT, INPUTS, MOST_NEURONS, Network, Neural, OUTPUT_LIMIT,
            Weights,
        },
    },
};

/// Counts of the cases that occurred.
#[derive(Debug, Default)]
struct Met {
    compared: usize,
    promotions: usize,
    en_passant: usize,
    castling: usize,
    king_crossings: usize,
    nulls: usize,
    undos: usize,
    /// Evaluations several moves after the previous one.
    late: usize,
}

/// A network of random weights.
fn random(neurons: usize, buckets: usize, seed: u64) -> Arc<Network> {
    Arc::new(Network::random(Architecture { neurons, buckets }, seed))
}

/// The embedded network, if the program was built with one.
fn shipped() -> Option<Arc<Network>> {
    EvaluatorChoice { kind: EvaluatorKind::Network, file: None }.network().ok()
}

/// Random walks of moves, null moves and undos from random positions, until `positions` evaluations have been
/// compared. Some evaluations are skipped, so that several moves must be applied at once.
fn walk(network: &Arc<Network>, seed: u64, positions: usize) -> Met {
    let mut evaluator = Neural::new(Arc::clone(network));
    let mut rng = StdRng::seed_from_u64(seed);
    let mut met = Met::default();
    for round in 0.. {
        for mut position in random_positions(seed + 1000 * round, 20) {
            let root = position.plies_played();
            evaluator.reset(&position);
            let mut waiting = 0;
            for _ in 0..200 {
                let legal = position.legal_moves();
                match rng.random_range(0..20) {
                    0..=15 if !legal.is_empty() => {
                        // Rare types of moves are preferred, because otherwise they would hardly occur.
                        let rare = |m: &&Move| m.is_en_passant() || m.is_castle() || m.is_promotion();
                        let rare: Vec<&Move> = legal.iter().filter(rare).collect();
                        let m = match rare.choose(&mut rng) {
                            Some(&&m) if rng.random_range(0..4) > 0 => m,
                            _ => *legal.choose(&mut rng).unwrap(),
                        };
                        met.count(&position, m);
                        let delta = position.play(m);
                        assert_eq!(delta.is_zeroing(), m.is_zeroing(), "{m:?}");
                        evaluator.push(&position, &delta);
                    }
                    16 if position.play_null() => {
                        evaluator.push_null(&position);
                        met.nulls += 1;
                    }
                    _ if position.plies_played() > root => {
                        position.undo();
                        evaluator.pop();
                        met.undos += 1;
                    }
                    _ => continue,
                }
                if rng.random_range(0..4) == 0 {
                    waiting += 1;
                    continue;
                }
                met.late += usize::from(waiting > 1);
                waiting = 0;
                met.compared += 1;
                assert_eq!(evaluator.evaluate(&position), scratch(network, &position), "{}", position.fen());
            }
        }
        if met.compared >= positions {
            break;
        }
    }
    met
}

fn scratch(network: &Network, position: &Position) -> i32 {
    let (board, turn) = (position.chess().board(), position.turn());
    let value = network.evaluate(board, turn);
    let white = turn.fold_wb(value, -value);
    let white = Scaling::beside_network(position, white > 0).apply(white);
    turn.fold_wb(white, -white)
}

impl Met {
    fn count(&mut self, position: &Position, m: Move) {
        self.promotions += usize::from(m.is_promotion());
        self.en_passant += usize::from(m.is_en_passant());
        self.castling += usize::from(m.is_castle());
        let right = |square: shakmaty::Square| square.file() >= shakmaty::File::E;
        if m.role() == Role::King && !m.is_castle() {
            let from = position.chess().board().king_of(position.turn()).unwrap();
            self.king_crossings += usize::from(right(from) != right(m.to()));
        }
    }

    fn assert_rich(&self) {
        let Self { compared, promotions, en_passant, castling, king_crossings, nulls, undos, late } = *self;
        let least = compared / 10_000;
        assert!(en_passant >= 3 * least && castling >= 10 * least && promotions > 20 * least, "{self:?}");
        assert!(king_crossings > 30 * least && nulls > 100 * least, "{self:?}");
        assert!(undos > 500 * least && late > 100 * least, "{self:?}");
    }
}

#[test]
fn what_is_kept_equals_what_is_computed_from_scratch() {
    walk(&random(64, 8, 21), 21, 10_000).assert_rich();
    walk(&random(32, 1, 22), 22, 10_000).assert_rich();
    if let Some(network) = shipped() {
        walk(&network, 23, 10_000).assert_rich();
    }
    // The size for which the evaluation is compiled, and an odd one.
    for neurons in [512, 288] {
        walk(&random(neurons, 8, 24), 24, 10_000).assert_rich();
    }
}

#[test]
fn values_stay_within_their_limit_however_large_the_weights() {
    let architecture = Architecture { neurons: 32, buckets: 1 };
    let weights = Weights {
        inputs: vec![INPUT_LIMIT; INPUTS * 32],
        biases: vec![BIAS_LIMIT; 32],
        outputs: [[OUTPUT_LIMIT; 32], [-OUTPUT_LIMIT / 2; 32]].concat(),
        output_biases: vec![0],
    };
    let network = Network::new(architecture, &weights, 10_000, "{}".to_owned()).unwrap();
    let mut evaluator = Neural::new(Arc::new(network));
    for position in random_positions(4, 50) {
        evaluator.reset(&position);
        assert_eq!(evaluator.evaluate(&position), KNOWN_WIN - 1, "{}", position.fen());
    }
}

/// The sums of all neurons and all outputs are as large as they can be.
#[test]
fn the_largest_network_with_the_largest_weights_does_not_overflow() {
    let neurons = MOST_NEURONS;
    let weights = Weights {
        inputs: vec![INPUT_LIMIT; INPUTS * neurons],
        biases: vec![BIAS_LIMIT; neurons],
        outputs: vec![OUTPUT_LIMIT; 2 * neurons],
        output_biases: vec![0],
    };
    let network = Network::new(Architecture { neurons, buckets: 1 }, &weights, 1, "{}".to_owned());
    let mut evaluator = Neural::new(Arc::new(network.unwrap()));
    for position in random_positions(6, 10) {
        evaluator.reset(&position);
        // 127/64 for each of 2 · 1024 neurons, with a scale of 1.
        assert_eq!(evaluator.evaluate(&position), 4064, "{}", position.fen());
    }
}

/// A shipped network that does not know the value of a queen is the wrong file.
#[test]
fn the_network_inside_the_program_plays_and_knows_a_queen() {
    let network = shipped();
    assert_eq!(
        EvaluatorKind::DEFAULT,
        if network.is_some() { EvaluatorKind::Network } else { EvaluatorKind::Classical }
    );
    let mut evaluator = Standard::default();
    assert_eq!(matches!(evaluator, Standard::Network(_)), network.is_some());
    for (fen, least) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", -100),
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 400),
        ("r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 8", -100),
        ("r1b2rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 b - - 0 8", 400),
    ] {
        let position = Position::from_fen(fen).unwrap();
        evaluator.reset(&position);
        let value = evaluator.evaluate(&position);
        let white = position.turn().fold_wb(value, -value);
        assert!(white >= least && (least > 0 || white <= 100), "{white} in {fen}");
    }
}

/// `cargo test --test engine network -- --ignored --nocapture` prints the counts.
#[test]
#[ignore = "a million positions take some seconds"]
fn a_million_positions_are_the_same_from_scratch() {
    for (neurons, positions) in [(32, 400_000), (288, 300_000), (512, 300_000)] {
        let seed = 31 + neurons as u64;
        let met = walk(&random(neurons, 8, seed), seed, positions);
        println!("{neurons} neurons: {met:?}");
        met.assert_rich();
    }
    if let Some(network) = shipped() {
        let met = walk(&network, 32, 300_000);
        println!("the network inside the program, {}: {met:?}", network.architecture());
        met.assert_rich();
    }
}
