//! Tests of the search: exact where it claims to be, within its limits, and deterministic.
//!
//! The reference is the plain minimax of `study`, which shares only position and evaluator with the search.
//! `support/searching.rs` checks the properties of every search (legal variations, complete mates, an exact
//! last report).

use crate::support::searching;
use crate::support::timing::assert_takes_less;
use crate::support::walks;

use std::{
    collections::HashSet,
    thread,
    time::{Duration, Instant},
};

use searching::{Found, search_with};
use walks::random_positions;
use zugwerk::{
    chess::{position::Position, value::Value},
    engine::{
        eval::{Classical, Evaluator, Material},
        search::{Bound, Limits, Searcher, Settings, Silent, Stop, Techniques},
    },
    lessons::{Perspective, Walk, minimax},
};

const MIDDLEGAME: &str = "r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 7 11";
const SHARP: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const ENDING: &str = "8/5p2/4k1p1/4P2p/3K1P1P/6P1/8/8 w - - 0 1";
/// White is a queen up.
const WON: &str = "r5k1/5ppp/8/8/8/2Q5/5PPP/3R2K1 w - - 0 1";

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

fn with(techniques: Techniques) -> Settings {
    Settings { techniques, ..Settings::default() }
}

fn multi_pv(lines: usize) -> Settings {
    Settings { multi_pv: lines, ..Settings::default() }
}

fn search(position: &Position, limits: &Limits, settings: &Settings) -> Found {
    search_with(&mut Searcher::<Classical>::new(16), position, limits, settings)
}

/// The value of `position` by minimax, for the side to move.
fn oracle<E: Evaluator + Default>(position: &Position, depth: u32) -> Value {
    let value = minimax(&mut Walk::new(position, E::default(), Perspective::White), depth);
    position.turn().fold_wb(value, -value)
}

/// Random positions far enough from the fifty-move rule, because minimax counts to 75 moves.
fn quiet_clocks(seed: u64, count: usize) -> Vec<Position> {
    let positions = random_positions(seed, count * 2).into_iter();
    positions.filter(|position| position.halfmoves() < 80).take(count).collect()
}

/// Each technique that may change a result, alone, by name.
fn single_techniques() -> Vec<(&'static str, Techniques)> {
    let names: Vec<&str> = Techniques::NONE.missing().collect();
    let alone = |name| {
        let others: Vec<&str> = names.iter().copied().filter(|other| *other != name).collect();
        (name, Techniques::without(&others.join(",")).unwrap())
    };
    names.iter().copied().map(alone).collect()
}

/// Plain alpha-beta without some of the techniques that order moves: each alone, then all.
fn without_an_order() -> Vec<Techniques> {
    let results: Vec<&str> = Techniques::NONE.missing().collect();
    let orders = Techniques::NAMES.iter().copied().filter(|name| !results.contains(name));
    let mut less: Vec<_> = orders.map(|name| format!("{},{name}", results.join(","))).collect();
    less.push(Techniques::NAMES.join(","));
    less.iter().map(|names| Techniques::without(names).unwrap()).collect()
}

fn bare_search_is_minimax<E: Evaluator + Default>() {
    let positions = quiet_clocks(21, 110);
    assert!(positions.len() >= 100);
    let mut searcher = Searcher::<E>::new(1);
    for position in positions {
        searcher.clear();
        let found = search_with(&mut searcher, &position, &Limits::depth(3), &with(Techniques::NONE));
        assert_eq!(found.outcome.value(), oracle::<E>(&position, 3), "{}", position.fen());
    }
}

#[test]
fn without_techniques_the_search_is_minimax_by_the_classical_evaluator() {
    bare_search_is_minimax::<Classical>();
}

#[test]
fn without_techniques_the_search_is_minimax_by_material() {
    bare_search_is_minimax::<Material>();
}

#[test]
fn without_techniques_the_search_is_minimax_four_plies_deep() {
    let middlegame = position(MIDDLEGAME);
    let value = oracle::<Classical>(&middlegame, 4);
    let found = search(&middlegame, &Limits::depth(4), &with(Techniques::NONE));
    assert_eq!(found.outcome.value(), value);
    assert!(
        found.outcome.nodes < 500_000,
        "alpha-beta visits a fraction of 2,342,944 nodes: {}",
        found.outcome.nodes
    );
}

