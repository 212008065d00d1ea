//! Ctrl-C, for the tools that end in good order when it is pressed.

use std::{
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use anyhow::{Context as _, Result};
use zugwerk::search::Stop;

use super::INTERRUPTED;

/// Whether Ctrl-C was pressed.
pub(super) struct Pressed(Arc<AtomicBool>);

impl Pressed {
    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// Lets Ctrl-C do `act`, and end the program at once when it is pressed a second time. To be called once.
pub(super) fn on_press(act: impl Fn() + Send + 'static) -> Result<Pressed> {
    let pressed = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&pressed);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::AcqRel) {
            process::exit(INTERRUPTED.into());
        }
        act();
    })
    .context("cannot handle Ctrl-C")?;
    Ok(Pressed(pressed))
}

/// A stop that Ctrl-C raises.
pub(super) fn stop() -> Result<Arc<Stop>> {
    let stop = Arc::new(Stop::default());
    let raised = Arc::clone(&stop);
    on_press(move || raised.stop())?;
    Ok(stop)
}
