//! Ctrl-C, for the tools that end in good order when it is pressed.

use std::{process, sync::Arc};

use anyhow::{Context as _, Result};
use zugwerk::search::Stop;

use super::INTERRUPTED;

/// A stop that Ctrl-C raises; pressed a second time it ends the program at once. To be called once.
pub(super) fn stop() -> Result<Arc<Stop>> {
    let stop = Arc::new(Stop::default());
    let pressed = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if pressed.is_stopped() {
            process::exit(INTERRUPTED.into());
        }
        pressed.stop();
    })
    .context("cannot handle Ctrl-C")?;
    Ok(stop)
}
