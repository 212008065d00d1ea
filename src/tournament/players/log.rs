//! A log of the communication with the engines, line by line, for the analysis of faults.

use std::fs::File;
use std::io::{self, LineWriter, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::text::append_lines;

/// The source of a line of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tournament) enum Voice {
    /// The referee, to the engine.
    Referee,
    /// The engine, on its standard output.
    Engine,
    /// The engine, on its standard error.
    Stderr,
}

/// A log that all engines of a match share; without a file it records nothing.
#[derive(Debug, Clone, Default)]
pub struct Log(Option<Arc<Mutex<LineWriter<File>>>>, Option<Instant>);

impl Log {
    /// Returns a log that appends to `path`, which is created if it does not exist.
    ///
    /// # Errors
    /// The error of opening the file.
    pub fn to(path: &Path) -> io::Result<Self> {
        let file = LineWriter::new(append_lines(path)?);
        Ok(Log(Some(Arc::new(Mutex::new(file))), Some(Instant::now())))
    }

    /// Records a line: seconds since the log was opened, the player, and `>` for input, `<` for output, `!` for
    /// standard error of the engine. Write errors are ignored, because the match should continue.
    pub(in crate::tournament) fn note(&self, player: &str, voice: Voice, line: &str) {
        let (Some(file), Some(began)) = (&self.0, self.1) else { return };
        let mark = match voice {
            Voice::Referee => '>',
            Voice::Engine => '<',
            Voice::Stderr => '!',
        };
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writeln!(file, "{:.3} {player} {mark} {}", began.elapsed().as_secs_f64(), line.trim_end());
    }
}
