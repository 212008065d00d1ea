//! The endings of games, by the rules, by adjudication, or by a player's fault; and their descriptions.

use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use shakmaty::{Color, Outcome};

use crate::chess::notation::side;
use crate::rules::{Adjudication, BoardEnd, Penalty};

/// The answer that a silent player owes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaited {
    /// `uciok`, after `uci`.
    UciOk,
    /// `readyok`, after `isready`.
    ReadyOk,
    /// `bestmove`, after `stop`, or after `go` without a limit on the time.
    BestMove,
}

/// The fault of a player that ended its game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Its answer is not a legal move here.
    IllegalMove {
        /// What this costs.
        penalty: Penalty,
        /// The answer, shortened for a comment.
        text: String,
    },
    /// It used more time than its clock and margin allowed.
    Overtime {
        /// What this costs.
        penalty: Penalty,
        /// The time it used for this move.
        used: Duration,
        /// The time it had left, including its margin.
        allowed: Duration,
    },
    /// It runs but does not answer.
    Stall {
        /// The missing answer.
        awaited: Awaited,
        /// The time waited.
        waited: Duration,
        /// Its last message on standard error, if any.
        last_words: Option<String>,
    },
    /// Its process ended, or closed its output.
    Crash {
        /// Its exit status (`exit code 3`, `signal: 11 (SIGSEGV)`), if known.
        status: Option<String>,
        /// Its last message on standard error, if any.
        last_words: Option<String>,
    },
}

impl Fault {
    /// The crash of a process with this exit status, if it is known, and last message.
    pub(in crate::arena) fn crash(status: Option<ExitStatus>, last_words: Option<String>) -> Self {
        let in_words =
            |status: ExitStatus| status.code().map_or(status.to_string(), |code| format!("exit code {code}"));
        Fault::Crash { status: status.map(in_words), last_words }
    }

    /// Whether the engine crashed or stalled, which says nothing about its strength.
    #[must_use]
    pub fn is_breakdown(&self) -> bool {
        matches!(self, Fault::Stall { .. } | Fault::Crash { .. })
    }

    /// What it costs the player. A stall or a crash that is not excused costs the game.
    fn penalty(&self) -> Penalty {
        match self {
            Fault::IllegalMove { penalty, .. } | Fault::Overtime { penalty, .. } => *penalty,
            Fault::Stall { .. } | Fault::Crash { .. } => Penalty::Lost,
        }
    }

    /// One or two words: `illegal move`, `time forfeit`, `stall` or `crash`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Fault::IllegalMove { .. } => "illegal move",
            Fault::Overtime { .. } => Penalty::TIME_FORFEIT,
            Fault::Stall { .. } => "stall",
            Fault::Crash { .. } => "crash",
        }
    }
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Board(BoardEnd),
    /// By adjudication.
    Adjudicated(Adjudication),
    /// By a fault of one player, which loses; except on time or by an illegal move against an opponent that
    /// cannot mate.
    Forfeit {
        /// The player at fault.
        player: Color,
        /// The fault.
        fault: Fault,
    },
    /// By a breakdown of one player that is excused: the game has no result.
    Abandoned {
        /// The player at fault.
        player: Color,
        /// The fault, a crash or a stall.
        fault: Fault,
    },
}

impl Ending {
    /// The PGN tag `Termination` of an abandoned game.
    pub const ABANDONED: &'static str = "abandoned";

