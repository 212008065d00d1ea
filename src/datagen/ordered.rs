//! Work on many threads whose results come in order.

use std::{
    collections::BTreeMap,
    ops::{ControlFlow, Range},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, PoisonError, mpsc},
    thread,
};

use crate::{
    search::{STACK, Stop},
    words::panic_message,
};

/// A thread could not be started, or failed during a game.
#[derive(Debug, thiserror::Error)]
#[error("a worker failed: {0}")]
pub struct WorkerFailed(pub String);

/// Does the tasks that have these `numbers` on `threads` threads, each with a worker from `worker`, and passes the results
/// to `take` in their order, until it breaks. A worker returns `None` if it was stopped. The end, and any error, raises
/// `stop`. A panic becomes an error.
pub(super) fn in_order<Done, E, Worker>(
    numbers: Range<u64>,
    threads: usize,
    stop: &Stop,
    worker: impl Fn() -> Worker + Sync,
    take: impl FnMut(Done) -> Result<ControlFlow<()>, E>,
) -> Result<(), E>
where
    Done: Send,
    E: From<WorkerFailed>,
    Worker: FnMut(u64) -> Option<Result<Done, WorkerFailed>>,
{
    let (first, numbers) = (numbers.start, Mutex::new(numbers));
    let (sender, results) = mpsc::sync_channel(2 * threads.max(1));
    let work = |sender: mpsc::SyncSender<_>| {
        let mut worker = worker();
        loop {
            let next = numbers.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(number) = next else { return };
            let done = catch_unwind(AssertUnwindSafe(|| worker(number))).unwrap_or_else(|panic| {
                Some(Err(WorkerFailed(format!("game {number}: {}", panic_message(&*panic)))))
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
                return Err(WorkerFailed(error.to_string()).into());
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
fn take_in_order<Done, E: From<WorkerFailed>>(
    results: mpsc::Receiver<(u64, Result<Done, WorkerFailed>)>,
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
