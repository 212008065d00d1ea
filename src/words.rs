//! The words of messages: numbers with their nouns, foreign text, and the messages of panics.

use std::any::Any;

/// Returns the number `count` with the noun that fits it.
///
/// ```
/// use zugwerk::words::counted;
/// assert_eq!(counted(1, "ply", "plies"), "1 ply");
/// assert_eq!(counted(0, "ply", "plies"), "0 plies");
/// ```
#[must_use]
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", noun(count, one, many))
}

/// Returns the noun that fits the number `count`.
#[must_use]
pub const fn noun<'w>(count: u64, one: &'w str, many: &'w str) -> &'w str {
    if count == 1 { one } else { many }
}

/// Formats untrusted text for one line of output: quoted, shortened if it is long, and with `?` for every
/// character that is neither a letter, a digit, a space nor printable ASCII.
#[must_use]
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 80;
    let plain = |c: char| if c == ' ' || c.is_ascii_graphic() || c.is_alphanumeric() { c } else { '?' };
    let shown: String = text.chars().take(LONGEST).map(plain).collect();
    let rest = if text.chars().nth(LONGEST).is_some() { "..." } else { "" };
    format!("\"{shown}{rest}\"")
}

/// [`quoted`] text, or `nothing` if it is empty.
pub(crate) fn quoted_or_nothing(text: &str) -> String {
    if text.is_empty() { "nothing".to_owned() } else { quoted(text) }
}

/// The message of a panic.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason given")
}
