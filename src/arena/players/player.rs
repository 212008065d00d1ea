//! A player: the UCI conversation with one engine process, from the handshake to `quit`.
//!
//! `isready` precedes every `go` except `go ponder`, so that late output of the engine is not taken for the
//! answer. A `bestmove` that arrives before its request is a warning and not the answer: a player that moves
//! before `ponderhit` is asked again, with its clock running. Every wait is bounded; its failure is a
//! [`Fault`]. An engine that crashed or stalled is dropped (which kills it) and started again for the next
//! game.

use std::io;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use shakmaty::Move;

use crate::arena::ending::{Awaited, Fault};
use crate::arena::line::Line;
use crate::arena::players::files;
use crate::arena::players::info::Info;
use crate::arena::players::log::Log;
use crate::arena::players::options::AnnouncedOptions;
use crate::arena::players::process::{BestMove, Message, Process};
use crate::arena::players::program::Program;
use crate::arena::players::spec::PlayerSpec;
use crate::arena::players::tally::{PlayerTally, Warning};
use crate::chess::value::{Score, plies_to_mate};
use crate::halt::Halt;
use crate::rules::{BoardEnd, Penalty};
use crate::words::counted;

/// The interval at which a wait checks the stop flag.
const STOP_CHECK: Duration = Duration::from_millis(100);

/// The option for Chess960, and its value there.
const CHESS960: (&str, &str) = ("UCI_Chess960", "true");

/// The time to wait for a player without a running clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// For `uciok`, `readyok`, and for `bestmove` after `stop`.
    pub answer: Duration,
    /// For a move that is limited by nodes or depth alone.
    pub search: Duration,
    /// For the process to end after `quit`.
    pub quit: Duration,
}

impl Default for Patience {
    /// Returns ten seconds to answer, five minutes for an untimed move, one second to quit.
    fn default() -> Self {
        Patience {
            answer: Duration::from_secs(10),
            search: Duration::from_secs(300),
            quit: Duration::from_secs(1),
        }
    }
}

/// The reason why a player does not go on.
#[derive(Debug)]
pub(in crate::arena) enum PlayerFailure {
    /// The player is at fault, which ends the game.
    Fault(Fault),
    /// The match is being stopped.
    Stopped,
    /// Its program cannot be started, or has changed.
    Launch(io::Error),
}

/// A player's answer to `go`.
#[derive(Debug)]
pub(in crate::arena) struct Reply {
    /// Its move, which is legal.
    pub(in crate::arena) mv: Move,
    /// The expected reply, unchecked.
    pub(in crate::arena) expects: Option<String>,
    /// Its last scored report; empty if there is none.
    pub(in crate::arena) info: Info,
    /// The measured time.
    pub(in crate::arena) used: Duration,
}

/// A request for a move.
#[derive(Debug, Clone, Copy)]
struct Request {
    /// When it was sent, which starts the clock.
    at: Instant,
    /// Whether it is `ponderhit`, and not `go`.
    is_ponderhit: bool,
}

/// What came of the settings of a player.
#[derive(Debug)]
pub(in crate::arena) struct Settled {
    /// Phrases, each about a setting that has no effect or another one than it says.
    pub(in crate::arena) refused: Vec<String>,
    /// Phrases, each about something that the process has said.
    pub(in crate::arena) remarks: Vec<String>,
}

/// A player, with or without a running process.
#[derive(Debug)]
pub(in crate::arena) struct EnginePlayer<'a> {
    pub(in crate::arena) spec: &'a PlayerSpec,
    program: &'a Program,
    patience: Patience,
    stop: &'a Halt,
    log: &'a Log,
    process: Option<Process>,
    /// The name that the process announces.
    name: String,
    /// The options that the process announces.
    offered: AnnouncedOptions,
    /// What the process has said before its last `readyok`.
    remarks: Vec<String>,
    /// Whether it plays although it refuses settings, or castles as `O-O`.
    lenient: bool,
    chess960: bool,
    /// The move it ponders on; a `bestmove` is still expected.
    pondering: Option<Move>,
    /// The tally since the last game.
    pub(in crate::arena) tally: PlayerTally,
    /// The first crash of a process that was asked to quit.
    pub(in crate::arena) quit_fault: Option<Fault>,
}

