//! A person at the terminal: the course of a game.

mod commands;
mod prompt;

use std::{
    env,
    io::{self, Write as _},
    path::{Path, PathBuf},
    process,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use commands::HELP;
use prompt::Prompt;
use shakmaty::{ByColor, Color};
use zugwerk::{
    chess::{
        notation::{numbered, side},
        position::Position,
    },
    engine::{
        eval::Standard,
        search::{Searcher, Stop},
    },
};

use super::{
    Args,
    live_game::LiveGame,
    opponent::{Opponent, Spec},
    programs,
    screen::{Style, board},
};
use crate::cli::shared::{
    interrupt,
    print::{nobody_reads, say, warn},
    shell,
};

/// The game, shared with the Ctrl-C handler.
type Shared = Arc<Mutex<LiveGame>>;

/// Plays games with at least one person, until the person leaves.
pub(super) fn play(args: &Args, start: &Position, players: ByColor<Spec>, seed: u64) -> anyhow::Result<()> {
    let path = args.pgn.as_deref();
    let game: Shared = Arc::new(Mutex::new(LiveGame::new(start.clone(), &players)));
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
        hinted: None,
        prompt: Prompt::new(),
    };
    loop {
        seat.call_players();
        let names = seat.players.map(Spec::name);
        say(format_args!("{} - {}. `help` lists the commands.", names.white, names.black))?;
        let next = seat.run(path);
        // Also after an error: the output may be gone.
        conclude(&mut seat.game(), path)?;
        if matches!(next?, Next::Leave) {
            return Ok(());
        }
        *seat.game() = LiveGame::new(start.clone(), &players);
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
    /// The key of the position of the last hint.
    hinted: Option<u64>,
    prompt: Prompt,
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

    /// Plays the game, and concludes it when it is over. The person may still look at it.
    fn run(&mut self, path: Option<&Path>) -> anyhow::Result<Next> {
        self.show()?;
        loop {
            let turn = self.game().position.turn();
            if self.game().ending().is_some() {
                conclude(&mut self.game(), path)?;
            } else if self.programs.get(turn).is_some() {
                self.let_move(turn)?;
                continue;
            }
            match self.ask()? {
                Next::Go => {}
                next => return Ok(next),
            }
        }
    }

    fn let_move(&mut self, turn: Color) -> io::Result<()> {
        // The lock is not held during the search, so that Ctrl-C can save the game.
        let position = self.game().position.clone();
        let program = self.programs.get_mut(turn).as_mut();
        let Some(m) = program.and_then(|program| program.choose(&position, &Stop::default())) else {
            self.game().end("1/2-1/2", "no move");
            return Ok(());
        };
        self.game().play(m);
        say(format_args!("\n{}", numbered(&position, &[m])))?;
        self.show()
    }

    fn show(&self) -> io::Result<()> {
        let game = self.game();
        let text = board(&game.position, self.viewer, game.last(), self.style);
        drop(game);
        write!(io::stdout(), "\n{text}")
    }

    /// Reads and executes a command.
    fn ask(&mut self) -> io::Result<Next> {
        let is_over = self.game().ending().is_some();
        let mover = side(self.game().position.turn());
        let prompt = if is_over { "new or quit> ".to_owned() } else { format!("{mover}> ") };
        let Some(line) = self.prompt.read(&prompt)? else { return Ok(Next::Leave) };
        let text = line.trim();
        match text.to_lowercase().as_str() {
            "" => {}
            "help" | "?" => say(HELP)?,
            "board" => self.show()?,
            "flip" => self.flip()?,
            "fen" => say(self.game().position.fen())?,
            "pgn" => say(self.game().pgn().trim_end())?,
            "save" => self.save("")?,
            save if save.starts_with("save ") => self.save(text[5..].trim())?,
            "new" => return Ok(Next::New),
            "quit" | "exit" => return Ok(Next::Leave),
            "undo" | "takeback" => self.undo()?,
            _ if is_over => say("The game is over: `new` begins another, `undo` goes on, `quit` leaves.")?,
            "hint" => self.hint()?,
            "eval" => self.eval()?,
            "moves" => self.moves()?,
            "draw" => self.draw()?,
            "resign" => self.game().resign(),
            _ => self.try_move(text)?,
        }
        Ok(Next::Go)
    }
}

fn lock(game: &Mutex<LiveGame>) -> MutexGuard<'_, LiveGame> {
    game.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Saves the game in the file at `path`, if there is one, and prints the result; once. A game that is not
/// saved is printed too.
fn conclude(game: &mut LiveGame, path: Option<&Path>) -> anyhow::Result<()> {
    if game.concluded {
        return Ok(());
    }
    game.concluded = true;
    // First, because the output may be gone.
    let saved = path.map_or(Ok(()), |path| game.save(path));
    let said = farewell(game, path.filter(|_| saved.is_ok()));
    saved?;
    Ok(said?)
}

/// Prints the result, and the file of the saved game or the game.
fn farewell(game: &LiveGame, saved: Option<&Path>) -> io::Result<()> {
    if let Some((result, why)) = game.ending() {
        say(format_args!("{result} ({why})"))?;
    }
    match saved {
        Some(path) => {
            let page = path.with_extension("html");
            let program = env::args_os().next().unwrap_or_else(|| "zugwerk".into());
            let words = [program, "analyse".into(), path.into(), "--html".into(), page.into()].into_iter();
            let command = shell::line(words, cfg!(windows));
            say(format_args!("The game is in {}. To see its mistakes: {command}", path.display()))
        }
        None => say(format_args!("\n{}", game.pgn().trim_end())),
    }
}

fn leave_cleanly_on_ctrl_c(game: Shared, path: Option<PathBuf>) -> anyhow::Result<()> {
    interrupt::on_press(move || {
        let mut game = lock(&game);
        // The prompt ends. If that fails, so does the farewell.
        let _ = say("");
        match conclude(&mut game, path.as_deref()) {
            Err(error) if !nobody_reads(&error) => {
                warn(format_args!("zugwerk: {error:#}"));
                process::exit(2);
            }
            _ => process::exit(0),
        }
    })?;
    Ok(())
}
