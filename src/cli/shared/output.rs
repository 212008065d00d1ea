//! Output files, by one policy for all subcommands: [`Outputs`] knows all those of a call, and checks them
//! before the work.
//!
//! * An existing file is refused before the work begins; `--force` replaces it, and keeps its permissions and
//!   the symbolic links to it. An input is never replaced.
//! * A file gets its name when it is complete. Until then it is in a temporary folder beside it,
//!   `NAME.….part`, so an interruption or an error leaves the old file as it is. Outputs that are [written
//!   live](Outputs::open_live) are the exception: a new one has its name from the beginning, and is removed
//!   if nothing is written. A file that cannot get its name, or was to replace another and is [not
//!   complete](Output::keep_unfinished), stays in that folder.
//! * `-` is standard output, and so is `/dev/stdout`. At most one output can be there; the result of the work
//!   is then on standard error. What cannot be a stream [refuses](refuse_stdout) `-`.
//! * Two outputs of a call are different files. A [series](Series) is checked as a whole.
//!
//! Files that a later run continues have `--resume` or are appended to.

use std::{
    ffi::OsStr,
    fmt::Display,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf, is_separator},
};

use anyhow::{Context as _, Error, Result, bail, ensure};
use tempfile::TempPath;
use zugwerk::files::{replace, target};

use crate::cli::shared::{
    print::{print_text, warn},
    progress,
    unfinished::{Cleanup, Unfinished, folder},
};

/// The path of standard output.
const STDOUT: &str = "-";

/// Flags of subcommands that always write a file.
#[derive(clap::Args)]
pub(crate) struct OutputFlags {
    /// The file to write, or `-` for standard output
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) force: Force,
}

impl OutputFlags {
    /// Opens the output of a subcommand that reads `inputs`.
    pub(crate) fn open<'p>(&self, inputs: impl IntoIterator<Item = &'p PathBuf>) -> Result<Output> {
        self.force.open(&self.output, inputs)
    }

    /// Prints the result of the work.
    pub(crate) fn print_result(&self, text: impl Display) -> Result<()> {
        print_result(Some(&self.output), text)
    }
}

/// Prints the result of the work that wrote the file at `path`, if any: on standard error if that is standard
/// output.
pub(crate) fn print_result(path: Option<&Path>, text: impl Display) -> Result<()> {
    match path.is_some_and(is_stdout) {
        false => print_text(text)?,
        true => warn(text),
    }
    Ok(())
}

/// The flag to replace files.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Force {
    /// Replace existing output files
    #[arg(long)]
    force: bool,
}

impl Force {
    /// The flag as if it were given, for a file of the program's own.
    pub(crate) const REPLACE: Self = Self { force: true };

    pub(crate) fn is_given(self) -> bool {
        self.force
    }

    /// Opens the only output of a subcommand that reads `inputs`.
    pub(crate) fn open<'p>(
        self,
        path: &Path,
        inputs: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Result<Output> {
        Outputs::new(self, inputs).open(path)
    }
}

/// All outputs of a call.
#[derive(Clone)]
pub(crate) struct Outputs {
    force: bool,
    inputs: Vec<PathBuf>,
    /// The outputs so far.
    claimed: Vec<PathBuf>,
    series: Vec<Pattern>,
}

