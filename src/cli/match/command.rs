//! The command that continues an interrupted match.

use std::{
    env,
    ffi::OsString,
    io::{self, Write as _},
};

use crate::cli::progress::above_the_bar;

/// Tells the command on standard error: that of this run, with `--resume`. It is not wrapped, so that it can be copied.
pub(super) fn tell() {
    let command = resuming(env::args_os());
    let _ = above_the_bar(&io::stderr(), || writeln!(io::stderr(), "to continue: {command}"));
}

/// The command of `words` with `--resume`, as a shell reads it.
fn resuming(words: impl Iterator<Item = OsString>) -> String {
    let mut words: Vec<String> = words.map(|word| in_shell(&word.to_string_lossy())).collect();
    if words.iter().all(|word| word != "--resume") {
        words.push("--resume".to_owned());
    }
    words.join(" ")
}

/// Quotes a word for a shell where that is needed.
fn in_shell(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./,:=+@%".contains(c);
    match word {
        "" => "''".to_owned(),
        _ if word.chars().all(is_plain) => word.to_owned(),
        _ => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_one_that_a_shell_reads() {
        let command = |words: &[&str]| resuming(words.iter().map(OsString::from));
        assert_eq!(
            command(&["./zugwerk", "match", "--engine", "self,name=A B,option.Book=it's", "--each", ""]),
            r"./zugwerk match --engine 'self,name=A B,option.Book=it'\''s' --each '' --resume"
        );
        assert_eq!(
            command(&["zugwerk", "match", "--resume", "--pgn", "a.pgn"]),
            "zugwerk match --resume --pgn a.pgn"
        );
    }
}
