//! The engine as a GUI sees it: a process with a pipe in and a pipe out.
//!
//! Every wait has a time limit, so that an engine that hangs fails the test instead of hanging it.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

/// Long enough for a busy machine, short enough for a test.
const PATIENCE: Duration = Duration::from_secs(30);

/// A running engine.
pub(crate) struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// All lines received so far, for messages of failures.
    seen: Vec<String>,
}

impl Engine {
    /// Starts the binary with `args`.
    pub(crate) fn start(args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_zugwerk"))
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines, seen: Vec::new() }
    }

    /// Starts the binary without arguments.
    pub(crate) fn uci() -> Self {
        Self::start(&[])
    }

    /// Writes `bytes` in one piece.
    pub(crate) fn write(&mut self, bytes: impl AsRef<[u8]>) {
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes.as_ref()).expect("the engine reads");
        input.flush().expect("the engine reads");
    }

    /// Writes one line.
    pub(crate) fn send(&mut self, line: &str) {
        self.write(format!("{line}\n"));
    }

    /// The next line, if one comes within `time`.
    pub(crate) fn line_within(&mut self, time: Duration) -> Option<String> {
        match self.lines.recv_timeout(time) {
            Ok(line) => {
                self.seen.push(line.clone());
                Some(line)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// All lines up to and including the first that begins with `prefix`.
    pub(crate) fn until(&mut self, prefix: &str) -> Vec<String> {
        let deadline = Instant::now() + PATIENCE;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Some(line) = self.line_within(left) else {
                let seen = self.seen[self.seen.len().saturating_sub(12)..].join("\n");
                panic!("`{prefix}` never came; the last lines were:\n{seen}");
            };
            let found = line.starts_with(prefix);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// All lines before the answer to an `isready` that is sent now.
    pub(crate) fn answers(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends `line` and returns what it was answered with.
    pub(crate) fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.answers()
    }

    /// Sends `go` and returns everything up to the best move.
    pub(crate) fn go(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.until("bestmove")
    }

    /// Sends `go` and returns the best move alone.
    pub(crate) fn best_move(&mut self, line: &str) -> String {
        let lines = self.go(line);
        field(lines.last().expect("a best move"), "bestmove").to_owned()
    }

    /// The FEN of the position that is set up.
    pub(crate) fn fen(&mut self) -> String {
        let drawn = self.ask("d");
        let line = drawn.iter().find_map(|line| line.strip_prefix("FEN: "));
        line.expect("the board is drawn").to_owned()
    }

    /// Makes sure that the engine says nothing for a while.
    pub(crate) fn expect_silence(&mut self) {
        if let Some(line) = self.line_within(Duration::from_millis(150)) {
            panic!("expected silence, got `{line}`");
        }
    }

    /// Makes sure that no best move comes for a while, whatever else does.
    pub(crate) fn expect_no_answer(&mut self) {
        let deadline = Instant::now() + Duration::from_millis(250);
        while let Some(line) = self.line_within(deadline.saturating_duration_since(Instant::now())) {
            assert!(!line.starts_with("bestmove"), "expected no answer yet, got `{line}`");
        }
    }

    /// Closes the input and waits for the end.
    pub(crate) fn end(&mut self) -> ExitStatus {
        self.input = None;
        self.exit_status()
    }

    /// Waits for the end.
    pub(crate) fn exit_status(&mut self) -> ExitStatus {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("the process is ours") {
                return status;
            }
            assert!(Instant::now() < deadline, "the engine does not end");
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// What is left of the output, up to its end.
    pub(crate) fn rest(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.line_within(PATIENCE)).collect()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The word behind `name` in a line; panics if there is none.
pub(crate) fn field<'l>(line: &'l str, name: &str) -> &'l str {
    let mut words = line.split_whitespace();
    words
        .find(|&word| word == name)
        .and_then(|_| words.next())
        .unwrap_or_else(|| panic!("no `{name}` in `{line}`"))
}
