//! Engines with known faults, as test doubles.
//!
//! The doubles are part of the test program itself: `cmd=<this program>` with [`ARGS`] makes the test harness
//! run only the "test" [`double`], which speaks UCI on the standard streams. The tests therefore need no
//! other engine. One more argument, `fault:NAME`, chooses the behaviour. `marker:PATH` names a file on which
//! some faults depend.

use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::time::Duration;

use shakmaty::{CastlingMode, Chess, Move, Position, fen::Fen, uci::UciMove};
use zugwerk::engine::search::params::{ALL, Param};

/// The arguments that make the test program a double. `fault:NAME` and `seed:NAME` follow.
pub(crate) const ARGS: &str = "--exact double::double --ignored --nocapture --format=terse";

/// The number of its own moves after which a double shows its fault.
const GOOD_MOVES: u32 = 3;

/// The time that `answers-early` takes for a move, except for one that it sends at once because it should
/// ponder.
pub(crate) const OWN_TIME: Duration = Duration::from_millis(50);

/// Not a test: an engine if `fault:NAME` is among the arguments, otherwise it does nothing.
#[test]
#[ignore = "an engine for the other tests, not a test"]
fn double() {
    let argument = |key| std::env::args().find_map(|arg| arg.strip_prefix(key).map(str::to_owned));
    if let Some(fault) = argument("fault:") {
        let marker = argument("marker:").unwrap_or_default().into();
        Double { marker, ..Double::new(&fault, &argument("seed:").unwrap_or_default()) }.run();
        std::process::exit(0);
    }
}

struct Double {
    fault: String,
    marker: PathBuf,
    position: Chess,
    chess960: bool,
    moves_made: u32,
    games: u32,
    random: u64,
    /// The answer to `go ponder`, sent after `ponderhit` or `stop`.
    due: Option<String>,
}

