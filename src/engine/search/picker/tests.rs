//! Tests that the picker returns exactly the legal moves, each once: perft through the picker.

#[path = "../../../../tests/engine/support/perft_suite.rs"]
mod perft_suite;

use std::time::Instant;

use perft_suite::{Row, external, for_each_in_parallel, published, random};
use rand::{Rng as _, SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};

use super::*;

/// The state one thread needs to pick moves, with random histories.
struct Bench {
    rng: StdRng,
    histories: Histories,
    moves: Moves,
}

impl Bench {
    fn new(seed: u64) -> Self {
        Self { rng: StdRng::seed_from_u64(seed), histories: Histories::default(), moves: Moves::default() }
    }

    /// Counts like perft, with the moves of every node from a picker with a random table move. The pickers
    /// are nested as in a search: a node's picker continues after those of its children.
    fn count(&mut self, position: &mut Position, depth: u32) -> u64 {
        let legal = position.legal_moves();
        let tt_move = if self.rng.random() { legal.choose(&mut self.rng).copied() } else { None };
        let base = self.moves.len();
        let mut picker = Picker::new(tt_move, Context::default(), &self.moves);
        let (mut handed_out, mut total) = (0, 0);
        while let Some(m) = picker.next(position, &self.histories, &mut self.moves) {
            handed_out += 1;
            total += if depth == 1 {
                1
            } else {
                position.play(m);
                let below = self.count(position, depth - 1);
                position.undo();
                below
            };
            self.learn(position, m);
        }
        picker.finish(&mut self.moves);
        assert_eq!(self.moves.len(), base, "the picker gives back what it took");
        assert_eq!(handed_out, legal.len(), "moves of {}", position.fen());
        total
    }

    /// Adds random history, so that the order of the moves keeps changing.
    fn learn(&mut self, position: &Position, m: Move) {
        if self.rng.random_ratio(1, 4) {
            let (us, bonus) = (position.turn(), self.rng.random_range(-2000..=2000));
            if is_tactical(m) {
                self.histories.update_capture(us, m, bonus);
            } else {
                self.histories.update_quiet(us, Context::default(), m, bonus);
            }
        }
    }

    fn all(&mut self, mut picker: Picker, position: &Position) -> Vec<Move> {
        let next = || picker.next(position, &self.histories, &mut self.moves);
        let moves = std::iter::from_fn(next).collect();
        picker.finish(&mut self.moves);
        moves
    }
}

/// Compares the deepest count of at most `nodes`, if there is one.
fn check(row: &Row, nodes: u64) -> u64 {
    let Some((depth, count)) = row.deepest(nodes) else { return 0 };
    let mut position = Position::from_fen(&row.fen).unwrap();
    let counted = Bench::new(count).count(&mut position, depth);
    assert_eq!(counted, count, "{} to depth {depth}", row.fen);
    count
}

fn assert_same_moves(mut left: Vec<Move>, mut right: Vec<Move>, fen: &str) {
    let bits = |m: &Move| PackedMove::new(*m).map(PackedMove::bits);
    left.sort_by_key(bits);
    right.sort_by_key(bits);
    assert_eq!(left, right, "{fen}");
}

#[test]
fn the_picker_hands_out_each_legal_move_once() {
    for_each_in_parallel(&published(), |row| {
        check(row, 200_000);
    });
    for_each_in_parallel(&random(), |row| {
        check(row, 100_000);
    });
}

#[test]
fn skipping_quiets_leaves_out_quiets_only_whenever_it_happens() {
    let mut bench = Bench::new(1);
    for row in published().iter().chain(&random()) {
        let position = Position::from_fen(&row.fen).unwrap();
        let legal = position.legal_moves();
        for skip_after in 0..=legal.len() {
            let tt_move = legal.choose(&mut bench.rng).copied();
            let mut picker = Picker::new(tt_move, Context::default(), &bench.moves);
            let mut seen = Vec::new();
            loop {
                if seen.len() == skip_after {
                    picker.skip_quiets();
                }
                let Some(m) = picker.next(&position, &bench.histories, &mut bench.moves) else { break };
                // The table move is returned before anything can be skipped.
                let exempt = seen.is_empty() && Some(m) == tt_move;
                assert!(is_tactical(m) || seen.len() < skip_after || exempt, "{m} in {}", row.fen);
                seen.push(m);
            }
            picker.finish(&mut bench.moves);
            let quiets = seen.iter().filter(|&&m| !is_tactical(m)).count();
            let tacticals: Vec<_> = seen.iter().copied().filter(|&m| is_tactical(m)).collect();
            assert!(quiets <= skip_after.max(1));
            assert_same_moves(
                tacticals,
                legal.iter().copied().filter(|&m| is_tactical(m)).collect(),
                &row.fen,
            );
        }
    }
}

