//! Zugwerk: a UCI chess engine on [`shakmaty`] boards, with tools and lessons built on the same code.
//!
//! The library contains the engine and every computation. The binary (`src/main.rs`, `src/cli/`) adds the terminal
//! interface. The rules of chess come from shakmaty. An example:
//!
//! ```
//! use zugwerk::{
//!     eval::Standard,
//!     notation,
//!     position::Position,
//!     search::{Limits, Searcher, Settings, Silent, Stop},
//!     value::Score,
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
//! # Ok::<(), zugwerk::position::FenError>(())
//! ```
//!
//! # The layers
//!
//! The list gives each module and what it imports, from the top down. `cli`, in the binary, may import every
//! module; no module imports `cli`.
//!
//! ```text
//!  uci:        bench diagram engine eval options perft position search text wdl words
//!  match_page: analysis drawing game stats tournament words
//!  analysis:   clock drawing eval game notation position rules search value words
//!  datagen:    bench data eval in_order position random rules search value words
//!  engine:     eval options position search syzygy words
//!  bench:      eval position search text
//!  drawing:    eval halt notation position search study tt value
//!  options:    eval search words
//!  tournament: clock epd game halt lock notation position rules settings stats text value words
//!  diagram:    eval position value
//!  epd:        notation position
//!  game:       notation position text
//!  rules:      notation position settings syzygy value
//!  search:     eval position syzygy tt value words
//!  study:      eval halt position tt value
//!  train:      data eval in_order position value wdl words
//!  data:       lock position value
//!  eval:       position value
//!  notation:   position value
//!  perft:      position value
//!  syzygy:     position
//!  tt:         advice position value
//!  position:   value
//!  stats:      settings
//!  wdl:        value
//!  advice:
//!  clock:
//!  halt:
//!  in_order:
//!  lock:
//!  random:
//!  settings:
//!  text:
//!  value:
//!  words:
//! ```
//!
//! Imports point downwards in this list and never upwards. A test (`tests/engine/layers.rs`) reads the imports and
//! compares them with the list, and finds files of one folder that import each other in a circle. This keeps each layer testable
//! alone: the search does not know its caller, the evaluator does not know the search, and a position does not know the
//! evaluator. `search` knows the trait [`eval::Evaluator`], never a concrete evaluator.
//!
//! `study` is separate on purpose: the tests compare the search with it. It therefore shares only positions,
//! evaluators and values with the search, and [`tt::Bound`], the type of a stored bound. The engine does not depend
//! on `analysis`, `drawing` and `tournament`. `analysis` uses the search and `drawing`. `drawing` draws the trees
//! of `study`, and the search as a [`Watcher`](search::Watcher) sees it. `tournament` needs neither engine nor
//! search, because its players are processes that speak UCI. `datagen` calls the search directly. `data` defines
//! the format of what `datagen` writes and knows only positions and values. `train` reads `data` and makes the
//! networks of `eval`.
//!
//! # The modules
//!
//! | module | contents |
//! |---|---|
//! | **foundations** | |
//! | [`random`] | seeded random generators |
//! | [`value`] | the scale of values, mates included, and the scores people see |
//! | [`position`] | boards with hash keys, the line that led to them, move generators, static exchange evaluation |
//! | **search and evaluation** | |
//! | [`eval`] | evaluators behind one trait, and their weights as data; networks |
//! | [`tt`] | the transposition table |
//! | [`syzygy`] | endgame tables, and how they rate moves |
//! | [`search`] | iterative deepening, the node as named steps, quiescence, time, threads |
//! | **engine and protocol** | |
//! | [`options`] | every option, declared once: name, kind, default, range, effect |
//! | [`engine`] | ownership of the search state; starting and stopping a search without blocking |
//! | [`uci`] | the UCI protocol: commands in, answers out |
//! | [`wdl`] | values as chances of winning, drawing and losing |
//! | **learning** | |
//! | [`study`] | minimax, alpha-beta, memoisation, the prototype: one idea per file |
//! | [`drawing`] | search trees, boards and charts as SVG and HTML |
//! | [`diagram`] | boards and evaluations as text |
//! | [`analysis`] | games analysed move by move: losses, marks, accuracy, a report |
//! | **measuring** | |
//! | [`rules`] | when a game is over, and when a referee adjudicates it |
//! | [`clock`] | durations and time controls as text |
//! | [`tournament`] | matches between UCI engines under a referee |
//! | [`match_page`] | a match as a web page |
//! | [`stats`] | statistics of results: Elo, joint ratings, SPRT; SPSA |
//! | [`bench`](mod@bench) | the benchmark, whose node count is the signature of the search |
//! | [`perft`] | counts of positions, the test of the move generator |
//! | [`data`] | training data: games in files of checksummed blocks |
//! | [`datagen`] | the self-play that produces the training data |
//! | [`train`] | trains networks on the training data |
//! | **notation** | |
//! | [`notation`] | moves and values as text |
//! | [`text`] | text files in UTF-8, UTF-16 or Windows-1252; lists of one entry a line |
//! | [`words`] | the words of messages: numbers with their nouns, foreign text |
//! | [`settings`] | `key=value` lists |
//! | [`halt`] | requests to end work early |
//! | [`in_order`] | work on many threads, whose results come in order |
//! | [`lock`] | locks of files against other processes |
//! | [`epd`], [`game`] | EPD records; PGN reading and writing, names of openings |
//!
//! To read on, start with [`search`], whose head explains how its parts work together, then read
//! `src/search/negamax.rs`, one node as a list of named steps. [`study`] is an easier start: the same ideas without
//! optimisations.
//!
//! # Lints
//!
//! `Cargo.toml` sets the lints for library and binary, and `.ci/run` turns every warning into an error. Their
//! purpose:
//!
//! * `unsafe_code` is denied except in `src/advice.rs`, which gives advice to processor and system. The
//!   shared table consists of atomics, so it cannot have a data race.
//! * `missing_docs`: every public item is documented. `unreachable_pub`: an item that is not meant for outside is
//!   not `pub`.
//! * Clippy's defaults, and some of its stricter lints that allow one spelling only (`let … else`, inlined format
//!   arguments, explicit copies). Code of different authors then looks the same.

mod advice;
pub mod analysis;
pub mod bench;
pub mod clock;
pub mod data;
pub mod datagen;
pub mod diagram;
pub mod drawing;
pub mod engine;
pub mod epd;
pub mod eval;
pub mod game;
pub mod halt;
pub mod in_order;
pub mod lock;
pub mod match_page;
pub mod notation;
pub mod options;
pub mod perft;
pub mod position;
pub mod random;
pub mod rules;
pub mod search;
pub mod settings;
pub mod stats;
pub mod study;
pub mod syzygy;
pub mod text;
pub mod tournament;
pub mod train;
pub mod tt;
pub mod uci;
pub mod value;
pub mod wdl;
pub mod words;
