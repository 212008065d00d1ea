//! The search state that is kept between searches, and the changes to it.

use std::{env::split_paths, io, path::Path, sync::Arc};

use shakmaty::Move;

use super::Listener;
use crate::{
    book::Book,
    eval::Evaluator,
    options::{Options, quoted},
    position::Position,
    search::{Limits, Searcher, Tablebases},
    syzygy::{Probe, Tables, TablesError},
};

/// The state that is kept between searches. Its owner may change it.
#[derive(Debug)]
pub(super) struct State<E> {
    pub(super) searcher: Searcher<E>,
    tables: Option<Arc<Tables>>,
    book: Option<Book>,
}

/// A change to the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Job<E> {
    Resize(usize),
    SetThreads(usize),
    SetEvaluator(E),
    OpenTables,
    OpenBook,
    Clear,
}

impl<E: Evaluator> State<E> {
    pub(super) fn new(options: &Options, evaluator: &E) -> Box<Self> {
        let mut searcher = Searcher::with_evaluator(options.hash, evaluator.clone());
        searcher.set_threads(options.threads);
        searcher.lead_on_calling_thread();
        // Problems with the tables or the book were reported when they were first opened.
        let tables = Tables::open_what_can_be(&options.syzygy_path, |_| {}).map(Arc::new);
        let book = Book::read(Path::new(&options.book_file)).ok();
        Box::new(Self { searcher, tables, book })
    }

    /// Applies `job` with the current `options`.
    pub(super) fn apply(&mut self, job: Job<E>, options: &Options, listener: &mut impl Listener) {
        match job {
            Job::Resize(mebibytes) => self.searcher.resize(mebibytes),
            Job::SetThreads(threads) => self.searcher.set_threads(threads),
            Job::SetEvaluator(evaluator) => self.searcher.set_evaluator(evaluator),
            Job::OpenTables => self.open_tables(&options.syzygy_path, listener),
            Job::OpenBook => self.open_book(&options.book_file, listener),
            Job::Clear => self.searcher.clear(),
        }
    }

    /// Opens the endgame tables in `path`, and reports what was found and what cannot be used. Missing folders have
    /// already been reported.
    fn open_tables(&mut self, path: &str, listener: &mut impl Listener) {
        let opened = Tables::open_what_can_be(path, |problem| match problem {
            TablesError::Io { error, .. } if error.kind() == io::ErrorKind::NotFound => {}
            problem => listener.problem(&format_args!("not used: {problem}")),
        });
        if let Some(tables) = &opened {
            listener.problem(&format_args!("{tables} found"));
        } else if split_paths(path).any(|folder| folder.is_dir()) {
            listener.problem(&"no Syzygy tables found");
        }
        self.tables = opened.map(Arc::new);
    }

    fn open_book(&mut self, path: &str, listener: &mut impl Listener) {
        self.book = None;
        if path.is_empty() {
            return;
        }
        match Book::read(Path::new(path)) {
            Ok(book) => {
                let (moves, positions) = (book.len(), book.positions());
                listener.problem(&format_args!("a book with {moves} moves of {positions} positions found"));
                self.book = Some(book);
            }
            Err(error) => listener.problem(&format_args!("no book: {}: {error}", quoted(path))),
        }
    }

    /// The book move for `position`, if `options` and `limits` allow one. A search that is infinite, ponders, or looks
    /// for a mate does not use the book.
    pub(super) fn book_move(&self, position: &Position, limits: &Limits, options: &Options) -> Option<Move> {
        let thinks = limits.infinite || limits.ponder || limits.mate.is_some() || options.analyse_mode;
        let book = self.book.as_ref().filter(|_| options.own_book && !thinks)?;
        let drawn = book.draw(position, &mut rand::rng())?;
        (limits.search_moves.is_empty() || limits.search_moves.contains(&drawn)).then_some(drawn)
    }

    /// The endgame tables with the settings of `options`.
    pub(super) fn tablebases(&self, options: &Options) -> Tablebases {
        Tablebases {
            probe: self.tables.clone().map(|tables| tables as Arc<dyn Probe>),
            depth: options.syzygy_depth,
            limit: options.syzygy_limit,
            fifty_moves: options.syzygy_fifty_moves,
        }
    }
}