#[test]
fn without_techniques_every_line_of_multi_pv_is_minimax() {
    for position in quiet_clocks(22, 12) {
        let settings = Settings { multi_pv: 3, ..with(Techniques::NONE) };
        for line in search(&position, &Limits::depth(3), &settings).outcome.lines {
            let mut after = position.clone();
            after.play(line.pv[0]);
            // Mates are one ply nearer for the child than for the root.
            let below = -oracle::<Classical>(&after, 2);
            let value = if zugwerk::chess::value::is_mate(below) { below - below.signum() } else { below };
            assert_eq!(line.value, value, "{} in {}", line.pv[0], position.fen());
        }
    }
}

#[test]
fn captures_of_dozens_of_queens_end() {
    let queens = "qqqqkqqq/qqqqqqqq/qqqqqqqq/8/8/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ w - - 0 1";
    let limits = Limits { nodes: Some(1_000_000), ..Limits::depth(2) };
    let nodes = search(&position(queens), &limits, &Settings::default()).outcome.nodes;
    assert!(nodes < 1_000_000, "two iterations need more than {nodes} nodes");
}

#[test]
fn sound_techniques_do_not_change_the_value() {
    let sound = ["table_cutoffs", "mate_distance_pruning", "aspiration"];
    let techniques: Vec<_> =
        single_techniques().into_iter().filter(|(name, _)| sound.contains(name)).collect();
    assert_eq!(techniques.len(), sound.len());
    for position in quiet_clocks(23, 30) {
        let value = oracle::<Classical>(&position, 3);
        for (name, techniques) in &techniques {
            let found = search(&position, &Limits::depth(3), &with(*techniques));
            assert_eq!(found.outcome.value(), value, "{name} in {}", position.fen());
        }
    }
    let middlegame = position(MIDDLEGAME);
    let (_, aspiration) = techniques[2];
    let found = search(&middlegame, &Limits::depth(4), &with(aspiration));
    assert_eq!(found.outcome.value(), oracle::<Classical>(&middlegame, 4));
}

#[test]
fn the_order_of_moves_changes_the_cost_and_not_the_value() {
    let orders = without_an_order();
    assert_eq!(orders.len() + single_techniques().len(), Techniques::NAMES.len() + 1);
    let (mut ordered, mut unordered) = (0, 0);
    for position in quiet_clocks(25, 20).into_iter().chain([MIDDLEGAME, SHARP].map(position)) {
        let value = oracle::<Classical>(&position, 3);
        let nodes = |techniques| {
            let outcome = search(&position, &Limits::depth(3), &with(techniques)).outcome;
            assert_eq!(outcome.value(), value, "{techniques:?} in {}", position.fen());
            outcome.nodes
        };
        ordered += nodes(Techniques::NONE);
        unordered += orders.iter().map(|&order| nodes(order)).next_back().unwrap_or(0);
    }
    assert!(ordered < unordered, "{ordered} nodes with the order, {unordered} without");
}

#[test]
fn what_the_bare_search_stores_bounds_the_minimax_value() {
    let (mut exact, mut lower, mut upper) = (0, 0, 0);
    let mut check = |searcher: &Searcher<Classical>, position: &Position| {
        let Some(entry) = searcher.table().probe(position.table_key(), 0) else { return };
        let Some(bound) = entry.bound else { return };
        let value = oracle::<Classical>(position, entry.depth as u32);
        let (holds, count) = match bound {
            Bound::Exact => (entry.value == value, &mut exact),
            Bound::Lower => (entry.value <= value, &mut lower),
            Bound::Upper => (entry.value >= value, &mut upper),
        };
        *count += 1;
        assert!(holds, "{entry:?}, but the value is {value}, in {}", position.fen());
    };
    // With mates nearby, which the table stores by distance from the position.
    let mates = ["3k4/6R1/8/4R3/8/8/8/7K w - - 0 1", "k7/8/8/2K5/8/8/8/6R1 w - - 0 1"].map(position);
    for mut position in quiet_clocks(24, 16).into_iter().chain(mates) {
        let mut searcher = Searcher::<Classical>::new(16);
        search_with(&mut searcher, &position, &Limits::depth(3), &with(Techniques::NONE));
        check(&searcher, &position);
        for m in position.legal_moves() {
            position.play(m);
            check(&searcher, &position);
            for m in position.legal_moves() {
                position.play(m);
                check(&searcher, &position);
                position.undo();
            }
            position.undo();
        }
    }
    assert!(exact > 30 && lower > 500 && upper > 300, "{exact} exact, {lower} lower, {upper} upper bounds");
}

