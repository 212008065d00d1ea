//! The search state that is kept between searches, and the changes to it.

use std::{
    io::{self, ErrorKind},
    sync::Arc,
};

use super::Listener;
use crate::{
    eval::Evaluator,
    options::{Effect, Options},
    search::{Searcher, Tablebases},
    syzygy::{Probe, Tables, TablesError},
    words::quoted,
};

/// The state that is kept between searches. Its owner may change it.
#[derive(Debug)]
pub(super) struct State<E> {
    pub(super) searcher: Searcher<E>,
    tables: Option<Arc<Tables>>,
    tables_opened: Opened,
}

/// What the last attempt to open tables gave. A path that is set again is opened again, because there may be
/// other files now.
#[derive(Debug, Default, PartialEq, Eq)]
struct Opened {
    path: String,
    /// The lines that tell what was found and what cannot be used.
    lines: Vec<String>,
}

impl Opened {
    /// Replaces this result by a later one, and reports that unless both are the same.
    fn renew(&mut self, later: Opened, listener: &mut impl Listener) {
        if *self != later {
            for line in &later.lines {
                listener.problem(line);
            }
        }
        *self = later;
    }
}

impl<E: Evaluator> State<E> {
    pub(super) fn new(options: &Options, evaluator: &E) -> Box<Self> {
        let mut searcher = Searcher::with_evaluator(options.hash, evaluator.clone());
        searcher.set_threads(options.threads);
        // What was opened was reported when it was first opened.
        let (tables, tables_opened) = open_tables(&options.syzygy_path);
        let tables = tables.map(Arc::new);
        Box::new(Self { searcher, tables, tables_opened })
    }

    /// Changes what `effect` says to what `options` and `evaluator` are now.
    pub(super) fn apply(
        &mut self,
        effect: Effect,
        options: &Options,
        evaluator: &E,
        listener: &mut impl Listener,
    ) {
        match effect {
            Effect::ResizeHash => {
                if let Err(refused) = self.searcher.resize(options.hash) {
                    let left = self.searcher.table().mebibytes();
                    listener.problem(&format_args!("{refused}; it stays at {left} MiB"));
                }
            }
            Effect::SetThreads => self.searcher.set_threads(options.threads),
            Effect::ClearHash | Effect::ClearHashIfChanged => self.searcher.clear(),
            Effect::OpenTables => self.open_tables(&options.syzygy_path, listener),
            Effect::ChooseEvaluator | Effect::ReadNetwork => {
                self.searcher.set_evaluator(evaluator.clone());
            }
            Effect::OpenLog => {}
        }
    }

    fn open_tables(&mut self, path: &str, listener: &mut impl Listener) {
        let (tables, opened) = open_tables(path);
        self.tables = tables.map(Arc::new);
        self.tables_opened.renew(opened, listener);
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

fn open_tables(path: &str) -> (Option<Tables>, Opened) {
    let mut lines = Vec::new();
    let tables = Tables::open_what_can_be(path, |problem| {
        lines.push(match &problem {
            TablesError::Folder { path, error } if is_no_folder(error) => {
                format!("expected a folder in SyzygyPath, got {}; it is not used", quoted(path))
            }
            TablesError::Folder { .. } | TablesError::File { .. } => format!("not used: {problem}"),
            TablesError::None(_) => "no Syzygy tables found".to_owned(),
        });
    });
    lines.extend(tables.as_ref().map(|tables| format!("{tables} found")));
    (tables, Opened { path: path.to_owned(), lines })
}

fn is_no_folder(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
}
