//! The textbook: chess players built step by step, each a little cleverer than the one before.
//!
//! Read the files in this order; each is one idea:
//!
//! | file | idea | proves |
//! |---|---|---|
//! | [`players`] | move at random; take what looks best now | what "strength" is measured from |
//! | `minimax` | look at every line | the value everything else must return |
//! | `alpha_beta` | skip what cannot matter | the same value with far fewer nodes |
//! | `negamax` | one function for both sides | the pair and the single one visit the same nodes |
//! | `deepening` | shallow searches order deep ones | more iterations, yet fewer nodes |
//! | `memoised` | never search a position twice | a tree is a graph |
//! | `prototype` | all of it, and play captures out | a complete player |
//!
//! `walk` holds what they share: making moves, counting, the rules of the end. Nothing here is fast and nothing is
//! clever, on purpose: these are the lessons behind `zugwerk study` and `zugwerk tree`, and the independent oracles the
//! tests hold the real search against.
//!
//! ```
//! use zugwerk::{eval::Classical, position::Position, study::Algorithm, value::mate_in};
//! let root = Position::from_fen("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1").unwrap();
//! for algorithm in Algorithm::ALL {
//!     let verdict = algorithm.run(&root, Classical::default(), 2);
//!     assert_eq!(verdict.value, mate_in(1));
//! }
//! ```

mod alpha_beta;
mod deepening;
mod memo;
mod memoised;
mod minimax;
mod negamax;
pub mod players;
pub mod prototype;
mod tree;
mod walk;

use std::{
    fmt,
    str::FromStr,
    time::{Duration, Instant},
};

use shakmaty::Move;

pub use alpha_beta::alpha_beta;
pub use deepening::deepening;
pub use memo::{Known, Memo, MemoCounts};
pub use memoised::memoised;
pub use minimax::minimax;
pub use negamax::{negamax, negamax_among};
pub use tree::{Mark, Node, Recorder, Step, Tree, Window};
pub use walk::{Counts, View, Walk};

use crate::{
    eval::Evaluator,
    position::Position,
    value::{INFINITE, Value},
};

/// The slots of the memo that [`Algorithm::run`] gives the algorithms that want one.
const MEMO_SLOTS: usize = 1 << 18;

/// The searching algorithms, in the order in which they grow out of each other.
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

/// What an algorithm found out about a position.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The value for the side to move.
    pub value: Value,
    /// The best moves. Minimax knows all of them; whoever prunes knows one. Empty if the game is over, or at depth 0.
    pub best: Vec<Move>,
    /// What was counted on the way.
    pub counts: Counts,
    /// The memo's counters, for the algorithms that have one.
    pub memo: Option<MemoCounts>,
    /// How long it took.
    pub time: Duration,
    /// The tree, if it was asked for.
    pub tree: Option<Tree>,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Minimax, Self::AlphaBeta, Self::Negamax, Self::Deepening, Self::Memoised, Self::Prototype];

    /// Whether the algorithm returns the very value that minimax returns.
    #[must_use]
    pub fn is_exact(self) -> bool {
        self != Self::Prototype
    }

    /// Searches `root` to `depth` plies, leaves judged by `evaluator`.
    pub fn run<E: Evaluator>(self, root: &Position, evaluator: E, depth: u32) -> Answer {
        self.walk(Walk::new(root, evaluator, self.view()), depth)
    }

    /// As [`run`](Self::run), recording up to `limit` nodes of the tree (with deepening: of the last iteration).
    pub fn run_recording<E: Evaluator>(
        self,
        root: &Position,
        evaluator: E,
        depth: u32,
        limit: usize,
    ) -> Answer {
        self.walk(Walk::new(root, evaluator, self.view()).recording(limit), depth)
    }

    fn view(self) -> View {
        match self {
            Self::Minimax | Self::AlphaBeta => View::White,
            _ => View::Mover,
        }
    }

    fn walk<E: Evaluator>(self, mut walk: Walk<E>, depth: u32) -> Answer {
        let start = Instant::now();
        let mut memo = matches!(self, Self::Memoised | Self::Prototype).then(|| Memo::with_slots(MEMO_SLOTS));
        let value = match (self, &mut memo) {
            (Self::Minimax, _) => minimax(&mut walk, depth),
            (Self::AlphaBeta, _) => alpha_beta(&mut walk, depth, -INFINITE, INFINITE),
            (Self::Memoised, Some(memo)) => memoised(&mut walk, memo, depth, -INFINITE, INFINITE),
            (Self::Prototype, Some(memo)) => prototype::prototype(&mut walk, memo, depth),
            (Self::Deepening, _) => deepening(&mut walk, depth),
            _ => negamax(&mut walk, depth, -INFINITE, INFINITE),
        };
        let time = start.elapsed();
        let mover = match self.view() {
            View::White => walk.position().turn().fold_wb(value, -value),
            View::Mover => value,
        };
        Answer {
            value: mover,
            best: self.best_moves(walk.root_moves(), mover),
            counts: walk.counts(),
            memo: memo.map(|memo| memo.counts()),
            time,
            tree: walk.finish(value),
        }
    }

    fn best_moves(self, root_moves: &[(Move, Value)], value: Value) -> Vec<Move> {
        // After pruning, a later move of the same value may only be a bound.
        let trusted = if self == Self::Minimax { usize::MAX } else { 1 };
        root_moves.iter().filter(|&&(_, v)| v == value).map(|&(m, _)| m).take(trusted).collect()
    }

    /// The name people and the command line use.
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

/// The text is not the name of an [`Algorithm`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownAlgorithm(pub String);

impl fmt::Display for UnknownAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Algorithm::ALL.map(Algorithm::name).join(", ");
        write!(f, "no algorithm is called `{}`; there are {names}", self.0)
    }
}

impl std::error::Error for UnknownAlgorithm {}

impl FromStr for Algorithm {
    type Err = UnknownAlgorithm;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|algorithm| algorithm.name() == text)
            .ok_or_else(|| UnknownAlgorithm(text.into()))
    }
}
