//! A log of the communication with the engines, line by line, for the analysis of faults.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, LineWriter, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::files::append_lines;

/// A log that all engines of a match share; without a file it records nothing.
#[derive(Debug, Clone, Default)]
pub struct Log(Option<Arc<Mutex<LogFile>>>);

#[derive(Debug)]
struct LogFile {
    file: LineWriter<File>,
    began: Instant,
    /// The number of processes of each player.
    processes: HashMap<String, u32>,
}

impl Log {
    /// Returns a log that appends to `path`, which is created if it does not exist.
    ///
    /// # Errors
    /// The error of opening the file.
    pub fn to(path: &Path) -> io::Result<Self> {
        let file = LineWriter::new(append_lines(path)?);
        let log = LogFile { file, began: Instant::now(), processes: HashMap::new() };
        Ok(Log(Some(Arc::new(Mutex::new(log)))))
    }

    /// Returns the log of the next process of `player`.
    pub(in crate::arena) fn of_process(&self, player: &str) -> ProcessLog {
        let number = self.0.as_ref().map_or(0, |log| {
            let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
            let number = log.processes.entry(player.to_owned()).or_default();
            *number += 1;
            *number
        });
        ProcessLog { log: self.clone(), process: format!("{player}#{number}") }
    }
}

/// The log of one process.
#[derive(Debug, Clone)]
pub(in crate::arena) struct ProcessLog {
    log: Log,
    /// `name#2` is the second process of a player.
    process: String,
}

impl ProcessLog {
    /// Records a line: seconds since the log was opened, the process, `mark`, and `line`. The mark of what
    /// the engine gets is `>`, of its output `<`, and of its standard error `!`. Write errors are ignored,
    /// because the match should continue.
    pub(in crate::arena) fn note(&self, mark: char, line: &str) {
        let Some(log) = &self.log.0 else { return };
        let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
        let seconds = log.began.elapsed().as_secs_f64();
        let _ = writeln!(log.file, "{seconds:.3} {} {mark} {}", self.process, line.trim_end());
    }
}
