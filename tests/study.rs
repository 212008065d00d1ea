//! The textbook algorithms: known node counts, and agreement among each other.

use zugwerk::{
    eval::PieceSquare,
    position::Position,
    study::{View, Walk, alpha_beta, minimax},
    value::INFINITE,
};

/// The position of the notebooks.
const MIDDLEGAME: &str = "r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 7 11";

#[test]
fn minimax_visits_the_whole_tree() {
    let root = Position::from_fen(MIDDLEGAME).unwrap();
    for (depth, nodes) in [(1, 49), (3, 70_119), (4, 2_342_944)] {
        let mut walk = Walk::new(&root, PieceSquare::default(), View::White);
        let value = minimax(&mut walk, depth);
        assert_eq!(walk.counts().nodes, nodes);
        let mut pruning = Walk::new(&root, PieceSquare::default(), View::White);
        assert_eq!(alpha_beta(&mut pruning, depth, -INFINITE, INFINITE), value);
        assert!(pruning.counts().nodes <= walk.counts().nodes);
    }
}
