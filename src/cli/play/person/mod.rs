//! A person at the terminal: the course of a game.

mod commands;

use std::{
    io::{self, BufRead as _, Write as _},
    path::PathBuf,
    process,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use shakmaty::{ByColor, Color};
use zugwerk::{
    eval::Standard,
    notation::{numbered, side},
    position::Position,
    search::{ClockTime, Searcher, Stop},
    text::decode,
};

use super::{
    super::{interrupt, nobody_reads, say, warn},
    Args,
    live_game::LiveGame,
    opponent::{Opponent, Spec},
    programs,
    screen::{Style, board},
};
use commands::HELP;

/// The game, shared with the Ctrl-C handler.
type Shared = Arc<Mutex<LiveGame>>;

/// Plays a game with at least one person.
pub(super) fn play(args: &Args, start: &Position, players: ByColor<Spec>, seed: u64) -> anyhow::Result<()> {
    let game: Shared = Arc::new(Mutex::new(LiveGame::new(start.clone(), &players, args.tc)));
    leave_cleanly_on_ctrl_c(Arc::clone(&game), args.pgn.clone())?;
    let mut seat = Seat {
        game,
        style: Style::choose(args.plain),
        viewer: if players.white == Spec::Human { Color::White } else { Color::Black },
        players,
        programs: ByColor::default(),
        seed,
        calls: 0,
        adviser: Searcher::new(16),
    };
    loop {
        seat.call_players();
        let names = seat.players.map(Spec::name);
        say(format_args!("{} - {}. `help` lists the commands.", names.white, names.black))?;
        let next = seat.run();
        // Also after an error: the output may be gone.
        conclude(&mut seat.game(), args.pgn.as_ref())?;
        if !matches!(next?, Next::New) {
            return Ok(());
        }
        let game = LiveGame::new(start.clone(), &seat.players, args.tc);
        *seat.game() = game;
    }
}

struct Seat {
    game: Shared,
    style: Style,
    viewer: Color,
    players: ByColor<Spec>,
    programs: ByColor<Option<Opponent>>,
    seed: u64,
    /// How often programs were called.
    calls: u64,
    adviser: Searcher<Standard>,
}

/// The next step after a command.
enum Next {
    Go,
    /// Begin another game.
    New,
    Leave,
}

impl Seat {
    fn game(&self) -> MutexGuard<'_, LiveGame> {
        lock(&self.game)
    }

    /// Starts the programs with empty memory.
    fn call_players(&mut self) {
        self.programs = programs(&self.players, self.seed, self.calls);
        self.calls += 1;
    }

    fn is_against_program(&self) -> bool {
        self.players.white != self.players.black
    }

    fn run(&mut self) -> io::Result<Next> {
        self.show()?;
        while self.game().ending().is_none() {
            let turn = self.game().position.turn();
            if self.programs.get(turn).is_some() {
                self.let_move(turn)?;
                continue;
            }
            match self.ask()? {
                Next::Go => {}
                next => return Ok(next),
            }
        }
        Ok(Next::Leave)
    }

    fn let_move(&mut self, turn: Color) -> io::Result<()> {
        // The lock is not held during the search, so that Ctrl-C can save the game.
        let (position, clocks) = {
            let game = self.game();
            (game.position.clone(), game.clocks())
        };
        let program = self.programs.get_mut(turn).as_mut();
        let Some(m) = program.and_then(|program| program.choose(&position, clocks, &Stop::default())) else {
            let mut game = self.game();
            if !game.flag_fell() {
                game.end("1/2-1/2", "no move");
            }
            return Ok(());
        };
        if self.game().play(m) {
            say(format_args!("\n{}", numbered(&position, &[m])))?;
        }
        self.show()
    }

    fn show(&self) -> io::Result<()> {
        let game = self.game();
        let mut text = board(&game.position, self.viewer, game.last(), self.style);
        if let Some((clocks, _)) = game.clocks() {
            text += &(times(&clocks) + "\n");
        }
        drop(game);
        write!(io::stdout(), "\n{text}")
    }

    /// Reads commands until a move is made or the person leaves.
    fn ask(&mut self) -> io::Result<Next> {
        let side = side(self.game().position.turn());
        write!(io::stdout(), "{side}> ")?;
        io::stdout().flush()?;
        let mut line = Vec::new();
        if io::stdin().lock().read_until(b'\n', &mut line)? == 0 {
            say("")?;
            return Ok(Next::Leave);
        }
        if self.game().flag_fell() {
            return Ok(Next::Go);
        }
        let line = decode(&line);
        match line.trim() {
            "" => {}
            "help" | "?" => say(HELP)?,
            "hint" => self.hint()?,
            "eval" => self.eval()?,
            "undo" => self.undo()?,
            "board" => self.show()?,
            "fen" => say(self.game().position.fen())?,
            "pgn" => say(self.game().pgn().trim_end())?,
            "clock" => self.tell_time()?,
            "draw?" | "draw" => self.offer_draw()?,
            "resign" => self.game().resign(),
            "new" => return Ok(Next::New),
            "quit" | "exit" => return Ok(Next::Leave),
            text => match text.strip_prefix("level") {
                Some(level) => self.change_level(level.trim())?,
                None => self.try_move(text)?,
            },
        }
        Ok(Next::Go)
    }
}

fn times(clocks: &ByColor<ClockTime>) -> String {
    format!("White {}   Black {}", clock(clocks.white.left), clock(clocks.black.left))
}

fn clock(left: Option<Duration>) -> String {
    let seconds = left.unwrap_or_default().as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

fn lock(game: &Mutex<LiveGame>) -> MutexGuard<'_, LiveGame> {
    game.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Saves the game in the file at `path`, if there is one, and prints the result. A game that is not saved is printed too.
fn conclude(game: &mut LiveGame, path: Option<&PathBuf>) -> anyhow::Result<()> {
    // First, because the output may be gone.
    let saved = path.map_or(Ok(()), |path| game.save(path));
    let told = farewell(game, path.filter(|_| saved.is_ok()));
    saved?;
    Ok(told?)
}

/// Prints the result, and the file of the saved game or the game.
fn farewell(game: &LiveGame, saved: Option<&PathBuf>) -> io::Result<()> {
    if let Some((result, why)) = game.ending() {
        say(format_args!("{result} ({why})"))?;
    }
    match saved {
        Some(path) => say(format_args!("The game is in {}.", path.display())),
        None => say(format_args!("\n{}", game.pgn().trim_end())),
    }
}

fn leave_cleanly_on_ctrl_c(game: Shared, path: Option<PathBuf>) -> anyhow::Result<()> {
    interrupt::on_press(move || {
        let mut game = lock(&game);
        // The prompt ends. If that fails, so does the farewell.
        let _ = say("");
        match conclude(&mut game, path.as_ref()) {
            Err(error) if !nobody_reads(&error) => {
                warn(format_args!("zugwerk: {error:#}"));
                process::exit(2);
            }
            _ => process::exit(0),
        }
    })?;
    Ok(())
}
