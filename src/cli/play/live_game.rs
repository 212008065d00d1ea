//! The game in progress: positions, moves, clocks, and its end.

use std::{
    fs::{File, OpenOptions},
    path::Path,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, ensure};
use shakmaty::{ByColor, Color, Move};
use zugwerk::{
    clock::{GameClock, TimeControl, hours},
    game::{Annotated, Game, Remark},
    lock::try_lock,
    notation::side,
    position::Position,
    rules::{BoardEnd, Penalty},
    search::ClockTime,
    text::{append_whole, last_bytes},
};

use super::{super::output::cannot_write, opponent::Spec};

/// How long a game waits for its file while another process writes to it.
const PATIENCE: Duration = Duration::from_secs(1);

/// A game being played.
#[derive(Clone, Debug)]
pub(super) struct LiveGame {
    pub(super) position: Position,
    game: Game,
    /// Why the game ended.
    why: String,
    clocks: Option<ByColor<GameClock>>,
    /// When the side to move began to think.
    since: Instant,
    /// Whether the game is in its file.
    saved: bool,
}

impl LiveGame {
    pub(super) fn new(start: Position, players: &ByColor<Spec>, control: Option<TimeControl>) -> Self {
        let mut game = Game { start: start.clone(), result: "*".into(), ..Game::default() };
        game.set_tag("Event", "zugwerk play");
        game.set_tag("White", players.white.name());
        game.set_tag("Black", players.black.name());
        if start.castling_mode().is_chess960() {
            game.set_chess960();
        }
        if let Some(control) = control {
            game.set_tag("TimeControl", control.to_string());
        }
        let clocks = control.map(|control| ByColor::new_with(|_| GameClock::new(control)));
        Self { position: start, game, why: String::new(), clocks, since: Instant::now(), saved: false }
    }

    /// Records the number of the game.
    pub(super) fn number(&mut self, number: u32) {
        self.game.set_tag("Round", number.to_string());
    }

    /// Records that `player` plays `color` from now on.
    pub(super) fn rename(&mut self, color: Color, player: Spec) {
        self.game.set_tag(side(color), player.name());
    }

    /// The last move.
    pub(super) fn last(&self) -> Option<Move> {
        self.game.movetext.moves.last().and_then(|annotated| annotated.m)
    }

    pub(super) fn moves_played(&self) -> usize {
        self.game.movetext.moves.len()
    }

    /// The current clocks, and the number of moves until the next time control.
    pub(super) fn clocks(&self) -> Option<(ByColor<ClockTime>, Option<u32>)> {
        let clocks = self.clocks?;
        let turn = self.position.turn();
        let time = |side| {
            let clock: &GameClock = clocks.get(side);
            let used = if side == turn { self.since.elapsed() } else { Duration::ZERO };
            ClockTime { left: Some(clock.remaining().saturating_sub(used)), increment: clock.increment() }
        };
        Some((ByColor::new_with(time), clocks.get(turn).to_go()))
    }

    /// Plays legal move `m`, unless the time of the side to move is over, which ends the game. Returns whether the move was
    /// played.
    pub(super) fn play(&mut self, m: Move) -> bool {
        if self.flag_fell() {
            return false;
        }
        let mut annotated = Annotated::from(m);
        if let Some(clocks) = &mut self.clocks {
            let clock = clocks.get_mut(self.position.turn());
            clock.charge(self.since.elapsed());
            annotated.remarks.push(Remark::Comment(format!("[%clk {}]", hours(clock.remaining()))));
        }
        self.since = Instant::now();
        self.position.play(m);
        self.game.movetext.moves.push(annotated);
        if let Some(end) = BoardEnd::of(&self.position) {
            self.end(&end.outcome().to_string(), end.name());
        }
        true
    }

    /// Ends the game if the side to move has no time left: it loses, unless the other side cannot mate.
    pub(super) fn flag_fell(&mut self) -> bool {
        let turn = self.position.turn();
        let out = self.clocks().is_some_and(|(clocks, _)| clocks.get(turn).left == Some(Duration::ZERO));
        if out {
            let penalty = Penalty::of(&self.position, turn);
            self.end(penalty.outcome(turn).as_str(), Penalty::TIME_FORFEIT);
            self.why = format!("{} {}", side(turn), penalty.on_time());
        }
        out
    }

    /// Ends the game because the side to move resigns: it loses, unless the other side cannot mate.
    pub(super) fn resign(&mut self) {
        let turn = self.position.turn();
        let penalty = Penalty::of(&self.position, turn);
        self.end(penalty.outcome(turn).as_str(), "resignation");
        self.why += &penalty.to_string();
    }

