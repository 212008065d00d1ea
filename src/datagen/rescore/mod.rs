//! Rescores data: the current program searches every position again.
//!
//! Workers process the input block by block; each result is written as a block, in order. A resumed run therefore knows
//! from the number of blocks where to continue, and a killed run loses at most one block. It compares these blocks with
//! those of the input, because another input may have the same header.

use std::{
    io,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use super::{
    FileError, Recipe, ResumeError, RunError,
    attention::Attention,
    files::{Sheet, same},
    ordered::in_order,
};
use crate::{
    data::{
        self, Block, Blocks, DataError, GameBlock, Games, Header, Kind, Ply, Record, Signature, Source,
        TrainingGame, Variant,
    },
    eval::Evaluator,
    position::{PackedMove, Position},
    search::{Searcher, Settings, Stop},
};

/// The parameters of rescoring.
#[derive(Clone, Debug)]
pub struct Rescore {
    /// A file of games or positions.
    pub input: PathBuf,
    /// The output file, of the same kind, with the same games and positions.
    pub output: PathBuf,
    /// Nodes after which a search begins no new iteration; see [`Recipe::HARD_LIMIT`].
    pub nodes: u64,
    /// The transposition table of each thread, in MiB; it is cleared before every game, and before every block of
    /// positions.
    pub hash: usize,
}

/// The progress, in positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rescored {
    /// Positions in the output, including those of earlier runs.
    pub positions: u64,
    /// Positions in the input.
    pub total: u64,
}

/// The reason why rescoring failed. The blocks written before are complete.
#[derive(Debug, thiserror::Error)]
pub enum RescoreError {
    /// The input cannot be read.
    #[error("{}: {error}", path.display())]
    Input {
        /// The file.
        path: PathBuf,
        /// The error.
        error: DataError,
    },
    /// The output cannot be created or continued.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// The output was begun with another input.
    #[error("{}: expected the {kind} of {}, got others from block {block} on", output.display(), input.display())]
    OtherInput {
        /// The output.
        output: PathBuf,
        /// The input.
        input: PathBuf,
        /// The kind of both.
        kind: Kind,
        /// The first block that differs, from 1.
        block: u64,
    },
    /// The output cannot be written, or a worker failed.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// A block of the input of either kind.
enum Item {
    Games(GameBlock),
    Positions(Block),
}

impl Item {
    /// The number of its positions.
    fn positions(&self) -> u64 {
        match self {
            Self::Games(block) => block.tally.records,
            Self::Positions(block) => block.records.len() as u64,
        }
    }

    /// Whether `other` has the same games or positions, with any scores and best moves.
    fn is_rescored(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Games(block), Self::Games(other)) => {
                let same = |(game, other): (&TrainingGame, &TrainingGame)| {
                    let found: Vec<_> = other.plies().iter().map(|ply| (ply.best, ply.score)).collect();
                    found.len() == game.plies().len() && game.clone().rescored(&found) == *other
                };
                block.games.len() == other.games.len() && block.games.iter().zip(&other.games).all(same)
            }
            (Self::Positions(block), Self::Positions(other)) => {
                let same = |(record, other): (&Record, &Record)| {
                    record.with_score(other.score(), other.best_move()) == *other
                };
                block.records.len() == other.records.len()
                    && block.records.iter().zip(&other.records).all(same)
            }
            _ => false,
        }
    }
}

/// The blocks of a file of either kind.
type Items = Box<dyn Iterator<Item = Result<Item, DataError>> + Send>;

/// Opens a file; returns its header, if it has one, and its blocks.
fn open(path: &Path) -> Result<(Option<Header>, Items), DataError> {
    let blocks = Blocks::open(path)?;
    let header = blocks.header().cloned();
    let items: Items = match blocks.kind() {
        Kind::Games => Box::new(Games::open(path)?.map(|block| block.map(Item::Games))),
        Kind::Positions => Box::new(blocks.map(|block| block.map(Item::Positions))),
    };
    Ok((header, items))
}

impl Rescore {
    /// The name of this tool in the headers of its files.
    pub const TOOL: &str = "data rescore";

