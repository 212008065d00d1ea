//! The wish to end a match early: set once, from anywhere, and seen by every slot.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag shared by all who hold a clone of it.
#[derive(Debug, Clone, Default)]
pub struct Halt(Arc<AtomicBool>);

impl Halt {
    /// Asks the match to end; games in progress are given up.
    pub fn set(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether somebody asked.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