#[test]
fn every_technique_alone_searches_the_same_tree_every_time() {
    for fen in [MIDDLEGAME, SHARP] {
        let position = position(fen);
        for (name, techniques) in single_techniques() {
            // Quiescence without pruning explodes in sharp positions.
            let limits = Limits { nodes: Some(100_000), ..Limits::depth(4) };
            let [first, second] = [(); 2].map(|()| search(&position, &limits, &with(techniques)).outcome);
            let said =
                |outcome: &zugwerk::engine::search::Outcome| (outcome.best, outcome.value(), outcome.nodes);
            assert_eq!(said(&first), said(&second), "{name}");
        }
    }
}

#[test]
fn every_technique_alone_makes_a_difference() {
    let tree = |techniques| {
        let nodes = |fen, depth| {
            let limits = Limits { nodes: Some(300_000), ..Limits::depth(depth) };
            search(&position(fen), &limits, &with(techniques)).outcome.nodes
        };
        [
            nodes(MIDDLEGAME, 5),
            nodes(ENDING, 9),
            nodes("8/8/8/8/8/2k5/8/K6r w - - 0 1", 6),
            nodes("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", 5),
            nodes("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", 5),
        ]
    };
    let bare = tree(Techniques::NONE);
    let quiescent = Techniques { quiescence: true, ..Techniques::NONE };
    for (name, techniques) in single_techniques() {
        // These three affect the quiescence search only, or mostly.
        let (without, with) = match name {
            "delta_pruning" => (tree(quiescent), tree(Techniques { delta_pruning: true, ..quiescent })),
            "few_captures" => (tree(quiescent), tree(Techniques { few_captures: true, ..quiescent })),
            "see_pruning" => (tree(quiescent), tree(Techniques { see_pruning: true, ..quiescent })),
            // Extends what others do.
            "pv_pruning" => {
                let late = Techniques { late_move_pruning: true, ..Techniques::NONE };
                (tree(late), tree(Techniques { pv_pruning: true, ..late }))
            }
            // Needs many failures to learn from.
            "history_pruning" => {
                let deep = |techniques| {
                    let limits = Limits { nodes: Some(1_000_000), ..Limits::depth(13) };
                    [search(&position(MIDDLEGAME), &limits, &with(techniques)).outcome.nodes; 5]
                };
                (deep(Techniques { history_pruning: false, ..Techniques::ALL }), deep(Techniques::ALL))
            }
            _ => (bare, tree(techniques)),
        };
        assert_ne!(without, with, "{name}");
    }
}

#[test]
fn the_same_search_is_the_same_again_and_after_clearing() {
    for hash in [1, 16, 33] {
        let mut searcher = Searcher::<Classical>::new(hash);
        let mut run = |fen| {
            let found = search_with(&mut searcher, &position(fen), &Limits::depth(9), &Settings::default());
            searcher.clear();
            let lines =
                found.reports.into_iter().map(|report| (report.depth, report.value, report.nodes, report.pv));
            (found.outcome.nodes, found.outcome.ponder, lines.collect::<Vec<_>>())
        };
        for fen in [MIDDLEGAME, SHARP, ENDING] {
            let first = run(fen);
            assert_eq!(run(fen), first, "after clearing, hash {hash}");
        }
        let mut fresh = Searcher::<Classical>::new(hash);
        let found = search_with(&mut fresh, &position(SHARP), &Limits::depth(9), &Settings::default());
        assert_eq!(found.outcome.nodes, run(SHARP).0, "a new searcher is a cleared one");
    }
}

#[test]
fn a_game_played_twice_visits_the_same_nodes() {
    let play = || {
        let mut searcher = Searcher::<Classical>::new(2);
        let mut position = Position::default();
        let mut record = Vec::new();
        for _ in 0..16 {
            let found =
                search_with(&mut searcher, &position, &Limits::nodes(20_000), &Settings::default()).outcome;
            let best = found.best.unwrap();
            record.push((best, found.value(), found.nodes));
            position.play(best);
        }
        record
    };
    assert_eq!(play(), play());
}

