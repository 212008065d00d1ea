//! Tests of `zugwerk match` from outside: real processes, real pipes, and engines with every kind of fault.

mod dialect;
mod double;
mod faults;
mod matches;
mod page;
mod spsa;
mod usage;

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use shakmaty::{KnownOutcome, Outcome};
use zugwerk::arena::MatchPlan;
use zugwerk::arena::Patience;
use zugwerk::arena::line::Line;
use zugwerk::arena::players::{log::Log, spec::PlayerSpec};
use zugwerk::arena::replay::read_games;
use zugwerk::arena::schedule::{Form, Schedule, openings::Openings};
use zugwerk::chess::pgn::Game;
use zugwerk::rules::Rules;

/// A match to run: arguments are added, then it is played to its end.
struct Run {
    command: Command,
    pgn: PathBuf,
}

impl Run {
    /// A match of `games` games that writes its PGN to a file of that name.
    fn new(name: &str, games: usize) -> Self {
        let pgn = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.pgn"));
        let _ = std::fs::remove_file(&pgn);
        let _ = std::fs::remove_file(pgn.with_extension("pgn.match.json"));
        Run::again(pgn, games)
    }

    /// A match that writes to an existing file.
    fn again(pgn: PathBuf, games: usize) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zugwerk"));
        command.args(["match", "--json", "--overload", "--games", &games.to_string()]);
        command.arg("--pgn").arg(&pgn);
        Run { command, pgn }
    }

    /// Adds a double with a fault (any other word: without), and more settings.
    fn double(mut self, name: &str, fault: &str, settings: &str) -> Self {
        self.command.args(["--engine", &double_with(name, fault, settings)]);
        self
    }

    /// Keeps a log next to the PGN, which [`Run::finish`] does not delete.
    fn logged(mut self) -> (Self, PathBuf) {
        let log = self.pgn.with_extension("log");
        let _ = std::fs::remove_file(&log);
        self.command.arg("--log").arg(&log);
        (self, log)
    }

    fn args(mut self, args: &str) -> Self {
        self.command.args(args.split_whitespace());
        self
    }

    /// Limits the size of its files to `blocks` of 512 or 1024 bytes. Writes beyond that fail, with an error
    /// only.
    #[cfg(unix)]
    fn limited_to_blocks(self, blocks: u32) -> Self {
        self.after(&format!("trap '' XFSZ; ulimit -f {blocks}"))
    }

    /// Lets a shell run `commands` before it becomes the program.
    #[cfg(unix)]
    fn after(mut self, commands: &str) -> Self {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("{commands}; exec \"$0\" \"$@\"")]);
        command.arg(self.command.get_program()).args(self.command.get_args());
        self.command = command;
        self
    }

    fn start(&mut self) -> Child {
        self.command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Plays the match, which must end with exit code `code`.
    fn finish(mut self, code: i32) -> Finished {
        let child = self.start();
        let output = child.wait_with_output().unwrap();
        Finished::new(&output, &self.pgn, code)
    }
}

/// Returns the settings that make the double a player.
fn double_with(name: &str, fault: &str, settings: &str) -> String {
    let program = std::env::current_exe().unwrap().display().to_string().replace(',', r"\,");
    format!("cmd={program},name={name},args={} fault:{fault} seed:{name},{settings}", double::ARGS)
}

/// Returns a match of two games between doubles with these faults, one game at a time.
fn match_of(faults: [&str; 2]) -> MatchPlan {
    let player = |name, fault| PlayerSpec::parse("", &double_with(name, fault, "nodes=1")).unwrap();
    MatchPlan {
        players: vec![player("A", faults[0]), player("B", faults[1])],
        schedule: Schedule::new(2, Form::RoundRobin, 1),
        openings: Openings::built_in(),
        rules: Rules::default(),
        patience: Patience::default(),
        recover: false,
        lenient: false,
        log: Log::default(),
        pgn_detail: false,
        concurrency: 1,
        sprt: None,
    }
}

/// Waits until something has happened.
fn wait_until(condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < deadline, "nothing happened");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Sends a signal to a process.
fn send(signal: &str, process: u32) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &process.to_string()]).status();
    assert!(sent.unwrap().success());
}

/// A game of the PGN file.
struct PgnGame {
    game: Game,
    line: Line,
}

impl PgnGame {
    /// A tag's value, empty without the tag.
    fn tag(&self, name: &str) -> &str {
        self.game.tag(name).unwrap_or_default()
    }
}

/// The files and output of a finished match.
struct Finished {
    report: Value,
    games: Vec<PgnGame>,
    stderr: String,
}

impl Finished {
    fn new(output: &Output, pgn: &Path, code: i32) -> Self {
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        let mut text = Vec::new();
        std::fs::File::open(pgn).unwrap().read_to_end(&mut text).unwrap();
        let games = read_games(text.as_slice(), usize::MAX, false).unwrap().into_iter();
        let games = games.map(|(game, line)| PgnGame { game, line }).collect();
        let finished = Finished {
            report: serde_json::from_slice(&output.stdout).expect("the report is JSON"),
            games,
            stderr,
        };
        let has_result = |game: &&PgnGame| game.tag("Result") != "*";
        assert_eq!(finished.report["played"], finished.games.iter().filter(has_result).count());
        finished.games.iter().for_each(check_result);
        finished
    }

    fn player(&self, index: usize) -> &Value {
        &self.report["players"][index]
    }

    /// The terminations of all games, sorted, without duplicates.
    fn terminations(&self) -> Vec<&str> {
        let mut all: Vec<&str> = self.games.iter().map(|game| game.tag("Termination")).collect();
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// A game that ended normally must have the result of its last position, an abandoned one has none, and the
/// tag must agree with the movetext.
fn check_result(game: &PgnGame) {
    use zugwerk::rules::BoardEnd;
    let outcome = Outcome::from_ascii(game.game.result.as_bytes()).expect("every game has a result or none");
    assert_eq!(game.tag("Result"), outcome.as_str());
    assert_eq!(game.tag("PlyCount"), game.line.moves().len().to_string());
    if game.tag("Termination") == "normal" {
        let end = game.line.end().expect("a normal end is one by the rules");
        let winner = match end {
            BoardEnd::Checkmate { winner } => Some(winner),
            _ => None,
        };
        assert_eq!(outcome.known(), Some(KnownOutcome::from_winner(winner)), "{end:?}");
    } else {
        assert_eq!(outcome.is_unknown(), game.tag("Termination") == "abandoned");
        assert_eq!(game.line.end(), None, "nothing but the rules ended the game");
    }
}
