//! Progress bars on standard error, hidden if that is not a terminal.

use std::{fmt::Write, path::PathBuf, sync::Arc, time::Duration};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use zugwerk::syzygy::{Probe as _, Tables};

use super::warn;

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

/// Warns above `bar` of the damaged files of the tables that adjudicate games, each once.
pub(super) fn warn_of_damage(bar: &ProgressBar, tables: Option<&Arc<Tables>>) {
    for problem in tables.into_iter().flat_map(|tables| tables.problems()) {
        bar.suspend(|| warn(format_args!("{problem}")));
    }
}

fn ticking(bar: ProgressBar) -> ProgressBar {
    if !bar.is_hidden() {
        bar.enable_steady_tick(TICK);
    }
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

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use indicatif::{ProgressDrawTarget, TermLike};

    use super::*;

    /// A terminal that keeps what is written.
    #[derive(Clone, Debug, Default)]
    struct Paper(Arc<Mutex<String>>);

    impl TermLike for Paper {
        fn width(&self) -> u16 {
            120
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn the_speed_has_at_most_one_decimal() {
        let (paper, bar) = (Paper::default(), bar(1000, "games"));
        bar.set_draw_target(ProgressDrawTarget::term_like(Box::new(paper.clone())));
        for _ in 0..3 {
            std::thread::sleep(Duration::from_millis(70));
            bar.inc(1);
            bar.force_draw();
        }
        let text = paper.0.lock().unwrap().clone();
        let speeds: Vec<&str> = text.split(' ').filter_map(|word| word.strip_suffix("/s")).collect();
        assert!(!speeds.is_empty(), "{text}");
        let decimals = |speed: &str| speed.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        assert!(speeds.iter().all(|speed| speed.parse::<f64>().is_ok() && decimals(speed) <= 1), "{text}");
    }
}
