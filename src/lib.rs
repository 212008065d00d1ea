//! Zugwerk: a UCI chess engine on [`shakmaty`] boards, with tools and lessons built on the same code.
//!
//! The library contains the engine and every computation. The binary (`src/main.rs`, `src/cli/`) adds the
//! terminal interface. The rules of chess come from shakmaty. An example:
//!
//! ```
//! use zugwerk::{
//!     chess::{notation, position::Position, value::Score},
//!     engine::{
//!         eval::Standard,
//!         search::{Limits, Searcher, Settings, Silent, Stop},
//!     },
//! };
//!
//! let position = Position::from_fen("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")?;
//! let mut searcher = Searcher::<Standard>::new(16); // a transposition table of 16 MiB
//! let found =
//!     searcher.search(&position, &Limits::depth(5), &Stop::default(), &Settings::default(), &mut Silent);
//!
//! let best = found.best.expect("White has legal moves");
//! assert_eq!(notation::san(&position, best), "Ra8#");
//! assert_eq!(found.lines[0].score(), Score::Mate(1));
//! # Ok::<(), zugwerk::chess::position::FenError>(())
//! ```
//!
//! # The nine wings
//!
//! | wing | is for | sees |
//! |---|---|---|
//! | [`chess`] | positions, values, moves as text, files of games | none |
//! | [`rules`] | when a game is over, when it is adjudicated | chess |
//! | [`engine`] | UCI, options, search, evaluation, transposition table | chess |
//! | [`pages`] | what web pages share: frame, board, charts, game | chess |
//! | [`lessons`] | the textbook search, and the trees it draws | engine, pages, chess |
//! | [`report`] | a game judged and explained, and its page | engine, pages, rules, chess |
//! | [`arena`] | matches: schedule, players, referee, record, statistics, page | pages, rules, chess |
//! | [`workshop`] | training data, self-play, training, SPSA | engine, rules, chess |
//! | `cli` | the subcommands, in the binary | all |
//!
//! Beside them stand small files that any wing may use: [`files`] (locks of files), [`halt`] (requests to end
//! work early), [`in_order`] (work on many threads), [`random`] (seeded generators), [`settings`]
//! (`key=value` lists) and [`words`] (numbers with their nouns, foreign text).
//!
//! A test (`tests/engine/wings.rs`) reads the imports and holds them against this rule. `arena` never sees
//! `engine`, because its players are processes. The algorithms of `lessons` share only positions, evaluators,
//! values and [`tt::Bound`](engine::tt::Bound) with the search, because the tests compare the search with
//! them; [`lessons::drawing`] also draws the search, as a watcher sees it.
//!
//! To read on, start with [`engine`], whose head follows a `go` to its `bestmove` in six files. [`lessons`]
//! is an easier start: the same ideas without optimisations.
//!
//! # Lints
//!
//! `Cargo.toml` sets the lints for library and binary, and `.ci/run` turns every warning into an error. Their
//! purpose:
//!
//! * `unsafe_code` is denied except in `src/engine/hints.rs`, which gives hints to processor and system.
//!   The shared table consists of atomics, so it cannot have a data race.
//! * `missing_docs`: every public item is documented. `unreachable_pub`: an item that is not meant for
//!   outside is not `pub`.
//! * Clippy's defaults, and some of its stricter lints that allow one spelling only (`let … else`, inlined
//!   format arguments, explicit copies). Code of different authors then looks the same.

pub mod arena;
pub mod chess;
pub mod engine;
pub mod files;
pub mod halt;
pub mod in_order;
pub mod lessons;
pub mod pages;
pub mod random;
pub mod report;
pub mod rules;
pub mod settings;
pub mod words;
pub mod workshop;
