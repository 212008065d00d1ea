//! The game in progress: positions, moves, and its end.

use std::{
    path::Path,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use chrono::Utc;
use shakmaty::{ByColor, Move};
use zugwerk::{
    chess::{
        pgn::{Annotated, Game},
        position::Position,
    },
    files::{LockedFile, append_whole, last_bytes},
    rules::{BoardEnd, Penalty},
};

use super::opponent::Spec;
use crate::cli::shared::output::cannot_write;

/// How long a game waits for its file while another process writes to it.
const PATIENCE: Duration = Duration::from_secs(5);

/// A game being played.
#[derive(Clone, Debug)]
pub(super) struct LiveGame {
    pub(super) position: Position,
    game: Game,
    /// Why the game ended.
    why: String,
    /// Whether the game was saved or printed.
    pub(super) concluded: bool,
}

impl LiveGame {
    pub(super) fn new(start: Position, players: &ByColor<Spec>) -> Self {
        let mut game = Game { start: start.clone(), result: "*".into(), ..Game::default() };
        game.set_tag("Event", "zugwerk play");
        game.set_tag("Date", Utc::now().format("%Y.%m.%d").to_string());
        game.set_tag("White", players.white.name());
        game.set_tag("Black", players.black.name());
        if start.castling_mode().is_chess960() {
            game.set_chess960();
        }
        Self { position: start, game, why: String::new(), concluded: false }
    }

    /// Records the number of the game.
    pub(super) fn number(&mut self, number: u32) {
        self.game.set_tag("Round", number.to_string());
    }

    /// The last move.
    pub(super) fn last(&self) -> Option<Move> {
        self.game.movetext.moves.last().and_then(|annotated| annotated.m)
    }

    pub(super) fn moves_played(&self) -> usize {
        self.game.movetext.moves.len()
    }

    /// Plays legal move `m`, and ends the game if the rules do.
    pub(super) fn play(&mut self, m: Move) {
        self.position.play(m);
        self.game.movetext.moves.push(Annotated::from(m));
        if let Some(end) = BoardEnd::of(&self.position) {
            self.end(&end.outcome().to_string(), end.name());
        }
    }

    /// Ends the game because the side to move resigns: it loses, unless the other side cannot mate.
    pub(super) fn resign(&mut self) {
        let turn = self.position.turn();
        let penalty = Penalty::of(&self.position, turn);
        self.end(penalty.outcome(turn).as_str(), "resignation");
        self.why += &penalty.to_string();
    }

    /// Takes the last move back, if there is one. A game that was over goes on.
    pub(super) fn undo(&mut self) {
        if self.game.movetext.moves.pop().is_some() {
            self.position.undo();
            self.game.result = "*".into();
            self.game.tags.retain(|(name, _)| name != "Termination");
            self.concluded = false;
        }
    }

    /// Ends the game with `result` and the reason `why`.
    pub(super) fn end(&mut self, result: &str, why: &str) {
        self.game.result = result.into();
        self.game.set_tag("Termination", why);
        self.why = why.into();
    }

    /// The result and its reason, if the game is over.
    pub(super) fn ending(&self) -> Option<(&str, &str)> {
        (self.game.result != "*").then_some((self.game.result.as_str(), self.why.as_str()))
    }

    pub(super) fn pgn(&self) -> String {
        self.game.to_pgn()
    }

    /// Appends the game to the file at `path`, after an empty line.
    pub(super) fn save(&self, path: &Path) -> anyhow::Result<()> {
        let mut file = append_to(path)?;
        let text = separator(&mut file).to_owned() + &self.pgn();
        append_whole(&mut file, text.as_bytes()).with_context(|| cannot_write(path))
    }
}

/// What the file lacks to end with an empty line; nothing if it cannot be read.
fn separator(file: &mut LockedFile) -> &'static str {
    match &last_bytes(file, 3).unwrap_or_default()[..] {
        [] | [.., b'\n', b'\n'] | [b'\n', b'\r', b'\n'] => "",
        [.., b'\n'] => "\n",
        _ => "\n\n",
    }
}

/// Opens the file at `path` for another game, and locks it. Another run has it while it writes a game; a
/// match has it to its end.
pub(super) fn append_to(path: &Path) -> anyhow::Result<LockedFile> {
    let cannot_write = || cannot_write(path);
    let begun = Instant::now();
    loop {
        if let Some(file) = LockedFile::open_or_create(path).with_context(cannot_write)? {
            return Ok(file);
        }
        ensure!(begun.elapsed() <= PATIENCE, "{}: another process is writing to it", cannot_write());
        thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_game_waits_for_its_file_but_not_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let other = append_to(&path).unwrap();
        let game = LiveGame::new(Position::default(), &ByColor { white: Spec::Human, black: Spec::Human });
        let error = format!("{:#}", game.save(&path).unwrap_err());
        assert!(error.ends_with("games.pgn: another process is writing to it"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"");
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(50));
                drop(other);
            });
            game.save(&path).unwrap();
        });
        assert_eq!(fs::read_to_string(&path).unwrap(), game.pgn());
    }
}