impl Outputs {
    /// The outputs of a subcommand that reads `inputs`.
    pub(crate) fn new<'p>(force: Force, inputs: impl IntoIterator<Item = &'p PathBuf>) -> Self {
        let inputs = inputs.into_iter().cloned().collect();
        Self { force: force.force, inputs, claimed: Vec::new(), series: Vec::new() }
    }

    /// Opens the output at `path`, a file that is written as a whole.
    pub(crate) fn open(&mut self, path: &Path) -> Result<Output> {
        self.check(path)?;
        let folder = if is_stream(path) { Unfinished::anywhere() } else { Unfinished::beside(&target(path)) };
        let folder = Some(folder.with_context(|| cannot_write(path))?);
        Ok(Output { path: path.to_owned(), force: self.force, folder, _begun: None })
    }

    /// Opens the output at `path`, which is written piece by piece, so that what is written so far is kept
    /// even if the program is killed. Only a file that replaces another gets its name at the end.
    pub(crate) fn open_live(&mut self, path: &Path) -> Result<(Output, Box<dyn Write>)> {
        self.check(path)?;
        let replaces = path.is_file() && !is_stream(path);
        let folder = replaces.then(|| Unfinished::beside(&target(path))).transpose();
        let folder = folder.with_context(|| cannot_write(path))?;
        let mut output = Output { path: path.to_owned(), force: self.force, folder, _begun: None };
        let opened = open(&output.path()).with_context(|| cannot_write(path))?;
        output._begun = (!replaces && !is_stream(path)).then(|| Cleanup::while_empty(path, path));
        Ok((output, opened))
    }

    /// Opens outputs whose names have a number for each `%` of `path`.
    pub(crate) fn open_series(&mut self, path: &Path) -> Result<Series> {
        let pattern = Pattern::of(path)?;
        for (known, what) in [(&self.inputs, "the inputs"), (&self.claimed, "the other outputs")] {
            if let Some(taken) = known.iter().find(|known| pattern.has(known)) {
                bail!("{}: expected other files than {what}, got {}", path.display(), taken.display());
            }
        }
        for entry in fs::read_dir(folder(path)).with_context(|| cannot_write(path))? {
            let there = entry.with_context(|| cannot_write(path))?.path();
            ensure!(self.force || !pattern.has(&there), "{} exists: --force replaces it", there.display());
        }
        let others = self.clone();
        self.series.push(pattern.clone());
        Ok(Series { pattern, others })
    }

    /// Claims `path` for an output that is written: nothing may be there but a file that `--force` replaces.
    fn check(&mut self, path: &Path) -> Result<()> {
        self.claim(path)?;
        let name = path.display();
        let is_there = !is_stream(path) && path.symlink_metadata().is_ok();
        let is_folder = path.is_dir() || path.to_string_lossy().ends_with(is_separator);
        let found = if is_folder { "a folder" } else { "a link that leads nowhere" };
        ensure!(!is_folder && (!is_there || path.is_file()), "{name}: expected a file, got {found}");
        ensure!(self.force || !is_there, "{name} exists: --force replaces it");
        Ok(())
    }

    /// Claims `path` for an output that is continued or appended to: it is none of the inputs and of the
    /// other outputs.
    pub(crate) fn claim(&mut self, path: &Path) -> Result<()> {
        let is_input = !is_stream(path) && self.inputs.iter().any(|input| is_same_file(path, input));
        ensure!(!is_input, "{}: expected another file than the inputs", path.display());
        let is_claimed = self.claimed.iter().any(|other| is_same_file(path, other))
            || self.series.iter().any(|pattern| pattern.has(path));
        ensure!(!is_claimed, "expected two different outputs, got {} twice", path.display());
        self.claimed.push(path.to_owned());
        Ok(())
    }
}

/// Outputs whose names differ in a number.
pub(crate) struct Series {
    pattern: Pattern,
    others: Outputs,
}

impl Series {
    /// Opens the output with `number` in its name.
    pub(crate) fn open(&self, number: usize) -> Result<Output> {
        self.others
            .clone()
            .open(&self.pattern.folder.join(self.pattern.name.replace('%', &number.to_string())))
    }
}

/// A path with a number for each `%` of its last part.
#[derive(Clone)]
struct Pattern {
    folder: PathBuf,
    name: String,
}

impl Pattern {
    fn of(path: &Path) -> Result<Self> {
        let folder = folder(path);
        let name = path.file_name().and_then(OsStr::to_str).filter(|name| name.contains('%'));
        let name = name.filter(|_| !folder.to_string_lossy().contains('%'));
        let name =
            name.with_context(|| format!("{}: expected % in the name of the file alone", path.display()))?;
        Ok(Self { folder: folder.to_owned(), name: name.to_owned() })
    }

    /// Whether `path` is one of these, with any number.
    fn has(&self, path: &Path) -> bool {
        let Some(name) = path.file_name().and_then(OsStr::to_str) else { return false };
        let (start, _) = self.name.split_once('%').expect("a pattern has one");
        let digits = name.strip_prefix(start).unwrap_or_default();
        let length = digits.bytes().take_while(u8::is_ascii_digit).count();
        (1..=length).any(|length| self.name.replace('%', &digits[..length]) == name)
            && is_same_file(&self.folder, folder(path))
    }
}

/// Checks that the name of an output does not say that it is something else. A name without an ending says
/// nothing.
pub(crate) fn check_ending(path: &Path, expected: &[&str]) -> Result<()> {
    let is_right = |ending: &OsStr| expected.iter().any(|expected| ending.eq_ignore_ascii_case(expected));
    let expected = expected.join(" or .");
    ensure!(
        path.extension().is_none_or(is_right),
        "{}: expected a name that ends with .{expected}",
        path.display()
    );
    Ok(())
}

/// Whether two paths lead to the same file, which need not exist.
pub(crate) fn is_same_file(one: &Path, two: &Path) -> bool {
    let place = |path: &Path| {
        let folder = || folder(path).canonicalize().ok().zip(path.file_name());
        path.canonicalize().ok().or_else(|| folder().map(|(folder, name)| folder.join(name)))
    };
    one == two
        || is_stdout(one) && is_stdout(two)
        || place(one).zip(place(two)).is_some_and(|(one, two)| one == two)
}

/// Checks that `path`, given as `what`, is not standard output, for a file that a later run continues or
/// reads.
pub(crate) fn refuse_stdout(what: &str, path: &Path) -> Result<()> {
    ensure!(path != STDOUT, "{what}: expected a name, not standard output (-)");
    Ok(())
}

