//! Exercise of page 1, docs/course/01-random-and-greedy.md: the moves that look best now.

mod support;

use support::*;
use zugwerk::lessons::simple::{Player as _, Random};

/// Returns the moves that greedy may play: of all legal moves those with the best value, in the order of
/// `walk.moves()`.
///
/// * `walk.moves()` returns the legal moves.
/// * `walk.after(m, |walk| …)` plays `m`, calculates the value `…` of the position after it, and takes `m`
///   back.
/// * `walk.end(0)` is that value, as `Some(value)`. It is a value for the opponent, so its sign must change.
#[allow(unused_variables)] // because of `todo!()`
fn greedy(walk: &mut Walk<Material>) -> Vec<Move> {
    todo!()
}

fn main() {
    exercise(file!(), "greedy", |checks| {
        for fen in [
            "4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1",
            "4k3/2p5/3q4/8/8/8/3R4/4K3 w - - 0 1",
            "4k3/8/8/8/8/2n1n3/3P4/4K3 w - - 0 1",
        ] {
            let root = position(fen);
            let mut walk = Walk::new(&root, Material, Perspective::Mover);
            let best = greedy(&mut walk);
            // A search of depth 1 does the same.
            let lesson = Algorithm::Minimax.run(&root, Material, 1);
            let words = |moves: &[Move], nodes| {
                let moves: Vec<String> = moves.iter().map(|&m| san(&root, m)).collect();
                format!("{} with {nodes} nodes", moves.join(" "))
            };
            let result = words(&best, walk.counts().nodes);
            checks.expect(fen, result, words(&lesson.best, lesson.counts.nodes));
        }
        checks.expect("White after 30 moves against random", leader_after_30_moves(), "ahead");
    });
}

/// Plays 30 moves, greedy with White against random with Black, and says how White stands.
fn leader_after_30_moves() -> &'static str {
    let (mut game, mut random) = (Position::default(), Random::new(1));
    for _ in 0..30 {
        let best = greedy(&mut Walk::new(&game, Material, Perspective::Mover));
        let Some(&m) = best.first() else { break };
        game.play(m);
        let Some(m) = random.choose(&game) else { break };
        game.play(m);
    }
    if Material::balance(&game) > 0 { "ahead" } else { "not ahead" }
}
