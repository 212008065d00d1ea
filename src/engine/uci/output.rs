//! Writes answers as whole lines, from any thread.
//!
//! One thread writes all lines, in the order in which they come. The others only queue them. So a reader that
//! stops reading delays neither a search nor the thread that reads commands, as long as the queue has room.

use std::{
    collections::VecDeque,
    fmt::{self, Display},
    fs::File,
    io::{self, Write},
    mem,
    path::Path,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};
#[cfg(unix)]
use std::{
    fs,
    os::{fd::AsFd as _, unix::fs::FileTypeExt as _},
};

use chrono::Utc;
#[cfg(unix)]
use nix::{
    errno::Errno,
    poll::{PollFd, PollFlags, PollTimeout, poll},
};
use shakmaty::Move;

use super::format::{self, Style};
use crate::{
    engine::{
        Listener,
        search::{Observer, Report, Stop},
    },
    files::append_lines,
    words::quoted,
};

/// The number of lines that may wait for a slow reader. A thread with another line waits too.
const MOST_LINES: usize = 1 << 16;

/// The stack size of each thread of an output, in bytes.
const STACK: usize = 256 << 10;

/// How long the last [`Output`] waits for the reader to take another line.
const PATIENCE: Duration = Duration::from_secs(5);

/// A writer that several threads share. Lines never mix.
///
/// When the last one is dropped, it waits until all lines are written, or until none is written for five
/// seconds.
#[derive(Clone)]
pub struct Output(Arc<Sender>);

/// The end of the queue where lines go in. When it is dropped, no more come, and the writing thread ends
/// after the last.
struct Sender(Arc<Queue>);

#[derive(Default)]
struct Queue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

#[derive(Default)]
struct QueueState {
    /// The lines to write, oldest first. A line is removed when it has been written.
    lines: VecDeque<String>,
    /// The number of lines written.
    written: u64,
    /// Whether the session is over: nobody waits for room any more.
    ending: bool,
    /// Whether no more lines will come.
    complete: bool,
    /// The log of input and output, if there is one.
    log: Option<Log>,
    /// Whether nobody reads any more: the reader has closed the pipe, or a line could not be written.
    closed: bool,
    /// The first error of writing, other than a closed pipe.
    error: Option<io::Error>,
    /// Ends the work whose output the reader waits for.
    stop: Option<Arc<Stop>>,
}

struct Log {
    path: String,
    file: File,
}

impl QueueState {
    /// Nobody reads any more.
    fn close(&mut self) {
        self.closed = true;
        self.stop_if_closed();
    }

    /// Nobody reads any more, or the lines cannot be written, as on a full disk.
    fn fail(&mut self, error: io::Error) {
        if error.kind() != io::ErrorKind::BrokenPipe {
            self.error.get_or_insert(error);
        }
        self.close();
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
            self.lines.push_back(format::error(&problem) + "\n");
        }
    }
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while `condition` holds.
    fn wait_while(&self, condition: impl FnMut(&mut QueueState) -> bool) -> MutexGuard<'_, QueueState> {
        self.changed.wait_while(self.state(), condition).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all lines are written. Gives up when none is written for `patience`: then nobody reads
    /// them.
    fn drain_while_read(&self, patience: Duration) {
        let mut state = self.state();
        while !state.lines.is_empty() {
            let before = state.written;
            let waits = |state: &mut QueueState| state.written == before;
            let waited = self.changed.wait_timeout_while(state, patience, waits);
            let result;
            (state, result) = waited.unwrap_or_else(PoisonError::into_inner);
            if result.timed_out() {
                break;
            }
        }
    }

    /// Writes and flushes each line to `writer` until the last one. An error means that nobody reads any
    /// more; a writer that would block loses the line.
    fn write_to(&self, mut writer: impl Write) {
        loop {
            let mut state = self.wait_while(|state| state.lines.is_empty() && !state.complete);
            let Some(line) = state.lines.front_mut().map(mem::take) else { return };
            drop(state);
            let outcome = writer.write_all(line.as_bytes()).and_then(|()| writer.flush());
            let mut state = self.state();
            state.lines.pop_front();
            state.written += 1;
            match outcome {
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => state.fail(error),
                _ => {}
            }
            self.changed.notify_all();
        }
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        self.0.drain_while_read(PATIENCE);
        self.0.state().complete = true;
        self.0.changed.notify_all();
    }
}

impl Output {
    /// Shares `writer`, which a thread of its own writes to.
    ///
    /// # Errors
    ///
    /// If that thread cannot be started.
    pub fn new(writer: impl Write + Send + 'static) -> io::Result<Self> {
        let queue = Arc::new(Queue::default());
        start("output", &queue, |queue| queue.write_to(writer))?;
        Ok(Self(Arc::new(Sender(queue))))
    }

    /// Shares standard output. On Unix a second thread learns when its reader has gone, also while nothing is
    /// written.
    ///
    /// # Errors
    ///
    /// If a thread cannot be started.
    pub fn stdout() -> io::Result<Self> {
        let output = Self::new(io::stdout())?;
        #[cfg(unix)]
        start("reader", &output.0.0, |queue| {
            if wait_for_end_of_reader() {
                queue.state().close();
            }
        })?;
        Ok(output)
    }

    /// Queues `text` (one line, or several that belong together) and a line ending.
    ///
    /// Errors of the writer are ignored: an engine that nobody reads still obeys. It ends with its input.
    pub fn line(&self, text: &str) {
        let mut state = self.queue().wait_while(|state| state.lines.len() >= MOST_LINES && !state.ending);
        state.lines.push_back(format!("{text}\n"));
        state.note('<', text);
        self.queue().changed.notify_all();
    }