#[test]
fn a_node_limit_is_exact_with_one_thread() {
    for fen in [MIDDLEGAME, SHARP, ENDING, WON] {
        let position = position(fen);
        for nodes in [1, 2, 3, 10, 47, 100, 511, 512, 513].into_iter().chain((1000..40_000).step_by(997)) {
            let found = search(&position, &Limits::nodes(nodes), &Settings::default());
            assert_eq!(found.outcome.nodes, nodes, "{fen}");
            let reported = found.reports.last().map(|report| report.nodes);
            assert!(reported <= Some(nodes), "{reported:?} of {nodes} nodes reported");
        }
    }
}

#[test]
fn a_soft_node_limit_ends_the_search_with_the_iteration_that_reaches_it() {
    for fen in [MIDDLEGAME, SHARP, ENDING] {
        for nodes in [1, 1000, 20_000] {
            let limits = Limits { soft_nodes: Some(nodes), ..Limits::default() };
            let found = search(&position(fen), &limits, &Settings::default());
            let (last, earlier) = found.reports.split_last().unwrap();
            assert!(last.nodes >= nodes && earlier.iter().all(|report| report.nodes < nodes), "{fen}");
            let whole = search(&position(fen), &Limits::depth(last.depth), &Settings::default());
            assert_eq!(whole.outcome.nodes, found.outcome.nodes, "{fen}: the iteration is complete");
        }
    }
}

#[test]
fn a_node_limit_holds_for_all_threads_together() {
    let mut searcher = Searcher::<Classical>::new(16);
    for threads in [2, 4, 8] {
        searcher.set_threads(threads);
        for nodes in [1, 10, 1000, 10_000, 50_000] {
            for fen in [MIDDLEGAME, WON] {
                let limits = Limits::nodes(nodes);
                let found = search_with(&mut searcher, &position(fen), &limits, &Settings::default());
                assert_eq!(found.outcome.nodes, nodes, "of {threads} threads in {fen}");
            }
        }
    }
}

#[test]
fn a_refused_size_leaves_the_table_as_it_is() {
    let mut searcher = Searcher::<Classical>::new(2);
    let middlegame = position(MIDDLEGAME);
    search_with(&mut searcher, &middlegame, &Limits::depth(3), &Settings::default());
    let known = searcher.table().probe(middlegame.table_key(), 0);
    assert!(known.is_some() && searcher.resize(1 << 30).is_err());
    assert_eq!((searcher.table().probe(middlegame.table_key(), 0), searcher.table().mebibytes()), (known, 2));
    searcher.resize(3).unwrap();
    assert_eq!((searcher.table().probe(middlegame.table_key(), 0), searcher.table().mebibytes()), (None, 3));
}

#[test]
fn what_is_played_is_what_was_reported_last_whichever_thread_found_it() {
    let mut searcher = Searcher::<Classical>::new(4);
    searcher.set_threads(4);
    for position in random_positions(26, 100) {
        // `search_with` makes the check.
        search_with(&mut searcher, &position, &Limits::nodes(20_000), &Settings::default());
    }
}

#[test]
fn a_depth_limit_is_reached_and_not_passed() {
    for depth in [1, 2, 3, 7] {
        let found = search(&position(MIDDLEGAME), &Limits::depth(depth), &Settings::default());
        let exact = found.reports.iter().filter(|report| report.bound == Bound::Exact);
        let depths: Vec<_> = exact.map(|report| report.depth).collect();
        assert_eq!(depths, (1..=depth).collect::<Vec<_>>());
    }
}

#[test]
fn whichever_limit_comes_first_ends_the_search() {
    let middlegame = position(MIDDLEGAME);
    let limits =
        Limits { nodes: Some(u64::MAX), move_time: Some(Duration::from_secs(600)), ..Limits::depth(4) };
    let by_depth = search(&middlegame, &limits, &Settings::default());
    assert_eq!(by_depth.outcome.lines[0].depth, 4);
    let limits = Limits { depth: Some(60), move_time: Some(Duration::from_secs(600)), ..Limits::nodes(3000) };
    let by_nodes = search(&middlegame, &limits, &Settings::default());
    assert_eq!(by_nodes.outcome.nodes, 3000);
}

/// The duration of a search within `limits`.
fn time_of(limits: &Limits) -> Duration {
    let begun = Instant::now();
    search(&position(MIDDLEGAME), limits, &Settings::default());
    begun.elapsed()
}