impl<'a> EnginePlayer<'a> {
    pub(in crate::arena) fn new(
        spec: &'a PlayerSpec,
        program: &'a Program,
        patience: Patience,
        lenient: bool,
        stop: &'a Halt,
        log: &'a Log,
    ) -> Self {
        EnginePlayer {
            spec,
            program,
            patience,
            lenient,
            stop,
            log,
            process: None,
            name: String::new(),
            offered: AnnouncedOptions::default(),
            remarks: Vec::new(),
            chess960: false,
            pondering: None,
            tally: PlayerTally::default(),
            quit_fault: None,
        }
    }

    /// Starts the process and sends its settings, among them that for Chess960. Returns a phrase for each
    /// setting that has no effect or another one than it says, and what the process has said.
    pub(in crate::arena) fn try_settings(&mut self, chess960: bool) -> Result<Settled, PlayerFailure> {
        let mut settled = self.settle()?;
        if chess960 {
            settled.refused.extend(self.offered.refusal(CHESS960.0, CHESS960.1));
        }
        Ok(settled)
    }

    /// Prepares the player for a new game and starts its process if none runs. A process that does not answer
    /// between games is restarted once before this counts as a fault.
    pub(in crate::arena) fn new_game(&mut self, chess960: bool) -> Result<(), PlayerFailure> {
        if self.spec.restart {
            self.quit();
        }
        if self.process.is_some() {
            match self.announce_game(chess960) {
                Err(PlayerFailure::Fault(fault)) => self.warn_restart(&fault),
                answer => return answer,
            }
        }
        self.start()?;
        self.announce_game(chess960)
    }

    /// Ends pondering, which may continue after the end of a game. A player that fails now is restarted for
    /// the next game.
    pub(in crate::arena) fn end_game(&mut self) {
        if self.pondering.take().is_some()
            && let Err(PlayerFailure::Fault(fault)) = self.stop_pondering()
        {
            self.warn_restart(&fault);
        }
    }

    /// Asks the process to quit, and kills it if it does not.
    pub(in crate::arena) fn quit(&mut self) {
        let fault = self.process.take().and_then(|process| process.quit(self.patience.quit));
        self.quit_fault = self.quit_fault.take().or(fault);
    }

    /// Asks for a move in the current position of `line`. `words` are the arguments of `go`; `allowed` is the
    /// maximum time for the move, if there is one.
    pub(in crate::arena) fn think(
        &mut self,
        line: &Line,
        words: &str,
        allowed: Option<Duration>,
    ) -> Result<Reply, PlayerFailure> {
        let mut request = self.ask(line, words)?;
        let best = loop {
            let best = self.hear_answer(request.at, allowed)?;
            if best.at >= request.at {
                break best;
            }
            self.warn_unasked(&best);
            if request.is_ponderhit {
                // It has finished its search, unless the move belongs to an earlier one.
                self.send("stop");
                request = self.ask(line, words)?;
            }
        };
        self.warn_junk(&best);
        self.judge(line, &best, best.at - request.at, allowed)
    }

    /// Lets the player ponder on `reply`, the expected move in the current position of `line`. Does nothing
    /// if that move is illegal or ends the game.
    pub(in crate::arena) fn ponder(&mut self, line: &Line, reply: &str, words: &str) {
        let Some(expected) = line.read_move(reply) else { return };
        let mut ahead = line.clone();
        ahead.play(expected);
        if ahead.end().is_none() {
            self.send(&ahead.command());
            self.send(&format!("go ponder{words}"));
            self.pondering = Some(expected);
        }
    }

    fn send(&mut self, text: &str) {
        if let Some(process) = &mut self.process {
            process.send(text);
        }
    }

    /// Starts the process. Settings that it refuses are an error, or with `lenient` warnings.
    fn start(&mut self) -> Result<(), PlayerFailure> {
        let Settled { refused, remarks } = self.settle()?;
        if !refused.is_empty() && !self.lenient {
            return Err(PlayerFailure::Launch(io::Error::other(format!("it {}", refused.join("; it ")))));
        }
        for reason in refused {
            self.tally.warn(Warning::RefusedSetting, reason);
        }
        self.tally.remark_all(remarks);
        Ok(())
    }

    /// Starts the process: handshake and options.
    fn settle(&mut self) -> Result<Settled, PlayerFailure> {
        self.greet()?;
        let mut refused = Vec::new();
        for (name, value) in self.spec.settings() {
            refused.extend(self.offered.refusal(name, value).or_else(|| {
                let is_default = self.offered.default_of(name) == Some(value);
                if is_default { None } else { files::missing(self.spec, name, value) }
            }));
            self.send(&self.offered.command(name, value));
        }
        self.fence()?;
        let remarks = std::mem::take(&mut self.remarks);
        let says = |text: &str| format!("says: {text}");
        refused.extend(remarks.iter().filter_map(|remark| error_of(remark)).map(says));
        let remarks = remarks.iter().map(|remark| says(error_of(remark).unwrap_or(remark))).collect();
        Ok(Settled { refused, remarks })
    }

