//! Progress bars on standard error, hidden if that is not a terminal. A bar takes one line, of which the
//! message is cut. It disappears when it is dropped.

use std::{
    fmt::Write,
    fs::Metadata,
    io::IsTerminal,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle, WeakProgressBar};

use crate::cli::shared::terminal::understands_escapes;

/// The time between two drawings of a bar whose work does not advance: its clock goes on.
const TICK: Duration = Duration::from_millis(200);

/// The bar that is shown. What is printed meanwhile goes above it.
static SHOWN: Mutex<Option<WeakProgressBar>> = Mutex::new(None);

/// A bar up to `length`, which can be set later; its message shows the state of the work.
pub(crate) fn bar(length: u64, unit: &'static str) -> ProgressBar {
    let template = "{bar:12} {human_pos}/{human_len} {prefix} [{elapsed}<{eta}] {rate} {wide_msg}";
    show(ProgressBar::new(length).with_style(style(template)).with_prefix(unit))
}

/// A counter without an end.
pub(crate) fn count(unit: &'static str) -> ProgressBar {
    let template = "{spinner} {human_pos} {prefix} [{elapsed}] {rate} {wide_msg}";
    show(ProgressBar::new_spinner().with_style(style(template)).with_prefix(unit))
}

/// A line with a message, for work of unknown length.
pub(crate) fn live() -> ProgressBar {
    show(ProgressBar::new_spinner().with_style(style("{spinner} [{elapsed}] {wide_msg}")))
}

/// A bar of the bytes read, for all of `files`.
pub(crate) fn bytes<'p>(files: impl IntoIterator<Item = &'p PathBuf>) -> ProgressBar {
    let bytes = files.into_iter().filter_map(|path| path.metadata().ok()).map(|file| file.len()).sum();
    let template = "{bar:12} {bytes}/{total_bytes} [{elapsed}<{eta}] {binary_bytes_per_sec} {wide_msg}";
    show(ProgressBar::new(bytes).with_style(style(template)))
}

/// A bar of the parts of `files` that are done, in bytes. It has no end if the length of one is not known.
pub(crate) fn parts(files: &[PathBuf]) -> ProgressBar {
    let lengths = files.iter().map(|path| path.metadata().ok().filter(Metadata::is_file));
    match lengths.map(|file| file.map(|file| file.len())).sum() {
        Some(bytes) => show(
            ProgressBar::new(bytes).with_style(style("{bar:12} {percent} % [{elapsed}<{eta}] {wide_msg}")),
        ),
        None => live(),
    }
}

/// Calls `print`, which writes to `stream`, and keeps what it writes apart from the bar.
///
/// On a terminal the bar is locked meanwhile: `print` must neither change it nor call this function. A pipe,
/// for whose reader `print` may wait, does not lock it.
pub(crate) fn above_the_bar<T>(stream: &impl IsTerminal, print: impl FnOnce() -> T) -> T {
    let shown = stream.is_terminal().then(shown).and_then(|bar| bar.as_ref()?.upgrade());
    match shown {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}

fn shown() -> MutexGuard<'static, Option<WeakProgressBar>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Shows `bar` until it is dropped.
fn show(bar: ProgressBar) -> ProgressBar {
    if !understands_escapes() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if !bar.is_hidden() {
        bar.enable_steady_tick(TICK);
        *shown() = Some(bar.downgrade());
    }
    bar
}

fn style(template: &str) -> ProgressStyle {
    let style = ProgressStyle::with_template(template).expect("the template is well-formed");
    style.with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
        let _ = out.write_str(&rate(state.per_sec()));
    })
}

/// Slow work needs decimals, fast work does not.
fn rate(per_second: f64) -> String {
    format!("{per_second:.*}/s", usize::from(per_second < 100.0))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_speed_has_at_most_one_decimal() {
        assert_eq!(
            [0.0, 0.26, 99.94, 100.0, 12_345.6].map(super::rate),
            ["0.0/s", "0.3/s", "99.9/s", "100/s", "12346/s"]
        );
    }
}
