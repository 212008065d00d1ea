//! Flags whose value is a list of `key=value`.

use anyhow::{Context as _, Result};
use zugwerk::settings::SettingError;

/// Parses the words of `flag`, if it is given: `--sprt a=1 b=2` and `--sprt a=1,b=2` are equivalent.
pub(crate) fn settings<T>(
    flag: &'static str,
    words: Option<&Vec<String>>,
    parse: fn(&str) -> Result<T, SettingError>,
) -> Result<Option<T>> {
    words.map(|words| parse(&words.join(","))).transpose().context(flag)
}
