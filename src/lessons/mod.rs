//! The lessons: chess players built step by step, each adding one idea to the one before, and the trees that
//! they search, as [drawings](drawing).
//!
//! Read the files in this order:
//!
//! | file | idea | result |
//! |---|---|---|
//! | [`simple`] | move at random; take what looks best now | the baseline of playing strength |
//! | `minimax` | search every line | the value that the others must return |
//! | `alpha_beta` | skip moves that cannot change the result | the same value with far fewer nodes |
//! | `negamax` | one function for both sides | the same nodes as the pair of functions |
//! | `deepening` | shallow searches order deep ones | more iterations, yet fewer nodes |
//! | `memoised` | never search a position twice | a graph instead of a tree |
//! | `prototype` | all of it, and play captures out | a complete player |
//!
//! `walk` contains what they share: making moves, counters, and the rules for the end of a game. The code is
//! deliberately simple and not fast. It is used by `zugwerk study` and `zugwerk tree`, and the tests compare
//! the real search with it. The exercises of the course, in `examples/`, are checked against it.
//!
//! ```
//! use zugwerk::{
//!     chess::{position::Position, value::mate_in},
//!     engine::eval::Classical,
//!     lessons::Algorithm,
//! };
//! let root = Position::from_fen("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1").unwrap();
//! for algorithm in Algorithm::ALL {
//!     let verdict = algorithm.run(&root, Classical::default(), 2);
//!     assert_eq!(verdict.value, mate_in(1));
//! }
//! ```

mod alpha_beta;
mod deepening;
pub mod drawing;
mod memo;
mod memoised;
mod minimax;
mod negamax;
pub mod prototype;
pub mod simple;
mod tree;
mod walk;

use std::{fmt, str::FromStr};

use shakmaty::Move;

pub use alpha_beta::alpha_beta;
pub use deepening::deepening;
pub use memo::{Known, Memo, MemoCounts};
pub use memoised::memoised;
pub use minimax::minimax;
pub use negamax::{best_among, negamax, negamax_among};
pub use tree::{Mark, Node, Recorder, Step, Tree, Window};
pub use walk::{Perspective, Walk, WalkCounts};

use crate::{
    chess::{
        position::Position,
        value::{INFINITE, Value},
    },
    engine::eval::Evaluator,
};

/// The number of memo slots that [`Algorithm::run`] uses.
const MEMO_SLOTS: usize = 1 << 18;

/// The search algorithms, each derived from the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// [`minimax`].
    Minimax,
    /// [`alpha_beta`].
    AlphaBeta,
    /// [`negamax`].
    Negamax,
    /// [`deepening`].
    Deepening,
    /// [`memoised`].
    Memoised,
    /// [`prototype`].
    Prototype,
}

/// The result of an algorithm for a position.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The value for the side to move.
    pub value: Value,
    /// The best moves: all of them for minimax, one for algorithms that prune. Empty if the game is over, or
    /// at depth 0.
    pub best: Vec<Move>,
    /// The counters of the search.
    pub counts: WalkCounts,
    /// The memo's counters, for the algorithms that have one.
    pub memo: Option<MemoCounts>,
    /// Whether the search was not ended early; if it was, `value` and `best` have no meaning.
    pub complete: bool,
    /// The tree, if it was requested.
    pub tree: Option<Tree>,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Minimax, Self::AlphaBeta, Self::Negamax, Self::Deepening, Self::Memoised, Self::Prototype];

    /// Whether the algorithm returns the same value as minimax.
    #[must_use]
    pub fn is_exact(self) -> bool {
        self != Self::Prototype
    }

    /// Searches `root` to `depth` plies; `evaluator` evaluates the leaves.
    pub fn run<E: Evaluator>(self, root: &Position, evaluator: E, depth: u32) -> Answer {
        self.search(self.begin(root, evaluator), depth)
    }

    fn view(self) -> Perspective {
        match self {
            Self::Minimax | Self::AlphaBeta => Perspective::White,
            _ => Perspective::Mover,
        }
    }

    /// Returns a walk from `root` for [`search`](Self::search).
    pub fn begin<E: Evaluator>(self, root: &Position, evaluator: E) -> Walk<E> {
        Walk::new(root, evaluator, self.view())
    }

    /// Searches to `depth` plies with `walk`, which [`begin`](Self::begin) made: the general form of
    /// [`run`](Self::run), for walks that record their tree or can be interrupted.
    pub fn search<E: Evaluator>(self, mut walk: Walk<E>, depth: u32) -> Answer {
        let mut memo = matches!(self, Self::Memoised | Self::Prototype).then(|| Memo::with_slots(MEMO_SLOTS));
        let value = match (self, &mut memo) {
            (Self::Minimax, _) => minimax(&mut walk, depth),
            (Self::AlphaBeta, _) => alpha_beta(&mut walk, depth, -INFINITE, INFINITE),
            (Self::Memoised, Some(memo)) => memoised(&mut walk, memo, depth, -INFINITE, INFINITE),
            (Self::Prototype, Some(memo)) => prototype::prototype(&mut walk, memo, depth),
            (Self::Deepening, _) => deepening(&mut walk, depth),
            _ => negamax(&mut walk, depth, -INFINITE, INFINITE),
        };
        let mover = match self.view() {
            Perspective::White => walk.position().turn().fold_wb(value, -value),
            Perspective::Mover => value,
        };
        Answer {
            value: mover,
            best: self.best_moves(walk.root_moves(), mover),
            counts: walk.counts(),
            memo: memo.map(|memo| memo.counts()),
            complete: walk.is_complete(),
            tree: walk.finish(value),
        }
    }

    fn best_moves(self, root_moves: &[(Move, Value)], value: Value) -> Vec<Move> {
        // After pruning, the value of a later move may be only a bound.
        let trusted = if self == Self::Minimax { usize::MAX } else { 1 };
        root_moves.iter().filter(|&&(_, v)| v == value).map(|&(m, _)| m).take(trusted).collect()
    }

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Minimax => "minimax",
            Self::AlphaBeta => "alpha-beta",
            Self::Negamax => "negamax",
            Self::Deepening => "deepening",
            Self::Memoised => "memo",
            Self::Prototype => "prototype",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Algorithm {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|algorithm| algorithm.name() == name)
            .ok_or_else(|| format!("expected {}, got \"{name}\"", Self::ALL.map(Self::name).join(", ")))
    }
}
