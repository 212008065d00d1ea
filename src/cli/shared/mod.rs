//! What the subcommands share: flags, input and output files, and what a person sees and presses.
//!
//! | for | files |
//! |---|---|
//! | flags | [`effort`], [`evaluator`], [`filter`], [`load`], [`option_flags`], [`position`], [`settings`],
//! | | [`techniques`], [`threads`] |
//! | matches | [`found_games`], [`match_table`], [`openings`], [`players`] |
//! | input files | [`input`] |
//! | output files | [`output`], [`unfinished`] |
//! | the terminal | [`interrupt`], [`print`], [`progress`], [`shell`], [`table`], [`terminal`], [`ticker`] |
//! | the end | [`status`] |

pub(crate) mod effort;
pub(crate) mod evaluator;
pub(crate) mod filter;
pub(crate) mod found_games;
pub(crate) mod input;
pub(crate) mod interrupt;
pub(crate) mod load;
pub(crate) mod match_table;
pub(crate) mod openings;
pub(crate) mod option_flags;
pub(crate) mod output;
pub(crate) mod players;
pub(crate) mod position;
pub(crate) mod print;
pub(crate) mod progress;
pub(crate) mod settings;
pub(crate) mod shell;
pub(crate) mod status;
pub(crate) mod table;
pub(crate) mod techniques;
pub(crate) mod terminal;
pub(crate) mod threads;
pub(crate) mod ticker;
pub(crate) mod unfinished;