#[test]
fn quiet_moves_without_check_are_left_out_if_asked() {
    let mut bench = Bench::new(3);
    let mut found = 0;
    for row in published().iter().chain(&random()) {
        let position = Position::from_fen(&row.fen).unwrap();
        let legal = position.legal_moves();
        for skip_after in 0..=legal.len() {
            let mut picker = Picker::new(None, Context::default(), &bench.moves);
            let mut next = |picker: &mut Picker| picker.next(&position, &bench.histories, &mut bench.moves);
            let mut picked: Vec<Move> = (0..skip_after).filter_map(|_| next(&mut picker)).collect();
            picker.skip_quiets_without_check(&position, &mut bench.moves);
            let before = picked.clone();
            let generated = picker.stage == Stage::Quiets;
            picked.extend(bench.all(picker, &position));
            // Castling that gives check is not generated among the checks.
            let checks = |m: Move| position.gives_check(m) && (generated || !m.is_castle());
            let wanted = |&m: &Move| before.contains(&m) || is_tactical(m) || checks(m);
            let expected: Vec<Move> = legal.iter().copied().filter(wanted).collect();
            found += expected.iter().filter(|m| !is_tactical(**m) && !before.contains(m)).count();
            assert_same_moves(picked, expected, &row.fen);
        }
    }
    assert!(found > 200, "{found}");
}

#[test]
fn a_picker_of_tacticals_hands_out_all_of_them_and_only_good_ones_if_asked() {
    let mut bench = Bench::new(2);
    for row in published().iter().chain(&random()) {
        let position = Position::from_fen(&row.fen).unwrap();
        let legal = position.legal_moves();
        let tacticals: Vec<_> = legal.iter().copied().filter(|&m| is_tactical(m)).collect();
        let tt_move = legal.choose(&mut bench.rng).copied();
        let picker = Picker::tacticals(tt_move, -10_000, true, &bench.moves);
        let all = bench.all(picker, &position);
        assert_same_moves(all, tacticals.clone(), &row.fen);

        let good = |m: &Move| {
            let wasteful = m.promotion().is_some_and(|role| role != Role::Queen);
            Some(*m) == tt_move || (!wasteful && position.see_at_least(*m, 0))
        };
        let picker = Picker::tacticals(tt_move, -10_000, false, &bench.moves);
        let picked = bench.all(picker, &position);
        assert_same_moves(picked, tacticals.iter().copied().filter(good).collect(), &row.fen);
    }
}

#[test]
fn a_least_gain_keeps_every_tactical_that_wins_as_much() {
    let mut bench = Bench::new(3);
    for row in published().iter().chain(&random()) {
        let position = Position::from_fen(&row.fen).unwrap();
        for least_gain in [0, 100, 101, 300, 301, 500, 900, 901] {
            let legal = position.legal_moves();
            let picker =
                Picker::tacticals(legal.choose(&mut bench.rng).copied(), least_gain, true, &bench.moves);
            let picked = bench.all(picker, &position);
            for &m in &legal {
                let (wanted, times) = (
                    is_tactical(m) && material_gain(m) >= least_gain,
                    picked.iter().filter(|&&p| p == m).count(),
                );
                assert!(times == 1 || (times == 0 && !wanted), "{m} in {}: {times} times", row.fen);
            }
            assert!(picked.iter().all(|&m| is_tactical(m) && legal.contains(&m)));
        }
    }
}

#[test]
fn quiet_moves_come_by_falling_history() {
    let mut bench = Bench::new(11);
    let position = Position::default();
    for m in position.legal_moves() {
        let bonus = bench.rng.random_range(-2000..=2000);
        bench.histories.update_quiet(position.turn(), Context::default(), m, bonus);
    }
    let picker = Picker::new(None, Context::default(), &bench.moves);
    let order = bench.all(picker, &position);
    let quiets = bench.histories.quiets(position.turn(), Context::default());
    let histories: Vec<_> = order.into_iter().map(|m| quiets.move_history(m).total).collect();
    assert!(histories.is_sorted_by(|before, after| before >= after), "{histories:?}");
    assert!(histories.iter().any(|&history| history < 0), "some have a bad history");
}

