//! The engine: a position, the options, and either the memory of the search or the thread that has it now.
//!
//! Nothing here reads or prints; results go to a [`Listener`]. No method waits for a search: a new [`Stop`] is made for
//! every task by the caller's own thread, so a stop that follows at once is never lost; the task runs on a coordinator
//! thread, which takes the memory (`State`) with it and brings it home when it ends. Who has the memory can change
//! it; so nobody can resize the hash table under a running search.
//!
//! ```text
//!          start                                   the coordinator
//!   Idle ---------> Busy { stop, thread } ......   1. gets the State: at hand, or by joining the task before
//!    ^                |                            2. does the jobs that came meanwhile (resize, clear, ...)
//!    |                | thread has ended           3. works, reports, holds the answer back while it must
//!    +----------------+                            4. answers, and gives the State back
//! ```
//!
//! A task that is started while another one runs stops that one and queues up behind it. `ucinewgame`, `Clear Hash`,
//! `Hash`, `Threads` and another evaluator are put down as jobs and done when the GUI waits anyway ([`Engine::prepare`],
//! which is `isready`), at the latest before the next task. So they never disturb a search, and a large table does not delay the
//! answer to `uci`. Preparing is a task like the others: a `go` that does not wait for its end cuts it short.

mod state;

use std::{
    fmt::Display,
    io, mem,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
};

use shakmaty::Move;

use crate::{
    eval::{self, Choose, Evaluator},
    options::{Effect, OptionError, Options, quoted},
    position::Position,
    search::{Limits, Observer, Outcome, Report, STACK, Settings, Stop, message},
};

use state::{Job, State};

/// Hears what a search finds and answers, and when the engine is ready.
pub trait Listener: Observer + Clone + Send + 'static {
    /// The answer to a search: the move to play (none if there is no legal one), and the reply to ponder on.
    fn best_move(&mut self, best: Option<Move>, ponder: Option<Move>);

    /// All that was asked for before is done, and a search can begin at once.
    fn ready(&mut self);
}

/// A chess engine with one game and at most one search at a time.
#[derive(Debug)]
pub struct Engine<E> {
    position: Position,
    options: Options,
    /// What each search begins with a clone of.
    evaluator: E,
    phase: Phase<E>,
    /// What to do with the [`State`] before anything else is done with it.
    jobs: Vec<Job<E>>,
}

#[derive(Debug)]
enum Phase<E> {
    /// Nothing runs; the memory is here.
    Idle(Box<State<E>>),
    /// A task runs and has the memory.
    Busy { stop: Arc<Stop>, thread: JoinHandle<Box<State<E>>>, kind: Kind },
    /// The memory was lost with a thread that panicked or never began; a new one is made when it is needed.
    Lost,
}

/// What kind of task runs.
#[derive(Clone, Debug)]
struct Kind {
    pondering: bool,
    /// It ends by itself.
    bounded: bool,
    /// Nobody waits for its answer any more; what is left to be done can be waited for.
    answered: Arc<AtomicBool>,
}

impl<E: Evaluator> Phase<E> {
    /// The memory, waited for if a task still has it.
    fn into_state(self, options: &Options, evaluator: &E) -> Box<State<E>> {
        match self {
            Phase::Idle(state) => state,
            Phase::Busy { thread, .. } => thread.join().unwrap_or_else(|_| State::new(options, evaluator)),
            Phase::Lost => State::new(options, evaluator),
        }
    }
}

impl<E: Evaluator + Default> Default for Engine<E> {
    fn default() -> Self {
        let (options, evaluator) = (Options::default(), E::default());
        Self {
            position: Position::default(),
            phase: Phase::Idle(State::new(&options, &evaluator)),
            options,
            evaluator,
            jobs: Vec::new(),
        }
    }
}

