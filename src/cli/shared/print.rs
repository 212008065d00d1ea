//! Prints what subcommands say, so that neither a closed pipe nor a progress bar disturbs it. Control
//! characters become blanks: the text may have names from a foreign file or engine, and such characters could
//! command the terminal.

use std::{
    fmt::Display,
    io::{self, IsTerminal as _, Write as _},
    sync::Arc,
};

use zugwerk::chess::syzygy::{Probe as _, Tables};

use super::{progress, table::fit};

/// Prints a line. Unlike `println!` it does not panic when the pipe is closed.
pub(crate) fn say(line: impl Display) -> io::Result<()> {
    let line = without_control_characters(&format!("{line}\n"));
    progress::above_the_bar(&io::stdout(), || io::stdout().write_all(line.as_bytes()))
}

/// Prints `text` and ends its last line, for tools whose exit code matters even if the pipe is closed. Other
/// errors, such as a full disk, are returned.
pub(crate) fn print_text(text: impl Display) -> io::Result<()> {
    let text = without_control_characters(&ended(text));
    match progress::above_the_bar(&io::stdout(), || io::stdout().write_all(text.as_bytes())) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome,
    }
}

/// Refuses a terminal as the output of a picture, which it cannot show.
pub(crate) fn refuse_terminal() -> anyhow::Result<()> {
    anyhow::ensure!(
        !io::stdout().is_terminal(),
        "expected --output FILE, or an output to a file or a pipe, got a terminal"
    );
    Ok(())
}

/// Prints the result of a tool: as JSON if `is_json`, or else as text.
pub(crate) fn report_result(
    is_json: bool,
    text: impl Display,
    json: &impl serde::Serialize,
) -> anyhow::Result<()> {
    match is_json {
        true => print_text(serde_json::to_string_pretty(json)?)?,
        false => print_text(text)?,
    }
    Ok(())
}

/// `text` with a line break at its end.
fn ended(text: impl Display) -> String {
    let mut text = text.to_string();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Prints `text` on standard error, no wider than the terminal, ends its last line and ignores errors.
pub(crate) fn warn(text: impl Display) {
    let text = without_control_characters(&fit(&ended(text)));
    let _ = progress::above_the_bar(&io::stderr(), || io::stderr().write_all(text.as_bytes()));
}

/// `text` with blanks instead of control characters, except line breaks.
fn without_control_characters(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect()
}

/// Warns of the damaged files of the tables that adjudicate games, each once.
pub(crate) fn warn_of_damage(tables: Option<&Arc<Tables>>) {
    for problem in tables.into_iter().flat_map(|tables| tables.problems()) {
        warn(problem);
    }
}

/// Whether the error is only that the reader of the output has closed the pipe (`zugwerk bench | head`).
pub(crate) fn nobody_reads(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
