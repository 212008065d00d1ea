//! Ctrl-C, for tools that end cleanly when it is pressed.

use std::{
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::{Context as _, Result};
use zugwerk::{search::Stop, tournament::players::kill_all};

use super::{Finding, unfinished};

/// Whether Ctrl-C was pressed.
pub(super) struct Pressed(Arc<AtomicBool>);

impl Pressed {
    /// The flag, which is set before the tool's own reaction.
    pub(super) fn flag(&self) -> &Arc<AtomicBool> {
        &self.0
    }

    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Calls `act` on Ctrl-C or another signal to end, and ends the program and its engines at once at the next one. Must be
/// called only once.
pub(super) fn on_press(act: impl Fn() + Send + 'static) -> Result<Pressed> {
    let pressed = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&pressed);
    handle(move || {
        if flag.swap(true, Ordering::AcqRel) {
            end();
        }
        act();
    })?;
    Ok(Pressed(pressed))
}

/// Ends the program at once on Ctrl-C or another signal to end, for tools that have nothing to tell then. Must be called
/// only once, instead of [`on_press`].
pub(super) fn end_on_press() -> Result<()> {
    handle(|| end())
}

fn handle(act: impl Fn() + Send + 'static) -> Result<()> {
    ctrlc::set_handler(act).context("cannot handle Ctrl-C")
}

/// Ends the program. Neither an engine nor an unfinished file is left.
fn end() -> ! {
    kill_all();
    unfinished::remove_all();
    process::exit(Finding::Interrupted as i32)
}

/// Returns a stop that Ctrl-C raises.
pub(super) fn stop() -> Result<Arc<Stop>> {
    Ok(stop_and_flag()?.0)
}

/// Like [`stop`], with the flag of Ctrl-C.
pub(super) fn stop_and_flag() -> Result<(Arc<Stop>, Pressed)> {
    let stop = Arc::new(Stop::default());
    let raised = Arc::clone(&stop);
    let pressed = on_press(move || raised.stop())?;
    Ok((stop, pressed))
}
