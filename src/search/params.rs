//! Every number the search can be tuned by, declared once: name, default, range and what it does.
//!
//! The odd numbers come from `zugwerk spsa`, in our own games (CHANGELOG.md has the run); the round ones are our own first
//! guesses, of the size the technique suggests. Depths and reductions are in plies, margins in centipawns.

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
        $(
            $(#[doc = $about])+
            #[inline(always)]
            pub(super) fn $name() -> i32 {
                #[cfg(feature = "tune")]
                return tuning::$name.load(std::sync::atomic::Ordering::Relaxed);
                #[cfg(not(feature = "tune"))]
                $default
            }
        )+

        /// All parameters, in the order of their declaration.
        pub const ALL: &[Param] = &[$(Param {
            name: stringify!($name),
            default: $default,
            min: $min,
            max: $max,
            about: concat!($($about),+),
        }),+];

        /// The numbers as they are now, in a build that may change them.
        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod tuning {
            use std::sync::atomic::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)+
        }

        /// Sets the parameter called `name`; false if there is none, or `value` is out of its range.
        #[cfg(feature = "tune")]
        pub fn set(name: &str, value: i32) -> bool {
            let known = ALL.iter().any(|param| param.name == name && (param.min..=param.max).contains(&value));
            match name {
                $(stringify!($name) if known => tuning::$name.store(value, std::sync::atomic::Ordering::Relaxed),)+
                _ => return false,
            }
            true
        }
    };
}

params! {
    /// The half-width of the first aspiration window.
    aspiration_window = 25 in 5..=100;
    /// The least depth that is searched with an aspiration window.
    aspiration_depth = 4 in 1..=10;

    /// The greatest depth at which reverse futility pruning applies.
    reverse_futility_depth = 7 in 2..=12;
    /// What a ply of reverse futility has to stand above beta.
    reverse_futility_margin = 71 in 30..=200;

    /// The least depth at which a null move is tried.
    null_move_depth = 3 in 1..=6;
    /// The reduction of the search after a null move.
    null_move_reduction = 3 in 1..=6;
    /// One more ply of reduction for each so many plies of depth.
    null_move_depth_divisor = 4 in 2..=8;
    /// One more ply of reduction for each so much that the evaluation stands above beta.
    null_move_eval_divisor = 169 in 50..=500;
    /// The least depth at which a null-move cut-off is verified by a search without null moves.
    null_move_verify_depth = 12 in 6..=20;

    /// The least depth that internal iterative reduction makes one ply shallower.
    internal_reduction_depth = 4 in 2..=8;

    /// The greatest depth at which late moves are skipped.
    late_move_pruning_depth = 8 in 2..=12;
    /// The number of moves that are always looked at before late ones are skipped.
    late_move_pruning_base = 5 in 1..=10;

    /// The greatest depth, after reduction, at which futile quiet moves are skipped.
    futility_depth = 7 in 2..=12;
    /// What a quiet move is expected to gain at most, at depth 0.
    futility_base = 73 in 0..=300;
    /// What it is expected to gain more for each ply of depth.
    futility_margin = 85 in 30..=250;

    /// The greatest depth at which moves that lose material are skipped.
    see_pruning_depth = 8 in 2..=12;
    /// What a quiet move may lose for each ply of depth.
    see_quiet_margin = 63 in 20..=150;
    /// What a capture may lose for each ply of depth.
    see_tactical_margin = 92 in 20..=250;

    /// The least depth at which late moves are searched less deep.
    late_move_reduction_depth = 3 in 2..=5;
    /// The reduction of the first moves, in 1/100 ply.
    late_move_reduction_base = 57 in 0..=150;
    /// What the product of the logarithms of depth and move number is divided by, in 1/100.
    late_move_reduction_divisor = 232 in 100..=400;
    /// How much history makes up for one ply of late-move reduction.
    lmr_history = 11481 in 4000..=30000;
    /// Less late-move reduction where the position was ever near a principal variation, in 1/100 ply.
    lmr_near_pv = 84 in 0..=250;
    /// Less still on the principal variation itself.
    lmr_pv = 47 in 0..=250;
    /// More where the parent expects a cut-off.
    lmr_cut_node = 100 in 0..=300;
    /// More where the side to move does not stand better than at its last turn.
    lmr_not_improving = 59 in 0..=250;
    /// More where the table's move is a capture or promotion.
    lmr_table_tactical = 100 in 0..=250;
    /// More where several moves have been refuted already.
    lmr_cut_offs = 68 in 0..=250;
    /// A reduced move whose value is so much above the best is followed up one ply deeper.
    deeper_margin = 61 in 10..=150;
    /// One that is not even so much above the best is followed up one ply less deep.
    shallower_margin = 6 in 0..=40;

    /// The least depth at which singular moves are looked for.
    singular_depth = 7 in 4..=10;
    /// How much shallower the table's value of the move may be.
    singular_tt_slack = 3 in 1..=6;
    /// How far the other moves must stay below the table's value, in 1/16 centipawn for each ply of depth.
    singular_margin = 28 in 4..=80;
    /// How much farther they must stay below it for a second ply of extension.
    double_extension_margin = 27 in 5..=80;
    /// Plies by which the table's move is searched less deep if it is not singular and the node is expected to be cut.
    negative_extension = 1 in 0..=3;

    /// How far below alpha a capture may leave the score in quiescence before it is not worth trying.
    delta_margin = 203 in 50..=400;

    /// The greatest depth, after reduction, at which moves with a bad history are skipped.
    history_pruning_depth = 4 in 1..=8;
    /// How bad the history must be for each ply of depth.
    history_pruning_margin = 3224 in 1000..=10000;

    /// The greatest depth at which razoring applies.
    razoring_depth = 3 in 1..=6;
    /// How far below alpha the evaluation has to be at depth 0.
    razoring_base = 212 in 50..=500;
    /// How much farther for each ply of depth.
    razoring_margin = 173 in 50..=400;

    /// The least depth at which probcut is tried.
    probcut_depth = 5 in 3..=8;
    /// How far above beta a capture has to hold.
    probcut_margin = 181 in 80..=350;
    /// How much less deep the search is that has to confirm it.
    probcut_reduction = 4 in 2..=6;

    /// The weight of the correction by pawn structure, in 1/100.
    correction_pawns = 78 in 0..=200;
    /// The weight of the correction by material, in 1/100.
    correction_material = 38 in 0..=200;
    /// The weight of the correction by the pieces of either side, in 1/100.
    correction_pieces = 52 in 0..=200;
    /// The weight of the correction by the moves just played, in 1/100.
    correction_moves = 55 in 0..=200;

    /// The number of reversible plies that would make an evaluation nothing, if the fifty-move rule did not come before.
    fifty_move_damping = 218 in 120..=1000;

    /// What a move that caused a cut-off gains in history for each ply of depth.
    history_bonus = 152 in 50..=400;
    /// The most it can gain at once.
    history_bonus_limit = 1935 in 500..=4000;
    /// What a move that was tried in vain loses for each ply of depth.
    history_malus = 162 in 50..=400;
    /// The most it can lose at once.
    history_malus_limit = 1956 in 500..=4000;
}
