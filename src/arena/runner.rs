//! Runs a match: slots play the schedule in parallel, and one thread collects the results.
//!
//! A slot is a thread with its own engine processes. It takes the next open game, plays it, and delivers it.
//! It waits until the game is taken, so it does not play far ahead of a test that decides the match. The
//! caller's thread enters the results, writes the PGN, checks the sequential test, and informs an observer.

use std::io::{self, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use shakmaty::ByColor;

use crate::arena::MatchPlan;
use crate::arena::ending::{Ending, Fault};
use crate::arena::players::files::elsewhere;
use crate::arena::players::player::{EnginePlayer, PlayerFailure};
use crate::arena::players::program::Program;
use crate::arena::players::spec::PlayerSpec;
use crate::arena::record::pgn::write_game;
use crate::arena::record::standings::{PlayerRecord, Standings};
use crate::arena::referee::{FinishedGame, Unplayed, play};
use crate::arena::schedule::Fixture;
use crate::arena::schedule::openings::OpeningsError;
use crate::halt::Halt;
use crate::words::counted;

/// The number of time forfeits, or of illegal moves, among its [`LAST_GAMES`] last games at which a player is
/// unfit.
const FORFEITS: usize = 3;
/// The number of recent games considered for that.
const LAST_GAMES: usize = 10;

/// The reason why a match ended early.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// A program cannot be started, or its file was replaced.
    #[error("cannot start {player} ({command}): {reason}")]
    Launch {
        /// The player's name.
        player: String,
        /// Its command.
        command: String,
        /// The reason.
        reason: String,
    },
    /// An engine crashed or hung.
    #[error("{player} {fault} (game {game})")]
    Breakdown {
        /// The player's name.
        player: String,
        /// Its fault.
        fault: Fault,
        /// The game's tag `Round`.
        game: String,
    },
    /// An engine keeps running out of time.
    #[error("{player} ran out of time in {FORFEITS} of its last {LAST_GAMES} games")]
    Overtime {
        /// The player's name.
        player: String,
        /// Whether other players run out of time too, so that the machine is probably overloaded.
        overloaded: bool,
    },
    /// An engine keeps making illegal moves.
    #[error("{player} made an illegal move in {FORFEITS} of its last {LAST_GAMES} games")]
    IllegalMoves {
        /// The player's name.
        player: String,
    },
    /// The system refuses a thread for a slot.
    #[error("cannot start the threads of {} at a time: {error}", counted(*.slots as u64, "game", "games"))]
    Thread {
        /// The number of slots.
        slots: usize,
        /// The error.
        error: io::Error,
    },
    /// An opening cannot be read.
    #[error(transparent)]
    Opening(OpeningsError),
    /// A game cannot be written to the PGN file.
    #[error("cannot write the PGN: {0}")]
    Pgn(io::Error),
}

impl MatchError {
    fn launch(spec: &PlayerSpec, reason: String) -> Self {
        let command = spec.command.display().to_string();
        let reason = match elsewhere(spec) {
            Some(path) => format!("{reason}; there is one: cmd={}", path.display()),
            None => reason,
        };
        MatchError::Launch { player: spec.name.clone(), command, reason }
    }
}

/// A game that has just been entered, for an observer.
#[derive(Debug)]
pub struct GameNews<'a> {
    /// The finished game.
    pub played: &'a FinishedGame,
    /// The standings including this game.
    pub standings: &'a Standings,
}

/// What came of the settings of the players before the first game.
#[derive(Debug, Default)]
pub struct TriedSettings {
    /// A line for each setting that has no effect or another one than it says.
    pub refused: Vec<String>,
    /// A line for each thing that a player has said while its settings were made.
    pub remarks: Vec<String>,
}

/// The result of a slot.
enum Delivery {
    Game(Box<FinishedGame>),
    Failure(MatchError),
    /// The number of a player, and the crash of its process that was asked to quit.
    QuitFault(usize, Fault),
}

