//! Work on a list of items, several at once, whose results are used in the order of the items.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use zugwerk::search::{STACK, Stop};

/// The number of items that are read ahead for each worker.
const AHEAD: usize = 4;

/// How long to wait for an item before the question whether the work was stopped.
const PATIENCE: Duration = Duration::from_millis(100);

/// Calls `work` for each of `items`, with each of `workers` at once, and `used` for the results, in the order of the items.
/// Only a few items are read ahead. Ends early when `used` returns false; then raises `stop`, so that the work that has begun is
/// soon over. Returns whether `stop` was not raised before.
///
/// # Errors
///
/// The first error of an item or of `used`.
pub(super) fn work<T: Send + 'static, W: Send, R: Send>(
    items: impl Iterator<Item = anyhow::Result<T>> + Send + 'static,
    workers: Vec<W>,
    work: impl Fn(&mut W, T) -> R + Sync,
    stop: &Stop,
    used: impl FnMut(R) -> anyhow::Result<bool>,
) -> anyhow::Result<bool> {
    let (hand_out, tasks) = mpsc::sync_channel(AHEAD * workers.len());
    // Nobody waits for its end: its input may be a pipe that nobody closes.
    thread::spawn(move || (0_usize..).zip(items).try_for_each(|task| hand_out.send(task)));
    let (tasks, work) = (&Mutex::new(tasks), &work);
    thread::scope(|scope| {
        let (tell, results) = mpsc::channel();
        for mut worker in workers {
            let tell = tell.clone();
            let labour = move || {
                while let Some((number, item)) = next(tasks, stop) {
                    let result = item.map(|item| catch_unwind(AssertUnwindSafe(|| work(&mut worker, item))));
                    // Nobody wants it when the work has ended early.
                    if tell.send((number, result)).is_err() {
                        break;
                    }
                }
            };
            let started = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, labour);
            started.inspect_err(|_| stop.stop())?;
        }
        drop(tell);
        let ended = use_in_order(results, used);
        let is_whole = !stop.is_stopped();
        if !matches!(ended, Ok(true)) {
            stop.stop();
        }
        ended.map(|_| is_whole)
    })
}

/// Waits for the next task; `None` if there is no other, or if the work is stopped meanwhile.
fn next<T>(tasks: &Mutex<Receiver<T>>, stop: &Stop) -> Option<T> {
    loop {
        match tasks.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(PATIENCE) {
            Ok(task) => return Some(task),
            Err(RecvTimeoutError::Timeout) if !stop.is_stopped() => {}
            Err(_) => return None,
        }
    }
}

/// Passes each result to `used` when all before it have been passed, and returns whether it wanted all of them.
fn use_in_order<R>(
    results: Receiver<(usize, anyhow::Result<thread::Result<R>>)>,
    mut used: impl FnMut(R) -> anyhow::Result<bool>,
) -> anyhow::Result<bool> {
    let (mut waiting, mut next) = (BTreeMap::new(), 0);
    for (number, result) in results {
        waiting.insert(number, result);
        while let Some(result) = waiting.remove(&next) {
            next += 1;
            if !used(result?.unwrap_or_else(|panic| resume_unwind(panic)))? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares the numbers up to `count` with `workers`; the first ones take longest. Ends before the result `last`.
    fn squares(count: u64, workers: usize, last: u64) -> (anyhow::Result<bool>, Vec<u64>) {
        let slow = |_: &mut (), number: u64| {
            thread::sleep(Duration::from_millis(20_u64.saturating_sub(number)));
            number * number
        };
        let items =
            (0..count).map(|number| if number == 30 { Err(anyhow::anyhow!("thirty")) } else { Ok(number) });
        let mut used = Vec::new();
        let is_whole = work(items, vec![(); workers], slow, &Stop::default(), |square| {
            used.push(square);
            Ok(square != last)
        });
        (is_whole, used)
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for workers in [1, 3, 20] {
            let (is_whole, used) = squares(30, workers, u64::MAX);
            assert!(
                is_whole.unwrap() && used.iter().copied().eq((0..30).map(|number| number * number)),
                "{used:?}"
            );
        }
        assert_eq!(squares(0, 2, 0).1, [0; 0]);
    }

    #[test]
    fn an_error_ends_the_work_behind_what_was_read_before() {
        let (error, used) = squares(40, 3, u64::MAX);
        assert_eq!((error.unwrap_err().to_string(), used.len()), ("thirty".into(), 30));
    }

    #[test]
    fn nothing_is_used_when_nobody_wants_more() {
        let (is_whole, used) = squares(30, 3, 49);
        assert!(is_whole.unwrap() && used.len() == 8, "{used:?}");
    }

    #[test]
    #[should_panic(expected = "seven")]
    fn a_panic_of_the_work_is_that_of_the_caller() {
        let work = |_: &mut (), number: usize| assert_ne!(number, 7, "seven");
        let _ = super::work((0..30).map(Ok), vec![(); 2], work, &Stop::default(), |()| Ok(true));
    }
}
