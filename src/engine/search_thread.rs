//! The search thread: it lives as long as the engine, owns everything that is kept between searches, and does
//! the work of one message after the other.

use std::{
    fmt::Display,
    io::{self, ErrorKind},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        mpsc::{Receiver, Sender},
    },
    time::Duration,
};

use shakmaty::Move;

use crate::{
    chess::{
        position::Position,
        syzygy::{Probe, Tables, TablesError},
    },
    engine::{
        eval::Evaluator,
        options::Options,
        search::{Limits, Observer, Report, Searcher, Settings, Stop, Tablebases},
    },
    words::{panic_message, quoted},
};

/// Receives the reports and the answer of a search, and the notice that the engine is ready.
pub trait Listener: Observer + Send {
    /// The answer of a search: the move to play (`None` if there is no legal one), and the reply to ponder
    /// on.
    fn best_move(&mut self, best: Option<Move>, ponder: Option<Move>);

    /// Everything requested before is done, and a search can begin at once.
    fn ready(&mut self);

    /// Something was done that is worth a line.
    fn note(&mut self, text: &dyn Display) {
        let _ = text;
    }
}

/// A message to the search thread. After the last one, when the sender is gone, the thread ends.
pub(super) enum Message<E> {
    /// Work to do, the stop that ends it, and who receives its results.
    Work { work: Work<E>, stop: Arc<Stop>, listener: Box<dyn Listener> },
    /// Answer when all work before is done.
    Done(Sender<()>),
}

/// What a message asks for.
pub(super) enum Work<E> {
    Go(Box<Go>),
    Change(Change<E>),
    /// Start the threads and clear the table, so that a search can begin at once.
    Prepare,
    /// Anything that needs no search state.
    Other(Box<dyn FnMut(&Stop) + Send>),
}

/// A change of what is kept between searches.
pub(super) enum Change<E> {
    /// A table of this many MiB.
    Hash(usize),
    Threads(usize),
    /// The endgame tables in these folders.
    Tables(String),
    Evaluator(E),
    /// What earlier searches have learnt is forgotten.
    Forget,
}

/// A search to do, and its answer.
pub(super) struct Go {
    position: Position,
    limits: Limits,
    options: Options,
    /// The best move so far: the first of the line reported last, and before that any move.
    best: Option<Move>,
}

impl Go {
    pub(super) fn new(position: Position, limits: Limits, options: Options) -> Self {
        let best = limits.root_moves(&position).first().copied();
        Self { position, limits, options, best }
    }

    /// Waits as long as `stop` and the limits demand, and answers.
    fn answer(&self, ponder: Option<Move>, stop: &Stop, listener: &mut dyn Listener) {
        stop.wait(self.limits.infinite);
        // Before the answer: who reads it may ask at once whether the engine is ready for more.
        stop.finish();
        listener.best_move(self.best, ponder);
    }
}

/// What is kept between searches.
pub(super) struct SearchThread<E> {
    searcher: Searcher<E>,
    tables: Option<Arc<Tables>>,
    tables_found: TablesFound,
}

impl<E: Evaluator> SearchThread<E> {
    pub(super) fn new(hash: usize, evaluator: E) -> Self {
        let searcher = Searcher::with_evaluator(hash, evaluator);
        Self { searcher, tables: None, tables_found: TablesFound::default() }
    }

    /// Does the work of all `messages`. A panic ends the work of one message; a search is then answered with
    /// its best move so far.
    pub(super) fn run(mut self, messages: Receiver<Message<E>>) {
        for message in messages {
            match message {
                Message::Work { mut work, stop, mut listener } => {
                    let done = || self.work(&mut work, &stop, &mut *listener);
                    if let Err(panic) = catch_unwind(AssertUnwindSafe(done)) {
                        self.recover(&work, &stop, &mut *listener, panic_message(&*panic));
                    }
                    stop.finish();
                }
                // An error means that the sender does not wait any more.
                Message::Done(sender) => drop(sender.send(())),
            }
        }
    }

    fn work(&mut self, work: &mut Work<E>, stop: &Stop, listener: &mut dyn Listener) {
        match work {
            Work::Go(go) => self.go(go, stop, listener),
            Work::Change(change) => self.change(change, listener),
            Work::Prepare => {
                if let Err(error) = self.searcher.prepare(stop) {
                    listener.problem(&error);
                }
                listener.ready();
            }
            Work::Other(other) => other(stop),
        }
    }

