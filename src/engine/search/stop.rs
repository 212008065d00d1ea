//! The stop flag of one search.
//!
//! The caller makes a new [`Stop`] for every search, before the search thread knows of it. A stop at any
//! later moment, even before the search has begun, is therefore never lost, because no search ever clears a
//! flag.

use std::{
    sync::{
        Condvar, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Instant,
};

use super::Limits;

/// Ends one search, or makes a ponder search continue on the clock.
#[derive(Debug)]
pub struct Stop {
    stopped: AtomicBool,
    pondering: AtomicBool,
    /// Whether the search ends by itself, once it no longer ponders.
    bounded: bool,
    /// Whether the search has answered.
    finished: AtomicBool,
    /// Whether only a stop ends the search.
    needed: AtomicBool,
    /// Whether nobody will stop the search.
    abandoned: AtomicBool,
    /// The time of the ponderhit.
    hit_at: OnceLock<Instant>,
    waiting: Mutex<()>,
    changed: Condvar,
}

impl Default for Stop {
    fn default() -> Self {
        Self::new(false)
    }
}

impl Stop {
    /// Returns a flag that is not raised, for a search that ponders or not, and then ends by itself.
    #[must_use]
    pub fn new(pondering: bool) -> Self {
        Self {
            stopped: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            bounded: true,
            finished: AtomicBool::new(false),
            needed: AtomicBool::new(false),
            abandoned: AtomicBool::new(false),
            hit_at: OnceLock::new(),
            waiting: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    /// Returns a flag that is not raised, for a search within `limits`.
    #[must_use]
    pub fn of(limits: &Limits) -> Self {
        Self { bounded: limits.is_bounded(), ..Self::new(limits.ponder) }
    }

    /// Returns the flag of a search that has answered.
    #[must_use]
    pub fn finished() -> Self {
        Self { finished: AtomicBool::new(true), ..Self::default() }
    }

    /// The search answers.
    pub fn finish(&self) {
        self.finished.store(true, Ordering::Release);
    }

    /// Whether the search has answered.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Acquire)
    }

    /// Ends the search at its next check.
    pub fn stop(&self) {
        let _guard = self.lock();
        self.stopped.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Nobody will stop the search any more: one that only a stop would end is stopped, now or when that
    /// turns out.
    pub fn abandon(&self) {
        self.abandoned.store(true, Ordering::SeqCst);
        if self.needed.load(Ordering::SeqCst) {
            self.stop();
        }
    }

    /// The search has no other end than a stop. It is stopped at once if nobody will do it.
    pub(super) fn need(&self) {
        self.needed.store(true, Ordering::SeqCst);
        if self.abandoned.load(Ordering::SeqCst) {
            self.stop();
        }
    }

    /// The opponent has played the expected move: from now on the clock counts, and a search without limits
    /// ends. Does nothing if the search does not ponder.
    pub fn ponder_hit(&self) {
        if self.is_pondering() && !self.bounded {
            return self.stop();
        }
        let _guard = self.lock();
        if self.pondering.load(Ordering::Relaxed) {
            let _ = self.hit_at.set(Instant::now());
            self.pondering.store(false, Ordering::Release);
        }
        self.changed.notify_all();
    }

    /// Whether the search ends without another call.
    #[must_use]
    pub fn ends_by_itself(&self) -> bool {
        self.is_stopped() || (self.bounded && !self.is_pondering())
    }

    /// Whether the search must end.
    #[must_use]
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Whether the search is still pondering.
    #[must_use]
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// The time of the ponderhit, if there was one.
    #[must_use]
    pub fn hit_at(&self) -> Option<Instant> {
        self.hit_at.get().copied()
    }

    /// Blocks until the search is stopped or, unless `infinite`, no longer pondering.
    pub fn wait(&self, infinite: bool) {
        let mut guard = self.lock();
        while !self.is_stopped() && (infinite || self.is_pondering()) {
            guard = self.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, ()> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
