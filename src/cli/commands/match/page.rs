//! `zugwerk match --html`: the page of a match, and that of games that were played before.

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context as _, Result, ensure};
use chrono::{DateTime, Utc};
use zugwerk::{
    arena::{
        page::{MatchPage, RENEWAL},
        record::{report::MatchReport, standings::Standings},
        schedule::Fixture,
        stats::sprt::Sprt,
    },
    chess::pgn::Game,
};

use super::Args;
use crate::cli::shared::{
    found_games::FoundGames,
    match_table::render,
    output::{Force, Outputs},
    print::{report_result, warn},
    settings::settings,
    status::ExitStatus,
};

/// The page of a match, in its file.
pub(super) struct Page {
    path: PathBuf,
    page: MatchPage,
    /// When the file was written.
    written: Option<Instant>,
}

impl Page {
    /// The page of `--html`, if it is given, for players with these names. Fails if its file may not be
    /// written.
    pub(super) fn new(args: &Args, players: &[&str], outputs: &mut Outputs) -> Result<Option<Self>> {
        let Some(path) = &args.html else { return Ok(None) };
        outputs.open(path)?;
        Ok(Some(Self { path: path.clone(), page: MatchPage::new(players), written: None }))
    }

    /// Enters a game; `standings` are those after it.
    pub(super) fn enter(&mut self, fixture: &Fixture, game: Game, standings: &Standings) {
        self.page.enter(fixture, game, standings);
    }

    /// Writes the page anew if it is due. The match goes on if that fails.
    pub(super) fn renew(&mut self, report: impl FnOnce() -> MatchReport) {
        if self.written.is_none_or(|written| written.elapsed() >= RENEWAL)
            && let Err(error) = self.write(&report(), Some(Utc::now()))
        {
            warn(format_args!("--html: {error:#}"));
        }
    }

    /// Writes the page; the present time if the match goes on.
    pub(super) fn write(&mut self, report: &MatchReport, now: Option<DateTime<Utc>>) -> Result<()> {
        self.written = Some(Instant::now());
        Force::REPLACE.open(&self.path, [])?.write(self.page.draw(report, now).as_bytes())
    }
}

/// Makes the page of the games in `path`, and prints their result.
pub(super) fn from_games(args: &Args, path: &Path, outputs: &mut Outputs) -> Result<ExitStatus> {
    let paths = [path.to_owned()];
    let games = FoundGames::read(&paths, &|_| true)?;
    let names = games.names();
    let sprt = settings("--sprt", args.sprt.as_ref(), Sprt::parse)?;
    ensure!(sprt.is_none() || names.len() == 2, "--sprt tests one player against one other");
    let mut page = Page::new(args, &names, outputs)?.context("--from needs --html")?;
    let mut standings = games.standings(sprt, &mut |fixture, game, standings| {
        page.enter(fixture, game, standings);
    })?;
    for (player, record) in standings.players.iter_mut().enumerate() {
        record.tally.effort.add(&page.page.effort(player));
    }
    let report = MatchReport::of(&names, &games.found.schedule, &standings);
    page.write(&report, None)?;
    report_result(args.json, render(&report), &report)?;
    Ok(ExitStatus::Positive)
}
