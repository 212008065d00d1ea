//! `key=value` lists, the notation for players and rules.
//!
//! `name=A,cmd=./a,option.Hash=16` is split at commas; a comma inside a value is written `\,`. A reader of
//! such a list refuses unknown keys by name, so that a typing error is never taken for a default.

use std::fmt::Display;
use std::str::FromStr;

/// An error in a `key=value` list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// A part without `=`.
    #[error("expected key=value, got '{0}' (a comma within a value is written `\\,`)")]
    NotAPair(String),
    /// An unknown key.
    #[error("unknown key '{key}': expected one of {known}")]
    UnknownKey {
        /// The key as written.
        key: String,
        /// The known keys.
        known: &'static str,
    },
    /// A value that is invalid for its key.
    #[error("{key}={value}: expected {expected}")]
    BadValue {
        /// The key as written.
        key: String,
        /// The value as written.
        value: String,
        /// The expected values.
        expected: String,
    },
    /// A required key is missing.
    #[error("missing {0}=…")]
    Missing(&'static str),
    /// A key that is there twice.
    #[error("{0} is given twice")]
    Twice(String),
    /// Two keys that exclude each other.
    #[error("{0} and {1} exclude each other")]
    Conflict(&'static str, &'static str),
}

/// One `key=value` of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The text before the first `=`, trimmed.
    pub key: String,
    /// The text after it.
    pub value: String,
}

impl Setting {
    /// Parses the value as a `T` for which `accept` returns true.
    ///
    /// # Errors
    /// [`SettingError::BadValue`] with `expected`, if the value cannot be parsed or is not accepted.
    pub fn read<T: FromStr>(
        &self,
        expected: impl Display,
        accept: impl Fn(&T) -> bool,
    ) -> Result<T, SettingError> {
        let parsed = self.value.parse().ok().filter(accept);
        parsed.ok_or_else(|| self.bad(expected))
    }

    /// Returns the error for a value other than `expected`.
    pub fn bad(&self, expected: impl Display) -> SettingError {
        SettingError::BadValue {
            key: self.key.clone(),
            value: self.value.clone(),
            expected: expected.to_string(),
        }
    }

    /// Returns the error for an unknown key.
    #[must_use]
    pub fn unknown(&self, known: &'static str) -> SettingError {
        SettingError::UnknownKey { key: self.key.clone(), known }
    }
}

/// Splits a list into its settings, in order.
///
/// ```
/// use zugwerk::settings::split;
/// let pairs = split(r"name=A,args=--x 1\,2")?;
/// assert_eq!((pairs[0].key.as_str(), pairs[1].value.as_str()), ("name", "--x 1,2"));
/// # Ok::<(), zugwerk::settings::SettingError>(())
/// ```
///
/// # Errors
/// [`SettingError::NotAPair`] for a part without `=`, and [`SettingError::Twice`] for a key that is there
/// twice. Only `arg` and `args`, which add to a list, may be repeated.
pub fn split(list: &str) -> Result<Vec<Setting>, SettingError> {
    let parts = parts(list);
    let mut settings: Vec<Setting> = Vec::new();
    for part in parts.iter().filter(|part| !part.trim().is_empty()) {
        let (key, value) =
            part.split_once('=').ok_or_else(|| SettingError::NotAPair(part.trim().to_owned()))?;
        let key = key.trim();
        let is_known = settings.iter().any(|setting| setting.key.eq_ignore_ascii_case(key));
        if is_known && !["arg", "args"].contains(&key) {
            return Err(SettingError::Twice(key.to_owned()));
        }
        settings.push(Setting { key: key.to_owned(), value: value.to_owned() });
    }
    Ok(settings)
}

/// Splits at unescaped commas, and replaces `\,` by a comma.
#[must_use]
pub fn parts(list: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut chars = list.chars().peekable();
    while let Some(c) = chars.next() {
        let last = parts.last_mut().expect("there is always one part");
        match c {
            '\\' if chars.peek() == Some(&',') => last.extend(chars.next()),
            ',' => parts.push(String::new()),
            other => last.push(other),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_blanks_and_equal_signs() {
        let pairs = split("option.Move Overhead=1 0, args=--a=b ").unwrap();
        assert_eq!(pairs[0].key, "option.Move Overhead");
        assert_eq!(pairs[0].value, "1 0");
        assert_eq!((pairs[1].key.as_str(), pairs[1].value.as_str()), ("args", "--a=b "));
    }

    #[test]
    fn a_part_without_an_equal_sign_is_named() {
        let error = split("name=A,cmd").unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected key=value, got 'cmd' (a comma within a value is written `\\,`)"
        );
    }
}
