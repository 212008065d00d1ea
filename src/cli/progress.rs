//! Progress bars on standard error, hidden if that is not a terminal.

use std::{fmt::Write, path::PathBuf, time::Duration};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

/// The time between two drawings of a bar whose work does not advance: its clock goes on.
const TICK: Duration = Duration::from_millis(200);

/// A bar up to `length`, which can be set later; its message shows the state of the work.
pub(super) fn bar(length: u64, unit: &'static str) -> ProgressBar {
    let template = "{bar:24} {human_pos}/{human_len} {prefix} [{elapsed}<{eta}] {rate} {msg}";
    ticking(ProgressBar::new(length).with_style(style(template)).with_prefix(unit))
}

/// A counter without an end.
pub(super) fn count(unit: &'static str) -> ProgressBar {
    let template = "{spinner} {human_pos} {prefix} [{elapsed}] {rate} {msg}";
    ticking(ProgressBar::new_spinner().with_style(style(template)).with_prefix(unit))
}

/// A line with a message, for work of unknown length.
pub(super) fn live() -> ProgressBar {
    ticking(ProgressBar::new_spinner().with_style(style("{spinner} [{elapsed}] {wide_msg}")))
}

/// A bar of the bytes read, for all of `files`.
pub(super) fn bytes<'p>(files: impl IntoIterator<Item = &'p PathBuf>) -> ProgressBar {
    let bytes = files.into_iter().filter_map(|path| path.metadata().ok()).map(|file| file.len()).sum();
    let template = "{bar:24} {bytes}/{total_bytes} [{elapsed}<{eta}] {binary_bytes_per_sec} {msg}";
    ticking(ProgressBar::new(bytes).with_style(style(template)))
}

fn ticking(bar: ProgressBar) -> ProgressBar {
    bar.enable_steady_tick(TICK);
    bar
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).expect("the template is well-formed");
    // Slow work needs decimals, fast work does not.
    style.with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
        let rate = state.per_sec();
        let _ = write!(out, "{rate:.*}/s", usize::from(rate < 100.0));
    })
}
