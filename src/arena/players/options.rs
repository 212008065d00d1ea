//! The UCI options that a player announces, and whether they accept a setting.

use std::collections::BTreeMap;

/// An option as its line announces it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::arena) struct Announced {
    /// The name.
    pub(in crate::arena) name: String,
    kind: AnnouncedKind,
    /// The default, if it is a text.
    default: Option<String>,
}

/// The type of an option, and the values that it accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
enum AnnouncedKind {
    Check,
    Spin {
        min: i64,
        max: i64,
    },
    Combo(Vec<String>),
    Button,
    Text,
    /// A type that UCI does not know, or none.
    Other,
}

impl Announced {
    /// Parses what follows `option`: `name Move Overhead type spin default 10 min 0 max 5000`.
    pub(in crate::arena) fn parse(words: &str) -> Option<Self> {
        let mut words = words.split_whitespace();
        let is_named = words.next() == Some("name");
        let name = words.by_ref().take_while(|&word| word != "type").collect::<Vec<_>>().join(" ");
        let mut default = None;
        let kind = match words.next() {
            Some("check") => AnnouncedKind::Check,
            Some("spin") => {
                let rest: Vec<&str> = words.collect();
                let number = |key| {
                    let at = rest.iter().position(|&word| word == key)?;
                    rest.get(at + 1)?.parse().ok()
                };
                AnnouncedKind::Spin {
                    min: number("min").unwrap_or(i64::MIN),
                    max: number("max").unwrap_or(i64::MAX),
                }
            }
            Some("combo") => AnnouncedKind::Combo(values(words)),
            Some("button") => AnnouncedKind::Button,
            Some("string") => {
                default = Some(words.skip_while(|&word| word == "default").collect::<Vec<_>>().join(" "));
                AnnouncedKind::Text
            }
            _ => AnnouncedKind::Other,
        };
        is_named.then_some(Announced { name, kind, default })
    }

    /// What the option expects, if it is not `value`.
    fn refusal(&self, value: &str) -> Option<String> {
        let is = |expected: &str| expected.eq_ignore_ascii_case(value);
        match &self.kind {
            AnnouncedKind::Check => (!is("true") && !is("false")).then(|| "true or false".to_owned()),
            AnnouncedKind::Spin { min, max } => {
                let is_in_range = value.parse().is_ok_and(|number| (min..=max).contains(&&number));
                (!is_in_range).then(|| format!("a whole number from {min} to {max}"))
            }
            AnnouncedKind::Combo(values) => {
                (!values.iter().any(|value| is(value))).then(|| format!("one of {}", values.join(", ")))
            }
            AnnouncedKind::Button | AnnouncedKind::Text | AnnouncedKind::Other => None,
        }
    }
}

/// The values of a combo: what follows each `var`. A value may have blanks.
fn values<'w>(words: impl Iterator<Item = &'w str>) -> Vec<String> {
    let mut values: Vec<String> = Vec::new();
    let mut is_value = false;
    for word in words {
        match (word, values.last_mut()) {
            ("var", _) => values.push(String::new()),
            ("default", _) => {}
            (_, Some(value)) if is_value && !value.is_empty() => *value += &format!(" {word}"),
            (_, Some(value)) if is_value => word.clone_into(value),
            _ => {}
        }
        is_value = word == "var" || (is_value && word != "default");
    }
    values
}

/// The options of one process, by name in lower case.
#[derive(Debug, Default)]
pub(in crate::arena) struct AnnouncedOptions(BTreeMap<String, Announced>);

impl AnnouncedOptions {
    /// Adds an option.
    pub(in crate::arena) fn add(&mut self, option: Announced) {
        self.0.insert(option.name.to_ascii_lowercase(), option);
    }

    fn get(&self, name: &str) -> Option<&Announced> {
        self.0.get(&name.to_ascii_lowercase())
    }

