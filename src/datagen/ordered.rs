//! Work on many threads whose results come in order.

use std::{
    collections::BTreeMap,
    ops::ControlFlow,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, PoisonError, mpsc},
    thread,
};

use super::RunError;
use crate::{
    search::{STACK, Stop},
    text::panic_message,
};

/// Does `tasks` on `threads` threads, each with a worker from `worker`, and passes the results to `take` in the order of
/// the tasks, until it breaks. A worker returns `None` if it was stopped. The end, and any error, raises `stop`. A panic
/// becomes an error with the number of its task, which is a `what`; the first has number `first`.
pub(super) fn in_order<Task, Done, E, Worker>(
    what: &str,
    first: u64,
    tasks: impl Iterator<Item = Task> + Send,
    threads: usize,
    stop: &Stop,
    worker: impl Fn() -> Worker + Sync,
    take: impl FnMut(Done) -> Result<ControlFlow<()>, E>,
) -> Result<(), E>
where
    Done: Send,
    E: From<RunError> + Send,
    Worker: FnMut(Task) -> Option<Result<Done, E>>,
{
    let tasks = Mutex::new((first..).zip(tasks));
    let (sender, results) = mpsc::sync_channel(2 * threads.max(1));
    let work = |sender: mpsc::SyncSender<_>| {
        let mut worker = worker();
        loop {
            let next = tasks.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((number, task)) = next else { return };
            let done = catch_unwind(AssertUnwindSafe(|| worker(task))).unwrap_or_else(|panic| {
                let said = format!("{what} {number}: {}", panic_message(&*panic));
                Some(Err(RunError::Worker(said).into()))
            });
            let Some(done) = done else { return };
            let failed = done.is_err();
            if sender.send((number, done)).is_err() || failed {
                return;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (work, sender) = (&work, sender.clone());
            let started = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || work(sender));
            if let Err(error) = started {
                stop.stop();
                return Err(RunError::Worker(error.to_string()).into());
            }
        }
        drop(sender);
        let taken = take_in_order(results, first, take);
        stop.stop();
        taken
    })
}

/// Passes each result to `take` when all before it have been passed. At the end it drops the receiver, so that no sender
/// blocks.
fn take_in_order<Done, E>(
    results: mpsc::Receiver<(u64, Result<Done, E>)>,
    first: u64,
    mut take: impl FnMut(Done) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let (mut waiting, mut next) = (BTreeMap::new(), first);
    for (number, done) in results {
        waiting.insert(number, done?);
        while let Some(done) = waiting.remove(&next) {
            next += 1;
            if take(done)?.is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}
