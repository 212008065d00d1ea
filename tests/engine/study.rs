//! Tests of the textbook algorithms: known node counts, agreement with each other, and strength of the
//! players.

use std::{thread, time::Duration};

use rand::{SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};
use shakmaty::{Color, Position as _};
use zugwerk::{
    chess::{
        position::Position,
        value::{mate_in, mated_in},
    },
    engine::{
        eval::{Classical, Evaluator, Material},
        search::{Limits, Searcher, Settings, Silent, Stop, Techniques},
    },
    halt::Halt,
    lessons::{
        Algorithm, Mark, Memo, Perspective, Walk,
        prototype::analyse,
        simple::{Greedy, Player, Random},
    },
};

/// The position of the original notebooks.
const MIDDLEGAME: &str = "r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 7 11";

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

#[test]
fn minimax_visits_the_whole_tree_and_the_others_less() {
    let root = position(MIDDLEGAME);
    for (depth, nodes) in [(1, 49), (3, 70_119), (4, 2_342_944)] {
        let minimax = Algorithm::Minimax.run(&root, Classical::default(), depth);
        assert_eq!(minimax.counts.nodes, nodes);
        for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| algorithm.is_exact()) {
            let verdict = algorithm.run(&root, Classical::default(), depth);
            assert_eq!(verdict.value, minimax.value, "{algorithm} at depth {depth}");
            if depth > 1 && algorithm != Algorithm::Minimax {
                assert!(verdict.counts.nodes < nodes / 10, "{algorithm} at depth {depth}");
            }
        }
    }
}

/// Positions after random moves from the starting position and some endings.
fn reachable(count: usize) -> Vec<Position> {
    let mut generator = StdRng::seed_from_u64(4);
    let roots = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/8/8/8/4k3/8/3QK3/8 w - - 140 100",
        "7k/7P/7P/8/8/p7/8/7K b - - 0 1",
    ];
    (0..count)
        .map(|index| {
            let mut position = position(roots[index % roots.len()]);
            for _ in 0..index % 60 {
                let Some(&m) = position.legal_moves().choose(&mut generator) else { break };
                position.play(m);
            }
            position
        })
        .collect()
}

fn agree<E: Evaluator>(root: &Position, evaluator: &E, depth: u32) {
    let expected = Algorithm::Minimax.run(root, evaluator.clone(), depth);
    for algorithm in Algorithm::ALL.into_iter().filter(|algorithm| algorithm.is_exact()) {
        let verdict = algorithm.run(root, evaluator.clone(), depth);
        let place = format!("{algorithm} at depth {depth} in {}", root.fen());
        assert_eq!(verdict.value, expected.value, "{place}");
        assert!(verdict.best.iter().all(|m| expected.best.contains(m)), "{place}");
        assert_eq!(verdict.best.is_empty(), expected.best.is_empty(), "{place}");
    }
}

/// The search without techniques is another exact algorithm, unless its fifty-move rule differs from the
/// textbook's seventy-five moves.
fn bare_search_agrees<E: Evaluator + Default>(root: &Position, depth: u32) {
    if root.halfmoves() + depth >= 100 || root.legal_moves().is_empty() {
        return;
    }
    // Without history, so that no draw by repetition is near.
    let root = position(&root.fen());
    let settings = Settings { techniques: Techniques::NONE, ..Settings::default() };
    let outcome =
        Searcher::<E>::new(1).search(&root, &Limits::depth(depth), &Stop::default(), &settings, &mut Silent);
    let expected = Algorithm::Minimax.run(&root, E::default(), depth);
    assert_eq!(outcome.value(), expected.value, "at depth {depth} in {}", root.fen());
    let drawn = expected.best.is_empty();
    assert!(
        drawn || outcome.best.is_some_and(|m| expected.best.contains(&m)),
        "at depth {depth} in {}",
        root.fen()
    );
}

#[test]
fn the_bare_search_agrees_on_random_positions() {
    for root in reachable(200) {
        for depth in 1..=3 {
            bare_search_agrees::<Material>(&root, depth);
            bare_search_agrees::<Classical>(&root, depth);
        }
    }
}

#[test]
fn exact_algorithms_agree_on_random_positions() {
    for root in reachable(200) {
        for depth in 1..=3 {
            agree(&root, &Material, depth);
            agree(&root, &Classical::default(), depth);
        }
    }
}

