//! A request to end work early.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// A flag shared by all its clones: set from any thread, and checked by whoever works.
/// ([`Stop`](crate::engine::search::Stop), which ends searches, also knows pondering.)
#[derive(Debug, Clone, Default)]
pub struct Halt(Arc<AtomicBool>);

impl Halt {
    /// Requests the end.
    pub fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether the end was requested.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Withdraws the request, before other work begins.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Release);
    }
}
