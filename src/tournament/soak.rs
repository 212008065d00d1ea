//! Soak tests: many games under many settings, without faults.
//!
//! A plan has one stage per line, in the notation of players with some additional keys:
//!
//! ```text
//! # Two threads, pondering, Chess960.
//! games=40,chess960=on,tc=0.5+0.005,ponder=on,option.Threads=2,option.Hash=16
//! ```
//!
//! The engine plays itself under each stage's settings. Results do not matter, but every fault and every
//! warning does, which [`faults_of`] lists, and every crash after `quit`, which [`Match::quit_faults`] lists. The short
//! and the long plan are in `positions/soak/`.

use crate::rules::{DrawRule, Rules, WinRule};
use crate::settings::{Setting, SettingError, split};
use crate::text::entries;
use crate::tournament::Match;
use crate::tournament::players::log::Log;
use crate::tournament::players::player::Patience;
use crate::tournament::players::spec::{PlayerSpec, switch, threads_of_a_game};
use crate::tournament::referee::FinishedGame;
use crate::tournament::runner::GameNews;
use crate::tournament::schedule::openings::Openings;
use crate::tournament::schedule::{Form, MOST_GAMES, Schedule};

/// A plan of about a minute, for every change.
pub const SHORT: &str = include_str!("../../positions/soak/short.txt");

/// A plan of three thousand games, for a release: about forty minutes on two cores.
pub const LONG: &str = include_str!("../../positions/soak/long.txt");

/// Moves of each side after which a game of a soak is drawn.
const MAX_MOVES: u32 = 200;

/// The games of one setting.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stage {
    /// The line of the plan.
    pub text: String,
    /// The number of games, which is even.
    pub games: usize,
    /// Whether the games begin from the 960 starting positions.
    pub chess960: bool,
    /// Whether games are adjudicated by agreeing scores.
    pub adjudicate: bool,
    settings: Vec<Setting>,
}

/// The reason why a plan could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// An error in a line.
    #[error("line {number}: {error}")]
    Line {
        /// Its number, from 1.
        number: usize,
        /// The error.
        error: SettingError,
    },
    /// The plan has no stage.
    #[error("no stages in it")]
    Empty,
}

/// Reads the stages of a plan; blank lines and lines that begin with `#` are skipped.
///
/// ```
/// use zugwerk::tournament::soak::read_plan;
/// let plan = read_plan("# one stage\ngames=40,tc=0.1+0.001,option.Hash=1")?;
/// assert_eq!((plan.len(), plan[0].games, plan[0].chess960), (1, 40, false));
/// # Ok::<(), zugwerk::tournament::soak::PlanError>(())
/// ```
///
/// # Errors
/// [`PlanError`] at the first invalid line, or if there is no stage.
pub fn read_plan(text: &str) -> Result<Vec<Stage>, PlanError> {
    let stages = entries(text)
        .map(|(number, line)| Stage::read(line).map_err(|error| PlanError::Line { number, error }));
    let stages = stages.collect::<Result<Vec<_>, _>>()?;
    if stages.is_empty() { Err(PlanError::Empty) } else { Ok(stages) }
}

impl Stage {
    fn read(line: &str) -> Result<Self, SettingError> {
        let mut stage = Stage { text: line.to_owned(), ..Stage::default() };
        for setting in split(line)? {
            match setting.key.as_str() {
                "games" => stage.games = games(&setting)?,
                "chess960" => stage.chess960 = switch(&setting)?,
                "adjudicate" => stage.adjudicate = switch(&setting)?,
                "name" | "cmd" => return Err(setting.bad("settings only: --engine names the engine")),
                _ => stage.settings.push(setting),
            }
        }
        if stage.games == 0 {
            return Err(SettingError::Missing("games"));
        }
        let player = PlayerSpec::from_settings([split("cmd=any")?, stage.settings.clone()])?;
        if player.limits.is_unbounded() { Err(SettingError::Missing("tc")) } else { Ok(stage) }
    }

    /// Returns the two players of this stage: `engines` (one, which plays itself, or two). Their own settings take
    /// precedence over `each`, and those of the stage over both.
    ///
    /// # Errors
    /// [`SettingError`] for an invalid list.
    pub fn players(&self, each: &str, engines: &[String]) -> Result<Vec<PlayerSpec>, SettingError> {
        let read =
            |own: &String| PlayerSpec::from_settings([split(each)?, split(own)?, self.settings.clone()]);
        let mut players = engines.iter().cycle().take(2).map(read).collect::<Result<Vec<_>, _>>()?;
        if players[0].name == players[1].name && !players[1].name.is_empty() {
            players[1].name += "-2"; // it plays itself
        }
        Ok(players)
    }