/// Ends all `outputs`, also after an error. Returns an error, and prints the others on standard error.
pub(crate) fn end_all(
    outputs: impl IntoIterator<Item = Output>,
    end: impl Fn(Output) -> Result<()>,
) -> Result<()> {
    let mut errors: Vec<_> = outputs.into_iter().filter_map(|output| end(output).err()).collect();
    let last = errors.pop();
    for error in errors {
        warn(format_args!("zugwerk: {error:#}"));
    }
    last.map_or(Ok(()), Err)
}

/// An output that is being written.
pub(crate) struct Output {
    path: PathBuf,
    force: bool,
    /// Where the file is until it is complete.
    folder: Option<Unfinished>,
    /// Removes a file that has its name from the beginning, if nothing is written.
    _begun: Option<Cleanup>,
}

impl Output {
    /// The path to write to; no file has it yet.
    pub(crate) fn path(&self) -> PathBuf {
        match &self.folder {
            Some(folder) => folder.path().join(self.path.file_name().unwrap_or_default()),
            None => self.path.clone(),
        }
    }

    /// Writes the whole file.
    pub(crate) fn write(self, bytes: &[u8]) -> Result<()> {
        fs::write(self.path(), bytes).with_context(|| cannot_write(&self.path))?;
        self.finish()
    }

    /// Gives the complete file its name. If that fails, for example because another program has made a file
    /// of that name meanwhile, the error tells where the file is.
    pub(crate) fn finish(self) -> Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        let written = self.path();
        if is_stream(&self.path) {
            let copy = || io::copy(&mut File::open(written)?, &mut open(&self.path)?);
            progress::above_the_bar(&io::stdout(), copy).with_context(|| cannot_write(&self.path))?;
            return Ok(());
        }
        let named = if self.force { replace(&written, &self.path) } else { name_anew(&written, &self.path) };
        named.map_err(|error| {
            folder.leave();
            let (path, written) = (self.path.display(), written.display());
            Error::new(error).context(format!("cannot write {path}; the result is in {written}"))
        })
    }

    /// Ends an output of [`Outputs::open_live`] that was interrupted, also by an error. The file that it
    /// would replace stays as it is, and what was written, if anything, stays where it is, which is printed
    /// on standard error.
    pub(crate) fn keep_unfinished(self) -> Result<()> {
        let written = self.path();
        if let Some(folder) =
            self.folder.as_ref().filter(|_| written.metadata().is_ok_and(|file| file.len() > 0))
        {
            folder.leave();
            let (old, written) = (self.path.display(), written.display());
            warn(format_args!(
                "zugwerk: not complete: {old} is as it was, and {written} has what was written"
            ));
        }
        Ok(())
    }

    /// The message about an output that cannot be written.
    pub(crate) fn cannot_write(&self) -> String {
        cannot_write(&self.path)
    }
}

/// Whether `path` is standard output: `-`, or a name that the system gives it.
pub(crate) fn is_stdout(path: &Path) -> bool {
    const NAMES: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    path == STDOUT || cfg!(unix) && NAMES.iter().any(|name| path == Path::new(name))
}

/// Whether `path` is standard output, or something that is neither a file nor a folder, such as `/dev/null`.
fn is_stream(path: &Path) -> bool {
    is_stdout(path) || path.metadata().is_ok_and(|there| !there.is_file() && !there.is_dir())
}

/// Opens a stream, or creates a file.
fn open(path: &Path) -> io::Result<Box<dyn Write>> {
    Ok(match path {
        path if is_stdout(path) => Box::new(io::stdout()),
        path if is_stream(path) => Box::new(OpenOptions::new().write(true).open(path)?),
        path => Box::new(File::create_new(path)?),
    })
}

/// Gives `written` the name `path`, unless a file has it.
fn name_anew(written: &Path, path: &Path) -> io::Result<()> {
    TempPath::try_from_path(written)?.persist_noclobber(path).map_err(|failed| {
        // Or else it would be removed.
        let _ = failed.path.keep();
        failed.error
    })
}

/// The message about an output that cannot be written.
pub(crate) fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another run with the same outputs may have finished first.
    #[test]
    fn each_of_several_outputs_is_kept_beside_a_file_that_has_its_name_by_now() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["one.zwd", "two.zwd"].map(|name| folder.path().join(name));
        let outputs = paths.each_ref().map(|path| Force { force: false }.open(path, []).unwrap());
        let written = outputs.each_ref().map(Output::path);
        for (path, written) in paths.iter().zip(&written) {
            fs::write(written, "own").unwrap();
            fs::write(path, "another's").unwrap();
        }
        let error = format!("{:#}", end_all(outputs, Output::finish).unwrap_err());
        assert!(error.contains(&format!("; the result is in {}: ", written[1].display())), "{error}");
        for (path, written) in paths.iter().zip(&written) {
            assert_eq!(fs::read(path).unwrap(), b"another's");
            assert_eq!(fs::read(written).unwrap(), b"own");
        }
    }
}
