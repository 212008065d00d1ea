//! The engine: a position, the options, and either the search state or the thread that currently owns it.
//!
//! Nothing here reads or prints; results go to a [`Listener`]. Only [`Engine::wait`] and dropping the engine wait for a
//! task. The calling thread makes a new [`Stop`] for every task, so a stop that follows at once is never lost. The task
//! runs on a coordinator thread, which owns the search state (`State`) until it ends. Only the owner can change the state,
//! so the hash table cannot be resized during a search.
//!
//! ```text
//!          start                                   the coordinator
//!   Idle ---------> Busy(Task) .................   1. takes the State: idle, or by joining the task before
//!    ^                |                            2. applies the pending changes (resize, clear, ...)
//!    |                | thread has ended           3. works, reports, delays the answer while it must
//!    +----------------+                            4. answers, and returns the State
//! ```
//!
//! A task that is started during another one stops that one and waits for its end. `ucinewgame`, `Clear Hash`, `Hash`,
//! `Threads` and a change of the evaluator are recorded. They are applied when the GUI waits anyway
//! ([`Engine::prepare`], which is `isready`), or else before the next task. They therefore never disturb a search, and
//! a large table does not delay the answer to `uci`. Preparation is a task too: a `go` during it ends it and prepares the rest.

mod state;

use std::{
    fmt::Display,
    io, mem,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use shakmaty::Move;

use crate::{
    advice::{self, Slice},
    eval::{self, Choose, Evaluator, EvaluatorChoice},
    options::{Effect, OptionError, Options},
    position::Position,
    search::{Limits, Observer, Outcome, Report, STACK, Settings, Stop},
    words::panic_message,
};

use state::State;

/// Receives the reports and the answer of a search, and the notice that the engine is ready.
pub trait Listener: Observer + Clone + Send + 'static {
    /// The answer of a search: the move to play (`None` if there is no legal one), and the reply to ponder on.
    fn best_move(&mut self, best: Option<Move>, ponder: Option<Move>);

    /// Everything requested before is done, and a search can begin at once.
    fn ready(&mut self);
}

/// A chess engine with one game and at most one search at a time.
#[derive(Debug)]
pub struct Engine<E> {
    position: Position,
    options: Options,
    /// The evaluator that each search clones.
    evaluator: E,
    /// The choice that it was made by. The options may request another one that is not available.
    chosen: EvaluatorChoice,
    phase: Phase<E>,
    /// Changes to apply to the [`State`] before its next use.
    pending: Vec<Effect>,
}

#[derive(Debug)]
enum Phase<E> {
    /// Nothing runs; the engine owns the state.
    Idle(Box<State<E>>),
    /// A task runs and owns the state.
    Busy(Task<E>),
    /// The state was lost with a thread that panicked or never began; a new one is made when needed.
    Lost,
}

/// A running task.
#[derive(Debug)]
struct Task<E> {
    stop: Arc<Stop>,
    thread: JoinHandle<Box<State<E>>>,
    /// Whether it ends by itself, once it no longer ponders.
    bounded: bool,
    /// Whether it has answered; its remaining work may be waited for.
    answered: Arc<AtomicBool>,
}

impl<E: Evaluator> Phase<E> {
    /// Returns the state, after waiting for the task that owns it.
    fn into_state(self, options: &Options, evaluator: &E) -> Box<State<E>> {
        match self {
            Phase::Idle(state) => state,
            Phase::Busy(task) => task.thread.join().unwrap_or_else(|_| State::new(options, evaluator)),
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
            chosen: options.choice(),
            options,
            evaluator,
            pending: Vec::new(),
        }
    }
}