impl MatchPlan {
    /// Starts every player once, and returns what came of its settings, as lines that begin with its name.
    /// `chess960` tells whether they play Chess960. Ends early when `stop` is set.
    ///
    /// # Errors
    /// [`MatchError::Launch`] for a player that does not get ready.
    pub fn try_settings(&self, chess960: bool, stop: &Halt) -> Result<TriedSettings, MatchError> {
        let mut tried = TriedSettings::default();
        for spec in &self.players {
            let program = Program::of(spec);
            let mut player = EnginePlayer::new(spec, &program, self.patience, self.lenient, stop, &self.log);
            let named =
                |phrases: Vec<String>| phrases.into_iter().map(|phrase| format!("{} {phrase}", spec.name));
            match player.try_settings(chess960) {
                Ok(settled) => {
                    tried.refused.extend(named(settled.refused));
                    tried.remarks.extend(named(settled.remarks));
                }
                Err(PlayerFailure::Stopped) => break,
                Err(PlayerFailure::Launch(error)) => return Err(MatchError::launch(spec, error.to_string())),
                Err(PlayerFailure::Fault(fault)) => {
                    return Err(MatchError::launch(spec, format!("it {fault}")));
                }
            }
            player.quit();
        }
        Ok(tried)
    }

    /// Plays every game that `standings` does not contain yet, until all are played, the test is decided, or
    /// `stop` is set. Each finished game is entered, written to `pgn`, and then passed to `observer`.
    ///
    /// # Errors
    /// [`MatchError`]; games entered before remain entered.
    pub fn run(
        &self,
        standings: &mut Standings,
        mut pgn: Option<&mut dyn Write>,
        stop: &Halt,
        observer: &mut dyn FnMut(&GameNews<'_>),
    ) -> Result<(), MatchError> {
        if standings.is_decided() {
            return Ok(());
        }
        let open: Vec<usize> =
            (0..self.schedule.games()).filter(|&number| !standings.is_done(number)).collect();
        let programs: Vec<Program> = self.players.iter().map(Program::of).collect();
        let next = AtomicUsize::new(0);
        let slots = self.concurrency.min(open.len());
        let (deliver, deliveries) = sync_channel(0);
        thread::scope(|scope| {
            let mut result = Ok(());
            for _ in 0..slots {
                let (results, programs, open, next) = (deliver.clone(), &programs, &open, &next);
                let slot = move || self.play_open_games(programs, open, next, stop, &results);
                if let Err(error) = thread::Builder::new().spawn_scoped(scope, slot) {
                    result = Err(MatchError::Thread { slots, error });
                    stop.set();
                    break;
                }
            }
            drop(deliver);
            for delivery in deliveries {
                let entered = match delivery {
                    Delivery::Game(played) => self.enter(&played, standings, &mut pgn, observer),
                    Delivery::Failure(error) => Err(error),
                    Delivery::QuitFault(player, fault) => {
                        standings.players[player].quit_fault.get_or_insert(fault);
                        Ok(())
                    }
                };
                result = result.and(entered);
                if result.is_err() || standings.is_decided() {
                    stop.set();
                }
            }
            result
        })
    }

    /// Returns a line for every player with a process that crashed when it was asked to quit. That costs no
    /// game.
    #[must_use]
    pub fn quit_faults(&self, standings: &Standings) -> Vec<String> {
        let records = self.players.iter().zip(&standings.players);
        let line_of = |(spec, record): (&PlayerSpec, &PlayerRecord)| {
            let fault = record.quit_fault.as_ref()?;
            Some(format!("{}: when it quits, it {fault}", spec.name))
        };
        records.filter_map(line_of).collect()
    }

    /// Returns the standings before the first game.
    #[must_use]
    pub fn standings(&self) -> Standings {
        Standings::new(&self.schedule, self.players.len(), self.sprt)
    }

    fn enter(
        &self,
        played: &FinishedGame,
        standings: &mut Standings,
        pgn: &mut Option<&mut dyn Write>,
        observer: &mut dyn FnMut(&GameNews<'_>),
    ) -> Result<(), MatchError> {
        if let Some(out) = pgn {
            write_game(out, self, played).map_err(MatchError::Pgn)?;
        }
        let FinishedGame { fixture, ending, line, .. } = played;
        let fault = ending.fault().map(|(player, fault)| (player, fault.name()));
        standings.enter(fixture, ending.outcome(), fault, line);
        for (color, tally) in played.tallies.as_ref().zip_color() {
            let index = color.fold_wb(fixture.white, fixture.black);
            let sum = &mut standings.players[index].tally;
            sum.effort.add(&tally.effort);
            sum.warnings.add(&tally.warnings);
        }
        observer(&GameNews { played, standings });
        if self.recover { Ok(()) } else { self.check_health(played, standings) }
    }

    /// Returns an error if the game just entered shows that an engine is unfit to play.
    fn check_health(&self, played: &FinishedGame, standings: &Standings) -> Result<(), MatchError> {
        let FinishedGame { fixture, ending, .. } = played;
        let Some((player, fault)) = ending.fault() else { return Ok(()) };
        let index = player.fold_wb(fixture.white, fixture.black);
        let player = self.players[index].name.clone();
        if fault.is_breakdown() {
            return Err(MatchError::Breakdown { player, fault: fault.clone(), game: fixture.round_tag() });
        }
        let recent = |record: &PlayerRecord| record.recent_faults(fault.name(), LAST_GAMES);
        if recent(&standings.players[index]) < FORFEITS {
            return Ok(());
        }
        if let Fault::IllegalMove { .. } = fault {
            return Err(MatchError::IllegalMoves { player });
        }
        let others = standings.players.iter().enumerate().filter(|&(other, _)| other != index);
        let overloaded = others.map(|(_, record)| recent(record)).sum::<usize>() > 0;
        Err(MatchError::Overtime { player, overloaded })
    }

    /// Runs a slot: plays open games until none is left.
    fn play_open_games(
        &self,
        programs: &[Program],
        open: &[usize],
        next: &AtomicUsize,
        stop: &Halt,
        deliver: &SyncSender<Delivery>,
    ) {
        let players = self.players.iter().zip(programs);
        let mut seats: Vec<EnginePlayer<'_>> = players
            .map(|(spec, program)| {
                EnginePlayer::new(spec, program, self.patience, self.lenient, stop, &self.log)
            })
            .collect();
        while !stop.is_set()
            && let Some(&number) = open.get(next.fetch_add(1, Ordering::Relaxed))
        {
            let fixture = self.schedule.fixture(number);
            for (index, seat) in seats.iter_mut().enumerate() {
                if index != fixture.white && index != fixture.black {
                    seat.quit(); // a slot runs only one pair of processes
                }
            }
            if self.play_out(&fixture, &mut seats, deliver).is_none() {
                break;
            }
        }
        for (player, seat) in seats.iter_mut().enumerate() {
            seat.quit();
            if let Some(fault) = seat.quit_fault.take() {
                let _ = deliver.send(Delivery::QuitFault(player, fault));
            }
        }
    }

    /// Plays a game and delivers it. If the match recovers, an abandoned game is played once more; then only
    /// a fault of the other player is excused. Returns `None` if the slot must not play on.
    fn play_out(
        &self,
        fixture: &Fixture,
        seats: &mut [EnginePlayer<'_>],
        deliver: &SyncSender<Delivery>,
    ) -> Option<()> {
        let mut failed = None;
        loop {
            let mut played = match self.play(fixture, seats) {
                Ok(played) => played,
                Err(Unplayed::Stopped) => return None,
                Err(Unplayed::Opening(error)) => {
                    let _ = deliver.send(Delivery::Failure(MatchError::Opening(error)));
                    return None;
                }
                Err(Unplayed::Launch(color, error)) => {
                    let spec = &self.players[color.fold_wb(fixture.white, fixture.black)];
                    let _ = deliver.send(Delivery::Failure(MatchError::launch(spec, error.to_string())));
                    return None;
                }
            };
            let at_fault = played.ending.fault().map(|(player, _)| player);
            if failed.is_some() && at_fault == failed {
                played.ending = played.ending.unexcused();
            }
            let is_abandoned = matches!(played.ending, Ending::Abandoned { .. });
            deliver.send(Delivery::Game(Box::new(played))).ok()?;
            match (is_abandoned, failed) {
                (true, None) if self.recover => failed = at_fault,
                // It ends the match, and this slot must not play on until the caller's thread learns of it.
                (true, _) if !self.recover => return None,
                _ => return Some(()),
            }
        }
    }

    fn play(&self, fixture: &Fixture, seats: &mut [EnginePlayer<'_>]) -> Result<FinishedGame, Unplayed> {
        let [white, black] = seats
            .get_disjoint_mut([fixture.white, fixture.black])
            .expect("nobody plays itself, and the schedule names only players");
        let opening = self.openings.of_round(fixture.round).map_err(Unplayed::Opening)?;
        play(*fixture, ByColor { white, black }, opening, &self.rules)
    }
}
