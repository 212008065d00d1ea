//! The processes of all engines that run: each is killed when it is dropped, and all at once before the program exits.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The numbers of the processes that were started and not waited for. Each is also the number of its process group.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// A running engine. Dropping it kills it and its process group, so that no engine outlives its referee or remains a
/// zombie.
#[derive(Debug)]
pub(super) struct Running(Child);

impl Running {
    /// Starts `command`. Also returns the ends of its pipes.
    pub(super) fn start(command: &mut Command) -> io::Result<(Self, ChildStdin, ChildStdout, ChildStderr)> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A separate process group: Ctrl-C at the terminal must reach the referee, not the engines.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // The lock is held until the process is entered, so that `kill_all` misses none.
        let mut running = lock();
        let mut child = command.spawn()?;
        running.insert(child.id());
        let stdin = child.stdin.take().expect("stdin is piped");
        let stdout = child.stdout.take().expect("stdout is piped");
        let stderr = child.stderr.take().expect("stderr is piped");
        Ok((Running(child), stdin, stdout, stderr))
    }

    /// Returns the exit status if the process has ended. What is left of its group then is killed.
    pub(super) fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        let mut running = lock();
        let status = self.0.try_wait()?;
        // At once: when the group is empty, the system may give its number to another process.
        if status.is_some() && running.remove(&self.0.id()) {
            kill_group(self.0.id());
        }
        Ok(status)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Ok(None) = self.status() {
            let mut running = lock();
            kill_group(self.0.id());
            running.remove(&self.0.id());
            drop(running);
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }
}

/// Kills all engines and lets no other start. The caller must exit the program: whoever starts or ends an engine then
/// waits forever.
pub fn kill_all() {
    let running = lock();
    running.iter().copied().for_each(kill_group);
    std::mem::forget(running);
}

fn lock() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills the group of a process, because the command may be a script with the engine as its child. The script may have
/// ended before.
#[cfg(unix)]
fn kill_group(process: u32) {
    use nix::{sys::signal, unistd::Pid};
    let group = i32::try_from(process).expect("process numbers fit");
    let _ = signal::killpg(Pid::from_raw(group), signal::Signal::SIGKILL);
}

/// There are no such groups here; an engine ends when its input does.
#[cfg(not(unix))]
fn kill_group(_: u32) {}
