//! The lines that a person types.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

use rustyline::{Config, DefaultEditor, error::ReadlineError};
use zugwerk::chess::text::decode;

/// Where lines come from.
pub(super) enum Prompt {
    /// A terminal: lines can be edited, and the keys ↑ and ↓ bring back earlier ones.
    Terminal(Box<DefaultEditor>),
    /// A pipe or a file.
    Plain,
}

impl Prompt {
    pub(super) fn new() -> Self {
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let editor = || DefaultEditor::with_config(Config::builder().auto_add_history(true).build()).ok();
        is_terminal.then(editor).flatten().map_or(Self::Plain, |editor| Self::Terminal(Box::new(editor)))
    }

    /// Shows `text` and reads a line; `None` at the end of the input, which is also Ctrl-C and Ctrl-D in a
    /// terminal.
    pub(super) fn read(&mut self, text: &str) -> io::Result<Option<String>> {
        match self {
            Self::Terminal(editor) => match editor.readline(text) {
                Ok(line) => Ok(Some(line)),
                Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                Err(ReadlineError::Io(error)) => Err(error),
                Err(error) => Err(io::Error::other(error)),
            },
            Self::Plain => {
                write!(io::stdout(), "{text}")?;
                io::stdout().flush()?;
                let mut line = Vec::new();
                let is_over = io::stdin().lock().read_until(b'\n', &mut line)? == 0;
                if is_over {
                    writeln!(io::stdout())?;
                }
                Ok((!is_over).then(|| decode(&line)))
            }
        }
    }
}
