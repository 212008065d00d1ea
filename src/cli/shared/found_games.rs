//! Games in PGN files of any program, found to be those of a match.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use zugwerk::{
    arena::{
        line::Line,
        record::{
            from_games::{FoundMatch, Heading, enter},
            standings::Standings,
        },
        replay::{PgnError, games},
        schedule::Fixture,
        stats::sprt::Sprt,
    },
    chess::pgn::Game,
};

use crate::cli::shared::{input::InFile as _, print::warn};

/// Which games are meant.
pub(crate) type IsWanted<'w> = &'w dyn Fn(&Game) -> bool;

/// A match of which only the games are left.
pub(crate) struct FoundGames<'a> {
    paths: &'a [PathBuf],
    is_wanted: IsWanted<'a>,
    pub(crate) found: FoundMatch,
}

impl<'a> FoundGames<'a> {
    /// Reads `paths`. What cannot be read is named and left out.
    pub(crate) fn read(paths: &'a [PathBuf], is_wanted: IsWanted<'a>) -> Result<Self> {
        let mut headings = Vec::new();
        for path in paths {
            for game in in_file(path)? {
                match game {
                    Ok((game, _)) if is_wanted(&game) => headings.push(Heading::of(&game)),
                    Ok(_) => {}
                    Err(PgnError::Game(broken)) => {
                        warn(format_args!("{}: {broken}; it is left out", path.display()));
                    }
                    Err(error) => return Err(error).in_file(path),
                }
            }
        }
        let names = || paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
        let found = FoundMatch::of(&headings);
        let found =
            found.with_context(|| format!("{}: expected games between two players or more", names()))?;
        Ok(Self { paths, is_wanted, found })
    }

    /// The names of the players.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.found.players.iter().map(String::as_str).collect()
    }

    /// Enters all games, each of which `on_game` gets with the standings after it.
    pub(crate) fn standings(
        &self,
        sprt: Option<Sprt>,
        on_game: &mut dyn FnMut(&Fixture, Game, &Standings),
    ) -> Result<Standings> {
        let FoundMatch { players, schedule, numbers } = &self.found;
        let mut standings = Standings::new(schedule, players.len(), sprt);
        let mut numbers = numbers.iter();
        for path in self.paths {
            for (game, line) in in_file(path)?.filter_map(Result::ok) {
                if !(self.is_wanted)(&game) {
                    continue;
                }
                let Some(&number) = numbers.next() else { break };
                let fixture = schedule.fixture(number);
                enter(&game, &line, &fixture, &mut standings);
                on_game(&fixture, game, &standings);
            }
        }
        Ok(standings)
    }
}

/// The games of a file, with their moves.
fn in_file(path: &Path) -> Result<impl Iterator<Item = Result<(Game, Line), PgnError>>> {
    Ok(games(File::open(path).in_file(path)?, usize::MAX, false))
}
