//! The UCI protocol: the session between a GUI and the [`Engine`].
//!
//! The thread that reads the input parses every line ([`command`]), and executes it or passes it to the
//! engine. It does not wait for a search. Answers, also those of the engine's threads, go to one [`Output`],
//! which queues them and writes whole lines. Only when very many lines are queued does a thread wait for
//! whoever reads them.
//!
//! `quit` ends the session at once. At the end of the input, a search with a limit and any other work is
//! finished first, because scripts send their lines and close the pipe; a search without a limit is stopped
//! and answers. If nobody reads the output any more either, everything stops, so that no engine outlives its
//! GUI.
//!
//! Only the protocol is written; every problem is reported in one line, `info string error: …`.
//!
//! Reference: "Description of the universal chess interface", S. Meyer-Kahlen, 2006.

pub mod command;
mod error;
pub mod format;
mod go;
mod input;
mod output;

use std::{
    fmt::Display,
    io::{self, BufRead},
    ops::ControlFlow,
    time::Instant,
};

use shakmaty::{CastlingMode, Position as _};

use crate::{
    chess::{perft, position::Position},
    engine::{
        Engine, Listener as _, bench, diagram,
        eval::Standard,
        hints,
        options::{Effect, OptionError},
        search::{Limits, Observer as _, Stop},
        wdl,
    },
    words::quoted,
};

use command::Command;
use format::Style;
use input::InputLine;

pub use error::CommandError;
pub use go::Go;
pub use input::LONGEST_LINE;
pub use output::{Output, Printer};

/// A session with one GUI.
#[derive(Debug)]
pub struct Session {
    engine: Engine<Standard>,
    /// The options set before the first line, and their values: the defaults for this GUI.
    defaults: Vec<(&'static str, String)>,
    /// Dropped after the engine, whose last answers it waits for.
    output: Output,
}

impl Session {
    /// Returns a new session that answers on `output`.
    ///
    /// # Errors
    ///
    /// If the thread of the search cannot be started.
    pub fn new(output: Output) -> io::Result<Self> {
        Ok(Self { engine: Engine::start()?, defaults: Vec::new(), output })
    }

    /// Sets the option `name`, in the spelling of the table, before the first line. The value is also its
    /// default from now on: a GUI may send the defaults back.
    ///
    /// # Errors
    ///
    /// [`OptionError`] if the option does not exist or does not accept this value.
    pub fn set_default(&mut self, name: &'static str, value: &str) -> Result<(), OptionError> {
        self.set_option(name, value)?;
        self.defaults.push((name, value.to_owned()));
        Ok(())
    }

    /// Sets an option.
    ///
    /// # Errors
    ///
    /// [`OptionError`] if the option does not exist or does not accept this value.
    pub fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        let effect = self.engine.set_option(name, value, self.output.printer(self.style()))?;
        if effect == Some(Effect::OpenLog) {
            let path = &self.engine.options().log_file;
            if let Err(error) = self.output.log_to(path) {
                self.complain(&format_args!("no log in {}: {error}", quoted(path)));
            }
        }
        Ok(())
    }

    /// Executes all lines of `input` until `quit` or the end of the input, and returns when all answers are
    /// written. After `quit` it also returns when none is written for five seconds.
    ///
    /// The calling thread gets a short time slice, so that it reads a `stop` at once even if every core
    /// searches.
    ///
    /// # Errors
    ///
    /// The error of `input` when it cannot be read.
    pub fn run(mut self, input: impl BufRead) -> io::Result<()> {
        hints::prefer_short_slices();
        let flow = self.execute_all(input);
        match flow {
            Ok(ControlFlow::Continue(())) => self.finish(),
            _ => self.output.end(),
        }
        flow.map(drop)
    }

