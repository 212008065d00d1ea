//! Flags that set UCI options before the session begins: `--hash=64`, `"--Move Overhead=100"`.
//!
//! lichess-bot passes its `engine_options` in this way. They are taken from the arguments before clap parses
//! them, because the names come from the table of options, may contain blanks, and are matched without regard
//! to case.

use std::ffi::OsString;

use clap::Arg;
use zugwerk::engine::options::{OptionKind, TABLE};

/// One option to set.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Flag {
    pub(crate) name: &'static str,
    pub(crate) value: String,
}

/// Splits the flags for options off the front of the arguments (the program's name stays).
pub(crate) fn split(args: impl IntoIterator<Item = OsString>) -> (Vec<Flag>, Vec<OsString>) {
    let mut args = args.into_iter().peekable();
    let mut rest: Vec<OsString> = args.next().into_iter().collect();
    let mut flags = Vec::new();
    while let Some(flag) = args.peek().and_then(|arg| arg.to_str()).and_then(flag) {
        flags.push(flag);
        args.next();
    }
    rest.extend(args);
    (flags, rest)
}

/// Parses `--name=value`, and `--name` for check options and buttons.
fn flag(arg: &str) -> Option<Flag> {
    let text = arg.strip_prefix("--")?;
    let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
    let row = TABLE.iter().find(|row| spelling(row.name) == spelling(name))?;
    let otherwise = if matches!(row.kind, OptionKind::Check) { "true" } else { "" };
    Some(Flag { name: row.name, value: value.unwrap_or(otherwise).to_owned() })
}

/// Converts a name to a flag: `Move Overhead` becomes `move-overhead`.
fn spelling(name: &str) -> String {
    name.to_ascii_lowercase().replace([' ', '_'], "-")
}

/// The flags as arguments of clap, for `--help` and its suggestions. [`split`] takes them before clap sees
/// them.
pub(crate) fn args() -> impl Iterator<Item = Arg> {
    let settable = TABLE.iter().filter(|row| !matches!(row.kind, OptionKind::Button | OptionKind::Notice));
    settable.map(|row| {
        let help = match row.kind {
            OptionKind::Techniques => "names separated by commas, as in `zugwerk bench --without`".to_owned(),
            kind => kind.to_string(),
        };
        let arg = Arg::new(row.name).long(spelling(row.name)).help(help);
        arg.value_name("VALUE").require_equals(true).help_heading("UCI options, before all other arguments")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split_words(words: &[&str]) -> (Vec<(&'static str, String)>, Vec<String>) {
        let (flags, rest) = split(words.iter().map(OsString::from));
        let rest = rest.into_iter().map(|arg| arg.into_string().unwrap()).collect();
        (flags.into_iter().map(|flag| (flag.name, flag.value)).collect(), rest)
    }

    #[test]
    fn every_way_of_writing_an_option_is_understood() {
        let words = [
            "zugwerk",
            "--Hash=64",
            "--move-overhead=100",
            "--Move Overhead=200",
            "--UCI_ShowWDL=true",
            "--uci-chess960",
            "--SyzygyPath=a=b",
        ];
        let (flags, rest) = split_words(&words);
        let expected = [
            ("Hash", "64"),
            ("Move Overhead", "100"),
            ("Move Overhead", "200"),
            ("UCI_ShowWDL", "true"),
            ("UCI_Chess960", "true"),
            ("SyzygyPath", "a=b"),
        ];
        assert_eq!(flags, expected.map(|(name, value)| (name, value.to_owned())));
        assert_eq!(rest, ["zugwerk"]);
    }

    #[test]
    fn what_is_no_option_is_left_to_clap() {
        let (flags, rest) = split_words(&["zugwerk", "--hash=1", "--version", "--hash=2"]);
        assert_eq!(flags.len(), 1);
        assert_eq!(rest, ["zugwerk", "--version", "--hash=2"]);
        assert_eq!(split_words(&["zugwerk", "bench", "--hash=2"]).0, []);
    }
}
