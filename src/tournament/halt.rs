//! A request to end a match early: set once, from any thread, and checked by every slot.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag shared by all its clones.
#[derive(Debug, Clone, Default)]
pub struct Halt(Arc<AtomicBool>);

impl Halt {
    /// Asks the match to end; games in progress are abandoned.
    pub fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether the end was requested.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
