//! What a search keeps for the next one, and the changes to it.

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

/// What a search keeps for the next one. Whoever holds it may change it.
#[derive(Debug)]
pub(super) struct State<E> {
    pub(super) searcher: Searcher<E>,
    tables: Option<Arc<Tables>>,
    book: Option<Book>,
}

/// A change to what is kept.
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
        // What is wrong with the tables or the book has been told when they were opened first.
        let tables = Tables::open_what_can_be(&options.syzygy_path, |_| {}).map(Arc::new);
        let book = Book::read(Path::new(&options.book_file)).ok();
        Box::new(Self { searcher, tables, book })
    }

    /// Does `job`, by the `options` as they are now.
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

    /// Opens the endgame tables in `path`, and tells what there are and what cannot be used. Folders that are not there have
    /// been told of already.
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

    /// The book's move for `position`, if `options` ask for one and `limits` allow it. A search that has no end of its own,
    /// ponders, or looks for a mate is there to think.
    pub(super) fn book_move(&self, position: &Position, limits: &Limits, options: &Options) -> Option<Move> {
        let thinks = limits.infinite || limits.ponder || limits.mate.is_some() || options.analyse_mode;
        let book = self.book.as_ref().filter(|_| options.own_book && !thinks)?;
        let drawn = book.draw(position, &mut rand::rng())?;
        (limits.search_moves.is_empty() || limits.search_moves.contains(&drawn)).then_some(drawn)
    }

    /// The endgame tables, to be used as `options` ask.
    pub(super) fn tablebases(&self, options: &Options) -> Tablebases {
        Tablebases {
            probe: self.tables.clone().map(|tables| tables as Arc<dyn Probe>),
            depth: options.syzygy_depth,
            limit: options.syzygy_limit,
            fifty_moves: options.syzygy_fifty_moves,
        }
    }
}
