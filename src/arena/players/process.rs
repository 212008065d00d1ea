//! An engine process: its pipes, the thread that reads its output, and its end.
//!
//! The reading thread blocks in `read` and forwards only what the referee waits for. Of the `info` lines it
//! keeps the last scored one and delivers it with the `bestmove`. A move therefore wakes the referee only
//! once, however much the engine writes, and the arrival time is taken when the line arrives. The channel is
//! bounded: an engine that floods it blocks itself and does not fill the referee's memory.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::arena::ending::Fault;
use crate::arena::players::info::is_scored;
use crate::arena::players::log::{Log, ProcessLog};
use crate::arena::players::options::Announced;
use crate::arena::players::running::Running;
use crate::arena::players::spec::PlayerSpec;

/// Longer lines are truncated; the longest sensible one is a `pv` of a few hundred moves.
const LINE_LIMIT: u64 = 64 * 1024;

/// Lines that may wait for the referee before the engine is blocked.
const CHANNEL_LINES: usize = 256;

/// The number of lines `info string` that are kept, and the length of each: an engine that writes without
/// pause must not fill the memory.
const MOST_REMARKS: usize = 20;
const LONGEST_REMARK: usize = 500;

/// The number of last lines of standard error that are kept: the one with the cause, and those that may
/// follow it.
const LAST_WORDS: usize = 3;

/// The maximum time to wait for the exit status of a process that closed its output.
const STATUS_GRACE: Duration = Duration::from_millis(200);

/// Output of the engine that the referee may wait for.
#[derive(Debug)]
pub(in crate::arena) enum Message {
    /// `uciok`.
    UciOk,
    /// `id name …`.
    Name(String),
    /// `readyok`, and what the engine has said since `uciok`, or since the last `bestmove` or `readyok`: the
    /// texts of its first lines `info string`.
    ReadyOk(Vec<String>),
    /// `option name … type …`.
    Option(Announced),
    /// `bestmove …`.
    BestMove(BestMove),
}

/// A `bestmove` line and the output before it.
#[derive(Debug)]
pub(in crate::arena) struct BestMove {
    /// The arguments of `bestmove`.
    pub(in crate::arena) text: String,
    /// The last scored `info` line since the previous `bestmove` or `readyok`.
    pub(in crate::arena) info: Option<String>,
    /// The number of lines since then that are not UCI.
    pub(in crate::arena) junk: u64,
    /// When the line arrived.
    pub(in crate::arena) at: Instant,
}

/// A running engine. Dropping it kills it.
#[derive(Debug)]
pub(in crate::arena) struct Process {
    running: Running,
    stdin: Option<ChildStdin>,
    said: Receiver<Message>,
    log: ProcessLog,
    /// The last lines of standard error, and the thread that reads them.
    last_words: Arc<Mutex<VecDeque<String>>>,
    stderr_reader: JoinHandle<()>,
}

impl Process {
    /// Starts the engine and the threads that read its output; all communication goes to `log`.
    pub(in crate::arena) fn start(spec: &PlayerSpec, log: &Log) -> io::Result<Self> {
        let mut command = Command::new(&spec.command);
        command.args(&spec.args);
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        let (running, stdin, stdout, stderr) = Running::start(command)?;
        let (log, name) = (log.of_process(&spec.name), &spec.name);
        let (to, said) = sync_channel(CHANNEL_LINES);
        let notes = log.clone();
        thread::Builder::new().name(format!("output of {name}")).spawn(move || {
            // The thread ends when the referee is gone or the output ends.
            let _ = read_output(stdout, &to, |line| notes.note('<', line));
        })?;
        let last_words = Arc::new(Mutex::new(VecDeque::new()));
        let (notes, words) = (log.clone(), Arc::clone(&last_words));
        let stderr_reader = thread::Builder::new().name(format!("errors of {name}")).spawn(move || {
            let _ = read_errors(stderr, &words, |line| notes.note('!', line));
        })?;
        Ok(Process { running, stdin: Some(stdin), said, log, last_words, stderr_reader })
    }

