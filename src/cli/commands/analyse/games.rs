//! Annotates the games of files: reads them one by one, analyses some at once, and writes them in the order
//! of the files.

use std::{path::PathBuf, thread};

use indicatif::ProgressBar;
use shakmaty::Color;
use zugwerk::{
    chess::{notation::pawns, pgn::Game},
    engine::{
        eval::Standard,
        search::{Limits, STACK, Searcher, Stop},
    },
    in_order,
    report::{self, Opinion, page},
};

use super::{
    Args, NODES,
    input::{Entries, Entry, read_ahead},
    outputs::{Finished, Outcome, Outputs},
};
use crate::cli::shared::{effort, interrupt, progress, status::ExitStatus};

pub(super) fn annotate(args: &Args, paths: &[PathBuf]) -> anyhow::Result<ExitStatus> {
    let entries = begun(paths)?;
    let limits = args.effort.limits(Limits::nodes(NODES));
    args.effort.warn_of_memory(args.concurrency);
    let searchers: anyhow::Result<Vec<_>> = (0..args.concurrency).map(|_| args.effort.searcher()).collect();
    let searchers = searchers?;
    // The outputs are opened before the analysis, so that errors appear at once and not after hours.
    let mut outputs = Outputs::open(args, paths)?;
    let stop = interrupt::stop()?;
    let bar = progress::parts(paths);
    let analyst = Analyst { limits: &limits, stop: &stop, bar: &bar, has_exercises: args.html.is_some() };
    let how =
        format!("Zugwerk {}, {} for each position", env!("CARGO_PKG_VERSION"), effort::describe(&limits));
    let begun = outputs.begin(&page::begin(&how));
    let analysed = begun.and_then(|()| analyst.analyse_all(entries, searchers, &mut outputs));
    let is_whole = matches!(analysed, Ok(true));
    drop(bar);
    outputs.end(is_whole)?;
    analysed?;
    Ok(if is_whole { ExitStatus::Positive } else { ExitStatus::Interrupted })
}

/// Begins to read the games of `paths`, up to the first that can be read.
fn begun(
    paths: &[PathBuf],
) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Entry>> + Send + 'static + use<>> {
    let mut entries = Entries::open(paths)?;
    let mut first: Vec<Entry> = Vec::new();
    while first.last().is_none_or(|entry| entry.game.is_err()) {
        let Some(entry) = entries.next() else {
            let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
            let why = first.into_iter().find_map(|entry| entry.game.err());
            let why = why.map_or_else(String::new, |broken| format!(" ({broken})"));
            anyhow::bail!("expected games in PGN, found none in {}{why}", names.join(", "));
        };
        first.push(entry?);
    }
    Ok(first.into_iter().map(Ok).chain(entries))
}

/// Analyses games.
struct Analyst<'a> {
    limits: &'a Limits,
    stop: &'a Stop,
    bar: &'a ProgressBar,
    has_exercises: bool,
}

impl Analyst<'_> {
    /// Analyses as many of `entries` at once as there are `searchers`, and writes them in order. Ends early
    /// when nobody reads the `outputs`. Returns whether the work was not stopped before its end.
    fn analyse_all(
        &self,
        entries: impl Iterator<Item = anyhow::Result<Entry>> + Send + 'static,
        searchers: Vec<Searcher<Standard>>,
        outputs: &mut Outputs,
    ) -> anyhow::Result<bool> {
        let entries = read_ahead(entries, self.stop);
        let builder = || thread::Builder::new().stack_size(STACK);
        let analyse = |searcher: &mut Searcher<Standard>, entry: anyhow::Result<Entry>| {
            entry.map(|entry| self.analyse(entry, searcher))
        };
        thread::scope(|scope| {
            let mut wanted = Ok(true);
            let analysed = in_order::map(scope, builder, entries, searchers, analyse);
            for finished in analysed.inspect_err(|_| self.stop.stop())? {
                wanted = finished.and_then(|finished| outputs.write(finished));
                if !matches!(wanted, Ok(true)) {
                    break;
                }
            }
            let is_whole = !self.stop.is_stopped();
            // What has begun and is not wanted is soon over.
            if !matches!(wanted, Ok(true)) {
                self.stop.stop();
            }
            wanted.map(|_| is_whole)
        })
    }

    fn analyse(&self, Entry { origin, game }: Entry, searcher: &mut Searcher<Standard>) -> Finished {
        let mut share = Share { bar: self.bar, bytes: origin.bytes, reported: 0 };
        let outcome = match game {
            Err(broken) => Outcome::Broken(broken),
            Ok(game) if self.stop.is_stopped() => Outcome::Unchanged(Box::new(game)),
            Ok(game) => {
                let live = live_line(origin.number, &game);
                let (start, positions) = (game.start.ply(), game.movetext.moves.len() as u64 + 1);
                let on_opinion = |ply: usize, opinion: &Opinion| {
                    share.report((positions - ply as u64) as f64 / positions as f64);
                    self.bar.set_message(format!("{live}: {}", in_words(start + ply as u64, opinion)));
                };
                let mut report =
                    report::analyse(origin.number, game, searcher, self.limits, self.stop, on_opinion);
                if self.has_exercises {
                    self.bar.set_message(format!("{live}: exercises"));
                    report.set_exercises(searcher, self.limits, self.stop);
                }
                Outcome::Analysed(Box::new(report))
            }
        };
        share.report(1.0);
        Finished { origin, outcome }
    }
}

/// The share of a game in the progress bar.
struct Share<'a> {
    bar: &'a ProgressBar,
    /// The length of the game.
    bytes: u64,
    /// What the bar shows of it.
    reported: u64,
}

impl Share<'_> {
    /// Says how much of the game is analysed, from 0 to 1.
    fn report(&mut self, done: f64) {
        let now = (self.bytes as f64 * done) as u64;
        self.bar.inc(now.saturating_sub(self.reported));
        self.reported = now.max(self.reported);
    }
}

/// The text of the progress bar during the analysis of `game`.
fn live_line(number: usize, game: &Game) -> String {
    let [white, black] = Color::ALL.map(|side| game.player(side));
    let names: String = format!("{white} - {black}").chars().filter(|c| !c.is_control()).take(40).collect();
    format!("game {number}, {names}")
}

/// The opinion on the position after `ply` half-moves.
fn in_words(ply: u64, opinion: &Opinion) -> String {
    let value = if ply.is_multiple_of(2) { opinion.value } else { -opinion.value };
    format!("move {}, {}/{}", ply / 2 + 1, pawns(value), opinion.depth)
}