    /// Starts the process up to the end of the handshake.
    fn greet(&mut self) -> Result<(), PlayerFailure> {
        (self.name, self.offered) = Default::default();
        let started = self.program.check().and_then(|()| Process::start(self.spec, self.log));
        self.process = Some(started.map_err(PlayerFailure::Launch)?);
        self.chess960 = false;
        self.pondering = None;
        self.send("uci");
        self.hear(Awaited::UciOk)
    }

    fn announce_game(&mut self, chess960: bool) -> Result<(), PlayerFailure> {
        if self.chess960 != chess960 {
            if !self.offered.has(CHESS960.0) {
                self.tally
                    .warn(Warning::RefusedSetting, format!("does not announce the option '{}'", CHESS960.0));
            }
            self.send(&self.offered.command(CHESS960.0, &chess960.to_string()));
            self.chess960 = chess960;
        }
        self.send("ucinewgame");
        self.fence()
    }

    /// Sends `isready` and waits for `readyok`: all earlier output has been read then.
    fn fence(&mut self) -> Result<(), PlayerFailure> {
        self.send("isready");
        self.hear(Awaited::ReadyOk)
    }

    /// Starts the search for the next move, or turns the pondering on the last one into it.
    fn ask(&mut self, line: &Line, words: &str) -> Result<Request, PlayerFailure> {
        if let Some(expected) = self.pondering.take() {
            if line.moves().last() == Some(&expected) {
                let request = Request { at: Instant::now(), is_ponderhit: true };
                self.send("ponderhit");
                return Ok(request);
            }
            self.stop_pondering()?;
        }
        self.send(&line.command());
        self.fence()?;
        let request = Request { at: Instant::now(), is_ponderhit: false };
        self.send(&format!("go{words}"));
        Ok(request)
    }

    fn stop_pondering(&mut self) -> Result<(), PlayerFailure> {
        let asked = Instant::now();
        let best = self.stop_search(Duration::ZERO)?;
        if best.at < asked {
            self.warn_unasked(&best);
        } else {
            self.warn_junk(&best);
        }
        Ok(())
    }

    /// Waits for a move since the request at `asked`, and stops the search when the time is over.
    fn hear_answer(&mut self, asked: Instant, allowed: Option<Duration>) -> Result<BestMove, PlayerFailure> {
        let patience = allowed.unwrap_or(self.patience.search);
        match self.hear_best(asked + patience)? {
            Some(best) => Ok(best),
            None if allowed.is_none() => Err(self.stalled(Awaited::BestMove, patience)),
            None => self.stop_search(patience),
        }
    }

    /// Stops the search, whose move has been waited for during `waited`, and returns its move.
    fn stop_search(&mut self, waited: Duration) -> Result<BestMove, PlayerFailure> {
        self.send("stop");
        let patience = self.patience.answer;
        let best = self.hear_best(Instant::now() + patience)?;
        best.ok_or_else(|| self.stalled(Awaited::BestMove, waited + patience))
    }

    /// Waits for `bestmove`; `None` if the deadline passes first.
    fn hear_best(&mut self, deadline: Instant) -> Result<Option<BestMove>, PlayerFailure> {
        loop {
            match self.listen(deadline)? {
                Some(Message::BestMove(best)) => return Ok(Some(best)),
                // Other lines may arrive at any time, but do not extend the deadline.
                Some(_) if Instant::now() < deadline => {}
                _ => return Ok(None),
            }
        }
    }

    /// Waits for `awaited`, which is `uciok` or `readyok`.
    fn hear(&mut self, awaited: Awaited) -> Result<(), PlayerFailure> {
        let patience = self.patience.answer;
        let deadline = Instant::now() + patience;
        loop {
            match (self.listen(deadline)?, awaited) {
                (Some(Message::UciOk), Awaited::UciOk) => return Ok(()),
                (Some(Message::ReadyOk(remarks)), Awaited::ReadyOk) => {
                    self.remarks = remarks;
                    return Ok(());
                }
                (Some(Message::Name(name)), Awaited::UciOk) => self.name = name,
                (Some(Message::Option(option)), Awaited::UciOk) => self.offered.add(option),
                (Some(Message::BestMove(best)), _) => self.warn_unasked(&best),
                _ => {}
            }
            // Other lines may arrive at any time, but do not extend the deadline.
            if Instant::now() >= deadline {
                return Err(self.stalled(awaited, patience));
            }
        }
    }

