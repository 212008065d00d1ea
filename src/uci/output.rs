//! Writes answers as whole lines, from any thread.

use std::{
    fmt::{self, Display},
    fs::File,
    io::{self, Write},
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
#[cfg(unix)]
use std::{fs, os::unix::fs::FileTypeExt as _};

use chrono::Utc;
use shakmaty::Move;

use super::format::{self, Style};
use crate::{
    engine::Listener,
    options::quoted,
    search::{Observer, Report, Stop},
    text::append_lines,
};

/// A writer that several threads share. Every line is written and flushed under one lock, so lines never mix.
#[derive(Clone)]
pub struct Output(Arc<Mutex<Writers>>);

struct Writers {
    to: Box<dyn Write + Send>,
    /// The log of input and output, if there is one.
    log: Option<Log>,
    /// Whether the reader has closed the pipe.
    closed: bool,
    /// Ends the task whose output the reader waits for.
    stop: Option<Arc<Stop>>,
}

struct Log {
    path: String,
    file: File,
}

impl Writers {
    /// Writes `text` and a line ending. Errors are ignored: see [`Output::line`].
    fn print(&mut self, text: &str) {
        let written = self.to.write_all(format!("{text}\n").as_bytes()).and_then(|()| self.to.flush());
        if written.is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe) {
            self.closed = true;
            self.stop_if_closed();
        }
    }

    fn stop_if_closed(&self) {
        if self.closed
            && let Some(stop) = &self.stop
        {
            stop.stop();
        }
    }

    /// Logs `text` with the time of day in UTC. A log that cannot be written is reported and closed.
    fn note(&mut self, direction: char, text: &str) {
        let Some(log) = &mut self.log else { return };
        let now = Utc::now().format("%F %T%.3f");
        let lines: String = text.lines().map(|line| format!("{now} {direction} {line}\n")).collect();
        if let Err(error) = log.file.write_all(lines.as_bytes()) {
            let problem = format!("the log in {} is closed: {error}", quoted(&log.path));
            self.log = None;
            self.print(&format::notice(&problem));
        }
    }
}

impl Output {
    /// Shares `writer`.
    #[must_use]
    pub fn new(writer: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(Writers { to: Box::new(writer), log: None, closed: false, stop: None })))
    }

    /// Writes `text` (one line, or several that belong together) and a line ending.
    ///
    /// Errors are ignored. A GUI that has closed the pipe closes the input too, and with it ends the session.
    /// [`Session::run_lines`](super::Session::run_lines) ends when the pipe is closed.
    pub fn line(&self, text: &str) {
        let mut writers = self.writers();
        writers.print(text);
        writers.note('<', text);
    }

    /// Whether the reader has closed the pipe, as far as is known: only a write tells.
    pub(super) fn is_closed(&self) -> bool {
        self.writers().closed
    }

    /// Raises `stop`, instead of an earlier one, when the reader has closed the pipe.
    pub(super) fn stop_when_closed(&self, stop: Option<Arc<Stop>>) {
        let mut writers = self.writers();
        writers.stop = stop;
        writers.stop_if_closed();
    }

    /// Logs a line of input, if there is a log.
    pub(super) fn heard(&self, line: &str) {
        self.writers().note('>', line);
    }

    /// Also appends all further output and input to the file `path`; an empty path ends the log.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or is a named pipe; there is no log then.
    pub(super) fn log_to(&self, path: &str) -> io::Result<()> {
        let mut writers = self.writers();
        writers.log = None;
        if !path.is_empty() {
            if is_named_pipe(path) {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "expected a file, got a named pipe"));
            }
            let file = append_lines(Path::new(path))?;
            writers.log = Some(Log { path: path.to_owned(), file });
        }
        Ok(())
    }

    fn writers(&self) -> MutexGuard<'_, Writers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a listener that writes reports in the protocol's format.
    #[must_use]
    pub fn printer(&self, style: Style) -> Printer {
        Printer { output: self.clone(), style }
    }
}

/// Whether `path` is a named pipe: to open one would wait until another program reads from it.
#[cfg(unix)]
fn is_named_pipe(path: &str) -> bool {
    fs::metadata(path).is_ok_and(|file| file.file_type().is_fifo())
}

#[cfg(not(unix))]
fn is_named_pipe(_: &str) -> bool {
    false
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Output")
    }
}

/// Prints the reports of a search.
#[derive(Clone, Debug)]
pub struct Printer {
    output: Output,
    style: Style,
}

impl Observer for Printer {
    fn iteration(&mut self, report: &Report) {
        self.output.line(&format::info(report, self.style));
    }

    fn current_move(&mut self, depth: u32, m: Move, number: usize) {
        self.output.line(&format::current_move(depth, m, number, self.style));
    }

    fn problem(&mut self, problem: &dyn Display) {
        self.output.line(&format::notice(problem));
    }
}

impl Listener for Printer {
    fn best_move(&mut self, best: Option<Move>, ponder: Option<Move>) {
        self.output.line(&format::best_move(best, ponder, self.style));
    }

    fn ready(&mut self) {
        self.output.line(&format::ready());
    }
}
