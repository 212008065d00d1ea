//! Flags that several subcommands share: the position.

use zugwerk::chess::position::{Position, fen_flaws};

use super::print::warn;

/// Flags that set the position.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct PositionFlags {
    /// The position: a FEN, or `startpos`, the default
    #[arg(long)]
    fen: Option<String>,
    /// The position without --fen, quoted or not
    #[arg(value_name = "FEN", conflicts_with = "fen", num_args = 0..=6)]
    words: Vec<String>,
}

impl PositionFlags {
    /// Whether no position was requested.
    pub(crate) fn is_left_out(&self) -> bool {
        self.fen.is_none() && self.words.is_empty()
    }

    /// The requested position.
    pub(crate) fn position(&self) -> anyhow::Result<Position> {
        position(self.fen.as_deref(), &self.words)
    }
}

/// Parses the position of `fen`, or else of `words`; the default is the starting position.
pub(crate) fn position(fen: Option<&str>, words: &[String]) -> anyhow::Result<Position> {
    let words = (!words.is_empty()).then(|| words.join(" "));
    let fen = fen.or(words.as_deref()).filter(|fen| fen.trim() != "startpos");
    let Some(fen) = fen else { return Ok(Position::default()) };
    for flaw in fen_flaws(fen) {
        warn(format_args!("zugwerk: the FEN has {flaw}"));
    }
    Position::from_fen(fen)
        .map_err(|error| anyhow::anyhow!("expected a FEN to play from, got \"{fen}\" ({error})"))
}
