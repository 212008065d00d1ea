//! The output of a run: one file, or a numbered series of files.

use std::{
    ffi::OsString,
    fmt, fs, io,
    path::{self, Path, PathBuf},
};

use crate::{
    words::counted,
    workshop::data::{Cut, DataError, GameWriter, Header, Totals, TrainingGame, tally},
};

/// The output of a run.
#[derive(Clone, Debug)]
pub struct OutputPath {
    /// The file; for a series of files, the name that `-0001` and so on are added to.
    pub path: PathBuf,
    /// For a series of files: each ends with the game that reaches this number of positions.
    pub shard: Option<u64>,
}

impl OutputPath {
    /// The path of file `number`, from 1.
    #[must_use]
    pub fn file(&self, number: u32) -> PathBuf {
        if self.shard.is_none() {
            return self.path.clone();
        }
        let stem = self.path.file_stem().unwrap_or_default().display();
        let extension = self.path.extension().map_or(String::new(), |it| format!(".{}", it.display()));
        self.path.with_file_name(format!("{stem}-{number:04}{extension}"))
    }

    /// The first existing file.
    #[must_use]
    pub fn taken(&self) -> Option<PathBuf> {
        let is_there = |path: &PathBuf| path.symlink_metadata().is_ok();
        match self.shard {
            None => Some(self.path.clone()).filter(is_there),
            Some(_) => self.numbers().first().map(|&number| self.file(number)),
        }
    }

    /// The numbers of the existing files of a series, ascending; none if the folder cannot be read.
    fn numbers(&self) -> Vec<u32> {
        let folder = path::absolute(&self.path).ok().and_then(|path| fs::read_dir(path.parent()?).ok());
        let names = folder.into_iter().flatten().flatten().map(|entry| entry.file_name());
        let number = |name: OsString| {
            let name = name.to_str()?;
            let groups = name.split(|c: char| !c.is_ascii_digit());
            let mut numbers =
                groups.filter_map(|digits| digits.parse::<u32>().ok()).filter(|&number| number > 0);
            numbers.find(|&number| self.file(number).file_name() == Some(name.as_ref()))
        };
        let mut numbers: Vec<u32> = names.filter_map(number).collect();
        numbers.sort_unstable();
        numbers
    }
}

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {error}", path.display())]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// The error.
    pub error: DataError,
}

/// The reason why a run cannot continue existing files.
#[derive(Debug, thiserror::Error)]
pub enum ContinueError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Data {
        /// The file.
        path: PathBuf,
        /// The error.
        error: DataError,
    },
    /// A file of the series is missing, and a later one exists.
    #[error("{}: {} is missing", later.display(), missing.display())]
    Gap {
        /// The missing file.
        missing: PathBuf,
        /// The later one.
        later: PathBuf,
    },
    /// The file was made by another tool, so it does not tell what the run has done.
    #[error("{}: expected a file by `{expected}`, got one by `{tool}`", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The tool of the run.
        expected: String,
        /// The tool that made the file.
        tool: String,
    },
    /// The file was made in another way.
    #[error("{}: {what} is {now}, and was {then} when the file was begun", path.display())]
    Differs {
        /// The file.
        path: PathBuf,
        /// The name of the parameter.
        what: String,
        /// Its value in the file.
        then: String,
        /// Its value now.
        now: String,
    },
}

/// A file whose end was cut off when the run was continued.
#[derive(Clone, Debug)]
pub struct CutOff {
    /// The file.
    pub path: PathBuf,
    /// The place and the length of its end.
    pub cut: Cut,
}

impl fmt::Display for CutOff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, Cut { at, bytes }) = (self.path.display(), self.cut);
        let bytes = counted(bytes, "byte", "bytes");
        write!(f, "{path}: cut off {bytes} at byte {at}, no whole block; the run plays their games again")
    }
}

/// All files of a run.
#[derive(Debug)]
pub(super) struct Files {
    output: OutputPath,
    header: Header,
    writer: GameWriter,
    number: u32,
    /// The number of positions in the current file.
    positions: u64,
}

impl Files {
    pub(super) fn create(output: OutputPath, header: Header) -> Result<Self, WriteError> {
        let path = output.file(1);
        let writer = GameWriter::create(&path, &header).map_err(|error| WriteError { path, error })?;
        Ok(Self { output, header, writer, number: 1, positions: 0 })
    }

