//! The engine as its caller sees it: a position, the options, and the way to the search thread.

use std::{
    io,
    sync::{
        Arc,
        mpsc::{self, Sender},
    },
    thread::{self, JoinHandle},
};

use crate::{
    chess::position::Position,
    engine::{
        eval::{Choose, EvaluatorChoice, EvaluatorKind},
        options::{Effect, OptionError, Options},
        search::{Limits, STACK, Stop},
        search_thread::{Change, Go, Listener, Message, SearchThread, Work},
    },
};

/// A chess engine with one game and at most one search at a time.
///
/// Only [`Engine::wait`] and dropping the engine wait for the search thread. Everything else is a message to
/// it.
#[derive(Debug)]
pub struct Engine<E> {
    position: Position,
    options: Options,
    /// The evaluator of the next search.
    evaluator: E,
    /// The choice that it was made by. The options may request another one that is not available.
    chosen: EvaluatorChoice,
    /// Ends what the search thread does, or will do, as its last work.
    stop: Arc<Stop>,
    /// The way to the search thread; `None` only while the engine is dropped.
    messages: Option<Sender<Message<E>>>,
    thread: Option<JoinHandle<()>>,
}

impl<E: Choose + Default + 'static> Engine<E> {
    /// Starts an engine: its search thread, with the default options.
    ///
    /// # Errors
    ///
    /// If the system does not start the thread.
    pub fn start() -> io::Result<Self> {
        let (options, evaluator) = (Options::default(), E::default());
        let (messages, inbox) = mpsc::channel();
        let (hash, prototype) = (options.hash, evaluator.clone());
        // This thread leads every search.
        let thread = thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK)
            .spawn(move || SearchThread::new(hash, prototype).run(inbox))?;
        Ok(Self {
            position: Position::default(),
            chosen: options.choice(),
            options,
            evaluator,
            stop: Arc::new(Stop::finished()),
            messages: Some(messages),
            thread: Some(thread),
        })
    }
}

impl<E: Choose> Engine<E> {
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

    /// Sets an option and returns what else it changes. A running search is not affected: the search thread
    /// makes the change when it is free, and tells `listener` if that fails.
    ///
    /// # Errors
    ///
    /// [`OptionError`] if the option does not exist or does not accept this value; nothing is changed then.
    pub fn set_option(
        &mut self,
        name: &str,
        value: &str,
        mut listener: impl Listener + 'static,
    ) -> Result<Option<Effect>, OptionError> {
        let before = self.options.clone();
        let effect = self.options.set(name, value)?;
        let change = match effect {
            None | Some(Effect::OpenLog) => None,
            Some(Effect::ClearHashIfChanged) => (self.options != before).then_some(Change::Forget),
            Some(Effect::ClearHash) => Some(Change::Forget),
            Some(Effect::ResizeHash) => Some(Change::Hash(self.options.hash)),
            Some(Effect::SetThreads) => Some(Change::Threads(self.options.threads)),
            Some(Effect::OpenTables) => Some(Change::Tables(self.options.syzygy_path.clone())),
            Some(Effect::ChooseEvaluator) => self.choose_evaluator(&before, false, &mut listener),
            Some(Effect::ReadNetwork) => self.choose_evaluator(&before, true, &mut listener),
        };
        if let Some(change) = change {
            self.send(Work::Change(change), &Arc::default(), listener);
        }
        Ok(effect)
    }

    /// Begins a new game: the search thread forgets what it has learnt.
    pub fn new_game(&mut self, listener: impl Listener + 'static) {
        self.send(Work::Change(Change::Forget), &Arc::default(), listener);
    }

    /// Prepares table and threads, so that the next search can begin at once, and then informs `listener`.
    /// Does not wait for that. The next work ends it early, and does the rest itself.
    ///
    /// During a search nothing is done, and the listener is informed at once.
    pub fn prepare(&mut self, mut listener: impl Listener + 'static) {
        if self.stop.is_finished() {
            // Another question of this kind, meanwhile, is answered by another preparation.
            let stop = Arc::new(Stop::finished());
            self.begin(Work::Prepare, stop, listener);
        } else {
            listener.ready();
        }
    }

