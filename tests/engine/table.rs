//! Wrong entries of the transposition table, as two threads that write at the same time may leave them: they
//! may cost strength, never legality.

use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use zugwerk::{
    chess::{
        position::{PackedMove, Position},
        value::{EVAL_LIMIT, mate_in, mated_in},
    },
    engine::{
        bench,
        eval::Classical,
        search::{Bound, Limits, Searcher, Settings, Silent, Stop},
        tt::{Entry, Table},
    },
};

/// An entry of no position at all.
fn wrong_entry(random: &mut StdRng) -> Entry {
    let value = match random.random_range(0..8) {
        0 => mate_in(random.random_range(1..40)),
        1 => mated_in(random.random_range(2..40)),
        _ => random.random_range(-EVAL_LIMIT..=EVAL_LIMIT),
    };
    let bounds = [None, Some(Bound::Upper), Some(Bound::Lower), Some(Bound::Exact)];
    Entry {
        m: PackedMove::from_bits(random.random()),
        value,
        raw_eval: random.random::<bool>().then(|| random.random_range(-300..=300)),
        depth: random.random_range(0..40),
        bound: bounds[random.random_range(0..bounds.len())],
        pv: random.random(),
    }
}

/// Stores wrong entries for `position` and all positions of the next `plies` plies.
fn spoil(table: &Table, position: &mut Position, plies: usize, random: &mut StdRng) {
    table.store(position.table_key(), 0, wrong_entry(random));
    if plies > 0 {
        for m in position.legal_moves() {
            position.play(m);
            spoil(table, position, plies - 1, random);
            position.undo();
        }
    }
}

#[test]
fn wrong_entries_lead_to_no_illegal_move() {
    let mut random = StdRng::seed_from_u64(46);
    let mut misled = 0;
    for fen in bench::positions().step_by(3) {
        let mut position = Position::from_fen(fen).unwrap();
        let mut searcher = Searcher::<Classical>::new(4);
        let stop = Stop::default();
        searcher.prepare(&stop).unwrap();
        spoil(searcher.table(), &mut position, 2, &mut random);
        let limits = Limits { depth: Some(6), nodes: Some(20_000), ..Limits::default() };
        let search = |searcher: &mut Searcher<_>| {
            searcher.search(&position, &limits, &stop, &Settings::default(), &mut Silent)
        };
        let outcome = search(&mut searcher);
        misled += u32::from(outcome.nodes != search(&mut Searcher::new(4)).nodes);
        let best = outcome.best.expect("the position has moves");
        assert!(position.legal_moves().contains(&best), "{fen}");
        for m in &outcome.lines[0].pv {
            assert!(position.legal_moves().contains(m), "{fen}: {m:?} of {:?}", outcome.lines[0].pv);
            position.play(*m);
        }
    }
    assert!(misled > 10, "the searches found the wrong entries: {misled}");
}