impl<E: Choose + 'static> Engine<E> {
    /// The position that the next search will look at.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The options as they are now. A search under way goes by those it began with.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The evaluator of the next search.
    #[must_use]
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Sets up a position, with the game that led to it. A search under way is not disturbed.
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
    }

    /// Sets an option, in effect from the next search on.
    ///
    /// # Errors
    ///
    /// [`OptionError`] if the option does not exist or does not take this value; nothing is changed then.
    pub fn set_option(
        &mut self,
        name: &str,
        value: &str,
        listener: &mut impl Listener,
    ) -> Result<(), OptionError> {
        let before = self.options.clone();
        match self.options.set(name, value)? {
            Effect::None => {}
            Effect::ResizeHash => self.request(Job::Resize(self.options.hash)),
            Effect::SetThreads => self.request(Job::SetThreads(self.options.threads)),
            Effect::ClearHash => self.request(Job::Clear),
            Effect::OpenBook if self.options.book_file == before.book_file => {}
            Effect::OpenBook => self.request(Job::OpenBook),
            Effect::OpenTables => self.open_tables(&before.syzygy_path, listener),
            Effect::ChooseEvaluator => self.choose_evaluator(&before, listener),
        }
        Ok(())
    }

    /// Forgets the last game: what the search has learned is cleared before the next search.
    pub fn new_game(&mut self) {
        self.request(Job::Clear);
    }

    /// Gets everything ready that can be made ready now, so that the next search can begin at once, and then tells `listener`
    /// that it is. Does not wait for that; whatever is started next cuts it short.
    ///
    /// While a search runs nothing is done, and the listener is told at once.
    pub fn prepare<L: Listener>(&mut self, listener: &L) {
        let searching = match &self.phase {
            Phase::Busy { thread, kind, .. } => {
                !kind.answered.load(Ordering::Acquire) && !thread.is_finished()
            }
            Phase::Idle(_) | Phase::Lost => false,
        };
        if searching {
            listener.clone().ready();
            return;
        }
        let kind = Kind { pondering: false, bounded: true, answered: Arc::new(AtomicBool::new(true)) };
        let prepared = self.start(kind, listener, |mut state, stop, listener: &mut L| {
            if let Err(error) = state.searcher.prepare(stop) {
                listener.problem(&error);
            }
            listener.ready();
            state
        });
        if prepared.is_err() {
            listener.clone().ready();
        }
    }

    /// Searches the position and tells `listener` the answer; a search under way is stopped, and answers first.
    ///
    /// With [`Limits::infinite`] or [`Limits::ponder`] there is no answer before [`stop`](Self::stop) or
    /// [`ponder_hit`](Self::ponder_hit), and limits that bound nothing are infinite.
    pub fn go<L: Listener>(&mut self, mut limits: Limits, listener: &L) {
        let root = self.position.clone();
        let (options, evaluator) = (self.options.clone(), self.evaluator.clone());
        let (multi_pv, move_overhead) = (options.multi_pv, options.move_overhead);
        let mut settings = Settings { multi_pv, move_overhead, ..Settings::default() };
        let pondering = limits.ponder;
        let bounded = is_bounded(&limits);
        limits.infinite |= !bounded && !pondering;
        let strength = options.strength();
        if let Some(strength) = strength {
            strength.restrain(&mut limits, &mut settings);
        }
        let kind = Kind { pondering, bounded, answered: Arc::default() };
        let answered = Arc::clone(&kind.answered);
        let work = move |mut state: Box<State<E>>, stop: &Stop, listener: &mut L| {
            if root.legal_moves().is_empty() {
                stop.wait(limits.infinite);
            }
            if let Some(m) = state.book_move(&root, &limits, &options) {
                answered.store(true, Ordering::Release);
                listener.problem(&"the move is from the book");
                listener.best_move(Some(m), None);
                return state;
            }
            // Who plays weaker than possible knows no tables.
            if strength.is_none() {
                settings.tablebases = state.tablebases(&options);
            }
            let searched = catch_unwind(AssertUnwindSafe(|| {
                let mut shown = Shown { listener: &mut *listener, lines: multi_pv };
                state.searcher.search(&root, &limits, stop, &settings, &mut shown)
            }));
            let mut outcome = searched.unwrap_or_else(|panic| {
                state = State::new(&options, &evaluator);
                listener
                    .problem(&format_args!("the search failed ({}), any move is played", message(&*panic)));
                Outcome { best: any_move(&root, &limits), ..Outcome::default() }
            });
            if let Some(strength) = strength {
                strength.choose(&mut outcome, &mut rand::rng());
                // What is reported last is what is played.
                if let Some(line) = outcome.lines.first().filter(|line| line.multi_pv > 1) {
                    listener.iteration(&Report { multi_pv: 1, ..line.clone() });
                }
            }
            stop.wait(limits.infinite);
            if let Some(moves) = limits.mate.filter(|&moves| !outcome.mates_in(moves)) {
                listener.problem(&format_args!("no mate in {moves} found"));
            }
            answered.store(true, Ordering::Release);
            listener.best_move(outcome.best, outcome.ponder);
            state
        };
        if let Err(error) = self.start(kind, listener, work) {
            let mut listener = listener.clone();
            listener.problem(&format_args!("no thread for the search ({error}), any move is played"));
            listener.best_move(any_move(&self.position, &Limits::default()), None);
        }
    }

    /// Runs `task` where searches run: off the caller's thread, after a running search has been stopped.
    ///
    /// `task` must look at its [`Stop`] often.
    pub fn spawn<L: Listener>(&mut self, listener: &L, task: impl FnOnce(&Stop, &mut L) + Send + 'static) {
        let kind = Kind { pondering: false, bounded: true, answered: Arc::default() };
        let started = self.start(kind, listener, |state, stop, listener: &mut L| {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| task(stop, listener))) {
                listener.problem(&format_args!("the command failed ({})", message(&*panic)));
            }
            state
        });
        if let Err(error) = started {
            listener.clone().problem(&format_args!("no thread for the command ({error})"));
        }
    }

    /// Ends the running search; it answers at once. Does nothing when none is running.
    pub fn stop(&self) {
        if let Phase::Busy { stop, .. } = &self.phase {
            stop.stop();
        }
    }

    /// The move pondered on was played: the clock counts from now on. Does nothing when no search ponders.
    ///
    /// A search that has no limits to go by answers now.
    pub fn ponder_hit(&self) {
        if let Phase::Busy { stop, kind, .. } = &self.phase
            && stop.is_pondering()
        {
            if kind.bounded {
                stop.ponder_hit();
            } else {
                stop.stop();
            }
        }
    }

    /// Whether what runs now, if anything does, ends without being told to.
    #[must_use]
    pub fn ends_by_itself(&self) -> bool {
        match &self.phase {
            Phase::Busy { stop, kind, .. } => stop.is_stopped() || (kind.bounded && !stop.is_pondering()),
            Phase::Idle(_) | Phase::Lost => true,
        }
    }

    /// Waits until the running search has answered, however long that takes.
    pub fn wait(&mut self) {
        let state = mem::replace(&mut self.phase, Phase::Lost).into_state(&self.options, &self.evaluator);
        self.phase = Phase::Idle(state);
    }

    /// Starts `work` on a thread of its own, which first waits for the running task and does the jobs that have come.
    fn start<L, W>(&mut self, kind: Kind, listener: &L, work: W) -> io::Result<()>
    where
        L: Listener,
        W: FnOnce(Box<State<E>>, &Stop, &mut L) -> Box<State<E>> + Send + 'static,
    {
        self.stop();
        let earlier = mem::replace(&mut self.phase, Phase::Lost);
        let jobs = mem::take(&mut self.jobs);
        let (options, evaluator) = (self.options.clone(), self.evaluator.clone());
        let stop = Arc::new(Stop::new(kind.pondering));
        let coordinate = {
            let (stop, mut listener) = (Arc::clone(&stop), listener.clone());
            move || {
                let mut state = earlier.into_state(&options, &evaluator);
                for job in jobs {
                    state.apply(job, &options, &mut listener);
                }
                work(state, &stop, &mut listener)
            }
        };
        // A search is led by this very thread.
        let thread =
            thread::Builder::new().name("coordinator".to_owned()).stack_size(STACK).spawn(coordinate)?;
        self.phase = Phase::Busy { stop, thread, kind };
        Ok(())
    }

    /// Puts `job` down for later. One of its kind that is still waiting is no longer needed.
    fn request(&mut self, job: Job<E>) {
        self.jobs.retain(|earlier| mem::discriminant(earlier) != mem::discriminant(&job));
        self.jobs.push(job);
    }

    /// Makes the evaluator that the options ask for now. If it cannot be had, the one there is stays; a file that is no
    /// network is forgotten, whereas a wish for a network is kept until a file is named.
    fn choose_evaluator(&mut self, before: &Options, listener: &mut impl Listener) {
        let (choice, earlier) = (self.options.choice(), before.choice());
        if choice == earlier {
            return;
        }
        // A file is looked at when it is named, whatever plays.
        let names_file = choice.file.is_some() && choice.file != earlier.file;
        let checked = if names_file && choice.kind != eval::Kind::Network {
            choice.network().map(drop).map_err(|reason| reason.to_string())
        } else {
            Ok(())
        };
        match checked.and_then(|()| E::choose(&choice)) {
            Ok(evaluator) => {
                self.evaluator = evaluator.clone();
                self.request(Job::SetEvaluator(evaluator));
            }
            Err(reason) if names_file => {
                self.options.eval_file.clone_from(&before.eval_file);
                listener.problem(&format_args!("EvalFile stays as it was: {reason}"));
            }
            Err(reason) => listener.problem(&format_args!("the evaluator stays as it was: {reason}")),
        }
    }

    /// Has the endgame tables opened before the next search. A folder that is missing is reported now, and once, not every time
    /// it is named.
    fn open_tables(&mut self, path_before: &str, listener: &mut impl Listener) {
        let path = &self.options.syzygy_path;
        if path == path_before {
            return;
        }
        let separator = if cfg!(windows) { ';' } else { ':' };
        for folder in path.split(separator).filter(|folder| !folder.is_empty() && !Path::new(folder).is_dir())
        {
            let folder = quoted(folder);
            listener.problem(&format_args!("expected a folder in SyzygyPath, got {folder}; it is not used"));
        }
        self.request(Job::OpenTables);
    }
}