#[test]
fn a_move_time_is_used_and_not_exceeded() {
    for millis in [30, 200] {
        let limits = Limits::move_time(Duration::from_millis(millis));
        assert_takes_less(Duration::from_millis(millis + 100), &format!("{millis} ms"), || {
            let elapsed = time_of(&limits);
            assert!(elapsed >= Duration::from_millis(millis / 2), "{elapsed:?} of {millis} ms");
            elapsed
        });
    }
}

#[test]
fn a_clock_is_never_overdrawn() {
    for left in [1, 20, 100, 400] {
        let mut limits = Limits::default();
        limits.clocks.white.left = Some(Duration::from_millis(left));
        // A millisecond suffices only for the first iteration, which is always completed.
        let most = Duration::from_millis(left + 50);
        assert_takes_less(most, &format!("{left} ms left"), || time_of(&limits));
    }
}

/// How long a search with `threads` threads continues after a stop.
fn time_to_stop(threads: usize) -> Duration {
    let mut searcher = Searcher::<Classical>::new(16);
    searcher.set_threads(threads);
    let stop = Stop::default();
    thread::scope(|scope| {
        let (stop, searcher) = (&stop, &mut searcher);
        let search = scope.spawn(move || {
            let limits = Limits { infinite: true, ..Limits::default() };
            let position = position(MIDDLEGAME);
            let outcome = searcher.search(&position, &limits, stop, &Settings::default(), &mut Silent);
            (outcome, Instant::now())
        });
        thread::sleep(Duration::from_millis(100));
        let stopped = Instant::now();
        stop.stop();
        let (outcome, ended) = search.join().unwrap();
        assert!(outcome.best.is_some());
        ended.duration_since(stopped)
    })
}

#[test]
fn a_stop_is_answered_at_once() {
    for threads in [1, 2] {
        assert_takes_less(Duration::from_millis(50), &format!("{threads} threads"), || time_to_stop(threads));
    }
}

#[test]
fn a_stop_raised_before_the_search_begins_is_not_lost() {
    let stop = Stop::default();
    stop.stop();
    let limits = Limits { infinite: true, ..Limits::default() };
    let mut searcher = Searcher::<Classical>::new(1);
    let outcome = searcher.search(&position(SHARP), &limits, &stop, &Settings::default(), &mut Silent);
    assert!(outcome.best.is_some());
    assert!(outcome.nodes < 50_000, "{} nodes", outcome.nodes);
}

#[test]
fn multi_pv_reports_so_many_distinct_lines_best_first() {
    for fen in [MIDDLEGAME, SHARP, ENDING, "8/8/8/8/8/2k5/8/K6r w - - 0 1"] {
        let position = position(fen);
        let legal = position.legal_moves().len();
        for wanted in [1, 2, 5, 500] {
            let found = search(&position, &Limits::depth(5), &multi_pv(wanted));
            let lines = wanted.min(legal);
            assert_eq!(found.outcome.lines.len(), lines, "{fen}");
            let exact: Vec<_> = found.reports.iter().filter(|report| report.bound == Bound::Exact).collect();
            for (iteration, reports) in exact.chunks(lines).enumerate() {
                let ranks: Vec<_> = reports.iter().map(|report| report.multi_pv).collect();
                assert_eq!(ranks, (1..=lines).collect::<Vec<_>>(), "{fen}");
                assert!(reports.iter().all(|report| report.depth == iteration as u32 + 1), "{fen}");
                assert!(
                    reports.windows(2).all(|pair| pair[0].value >= pair[1].value),
                    "{reports:?} in {fen}"
                );
                let moves: HashSet<_> = reports.iter().map(|report| report.pv[0]).collect();
                assert_eq!(moves.len(), lines, "{fen}");
            }
            let last: Vec<_> = exact[exact.len() - lines..].iter().map(|&report| report.clone()).collect();
            assert_eq!(found.outcome.lines, last, "{fen}");
        }
    }
}