impl<E: Choose + 'static> Engine<E> {
    /// The position of the next search.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The current options. A running search keeps those it began with.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The evaluator of the next search.
    #[must_use]
    pub fn evaluator(&self) -> &E {
        &self.evaluator
    }

    /// Sets up a position, including the game before it. A running search is not affected.
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
    }

    /// Sets an option and returns what else it changes; that takes effect with the next search.
    ///
    /// # Errors
    ///
    /// [`OptionError`] if the option does not exist or does not accept this value; nothing is changed then.
    pub fn set_option(
        &mut self,
        name: &str,
        value: &str,
        listener: &mut impl Listener,
    ) -> Result<Option<Effect>, OptionError> {
        let before = self.options.clone();
        let effect = self.options.set(name, value)?;
        match effect {
            None | Some(Effect::OpenLog) => {}
            Some(Effect::ClearHashIfChanged) if self.options == before => {}
            Some(Effect::ClearHashIfChanged) => self.request(Effect::ClearHash),
            Some(Effect::ChooseEvaluator) => self.choose_evaluator(&before, false, listener),
            Some(Effect::ReadNetwork) => self.choose_evaluator(&before, true, listener),
            Some(effect) => self.request(effect),
        }
        Ok(effect)
    }

    /// Begins a new game: the search state is cleared before the next search.
    pub fn new_game(&mut self) {
        self.request(Effect::ClearHash);
    }

    /// Applies pending changes and prepares table and threads, so that the next search can begin at once, and then informs
    /// `listener`. Does not wait for that. The next task ends it early, and does the rest itself.
    ///
    /// During a search nothing is done, and the listener is informed at once.
    pub fn prepare<L: Listener>(&mut self, listener: &L) {
        let searching = match &self.phase {
            Phase::Busy(task) => !task.answered.load(Ordering::Acquire) && !task.thread.is_finished(),
            Phase::Idle(_) | Phase::Lost => false,
        };
        if searching {
            listener.clone().ready();
            return;
        }
        let answered = Arc::new(AtomicBool::new(true));
        let prepared =
            self.start(Stop::default(), true, answered, listener, |state, stop, listener: &mut L| {
                if let Err(error) = state.searcher.prepare(stop) {
                    listener.problem(&error);
                }
                listener.ready();
            });
        if prepared.is_err() {
            listener.clone().ready();
        }
    }

    /// Searches the position and reports the answer to `listener`. A running search is stopped and answers first.
    ///
    /// With [`Limits::infinite`] or [`Limits::ponder`] there is no answer before [`stop`](Self::stop) or
    /// [`ponder_hit`](Self::ponder_hit). Limits that bound nothing count as infinite.
    pub fn go<L: Listener>(&mut self, mut limits: Limits, listener: &L) {
        let (root, options, evaluator) =
            (self.position.clone(), self.options.clone(), self.evaluator.clone());
        let (stop, bounded) = (Stop::new(limits.ponder), limits.is_bounded());
        limits.infinite |= !bounded && !limits.ponder;
        let root_moves = limits.root_moves(&root);
        let any_move = root_moves.first().copied();
        let (multi_pv, move_overhead, techniques) =
            (options.multi_pv, Duration::from_millis(options.move_overhead), options.techniques());
        let mut settings = Settings { multi_pv, move_overhead, techniques, ..Settings::default() };
        let strength = options.strength();
        if let Some(strength) = strength {
            strength.restrain(root_moves.len(), &mut limits, &mut settings);
        }
        let answered = Arc::<AtomicBool>::default();
        let has_answered = Arc::clone(&answered);
        let work = move |state: &mut Box<State<E>>, stop: &Stop, listener: &mut L| {
            // A player of limited strength uses no endgame tables.
            if strength.is_none() {
                settings.tablebases = state.tablebases(&options);
            }
            let mut shown = Shown { listener, lines: multi_pv };
            let search = || state.searcher.search(&root, &limits, stop, &settings, &mut shown);
            let found = catch_unwind(AssertUnwindSafe(search));
            let mut outcome = found.unwrap_or_else(|panic| {
                // The size that was requested may have been refused.
                let hash = state.searcher.table().mebibytes();
                *state = State::new(&Options { hash, ..options.clone() }, &evaluator);
                let panic = panic_message(&*panic);
                listener.problem(&format_args!("the search failed ({panic}), any legal move is played"));
                Outcome { best: any_move, ..Outcome::default() }
            });
            if let Some(strength) = strength
                && strength.choose(&mut outcome, &mut rand::rng())
            {
                // The last lines reported must be these, the one that is played first. The reported depth never
                // decreases.
                let depth = outcome.lines.first().map_or(0, |first| first.depth);
                for line in outcome.lines.iter().take(multi_pv) {
                    listener.iteration(&Report { depth, ..line.clone() });
                }
            }
            stop.wait(limits.infinite);
            has_answered.store(true, Ordering::Release);
            listener.best_move(outcome.best, outcome.ponder);
        };
        if let Err(error) = self.start(stop, bounded, answered, listener, work) {
            let mut listener = listener.clone();
            listener.problem(&format_args!("no thread for the search ({error}), any legal move is played"));
            listener.best_move(any_move, None);
        }
    }

    /// Runs `task` on the coordinator thread, after a running search has been stopped.
    ///
    /// `task` must check its [`Stop`] often.
    pub fn spawn<L: Listener>(&mut self, listener: &L, task: impl FnOnce(&Stop, &mut L) + Send + 'static) {
        let started =
            self.start(Stop::default(), true, Arc::default(), listener, |_, stop, listener: &mut L| {
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| task(stop, listener))) {
                    listener.problem(&format_args!("the command failed ({})", panic_message(&*panic)));
                }
            });
        if let Err(error) = started {
            listener.clone().problem(&format_args!("no thread for the command ({error})"));
        }
    }

    /// The stop of the running task, if any; it has no effect on later tasks.
    #[must_use]
    pub fn stop_of_task(&self) -> Option<Arc<Stop>> {
        match &self.phase {
            Phase::Busy(task) => Some(Arc::clone(&task.stop)),
            Phase::Idle(_) | Phase::Lost => None,
        }
    }

    /// Stops the running search, which answers at once. Does nothing if none is running.
    pub fn stop(&self) {
        if let Phase::Busy(task) = &self.phase {
            task.stop.stop();
        }
    }

    /// The opponent has played the expected move: from now on the clock counts. Does nothing if no search ponders.
    ///
    /// A search without limits answers now.
    pub fn ponder_hit(&self) {
        if let Phase::Busy(task) = &self.phase
            && task.stop.is_pondering()
        {
            if task.bounded {
                task.stop.ponder_hit();
            } else {
                task.stop.stop();
            }
        }
    }

    /// Whether the running task, if any, ends without a stop.
    #[must_use]
    pub fn ends_by_itself(&self) -> bool {
        match &self.phase {
            Phase::Busy(task) => task.stop.is_stopped() || (task.bounded && !task.stop.is_pondering()),
            Phase::Idle(_) | Phase::Lost => true,
        }
    }

    /// Waits until the running search has answered, for any length of time. A search for a mate that would go on until a
    /// stop ends instead.
    pub fn wait(&mut self) {
        if let Phase::Busy(task) = &self.phase {
            task.stop.abandon();
        }
        let state = mem::replace(&mut self.phase, Phase::Lost).into_state(&self.options, &self.evaluator);
        self.phase = Phase::Idle(state);
    }

    /// Starts `work` on a new thread, which first waits for the running task and applies the pending changes. `bounded` and
    /// `answered` are as in [`Task`].
    fn start<L, W>(
        &mut self,
        stop: Stop,
        bounded: bool,
        answered: Arc<AtomicBool>,
        listener: &L,
        work: W,
    ) -> io::Result<()>
    where
        L: Listener,
        W: FnOnce(&mut Box<State<E>>, &Stop, &mut L) + Send + 'static,
    {
        self.stop();
        let earlier = mem::replace(&mut self.phase, Phase::Lost);
        let pending = mem::take(&mut self.pending);
        let (options, evaluator) = (self.options.clone(), self.evaluator.clone());
        let stop = Arc::new(stop);
        let coordinate = {
            let (stop, mut listener) = (Arc::clone(&stop), listener.clone());
            move || {
                advice::set_slice(Slice::Usual);
                let mut state = earlier.into_state(&options, &evaluator);
                for effect in pending {
                    state.apply(effect, &options, &evaluator, &mut listener);
                }
                work(&mut state, &stop, &mut listener);
                state
            }
        };
        // This thread leads the search.
        let thread =
            thread::Builder::new().name("coordinator".to_owned()).stack_size(STACK).spawn(coordinate)?;
        self.phase = Phase::Busy(Task { stop, thread, bounded, answered });
        Ok(())
    }

    /// Records `effect` for later, once.
    fn request(&mut self, effect: Effect) {
        self.pending.retain(|&earlier| earlier != effect);
        self.pending.push(effect);
    }

    /// Makes the evaluator that the options request. If it is not available, the current one stays. A file that is not
    /// a network is dropped, but a request for a network remains until a file is named, or until the request is repeated.
    ///
    /// `read`: the option of the file has just been set. A file that it names is read, even if it was read before, because
    /// it may be another one now; and it is checked, even if another evaluator plays.
    fn choose_evaluator(&mut self, before: &Options, read: bool, listener: &mut impl Listener) {
        let choice = self.options.choice();
        let names_file = read && choice.file.is_some();
        if choice == self.chosen && !names_file {
            return;
        }
        let checked = if names_file && choice.kind != eval::EvaluatorKind::Network {
            choice.network().map(drop).map_err(|reason| reason.to_string())
        } else {
            Ok(())
        };
        match checked.and_then(|()| E::choose(&choice)) {
            Ok(evaluator) => {
                self.chosen = choice;
                if !evaluator.plays_like(&self.evaluator) {
                    self.evaluator = evaluator;
                    self.request(Effect::ChooseEvaluator);
                }
            }
            Err(reason) if names_file => {
                self.options.eval_file.clone_from(&before.eval_file);
                listener.problem(&format_args!("EvalFile is unchanged: {reason}"));
            }
            Err(reason) => listener.problem(&format_args!("the evaluator is unchanged: {reason}")),
        }
    }
}

impl<E> Drop for Engine<E> {
    /// Stops the running search and lets it answer.
    fn drop(&mut self) {
        if let Phase::Busy(task) = mem::replace(&mut self.phase, Phase::Lost) {
            task.stop.stop();
            let _ = task.thread.join();
        }
    }
}

/// Forwards at most as many lines as requested.
struct Shown<'l> {
    listener: &'l mut dyn Observer,
    lines: usize,
}

impl Observer for Shown<'_> {
    fn iteration(&mut self, report: &Report) {
        if report.multi_pv <= self.lines {
            self.listener.iteration(report);
        }
    }

    fn current_move(&mut self, m: Move, number: usize) {
        self.listener.current_move(m, number);
    }

    fn problem(&mut self, problem: &dyn Display) {
        self.listener.problem(problem);
    }
}

#[cfg(test)]
mod tests;