    /// Sends one line. A broken pipe is not an error here; the end of the engine's output reports it.
    pub(in crate::arena) fn send(&mut self, line: &str) {
        self.log.note('>', line);
        if let Some(stdin) = &mut self.stdin {
            let _ = stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush());
        }
    }

    /// Waits for the next output; `Disconnected` is the end of the output.
    pub(in crate::arena) fn hear(&self, patience: Duration) -> Result<Message, RecvTimeoutError> {
        self.said.recv_timeout(patience)
    }

    /// Ends a process that has closed its output. Returns its exit status, if it ended by itself, and its
    /// last message on standard error, if any.
    pub(in crate::arena) fn wait_for_exit(mut self) -> (Option<ExitStatus>, Option<String>) {
        let deadline = Instant::now() + STATUS_GRACE;
        let status = loop {
            match self.running.status() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                _ => break None, // dropping it kills it
            }
        };
        while !self.stderr_reader.is_finished() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(5));
        }
        (status, self.last_words())
    }

    /// Its last message on standard error, if any: the first one of the last lines, because a note or a
    /// backtrace follows it.
    pub(in crate::arena) fn last_words(&self) -> Option<String> {
        self.last_words.lock().unwrap_or_else(PoisonError::into_inner).front().cloned()
    }

    /// Asks the engine to quit, waits `grace` for it to close its output, and kills it if it has not. Returns
    /// the crash of an engine that ends by itself but not with success.
    pub(in crate::arena) fn quit(mut self, grace: Duration) -> Option<Fault> {
        self.send("quit");
        self.stdin = None;
        let deadline = Instant::now() + grace;
        while let left = deadline.saturating_duration_since(Instant::now())
            && !left.is_zero()
        {
            if let Err(RecvTimeoutError::Disconnected) = self.hear(left) {
                let (status, last_words) = self.wait_for_exit();
                let failed = status.filter(|status| !status.success());
                return failed.map(|status| Fault::crash(Some(status), last_words));
            }
        }
        None
    }
}

/// Reads lines until the output ends or the receiver is gone; each is passed to `note`.
fn read_output(stdout: ChildStdout, to: &SyncSender<Message>, note: impl Fn(&str)) -> io::Result<()> {
    let mut stdout = BufReader::new(stdout);
    let mut filter = LineFilter::default();
    let mut line = Vec::new();
    while read_line(&mut stdout, &mut line)? {
        let at = Instant::now();
        // A line without an end, because the engine died before it, says nothing.
        let is_whole = line.ends_with(b"\n") || line.len() as u64 == LINE_LIMIT;
        let line = String::from_utf8_lossy(&line);
        note(&line);
        if is_whole
            && let Some(said) = filter.sort(&line, at)
            && to.send(said).is_err()
        {
            break;
        }
    }
    Ok(())
}

/// Reads an engine's standard error to its end. Each line is passed to `note`, and the last [`LAST_WORDS`]
/// remain in `last`.
fn read_errors(stderr: ChildStderr, last: &Mutex<VecDeque<String>>, note: impl Fn(&str)) -> io::Result<()> {
    let mut stderr = BufReader::new(stderr);
    let mut line = Vec::new();
    while read_line(&mut stderr, &mut line)? {
        let text = String::from_utf8_lossy(&line);
        note(&text);
        if !text.trim().is_empty() {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            last.push_back(text.trim().chars().take(200).collect());
            if last.len() > LAST_WORDS {
                last.pop_front();
            }
        }
    }
    Ok(())
}

/// Reads the next line into `line`, truncated to [`LINE_LIMIT`]; `false` at the end.
fn read_line(from: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut size = from.by_ref().take(LINE_LIMIT).read_until(b'\n', line)?;
    let mut cut = Vec::new();
    while size as u64 == LINE_LIMIT && line.last() != Some(&b'\n') && cut.last() != Some(&b'\n') {
        cut.clear();
        size = from.by_ref().take(LINE_LIMIT).read_until(b'\n', &mut cut)?;
    }
    Ok(!line.is_empty())
}

