//! Where answers go: whole lines, from whichever thread.

use std::{
    fmt::{self, Display},
    io::Write,
    sync::{Arc, Mutex, PoisonError},
};

use shakmaty::Move;

use super::format::{self, Style};
use crate::{
    engine::Listener,
    search::{Observer, Report},
};

/// A writer that several threads share. Every line is written and flushed under one lock, so lines never mix.
#[derive(Clone)]
pub struct Output(Arc<Mutex<dyn Write + Send>>);

impl Output {
    /// Shares `writer`.
    #[must_use]
    pub fn new(writer: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(writer)))
    }

    /// Writes `text` (one line, or several that belong together) and a line ending.
    ///
    /// Errors are ignored: when nobody listens any more, the input ends as well, and with it the session.
    pub fn line(&self, text: &str) {
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writer.write_all(format!("{text}\n").as_bytes()).and_then(|()| writer.flush());
    }

    /// A listener that writes here what it hears, in the words of the protocol.
    #[must_use]
    pub fn printer(&self, style: Style) -> Printer {
        Printer { output: self.clone(), style }
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Output")
    }
}

/// Prints what a search finds.
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
