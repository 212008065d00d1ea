//! The files of endgame tables.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fmt, fs,
    io::{self, ErrorKind, Read as _},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use shakmaty::{Chess, KnownOutcome, Position as _};
use shakmaty_syzygy::{Dtz, MaybeRounded, ProbeError, Syzygy as _, SyzygyError, Tablebase, Wdl};

use super::Probe;

/// The tables in some folders.
///
/// Files are opened when first needed and read only where needed, so tables are not kept in memory.
pub struct Tables {
    tables: Tablebase<Chess>,
    /// The number of pieces of the largest table, or a lower limit.
    pieces: usize,
    wdl_files: usize,
    dtz_files: usize,
    damaged: Mutex<Damaged>,
}

/// Damaged tables found while probing.
#[derive(Debug, Default)]
struct Damaged {
    /// All of them.
    named: BTreeSet<String>,
    /// Those not reported yet, each with its reason.
    untold: Vec<String>,
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables").field("pieces", &self.pieces).finish_non_exhaustive()
    }
}

impl fmt::Display for Tables {
    /// Writes the number of tables: `35 WDL and 35 DTZ tables of up to 4 pieces`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} WDL and {} DTZ tables of up to {} pieces", self.wdl_files, self.dtz_files, self.pieces)
    }
}

/// The reason why endgame tables, or some of them, are not used.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// A folder cannot be read.
    #[error("{path}: {error}")]
    Folder {
        /// The folder.
        path: String,
        /// The error.
        error: io::Error,
    },
    /// A file cannot be read, or is damaged.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: String,
        /// The error.
        error: io::Error,
    },
    /// None of the folders contains a WDL table.
    #[error("no Syzygy tables in {0}")]
    None(String),
}

impl Tables {
    /// Opens the tables in `path`: folders separated by `:` (`;` on Windows).
    ///
    /// # Errors
    /// The first error, or [`TablesError::None`].
    pub fn open(path: &str) -> Result<Self, TablesError> {
        let mut first = None;
        let tables = Self::open_what_can_be(path, |problem| {
            first.get_or_insert(problem);
        });
        match first {
            Some(problem) => Err(problem),
            None => tables.ok_or_else(|| TablesError::None(path.to_owned())),
        }
    }

    /// Opens the tables in `path`. Folders and files that cannot be used are skipped and passed to `problem`.
    /// `None` if there are no WDL tables; this is a problem too, unless no folder could be read.
    pub fn open_what_can_be(path: &str, mut problem: impl FnMut(TablesError)) -> Option<Self> {
        let mut tables = Tablebase::new();
        let (mut wdl, mut dtz) = (BTreeSet::new(), BTreeSet::new());
        let mut has_folder = false;
        for folder in std::env::split_paths(path).filter(|folder| folder != Path::new("")) {
            let files = match table_files(&folder) {
                Ok(files) => files,
                Err(error) => {
                    problem(TablesError::Folder { path: folder.display().to_string(), error });
                    continue;
                }
            };
            has_folder = true;
            for (file, name, is_wdl) in files {
                match check_magic(&file, is_wdl).and_then(|()| tables.add_file(&file)) {
                    Ok(()) => drop(if is_wdl { wdl.insert(name) } else { dtz.insert(name) }),
                    // Its name is not that of a table.
                    Err(error) if error.kind() == ErrorKind::InvalidInput => {}
                    Err(error) => problem(TablesError::File { path: file.display().to_string(), error }),
                }
            }
        }
        if wdl.is_empty() && has_folder {
            problem(TablesError::None(path.to_owned()));
        }
        (!wdl.is_empty()).then(|| Tables {
            pieces: tables.max_pieces(),
            tables,
            wdl_files: wdl.len(),
            dtz_files: dtz.len(),
            damaged: Mutex::default(),
        })
    }

    /// Limits probing to positions with at most `pieces` pieces.
    #[must_use]
    pub fn limited_to(self, pieces: usize) -> Self {
        Self { pieces: self.pieces.min(pieces), ..self }
    }

    /// The result with best play, if the tables know it. Wins that the fifty-move rule prevents are draws.
    #[must_use]
    pub fn outcome(&self, position: &Chess) -> Option<KnownOutcome> {
        // Just after a capture or pawn move the WDL table alone is exact; otherwise the distance is needed
        // too.
        let wdl = match position.halfmoves() {
            0 => self.wdl(position)?,
            _ if !self.can_know(position) => return None,
            _ => self.noted(self.tables.probe_wdl(position))?.unambiguous()?,
        };
        Some(KnownOutcome::from_winner(match wdl {
            Wdl::Win => Some(position.turn()),
            Wdl::Loss => Some(!position.turn()),
            Wdl::BlessedLoss | Wdl::Draw | Wdl::CursedWin => None,
        }))
    }

    fn damaged(&self) -> MutexGuard<'_, Damaged> {
        self.damaged.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn can_know(&self, position: &Chess) -> bool {
        position.board().occupied().count() <= self.pieces && !position.castles().any()
    }

