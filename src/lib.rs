//! Zugwerk: a UCI chess engine over [`shakmaty`] boards, and the tools and lessons around it.
//!
//! The library is the engine and everything that can be computed; the binary (`src/main.rs`, `src/cli/`) adds the
//! terminal. The rules of chess come from shakmaty, the rest is here:
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
//! Each module and what it imports, from the top down. `cli`, in the binary, sees everything, and nothing sees it.
//!
//! ```text
//!  uci:        bench datagen diagram engine epd eval options perft position search wdl
//!  analysis:   drawing eval game notation position rules search value
//!  datagen:    bench data eval position rules search syzygy value wdl
//!  engine:     book eval options position search syzygy
//!  bench:      eval position search
//!  drawing:    eval notation position search study tt value
//!  options:    eval search
//!  tournament: clock epd game notation position rules settings stats value
//!  diagram:    eval position value
//!  epd:        notation position
//!  book:       game position
//!  game:       notation position
//!  rules:      notation position settings syzygy value
//!  search:     eval position syzygy tt value
//!  study:      eval position tt value
//!  train:      data eval value wdl
//!  tune:       data eval position value
//!  data:       position value
//!  eval:       position value
//!  notation:   position value
//!  perft:      position value
//!  syzygy:     position
//!  tt:         memory position value
//!  position:   value
//!  stats:      settings
//!  wdl:        value
//!  clock:
//!  memory:
//!  settings:
//!  value:
//! ```
//!
//! Imports point downwards in this list and never upwards; a test (`tests/engine/layers.rs`) reads them and holds the list
//! against them. That is what keeps each layer testable alone: the search does not know who asks, the evaluator does not
//! know the search, and a position does not know that it is evaluated. `search` knows the trait [`eval::Evaluator`], never a
//! concrete evaluator.
//!
//! `study` stands apart on purpose. It is the independent witness the tests hold the search against, so it shares
//! with it no more than positions, evaluators and values, and one word: [`tt::Bound`], how a remembered value is to be
//! read. `analysis`, `drawing` and `tournament` stand beside the engine: it works without them. `analysis` uses the
//! search and `drawing`; `drawing` paints what `study` holds and what it sees of the search as a
//! [`Watcher`](search::Watcher); `tournament` needs neither engine nor search, since its players are processes that
//! speak UCI; `datagen` plays with the search itself, and `data`, the form of what it writes, knows no more than
//! positions. `tune` reads `data` and fits what `eval` counts; `train` reads `data` and makes the networks of `eval`.
//!
//! # What is where
//!
//! | module | what it holds |
//! |---|---|
//! | **the ground** | |
//! | [`value`] | the scale of values, mates included, and the scores people see |
//! | [`position`] | boards with hash keys, the line that led to them, move generators, static exchange evaluation |
//! | **thinking** | |
//! | [`eval`] | evaluators behind one trait, and their weights as data; networks |
//! | [`tt`] | the transposition table |
//! | [`syzygy`] | endgame tables, and what they say of moves |
//! | [`search`] | iterative deepening, the node as named steps, quiescence, time, threads |
//! | **speaking** | |
//! | [`options`] | every option once: name, kind, default, range, effect |
//! | [`engine`] | who has the search's memory now; starting and stopping without waiting |
//! | [`book`] | opening books, read and made |
//! | [`uci`] | lines in, lines out |
//! | [`wdl`] | values as chances of winning, drawing and losing |
//! | **learning** | |
//! | [`study`] | minimax, alpha-beta, memo, the prototype: one idea per file |
//! | [`drawing`] | search trees, boards and charts as SVG, DOT and HTML |
//! | [`diagram`] | boards and evaluations in letters |
//! | [`analysis`] | games move by move: losses, marks, accuracy, a report |
//! | **measuring** | |
//! | [`rules`] | when a game is over, and when a referee calls it over |
//! | [`clock`] | durations and time controls as people write them |
//! | [`tournament`] | matches between UCI engines under a referee |
//! | [`stats`] | what results are worth: Elo, joint ratings, SPRT; SPSA |
//! | [`bench`](mod@bench) | the benchmark, whose node count is the signature of the search |
//! | [`perft`] | counting positions, the test of the move generator |
//! | [`data`] | training data: games and positions in files of checksummed blocks; shuffling, export |
//! | [`datagen`] | the self-play that makes them; new scores for old positions |
//! | [`tune`] | the classical evaluator's weights fitted to them |
//! | [`train`] | networks that learn from them |
//! | **notation** | |
//! | [`notation`] | moves and values as people write them |
//! | [`settings`] | `key=value` lists |
//! | [`epd`], [`game`] | EPD records; PGN read and written |
//!
//! To read on: [`search`], whose head shows how its parts hang together, then `src/search/negamax.rs`, one node as a
//! list of named steps. [`study`] is the gentler way in: the same ideas without the cleverness.
//!
//! # Lints
//!
//! `Cargo.toml` sets them for library and binary, and `.ci/run` turns every warning into an error. They serve this:
//!
//! * `unsafe_code` is denied but for `src/memory.rs`, advice to the machine: the shared table is made of atomics, so that
//!   a data race cannot be written.
//! * `missing_docs`: whatever is public says what it is. `unreachable_pub`: what is not meant for outside is not `pub`.
//! * Clippy's defaults, and a few of its stricter lints that make one spelling the only one (`let … else`, inlined
//!   format arguments, explicit copies), so that two authors write the same code.

pub mod analysis;
pub mod bench;
pub mod book;
pub mod clock;
pub mod data;
pub mod datagen;
pub mod diagram;
pub mod drawing;
pub mod engine;
pub mod epd;
pub mod eval;
pub mod game;
mod memory;
pub mod notation;
pub mod options;
pub mod perft;
pub mod position;
pub mod rules;
pub mod search;
pub mod settings;
pub mod stats;
pub mod study;
pub mod syzygy;
pub mod tournament;
pub mod train;
pub mod tt;
pub mod tune;
pub mod uci;
pub mod value;
pub mod wdl;
