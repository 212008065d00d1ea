//! The outputs of an analysis of games: annotated games, a page, and JSON, each written game by game.

use std::{
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use shakmaty::Color;
use zugwerk::{
    chess::pgn::{BrokenGame, Game, Letters},
    report::{GameRecord, GameReport, Values, page, player::side_of},
    words::{counted, quoted},
};

use super::{Args, ValuesFlag, input::Origin, json};
use crate::cli::shared::{
    output::{self, Output, Series},
    print::warn,
    progress,
};

/// A game that is finished.
pub(super) struct Finished {
    pub(super) origin: Origin,
    pub(super) outcome: Outcome,
}

pub(super) enum Outcome {
    Analysed(Box<GameReport>),
    /// The analysis was interrupted before.
    Unchanged(Box<Game>),
    Broken(BrokenGame),
}

/// An output, and the file that is open for it; `None` if it is not wanted, or if nobody reads it any more.
type Open = Option<(Output, Box<dyn Write>)>;

/// Pages of one game each.
struct Pages {
    files: Series,
    /// The beginning of each page.
    begin: String,
}

impl Pages {
    fn write(&self, report: &GameReport) -> anyhow::Result<()> {
        let page = self.begin.clone() + &page::game(report);
        self.files.open(report.number)?.write(page.as_bytes())
    }
}

/// The outputs.
pub(super) struct Outputs {
    pgn: Open,
    page: Open,
    pages: Option<Pages>,
    json: Open,
    values: Values,
    /// What the end of the page needs of the games.
    records: Vec<GameRecord>,
    /// The player whose statistics the page has.
    player: Option<String>,
    /// The letters of the pieces that were named last.
    letters: Option<&'static Letters>,
}

impl Outputs {
    pub(super) fn open(args: &Args, inputs: &[PathBuf]) -> anyhow::Result<Self> {
        let streams = [&args.output, &args.html].into_iter().flatten().filter(|path| output::is_stdout(path));
        anyhow::ensure!(
            streams.count() + usize::from(args.json) <= 1,
            "expected one of --json, --output - and --html - at most"
        );
        anyhow::ensure!(
            args.player.is_none() || !args.html.iter().any(|path| path.to_string_lossy().contains('%')),
            "expected --player with one page for all games, got --html with a %"
        );
        let mut outputs = output::Outputs::new(args.force, inputs.iter().chain(args.effort.file()));
        let stdout = Path::new("-");
        let is_printed = args.output.is_none() && args.html.is_none() && !args.json;
        let games = args.output.as_deref().or_else(|| is_printed.then_some(stdout));
        let (series, page) = match args.html.as_deref() {
            Some(path) if path.to_string_lossy().contains('%') => (Some(path), None),
            path => (None, path),
        };
        // The series first: nothing of it is created yet.
        let pages = series.map(|path| outputs.open_series(path)).transpose()?;
        Ok(Self {
            pgn: games.map(|path| outputs.open_live(path)).transpose()?,
            page: page.map(|path| outputs.open_live(path)).transpose()?,
            pages: pages.map(|files| Pages { files, begin: String::new() }),
            json: args.json.then(|| outputs.open_live(stdout)).transpose()?,
            values: match args.values {
                ValuesFlag::Eval => Values::Commands,
                ValuesFlag::Text => Values::Text,
            },
            records: Vec::new(),
            player: args.player.clone(),
            letters: None,
        })
    }

    /// Begins the page.
    pub(super) fn begin(&mut self, page: &str) -> anyhow::Result<()> {
        if let Some(pages) = &mut self.pages {
            page.clone_into(&mut pages.begin);
        }
        write_through(&mut self.page, page)
    }

    /// Writes a game. Returns whether somebody still reads an output.
    pub(super) fn write(&mut self, Finished { origin, outcome }: Finished) -> anyhow::Result<bool> {
        match outcome {
            Outcome::Analysed(report) => {
                origin.warn(Ok(&report.game));
                if let Some(letters) = report.game.letters.filter(|letters| self.letters != Some(letters)) {
                    let Letters { language, pieces } = letters;
                    warn(format_args!(
                        "game {}: the pieces have the letters {}: {language}",
                        report.number,
                        pieces.join(" ")
                    ));
                    self.letters = Some(letters);
                }
                write_through(&mut self.pgn, &report.annotated(self.values).to_pgn())?;
                write_through(&mut self.page, &page::game(&report))?;
                if self.page.is_some() {
                    self.records.push(GameRecord::of(&report));
                }
                self.pages.iter().try_for_each(|pages| pages.write(&report))?;
                write_through(&mut self.json, &format!("{}\n", json::game(&report, &origin.path)))?;
                warn(summary(&report));
            }
            Outcome::Unchanged(game) => write_through(&mut self.pgn, &game.to_pgn())?,
            Outcome::Broken(broken) => {
                origin.warn(Err(&broken));
                write_through(&mut self.page, &page::unread(&origin.path.to_string_lossy(), &broken))?;
                write_through(&mut self.pgn, &(broken.text + "\n\n"))?;
            }
        }
        Ok(self.pgn.is_some() || self.page.is_some() || self.pages.is_some() || self.json.is_some())
    }

    /// Ends the page and closes the outputs; only if they are whole do they take the place of others.
    pub(super) fn end(mut self, is_whole: bool) -> anyhow::Result<()> {
        let end = page::end(&self.records, self.player.as_deref());
        let ended = write_through(&mut self.page, &end);
        // Of a file that was checked before the work.
        let is_missing = |name: &String| self.records.iter().all(|game| side_of(game, name).is_none());
        if let Some(name) = self.player.as_ref().filter(|name| self.page.is_some() && is_missing(name)) {
            warn(format_args!("no game has the player {}: the report has no statistics", quoted(name)));
        }
        let outputs = [self.pgn, self.page, self.json].map(|open| open.map(|(output, _)| output));
        let close = if is_whole && ended.is_ok() { Output::finish } else { Output::keep_unfinished };
        output::end_all(outputs.into_iter().flatten(), close)?;
        ended
    }
}

/// Writes and flushes `text`, so that it is kept even if the program is killed. An output that nobody reads
/// any more is given up; another one is not.
fn write_through(output: &mut Open, text: &str) -> anyhow::Result<()> {
    let Some((name, to)) = output else { return Ok(()) };
    match progress::above_the_bar(&io::stdout(), || to.write_all(text.as_bytes()).and_then(|()| to.flush())) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => *output = None,
        written => written.with_context(|| name.cannot_write())?,
    }
    Ok(())
}

fn summary(report: &GameReport) -> String {
    let side = |color: Color| {
        let summary = report.summary(color);
        let name = report.game.player(color);
        let [inaccuracies, mistakes, blunders] = summary.faults;
        let Some(loss) = summary.average_loss else { return format!("{name}: no moves") };
        let accuracy =
            summary.accuracy.map_or_else(|| "unknown".into(), |accuracy| format!("{accuracy:.1} %"));
        format!(
            "{name}: accuracy {accuracy}, average loss {loss:.0} cp, {inaccuracies} ?! {mistakes} ? {blunders} ??"
        )
    };
    let (white, black) = (side(Color::White), side(Color::Black));
    let hurried = if report.hurried == 0 {
        String::new()
    } else {
        let positions = counted(report.hurried as u64, "position", "positions");
        format!("; interrupted: {positions} searched only briefly")
    };
    format!("game {}: {white}; {black} ({}){hurried}", report.number, report.game.result)
}