    /// Returns the answer, if there is one. Damage is recorded; a missing table is not a problem.
    fn noted<T>(&self, answer: Result<T, SyzygyError>) -> Option<T> {
        if let Err(SyzygyError::ProbeFailed { metric, material, error }) = &answer {
            let mut damaged = self.damaged();
            let name = format!("the {} table {material}", metric.to_string().to_uppercase());
            if damaged.named.insert(name.clone()) {
                let why = match **error {
                    // Its own text has the backtrace.
                    ProbeError::CorruptedTable { .. } => "corrupted table".to_owned(),
                    _ => error.to_string(),
                };
                damaged.untold.push(format!("{name} is not used: {why}"));
            }
        }
        answer.ok()
    }
}

impl Probe for Tables {
    fn pieces(&self) -> usize {
        self.pieces
    }

    fn wdl(&self, position: &Chess) -> Option<Wdl> {
        self.can_know(position).then(|| self.noted(self.tables.probe_wdl_after_zeroing(position)))?
    }

    fn dtz(&self, position: &Chess) -> Option<MaybeRounded<Dtz>> {
        self.can_know(position).then(|| self.noted(self.tables.probe_dtz(position)))?
    }

    fn problems(&self) -> Vec<String> {
        std::mem::take(&mut self.damaged().untold)
    }
}

/// The files in `folder` with the extension of a table: path, name, and whether it is a WDL table. Sorted by
/// name, so that reports have a fixed order.
fn table_files(folder: &Path) -> io::Result<Vec<(PathBuf, OsString, bool)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_wdl = path.extension().is_some_and(|end| end == Chess::TBW.ext);
        let is_dtz = path.extension().is_some_and(|end| end == Chess::TBZ.ext);
        if let (true, Some(name)) = (is_wdl || is_dtz, path.file_name()) {
            let name = name.to_owned();
            files.push((path, name, is_wdl));
        }
    }
    files.sort();
    Ok(files)
}

/// Checks the magic bytes of a table. shakmaty-syzygy checks its size on opening, but the magic bytes only on
/// use.
fn check_magic(file: &Path, is_wdl: bool) -> io::Result<()> {
    // To open a named pipe would wait until another program writes to it.
    if !fs::metadata(file)?.is_file() {
        return Err(io::Error::other("not a file"));
    }
    let mut begins = Vec::new();
    fs::File::open(file)?.take(4).read_to_end(&mut begins)?;
    let expected = if is_wdl { Chess::TBW.magic } else { Chess::TBZ.magic };
    if begins == expected {
        return Ok(());
    }
    Err(io::Error::new(ErrorKind::InvalidData, "not a Syzygy table by its first bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_tables_are_reported() {
        assert!(matches!(Tables::open("/nonexistent/tables"), Err(TablesError::Folder { .. })));
        assert!(matches!(Tables::open(env!("CARGO_MANIFEST_DIR")), Err(TablesError::None(_))));
    }

    #[test]
    fn a_broken_file_is_named_once_and_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = |magic: [u8; 4]| [magic.to_vec(), vec![0; 76]].concat();
        for (name, bytes) in [
            ("KQvK.rtbw", bytes([1, 2, 3, 4])), // the wrong first bytes
            ("KRvK.rtbw", bytes(Chess::TBW.magic)[..70].to_vec()), // cut off
            ("KPvK.rtbw", bytes(Chess::TBW.magic)), // nothing behind a right beginning
            ("readme.txt", b"no table".to_vec()),
            ("wrong.rtbw", bytes(Chess::TBW.magic)), // no such material
        ] {
            fs::write(folder.path().join(name), bytes).unwrap();
        }
        let mut problems = Vec::new();
        let path = folder.path().to_str().unwrap();
        let tables = Tables::open_what_can_be(path, |problem| problems.push(problem.to_string()));
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(problems[0].contains("KQvK.rtbw: not a Syzygy table"), "{problems:?}");
        assert!(problems[1].contains("KRvK.rtbw: unexpected file size"), "{problems:?}");
        assert!(Tables::open(path).is_err());
        let tables = tables.unwrap();
        assert_eq!(tables.to_string(), "1 WDL and 0 DTZ tables of up to 3 pieces");
        // Damage that can be detected only inside a file is detected on probing, reported once, and gives no
        // answer.
        let position: shakmaty::fen::Fen = "8/8/8/8/8/1k6/1P6/1K6 w - - 0 1".parse().unwrap();
        let position: Chess = position.into_position(shakmaty::CastlingMode::Standard).unwrap();
        for _ in 0..3 {
            assert_eq!(tables.wdl(&position), None);
            assert_eq!(tables.outcome(&position), None);
        }
        let problems = tables.problems();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(problems[0], "the WDL table KPvK is not used: corrupted table");
        assert_eq!(tables.problems(), [""; 0], "and only once");
    }
}
