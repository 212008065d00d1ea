//! The techniques of the search, each with a name and a switch.

use crate::words::quoted;

macro_rules! techniques {
    (
        results { $($(#[doc = $result_about:literal])+ $result:ident,)+ }
        order { $($(#[doc = $order_about:literal])+ $order:ident,)+ }
    ) => {
        /// One switch for each technique, read at run time: the search that is tested is the search that
        /// plays.
        ///
        /// With [`Techniques::NONE`] the search is alpha-beta with good move ordering, and returns exactly
        /// what plain minimax returns; `tests/engine/search.rs` compares them. There the last group decides
        /// only in which order moves are searched. Beside the others it changes results too: reductions and
        /// pruning depend on the history of a move and on the material that it loses.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Techniques {
            $($(#[doc = $result_about])+ pub $result: bool,)+
            $($(#[doc = $order_about])+ pub $order: bool,)+
        }

        impl Techniques {
            /// Everything: how Zugwerk plays.
            pub const ALL: Self = Self { $($result: true,)+ $($order: true,)+ };

            /// Nothing but move ordering: plain alpha-beta to a fixed depth.
            pub const NONE: Self = Self { $($result: false,)+ $($order: true,)+ };

            /// The name of each technique, which is the name of its field.
            pub const NAMES: &[&str] = &[$(stringify!($result),)+ $(stringify!($order),)+];

            /// The switch called `name`.
            fn switch(&mut self, name: &str) -> Option<&mut bool> {
                match name {
                    $(stringify!($result) => Some(&mut self.$result),)+
                    $(stringify!($order) => Some(&mut self.$order),)+
                    _ => None,
                }
            }
        }
    };
}

techniques! {
    results {
        /// Values of the transposition table may end a node.
        table_cutoffs,
        /// Leaves are resolved by quiescence search instead of being evaluated statically.
        quiescence,
        /// Quiescence skips captures that cannot reach alpha.
        delta_pruning,
        /// Quiescence skips most captures after the first three.
        few_captures,
        /// Moves that lose material are skipped, in quiescence and near the leaves.
        see_pruning,
        /// Lines that cannot improve on a mate already found are pruned.
        mate_distance_pruning,
        /// The root is first searched with a narrow window around the last value.
        aspiration,
        /// Nodes in which a null move reaches beta end.
        null_move,
        /// Nodes whose evaluation is far above beta end.
        reverse_futility,
        /// Nodes without a table move are searched one ply less deep.
        internal_reduction,
        /// Late quiet moves near the leaves are skipped.
        late_move_pruning,
        /// Quiet moves near the leaves that cannot reach alpha are skipped.
        futility,
        /// Late quiet moves with a bad history are skipped.
        history_pruning,
        /// Moves are skipped on the principal variation too.
        pv_pruning,
        /// Nodes whose evaluation is far below alpha are left to quiescence.
        razoring,
        /// Nodes in which a capture is far above beta in a shallower search end.
        probcut,
        /// A table move that no other move comes near is searched deeper; if another move reaches beta too,
        /// the node ends.
        singular,
        /// Late moves are first searched less deep.
        late_move_reductions,
        /// Static evaluations are corrected by their errors in similar positions.
        correction,
        /// Evaluations shrink as the fifty-move counter grows.
        fifty_move_damping,
        /// The second occurrence of a position is a draw, and a move back to it is found without search.
        repetition,
        /// Nodes in which a bare king is known to draw end.
        known_draws,
    }
    order {
        /// The move of the transposition table is searched first. (At the root the last iteration decides the
        /// order.)
        table_move,
        /// Captures of large pieces are searched before captures of small ones.
        victim_order,
        /// Captures that lose material are searched last.
        see_order,
        /// Quiet moves are ordered by how often they caused a cut-off.
        quiet_history,
        /// Quiet moves are ordered by how often they caused a cut-off after the moves before them.
        continuation_history,
        /// Quiet moves are ordered by how often they caused a cut-off among the same pawns.
        pawn_history,
        /// Captures of equal pieces are ordered by how often they caused a cut-off.
        capture_history,
    }
}

impl Techniques {
    /// All techniques but those in `names`, a list separated by commas or blanks. Upper and lower case are
    /// the same, and so are `-` and `_`. An empty list switches nothing off.
    ///
    /// ```
    /// use zugwerk::engine::search::Techniques;
    /// let techniques = Techniques::without("null_move, futility")?;
    /// assert!(!techniques.null_move && techniques.razoring);
    /// assert_eq!(Techniques::without("")?, Techniques::ALL);
    /// # Ok::<(), zugwerk::engine::search::UnknownTechnique>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnknownTechnique`] for the first name that no technique has.
    pub fn without(names: &str) -> Result<Self, UnknownTechnique> {
        let mut techniques = Self::ALL;
        for name in names.split([',', ' ']).filter(|name| !name.is_empty()) {
            let known = name.to_ascii_lowercase().replace('-', "_");
            let switch = techniques.switch(&known).ok_or_else(|| UnknownTechnique(name.to_owned()))?;
            *switch = false;
        }
        Ok(techniques)
    }

    /// These techniques without those that leave out moves or search them less deep. A search for a mate
    /// finds it sooner without them.
    pub(super) fn without_pruning(self) -> Self {
        Self {
            null_move: false,
            reverse_futility: false,
            razoring: false,
            probcut: false,
            late_move_pruning: false,
            futility: false,
            history_pruning: false,
            see_pruning: false,
            late_move_reductions: false,
            ..self
        }
    }

    /// The names of the techniques that are switched off.
    pub fn missing(mut self) -> impl Iterator<Item = &'static str> {
        Self::NAMES.iter().copied().filter(move |name| self.switch(name).is_some_and(|on| !*on))
    }
}

impl Default for Techniques {
    fn default() -> Self {
        Self::ALL
    }
}

/// No technique has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected names of techniques ({known}), got {got}", known = Techniques::NAMES.join(", "), got = quoted(.0))]
pub struct UnknownTechnique(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_switches_off_its_technique_and_no_other() {
        for name in Techniques::NAMES {
            let off = Techniques::without(name).unwrap();
            assert_eq!(off.missing().collect::<Vec<_>>(), [*name]);
            assert_eq!(Techniques::without(&name.replace('_', "-").to_uppercase()).unwrap(), off);
        }
        let all = Techniques::without(&Techniques::NAMES.join(" ,")).unwrap();
        assert_eq!(all.missing().count(), Techniques::NAMES.len());
    }

    #[test]
    fn unknown_names_are_refused_with_a_list_of_the_known_ones() {
        let error = Techniques::without("null_move,nul_move").unwrap_err().to_string();
        assert!(error.starts_with("expected names of techniques (table_cutoffs, "), "{error}");
        assert!(error.ends_with(", capture_history), got \"nul_move\""), "{error}");
    }
}
