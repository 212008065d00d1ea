//! How a game ended: by the rules, by adjudication, or by a player's fault; and the words for each.

use std::fmt;
use std::time::Duration;

use shakmaty::{Color, KnownOutcome};

use crate::notation::side;
use crate::rules::{Adjudication, BoardEnd};

/// What a player was waited for when it fell silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaited {
    /// `uciok`, after `uci`.
    UciOk,
    /// `readyok`, after `isready`.
    ReadyOk,
    /// `bestmove`, after `go` and `stop`.
    BestMove,
}

/// What a player did to lose outside the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It answered with something that is no legal move here.
    IllegalMove {
        /// The answer, cut to a length fit for a comment.
        text: String,
    },
    /// It used more time than its clock and margin allowed.
    Overtime {
        /// What it used for this move.
        used: Duration,
        /// What it had left, with its margin.
        allowed: Duration,
    },
    /// It runs but does not answer.
    Stall {
        /// What it owed.
        awaited: Awaited,
        /// How long it was waited for.
        waited: Duration,
    },
    /// Its process ended, or closed its output.
    Crash {
        /// How it ended (`exit status: 3`, `signal: 11 (SIGSEGV)`), where that is known.
        status: Option<String>,
        /// What it wrote to standard error at its end, if anything.
        last_words: Option<String>,
    },
}

impl Fault {
    /// Whether the engine is gone or hangs: it does not play at all, well or badly.
    #[must_use]
    pub fn is_breakdown(&self) -> bool {
        matches!(self, Fault::Stall { .. } | Fault::Crash { .. })
    }
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// By the rules.
    Board(BoardEnd),
    /// By decree.
    Adjudicated(Adjudication),
    /// By a fault of one player.
    Forfeit {
        /// Who loses.
        loser: Color,
        /// Why.
        fault: Fault,
    },
}

impl Ending {
    /// Who won, if anyone.
    #[must_use]
    pub fn outcome(&self) -> KnownOutcome {
        match self {
            Ending::Board(end) => end.outcome(),
            Ending::Adjudicated(decree) => decree.outcome(),
            Ending::Forfeit { loser, .. } => KnownOutcome::Decisive { winner: !*loser },
        }
    }

    /// The PGN tag `Termination`. `normal`, `adjudication` and `time forfeit` are the standard's own words; its
    /// `rules infraction` and `abandoned` are split into the fault they stand for.
    #[must_use]
    pub fn termination(&self) -> &'static str {
        match self {
            Ending::Board(_) => "normal",
            Ending::Adjudicated(_) => "adjudication",
            Ending::Forfeit { fault, .. } => fault.name(),
        }
    }
}

impl Fault {
    /// One or two words: `illegal move`, `time forfeit`, `stall` or `crash`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Fault::IllegalMove { .. } => "illegal move",
            Fault::Overtime { .. } => "time forfeit",
            Fault::Stall { .. } => "stall",
            Fault::Crash { .. } => "crash",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::IllegalMove { text } => write!(f, "makes an illegal move: {text}"),
            Fault::Overtime { used, allowed } => {
                write!(f, "loses on time: used {:.3} s of {:.3} s", used.as_secs_f64(), allowed.as_secs_f64())
            }
            Fault::Stall { awaited, waited } => {
                let word = match awaited {
                    Awaited::UciOk => "uciok",
                    Awaited::ReadyOk => "readyok",
                    Awaited::BestMove => "bestmove",
                };
                write!(f, "stalls: no {word} within {:.1} s", waited.as_secs_f64())
            }
            Fault::Crash { status, last_words } => {
                write!(f, "crashes: {}", status.as_deref().unwrap_or("its output ended"))?;
                last_words.as_ref().map_or(Ok(()), |words| write!(f, " ({words})"))
            }
        }
    }
}

impl fmt::Display for Ending {
    /// A phrase for a comment: `White mates`, `Black loses on time: used 0.123 s of 0.100 s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Board(end) => end.fmt(f),
            Ending::Adjudicated(decree) => decree.fmt(f),
            Ending::Forfeit { loser, fault } => write!(f, "{} {fault}", side(*loser)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_loses_and_is_named() {
        let ending =
            Ending::Forfeit { loser: Color::White, fault: Fault::IllegalMove { text: "e2e5".to_owned() } };
        assert_eq!(ending.outcome(), KnownOutcome::Decisive { winner: Color::Black });
        assert_eq!(ending.termination(), "illegal move");
        assert_eq!(ending.to_string(), "White makes an illegal move: e2e5");
    }
}