    /// Continues the last existing file; returns the contents of all, and what was cut off the last. All must
    /// have been made according to `header`.
    pub(super) fn resume(
        output: OutputPath,
        header: Header,
    ) -> Result<(Self, Totals, Option<CutOff>), ContinueError> {
        let mut sum = Totals::default();
        let mut number = 1;
        if output.shard.is_some()
            && let Some((missing, &later)) = (1..).zip(&output.numbers()).find(|&(due, &there)| due != there)
        {
            return Err(ContinueError::Gap { missing: output.file(missing), later: output.file(later) });
        }
        while output.shard.is_some() && output.file(number + 1).exists() {
            let path = output.file(number);
            let failed = |error| ContinueError::Data { path: path.clone(), error };
            let (found, part) = tally(&path).map_err(failed)?;
            same(&path, &found, &header)?;
            sum.add(part);
            number += 1;
        }
        let path = output.file(number);
        let mut positions = 0;
        let mut refused = None;
        let check = |found: &Header| {
            same(&path, found, &header).map_err(|error| {
                refused = Some(error);
                DataError::Foreign
            })
        };
        let writer = GameWriter::append(&path, &header, check, |part| {
            positions += part.records;
            sum.add(part);
        });
        let (writer, cut) = writer
            .map_err(|error| refused.unwrap_or_else(|| ContinueError::Data { path: path.clone(), error }))?;
        let cut = cut.map(|cut| CutOff { path, cut });
        Ok((Self { output, header, writer, number, positions }, sum, cut))
    }

    /// Writes what game `next` - 1 gave, if it gave anything; the run continues with `next`.
    pub(super) fn write(&mut self, game: Option<&TrainingGame>, next: u64) -> Result<(), WriteError> {
        let full = self.output.shard.is_some_and(|limit| self.positions >= limit);
        if full {
            // A file that others follow must be complete, also after a power failure: only the last one can
            // be continued.
            self.writer.sync().map_err(self.cannot_write())?;
            let path = self.output.file(self.number + 1);
            self.writer =
                GameWriter::create(&path, &self.header).map_err(|error| WriteError { path, error })?;
            self.number += 1;
            self.positions = 0;
        }
        if let Some(game) = game {
            self.writer.write(game);
            self.positions += game.plies().len() as u64;
        }
        self.writer.end_game(next).map_err(self.cannot_write())
    }

    pub(super) fn finish(self) -> Result<(), WriteError> {
        let failed = self.cannot_write();
        self.writer.finish().map_err(failed)
    }

    /// Turns an error of writing into one of the current file.
    fn cannot_write(&self) -> impl FnOnce(io::Error) -> WriteError + use<> {
        let path = self.output.file(self.number);
        |error| WriteError { path, error: error.into() }
    }
}

/// Checks that a file with the header `then` can be continued with the header `now`.
fn same(path: &Path, then: &Header, now: &Header) -> Result<(), ContinueError> {
    if then.tool != now.tool {
        let (expected, tool) = (now.tool.clone(), then.tool.clone());
        return Err(ContinueError::Foreign { path: path.to_owned(), expected, tool });
    }
    let differs = |what: &str, then: String, now: String| match then == now {
        true => Ok(()),
        false => Err(ContinueError::Differs { path: path.to_owned(), what: what.to_owned(), then, now }),
    };
    for ((what, then), (_, now)) in described(then).into_iter().zip(described(now)) {
        differs(what, then, now)?;
    }
    if let (serde_json::Value::Object(then), serde_json::Value::Object(now)) = (&then.recipe, &now.recipe) {
        for (key, now) in now {
            let then = then.get(key).unwrap_or(&serde_json::Value::Null);
            differs(&format!("`{key}`"), then.to_string(), now.to_string())?;
        }
    }
    differs("the recipe", then.recipe.to_string(), now.recipe.to_string())
}

/// What two runs on one file must have in common, besides the recipe: names and values.
fn described(header: &Header) -> [(&'static str, String); 4] {
    let none = || "none".to_owned();
    let bench = header.bench.map_or_else(none, |it| format!("{} nodes at depth {}", it.nodes, it.depth));
    [
        ("the program", header.program.clone()),
        ("the evaluator", header.evaluator.as_ref().map_or_else(none, ToString::to_string)),
        ("its bench", bench),
        ("the seed", header.seed.map_or_else(none, |seed| seed.to_string())),
    ]
}