    /// Waits for any output; `None` if the deadline passes first.
    fn listen(&mut self, deadline: Instant) -> Result<Option<Message>, PlayerFailure> {
        while !self.stop.is_set() {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.process.as_ref().map(|process| process.hear(left.min(STOP_CHECK))) {
                Some(Ok(said)) => return Ok(Some(said)),
                Some(Err(RecvTimeoutError::Timeout)) if left <= STOP_CHECK => return Ok(None),
                Some(Err(RecvTimeoutError::Timeout)) => {}
                Some(Err(RecvTimeoutError::Disconnected)) | None => return Err(self.crashed()),
            }
        }
        Err(PlayerFailure::Stopped)
    }

    fn stalled(&mut self, awaited: Awaited, waited: Duration) -> PlayerFailure {
        let last_words = self.process.take().and_then(|process| process.last_words());
        PlayerFailure::Fault(Fault::Stall { awaited, waited, last_words })
    }

    fn crashed(&mut self) -> PlayerFailure {
        let (status, last_words) = self.process.take().map(Process::wait_for_exit).unwrap_or_default();
        PlayerFailure::Fault(Fault::crash(status, last_words))
    }

    /// Converts a `bestmove` to a move, or to a fault.
    fn judge(
        &mut self,
        line: &Line,
        best: &BestMove,
        used: Duration,
        allowed: Option<Duration>,
    ) -> Result<Reply, PlayerFailure> {
        let info = best.info.as_deref().map(Info::parse).unwrap_or_default();
        self.tally.effort.note(used, &info);
        let penalty = Penalty::of(line.position(), line.turn());
        if let Some(allowed) = allowed.filter(|&allowed| used > allowed) {
            return Err(PlayerFailure::Fault(Fault::Overtime { penalty, used, allowed }));
        }
        let mut words = best.text.split_whitespace();
        let text = words.next().unwrap_or("nothing");
        let leniently = || line.position().find_move(text).ok().filter(|_| self.lenient);
        let Some(mv) = line.read_move(text).or_else(leniently) else {
            let text = text.chars().take(40).collect();
            return Err(PlayerFailure::Fault(Fault::IllegalMove { penalty, text }));
        };
        let expects = words.next().filter(|&word| word == "ponder").and(words.next());
        let notation = (line.uci(mv) != text).then_some(Warning::OtherNotation);
        for warning in notation.into_iter().chain(report_flaws(line, mv, expects, &info)) {
            let said = best.info.as_deref().unwrap_or("no line with a score");
            let remark = format!("{} in {}: {said} / bestmove {}", warning.name(), line.fen(), best.text);
            self.tally.warn(warning, remark);
        }
        Ok(Reply { mv, expects: expects.map(str::to_owned), info, used })
    }

    fn warn_restart(&mut self, fault: &Fault) {
        self.tally.warn(Warning::Restart, format!("is restarted: between games it {fault}"));
    }

    fn warn_unasked(&mut self, best: &BestMove) {
        self.tally.warn(Warning::UnaskedBestmove, format!("unasked: bestmove {}", best.text));
        self.warn_junk(best);
    }

    fn warn_junk(&mut self, best: &BestMove) {
        if best.junk > 0 {
            let lines = counted(best.junk, "line that is", "lines that are");
            self.tally.warn_times(Warning::JunkLine, best.junk, format!("{lines} not UCI"));
        }
    }
}

/// The error that a `remark` of an engine reports on its settings: `error: …`, in any spelling of upper and
/// lower case.
fn error_of(remark: &str) -> Option<&str> {
    const MARK: &str = "error:";
    let (mark, text) = remark.split_at_checked(MARK.len())?;
    mark.eq_ignore_ascii_case(MARK).then(|| text.trim_start())
}

