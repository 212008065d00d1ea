//! Ctrl-C, for tools that end cleanly when it is pressed.

use std::{
    process,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use zugwerk::{arena::players::kill_all, engine::search::Stop, halt::Halt};

use crate::cli::shared::{status::ExitStatus, unfinished};

/// Signals within this time after the first one belong to it: a terminal that closes sends one by its shell
/// and one by itself.
const AT_ONCE: Duration = Duration::from_millis(200);

/// Keeps the signal that a terminal has closed ignored, if the program was started so, as `nohup` does: a
/// handler of Ctrl-C would be one of this signal too. Must be called before another thread is started,
/// because it blocks the signal for the calling thread and those that it starts.
#[cfg(target_os = "linux")]
pub(crate) fn keep_hang_up_ignored() {
    use nix::sys::signal::{SigSet, Signal};
    // A bit for each signal. Signal 1, which is SIGHUP, has the lowest bit.
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    if ignored.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).is_some_and(|bits| bits & 1 == 1) {
        let mut hang_up = SigSet::empty();
        hang_up.add(Signal::SIGHUP);
        let _ = hang_up.thread_block();
    }
}

/// Other systems do not say which signals are ignored.
#[cfg(not(target_os = "linux"))]
pub(crate) fn keep_hang_up_ignored() {}

/// Calls `act` on Ctrl-C or another signal to end, after it has set the halt that is returned, and ends the
/// program and its engines at once at a later one. Must be called only once.
pub(crate) fn on_press(act: impl Fn() + Send + 'static) -> Result<Halt> {
    let pressed = Halt::default();
    let set = pressed.clone();
    let mut first: Option<Instant> = None;
    handle(move || match first {
        None => {
            first = Some(Instant::now());
            set.set();
            act();
        }
        Some(first) if first.elapsed() < AT_ONCE => {}
        Some(_) => end(),
    })?;
    Ok(pressed)
}

/// Ends the program at once on Ctrl-C or another signal to end, for tools that have nothing to tell then.
/// Must be called only once, instead of [`on_press`].
pub(crate) fn end_on_press() -> Result<()> {
    handle(|| end())
}

fn handle(act: impl FnMut() + Send + 'static) -> Result<()> {
    ctrlc::set_handler(act).context("cannot handle Ctrl-C")
}

/// Ends the program. Neither an engine nor an unfinished file is left.
fn end() -> ! {
    kill_all();
    unfinished::remove_all();
    process::exit(ExitStatus::Interrupted as i32)
}

/// Returns a stop that Ctrl-C raises.
pub(crate) fn stop() -> Result<Arc<Stop>> {
    Ok(stop_and_halt()?.0)
}

/// Like [`stop`], with the halt that Ctrl-C sets.
pub(crate) fn stop_and_halt() -> Result<(Arc<Stop>, Halt)> {
    let stop = Arc::new(Stop::default());
    let raised = Arc::clone(&stop);
    let pressed = on_press(move || raised.stop())?;
    Ok((stop, pressed))
}

/// Returns a halt that ends a match cleanly, and one that Ctrl-C alone sets; it sets the first one too.
pub(crate) fn halt_on_interrupt() -> Result<(Halt, Halt)> {
    let halt = Halt::default();
    let set = halt.clone();
    Ok((halt, on_press(move || set.set())?))
}
