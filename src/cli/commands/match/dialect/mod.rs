//! The flags of fastchess and cutechess-cli, in the words of this program.
//!
//! Their flags have one dash, and the keys of a list are separate words: `-engine cmd=./new name=new -rounds
//! 100`. The manuals and the parsers of both programs, as of 2025, say what each means. Where the two differ,
//! as in the number of games, fastchess is followed. `docs/match.md` has both dialects side by side.

mod players;
mod translator;

use anyhow::Result;
use zugwerk::settings::parts;

use self::translator::Translator;

/// A command line in the words of this program.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Translation {
    /// The words after `match`.
    pub(super) words: Vec<String>,
    /// What has no counterpart, a line each.
    pub(super) notes: Vec<String>,
}

/// Who has written the foreign flags of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Dialect {
    /// Another program: they have one dash.
    Theirs,
    /// A user of this program: they have two, and the settings of players are separated by commas.
    Ours,
}

/// What becomes of a flag.
enum Meaning {
    /// Our flag takes the same value.
    Same(&'static str),
    /// Our flag, without a value.
    Switch(&'static str),
    /// Printed as a note; the match is played without it.
    Note(&'static str),
    /// Refused, because it would be another match.
    Refused(&'static str),
    /// See [`Translator::special`].
    Special,
}

use Meaning::{Note, Refused, Same, Special, Switch};

/// The flags of both programs, those of fastchess first.
const FLAGS: &[(&str, Meaning)] = &[
    ("engine", Special),
    ("each", Special),
    ("openings", Special),
    ("games", Special),
    ("rounds", Special),
    ("repeat", Special),
    ("sprt", Special),
    ("draw", Special),
    ("resign", Special),
    ("pgnout", Special),
    ("log", Special),
    ("variant", Special),
    ("tournament", Special),
    ("seeds", Special),
    ("tb", Special),
    ("maxmoves", Special),
    ("ratinginterval", Special),
    ("concurrency", Same("--concurrency")),
    ("srand", Same("--seed")),
    ("tbpieces", Same("--syzygy-pieces")),
    ("force-concurrency", Switch("--overload")),
    ("recover", Switch("--recover")),
    ("tbignore50", Note("tables decide with the fifty-move rule")),
    ("tbadjudicate", Note("tables decide won and drawn positions")),
    ("reverse", Note("the first player begins each pair with White")),
    ("wait", Note("there is no pause between games")),
    ("use-affinity", Note("the system places the engines on the cores")),
    ("event", Note("the event of the PGN is 'Match by Zugwerk'")),
    ("site", Note("the PGN has no site")),
    ("crc32", Note("no checksum is printed")),
    ("epdout", Note("final positions are not written; the PGN has the games")),
    ("show-latency", Note("the latency is not shown")),
    ("testEnv", Note("the output does not depend on it")),
    ("output", Note("the report has one form, and --json")),
    ("report", Note("the report has single games and pairs")),
    ("scoreinterval", Note("--every N prints the score")),
    ("autosaveinterval", Note("each game is written when it ends; --resume continues")),
    ("startup-ms", Note("--patience is the time for every answer")),
    ("ucinewgame-ms", Note("--patience is the time for every answer")),
    ("ping-ms", Note("--patience is the time for every answer")),
    ("check-mate-pvs", Note("this is always checked")),
    ("noswap", Refused("every opening is played with both colours")),
    ("quick", Refused("expected its settings: -engine, -each, -rounds, -openings, -draw")),
    ("config", Refused("expected the flags themselves; --pgn FILE --resume continues a match")),
    ("compliance", Refused("expected a match; every match reports what breaks the protocol")),
    ("version", Refused("expected a match; `zugwerk --version` prints the version")),
    ("help", Refused("expected a match; `zugwerk match --help` prints the help")),
    // Those of cutechess-cli alone.
    ("both", Special),
    ("debug", Note("--log FILE writes the input and output of the engines")),
    ("resultformat", Note("the report has one form, and --json")),
    ("outcomeinterval", Note("--verbose prints the result of each game")),
    ("bookmode", Note("there are no Polyglot books")),
    ("engines", Refused("expected -engine cmd=…")),
    ("pgnin", Refused("expected -openings file=…")),
    ("pgndepth", Refused("expected -openings file=… plies=…")),
    ("fcp", Refused("expected -engine")),
    ("scp", Refused("expected -engine")),
];

fn meaning(flag: &str) -> Option<&'static Meaning> {
    FLAGS.iter().find(|(name, _)| *name == flag).map(|(_, meaning)| meaning)
}

/// A flag with the words that belong to it.
struct Group<'a> {
    flag: &'a str,
    words: &'a [String],
}

impl Group<'_> {
    /// The name of a flag with the dashes of `dialect`.
    fn name(&self, dialect: Dialect) -> Option<&str> {
        let dashes = if dialect == Dialect::Theirs { "-" } else { "--" };
        self.flag.strip_prefix(dashes).filter(|name| !name.starts_with('-'))
    }

    fn text(&self) -> String {
        [&[self.flag.to_owned()], self.words].concat().join(" ")
    }
}

/// Splits words before each flag. The first group has the words before the first flag.
fn groups(words: &[String]) -> impl Iterator<Item = Group<'_>> {
    words.chunk_by(|_, next| !is_flag(next)).map(|words| match words {
        [flag, rest @ ..] if is_flag(flag) => Group { flag, words: rest },
        _ => Group { flag: "", words },
    })
}

/// Whether a word is a flag with one dash or two, and not a negative number.
fn is_flag(word: &str) -> bool {
    word.starts_with('-') && word.trim_start_matches('-').starts_with(|c: char| c.is_ascii_alphabetic())
}

/// The words after `match` in the words of this program, if a flag is one of the others'. `None` if all are
/// ours.
///
/// # Errors
/// A flag that would make another match, with what is expected instead.
pub(super) fn translate(words: &[String]) -> Result<Option<Translation>> {
    let is_foreign =
        |group: Group<'_>| group.name(Dialect::Theirs).is_some_and(|name| meaning(name).is_some());
    match groups(words).any(is_foreign) {
        true => Translator::translate(words, Dialect::Theirs).map(Some),
        false => Ok(None),
    }
}

/// The first of our own flags that is written as others do, and all words as they are written here: `--rounds
/// 10`, `--engine cmd=x name=A`. `None` if there is none.
///
/// # Errors
/// What is not done here.
pub(super) fn corrected(words: &[String]) -> Result<Option<(String, Translation)>> {
    let Some(first) = groups(words).find(is_mixed) else { return Ok(None) };
    Ok(Some((first.text(), Translator::translate(words, Dialect::Ours)?)))
}

/// Whether a flag with two dashes has a name or values of the others'.
fn is_mixed(group: &Group<'_>) -> bool {
    let begins_with = |word: &str, keys: &[&str]| keys.iter().any(|key| word.starts_with(key));
    let Some(name) = group.name(Dialect::Ours) else { return false };
    match name {
        "engine" | "each" => {
            let mut parts = group.words.iter().flat_map(|word| parts(word));
            group.words.len() > 1
                || parts.any(|part| begins_with(&part, &["proto=", "timemargin=", "plies="]))
        }
        "openings" | "log" => group.words.first().is_some_and(|word| begins_with(word, &["file="])),
        "games" | "concurrency" | "recover" | "draw" | "resign" | "sprt" | "version" | "help" => false,
        name => meaning(name).is_some(),
    }
}

#[cfg(test)]
mod tests;
