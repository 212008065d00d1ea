//! Plays one game between two players: clocks, moves and ending.

use std::mem;
use std::time::{Duration, Instant, SystemTime};

use shakmaty::{ByColor, Color};

use crate::arena::clock::GameClock;
use crate::arena::ending::Ending;
use crate::arena::line::Line;
use crate::arena::players::info::Info;
use crate::arena::players::limits::{allowance, go_words};
use crate::arena::players::player::{EnginePlayer, PlayerFailure, Reply};
use crate::arena::players::tally::PlayerTally;
use crate::arena::schedule::Fixture;
use crate::arena::schedule::openings::{Opening, OpeningsError};
use crate::chess::value::{Score, Value};
use crate::rules::{Rules, Scores};

/// The data recorded with a move, for the PGN.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Note {
    /// The score from the mover's perspective.
    pub score: Option<Score>,
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Time used.
    pub used: Duration,
    /// The clock after the move, if the player has one.
    pub clock: Option<Duration>,
}

/// A finished game.
#[derive(Debug, Clone)]
pub struct FinishedGame {
    /// The game of the schedule.
    pub fixture: Fixture,
    /// Start and moves.
    pub line: Line,
    /// The tags of its opening.
    pub opening: Vec<(&'static str, String)>,
    /// A note for every move after the opening.
    pub notes: Vec<Note>,
    /// Its ending.
    pub ending: Ending,
    /// The tallies of the players for it.
    pub tallies: ByColor<PlayerTally>,
    /// Its start time.
    pub began: SystemTime,
    /// Its duration.
    pub took: Duration,
}

/// The reason why there is no finished game.
#[derive(Debug)]
pub(in crate::arena) enum Unplayed {
    /// The match is being stopped.
    Stopped,
    /// A program could not be started.
    Launch(Color, std::io::Error),
    /// Its opening cannot be read.
    Opening(OpeningsError),
}

/// Plays the game `fixture` from the end of `opening`.
pub(in crate::arena) fn play(
    fixture: Fixture,
    players: ByColor<&mut EnginePlayer<'_>>,
    opening: Opening,
    rules: &Rules,
) -> Result<FinishedGame, Unplayed> {
    let mut game = GameInProgress {
        clocks: players.as_ref().map(|player| player.spec.limits.clock.as_ref().map(GameClock::new)),
        players,
        line: opening.line,
        notes: Vec::new(),
        scores: Scores::default(),
        rules,
    };
    let (began, clock) = (SystemTime::now(), Instant::now());
    let ending = game.run()?;
    let GameInProgress { players, line, notes, .. } = game;
    let tallies = players.map(|player| mem::take(&mut player.tally));
    Ok(FinishedGame {
        fixture,
        line,
        opening: opening.tags,
        notes,
        ending,
        tallies,
        began,
        took: clock.elapsed(),
    })
}

/// The state of a game in progress.
struct GameInProgress<'a, 'p> {
    players: ByColor<&'a mut EnginePlayer<'p>>,
    clocks: ByColor<Option<GameClock>>,
    line: Line,
    notes: Vec<Note>,
    scores: Scores,
    rules: &'a Rules,
}

impl GameInProgress<'_, '_> {
    fn run(&mut self) -> Result<Ending, Unplayed> {
        for color in Color::ALL {
            let player = self.players.get_mut(color);
            if let Err(failure) = player.new_game(self.line.is_chess960()) {
                return ended_by(color, failure);
            }
        }
        let ending = loop {
            if let Some(ending) = self.next_move()? {
                break ending;
            }
        };
        for color in Color::ALL {
            self.players.get_mut(color).end_game();
        }
        Ok(ending)
    }

    /// Plays one move, and returns the ending if the game is over then.
    fn next_move(&mut self) -> Result<Option<Ending>, Unplayed> {
        let turn = self.line.turn();
        let answer = match self.ask(turn) {
            Ok(answer) => answer,
            Err(failure) => return ended_by(turn, failure).map(Some),
        };
        let Info { score, depth, nodes, .. } = answer.info;
        let clock = self.clocks.get_mut(turn).as_mut();
        let clock = clock.map(|clock| {
            clock.charge(answer.used);
            clock.remaining()
        });
        self.notes.push(Note { score, depth, nodes, used: answer.used, clock });
        let ply = self.line.position().ply();
        self.line.play(answer.mv);
        if let Some(end) = self.line.end() {
            return Ok(Some(Ending::Board(end)));
        }
        // As in other match programs: such a move shows that there is still something to play for.
        if self.line.position().halfmoves() == 0 {
            self.scores.forget_even();
        }
        let rules = self.rules;
        let decree = rules
            .by_scores(&mut self.scores, ply, turn, score.map(centipawns))
            .or_else(|| rules.by_tables(self.line.position().chess()))
            .or_else(|| rules.by_length(self.notes.len() as u64));
        if let Some(decree) = decree {
            return Ok(Some(Ending::Adjudicated(decree)));
        }
        self.let_ponder(turn, &answer);
        Ok(None)
    }

    fn ask(&mut self, turn: Color) -> Result<Reply, PlayerFailure> {
        let player = self.players.get_mut(turn);
        let limits = &player.spec.limits;
        let words = go_words(limits, &self.clocks, turn);
        let allowed = allowance(limits, self.clocks.get(turn).as_ref());
        player.think(&self.line, &words, allowed)
    }

    fn let_ponder(&mut self, color: Color, answer: &Reply) {
        let player = self.players.get_mut(color);
        if let (true, Some(reply)) = (player.spec.ponder, &answer.expects) {
            let words = go_words(&player.spec.limits, &self.clocks, color);
            player.ponder(&self.line, reply, &words);
        }
    }
}

/// Converts a score for the adjudication rules: a mate exceeds every number of centipawns.
fn centipawns(score: Score) -> Value {
    match score {
        Score::Cp(cp) => cp,
        Score::Mate(moves) if moves > 0 => Value::MAX,
        Score::Mate(_) => -Value::MAX,
    }
}

/// The ending by a player's failure, unless the match must end. A breakdown is excused here.
fn ended_by(player: Color, failure: PlayerFailure) -> Result<Ending, Unplayed> {
    match failure {
        PlayerFailure::Fault(fault) if fault.is_breakdown() => Ok(Ending::Abandoned { player, fault }),
        PlayerFailure::Fault(fault) => Ok(Ending::Forfeit { player, fault }),
        PlayerFailure::Stopped => Err(Unplayed::Stopped),
        PlayerFailure::Launch(error) => Err(Unplayed::Launch(player, error)),
    }
}