impl<E> Drop for Engine<E> {
    /// Ends the running search and lets it answer.
    fn drop(&mut self) {
        if let Phase::Busy { stop, thread, .. } = mem::replace(&mut self.phase, Phase::Lost) {
            stop.stop();
            let _ = thread.join();
        }
    }
}

/// Lets a listener hear of no more lines than were asked for.
struct Shown<'l, L> {
    listener: &'l mut L,
    lines: usize,
}

impl<L: Observer> Observer for Shown<'_, L> {
    fn iteration(&mut self, report: &Report) {
        if report.multi_pv <= self.lines {
            self.listener.iteration(report);
        }
    }

    fn current_move(&mut self, depth: u32, m: Move, number: usize) {
        self.listener.current_move(depth, m, number);
    }

    fn problem(&mut self, problem: &dyn Display) {
        self.listener.problem(problem);
    }
}

/// Whether a search within `limits` ends by itself, once it no longer ponders.
fn is_bounded(limits: &Limits) -> bool {
    let clocks = limits.clocks.white.left.or(limits.clocks.black.left);
    !limits.infinite
        && (clocks.is_some()
            || limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.mate.is_some()
            || limits.move_time.is_some())
}

/// A move to play when there is nothing to choose by.
fn any_move(position: &Position, limits: &Limits) -> Option<Move> {
    limits.search_moves.first().copied().or_else(|| position.legal_moves().first().copied())
}

#[cfg(test)]
mod tests;
