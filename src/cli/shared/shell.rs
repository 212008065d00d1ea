//! Commands that are shown, so that they can be copied.

use std::ffi::OsString;

/// A command as a shell reads it, on Windows that of Windows.
pub(crate) fn line(words: impl Iterator<Item = OsString>, on_windows: bool) -> String {
    let quote = if on_windows { in_windows_shell } else { in_shell };
    words.map(|word| quote(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}

/// Quotes a word for a shell where that is needed.
fn in_shell(word: &str) -> String {
    if is_plain(word) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// Quotes a word for a shell of Windows where that is needed. A backslash is usual in paths, and escapes only
/// a quotation mark.
fn in_windows_shell(word: &str) -> String {
    if is_plain(&word.replace('\\', "/")) {
        return word.to_owned();
    }
    let escaped_end = if word.ends_with('\\') { r"\" } else { "" };
    format!("\"{}{escaped_end}\"", word.replace('"', r#"\""#))
}

fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./,:=+@%".contains(c))
}
