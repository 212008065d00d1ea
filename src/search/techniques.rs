//! Which of the search's techniques are at work.

/// One switch for each technique that may change a search's result.
///
/// Switched off one and all ([`Techniques::NONE`]), what is left is alpha-beta with a transposition table for move
/// ordering, which must return exactly what plain minimax returns; `tests/engine/search.rs` holds it to that. A switch is
/// read at run time, so the search that is tested is the search that plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Techniques {
    /// Values of the transposition table may end a node.
    pub table_cutoffs: bool,
    /// Leaves are resolved by quiescence search instead of being evaluated where they are.
    pub quiescence: bool,
    /// Quiescence skips captures that cannot reach alpha.
    pub delta_pruning: bool,
    /// Moves that lose material are skipped, in quiescence and near the leaves.
    pub see_pruning: bool,
    /// Lines that cannot improve on a mate already found are cut.
    pub mate_distance_pruning: bool,
    /// The root is first searched with a narrow window around the last value.
    pub aspiration: bool,
    /// Nodes where even passing holds beta are cut.
    pub null_move: bool,
    /// Nodes whose evaluation is far above beta are cut.
    pub reverse_futility: bool,
    /// Nodes without a table move are searched one ply less deep.
    pub internal_reduction: bool,
    /// Late quiet moves near the leaves are skipped.
    pub late_move_pruning: bool,
    /// Quiet moves near the leaves that cannot reach alpha are skipped.
    pub futility: bool,
    /// Late quiet moves with a bad history are skipped.
    pub history_pruning: bool,
    /// Nodes whose evaluation is far below alpha are left to quiescence.
    pub razoring: bool,
    /// Nodes where a capture holds far more than beta in a shallower search are cut.
    pub probcut: bool,
    /// A table move that nothing else comes near is searched deeper; where much else holds beta, the node is cut.
    pub singular: bool,
    /// Late moves are first searched less deep.
    pub late_move_reductions: bool,
    /// Static evaluations are corrected by how wrong they were in like positions.
    pub correction: bool,
    /// Evaluations shrink as the fifty-move rule comes near.
    pub fifty_move_damping: bool,
    /// A position seen before is a draw already the second time, and a move back to it is known without being searched.
    pub repetition: bool,
}

impl Techniques {
    /// Everything: how Zugwerk plays.
    pub const ALL: Self = Self::every(true);

    /// Nothing: plain alpha-beta to a fixed depth.
    pub const NONE: Self = Self::every(false);

    const fn every(on: bool) -> Self {
        Self {
            table_cutoffs: on,
            quiescence: on,
            delta_pruning: on,
            see_pruning: on,
            mate_distance_pruning: on,
            aspiration: on,
            null_move: on,
            reverse_futility: on,
            internal_reduction: on,
            late_move_pruning: on,
            futility: on,
            history_pruning: on,
            razoring: on,
            probcut: on,
            singular: on,
            late_move_reductions: on,
            correction: on,
            fifty_move_damping: on,
            repetition: on,
        }
    }
}

impl Default for Techniques {
    fn default() -> Self {
        Self::ALL
    }
}