    /// Ends the session: from now on [`line`](Self::line) waits for nothing.
    pub(super) fn end(&self) {
        self.queue().state().ending = true;
        self.queue().changed.notify_all();
    }

    /// Drops this last handle, which [waits](Output) for the lines.
    ///
    /// # Errors
    ///
    /// The first error of writing; a closed pipe is none.
    pub fn close(self) -> io::Result<()> {
        let queue = Arc::clone(&self.0.0);
        drop(self);
        queue.state().error.take().map_or(Ok(()), Err)
    }

    /// Waits until all lines are written, however long the reader takes.
    pub(super) fn drain(&self) {
        drop(self.queue().wait_while(|state| !state.lines.is_empty()));
    }

    /// Whether the reader has closed the pipe, as far as is known.
    pub(super) fn is_closed(&self) -> bool {
        self.queue().state().closed
    }

    /// Raises `stop`, instead of an earlier one, when the reader has closed the pipe.
    pub(super) fn stop_when_closed(&self, stop: &Arc<Stop>) {
        let mut state = self.queue().state();
        state.stop = Some(Arc::clone(stop));
        state.stop_if_closed();
    }

    /// Logs a line of input, if there is a log.
    pub(super) fn log_input(&self, line: &str) {
        self.queue().state().note('>', line);
        self.queue().changed.notify_all();
    }

    /// Also appends all further output and input to the file `path`; an empty path ends the log.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened, or is a named pipe; there is no log then.
    pub(super) fn log_to(&self, path: &str) -> io::Result<()> {
        let mut state = self.queue().state();
        state.log = None;
        if !path.is_empty() {
            if is_named_pipe(path) {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "expected a file, got a named pipe"));
            }
            let file = append_lines(Path::new(path))?;
            state.log = Some(Log { path: path.to_owned(), file });
        }
        Ok(())
    }

    fn queue(&self) -> &Queue {
        &self.0.0
    }

    /// Returns a listener that writes reports in the protocol's format.
    #[must_use]
    pub fn printer(&self, style: Style) -> Printer {
        Printer { output: self.clone(), style }
    }
}

/// Starts a thread that works on `queue`.
fn start(name: &str, queue: &Arc<Queue>, work: impl FnOnce(&Queue) + Send + 'static) -> io::Result<()> {
    let queue = Arc::clone(queue);
    thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(move || work(&queue)).map(drop)
}

/// Waits until the reader of standard output has closed it, for ever if it is a file. Returns false if the
/// system cannot tell.
#[cfg(unix)]
fn wait_for_end_of_reader() -> bool {
    let stdout = io::stdout();
    let mut watched = [PollFd::new(stdout.as_fd(), PollFlags::empty())];
    while poll(&mut watched, PollTimeout::NONE) == Err(Errno::EINTR) {}
    watched[0].revents().is_some_and(|events| events.intersects(PollFlags::POLLERR | PollFlags::POLLHUP))
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

    fn current_move(&mut self, m: Move, number: usize) {
        self.output.line(&format::current_move(m, number, self.style));
    }

    fn problem(&mut self, problem: &dyn Display) {
        self.output.line(&format::error(problem));
    }
}

impl Listener for Printer {
    fn best_move(&mut self, best: Option<Move>, ponder: Option<Move>) {
        self.output.line(&format::best_move(best, ponder, self.style));
    }

    fn ready(&mut self) {
        self.output.line(&format::ready());
    }

    fn note(&mut self, text: &dyn Display) {
        self.output.line(&format::notice(text));
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Instant};

    use super::*;

    /// A reader that takes a line for every permission.
    struct Reader {
        permissions: mpsc::Receiver<()>,
        read: Arc<Mutex<String>>,
    }

    impl Write for Reader {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.permissions.recv();
            self.read.lock().unwrap().push_str(str::from_utf8(bytes).unwrap());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn reader() -> (Reader, mpsc::Sender<()>, Arc<Mutex<String>>) {
        let (permit, permissions) = mpsc::channel();
        let read = Arc::new(Mutex::new(String::new()));
        (Reader { permissions, read: Arc::clone(&read) }, permit, read)
    }

    #[test]
    fn a_slow_reader_gets_every_line_in_order() {
        let (reader, permit, read) = reader();
        let output = Output::new(reader).unwrap();
        let numbers: Vec<String> = (0..20).map(|number| number.to_string()).collect();
        numbers.iter().for_each(|number| output.line(number));
        let slow = thread::spawn(move || {
            (0..20).for_each(|_| {
                thread::sleep(Duration::from_millis(2));
                permit.send(()).unwrap();
            });
        });
        drop(output);
        slow.join().unwrap();
        assert_eq!(*read.lock().unwrap(), numbers.join("\n") + "\n");
    }

    #[test]
    fn nobody_is_kept_by_a_reader_that_has_stopped_reading() {
        let (reader, permit, read) = reader();
        let output = Output::new(reader).unwrap();
        (0..1000).for_each(|_| output.line("info"));
        output.log_input("quit");
        output.end();
        (0..=MOST_LINES).for_each(|_| output.line("more than there is room for"));
        let start = Instant::now();
        output.queue().drain_while_read(Duration::from_millis(20));
        assert!(start.elapsed() >= Duration::from_millis(20) && read.lock().unwrap().is_empty());
        drop(permit); // the reader takes everything now
        output.drain();
        assert_eq!(read.lock().unwrap().lines().count(), 1000 + MOST_LINES + 1);
    }
}
