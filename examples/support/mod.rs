//! What the exercises share: the names of the library that they need, and checks that say in one line what is
//! right.

#![allow(dead_code, unused_imports, reason = "each exercise needs a part of it")]

use std::{
    fmt::{self, Display},
    panic,
    path::Path,
    process,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

pub(crate) use shakmaty::{Bitboard, Board, Color, Move, Position as _, Role, Square};
pub(crate) use zugwerk::{
    chess::{
        notation::{pawns, san},
        position::{Delta, Placement, Position, see::material_gain},
        value::{DRAW, INFINITE, Value, material_value},
    },
    engine::{
        eval::{Classical, Evaluator, Material, classical::piece_value},
        tt::Bound,
    },
    lessons::{
        self, Algorithm, Known, Memo, Perspective, Walk, Window, best_among, negamax_among,
        prototype::{DELTA_MARGIN, promise},
    },
};

/// The positions that several exercises search.
pub(crate) const MIDDLEGAME: &str = "r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 7 11";
pub(crate) const PAWNS: &str = "7k/7P/7P/8/8/p7/8/7K b - - 0 1";
pub(crate) const ROOKS: &str = "3k4/6R1/8/4R3/8/8/8/7K w - - 0 1";

/// Runs the checks of the exercise in `file` and ends the program. The exit code is 0 if all are right, 1 if
/// one is wrong, and 2 if `function` is still to be written.
pub(crate) fn exercise(file: &str, function: &str, checks: fn(&mut Checks)) -> ! {
    let page = Path::new(file).with_extension("md");
    let todo = format!("write `{function}`; docs/course/{} explains it", page.file_name().unwrap().display());
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        let is_todo =
            panic.payload_as_str().is_some_and(|message| message.starts_with("not yet implemented"));
        if let Some(place) = panic.location().filter(|_| is_todo) {
            eprintln!("{place}: {todo}");
            process::exit(2);
        }
        usual(panic);
    }));
    let mut results = Checks { right: 0, wrong: 0 };
    checks(&mut results);
    let Checks { right, wrong } = results;
    println!("{right} of {} checks are right", right + wrong);
    process::exit(i32::from(wrong > 0));
}

/// The number of checks that are right, and of those that are not.
pub(crate) struct Checks {
    right: u32,
    wrong: u32,
}

impl Checks {
    /// Prints whether `what` has the expected result.
    pub(crate) fn expect(&mut self, what: &str, result: impl Display, expected: impl Display) {
        let (result, expected) = (result.to_string(), expected.to_string());
        if result == expected {
            self.right += 1;
            println!("right: {what}: {result}, as expected");
        } else {
            self.wrong += 1;
            println!("WRONG: {what}: {result}, expected {expected}");
        }
    }
}

/// The result of a search.
pub(crate) struct Found {
    /// For White, or for the side to move.
    pub(crate) value: Value,
    pub(crate) nodes: u64,
}

impl Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with {} nodes", pawns(self.value), self.nodes)
    }
}

impl Found {
    /// Prints how many nodes were visited, compared with those of another search.
    pub(crate) fn compare(&self, name: &str, other: &Self) {
        let share = 100.0 * self.nodes as f64 / other.nodes as f64;
        println!("       That is {share:.1} % of the {} nodes of {name}.", other.nodes);
    }
}

/// Reads a position.
pub(crate) fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("the position is legal")
}

/// Searches a position. `algorithm` returns the value: for White with [`Perspective::White`], or else for the
/// side to move.
pub(crate) fn search<E: Evaluator>(
    fen: &str,
    evaluator: E,
    view: Perspective,
    algorithm: impl FnOnce(&mut Walk<E>) -> Value,
) -> Found {
    let mut walk = Walk::new(&position(fen), evaluator, view);
    let value = algorithm(&mut walk);
    Found { value, nodes: walk.counts().nodes }
}

/// The value of a piece on its square for White, in the middlegame. That of a black piece is negative.
pub(crate) fn look_up(placement: Placement) -> Value {
    LOOK_UPS.fetch_add(1, Relaxed);
    piece_value(placement).mg()
}

static LOOK_UPS: AtomicU64 = AtomicU64::new(0);

/// Returns the number of look-ups since the last call.
pub(crate) fn look_ups() -> u64 {
    LOOK_UPS.swap(0, Relaxed)
}

/// The sum of all pieces of a position.
pub(crate) fn sum(position: &Position) -> Value {
    position.chess().board().iter().map(|(square, piece)| look_up((piece, square))).sum()
}

/// Adds all pieces up at every leaf.
#[derive(Clone)]
pub(crate) struct FromScratch;

impl Evaluator for FromScratch {
    fn evaluate(&mut self, position: &Position) -> Value {
        let sum = sum(position);
        position.turn().fold_wb(sum, -sum)
    }
}