    /// Searches, reports, waits until the answer is wanted, and answers.
    fn go(&mut self, go: &mut Go, stop: &Stop, listener: &mut dyn Listener) {
        let Go { position, limits, options, best } = go;
        let mut settings = Settings {
            multi_pv: options.multi_pv,
            move_overhead: Duration::from_millis(options.move_overhead),
            techniques: options.techniques(),
            ..Settings::default()
        };
        let strength = options.strength();
        match strength {
            Some(strength) => {
                let moves = limits.root_moves(position).len();
                strength.restrain(moves, limits, &mut settings);
            }
            // A player of limited strength uses no endgame tables.
            None => settings.tablebases = self.tablebases(options),
        }
        let mut reports = FirstLines { listener, lines: options.multi_pv, best };
        let mut outcome = self.searcher.search(position, limits, stop, &settings, &mut reports);
        if let Some(strength) = strength
            && strength.choose(&mut outcome, &mut rand::rng())
        {
            // The last lines reported must be these, the one that is played first. The reported depth never
            // decreases.
            let depth = outcome.lines.first().map_or(0, |first| first.depth);
            for line in outcome.lines.iter().take(options.multi_pv) {
                reports.iteration(&Report { depth, ..line.clone() });
            }
        }
        go.best = outcome.best;
        go.answer(outcome.ponder, stop, listener);
    }

    /// Makes good for work that panicked.
    fn recover(&mut self, work: &Work<E>, stop: &Stop, listener: &mut dyn Listener, panic: &str) {
        self.searcher.renew();
        match work {
            Work::Go(go) => {
                listener
                    .problem(&format_args!("the search failed ({panic}), the best answer so far is played"));
                go.answer(None, stop, listener);
            }
            Work::Change(_) | Work::Prepare | Work::Other(_) => {
                listener.problem(&format_args!("the command failed ({panic})"));
            }
        }
        if let Work::Prepare = work {
            listener.ready();
        }
    }

    fn change(&mut self, change: &Change<E>, listener: &mut dyn Listener) {
        match change {
            Change::Hash(mebibytes) => {
                if let Err(refused) = self.searcher.resize(*mebibytes) {
                    let left = self.searcher.table().mebibytes();
                    listener.problem(&format_args!("{refused}; it stays at {left} MiB"));
                }
            }
            Change::Threads(threads) => self.searcher.set_threads(*threads),
            Change::Tables(path) => self.open_tables(path, listener),
            Change::Evaluator(evaluator) => self.searcher.set_evaluator(evaluator.clone()),
            Change::Forget => self.searcher.clear(),
        }
    }

    /// Opens the tables in the folders of `path`, also those that were opened before: there may be other
    /// files now. What is found is reported, unless it is what was found last time.
    fn open_tables(&mut self, path: &str, listener: &mut dyn Listener) {
        let (tables, found) = open_tables(path);
        self.tables = tables.map(Arc::new);
        if self.tables_found != found {
            found.problems.iter().for_each(|problem| listener.problem(problem));
            found.counts.iter().for_each(|count| listener.note(count));
        }
        self.tables_found = found;
    }

    /// The endgame tables with the settings of `options`.
    fn tablebases(&self, options: &Options) -> Tablebases {
        Tablebases {
            probe: self.tables.clone().map(|tables| tables as Arc<dyn Probe>),
            depth: options.syzygy_depth,
            limit: options.syzygy_limit,
            fifty_moves: options.syzygy_fifty_moves,
        }
    }
}

/// Forwards at most as many lines as requested, and notes the best move.
struct FirstLines<'l> {
    listener: &'l mut dyn Listener,
    lines: usize,
    best: &'l mut Option<Move>,
}

impl Observer for FirstLines<'_> {
    fn iteration(&mut self, report: &Report) {
        if report.multi_pv == 1 {
            *self.best = report.pv.first().copied();
        }
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

/// What was found in the folders of endgame tables.
#[derive(Debug, Default, PartialEq, Eq)]
struct TablesFound {
    path: String,
    /// What cannot be used.
    problems: Vec<String>,
    /// The number of tables; `None` if no folder could be read.
    counts: Option<String>,
}

fn open_tables(path: &str) -> (Option<Tables>, TablesFound) {
    let (mut problems, mut counts) = (Vec::new(), None);
    let tables = Tables::open_what_can_be(path, |problem| {
        problems.push(match &problem {
            TablesError::Folder { path, error } if is_no_folder(error) => {
                format!("expected a folder in SyzygyPath, got {}; it is not used", quoted(path))
            }
            TablesError::Folder { .. } | TablesError::File { .. } => format!("not used: {problem}"),
            TablesError::None(_) => {
                counts = Some("no Syzygy tables found".to_owned());
                return;
            }
        });
    });
    let counts = tables.as_ref().map(|tables| format!("{tables} found")).or(counts);
    (tables, TablesFound { path: path.to_owned(), problems, counts })
}

fn is_no_folder(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}
