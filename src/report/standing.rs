//! How a position stands for a player, in five bands.

use crate::chess::value::{Value, win_percent};

/// How a position stands for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Standing {
    Lost,
    Worse,
    Level,
    Better,
    Won,
}

impl Standing {
    /// By the expected score of people, in percent. `value` is for the player.
    pub(super) fn of(value: Value) -> Self {
        match win_percent(value) {
            ..25.0 => Self::Lost,
            ..40.0 => Self::Worse,
            ..=60.0 => Self::Level,
            ..=75.0 => Self::Better,
            _ => Self::Won,
        }
    }

    /// The word that goes before `position`.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Worse => "worse",
            Self::Level => "level",
            Self::Better => "better",
            Self::Won => "won",
        }
    }
}