#[test]
fn the_rules_of_the_end() {
    let value = |fen: &str| Algorithm::Minimax.run(&position(fen), Material, 1).value;
    assert_eq!(value("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), 0, "stalemate");
    assert_eq!(value("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), mated_in(0), "mate");
    assert_eq!(value("7k/6Q1/6K1/8/8/8/8/8 b - - 150 99"), mated_in(0), "mate comes before the 75 moves");
    assert_eq!(value("7k/8/6K1/8/8/8/8/3Q4 w - - 150 99"), 0, "75 moves");
    assert_eq!(value("7k/8/6K1/8/8/8/8/3B4 w - - 0 1"), 0, "insufficient material");
    assert_eq!(value("7k/8/6K1/8/8/8/8/3Q4 w - - 149 99"), mate_in(1), "the 75 moves end with a mate");
}

#[test]
fn the_fifth_occurrence_is_a_draw() {
    let mut game = position("7k/8/8/8/8/8/8/KQ6 w - - 0 1");
    for turn in 1..=4 {
        assert_ne!(Algorithm::Minimax.run(&game, Material, 0).value, 0, "occurrence {turn}");
        for text in ["a1a2", "h8g8", "a2a1", "g8h8"] {
            game.play(game.find_move(text).unwrap());
        }
    }
    assert_eq!(Algorithm::Minimax.run(&game, Material, 0).value, 0);
    for algorithm in Algorithm::ALL {
        game.undo();
        let best = algorithm.run(&game, Material, 1);
        game.play(game.find_move("g8h8").unwrap());
        assert_eq!(best.value, 0, "{algorithm}: the weaker side repeats for the fifth time");
    }
}

/// All mating moves of each position, from an exhaustive search with python-chess.
#[test]
fn prototype_finds_the_four_mates() {
    let mates: [(&str, u32, i32, &[&str]); 4] = [
        (
            "3k4/6R1/8/4R3/8/8/8/7K w - - 0 1",
            3,
            mate_in(3),
            &[
                "g7h7", "g7f7", "g7a7", "e5a5", "e5c5", "e5h5", "e5e7", "e5e6", "e5e4", "e5e3", "e5e2",
                "e5e1", "h1h2", "h1g2", "h1g1",
            ],
        ),
        ("2q3k1/2p1npp1/8/3N4/8/8/2Q4R/1B4K1 w - - 0 1", 3, mate_in(3), &["h2h8"]),
        ("R1q3k1/2p1npp1/4P3/3N4/8/8/2Q5/1B4K1 w - - 0 1", 5, mate_in(5), &["a8c8", "c2h7"]),
        ("2k5/8/2K2R2/8/8/8/8/8 b - - 0 1", 6, mated_in(6), &["c8b8"]),
    ];
    for (fen, depth, value, moves) in mates {
        let root = position(fen);
        let verdict = Algorithm::Prototype.run(&root, Classical::default(), depth);
        assert_eq!(verdict.value, value, "{fen}");

        let mut walk = Walk::new(&root, Classical::default(), Perspective::Mover);
        let scores = analyse(&mut walk, &mut Memo::with_slots(1 << 16), depth);
        let mut found: Vec<_> = scores.into_iter().filter(|&(_, v)| v == value).map(|(m, _)| m).collect();
        let mut expected: Vec<_> = moves.iter().map(|text| root.find_move(text).unwrap()).collect();
        found.sort_by_key(|m| (m.from(), m.to()));
        expected.sort_by_key(|m| (m.from(), m.to()));
        assert_eq!(found, expected, "{fen}");
    }
}

#[test]
fn recorded_trees_tell_what_was_visited() {
    let root = position("7k/7P/7P/8/8/p7/8/7K b - - 0 1");
    for algorithm in Algorithm::ALL {
        let walk = algorithm.begin(&root, Classical::default()).recording(usize::MAX);
        let verdict = algorithm.search(walk, 3);
        let tree = verdict.tree.unwrap();
        let visited = tree.nodes.len() - tree.count(Mark::Pruned);
        if matches!(algorithm, Algorithm::Minimax | Algorithm::AlphaBeta | Algorithm::Negamax) {
            assert_eq!(visited as u64, verdict.counts.nodes);
        }
        assert_eq!(tree.count(Mark::Pruned) == 0, algorithm == Algorithm::Minimax);
        assert_eq!(tree.nodes[0].value, -verdict.value, "black moves, the tree is in White's view");
        let line = tree.principal_variation();
        assert!(line.iter().all(|&index| tree.nodes[index].value == tree.nodes[0].value));
    }
}

/// The values on the way from the root to the node of the interruption are unknown, all others are known.
#[test]
fn an_interrupted_search_ends_with_the_tree_so_far() {
    let root = Position::default();
    for algorithm in Algorithm::ALL {
        let stop = Halt::default();
        let answer = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(50));
                stop.set();
            });
            let walk = algorithm.begin(&root, Classical::default()).until(&stop).recording(100_000);
            algorithm.search(walk, 20)
        });
        assert!(!answer.complete, "{algorithm}");
        let tree = answer.tree.unwrap();
        assert_eq!(tree.principal_variation(), [0], "{algorithm}");
        let unfinished = |index: usize| tree.nodes[index].mark == Mark::Unfinished;
        assert!(
            unfinished(0)
                && (1..tree.nodes.len())
                    .all(|index| !unfinished(index) || unfinished(tree.nodes[index].parent))
        );
        assert!(tree.count(Mark::Unfinished) <= 1 + 20 + 32, "{algorithm}: one line at most");
    }
    let set = Halt::default();
    set.set();
    let at_once =
        Algorithm::Minimax.search(Algorithm::Minimax.begin(&root, Classical::default()).until(&set), 3);
    assert_eq!((at_once.complete, at_once.counts.nodes), (false, 1));
}

/// The result of a game of at most 200 moves a side: 1, ½ or 0 for White, in half points.
fn play(white: &mut dyn Player, black: &mut dyn Player) -> u32 {
    let mut game = Position::default();
    for _ in 0..400 {
        let player: &mut dyn Player = if game.turn().is_white() { &mut *white } else { &mut *black };
        let Some(m) = player.choose(&game) else {
            let draw = !game.is_check();
            return if draw { 1 } else { game.turn().fold_wb(0, 2) };
        };
        game.play(m);
        if game.chess().is_insufficient_material() {
            return 1;
        }
    }
    1
}

#[test]
fn greedy_beats_random() {
    let mut points = 0;
    for game in 0..200 {
        let (mut greedy, mut random) = (Greedy::<Classical>::new(game), Random::new(1000 + game));
        points += match Color::from_white(game % 2 == 0) {
            Color::White => play(&mut greedy, &mut random),
            Color::Black => 2 - play(&mut random, &mut greedy),
        };
    }
    println!("greedy scored {} of 200 against random", f64::from(points) / 2.0);
    assert!(points > 360, "greedy scored {points} of 400 half points");
}