    /// Takes the last move back, if there is one, but not its time.
    pub(super) fn undo(&mut self) -> bool {
        if self.game.movetext.moves.pop().is_none() {
            return false;
        }
        let turn = self.position.turn();
        if let Some(clocks) = &mut self.clocks {
            clocks.get_mut(turn).run(self.since.elapsed());
            clocks.get_mut(!turn).take_back();
        }
        self.since = Instant::now();
        self.position.undo();
        true
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

    /// Appends the game to the file at `path`, after an empty line. A game is saved once.
    pub(super) fn save(&mut self, path: &Path) -> anyhow::Result<()> {
        if !self.saved {
            let text = separator(path).to_owned() + &self.pgn();
            append_whole(&mut append_to(path)?, text.as_bytes()).with_context(|| cannot_write(path))?;
            self.saved = true;
        }
        Ok(())
    }
}

/// What the file at `path` lacks to end with an empty line; nothing if it cannot be read or is no file.
fn separator(path: &Path) -> &'static str {
    match &last_bytes(path, 3)[..] {
        [] | [.., b'\n', b'\n'] | [b'\n', b'\r', b'\n'] => "",
        [.., b'\n'] => "\n",
        _ => "\n\n",
    }
}

/// Opens the file at `path` for another game, and locks it. Another run has it while it writes a game; a match has it to its
/// end.
pub(super) fn append_to(path: &Path) -> anyhow::Result<File> {
    let cannot_write = || cannot_write(path);
    let file = OpenOptions::new().create(true).append(true).open(path).with_context(cannot_write)?;
    let begun = Instant::now();
    while !try_lock(&file).with_context(cannot_write)? {
        ensure!(begun.elapsed() <= PATIENCE, "{}: another process is writing to it", cannot_write());
        thread::sleep(Duration::from_millis(10));
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn game(control: &str) -> LiveGame {
        let players = ByColor { white: Spec::Human, black: Spec::Human };
        LiveGame::new(Position::default(), &players, Some(control.parse().unwrap()))
    }

    fn play(game: &mut LiveGame, moves: &str) {
        for text in moves.split_whitespace() {
            assert!(game.play(game.position.find_move(text).unwrap()), "{text}");
        }
    }

    /// The base time is added again after as many moves as before; never twice for the same move.
    #[test]
    fn a_move_taken_back_does_not_count_for_the_time_control() {
        let mut game = game("2/60");
        let to_go = |game: &LiveGame| game.clocks().unwrap().1;
        play(&mut game, "e2e4 e7e5");
        assert_eq!(to_go(&game), Some(1));
        assert!(game.undo() && game.undo() && !game.undo());
        assert_eq!(to_go(&game), Some(2));
        play(&mut game, "d2d4 d7d5 c2c4 c7c6");
        assert_eq!(to_go(&game), Some(2), "the second period");
        assert!(game.undo() && game.undo());
        assert_eq!(to_go(&game), Some(3), "its time is given already");
        play(&mut game, "g1f3 g8f6");
        assert_eq!(to_go(&game), Some(2));
        let left = game.clocks().unwrap().0.white.left.unwrap();
        assert!(left > Duration::from_secs(100) && left < Duration::from_secs(120), "{left:?}");
    }

    #[test]
    fn a_move_played_again_gets_no_second_increment() {
        let mut game = game("60+10");
        for _ in 0..3 {
            play(&mut game, "e2e4 e7e5");
            let left = game.clocks().unwrap().0.map(|clock| clock.left.unwrap().as_secs());
            assert!((60..=70).contains(&left.white) && (60..=70).contains(&left.black), "{left:?}");
            assert!(game.undo() && game.undo());
        }
    }

    #[test]
    fn the_time_before_a_move_is_taken_back_is_that_of_the_side_to_move() {
        let mut game = game("60");
        play(&mut game, "e2e4");
        game.since = game.since.checked_sub(Duration::from_secs(20)).unwrap();
        assert!(game.undo());
        let (clocks, _) = game.clocks().unwrap();
        let left = clocks.map(|clock| clock.left.unwrap().as_secs());
        assert!((50..=60).contains(&left.white) && (30..=40).contains(&left.black), "{left:?}");
    }

    #[test]
    fn a_game_waits_for_its_file_but_not_for_ever() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let other = append_to(&path).unwrap();
        let mut game = game("60");
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
