//! The settings of a match, stored with its PGN, so that only the same match can continue it.
//!
//! The manifest is a JSON file of names and values. It contains everything that could change the meaning of
//! the games: players with options, limits, and checksums of their programs and of the files that options
//! name; the order of the openings; the rules of adjudication; the test. It does not contain what may change
//! between two runs: number of games (at least those of the PGN, which must all be in the schedule),
//! concurrency, patience and logs.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::arena::MatchPlan;
use crate::arena::checksum::checksum;
use crate::arena::players::files;
use crate::arena::players::program::Program;
use crate::arena::players::spec::PlayerSpec;
use crate::rules::Rules;
use crate::words::counted;

/// The settings of a match as names and values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest(BTreeMap<String, String>);

/// The reason why a match cannot continue under a manifest.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// The file is not a manifest.
    #[error("{} is not a manifest of a match: {error}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The error.
        error: serde_json::Error,
    },
    /// The file is missing although games were played.
    #[error("{} is missing: the settings of the games in the PGN are unknown", .0.display())]
    Missing(PathBuf),
    /// The match has other settings.
    #[error("{what} was {then}, and is {now}")]
    Changed {
        /// The name of the setting.
        what: String,
        /// Its value in the manifest.
        then: String,
        /// Its value in this match.
        now: String,
    },
}

impl Manifest {
    /// Returns the manifest of `plan`. Programs that cannot be read have no checksum.
    #[must_use]
    pub fn of(plan: &MatchPlan) -> Self {
        let mut values = BTreeMap::new();
        let mut note = |what: &str, value: String| values.insert(what.to_owned(), value);
        for (number, player) in (1..).zip(&plan.players) {
            for (what, value) in describe(player) {
                note(&format!("player {number}: {what}"), value);
            }
        }
        let pairings = plan.schedule.pairings().iter();
        note(
            "pairings",
            pairings.map(|(one, two)| format!("{}-{}", one + 1, two + 1)).collect::<Vec<_>>().join(" "),
        );
        note("openings", plan.openings.settings().to_owned());
        let Rules { win, draw, longest, tables } = &plan.rules;
        note("draw rule", draw.map_or(none(), |rule| rule.to_string()));
        note("win rule", win.map_or(none(), |rule| rule.to_string()));
        note("longest game", longest.map_or(none(), |plies| (plies / 2).to_string()));
        note("tables", tables.as_ref().map_or(none(), ToString::to_string));
        note("sequential test", plan.sprt.map_or(none(), |test| test.to_string()));
        Manifest(values)
    }

    /// The path of the manifest for the PGN file `pgn`: `games.pgn.match.json`.
    #[must_use]
    pub fn path(pgn: &Path) -> PathBuf {
        let mut name = pgn.as_os_str().to_owned();
        name.push(".match.json");
        PathBuf::from(name)
    }

    /// Writes the manifest to a new file, which is removed again if it cannot be written whole. Waits until
    /// the disk has it, because no game could be continued without it.
    ///
    /// # Errors
    /// [`ManifestError::Io`], also if the file already exists.
    pub fn write(&self, path: &Path) -> Result<(), ManifestError> {
        let text = serde_json::to_string_pretty(self).expect("names and values are JSON") + "\n";
        let written = File::create_new(path).and_then(|mut file| {
            let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
            written.inspect_err(|_| drop(fs::remove_file(path)))
        });
        written.map_err(|error| ManifestError::Io { path: path.to_owned(), error })
    }

    /// Checks that the match of the manifest at `path` has the same settings.
    ///
    /// # Errors
    /// [`ManifestError`]: the first difference, or the reason why none can be determined.
    pub fn check(&self, path: &Path) -> Result<(), ManifestError> {
        let text = fs::read_to_string(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ManifestError::Missing(path.to_owned()),
            _ => ManifestError::Io { path: path.to_owned(), error },
        })?;
        let then: Manifest = serde_json::from_str(&text)
            .map_err(|error| ManifestError::Damaged { path: path.to_owned(), error })?;
        let names = then.0.keys().chain(self.0.keys());
        for what in names {
            let value = |manifest: &Manifest| manifest.0.get(what).cloned().unwrap_or_else(none);
            let (then, now) = (value(&then), value(self));
            if then != now {
                return Err(ManifestError::Changed { what: what.clone(), then, now });
            }
        }
        Ok(())
    }
}

fn none() -> String {
    "none".to_owned()
}

fn describe(player: &PlayerSpec) -> Vec<(&'static str, String)> {
    let options = player.options.iter().map(|(name, value)| format!("{name}={value}"));
    let program = Program::of(player).path().and_then(|path| fs::read(path).ok());
    let program = program.map_or(none(), |bytes| checksum(&bytes));
    let files = files::found(player).map(|(name, path)| format!("{name}: {}", contents(&path)));
    let files = Some(files.collect::<Vec<_>>().join(", ")).filter(|files| !files.is_empty());
    vec![
        ("name", player.name.clone()),
        ("command", player.command.display().to_string()),
        ("program", program),
        ("arguments", player.args.join(" ")),
        ("directory", player.directory.as_ref().map_or(none(), |path| path.display().to_string())),
        ("options", options.collect::<Vec<_>>().join(", ")),
        ("files of options", files.unwrap_or_else(none)),
        ("limits", player.limits.to_string()),
        ("margin", format!("{} ms", player.limits.margin.as_millis())),
        ("pondering", player.ponder.to_string()),
        ("restarting", player.restart.to_string()),
    ]
}

/// The checksum of a file; of a folder, that of the names and lengths of its files.
fn contents(path: &Path) -> String {
    match files::listing(path) {
        Some(listing) => {
            format!(
                "{}, {}",
                counted(listing.lines().count() as u64, "file", "files"),
                checksum(listing.as_bytes())
            )
        }
        None => fs::read(path).map_or(none(), |bytes| checksum(&bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path is relative to the player's directory; a name without a folder is looked up in `PATH`.
    #[test]
    fn the_program_is_where_the_player_runs() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("bin")).unwrap();
        fs::write(folder.path().join("eng"), "one").unwrap();
        fs::write(folder.path().join("bin/eng"), "two").unwrap();
        let here = folder.path().display();
        let program = |list: String| {
            let values = describe(&PlayerSpec::parse("", &list).unwrap());
            values.into_iter().find(|(what, _)| *what == "program").unwrap().1
        };
        assert_eq!(program(format!("cmd={here}/eng")), checksum(b"one"));
        assert_eq!(program(format!("cmd={here}/eng,dir=/")), checksum(b"one"));
        assert_eq!(program(format!("cmd=./eng,dir={here}")), checksum(b"one"));
        assert_eq!(program(format!("cmd=bin/eng,dir={here}")), checksum(b"two"));
        assert_eq!(program(format!("cmd=eng,dir={here}")), "none");
        assert_eq!(program("cmd=Cargo.toml".to_owned()), "none");
        assert_ne!(program("cmd=./Cargo.toml".to_owned()), "none", "tests run in the folder of the package");
    }
}
