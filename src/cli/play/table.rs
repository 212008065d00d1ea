//! The game on the table: positions, moves, clocks, and how it ends.

use std::{
    fs::OpenOptions,
    io::Write as _,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::Context as _;
use shakmaty::{ByColor, Color, Move, Position as _};
use zugwerk::{
    game::Game,
    position::{Legality, Position},
    search::ClockTime,
};

use super::opponent::Spec;

/// A time control: so much at the beginning, and more after each move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TimeControl {
    base: Duration,
    increment: Duration,
}

impl std::str::FromStr for TimeControl {
    type Err = String;

    /// `5+3`: five minutes, and three seconds after each move.
    fn from_str(text: &str) -> Result<Self, String> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let number = |text: &str, unit: f64| {
            let value = text.parse::<f64>().ok().filter(|value| (0.0..=1e5).contains(value));
            value.map(|value| Duration::from_secs_f64(value * unit))
        };
        let expected = || format!("expected MINUTES+SECONDS such as 5+3, got `{text}`");
        let base = number(minutes, 60.0).filter(|base| !base.is_zero()).ok_or_else(expected)?;
        Ok(Self { base, increment: number(seconds, 1.0).ok_or_else(expected)? })
    }
}

/// A game being played.
#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) position: Position,
    game: Game,
    clocks: Option<ByColor<ClockTime>>,
    /// When the side to move began to think.
    since: Instant,
}

impl Table {
    pub(super) fn new(start: Position, players: &ByColor<Spec>, control: Option<TimeControl>) -> Self {
        let mut game = Game { start: start.clone(), result: "*".into(), ..Game::default() };
        game.set_tag("Event", "zugwerk play");
        game.set_tag("White", players.white.name());
        game.set_tag("Black", players.black.name());
        if let Some(control) = control {
            let (base, increment) = (control.base.as_secs(), control.increment.as_secs());
            game.set_tag("TimeControl", format!("{base}+{increment}"));
        }
        let clock =
            |control: TimeControl| ClockTime { left: Some(control.base), increment: control.increment };
        let clocks = control.map(|control| ByColor { white: clock(control), black: clock(control) });
        Self { position: start, game, clocks, since: Instant::now() }
    }

    /// The move that led to the position.
    pub(super) fn last(&self) -> Option<Move> {
        self.game.movetext.moves.last().and_then(|annotated| annotated.m)
    }

    pub(super) fn moves_played(&self) -> usize {
        self.game.movetext.moves.len()
    }

    /// The clocks as they stand now.
    pub(super) fn clocks(&self) -> Option<ByColor<ClockTime>> {
        let mut clocks = self.clocks?;
        let mover = clocks.get_mut(self.position.turn());
        mover.left = mover.left.map(|left| left.saturating_sub(self.since.elapsed()));
        Some(clocks)
    }

    /// Plays legal move `m`; a side that has run out of time loses instead.
    pub(super) fn play(&mut self, m: Move) {
        if self.flag_fell() {
            return;
        }
        if let Some(mut clocks) = self.clocks() {
            let mover = clocks.get_mut(self.position.turn());
            mover.left = mover.left.map(|left| left + mover.increment);
            self.clocks = Some(clocks);
        }
        self.since = Instant::now();
        self.position.play(m);
        self.game.movetext.moves.push(m.into());
        if let Some((result, why)) = over(&self.position) {
            self.end(result, why);
        }
    }

    /// Ends the game if the side to move has no time left.
    pub(super) fn flag_fell(&mut self) -> bool {
        let turn = self.position.turn();
        let out = self.clocks().is_some_and(|clocks| clocks.get(turn).left == Some(Duration::ZERO));
        if out {
            self.end(win_for(!turn), "time forfeit");
        }
        out
    }

    /// Takes the last move back, if there is one. The clocks go on.
    pub(super) fn undo(&mut self) -> bool {
        let taken = self.game.movetext.moves.pop().is_some();
        if taken {
            self.position.undo();
            self.end("*", "");
        }
        taken
    }

    /// Ends the game with `result` because of `why`.
    pub(super) fn end(&mut self, result: &str, why: &str) {
        self.game.result = result.into();
        if !why.is_empty() {
            self.game.set_tag("Termination", why);
        }
    }

    /// How the game ended and why, if it has.
    pub(super) fn ending(&self) -> Option<(&str, &str)> {
        (self.game.result != "*")
            .then(|| (self.game.result.as_str(), self.game.tag("Termination").unwrap_or_default()))
    }

    pub(super) fn pgn(&self) -> String {
        self.game.to_pgn()
    }

    /// Appends the game to the file at `path`.
    pub(super) fn save(&self, path: &Path) -> anyhow::Result<()> {
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .with_context(|| format!("cannot write {}", path.display()))?;
        file.write_all(self.pgn().as_bytes()).with_context(|| format!("cannot write {}", path.display()))
    }
}

pub(super) fn win_for(side: Color) -> &'static str {
    side.fold_wb("1-0", "0-1")
}

/// The result and its reason if the game is over; threefold repetition and fifty moves end it without a claim.
fn over(position: &Position) -> Option<(&'static str, &'static str)> {
    const DRAW: &str = "1/2-1/2";
    if !Legality::of(position).any_move() {
        let mated = position.is_check();
        return Some(if mated { (win_for(!position.turn()), "checkmate") } else { (DRAW, "stalemate") });
    }
    if position.chess().is_insufficient_material() {
        return Some((DRAW, "insufficient material"));
    }
    if position.halfmoves() >= 100 {
        return Some((DRAW, "fifty moves"));
    }
    position.is_repetition(0).then_some((DRAW, "threefold repetition"))
}
