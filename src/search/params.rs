//! Every number the search can be tuned by, declared once: name, default, range and what it does.
//!
//! The defaults are our own first guesses, round numbers of the size the technique suggests; the strength issue tunes
//! them on our own games. Depths and reductions are in plies, margins in centipawns.

/// One tunable number of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name in lower case.
    pub name: &'static str,
    /// The value the search uses.
    pub default: i32,
    /// The least sensible value.
    pub min: i32,
    /// The largest sensible value.
    pub max: i32,
    /// What it does.
    pub about: &'static str,
}

macro_rules! params {
    ($($(#[doc = $about:literal])+ $name:ident = $default:literal in $min:literal ..= $max:literal;)+) => {
        $($(#[doc = $about])+ pub(super) const $name: i32 = $default;)+

        /// All parameters, in the order of their declaration.
        pub const ALL: &[Param] = &[$(Param {
            name: stringify!($name),
            default: $default,
            min: $min,
            max: $max,
            about: concat!($($about),+),
        }),+];
    };
}

params! {
    /// The half-width of the first aspiration window.
    ASPIRATION_WINDOW = 20 in 5..=100;
    /// The least depth that is searched with an aspiration window.
    ASPIRATION_DEPTH = 4 in 1..=10;

    /// The greatest depth at which reverse futility pruning applies.
    REVERSE_FUTILITY_DEPTH = 7 in 2..=12;
    /// What a ply of reverse futility has to stand above beta.
    REVERSE_FUTILITY_MARGIN = 80 in 30..=200;

    /// The least depth at which a null move is tried.
    NULL_MOVE_DEPTH = 3 in 1..=6;
    /// The reduction of the search after a null move.
    NULL_MOVE_REDUCTION = 3 in 1..=6;
    /// One more ply of reduction for each so many plies of depth.
    NULL_MOVE_DEPTH_DIVISOR = 4 in 2..=8;
    /// One more ply of reduction for each so much that the evaluation stands above beta.
    NULL_MOVE_EVAL_DIVISOR = 200 in 50..=500;
    /// The least depth at which a null-move cut-off is verified by a search without null moves.
    NULL_MOVE_VERIFY_DEPTH = 12 in 6..=20;

    /// The least depth that internal iterative reduction makes one ply shallower.
    INTERNAL_REDUCTION_DEPTH = 4 in 2..=8;

    /// The greatest depth at which late moves are skipped.
    LATE_MOVE_PRUNING_DEPTH = 8 in 2..=12;
    /// The number of moves that are always looked at before late ones are skipped.
    LATE_MOVE_PRUNING_BASE = 4 in 1..=10;

    /// The greatest depth, after reduction, at which futile quiet moves are skipped.
    FUTILITY_DEPTH = 7 in 2..=12;
    /// What a quiet move is expected to gain at most, at depth 0.
    FUTILITY_BASE = 100 in 0..=300;
    /// What it is expected to gain more for each ply of depth.
    FUTILITY_MARGIN = 90 in 30..=250;

    /// The greatest depth at which moves that lose material are skipped.
    SEE_PRUNING_DEPTH = 8 in 2..=12;
    /// What a quiet move may lose for each ply of depth.
    SEE_QUIET_MARGIN = 60 in 20..=150;
    /// What a capture may lose for each ply of depth.
    SEE_TACTICAL_MARGIN = 100 in 20..=250;

    /// The least depth at which late moves are searched less deep.
    LATE_MOVE_REDUCTION_DEPTH = 3 in 2..=5;
    /// The reduction of the first moves, in 1/100 ply.
    LATE_MOVE_REDUCTION_BASE = 60 in 0..=150;
    /// What the product of the logarithms of depth and move number is divided by, in 1/100.
    LATE_MOVE_REDUCTION_DIVISOR = 230 in 100..=400;
    /// How much history makes up for one ply of reduction.
    LATE_MOVE_REDUCTION_HISTORY = 7000 in 2000..=16000;

    /// How far below alpha a capture may leave the score in quiescence before it is not worth trying.
    DELTA_MARGIN = 200 in 50..=400;

    /// What a move that caused a cut-off gains in history for each ply of depth.
    HISTORY_BONUS = 160 in 50..=400;
    /// The most it can gain at once.
    HISTORY_BONUS_LIMIT = 1800 in 500..=4000;
}