    /// Creates or continues the output, and searches on `threads` threads until all is done or `stop` is raised.
    /// `evaluator` and `bench` identify the search; a resumed run must agree with the header in these and all other
    /// parameters. Calls `each` after every block.
    ///
    /// # Errors
    ///
    /// [`RescoreError`]; also for damage in the input.
    pub fn run<E: Evaluator>(
        &self,
        (evaluator, bench): (data::EvaluatorId, Signature),
        searcher: impl Fn() -> Searcher<E> + Sync,
        threads: usize,
        resume: bool,
        stop: &Stop,
        mut each: impl FnMut(Rescored),
    ) -> Result<Rescored, RescoreError> {
        let input = |error| RescoreError::Input { path: self.input.clone(), error };
        Blocks::open_repeatedly(&self.input).map_err(input)?;
        let (_, all) = data::tally(&self.input).map_err(input)?;
        let (source, items) = open(&self.input).map_err(input)?;
        let mut header = self.header(source.as_ref(), evaluator, bench);
        // A file of version 1 does not say so, and a resumed run does not complete the header.
        if source.is_none() && has_chess960(&self.input).map_err(input)? {
            header.variant = Variant::Chess960;
        }
        let mut done = Rescored { positions: 0, total: all.records };
        let mut blocks = 0;
        let mut sheet = if resume {
            self.compare(&header)?;
            let check = |found: &Header| same(&self.output, found, &header, false);
            Sheet::append(&self.output, &header, check, |tally| {
                blocks += 1;
                done.positions += tally.records;
            })?
        } else {
            let failed = |error| ResumeError::Data { path: self.output.clone(), error };
            Sheet::create(&self.output, &header).map_err(failed)?
        };
        let items = items.skip(blocks as usize);
        let worker = || {
            let mut searcher = searcher();
            move |item| match item {
                Ok(item) => self.search(item, &mut searcher, stop),
                Err(error) => Some(Err(input(error))),
            }
        };
        let written = in_order("block", blocks, items, threads, stop, worker, |item| {
            blocks += 1;
            let positions = write(&mut sheet, &item, blocks);
            done.positions += positions.map_err(|error| cannot_write(&self.output, error))?;
            each(done);
            Ok(ControlFlow::Continue(()))
        });
        sheet.finish().map_err(|error| cannot_write(&self.output, error))?;
        written.map(|()| done)
    }

    /// Compares the whole blocks of the output with those of the input. It leaves an output that cannot be read, or has
    /// another header than `header`, to the caller.
    fn compare(&self, header: &Header) -> Result<(), RescoreError> {
        let Ok((Some(found), written)) = open(&self.output) else { return Ok(()) };
        if same(&self.output, &found, header, false).is_err() {
            return Ok(());
        }
        let input = |error| RescoreError::Input { path: self.input.clone(), error };
        let (_, mut items) = open(&self.input).map_err(input)?;
        for (block, written) in (1..).zip(written.map_while(Result::ok)) {
            let item = items.next().transpose().map_err(input)?;
            if !item.is_some_and(|item| item.is_rescored(&written)) {
                let (output, input) = (self.output.clone(), self.input.clone());
                return Err(RescoreError::OtherInput { output, input, kind: header.kind, block });
            }
        }
        Ok(())
    }

    fn header(&self, source: Option<&Header>, evaluator: data::EvaluatorId, bench: Signature) -> Header {
        let kind = source.map_or(Kind::Positions, |header| header.kind);
        Header {
            bench: Some(bench),
            evaluator: Some(evaluator),
            recipe: serde_json::json!({ "nodes": self.nodes, "hash": self.hash }),
            ..Header::new(kind, Self::TOOL).with_sources(vec![Source::new(&self.input, source)])
        }
    }

    /// Searches all positions of a block; `None` if stopped.
    fn search<E: Evaluator>(
        &self,
        item: Item,
        searcher: &mut Searcher<E>,
        stop: &Stop,
    ) -> Option<Result<Item, RescoreError>> {
        let limits = Recipe::limits(self.nodes);
        let settings = Settings::default();
        let mut attention = Attention::default();
        let mut find = |searcher: &mut Searcher<E>, position: &Position| {
            if stop.is_stopped() {
                return None;
            }
            let found = searcher.search(position, &limits, stop, &settings, &mut attention);
            found.best.and_then(PackedMove::new).map(|best| (best, found.value()))
        };
        let found = match item {
            Item::Games(mut block) => {
                for game in &mut block.games {
                    searcher.clear();
                    let mut found = Vec::with_capacity(game.plies().len());
                    // A position with a ply has a legal move; the old score remains if the search has no result.
                    let search = |position: &Position, ply: &Ply| {
                        found.push(find(searcher, position).unwrap_or((ply.best, ply.score)));
                    };
                    game.replay(search).expect("the reader has replayed it");
                    *game = game.clone().rescored(&found);
                }
                Item::Games(block)
            }
            Item::Positions(mut block) => {
                searcher.clear();
                for record in &mut block.records {
                    if let Ok(position) = record.position()
                        && let Some((best, score)) = find(searcher, &position)
                    {
                        *record = record.with_score(score, best);
                    }
                }
                Item::Positions(block)
            }
        };
        match attention.problem {
            Some(problem) => Some(Err(RunError::Worker(problem).into())),
            None => (!stop.is_stopped()).then_some(Ok(found)),
        }
    }
}

/// Whether a file of positions has some of Chess960.
fn has_chess960(path: &Path) -> Result<bool, DataError> {
    for block in Blocks::open(path)? {
        if block?.records.iter().any(Record::is_chess960) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn cannot_write(output: &Path, error: io::Error) -> RescoreError {
    RunError::File(FileError { path: output.to_owned(), error: error.into() }).into()
}

/// Writes a block, and returns the number of its positions.
fn write(sheet: &mut Sheet, item: &Item, blocks: u64) -> io::Result<u64> {
    match (sheet, item) {
        (Sheet::Games(writer), Item::Games(block)) => {
            block.games.iter().for_each(|game| writer.write(game));
            writer.end_game(blocks).and_then(|()| writer.flush())?;
        }
        (Sheet::Positions(writer), Item::Positions(block)) => writer.write_block(block)?,
        _ => unreachable!("the sheet was made for the input"),
    }
    Ok(item.positions())
}

#[cfg(test)]
mod tests;