    /// Searches the position and reports the answer to `listener`. A running search is stopped and answers
    /// first.
    ///
    /// With [`Limits::infinite`] or [`Limits::ponder`] there is no answer before [`stop`](Self::stop) or
    /// [`ponder_hit`](Self::ponder_hit). Limits that bound nothing count as infinite.
    pub fn go(&mut self, mut limits: Limits, listener: impl Listener + 'static) {
        let stop = Stop::of(&limits);
        limits.infinite |= !limits.is_bounded() && !limits.ponder;
        let go = Go::new(self.position.clone(), limits, self.options.clone());
        self.begin(Work::Go(Box::new(go)), Arc::new(stop), listener);
    }

    /// Runs `work` on the search thread, after a running search has been stopped. `work` must check its
    /// [`Stop`] often. It is called once.
    pub fn run(&mut self, work: impl FnMut(&Stop) + Send + 'static, listener: impl Listener + 'static) {
        self.begin(Work::Other(Box::new(work)), Arc::default(), listener);
    }

    /// The stop of the last work; it has no effect on later work.
    #[must_use]
    pub fn current_stop(&self) -> &Arc<Stop> {
        &self.stop
    }

    /// Stops the running search, which answers at once. Does nothing if none is running.
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// The opponent has played the expected move: from now on the clock counts. Does nothing if no search
    /// ponders.
    ///
    /// A search without limits answers now.
    pub fn ponder_hit(&self) {
        self.stop.ponder_hit();
    }

    /// Whether what runs, if anything, ends without a stop.
    #[must_use]
    pub fn ends_by_itself(&self) -> bool {
        self.stop.is_finished() || self.stop.ends_by_itself()
    }

    /// Waits until the running search has answered and all else is done, for any length of time. A search for
    /// a mate that would go on until a stop ends instead.
    pub fn wait(&mut self) {
        self.stop.abandon();
        let (done, end) = mpsc::channel();
        if let Some(messages) = &self.messages
            && messages.send(Message::Done(done)).is_ok()
        {
            // An error means the same: the thread does nothing any more.
            let _ = end.recv();
        }
    }

    /// Sends `work` that ends the work before it.
    fn begin(&mut self, work: Work<E>, stop: Arc<Stop>, listener: impl Listener + 'static) {
        self.stop.stop();
        self.stop = stop;
        self.send(work, &Arc::clone(&self.stop), listener);
    }

    fn send(&self, work: Work<E>, stop: &Arc<Stop>, listener: impl Listener + 'static) {
        let message = Message::Work { work, stop: Arc::clone(stop), listener: Box::new(listener) };
        // This cannot fail, because the thread ends only after the channel.
        let _ = self.messages.as_ref().map(|messages| messages.send(message));
    }

    /// Makes the evaluator that the options request, and returns the change for the search thread, if it
    /// plays otherwise. If it is not available, the current one stays. A file that is not a network is
    /// dropped, but a request for a network remains until a file is named, or until the request is repeated.
    ///
    /// `read`: the option of the file has just been set. A file that it names is read, even if it was read
    /// before, because it may be another one now; and it is checked, even if another evaluator plays.
    fn choose_evaluator(
        &mut self,
        before: &Options,
        read: bool,
        listener: &mut impl Listener,
    ) -> Option<Change<E>> {
        let choice = self.options.choice();
        let names_file = read && choice.file.is_some();
        if choice == self.chosen && !names_file {
            return None;
        }
        let checked = if names_file && choice.kind != EvaluatorKind::Network {
            choice.network().map(drop).map_err(|reason| reason.to_string())
        } else {
            Ok(())
        };
        match checked.and_then(|()| E::choose(&choice)) {
            Ok(evaluator) => {
                self.chosen = choice;
                if !evaluator.plays_like(&self.evaluator) {
                    self.evaluator = evaluator.clone();
                    return Some(Change::Evaluator(evaluator));
                }
            }
            Err(reason) if names_file => {
                self.options.eval_file.clone_from(&before.eval_file);
                listener.problem(&format_args!("EvalFile is unchanged: {reason}"));
            }
            Err(reason) => listener.problem(&format_args!("the evaluator is unchanged: {reason}")),
        }
        None
    }
}

impl<E> Drop for Engine<E> {
    /// Stops the running search, lets it answer, and ends the search thread.
    fn drop(&mut self) {
        self.stop.stop();
        self.messages = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests;
