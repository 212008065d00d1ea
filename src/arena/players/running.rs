//! The processes of all engines that run: each is killed when it is dropped, and all at once before the
//! program exits.

use std::collections::BTreeMap;
use std::io;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use process_wrap::std::{ChildWrapper, CommandWrap};

/// An engine with the processes that it starts, because the command may be a script with the engine as its
/// child. The script may have ended before. On Unix they are a process group, on Windows a job.
type Group = Box<dyn ChildWrapper>;

/// The engines that were started and not waited for, by the numbers of their processes.
static RUNNING: Mutex<BTreeMap<u32, Group>> = Mutex::new(BTreeMap::new());

/// The number of an engine that runs. Dropping it kills the engine and its group, so that no engine outlives
/// its referee or remains a zombie.
#[derive(Debug)]
pub(super) struct Running(u32);

impl Running {
    /// Starts `command`. Also returns the ends of its pipes.
    pub(super) fn start(mut command: Command) -> io::Result<(Self, ChildStdin, ChildStdout, ChildStderr)> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut command = CommandWrap::from(command);
        group(&mut command);
        // The lock is held until the process is entered, so that `kill_all` misses none.
        let mut running = lock();
        let mut engine = command.spawn()?;
        let stdin = engine.stdin().take().expect("stdin is piped");
        let stdout = engine.stdout().take().expect("stdout is piped");
        let stderr = engine.stderr().take().expect("stderr is piped");
        let number = engine.id();
        running.insert(number, engine);
        Ok((Running(number), stdin, stdout, stderr))
    }

    /// Returns the exit status once, if the process has ended. What is left of its group then is killed.
    pub(super) fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        let mut running = lock();
        let Some(engine) = running.get_mut(&self.0) else { return Ok(None) };
        let status = engine.try_wait()?;
        if status.is_some() {
            // At once: when the group is empty, the system may give its number to another process.
            let _ = engine.start_kill();
            running.remove(&self.0);
        }
        Ok(status)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut running = lock();
        if let Some(mut engine) = running.remove(&self.0) {
            let _ = engine.start_kill();
            drop(running);
            let _ = engine.wait();
        }
    }
}

/// Kills all engines and lets no other start. The caller must exit the program: whoever starts or ends an
/// engine then waits forever.
pub fn kill_all() {
    let mut running = lock();
    for engine in running.values_mut() {
        let _ = engine.start_kill();
    }
    std::mem::forget(running);
}

fn lock() -> MutexGuard<'static, BTreeMap<u32, Group>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets the process begin a group, which Ctrl-C at the terminal does not reach: that is for the referee.
#[cfg(unix)]
fn group(command: &mut CommandWrap) {
    command.wrap(process_wrap::std::ProcessGroup::leader());
}

/// Lets the process begin a job, which can be killed as a whole, and a group, which Ctrl-C at the console
/// does not reach: that is for the referee.
#[cfg(windows)]
fn group(command: &mut CommandWrap) {
    use process_wrap::std::{CreationFlags, JobObject};
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    let mut flags = CreationFlags(Default::default());
    flags.0.0 = CREATE_NEW_PROCESS_GROUP;
    command.wrap(flags).wrap(JobObject);
}

#[cfg(test)]
mod tests {
    use std::{
        io::Read as _,
        thread::sleep,
        time::{Duration, Instant},
    };

    use super::*;

    /// The output of an engine ends when the last process has closed it that inherited it.
    #[test]
    fn what_an_engine_has_started_ends_with_it() {
        let (shell, flag, waits, leaves) = if cfg!(windows) {
            ("cmd", "/c", "ping -n 60 127.0.0.1", "start /b ping -n 60 127.0.0.1")
        } else {
            ("sh", "-c", "sleep 60 & wait", "sleep 60 &")
        };
        let started = |script| {
            let mut command = Command::new(shell);
            command.args([flag, script]);
            let (running, _, stdout, _) = Running::start(command).unwrap();
            (running, stdout)
        };
        let begun = Instant::now();
        let (running, mut killed) = started(waits);
        sleep(Duration::from_millis(500));
        drop(running);
        killed.read_to_end(&mut Vec::new()).unwrap();
        let (mut running, mut ended) = started(leaves);
        while running.status().unwrap().is_none() {
            sleep(Duration::from_millis(10));
        }
        ended.read_to_end(&mut Vec::new()).unwrap();
        assert!(begun.elapsed() < Duration::from_secs(45));
    }
}
