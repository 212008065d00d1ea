//! Drives the engine as a GUI does: a process with input and output pipes.
//!
//! Every wait has a time limit, so that a hanging engine fails the test instead of blocking it.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{self, Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

/// Long enough for a busy machine, on which the memory of a table of 1 GiB may take half a minute to clear.
const PATIENCE: Duration = Duration::from_secs(120);

/// A loaded machine answers within this time, too. What has not come by then never comes. Tests of speed call
/// [`assert_takes_less`](super::assert_takes_less), which tries again.
pub(crate) const AT_LAST: Duration = Duration::from_secs(60);

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
        Self::spawn(Command::new(env!("CARGO_BIN_EXE_zugwerk")).args(args))
    }

    /// Starts the binary without arguments, after `command` of the shell.
    #[cfg(target_os = "linux")]
    pub(crate) fn limited(command: &str) -> Self {
        let script = format!("{command} && exec {}", env!("CARGO_BIN_EXE_zugwerk"));
        Self::spawn(Command::new("sh").args(["-c", &script]))
    }

    fn spawn(command: &mut Command) -> Self {
        let mut child = command
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

    /// Returns the next line, if one arrives within `time`.
    pub(crate) fn line_within(&mut self, time: Duration) -> Option<String> {
        match self.lines.recv_timeout(time) {
            Ok(line) => {
                self.seen.push(line.clone());
                Some(line)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Returns all lines up to and including the first that begins with `prefix`.
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

    /// Sends `isready` and returns all lines before its answer.
    pub(crate) fn answers(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends `line` and returns its answers.
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

    /// Returns the FEN of the current position.
    pub(crate) fn fen(&mut self) -> String {
        let drawn = self.ask("d");
        let line = drawn.iter().find_map(|line| line.strip_prefix("FEN: "));
        line.expect("the board is drawn").to_owned()
    }

    /// Asserts that the engine prints nothing for a while.
    pub(crate) fn expect_silence(&mut self) {
        if let Some(line) = self.line_within(Duration::from_millis(150)) {
            panic!("expected silence, got `{line}`");
        }
    }

    /// Asserts that no best move arrives for a while; other lines may.
    pub(crate) fn expect_no_answer(&mut self) {
        let deadline = Instant::now() + Duration::from_millis(250);
        while let Some(line) = self.line_within(deadline.saturating_duration_since(Instant::now())) {
            assert!(!line.starts_with("bestmove"), "expected no answer yet, got `{line}`");
        }
    }

    /// Closes the input and waits for the process to end.
    pub(crate) fn end(&mut self) -> ExitStatus {
        self.input = None;
        self.exit_status()
    }

    /// Waits for the process to end.
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

    /// Returns the rest of the output.
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

/// Returns the word after `name` in a line; panics if there is none.
pub(crate) fn field<'l>(line: &'l str, name: &str) -> &'l str {
    let mut words = line.split_whitespace();
    words
        .find(|&word| word == name)
        .and_then(|_| words.next())
        .unwrap_or_else(|| panic!("no `{name}` in `{line}`"))
}
