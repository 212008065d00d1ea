//! Tunable parameters of the search, each declared once: name, default, range and description.
//!
//! The numbers that are not round come from `zugwerk spsa` in our own games (docs/ledger.tsv has the runs).
//! The round ones are our own first guesses. Depths and reductions are in plies, margins in centipawns.

/// One tunable parameter of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Its name in lower case.
    pub name: &'static str,
    /// The value that the search uses.
    pub default: i32,
    /// The smallest sensible value.
    pub min: i32,
    /// The largest sensible value.
    pub max: i32,
    /// Its description.
    pub about: &'static str,
}

macro_rules! params {
    ($($(#[doc = $about:literal])+ $name:ident = $default:literal in $min:literal ..= $max:literal;)+) => {
        $(
            $(#[doc = $about])+
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

        /// The current values, in a build that may change them.
        #[cfg(feature = "tune")]
        #[allow(non_upper_case_globals)]
        mod tuning {
            use std::sync::atomic::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)+
        }

        /// Sets the parameter called `name`; returns false if there is none, or if `value` is out of range.
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
    aspiration_window = 13 in 5..=100;
    /// The minimum depth that is searched with an aspiration window.
    aspiration_depth = 4 in 1..=10;

    /// The maximum depth of reverse futility pruning.
    reverse_futility_depth = 7 in 2..=12;
    /// The margin above beta for each ply of reverse futility.
    reverse_futility_margin = 44 in 30..=200;

    /// The minimum depth of null-move pruning.
    null_move_depth = 3 in 1..=6;
    /// The reduction of the search after a null move.
    null_move_reduction = 4 in 1..=6;
    /// One more ply of reduction for this many plies of depth.
    null_move_depth_divisor = 4 in 2..=8;
    /// One more ply of reduction for this many centipawns of evaluation above beta.
    null_move_eval_divisor = 153 in 50..=500;
    /// The minimum depth at which a null-move cut-off is verified by a search without null moves.
    null_move_verify_depth = 12 in 6..=20;

    /// The minimum depth that internal iterative reduction reduces by one ply.
    internal_reduction_depth = 4 in 2..=8;
    /// The minimum depth at which an expected cut-off, or a table move found by a much shallower search,
    /// reduces by a ply.
    internal_reduction_more_depth = 7 in 4..=12;
    /// How much shallower that search was.
    internal_reduction_lag = 5 in 3..=10;

    /// The maximum depth of late-move pruning.
    late_move_pruning_depth = 6 in 2..=12;
    /// The number of moves searched before late ones are skipped; the square of the depth is added to it. If
    /// the side to move is not improving, half of the sum is searched.
    late_move_pruning_base = 5 in 1..=10;

    /// The maximum depth, after reduction, at which futile quiet moves are skipped.
    futility_depth = 7 in 2..=12;
    /// The assumed maximum gain of a quiet move at depth 0.
    futility_base = 102 in 0..=300;
    /// The additional assumed gain for each ply of depth.
    futility_margin = 81 in 30..=250;

    /// The maximum depth at which moves that lose material are skipped.
    see_pruning_depth = 8 in 2..=12;
    /// The material that a quiet move may lose, times the square of its depth after reduction.
    see_quiet_margin = 24 in 8..=60;
    /// The material that a capture may lose for each ply of depth.
    see_tactical_margin = 101 in 20..=250;
    /// The history of a quiet move that lets it lose a centipawn more.
    see_quiet_history = 256 in 64..=1024;
    /// The history of a capture that lets it lose a centipawn more.
    see_tactical_history = 80 in 20..=320;

    /// The minimum depth of late-move reductions.
    late_move_reduction_depth = 3 in 2..=5;
    /// Less reduction in check, in 1/100 ply.
    lmr_check = 100 in 0..=250;
    /// The part of the late-move reduction that depends on neither depth nor move number, in 1/100 ply.
    late_move_reduction_base = 47 in 0..=150;
    /// The divisor of the product of the logarithms of depth and move number, in 1/100.
    late_move_reduction_divisor = 228 in 100..=400;
    /// The history that offsets one ply of late-move reduction.
    lmr_history = 11609 in 4000..=30000;
    /// Less reduction if the position was ever near a principal variation, in 1/100 ply.
    lmr_near_pv = 94 in 0..=250;
    /// Less reduction on the principal variation itself.
    lmr_pv = 29 in 0..=250;
    /// More reduction if the parent expects a cut-off.
    lmr_cut_node = 103 in 0..=300;
    /// More reduction if the side to move is not improving.
    lmr_not_improving = 27 in 0..=250;
    /// More reduction if the table move is a capture or promotion.
    lmr_table_tactical = 87 in 0..=250;
    /// More reduction if several moves have already been refuted.
    lmr_cut_offs = 53 in 0..=250;
    /// Less reduction for each 100 centipawns by which the correction history changes the evaluation, in
    /// 1/100 ply.
    lmr_correction = 73 in 0..=400;
    /// By how much a reduced move must have worsened the static evaluation for one more ply of reduction.
    hindsight_margin = 101 in 0..=400;
    /// A reduced move whose value exceeds the best by more than this is searched again one ply deeper.
    deeper_margin = 56 in 10..=150;

    /// The minimum depth of the singular test.
    singular_depth = 7 in 4..=10;
    /// By how many plies the table entry of the move may be shallower than the node.
    singular_tt_slack = 3 in 1..=6;
    /// Below `singular_depth`: how far the static evaluation must be below alpha for a ply of extension.
    shallow_extension_margin = 30 in 0..=150;
    /// How far the other moves must stay below the table value, in 1/16 centipawn for each ply of depth.
    singular_margin = 31 in 4..=80;
    /// How much farther below it they must stay for a second ply of extension.
    double_extension_margin = 24 in 5..=80;
    /// How much farther below it they must stay for a third ply of extension, if the move is quiet.
    triple_extension_margin = 93 in 40..=300;
    /// By how many plies a table move is searched less deep if it is not singular and a cut-off is expected.
    negative_extension = 2 in 0..=3;
    /// The same if the table says that it reaches beta.
    negative_extension_at_beta = 3 in 0..=4;
    /// The history of the table move that makes the margins of these extensions a centipawn smaller.
    singular_history = 1024 in 256..=4096;

    /// How far below alpha a capture may leave the value in quiescence before it is skipped.
    delta_margin = 184 in 50..=400;

    /// The maximum depth, after reduction, at which moves with a bad history are skipped.
    history_pruning_depth = 4 in 1..=8;
    /// How bad the history must be, for each ply of depth.
    history_pruning_margin = 3706 in 1000..=10000;

    /// The maximum depth of razoring.
    razoring_depth = 3 in 1..=6;
    /// How far below alpha the evaluation must be at depth 0.
    razoring_base = 241 in 50..=500;
    /// How much farther below, for each ply of depth.
    razoring_margin = 165 in 50..=400;

    /// The minimum depth of probcut.
    probcut_depth = 5 in 3..=8;
    /// How far above beta the value of a capture must be.
    probcut_margin = 150 in 80..=350;
    /// How much smaller that margin is if the side to move is improving.
    probcut_improving = 40 in 0..=100;
    /// By how many plies the confirming search is shallower.
    probcut_reduction = 4 in 2..=6;
    /// One more ply for this many centipawns of evaluation above beta, at most three.
    probcut_eval_divisor = 150 in 50..=500;

    /// The weight of the correction by pawn structure, in 1/100.
    correction_pawns = 33 in 0..=200;
    /// The weight of the correction by the pieces of either side, in 1/100.
    correction_pieces = 57 in 0..=200;
    /// The weight of the correction by the moves just played, in 1/100.
    correction_moves = 83 in 0..=200;
    /// The weight of the correction by the last move and the one four plies ago, in 1/100.
    correction_ply_4 = 50 in 0..=200;

    /// The number of reversible plies at which an evaluation would reach 0, if the fifty-move rule did not
    /// apply earlier.
    fifty_move_damping = 257 in 120..=1000;

    /// The history bonus of a move that causes a cut-off, for each ply of depth.
    history_bonus = 192 in 50..=400;
    /// The maximum bonus.
    history_bonus_limit = 1938 in 500..=4000;
    /// The history malus of a move searched without a cut-off, for each ply of depth.
    history_malus = 218 in 50..=400;
    /// The maximum malus.
    history_malus_limit = 2040 in 500..=4000;
    /// The history bonus of a quiet move for each centipawn by which it improves the static evaluation.
    eval_history_bonus = 12 in 0..=40;
    /// The maximum bonus, or malus, for that.
    eval_history_limit = 1261 in 200..=4000;

    /// The bonus in the order of quiet moves for one that gives check directly, in units of history.
    quiet_check_bonus = 9498 in 0..=20000;
    /// The bonus in the order of quiet moves for a knight or bishop that leaves a square attacked by a lesser
    /// piece, and the malus for one that moves to such a square. For a rook it is 3/2 of it, for a queen
    /// twice as much.
    danger_bonus = 3384 in 0..=16000;
}