    /// Returns the match of this stage between two named `players`, without a log. It plays as many games at a time as
    /// `cores` processor cores allow, and one at a time if the players are restarted for every game. The order of the
    /// openings depends on `seed`.
    #[must_use]
    pub fn set_up(&self, players: Vec<PlayerSpec>, patience: Patience, cores: usize, seed: u64) -> Match {
        let openings = if self.chess960 { Openings::chess960() } else { Openings::built_in() };
        Match {
            event: format!("soak {}", self.text),
            schedule: Schedule::new(2, Form::RoundRobin, self.games / 2),
            openings: openings.shuffled(seed),
            rules: Rules {
                win: self.adjudicate.then_some(WinRule { score: 800, plies: 6 }),
                draw: self.adjudicate.then_some(DrawRule { score: 10, plies: 10, from_ply: 48 }),
                longest: Some(2 * MAX_MOVES),
                tables: None,
            },
            patience,
            recover: true,
            log: Log::default(),
            pgn_detail: false,
            concurrency: games_at_a_time(&players, cores),
            players,
            sprt: None,
        }
    }
}

fn games(setting: &Setting) -> Result<usize, SettingError> {
    let expected = format_args!("an even number from 2 to {MOST_GAMES}");
    setting.read(expected, |&games| games % 2 == 0 && (2..=MOST_GAMES).contains(&games))
}

/// The number of games between `players` that `cores` processor cores can run without disturbing each other.
fn games_at_a_time(players: &[PlayerSpec], cores: usize) -> usize {
    // A new process allocates its memory while the other game is on the clock. With tables of 512 MiB and two games at
    // a time 2 of 150 were lost on time, by some 20 ms; one at a time, none of 150.
    let restarts = players.iter().any(|player| player.restart);
    if restarts { 1 } else { (cores / threads_of_a_game(&players[0], &players[1])).max(1) }
}

/// The faults and warnings of a game, one per line; most games have none.
#[must_use]
pub fn faults_of(players: &[PlayerSpec], news: &GameNews<'_>) -> Vec<String> {
    let FinishedGame { fixture, ending, tallies, .. } = news.played;
    let [white, black] = [fixture.white, fixture.black].map(|index| players[index].name.as_str());
    let game = format!("game {} ({white} - {black})", fixture.round_tag());
    let mut lines = Vec::new();
    if ending.fault().is_some() {
        lines.push(format!("{game}: {ending}"));
    }
    for (name, tally) in [(white, &tallies.white), (black, &tallies.black)] {
        lines.extend(tally.remarks.iter().map(|remark| format!("{game}: {name}: {remark}")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::players::spec::name_all;

    #[test]
    fn the_plans_in_the_house_are_sound_and_cover_what_they_should() {
        let long = read_plan(LONG).unwrap();
        assert!(long.iter().map(|stage| stage.games).sum::<usize>() >= 3000);
        let words = "tc=0.1+0.001 tc=3+0.03 ponder=on Threads=1 Threads=2 Threads=4 Hash=1, Hash=16 Hash=512 \
                     chess960=on st= /";
        for word in words.split(' ') {
            assert!(long.iter().any(|stage| format!("{},", stage.text).contains(word)), "{word}");
        }
        assert!(read_plan(SHORT).unwrap().iter().map(|stage| stage.games).sum::<usize>() < 300);
    }

    #[test]
    fn what_is_no_stage_is_named_with_its_line() {
        let refusal = |text: &str| read_plan(text).unwrap_err().to_string();
        assert_eq!(refusal("# nothing\n\n"), "no stages in it");
        let games = "expected an even number from 2 to 10000000";
        assert_eq!(refusal("\ngames=3,tc=1"), format!("line 2: games=3: {games}"));
        assert_eq!(refusal("games=10000002,tc=1"), format!("line 1: games=10000002: {games}"));
        assert_eq!(refusal("tc=1"), "line 1: missing games=…");
        assert_eq!(refusal("games=2"), "line 1: missing tc=…");
        assert_eq!(refusal("games=2,tc=1,ponder=maybe"), "line 1: ponder=maybe: expected on or off");
        assert!(refusal("games=2,tc=1,cmd=x").contains("cmd=x: expected settings only"));
        assert!(refusal("games=2,tc=1,hash=3").contains("unknown key 'hash'"));
    }

    #[test]
    fn games_run_side_by_side_only_where_the_cores_suffice() {
        let slots = |line: &str, cores| {
            let stage = read_plan(line).unwrap().remove(0);
            let mut players = stage.players("", &["cmd=a".to_owned()]).unwrap();
            name_all(&mut players).unwrap();
            stage.set_up(players, Patience::default(), cores, 1).concurrency
        };
        assert_eq!(slots("games=2,tc=1", 2), 2);
        assert_eq!(slots("games=2,tc=1,ponder=on", 2), 1);
        assert_eq!(slots("games=2,tc=1,option.Threads=2", 2), 1);
        assert_eq!(slots("games=2,tc=1,restart=on", 2), 1);
        assert_eq!(slots("games=2,tc=1,option.Threads=4,ponder=on", 2), 1, "more than there are: one by one");
        assert_eq!(slots("games=2,tc=1,option.Threads=4,ponder=on", 32), 4);
    }
}