/// Decides which lines of an engine are forwarded, kept or counted.
#[derive(Debug, Default)]
struct LineFilter {
    info: Option<String>,
    remarks: Vec<String>,
    junk: u64,
    greeted: bool,
}

impl LineFilter {
    fn sort(&mut self, line: &str, at: Instant) -> Option<Message> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "info" if is_scored(line) => self.info = Some(line.to_owned()),
            "info" => {
                let remark = rest.trim_start().strip_prefix("string ").map(str::trim);
                if let Some(remark) = remark.filter(|_| self.remarks.len() < MOST_REMARKS) {
                    self.remarks.push(remark.chars().take(LONGEST_REMARK).collect());
                }
            }
            "id" => {
                return rest.trim_start().strip_prefix("name ").map(|name| Message::Name(name.to_owned()));
            }
            "" | "copyprotection" | "registration" => {}
            "uciok" => {
                (self.greeted, self.remarks) = (true, Vec::new());
                return Some(Message::UciOk);
            }
            "readyok" => {
                // `isready` precedes `go`: what came before belongs to an earlier search.
                self.info = None;
                return Some(Message::ReadyOk(std::mem::take(&mut self.remarks)));
            }
            "option" => return Announced::parse(rest).map(Message::Option),
            "bestmove" => {
                self.remarks.clear();
                return Some(Message::BestMove(BestMove {
                    text: rest.trim().to_owned(),
                    info: self.info.take(),
                    junk: std::mem::take(&mut self.junk),
                    at,
                }));
            }
            // Before `uciok` engines may print anything.
            _ => self.junk += u64::from(self.greeted),
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlong_lines_are_cut_and_the_next_one_is_whole() {
        let mut text = vec![b'x'; 3 * LINE_LIMIT as usize];
        text.extend(b"\nreadyok\n\nlast");
        let mut from = text.as_slice();
        let mut line = Vec::new();
        assert!(read_line(&mut from, &mut line).unwrap());
        assert_eq!(line.len() as u64, LINE_LIMIT);
        for expected in ["readyok\n", "\n", "last"] {
            assert!(read_line(&mut from, &mut line).unwrap());
            assert_eq!(line, expected.as_bytes());
        }
        assert!(!read_line(&mut from, &mut line).unwrap());
    }

    #[test]
    fn the_last_scored_info_comes_with_the_move() {
        let mut filter = LineFilter::default();
        let mut say = |line| filter.sort(line, Instant::now());
        assert!(say("Engine 1.0 by somebody").is_none());
        assert!(matches!(say("uciok"), Some(Message::UciOk)));
        let Some(Message::Option(hash)) = say("option\tname  Hash\ttype spin") else {
            panic!("an option is handed over")
        };
        assert_eq!(hash.name, "Hash");
        assert!(say("option type check").is_none());
        say("info depth 1 score cp 1");
        say("info depth 2 score cp 2");
        say("info depth 3 currmove e2e4");
        say("gibberish");
        let Some(Message::BestMove(best)) = say("bestmove  e2e4 ponder e7e5\r") else {
            panic!("a bestmove is handed over")
        };
        assert_eq!(best.text, "e2e4 ponder e7e5");
        assert_eq!(best.info.as_deref(), Some("info depth 2 score cp 2"));
        assert_eq!(best.junk, 1, "what came before uciok is not counted");
        assert!(matches!(say("bestmove"), Some(Message::BestMove(BestMove { info: None, junk: 0, .. }))));
        say("info depth 2 score cp 2 time 9");
        say("info string one");
        assert!(matches!(say("readyok"), Some(Message::ReadyOk(remarks)) if remarks == ["one"]));
        assert!(matches!(say("bestmove g1f3"), Some(Message::BestMove(BestMove { info: None, .. }))));
        for _ in 0..1000 {
            say("info string again");
        }
        assert!(matches!(say("readyok"), Some(Message::ReadyOk(remarks)) if remarks.len() == MOST_REMARKS));
        say("info string of a search");
        say("bestmove e2e4");
        assert!(matches!(say("readyok"), Some(Message::ReadyOk(remarks)) if remarks.is_empty()));
    }
}
