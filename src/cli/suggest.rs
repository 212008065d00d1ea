//! "Did you mean": suggestions for unknown words.

use clap::{
    CommandFactory as _,
    error::{ContextKind, ContextValue},
};

use super::{Cli, option_flags};

/// The minimum similarity of two words, from 0 to 1.
const ALIKE: f64 = 0.8;

/// The word of `known` that is most similar to `word`, if any is similar.
pub(super) fn nearest(word: &str, known: impl IntoIterator<Item = String>) -> Option<String> {
    let word = word.to_lowercase();
    let alike = known.into_iter().map(|known| (strsim::jaro_winkler(&word, &known.to_lowercase()), known));
    let (likeness, known) = alike.max_by(|one, other| one.0.total_cmp(&other.0))?;
    (likeness >= ALIKE).then_some(known)
}

/// The subcommand that `word` was probably meant to be.
pub(super) fn subcommand(word: &str) -> Option<String> {
    let command = Cli::command();
    let names = command.get_subcommands().map(|command| command.get_name().to_owned());
    nearest(word, names.collect::<Vec<_>>())
}

/// The suggestion to append to `error`: `; did you mean ...?`, or nothing.
pub(super) fn for_error(error: &clap::Error) -> String {
    let told = |kind| match error.get(kind)? {
        ContextValue::String(text) => Some(text.clone()),
        ContextValue::Strings(texts) => texts.first().cloned(),
        _ => None,
    };
    let suggested =
        [ContextKind::SuggestedArg, ContextKind::SuggestedValue, ContextKind::SuggestedSubcommand];
    let option = || {
        let flag = told(ContextKind::InvalidArg)?;
        let name = flag.strip_prefix("--")?.split('=').next()?;
        nearest(name, option_flags::names()).map(|name| format!("--{name}=VALUE"))
    };
    let meant = suggested.into_iter().find_map(told).or_else(option);
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
    }
}