#[test]
fn quiet_checks_come_before_other_quiet_moves_of_the_same_history() {
    let position = Position::from_fen("4k3/8/8/8/8/8/3N4/R3K3 w - - 0 1").unwrap();
    let mut bench = Bench::new(12);
    let order = bench.all(Picker::new(None, Context::default(), &bench.moves), &position);
    let checks = order.iter().take_while(|&&m| position.gives_check(m)).count();
    assert_eq!(checks, 1, "the rook checks on a8");
    let quiet = order[5];
    bench.histories.update_quiet(position.turn(), Context::default(), quiet, quiet_check_bonus() + 1);
    let order = bench.all(Picker::new(None, Context::default(), &bench.moves), &position);
    assert_eq!(order[0], quiet, "a very good history counts for more");
}

#[test]
fn a_piece_that_a_lesser_one_attacks_moves_first_and_not_to_another_such_square() {
    // The pawn on c6 attacks the knight on d5, and the pawn on g6 the square f5.
    let position = Position::from_fen("7k/8/2p3p1/3N4/8/8/8/4K3 w - - 0 1").unwrap();
    let context = Context { threats: position.threats(), ..Context::default() };
    let mut bench = Bench::new(13);
    let order = bench.all(Picker::new(None, context, &bench.moves), &position);
    let knights = order.iter().take_while(|&&m| m.role() == Role::Knight).count();
    assert_eq!(knights, order.iter().filter(|m| m.role() == Role::Knight).count(), "{order:?}");

    let position = Position::from_fen("7k/8/6p1/8/3N4/8/8/4K3 w - - 0 1").unwrap();
    let context = Context { threats: position.threats(), ..Context::default() };
    let order = bench.all(Picker::new(None, context, &bench.moves), &position);
    assert_eq!(order.last(), position.find_move("d4f5").ok().as_ref());
}

#[test]
fn experience_is_what_the_histories_say_of_a_generated_move() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
    let position = Position::from_fen(fen).unwrap();
    let (us, legal) = (position.turn(), position.legal_moves());
    let mut bench = Bench::new(11);
    for _ in 0..200 {
        let m = *legal.choose(&mut bench.rng).unwrap();
        bench.learn(&position, m);
    }
    let quiet: Vec<Move> = legal.iter().copied().filter(|&m| !is_tactical(m)).collect();
    let tt_move = quiet[0];
    let mut picker = Picker::new(Some(tt_move), Context::default(), &bench.moves);
    let mut learnt = 0;
    while let Some(m) = picker.next(&position, &bench.histories, &mut bench.moves) {
        let said = if is_tactical(m) {
            bench.histories.capture(us, m)
        } else {
            bench.histories.quiets(us, Context::default()).move_history(m)
        };
        learnt += usize::from(said.total != 0);
        assert_eq!(picker.move_history(&bench.moves), (m != tt_move).then_some(said), "{m:?}");
    }
    assert!(learnt > 5, "{learnt}");
}

#[test]
fn the_tt_move_comes_first_and_losing_captures_last() {
    // The pawn on b5 is loose, the one on d6 defended.
    let position = Position::from_fen("4k3/2p1p3/3p1p2/1p6/8/3Q4/1R6/4K3 w - - 0 1").unwrap();
    let find = |uci| position.find_move(uci).unwrap();
    let mut bench = Bench::new(4);
    let quiet = find("e1e2");
    let picker = Picker::new(Some(quiet), Context::default(), &bench.moves);
    let moves = bench.all(picker, &position);
    assert_eq!(moves[..3], [quiet, find("b2b5"), find("d3b5")]);
    assert_eq!(moves.last(), Some(&find("d3d6")));
    assert_eq!(moves.len(), position.legal_moves().len());
}

#[test]
#[ignore = "needs ZUGWERK_POSITIONS, and minutes"]
fn external_suites_count_right_through_the_picker() {
    for (name, rows) in external() {
        let begun = Instant::now();
        let nodes = std::sync::atomic::AtomicU64::new(0);
        for_each_in_parallel(&rows, |row| {
            nodes.fetch_add(check(row, 5_000_000), std::sync::atomic::Ordering::Relaxed);
        });
        println!("{name}: {} rows, {} nodes, {:.1?}", rows.len(), nodes.into_inner(), begun.elapsed());
    }
}
