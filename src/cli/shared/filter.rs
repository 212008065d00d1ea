//! Flags that several subcommands share: the filter of training data.

use zugwerk::workshop::data::Filter;

/// Flags that choose positions of training data.
#[derive(clap::Args)]
pub(crate) struct FilterFlags {
    /// Leave out larger scores for either side, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 2500)]
    score_limit: i32,
    /// Leave out positions before this ply of the game
    #[arg(long, value_name = "PLY", default_value_t = Filter::OPENING_PLIES)]
    first_ply: u16,
    /// Include positions in check, and those whose best move is a capture or a promotion
    #[arg(long)]
    tactical: bool,
}

impl FilterFlags {
    /// Converts the flags to a filter.
    pub(crate) fn filter(&self) -> Filter {
        let quiet = !self.tactical;
        let (score_limit, first_ply) = (Some(self.score_limit), self.first_ply);
        Filter { no_checks: quiet, no_tacticals: quiet, no_mates: true, score_limit, first_ply }
    }
}
