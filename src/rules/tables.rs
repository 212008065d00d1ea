//! Syzygy endgame tables as a referee.

use std::{fmt, path::Path};

use shakmaty::{Chess, KnownOutcome, Position};
use shakmaty_syzygy::{Tablebase, Wdl};

/// Syzygy endgame tables, which know the result of positions with few pieces, the fifty-move rule included.
pub struct Tables {
    tables: Tablebase<Chess>,
    pieces: usize,
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables").field("pieces", &self.pieces).finish_non_exhaustive()
    }
}

/// Why there are no endgame tables.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// A directory cannot be read, or holds a damaged table.
    #[error("{directory}: {error}")]
    Io {
        /// Which.
        directory: String,
        /// Why.
        error: std::io::Error,
    },
    /// None of the directories holds a table.
    #[error("no Syzygy tables in {0}")]
    None(String),
}

impl Tables {
    /// Opens the tables in `path`: directories separated by `:` (`;` on Windows). Positions with more than `pieces`
    /// pieces are not looked up.
    ///
    /// # Errors
    /// [`TablesError`] when a directory cannot be read or there are no tables in any.
    pub fn open(path: &str, pieces: usize) -> Result<Self, TablesError> {
        let mut tables = Tablebase::new();
        for directory in std::env::split_paths(path).filter(|path| path != Path::new("")) {
            let added = tables.add_directory(&directory);
            added.map_err(|error| TablesError::Io { directory: directory.display().to_string(), error })?;
        }
        match tables.max_pieces() {
            0 => Err(TablesError::None(path.to_owned())),
            largest => Ok(Tables { tables, pieces: pieces.min(largest) }),
        }
    }

    /// The result with best play, where the tables know it. Wins that the fifty-move rule spoils are draws.
    pub(super) fn probe(&self, position: &Chess) -> Option<KnownOutcome> {
        if position.board().occupied().count() > self.pieces || position.castles().any() {
            return None;
        }
        // Just after a capture or pawn move the WDL table alone is exact; else the distance must be asked too.
        let wdl = match position.halfmoves() {
            0 => self.tables.probe_wdl_after_zeroing(position).ok()?,
            _ => self.tables.probe_wdl(position).ok()?.unambiguous()?,
        };
        Some(KnownOutcome::from_winner(match wdl {
            Wdl::Win => Some(position.turn()),
            Wdl::Loss => Some(!position.turn()),
            Wdl::BlessedLoss | Wdl::Draw | Wdl::CursedWin => None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_tables_are_reported() {
        assert!(matches!(Tables::open("/nonexistent/tables", 7), Err(TablesError::Io { .. })));
        assert!(matches!(Tables::open(env!("CARGO_MANIFEST_DIR"), 7), Err(TablesError::None(_))));
    }
}
