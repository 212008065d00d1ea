//! Where the files of a player are: its program, and what its options name, networks and endgame tables.
//!
//! An engine that does not find its network plays with another one, and most say so nowhere. Therefore the
//! referee looks for these files itself, as it looks at programs.

use std::env::{self, consts::EXE_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};

use crate::arena::players::spec::PlayerSpec;

/// The path of a player's program: relative to the directory it runs in, or in a folder of `PATH` if its
/// command has no folder. The system may add the extension of programs.
pub(super) fn program(player: &PlayerSpec) -> Option<PathBuf> {
    let command = &player.command;
    let has_folder = command.parent().is_some_and(|folder| !folder.as_os_str().is_empty());
    let folders = match has_folder {
        true => vec![player.directory.clone().unwrap_or_default()],
        false => env::split_paths(&env::var_os("PATH")?).collect(),
    };
    let mut with_extension = command.clone().into_os_string();
    with_extension.push(EXE_SUFFIX);
    let mut paths = folders.iter().flat_map(|folder| [folder.join(command), folder.join(&with_extension)]);
    paths.find(|path| path.is_file())
}

/// Where a program that is not found lies all the same: in the current folder, or in one of games, which
/// `PATH` may lack.
pub(in crate::arena) fn elsewhere(player: &PlayerSpec) -> Option<PathBuf> {
    let name = player.command.file_name()?;
    let folders = [".", "/usr/games", "/usr/local/games"].iter();
    let found = folders.map(|folder| Path::new(folder).join(name)).find(|path| path.is_file());
    found.filter(|_| program(player).is_none())
}

/// What an option names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    /// A file: `EvalFile`, and names that begin so.
    File,
    /// Folders: `SyzygyPath`.
    Folders,
}

impl Names {
    /// What the option `name` names with `value`.
    fn of(name: &str, value: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        match value {
            "" | "<empty>" => None,
            _ if name.starts_with("evalfile") => Some(Names::File),
            _ if name == "syzygypath" => Some(Names::Folders),
            _ => None,
        }
    }
}

/// The files and folders that the options of `player` name and that exist, each with the name of its option.
pub(in crate::arena) fn found(player: &PlayerSpec) -> impl Iterator<Item = (&str, PathBuf)> {
    player.options.iter().flat_map(move |(name, value)| {
        let paths = Names::of(name, value).map(|names| candidates(player, names, value)).unwrap_or_default();
        let first = |paths: Vec<PathBuf>| paths.into_iter().find(|path| path.exists());
        paths.into_iter().filter_map(first).map(|path| (name.as_str(), path))
    })
}

/// A phrase about what the option `name` of `player` names with `value` and does not exist.
pub(in crate::arena) fn missing(player: &PlayerSpec, name: &str, value: &str) -> Option<String> {
    let names = Names::of(name, value)?;
    let is_there = |path: &PathBuf| if names == Names::File { path.is_file() } else { path.is_dir() };
    let missing = candidates(player, names, value).into_iter().find(|paths| !paths.iter().any(is_there))?;
    let what = if names == Names::File { "file" } else { "folder" };
    Some(format!("finds no {what} {} for option.{name}", missing[0].display()))
}

/// For each name in `value`, the places where the player may find it: in the folder that it runs in, and a
/// network beside its program too.
fn candidates(player: &PlayerSpec, names: Names, value: &str) -> Vec<Vec<PathBuf>> {
    let here = player.directory.as_deref().unwrap_or(Path::new(""));
    match names {
        Names::Folders => env::split_paths(value).map(|folder| vec![here.join(folder)]).collect(),
        Names::File => {
            let program = self::program(player);
            let beside = program.as_deref().and_then(Path::parent).map(|folder| folder.join(value));
            vec![[here.join(value)].into_iter().chain(beside).collect()]
        }
    }
}

/// The names and lengths of the files in `folder`, sorted; `None` if it cannot be read.
pub(in crate::arena) fn listing(folder: &Path) -> Option<String> {
    let length = |entry: fs::DirEntry| Some((entry.file_name(), entry.metadata().ok()?.len()));
    let mut files: Vec<_> = fs::read_dir(folder).ok()?.flatten().filter_map(length).collect();
    files.sort_unstable();
    Some(files.iter().map(|(name, length)| format!("{} {length}\n", name.display())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_looked_for_where_the_player_runs_and_beside_its_program() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["bin", "tables"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        for name in ["bin/engine", "bin/beside.nnue", "here.nnue", "tables/KQvK.rtbw"] {
            fs::write(folder.path().join(name), name).unwrap();
        }
        let root = folder.path().display();
        let of = |options: &str| {
            PlayerSpec::parse("", &format!("cmd={root}/bin/engine,dir={root},{options}")).unwrap()
        };
        let answers = |options: &str| {
            let player = of(options);
            let missing = player.options.iter().filter_map(|(name, value)| missing(&player, name, value));
            (missing.collect::<Vec<_>>().join("; "), found(&player).count())
        };
        for (options, found) in [
            ("option.EvalFile=here.nnue", 1),
            ("option.EvalFile=beside.nnue,option.EvalFileSmall=here.nnue", 2),
            ("option.SyzygyPath=tables", 1),
            ("option.EvalFile=,option.SyzygyPath=<empty>", 0),
            ("option.Debug Log File=typo", 0),
        ] {
            assert_eq!(answers(options), (String::new(), found), "{options}");
        }
        let lists = env::join_paths(["tables", "no"]).unwrap().into_string().unwrap();
        for (options, expected, found) in [
            ("option.evalfile=typo".to_owned(), format!("finds no file {root}/typo for option.evalfile"), 0),
            (
                format!("option.SyzygyPath={lists}"),
                format!("finds no folder {root}/no for option.SyzygyPath"),
                1,
            ),
        ] {
            assert_eq!(answers(&options), (expected, found));
        }
        assert_eq!(listing(&folder.path().join("tables")).unwrap(), "KQvK.rtbw 16\n");
    }
}