/// The errors of the last report before a move, and of the expected reply.
fn report_flaws(line: &Line, mv: Move, expects: Option<&str>, info: &Info) -> Vec<Warning> {
    let Some(score) = info.score else { return vec![Warning::MissingScore] };
    let mut flaws = Vec::new();
    let mate_plies = match score {
        Score::Mate(moves) if info.is_bound || moves == 0 => 1,
        Score::Mate(moves) => plies_to_mate(moves),
        Score::Cp(_) => 1,
    };
    flaws.extend(pv_flaw(line, &info.pv));
    if info.pv.len() < mate_plies {
        flaws.push(Warning::TruncatedPv);
    }
    if info.pv.first().is_some_and(|first| line.read_move(first) != Some(mv)) {
        flaws.push(Warning::UnlikePv);
    }
    if let Some(reply) = expects {
        let mut ahead = line.clone();
        ahead.play(mv);
        if ahead.read_move(reply).is_none() {
            flaws.push(Warning::IllegalPonder);
        }
    }
    flaws
}

/// The first error of a principal variation from the current position of `line`. Continuing with insufficient
/// material is not an error, because UCI engines need not know that rule.
fn pv_flaw(line: &Line, pv: &[String]) -> Option<Warning> {
    let mut ahead = line.clone();
    for text in pv {
        if !matches!(ahead.end(), None | Some(BoardEnd::InsufficientMaterial)) {
            return Some(Warning::OverlongPv);
        }
        match ahead.read_move(text) {
            Some(mv) => ahead.play(mv),
            None => return Some(Warning::IllegalPv),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flaw(fen: &str, pv: &str) -> Option<Warning> {
        let pv: Vec<String> = pv.split_whitespace().map(str::to_owned).collect();
        pv_flaw(&Line::from_fen(fen, false).unwrap(), &pv)
    }

    #[test]
    fn principal_variations_are_checked_to_their_end() {
        let mate = "7k/8/6K1/8/8/8/R7/8 w - - 0 1";
        assert_eq!(flaw(mate, "a2a8"), None);
        assert_eq!(flaw(mate, "a2a8 h8h7"), Some(Warning::OverlongPv));
        assert_eq!(flaw(mate, "a2a7 h8h7"), Some(Warning::IllegalPv));
        assert_eq!(flaw("7k/8/8/8/8/8/R7/K7 w - - 99 80", "a2b2 h8g8"), Some(Warning::OverlongPv));
        assert_eq!(flaw("7k/8/8/8/8/8/r7/K7 w - - 0 1", "a1a2 h8g8"), None);
        assert_eq!(flaw(mate, ""), None);
    }

    /// An engine that writes without pause always has another line ready.
    #[cfg(unix)]
    #[test]
    fn other_lines_do_not_extend_a_deadline() {
        let spec = PlayerSpec::parse("", "cmd=sh,arg=-c,arg=echo uciok; exec yes bestmove e2e4").unwrap();
        let (stop, log) = (Halt::default(), Log::default());
        let program = Program::of(&spec);
        let mut player = EnginePlayer::new(&spec, &program, Patience::default(), false, &stop, &log);
        player.greet().unwrap();
        std::thread::sleep(Duration::from_millis(50)); // for lines to wait
        player.patience.answer = Duration::ZERO;
        let stall = Fault::Stall { awaited: Awaited::ReadyOk, waited: Duration::ZERO, last_words: None };
        assert!(matches!(player.fence(), Err(PlayerFailure::Fault(fault)) if fault == stall));
        let heard = player.tally.warnings.count(Warning::UnaskedBestmove);
        assert!(heard <= 1, "{heard} lines after the deadline");
    }

    #[test]
    fn a_report_must_belong_to_the_move() {
        let line = Line::from_fen("7k/8/6K1/8/8/8/R7/8 w - - 0 1", false).unwrap();
        let flaws = |best: &str, reply, info: &str| {
            report_flaws(&line, line.read_move(best).unwrap(), reply, &Info::parse(info))
        };
        assert_eq!(flaws("a2a8", None, "info score mate 1 pv a2a8"), []);
        assert_eq!(flaws("a2a7", None, "info score mate 1 pv a2a8"), [Warning::UnlikePv]);
        assert_eq!(flaws("a2a7", None, "info score mate 2 pv a2a7 h8g8"), [Warning::TruncatedPv]);
        assert_eq!(flaws("a2a7", None, "info score mate 2 lowerbound pv a2a7"), []);
        assert_eq!(flaws("a2a7", Some("h8h1"), "info score cp 9 pv a2a7"), [Warning::IllegalPonder]);
        assert_eq!(flaws("a2a7", Some("h8g8"), "info score cp 9 pv a2a7"), []);
        assert_eq!(flaws("a2a7", None, "info score cp 9"), [Warning::TruncatedPv]);
        assert_eq!(flaws("a2a7", None, "info depth 9"), [Warning::MissingScore]);
    }
}
