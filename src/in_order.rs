//! Work on many threads, whose results come in the order of the items.
//!
//! ```text
//!                   ┌──────────┐
//!             ┌───► │ worker 0 │ ───┐   with the number
//!  items ─────┤     ├──────────┤    ├──────────────────► Results ───► results in order
//!             └───► │ worker 1 │ ───┘      of the item
//!                   └──────────┘
//! ```
//!
//! A worker that is free takes the next item, so a long piece of work delays no other. Only a few items are
//! taken whose results have not been returned, so the memory does not grow with the number of items.

use std::{
    collections::BTreeMap,
    io,
    iter::{Enumerate, Fuse},
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, SyncSender, channel, sync_channel},
    },
    thread::{self, Scope},
};

/// For each worker, the number of items that may be taken before their results are returned.
const AHEAD: usize = 4;

/// Calls `work` for each of `items`, on one thread of `builder` for each of `workers`, and returns the
/// results in the order of the items.
///
/// The threads call the iterator of the items, one at a time. They end when there is no other item, or when
/// the results are dropped; `scope` waits for that. If `work` panics, the panic goes on where its result
/// would be returned.
///
/// # Errors
///
/// If a thread cannot be started. Those before it end.
pub fn map<'scope, I, W, R>(
    scope: &'scope Scope<'scope, '_>,
    builder: fn() -> thread::Builder,
    items: I,
    workers: impl IntoIterator<Item = W>,
    work: impl Fn(&mut W, I::Item) -> R + Send + Sync + 'scope,
) -> io::Result<Results<R>>
where
    I: Iterator + Send + 'scope,
    W: Send + 'scope,
    R: Send + 'scope,
{
    let workers: Vec<W> = workers.into_iter().collect();
    let (place, places) = sync_channel(AHEAD * workers.len());
    let queue = Arc::new(Mutex::new(Queue { items: items.enumerate().fuse(), place }));
    let work = Arc::new(work);
    let (sender, results) = channel();
    for mut worker in workers {
        let (queue, work, sender) = (Arc::clone(&queue), Arc::clone(&work), sender.clone());
        let labour = move || {
            // The lock is poisoned if the iterator has panicked. That goes on where the threads are waited
            // for.
            while let Some((number, item)) = queue.lock().ok().and_then(|mut queue| queue.next()) {
                let result = catch_unwind(AssertUnwindSafe(|| work(&mut worker, item)));
                if sender.send((number, result)).is_err() {
                    break;
                }
            }
        };
        builder()
            .spawn_scoped(scope, labour)
            .map_err(|error| io::Error::new(error.kind(), format!("cannot start a thread: {error}")))?;
    }
    Ok(Results { results, places, waiting: BTreeMap::new(), next: 0 })
}

/// The items that no worker has taken.
struct Queue<I> {
    items: Fuse<Enumerate<I>>,
    /// Receives one message for each item that is taken, and blocks when there are too many.
    place: SyncSender<()>,
}

impl<I: Iterator> Queue<I> {
    /// Takes the next item with its number; `None` if there is none, or if nobody wants results.
    fn next(&mut self) -> Option<(usize, I::Item)> {
        self.place.send(()).ok()?;
        self.items.next()
    }
}

/// The results of [`map`], in the order of the items.
#[derive(Debug)]
pub struct Results<R> {
    results: Receiver<(usize, thread::Result<R>)>,
    /// Loses one message for each result that is returned.
    places: Receiver<()>,
    /// Results behind one that is missing.
    waiting: BTreeMap<usize, thread::Result<R>>,
    /// The number of the next item.
    next: usize,
}

impl<R> Iterator for Results<R> {
    type Item = R;

    fn next(&mut self) -> Option<R> {
        let result = loop {
            if let Some(result) = self.waiting.remove(&self.next) {
                break result;
            }
            let (number, result) = self.results.recv().ok()?;
            self.waiting.insert(number, result);
        };
        self.next += 1;
        let _ = self.places.recv();
        Some(result.unwrap_or_else(|panic| resume_unwind(panic)))
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicUsize, Ordering},
        time::Duration,
    };

    use super::*;

    const WORKERS: [(); 3] = [(); 3];

    /// The first ones take longest.
    fn square(_: &mut (), number: u64) -> u64 {
        thread::sleep(Duration::from_millis(20_u64.saturating_sub(number)));
        number * number
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for workers in [1, 3, 20] {
            let squares: Vec<u64> = thread::scope(|scope| {
                map(scope, thread::Builder::new, 0..30, vec![(); workers], square).unwrap().collect()
            });
            assert!(squares.iter().copied().eq((0..30).map(|number| number * number)), "{squares:?}");
        }
        let none =
            thread::scope(|scope| map(scope, thread::Builder::new, 0..0, WORKERS, square).unwrap().next());
        assert_eq!(none, None);
    }

    #[test]
    fn few_items_are_taken_before_their_results_are_returned() {
        let taken = AtomicUsize::new(0);
        let items = (0..).inspect(|_| {
            taken.fetch_add(1, Ordering::Relaxed);
        });
        thread::scope(|scope| {
            let mut squares = map(scope, thread::Builder::new, items, WORKERS, square).unwrap();
            for returned in 1..=20 {
                squares.next();
                thread::sleep(Duration::from_millis(5));
                let taken = taken.load(Ordering::Relaxed);
                assert!(
                    (returned..=returned + AHEAD * WORKERS.len()).contains(&taken),
                    "{returned}: {taken}"
                );
            }
        });
    }

    #[test]
    #[should_panic(expected = "seven")]
    fn a_panic_of_the_work_is_that_of_the_caller() {
        let work = |_: &mut (), number: usize| assert_ne!(number, 7, "seven");
        thread::scope(|scope| {
            map(scope, thread::Builder::new, 0..30, WORKERS, work).unwrap().for_each(drop);
        });
    }

    #[test]
    #[should_panic(expected = "a scoped thread panicked")]
    fn a_panic_of_the_items_is_not_their_end() {
        let items = (0..30).inspect(|&number| assert_ne!(number, 7, "seven"));
        thread::scope(|scope| {
            map(scope, thread::Builder::new, items, WORKERS, square).unwrap().for_each(drop);
        });
    }

    #[test]
    fn a_thread_that_cannot_be_started_is_an_error() {
        let too_large = || thread::Builder::new().stack_size(1 << 50);
        let error = thread::scope(|scope| map(scope, too_large, 0.., WORKERS, square).map(drop)).unwrap_err();
        assert!(error.to_string().starts_with("cannot start a thread: "), "{error}");
    }
}
