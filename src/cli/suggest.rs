//! "Did you mean": suggestions for unknown words.

use std::{env, ffi::OsString, fs, io};

use clap::{
    CommandFactory as _,
    error::{ContextKind, ContextValue, ErrorKind},
};
use zugwerk::{settings::SettingError, tournament::runner::MatchError};

use super::{Cli, option_flags};

/// The minimum similarity of two words, from 0 to 1.
const ALIKE: f64 = 0.8;
/// The minimum length of a word to be compared: shorter ones are similar to too many others.
const LETTERS: usize = 3;

/// The word of `known` that is most similar to `word`, if any is similar.
fn nearest(word: &str, known: impl IntoIterator<Item = String>) -> Option<String> {
    let word = word.to_lowercase();
    if word.chars().count() < LETTERS {
        return None;
    }
    let alike = known.into_iter().map(|known| (strsim::jaro_winkler(&word, &known.to_lowercase()), known));
    let (likeness, known) = alike.max_by(|one, other| one.0.total_cmp(&other.0))?;
    (likeness >= ALIKE).then_some(known)
}

/// The names of all subcommands.
pub(super) fn subcommands() -> Vec<String> {
    Cli::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

/// The suggestion to append to an error about `word`: `; did you mean ...?`, or nothing if no word of `known` is similar.
pub(super) fn hint(word: &str, known: impl IntoIterator<Item = String>) -> String {
    nearest(word, known).map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"))
}

/// The suggestion to append to the error of a tool: for keys of `key=value` lists and programs that cannot be started.
pub(super) fn for_failure(error: &anyhow::Error) -> String {
    let in_list = error.chain().find_map(|cause| cause.downcast_ref::<SettingError>());
    if let Some(SettingError::UnknownKey { key, known }) = in_list {
        return hint(key, known.split(", ").map(str::to_owned));
    }
    match error.downcast_ref::<MatchError>() {
        Some(MatchError::Launch { command, error, .. }) if error.kind() == io::ErrorKind::NotFound => {
            hint(command, programs())
        }
        _ => String::new(),
    }
}

/// The programs that can be started by name.
fn programs() -> impl Iterator<Item = String> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders: Vec<_> = env::split_paths(&path).collect();
    let files = folders.into_iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    ["self".to_owned()].into_iter().chain(files.filter_map(|file| file.file_name().into_string().ok()))
}

/// The suggestion to append to the usage error of `args`, the arguments behind the flags for options.
pub(super) fn for_error(error: &clap::Error, args: &[OsString]) -> String {
    let told = |kind| match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => texts.first().cloned(),
        _ => None,
    };
    let suggested =
        [ContextKind::SuggestedArg, ContextKind::SuggestedValue, ContextKind::SuggestedSubcommand];
    // Flags for options come before everything else.
    let is_first = args.get(1).is_some_and(|first| first.as_encoded_bytes().starts_with(b"-"));
    let is_unknown = is_first && error.kind() == ErrorKind::UnknownArgument;
    let option = || {
        let flag = told(ContextKind::InvalidArg)?;
        let name = flag.strip_prefix("--")?.split('=').next()?;
        nearest(name, option_flags::names()).map(|name| format!("--{name}=VALUE"))
    };
    // Clap rarely finds short words similar.
    let value = || {
        let Some(ContextValue::Strings(possible)) = error.get(ContextKind::ValidValue) else { return None };
        nearest(&told(ContextKind::InvalidValue)?, possible.iter().cloned())
    };
    let option = is_unknown.then(option).flatten();
    let meant = suggested.into_iter().find_map(told).or(option).or_else(value);
    meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_understood_and_other_words_are_not() {
        let nearest = |word| nearest(word, ["analyse", "match", "perft"].map(str::to_owned));
        assert_eq!(nearest("analise").as_deref(), Some("analyse"));
        assert_eq!(nearest("MTACH").as_deref(), Some("match"));
        assert_eq!(nearest("nonsense"), None);
        assert_eq!(nearest(""), None);
        assert_eq!(super::nearest("x", ["xz".to_owned()]), None, "too short to mean anything");
    }
}
