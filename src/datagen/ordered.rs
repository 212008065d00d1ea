//! Games on many threads, whose results come in order.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
};

use super::{
    Recipe,
    player::{GameResult, SelfPlay},
};
use crate::{
    eval::Evaluator,
    search::{STACK, Searcher, Stop},
    words::panic_message,
};

/// A thread could not be started, or failed during a game.
#[derive(Debug, thiserror::Error)]
#[error("a worker failed: {0}")]
pub struct WorkerFailed(pub String);

/// Plays the games of `recipe` from number `first` on with `threads` threads, each with a searcher from `searcher`, and
/// passes the results to `take` in the order of their numbers, until it returns `false`. The end, and any error, raises
/// `stop`. A panic becomes an error.
pub(super) fn play_in_order<E: Evaluator>(
    recipe: &Recipe,
    searcher: impl Fn() -> Searcher<E> + Sync,
    first: u64,
    threads: usize,
    stop: &Stop,
    take: impl FnMut(GameResult) -> bool,
) -> Result<(), WorkerFailed> {
    let next = AtomicU64::new(first);
    let (sender, results) = mpsc::sync_channel(2 * threads.max(1));
    let work = |sender: mpsc::SyncSender<_>| {
        let mut searcher = searcher();
        let mut player = SelfPlay::new(recipe, stop, &mut searcher);
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let played = match catch_unwind(AssertUnwindSafe(|| player.play(number))) {
                Ok(Some(game)) => Ok(game),
                Ok(None) => match player.problem() {
                    Some(problem) => Err(problem),
                    None => return,
                },
                Err(panic) => Err(panic_message(&*panic).to_owned()),
            };
            let played = played.map_err(|why| WorkerFailed(format!("game {number}: {why}")));
            let failed = played.is_err();
            if sender.send((number, played)).is_err() || failed {
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
                return Err(WorkerFailed(error.to_string()));
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
fn take_in_order(
    results: mpsc::Receiver<(u64, Result<GameResult, WorkerFailed>)>,
    first: u64,
    mut take: impl FnMut(GameResult) -> bool,
) -> Result<(), WorkerFailed> {
    let (mut waiting, mut next) = (BTreeMap::new(), first);
    for (number, played) in results {
        waiting.insert(number, played?);
        while let Some(game) = waiting.remove(&next) {
            next += 1;
            if !take(game) {
                return Ok(());
            }
        }
    }
    Ok(())
}
