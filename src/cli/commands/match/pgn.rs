//! The PGN file of a match, and its manifest beside it.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use zugwerk::{
    arena::{
        MatchPlan,
        record::{
            manifest::Manifest,
            resume::{cut_behind, enter_finished, open_alone, whole_games},
            standings::Standings,
        },
        schedule::Fixture,
    },
    chess::pgn::Game,
    files::{LockedFile, append_whole},
    words::{counted, noun},
};

use super::Args;
use crate::cli::shared::{print::warn, unfinished::Cleanup};

/// The PGN file of a match, open for its games.
pub(super) struct Pgn {
    /// If no game is written, the files that this run has created are removed at the end, the games after the
    /// manifest. Before `file`, whose lock keeps other matches away until then.
    begun: Vec<Cleanup>,
    file: LockedFile,
    /// The manifest that replaces that of an earlier match, with its path, when the first game replaces its
    /// games.
    replacing: Option<(Manifest, PathBuf)>,
}

impl Pgn {
    /// Opens the file of `plan` at `path`. If the match is resumed, the games of the file are entered into
    /// `standings`, and `on_game`.
    pub(super) fn open(
        path: &Path,
        args: &Args,
        plan: &MatchPlan,
        standings: &mut Standings,
        on_game: &mut dyn FnMut(&Fixture, &Game, &Standings),
    ) -> Result<Self> {
        let (name, resume) = (path.display(), args.resume);
        let replaces = args.force.is_given() && !resume;
        ensure!(
            resume || replaces || !path.exists(),
            "{name} exists: --resume continues the match in it, --force replaces it"
        );
        let (manifest, manifest_path) = (Manifest::of(plan), Manifest::path(path));
        let cannot = || format!("cannot {} {name}", if resume { "resume from" } else { "create" });
        // Before the file is created: its games may be elsewhere.
        if manifest_path.exists() && !path.exists() && !replaces {
            let beside = manifest_path.display();
            ensure!(resume, "{beside} exists without its games: delete it, or choose another --pgn");
            manifest.check(&manifest_path).with_context(cannot)?;
        }
        let is_new = path.symlink_metadata().is_err();
        let file = open_alone(path).with_context(cannot)?;
        let begun = is_new.then(|| Cleanup::while_empty(path, path));
        let mut pgn = Self { begun: begun.into_iter().collect(), file, replacing: None };
        let is_empty = pgn.file.metadata().is_ok_and(|file| file.len() == 0);
        if is_empty && !manifest_path.exists() {
            manifest.write(&manifest_path)?;
            pgn.begun.insert(0, Cleanup::while_empty(path, &manifest_path));
            return Ok(pgn);
        }
        if replaces {
            pgn.replacing = Some((manifest, manifest_path));
            return Ok(pgn);
        }
        let (whole, behind) = whole_games(&mut pgn.file).with_context(cannot)?;
        enter_finished(&whole, plan, standings, on_game).with_context(cannot)?;
        manifest.check(&manifest_path).with_context(cannot)?;
        cut_behind(&mut pgn.file, &whole).with_context(|| format!("cannot write {name}"))?;
        if behind > 0 {
            let bytes = counted(behind as u64, "byte", "bytes");
            warn(format_args!("{name}: {bytes} of a game that is not complete are cut"));
        }
        warn(format_args!("{name} holds {}", found(plan, standings)));
        Ok(pgn)
    }
}

/// The games of a resumed match that its file holds, of how many, and how many of them were abandoned.
fn found(plan: &MatchPlan, standings: &Standings) -> String {
    let planned = counted(plan.schedule.games() as u64, "game", "games");
    let abandoned = match standings.abandoned().count() as u64 {
        0 => String::new(),
        count => {
            format!(", and {count} abandoned {} played again", noun(count, "one that is", "ones that are"))
        }
    };
    format!("{} of {planned}{abandoned}", standings.played())
}

impl Write for Pgn {
    /// Appends a game whole, or not at all.
    fn write(&mut self, game: &[u8]) -> io::Result<usize> {
        if let Some((manifest, path)) = self.replacing.take() {
            self.file.set_len(0)?;
            let _ = fs::remove_file(&path);
            manifest.write(&path).map_err(io::Error::other)?;
        }
        append_whole(&mut self.file, game).map(|()| game.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