    /// Executes all lines of `input`; `Break` means that the last one was `quit`.
    fn execute_all(&mut self, mut input: impl BufRead) -> io::Result<ControlFlow<()>> {
        while let Some(line) = input::next_line(&mut input)? {
            let read_at = Instant::now();
            let flow = match line {
                InputLine::Text(line) => self.execute_line(&line, read_at),
                InputLine::TooLong => {
                    self.complain(&format_args!(
                        "expected a line of at most {LONGEST_LINE} bytes, got a longer one"
                    ));
                    ControlFlow::Continue(())
                }
            };
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Executes `lines` in order, until `quit` or until nobody reads the output any more. A search that ends
    /// by itself is finished before the next line. Returns when all answers are written.
    pub fn run_lines<S: AsRef<str>>(mut self, lines: &[S]) {
        for line in lines {
            if self.execute(line.as_ref()).is_break() {
                break;
            }
            self.finish_work();
            if self.output.is_closed() {
                break;
            }
        }
        self.finish();
    }

    /// Waits for the running work if it ends by itself.
    fn finish_work(&mut self) {
        if self.engine.ends_by_itself() {
            self.engine.wait();
        }
    }

    /// Finishes the running work or stops it, and waits until all answers are written: a pager may read them
    /// slowly.
    fn finish(mut self) {
        self.finish_work();
        let Self { engine, output, .. } = self;
        drop(engine);
        output.drain();
    }

    /// Executes one line; `Break` means that the session is over.
    pub fn execute(&mut self, line: &str) -> ControlFlow<()> {
        self.execute_line(line, Instant::now())
    }

    /// Executes a line that was read at `read_at`, which starts the clock of a search.
    fn execute_line(&mut self, line: &str, read_at: Instant) -> ControlFlow<()> {
        self.output.log_input(line);
        let game = CastlingMode::from_chess960(self.engine.options().chess960);
        match command::parse(line, self.engine.position(), game) {
            Ok(Some(Command::Quit)) => return ControlFlow::Break(()),
            Ok(Some(command)) => self.carry_out(command, read_at),
            Ok(None) => {}
            Err(error) => self.complain(&error),
        }
        ControlFlow::Continue(())
    }

    /// Executes `command`. The work that it begins is stopped when nobody reads the output any more.
    fn carry_out(&mut self, command: Command, read_at: Instant) {
        match command {
            Command::Uci => self.output.line(&format::introduction(&self.defaults)),
            Command::IsReady => self.engine.prepare(self.printer()),
            Command::NewGame => self.engine.new_game(self.printer()),
            Command::Stop => self.engine.stop(),
            Command::PonderHit => self.engine.ponder_hit(),
            Command::Quit => {}
            Command::SetOption { name, value } => {
                if let Err(error) = self.set_option(&name, &value) {
                    self.complain(&error);
                }
            }
            Command::Position { position, refused } => {
                self.engine.set_position(*position);
                if let Some(problem) = refused {
                    self.complain(&problem);
                }
            }
            Command::Go(go) => self.go(*go, read_at),
            Command::Display => self.output.line(&diagram::board(self.engine.position(), false)),
            Command::Eval => self.eval(),
            Command::Bench(depth) => self.bench(depth.unwrap_or(bench::DEFAULT_DEPTH)),
            Command::Help => self.output.line(HELP.trim_end()),
        }
        self.output.stop_when_closed(self.engine.current_stop());
    }

    fn go(&mut self, go: Go, read_at: Instant) {
        if !go.refused.is_empty() {
            let problems: Vec<String> = go.refused.iter().map(ToString::to_string).collect();
            self.complain(&problems.join("; "));
        }
        match go.perft {
            Some(depth) => self.perft(depth),
            None if go.is_perft => {}
            None => self.engine.go(Limits { begun: Some(read_at), ..go.limits }, self.printer()),
        }
    }

    fn perft(&mut self, depth: u32) {
        let mut position = self.engine.position().clone();
        let (output, style, mut printer) = (self.output.clone(), self.style(), self.printer());
        let count = move |stop: &Stop| {
            let total = count_by_move(&mut position, depth, stop, &output, style);
            match total {
                Some(total) => output.line(&format!("\nNodes searched: {total}")),
                None => printer.note(&"perft was stopped"),
            }
        };
        self.engine.run(count, self.printer());
    }

    fn eval(&self) {
        self.output.line(&diagram::evaluation(self.engine.position(), self.engine.evaluator()));
    }

    fn bench(&mut self, depth: u32) {
        let (output, mut printer) = (self.output.clone(), self.printer());
        let (evaluator, techniques) = (self.engine.evaluator().clone(), self.engine.options().techniques());
        let run = move |stop: &Stop| {
            let total = bench::run(depth, evaluator.clone(), techniques, stop, |number, fen, nodes| {
                output.line(&format!("info string position {number}: {nodes} nodes, {fen}"));
            });
            if stop.is_stopped() {
                printer.note(&"bench was stopped");
            } else {
                output.line(&format!("{} nodes {} nps", total.nodes, total.nps()));
            }
        };
        self.engine.run(run, self.printer());
    }

    fn style(&self) -> Style {
        let options = self.engine.options();
        let board = self.engine.position().chess().board();
        Style { chess960: options.chess960, wdl: options.show_wdl.then(|| wdl::material(board)) }
    }

    fn printer(&self) -> Printer {
        self.output.printer(self.style())
    }

    fn complain(&self, problem: &dyn Display) {
        self.printer().problem(problem);
    }
}

fn count_by_move(
    position: &mut Position,
    depth: u32,
    stop: &Stop,
    output: &Output,
    style: Style,
) -> Option<u64> {
    perft::divide(position, depth, &|| stop.is_stopped(), |m, nodes| {
        output.line(&format!("{}: {nodes}", format::move_text(m, style)));
    })
}

const HELP: &str = "\
Zugwerk speaks the Universal Chess Interface (UCI). What it understands:

  uci                     introduce yourself and list the options
  isready                 answer readyok when everything before is done
  setoption name N value V    set an option
  ucinewgame              forget the last game
  position startpos|fen F [moves M ...]    set up a position
  go [wtime T] [btime T] [winc T] [binc T] [movestogo N] [movetime T] [depth N] [nodes N] [mate N]
     [infinite] [ponder] [searchmoves M ...]    search; times are in milliseconds
  go perft N              count the positions N plies below, move by move
  stop                    answer now
  ponderhit               the move pondered on was played
  quit                    end

and besides:

  d                       draw the board
  eval                    show what each piece contributes to the evaluation
  bench [N]               run the benchmark, to depth N
  help                    this text
";
