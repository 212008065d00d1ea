//! Commands that are shown: the one that continues an interrupted match, and one of another program in the
//! words of this one.

use std::{
    env,
    ffi::OsString,
    io::{self, Write as _},
};

use anyhow::{Context as _, Result, bail};

use super::dialect::{self, Translation};
use crate::cli::shared::{print::warn, progress::above_the_bar, shell::line};

/// Tells the command on standard error: that of this run, with `--resume`.
pub(super) fn tell_how_to_continue() {
    let words =
        in_own_words(env::args_os().collect()).map_or_else(|_| env::args_os().collect(), |own| own.args);
    tell_line("to continue", &resuming(words.into_iter(), cfg!(windows)));
}

/// Tells a command on standard error. It is not wrapped, so that it can be copied.
fn tell_line(what: &str, command: &str) {
    let _ = above_the_bar(&io::stderr(), || writeln!(io::stderr(), "{what}: {command}"));
}

/// Arguments in the words of this program.
pub(in crate::cli) struct OwnCommand {
    /// All arguments, with the program's name.
    pub(in crate::cli) args: Vec<OsString>,
    /// What of another program's command line is different here; `None` if it is one of ours.
    notes: Option<Vec<String>>,
}

impl OwnCommand {
    /// Prints the command and what is different, if it was another program's.
    pub(in crate::cli) fn announce(&self) {
        if let Some(notes) = &self.notes {
            tell_line("in the words of this program", &line(self.args.iter().cloned(), cfg!(windows)));
            notes.iter().for_each(warn);
        }
    }
}

/// Translates the arguments of `match` if they have flags of fastchess or cutechess-cli; leaves others
/// unchanged.
///
/// # Errors
/// What this program does not do, and what is written in a mixture of both, with how it is written here.
pub(in crate::cli) fn in_own_words(args: Vec<OsString>) -> Result<OwnCommand> {
    let words = || args.iter().skip(2).map(|arg| Some(arg.to_str()?.to_owned())).collect();
    let is_match = args.get(1).is_some_and(|command| command == "match");
    let words: Option<Vec<String>> = if is_match { words() } else { None };
    let Some(words) = words else { return Ok(OwnCommand { args, notes: None }) };
    let with = |words: Vec<String>| args[..2].iter().cloned().chain(words.into_iter().map(OsString::from));
    if let Some(Translation { words, notes }) = dialect::translate(&words)? {
        return Ok(OwnCommand { args: with(words).collect(), notes: Some(notes) });
    }
    if let Some((what, Translation { words, notes })) = dialect::corrected(&words).context("match")? {
        let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
        bail!("match {what}: expected {}{notes}", line(with(words), cfg!(windows)));
    }
    Ok(OwnCommand { args, notes: None })
}

/// The command of `words` with `--resume`.
fn resuming(words: impl Iterator<Item = OsString>, on_windows: bool) -> String {
    let mut words: Vec<OsString> = words.collect();
    if words.iter().all(|word| word != "--resume") {
        words.push("--resume".into());
    }
    line(words.into_iter(), on_windows)
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
