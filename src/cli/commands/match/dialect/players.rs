//! The settings of players.

use anyhow::{Result, bail};
use zugwerk::settings::parts;

use super::Dialect;

/// The keys that have the same meaning in all programs.
const SAME: [&str; 11] =
    ["name", "cmd", "dir", "args", "arg", "tc", "st", "nodes", "depth", "ponder", "restart"];

/// The keys that limit a move.
const LIMITS: [&str; 4] = ["tc", "st", "nodes", "depth"];

/// The settings of one player, or those of all.
#[derive(Default)]
pub(super) struct Settings {
    /// `key=value` in the words of this program, unescaped; the command may be without a key.
    parts: Vec<String>,
    /// Whether `tc=inf` was left out.
    is_unlimited: bool,
}

impl Settings {
    /// Reads the words behind `engine` or `each`, and adds what is left out to `notes`.
    pub(super) fn read(words: &[String], dialect: Dialect, notes: &mut Vec<String>) -> Result<Self> {
        let mut settings = Self::default();
        let parts = match dialect {
            Dialect::Theirs => words.to_vec(),
            Dialect::Ours => words.iter().flat_map(|word| parts(word)).collect(),
        };
        for part in parts {
            let Some((key, value)) = part.split_once('=') else {
                settings.add_bare(part, dialect, notes)?;
                continue;
            };
            let leave_out = |why: &str| format!("{part}: {why}");
            match (key, value) {
                ("tc", "inf" | "infinite") => settings.is_unlimited = true,
                ("proto", "uci") | ("restart", "auto") => {}
                ("plies", _) => settings.parts.push(format!("depth={value}")),
                ("timemargin", _) => settings.parts.push(format!("margin={value}")),
                ("stderr", _) => notes.push(leave_out("--log FILE has the standard error of the engines")),
                ("proto", _) => bail!("{part}: expected proto=uci"),
                ("conf", _) => bail!("{part}: expected cmd=…"),
                ("book" | "bookdepth", _) => bail!("{part}: expected the openings of the match"),
                ("args", _) if value.contains('"') => {
                    bail!("{part}: expected arg=… for each argument with a blank")
                }
                // A backslash before a comma would keep the comma in the value.
                ("dir", _) => settings.parts.push(format!("dir={}", value.trim_end_matches('\\'))),
                _ if value.ends_with('\\') => bail!("{part}: expected no backslash at the end"),
                _ if SAME.contains(&key) || key == "margin" || key.starts_with("option.") => {
                    settings.parts.push(part);
                }
                _ => bail!("{part}: a player has no such setting here"),
            }
        }
        Ok(settings)
    }

    /// Adds a word without a value: a switch of cutechess-cli, or in our notation the command.
    fn add_bare(&mut self, word: String, dialect: Dialect, notes: &mut Vec<String>) -> Result<()> {
        match (word.as_str(), dialect) {
            ("ponder", _) => self.parts.push("ponder=on".into()),
            ("trust", _) => notes.push(format!("{word}: the referee checks every result")),
            ("whitepov", _) => bail!("{word}: expected scores for the side to move, as UCI has them"),
            (_, Dialect::Ours) => self.parts.push(word),
            (_, Dialect::Theirs) if self.parts.is_empty() => self.parts.push(word),
            _ => bail!("{word}: expected key=value"),
        }
        Ok(())
    }

    /// Removes what `each` sets too, and returns it. The two limits of time replace each other.
    pub(super) fn without(&mut self, each: &Self) -> Vec<String> {
        let is_replaced = |part: &String| {
            each.parts.iter().any(|other| {
                let (one, two) = (key(part), key(other));
                one.eq_ignore_ascii_case(two) || ["tc", "st"].contains(&one) && ["tc", "st"].contains(&two)
            })
        };
        let (replaced, kept) = std::mem::take(&mut self.parts).into_iter().partition(is_replaced);
        self.parts = kept;
        replaced
    }

    /// Whether these settings, or those of `each`, ask for no clock and set no limit instead.
    pub(super) fn is_without_limit(&self, each: &Self) -> bool {
        let mut parts = self.parts.iter().chain(&each.parts);
        (self.is_unlimited || each.is_unlimited) && !parts.any(|part| LIMITS.contains(&key(part)))
    }

    /// Whether a time is limited, and no margin is set.
    pub(super) fn lacks_margin(&self) -> bool {
        let has = |wanted: &str| self.parts.iter().any(|part| key(part) == wanted);
        (has("tc") || has("st")) && !has("margin")
    }

    /// The list in our notation.
    pub(super) fn settings(&self) -> String {
        self.parts.iter().map(|part| part.replace(',', "\\,")).collect::<Vec<_>>().join(",")
    }
}

fn key(part: &str) -> &str {
    part.split('=').next().unwrap_or(part)
}
