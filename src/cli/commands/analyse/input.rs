//! The games to analyse: those of several files, read one by one.

use std::{
    fs::File,
    io::{self, Read},
    iter,
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
    vec,
};

use anyhow::Context as _;
use zugwerk::{
    chess::pgn::{BrokenGame, Game, Games},
    engine::search::Stop,
};

use crate::cli::shared::{input::STDIN, print::warn};

/// The number of games that are read ahead.
const AHEAD: usize = 4;

/// How long to wait for a game before the question whether the work was stopped.
const PATIENCE: Duration = Duration::from_millis(100);

/// Where a game comes from.
#[derive(Clone)]
pub(super) struct Origin {
    /// Its number among all games, from 1.
    pub(super) number: usize,
    /// Its number in its file, from 1.
    number_in_file: usize,
    /// The file.
    pub(super) path: Arc<Path>,
    /// The length of its text, in bytes.
    pub(super) bytes: u64,
}

impl Origin {
    /// Says on standard error what could not be read of `game`.
    pub(super) fn warn(&self, game: Result<&Game, &BrokenGame>) {
        let path = self.path.display();
        match game {
            Ok(game) => {
                for fault in &game.faults {
                    warn(format_args!("{path}: game {}: {fault}", self.number_in_file));
                }
            }
            Err(broken) => warn(format_args!("{path}: {broken}; it is kept unchanged")),
        }
    }
}

/// A game to analyse.
pub(super) struct Entry {
    pub(super) origin: Origin,
    pub(super) game: Result<Game, BrokenGame>,
}

/// Reads `entries` on another thread, a few ahead. When `stop` is raised, those that are not yet read are
/// left out. Nobody waits for the end of that thread: its input may be a pipe that nobody closes.
pub(super) fn read_ahead<T: Send + 'static>(
    entries: impl Iterator<Item = T> + Send + 'static,
    stop: &Stop,
) -> impl Iterator<Item = T> + Send {
    let (hand_out, read) = mpsc::sync_channel(AHEAD);
    thread::spawn(move || {
        let mut entries = entries;
        entries.try_for_each(|entry| hand_out.send(entry))
    });
    iter::from_fn(move || {
        loop {
            match read.recv_timeout(PATIENCE) {
                Ok(entry) => return Some(entry),
                Err(RecvTimeoutError::Timeout) if !stop.is_stopped() => {}
                Err(_) => return None,
            }
        }
    })
}

/// The games of one file.
struct InputFile {
    path: Arc<Path>,
    games: Games<Box<dyn Read + Send>>,
    count: usize,
}

/// The games of several files.
pub(super) struct Entries {
    files: vec::IntoIter<InputFile>,
    current: Option<InputFile>,
    count: usize,
}

impl Entries {
    /// Opens all `paths`, of which `-` is standard input, so that errors appear at once and not after hours.
    pub(super) fn open(paths: &[PathBuf]) -> anyhow::Result<Self> {
        let open = |path: &PathBuf| -> anyhow::Result<InputFile> {
            let file: Box<dyn Read + Send> = match path {
                path if path == Path::new(STDIN) => Box::new(io::stdin()),
                path => Box::new(File::open(path).with_context(|| cannot_read(path))?),
            };
            Ok(InputFile { path: Arc::from(path.as_path()), games: Games::new(file), count: 0 })
        };
        let files: Vec<InputFile> = paths.iter().map(open).collect::<anyhow::Result<_>>()?;
        Ok(Self { files: files.into_iter(), current: None, count: 0 })
    }
}

impl Iterator for Entries {
    type Item = anyhow::Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.current.is_none() {
                self.current = Some(self.files.next()?);
            }
            let file = self.current.as_mut()?;
            let before = file.games.bytes();
            let Some(game) = file.games.next() else {
                self.current = None;
                continue;
            };
            self.count += 1;
            file.count += 1;
            let origin = Origin {
                number: self.count,
                number_in_file: file.count,
                path: Arc::clone(&file.path),
                bytes: file.games.bytes() - before,
            };
            return Some(game.map(|game| Entry { origin, game }).with_context(|| cannot_read(&file.path)));
        }
    }
}

fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", path.display())
}