#[test]
fn multi_pv_keeps_complete_lines_when_it_is_cut_off() {
    for nodes in [5000, 7777, 30_000] {
        let found = search(&position(SHARP), &Limits::nodes(nodes), &multi_pv(4));
        let lines = &found.outcome.lines;
        assert_eq!(lines.iter().map(|line| line.multi_pv).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert!(
            lines.windows(2).all(|pair| pair[0].depth >= pair[1].depth && pair[0].value >= pair[1].value)
        );
        assert_eq!(lines.iter().map(|line| line.pv[0]).collect::<HashSet<_>>().len(), 4);
    }
}

#[test]
fn only_the_moves_that_are_allowed_are_searched() {
    let position = position(SHARP);
    let legal = position.legal_moves();
    for allowed in [&legal[3..4], &legal[10..13], &legal[40..]] {
        let limits = Limits { search_moves: allowed.to_vec(), ..Limits::depth(5) };
        let found = search(&position, &limits, &multi_pv(2));
        assert_eq!(found.outcome.lines.len(), allowed.len().min(2));
        assert!(found.reports.iter().all(|report| allowed.contains(&report.pv[0])));
    }
    let foreign = Position::default().find_move("e2e4").unwrap();
    let limits = Limits { search_moves: vec![foreign], ..Limits::depth(5) };
    assert_eq!(search(&position, &limits, &Settings::default()).outcome.best, None);
}

#[test]
fn several_threads_find_the_same_kind_of_answer() {
    for threads in [2, 4] {
        let mut searcher = Searcher::<Classical>::new(16);
        searcher.set_threads(threads);
        for fen in [MIDDLEGAME, SHARP, ENDING] {
            let found = search_with(&mut searcher, &position(fen), &Limits::depth(8), &Settings::default());
            assert!(found.outcome.lines[0].depth >= 8, "{fen}");
            let alone = search(&position(fen), &Limits::depth(8), &Settings::default()).outcome.value();
            let difference = (found.outcome.value() - alone).abs();
            assert!(difference <= 150, "{difference} apart in {fen}");
        }
        let mate = position("3k4/6R1/8/4R3/8/8/8/7K w - - 0 1");
        let found = search_with(&mut searcher, &mate, &Limits::depth(6), &Settings::default());
        assert_eq!(found.outcome.value(), zugwerk::chess::value::mate_in(3));
        let lines =
            search_with(&mut searcher, &position(SHARP), &Limits::depth(6), &multi_pv(3)).outcome.lines;
        assert_eq!(lines.len(), 3);
    }
}

#[test]
fn random_positions_are_searched_with_legal_variations() {
    let mut searcher = Searcher::<Classical>::new(4);
    for position in random_positions(25, 150) {
        let found = search_with(&mut searcher, &position, &Limits::nodes(5000), &multi_pv(2));
        assert_eq!(found.outcome.lines.len(), position.legal_moves().len().min(2), "{}", position.fen());
    }
}

#[test]
fn strange_positions_are_searched_like_others() {
    for fen in [
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", // 218 moves
        "6k1/5ppp/8/8/QQQQQQQ1/QQQQQQQ1/QQQQQQQ1/6K1 w - - 0 1",
        "6k1/qqqqqqq1/qqqqqqq1/qqqqqqq1/8/8/5PPP/6K1 b - - 0 1",
        "nnnnknnn/nnnnnnnn/8/8/8/8/NNNNNNNN/NNNNKNNN w - - 0 1",
        "k7/pppppppp/8/8/8/8/PPPPPPPP/K7 w - - 0 1",
        "8/PPPPPPPP/k7/8/8/7K/pppppppp/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 w Q - 100 4000",
        "4k3/8/8/8/8/8/P7/R3K3 w Q - 99 65000",
        "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1",
    ] {
        let found = search(&position(fen), &Limits::nodes(30_000), &multi_pv(3));
        assert!(found.outcome.best.is_some(), "{fen}");
    }
}

#[test]
fn the_deepest_iteration_does_not_leave_the_board() {
    // Dead draws are searched to the last ply immediately.
    let found =
        search(&position("7k/8/8/8/8/8/8/K7 w - - 0 1"), &Limits::depth(10_000), &Settings::default());
    assert_eq!(found.outcome.lines[0].depth, zugwerk::chess::value::MAX_PLY as u32);
    // Extended and repeated checks also reach the last ply.
    let blind = Techniques { repetition: false, ..Techniques::ALL };
    let perpetual = position("2Q5/5ppk/7p/8/8/rr6/6K1/8 w - - 0 1");
    let found = search(&perpetual, &Limits::nodes(300_000), &with(blind));
    assert!(found.outcome.best.is_some());
}