    /// The result; unknown if the game was abandoned.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match self {
            Ending::Board(end) => end.outcome().into(),
            Ending::Adjudicated(decree) => decree.outcome().into(),
            Ending::Forfeit { player, fault } => fault.penalty().outcome(*player).into(),
            Ending::Abandoned { .. } => Outcome::Unknown,
        }
    }

    /// The fault that ended the game, and the player at fault.
    #[must_use]
    pub fn fault(&self) -> Option<(Color, &Fault)> {
        match self {
            Ending::Board(_) | Ending::Adjudicated(_) => None,
            Ending::Forfeit { player, fault } | Ending::Abandoned { player, fault } => Some((*player, fault)),
        }
    }

    /// The same ending, but a breakdown is not excused: it costs the player the game.
    #[must_use]
    pub fn unexcused(self) -> Self {
        match self {
            Ending::Abandoned { player, fault } => Ending::Forfeit { player, fault },
            other => other,
        }
    }

    /// The PGN tag `Termination`. `normal`, `adjudication`, `time forfeit` and `abandoned` are the standard's
    /// terms. Its `rules infraction` is replaced by the fault.
    #[must_use]
    pub fn termination(&self) -> &'static str {
        match self {
            Ending::Board(_) => "normal",
            Ending::Adjudicated(_) => "adjudication",
            Ending::Forfeit { fault, .. } => fault.name(),
            Ending::Abandoned { .. } => Ending::ABANDONED,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::IllegalMove { penalty, text } => write!(f, "makes an illegal move{penalty}: {text}"),
            Fault::Overtime { penalty, used, allowed } => {
                let (phrase, used, allowed) = (penalty.on_time(), used.as_secs_f64(), allowed.as_secs_f64());
                write!(f, "{phrase}: used {used:.3} s of {allowed:.3} s")
            }
            Fault::Stall { awaited, waited, last_words } => {
                let word = match awaited {
                    Awaited::UciOk => "uciok",
                    Awaited::ReadyOk => "readyok",
                    Awaited::BestMove => "bestmove",
                };
                write!(f, "stalls: no {word} within {:.1} s", waited.as_secs_f64())?;
                if *awaited == Awaited::UciOk {
                    write!(f, "; if it needs a flag for UCI: args=--uci")?;
                }
                in_brackets(f, last_words.as_deref())
            }
            Fault::Crash { status, last_words } => {
                write!(f, "crashes: {}", status.as_deref().unwrap_or("its output ended"))?;
                in_brackets(f, last_words.as_deref())
            }
        }
    }
}

fn in_brackets(f: &mut fmt::Formatter<'_>, last_words: Option<&str>) -> fmt::Result {
    last_words.map_or(Ok(()), |words| write!(f, " ({words})"))
}

impl fmt::Display for Ending {
    /// Writes a phrase for a comment: `White mates`, `Black loses on time: used 0.123 s of 0.100 s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Board(end) => end.fmt(f),
            Ending::Adjudicated(decree) => decree.fmt(f),
            Ending::Forfeit { player, fault } | Ending::Abandoned { player, fault } => {
                write!(f, "{} {fault}", side(*player))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_loses_and_is_named() {
        let ending = |penalty| Ending::Forfeit {
            player: Color::White,
            fault: Fault::IllegalMove { penalty, text: "e2e5".to_owned() },
        };
        let (lost, drawn) = (ending(Penalty::Lost), ending(Penalty::Drawn));
        assert_eq!((lost.outcome().as_str(), drawn.outcome().as_str()), ("0-1", "1/2-1/2"));
        assert_eq!((lost.termination(), drawn.termination()), ("illegal move", "illegal move"));
        assert_eq!(lost.to_string(), "White makes an illegal move: e2e5");
        let phrase = "White makes an illegal move, but the opponent cannot mate: e2e5";
        assert_eq!(drawn.to_string(), phrase);
    }

    #[test]
    fn overtime_may_be_a_draw() {
        let (used, allowed) = (Duration::from_millis(305), Duration::from_millis(200));
        let ending = |penalty| Ending::Forfeit {
            player: Color::Black,
            fault: Fault::Overtime { penalty, used, allowed },
        };
        let (lost, drawn) = (ending(Penalty::Lost), ending(Penalty::Drawn));
        assert_eq!((lost.outcome().as_str(), drawn.outcome().as_str()), ("1-0", "1/2-1/2"));
        assert_eq!((lost.termination(), drawn.termination()), ("time forfeit", "time forfeit"));
        assert_eq!(lost.to_string(), "Black loses on time: used 0.305 s of 0.200 s");
    }

    #[test]
    fn an_abandoned_game_has_no_result_unless_its_fault_is_not_excused() {
        let abandoned = Ending::Abandoned { player: Color::Black, fault: Fault::crash(None, None) };
        assert_eq!((abandoned.outcome().as_str(), abandoned.termination()), ("*", "abandoned"));
        assert_eq!(abandoned.to_string(), "Black crashes: its output ended");
        let lost = abandoned.unexcused();
        assert_eq!((lost.outcome().as_str(), lost.termination()), ("1-0", "crash"));
    }
}