    /// Whether an option of this name is announced.
    pub(in crate::arena) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The default of a text option.
    pub(in crate::arena) fn default_of(&self, name: &str) -> Option<&str> {
        self.get(name)?.default.as_deref()
    }

    /// Why a setting has no effect or another one than it says, if that is so.
    pub(in crate::arena) fn refusal(&self, name: &str, value: &str) -> Option<String> {
        let Some(option) = self.get(name) else {
            let nearest = self.nearest(name).map(|near| format!("; the nearest is '{near}'"));
            return Some(format!("does not announce the option '{name}'{}", nearest.unwrap_or_default()));
        };
        let expected = option.refusal(value)?;
        Some(format!("refuses option.{name}={value}: expected {expected}"))
    }

    /// The name most like `name`, if at least half of the characters agree.
    fn nearest(&self, name: &str) -> Option<&str> {
        let name = name.to_ascii_lowercase();
        let (distance, length, near) = self
            .0
            .iter()
            .map(|(lower, option)| {
                (strsim::levenshtein(&name, lower), lower.len().max(name.len()), &option.name)
            })
            .min()?;
        (2 * distance <= length).then_some(near)
    }

    /// The command that gives an option a value. A button has none, and an empty text is written `<empty>`:
    /// without a value an engine would keep its default.
    pub(in crate::arena) fn command(&self, name: &str, value: &str) -> String {
        match (self.get(name).map(|option| &option.kind), value) {
            (Some(AnnouncedKind::Text), "") => format!("setoption name {name} value <empty>"),
            (Some(AnnouncedKind::Button), _) | (_, "") => format!("setoption name {name}"),
            _ => format!("setoption name {name} value {value}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> AnnouncedOptions {
        let mut options = AnnouncedOptions::default();
        for line in [
            "name Threads type spin default 1 min 1 max 512",
            "name\tHash  type spin default 16 min 1",
            "name Move Overhead type spin default 0 min -5 max 5",
            "name UCI_Chess960 type check default false",
            "name Style type combo default Solid var Solid var Very Wild var default",
            "name Clear Hash type button",
            "name Book File type string default min 1 max var",
            "name Odd",
        ] {
            options.add(Announced::parse(line).unwrap());
        }
        options
    }

    #[test]
    fn what_an_option_accepts_is_in_its_line() {
        let options = options();
        for (name, value) in [
            ("threads", "512"),
            ("Hash", "99999999"),
            ("Move Overhead", "-5"),
            ("UCI_Chess960", "True"),
            ("style", "very wild"),
            ("Clear Hash", "now"),
            ("Book File", ""),
            ("Odd", "x"),
        ] {
            assert_eq!(options.refusal(name, value), None, "{name}={value}");
        }
        for (name, value, expected) in [
            ("Threads", "0", "a whole number from 1 to 512"),
            ("Threads", "513", "a whole number from 1 to 512"),
            ("Threads", "", "a whole number from 1 to 512"),
            ("Move Overhead", "1.5", "a whole number from -5 to 5"),
            ("UCI_Chess960", "on", "true or false"),
            ("Style", "Solid var", "one of Solid, Very Wild"),
        ] {
            let refusal = options.refusal(name, value).unwrap();
            assert!(
                refusal.starts_with(&format!("refuses option.{name}={value}: expected {expected}")),
                "{refusal}"
            );
        }
        assert_eq!(Announced::parse("type check"), None);
    }

    #[test]
    fn a_missing_option_is_told_with_the_nearest() {
        let options = options();
        for (name, nearest) in [
            ("Thread", "; the nearest is 'Threads'"),
            ("Hahs", "; the nearest is 'Hash'"),
            ("moveoverhead", "; the nearest is 'Move Overhead'"),
            ("Contempt", ""),
            ("", ""),
        ] {
            let refusal = options.refusal(name, "4").unwrap();
            assert_eq!(refusal, format!("does not announce the option '{name}'{nearest}"));
        }
        assert!(AnnouncedOptions::default().refusal("Hash", "4").is_some());
    }
}
