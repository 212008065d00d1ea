//! The command that continues an interrupted match.

use std::{
    env,
    ffi::OsString,
    io::{self, Write as _},
};

use crate::cli::progress::above_the_bar;

/// Tells the command on standard error: that of this run, with `--resume`. It is not wrapped, so that it can be copied.
pub(super) fn tell() {
    let command = resuming(env::args_os(), cfg!(windows));
    let _ = above_the_bar(&io::stderr(), || writeln!(io::stderr(), "to continue: {command}"));
}

/// The command of `words` with `--resume`, as a shell reads it, on Windows that of Windows.
fn resuming(words: impl Iterator<Item = OsString>, on_windows: bool) -> String {
    let quote = if on_windows { in_windows_shell } else { in_shell };
    let mut words: Vec<String> = words.map(|word| quote(&word.to_string_lossy())).collect();
    if words.iter().all(|word| word != "--resume") {
        words.push("--resume".to_owned());
    }
    words.join(" ")
}

/// Quotes a word for a shell where that is needed.
fn in_shell(word: &str) -> String {
    if is_plain(word) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

/// Quotes a word for a shell of Windows where that is needed. A backslash is usual in paths, and escapes only a quotation mark.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_one_that_a_shell_reads() {
        let command = |words: &[&str]| resuming(words.iter().map(OsString::from), false);
        assert_eq!(
            command(&["./zugwerk", "match", "--engine", "self,name=A B,option.Book=it's", "--each", ""]),
            r"./zugwerk match --engine 'self,name=A B,option.Book=it'\''s' --each '' --resume"
        );
        assert_eq!(
            command(&["zugwerk", "match", "--resume", "--pgn", "a.pgn"]),
            "zugwerk match --resume --pgn a.pgn"
        );
        let words =
            [r"C:\zugwerk.exe", "match", "--syzygy", r"D:\my tables\", "--each", ""].map(OsString::from);
        assert_eq!(
            resuming(words.into_iter(), true),
            r#"C:\zugwerk.exe match --syzygy "D:\my tables\\" --each "" --resume"#
        );
    }
}