impl Double {
    fn new(fault: &str, seed: &str) -> Self {
        Double {
            fault: fault.to_owned(),
            marker: PathBuf::new(),
            position: Chess::default(),
            chess960: false,
            moves_made: 0,
            games: 0,
            due: None,
            // Two doubles play differently, and each plays the same in every run of the tests.
            random: seed.bytes().fold(0x9e37_79b9_7f4a_7c15, |seed: u64, byte| {
                (seed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            }) | 1,
        }
    }

    fn run(&mut self) {
        say("test double at your service"); // like many engines, it prints a greeting
        if self.is("no-quit") {
            eprintln!("double: process {}", std::process::id());
        }
        for line in std::io::stdin().lock().lines() {
            let line = line.expect("the referee writes UTF-8");
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.first().copied() {
                Some("uci") => self.shake_hands(),
                Some("isready") if !self.is("no-readyok") || self.games == 0 => say("readyok"),
                Some("setoption") if line.contains("UCI_Chess960") => {
                    self.chess960 = line.ends_with("true");
                }
                Some("setoption") if self.is("refuses-settings") => say("info string ERROR: not this one"),
                Some("ucinewgame") => self.new_game(),
                Some("position") => self.set_up(&words),
                Some("go") => self.go(&words),
                Some("stop") if self.is("dies-on-stop") => std::process::exit(5),
                // Every other search of a double ends before it reads the next line.
                Some("ponderhit" | "stop") => self.due.take().iter().for_each(|best| say(best)),
                Some("quit") if self.fault.ends_with("fails-at-quit") => {
                    eprintln!("double: no goodbye");
                    std::process::exit(7);
                }
                Some("quit") if self.is("aborts-at-quit") => std::process::abort(),
                Some("quit") if !self.is("no-quit") => return,
                _ => {}
            }
        }
        while self.is("no-quit") {
            std::thread::sleep(Duration::from_secs(1));
        }
    }

    fn is(&self, fault: &str) -> bool {
        self.fault == fault
    }

    fn shake_hands(&self) {
        say("id name double");
        say("option name Hash type spin default 16 min 1 max 1024");
        say("option name Move Overhead type spin default 0 min 0 max 100");
        say("option name Ponder type check default false");
        say("option name Book File type string default book.bin");
        say("option name Clear Hash type button");
        if !self.is("no-chess960") {
            say("option name UCI_Chess960 type check default false");
        }
        if self.fault.starts_with("tunable") {
            for Param { name, default, min, max, .. } in ALL {
                say(&format!("option name {name} type spin default {default} min {min} max {max}"));
            }
        }
        if !self.is("no-uciok") {
            say("uciok");
        }
    }

    fn new_game(&mut self) {
        self.moves_made = 0;
        self.games += 1;
        if self.is("dies-between-games") && self.games == 2 {
            std::process::exit(4);
        }
    }

    fn set_up(&mut self, words: &[&str]) {
        let moves = words.iter().position(|&word| word == "moves").unwrap_or(words.len());
        self.position = match words[1] {
            "startpos" => Chess::default(),
            _ => {
                let fen: Fen = words[2..moves].join(" ").parse().expect("the referee sends FENs");
                fen.into_position(CastlingMode::Chess960).expect("the referee sends positions")
            }
        };
        for text in words.get(moves + 1..).unwrap_or_default() {
            let mv: UciMove = text.parse().expect("the referee sends moves");
            assert!(
                !self.chess960 || mv == mv.to_move(&self.position).unwrap().to_uci(CastlingMode::Chess960)
            );
            let mv = mv.to_move(&self.position).expect("the referee sends legal moves");
            self.position.play_unchecked(mv);
        }
        if self.is("early-bestmove") {
            say("bestmove a1a1");
        }
    }

    fn go(&mut self, words: &[&str]) {
        self.moves_made += 1;
        let mv = self.choose();
        let mode = CastlingMode::from_chess960(self.chess960);
        let best = mv.to_uci(mode).to_string();
        if self.moves_made > GOOD_MOVES && self.misbehave(words) {
            return;
        }
        match self.fault.as_str() {
            "no-score" => {}
            "bad-pv" => say(&format!("info depth 1 score cp 0 nodes 1 time 1 pv {best} a1a1")),
            "unlike-pv" => {
                let other = self.position.legal_moves().into_iter().find(|&other| other != mv);
                let other = other.unwrap_or(mv).to_uci(mode);
                say(&format!("info depth 1 score cp 0 nodes 1 time 1 pv {other}"));
            }
            "truncated-pv" => say(&format!("info depth 1 score mate 3 nodes 1 time 1 pv {best}")),
            "bad-ponder" => {
                say(&format!("info depth 1 score cp 0 nodes 1 time 1 pv {best}"));
                return say(&format!("bestmove {best} ponder {best}"));
            }
            "castles-in-san" if self.position.castles().castling_rights().any() => {
                return say("bestmove O-O");
            }
            "loser" => say(&format!("info depth 1 score cp -900 pv {best}")),
            "winner" => say(&format!("info depth 1 score cp 900 pv {best}")),
            _ => say(&format!("info depth 1 seldepth 1 score cp 0 nodes 20 time 1 pv {best}")),
        }
        let answer = format!("bestmove {best}{}", self.expectation(mv, mode));
        let ponders = words.contains(&"ponder");
        if self.is("answers-early") && !ponders {
            std::thread::sleep(OWN_TIME);
        }
        let waits = ponders && !["ponders-early", "answers-early"].contains(&self.fault.as_str());
        if waits || self.is("endless") {
            self.due = Some(answer);
        } else {
            say(&answer);
        }
    }

    /// ` ponder …` with a random reply, for doubles that ponder; sometimes it is played.
    fn expectation(&mut self, mv: Move, mode: CastlingMode) -> String {
        if !["ponders", "ponders-early", "answers-early", "dies-on-stop"].contains(&self.fault.as_str()) {
            return String::new();
        }
        let here = self.position.clone();
        self.position.play_unchecked(mv);
        let over = self.position.is_game_over();
        let reply = (!over).then(|| format!(" ponder {}", self.choose().to_uci(mode)));
        self.position = here;
        reply.unwrap_or_default()
    }

    /// Shows the fault instead of a move; `true` if there is nothing else to send.
    fn misbehave(&mut self, words: &[&str]) -> bool {
        match self.fault.as_str() {
            "illegal" => say("bestmove e1e5"),
            "null" => say("bestmove 0000"),
            "empty" => say("bestmove"),
            "silent" => {}
            "stuck" => eprintln!("double: stuck"),
            "deaf" => loop {
                std::thread::sleep(Duration::from_secs(1)); // reads and writes nothing
            },
            "crash" => crash(),
            "crash-with-marker" if self.marker.exists() => crash(),
            "crash-without-marker" if !self.marker.exists() => crash(),
            "crash-once" if !self.marker.exists() => {
                std::fs::write(&self.marker, "").expect("the tests can write there");
                crash();
            }
            "half-a-line" => {
                let mut out = std::io::stdout().lock();
                let _ = write!(out, "bestmove e2").and_then(|()| out.flush());
                std::process::exit(3);
            }
            "slow" => {
                let movetime = words.iter().position(|&word| word == "movetime");
                let time = movetime.and_then(|at| words[at + 1].parse().ok()).unwrap_or(0);
                std::thread::sleep(Duration::from_millis(time + 200));
                return false;
            }
            "garbage" => {
                let mut out = std::io::stdout().lock();
                let _ = out.write_all(b"\xff\xfe{}\0 no uci at all\n");
                let _ = out.write_all(&vec![b'x'; 200_000]);
                let _ = out.write_all(b"\n");
                drop(out);
                return false;
            }
            "garbage-move" => say("bestmove {\"x\"}\x07"),
            _ => return false,
        }
        true
    }

    /// Returns a random legal move.
    fn choose(&mut self) -> Move {
        let moves = self.position.legal_moves();
        // Xorshift (G. Marsaglia, 2003), only to make the games of doubles differ.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        moves[(self.random % moves.len() as u64) as usize]
    }
}

fn crash() -> ! {
    eprintln!("double: out of luck");
    std::process::exit(3);
}

fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    // The referee is gone.
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}
