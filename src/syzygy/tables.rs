//! The files of the tables.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fmt, fs,
    io::{self, ErrorKind, Read as _},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use shakmaty::{Chess, KnownOutcome, Position as _};
use shakmaty_syzygy::{Dtz, MaybeRounded, Syzygy as _, SyzygyError, Tablebase, Wdl};

use super::Probe;

/// The tables in some folders.
///
/// Files are opened when they are first needed, and read at the place asked for: no table is held in memory.
pub struct Tables {
    tables: Tablebase<Chess>,
    /// The pieces of the largest table, or fewer if so limited.
    pieces: usize,
    wdl_files: usize,
    dtz_files: usize,
    damaged: Mutex<Damaged>,
}

/// What probing has found damaged.
#[derive(Debug, Default)]
struct Damaged {
    /// All of it.
    named: BTreeSet<String>,
    /// What nobody has been told yet, each with its reason.
    untold: Vec<String>,
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables").field("pieces", &self.pieces).finish_non_exhaustive()
    }
}

impl fmt::Display for Tables {
    /// How many tables there are: `35 WDL and 35 DTZ tables of up to 4 pieces`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} WDL and {} DTZ tables of up to {} pieces", self.wdl_files, self.dtz_files, self.pieces)
    }
}

/// Why endgame tables, or some of them, are not used.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// A folder or file cannot be read, or is damaged.
    #[error("{path}: {error}")]
    Io {
        /// Which.
        path: String,
        /// Why.
        error: io::Error,
    },
    /// None of the folders holds a table.
    #[error("no Syzygy tables in {0}")]
    None(String),
}

impl Tables {
    /// Opens the tables in `path`: folders separated by `:` (`;` on Windows).
    ///
    /// # Errors
    /// The first thing that cannot be used, or [`TablesError::None`].
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

    /// Opens the tables in `path`, leaving out what cannot be used, of which it tells `problem`. `None` if there are no
    /// WDL tables.
    pub fn open_what_can_be(path: &str, mut problem: impl FnMut(TablesError)) -> Option<Self> {
        let mut tables = Tablebase::new();
        let (mut wdl, mut dtz) = (BTreeSet::new(), BTreeSet::new());
        for folder in std::env::split_paths(path).filter(|folder| folder != Path::new("")) {
            let files = table_files(&folder).unwrap_or_else(|error| {
                problem(TablesError::Io { path: folder.display().to_string(), error });
                Vec::new()
            });
            for (file, name, is_wdl) in files {
                match check_magic(&file, is_wdl).and_then(|()| tables.add_file(&file)) {
                    Ok(()) => drop(if is_wdl { wdl.insert(name) } else { dtz.insert(name) }),
                    // By its name it is something else.
                    Err(error) if error.kind() == ErrorKind::InvalidInput => {}
                    Err(error) => problem(TablesError::Io { path: file.display().to_string(), error }),
                }
            }
        }
        (!wdl.is_empty()).then(|| Tables {
            pieces: tables.max_pieces(),
            tables,
            wdl_files: wdl.len(),
            dtz_files: dtz.len(),
            damaged: Mutex::default(),
        })
    }

    /// The tables, asked only about positions with at most `pieces` pieces.
    #[must_use]
    pub fn limited_to(self, pieces: usize) -> Self {
        Self { pieces: self.pieces.min(pieces), ..self }
    }

    /// The result with best play from here, where the tables know it. Wins that the fifty-move rule spoils are draws.
    #[must_use]
    pub fn outcome(&self, position: &Chess) -> Option<KnownOutcome> {
        // Just after a capture or pawn move the WDL table alone is exact; else the distance must be asked too.
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

    fn can_know(&self, position: &Chess) -> bool {
        position.board().occupied().count() <= self.pieces && !position.castles().any()
    }

    /// The answer, if it is one. Damage is noted; a table that is not there is nothing to complain about.
    fn noted<T>(&self, answer: Result<T, SyzygyError>) -> Option<T> {
        if let Err(SyzygyError::ProbeFailed { metric, material, error }) = &answer {
            let mut damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
            let name = format!("the {} table {material}", metric.to_string().to_uppercase());
            if damaged.named.insert(name.clone()) {
                let why = error.to_string();
                let why = why.lines().next().unwrap_or_default();
                damaged.untold.push(format!("{name} is not used: {}", why.trim_end_matches([':', ' '])));
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
        std::mem::take(&mut self.damaged.lock().unwrap_or_else(PoisonError::into_inner).untold)
    }
}

/// The files in `folder` that are tables by their ends: the path, the name, and whether it is a WDL table. In the order of
/// their names, so that what is told of them is always the same.
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

/// Whether the file begins as such a table does. shakmaty-syzygy looks at its size now, and at this only when it is used.
fn check_magic(file: &Path, is_wdl: bool) -> io::Result<()> {
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
        assert!(matches!(Tables::open("/nonexistent/tables"), Err(TablesError::Io { .. })));
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
        // What can only be seen inside is seen when it is asked, told once, and no answer.
        let position: shakmaty::fen::Fen = "8/8/8/8/8/1k6/1P6/1K6 w - - 0 1".parse().unwrap();
        let position: Chess = position.into_position(shakmaty::CastlingMode::Standard).unwrap();
        for _ in 0..3 {
            assert_eq!(tables.wdl(&position), None);
            assert_eq!(tables.outcome(&position), None);
        }
        let problems = tables.problems();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert!(problems[0].starts_with("the WDL table KPvK is not used: "), "{problems:?}");
        assert_eq!(tables.problems(), [""; 0], "and only once");
    }
}
