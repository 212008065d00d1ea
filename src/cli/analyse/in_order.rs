//! Work on a list of items, several at once, whose results are used in the order of the items.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Mutex, PoisonError,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::Duration,
};

use zugwerk::search::{STACK, Stop};

/// The number of items that are read ahead for each worker.
const AHEAD: usize = 4;

/// How long to wait for an item before the question whether the work was stopped.
const PATIENCE: Duration = Duration::from_millis(100);

/// What the calling thread hears.
enum Event<T, R> {
    Item(anyhow::Result<T>),
    /// There are no more items.
    End,
    /// The result of the item with this number.
    Done(usize, thread::Result<R>),
}

/// Calls `work` for each of `items`, with each of `workers` at once, and `used` for the results, in the order of the items.
/// Only a few items and results are in memory. Ends early when `used` returns false; then raises `stop`, so that the work
/// that has begun is soon over. Returns whether `stop` was not raised before.
///
/// # Errors
///
/// The first error of an item or of `used`.
pub(super) fn work<T: Send + 'static, W: Send, R: Send + 'static>(
    items: impl Iterator<Item = anyhow::Result<T>> + Send + 'static,
    workers: Vec<W>,
    work: impl Fn(&mut W, T) -> R + Sync,
    stop: &Stop,
    mut used: impl FnMut(R) -> anyhow::Result<bool>,
) -> anyhow::Result<bool> {
    let (tell, events) = mpsc::channel();
    let (allow, allowed) = mpsc::channel();
    for _ in 0..AHEAD * workers.len() {
        allow.send(())?;
    }
    let reader = tell.clone();
    // Nobody waits for its end: its input may be a pipe that nobody closes.
    thread::spawn(move || read(items, &allowed, &reader));
    // Moved into the scope: the workers end when nothing can be handed out any more.
    let (hand_out, tasks) = mpsc::channel();
    let (tasks, work) = (&Mutex::new(tasks), &work);
    thread::scope(move |scope| {
        for mut worker in workers {
            let tell = tell.clone();
            let labour = move || {
                let next = || tasks.lock().unwrap_or_else(PoisonError::into_inner).recv();
                while let Ok((number, item)) = next() {
                    let result = catch_unwind(AssertUnwindSafe(|| work(&mut worker, item)));
                    let _ = tell.send(Event::Done(number, result));
                }
            };
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, labour)?;
        }
        let mut queue = Queue { given: 0, next: 0, done: BTreeMap::new(), has_ended: false };
        let ended = queue.serve(&events, &hand_out, &allow, stop, &mut used);
        let is_whole = !stop.is_stopped();
        if !matches!(ended, Ok(true)) {
            stop.stop();
        }
        ended.map(|_| is_whole)
    })
}

/// Reads an item each time that it is `allowed`.
fn read<T, R>(
    mut items: impl Iterator<Item = anyhow::Result<T>>,
    allowed: &Receiver<()>,
    tell: &Sender<Event<T, R>>,
) {
    for () in allowed {
        let item = items.next();
        let is_end = item.is_none();
        if tell.send(item.map_or(Event::End, Event::Item)).is_err() || is_end {
            break;
        }
    }
}

/// The items that were handed out, and their results until it is their turn.
struct Queue<R> {
    /// The number of items handed out.
    given: usize,
    /// The number of the result that is used next.
    next: usize,
    done: BTreeMap<usize, R>,
    /// Whether all items are read.
    has_ended: bool,
}

impl<R> Queue<R> {
    /// Hands out items and uses their results until all are used; returns whether they are. `allow` lets the reader go on.
    fn serve<T>(
        &mut self,
        events: &Receiver<Event<T, R>>,
        hand_out: &Sender<(usize, T)>,
        allow: &Sender<()>,
        stop: &Stop,
        used: &mut impl FnMut(R) -> anyhow::Result<bool>,
    ) -> anyhow::Result<bool> {
        let mut failed = None;
        while !(self.has_ended && self.next == self.given) {
            match events.recv_timeout(PATIENCE) {
                Ok(Event::Item(Ok(item))) => {
                    let _ = hand_out.send((self.given, item));
                    self.given += 1;
                }
                Ok(Event::Item(Err(error))) => (failed, self.has_ended) = (Some(error), true),
                Ok(Event::End) => self.has_ended = true,
                Ok(Event::Done(number, result)) => {
                    self.done.insert(number, result.unwrap_or_else(|panic| resume_unwind(panic)));
                    while let Some(result) = self.done.remove(&self.next) {
                        self.next += 1;
                        let _ = allow.send(());
                        if !used(result)? {
                            return Ok(false);
                        }
                    }
                }
                // The reader waits for its input.
                Err(RecvTimeoutError::Timeout) if stop.is_stopped() && self.next == self.given => {
                    self.has_ended = true;
                }
                Err(_) => {}
            }
        }
        failed.map_or(Ok(true), Err)
    }
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
