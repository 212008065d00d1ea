//! What the web pages of several tools share: the frame, the board, charts, and the game that one can step
//! through.
//!
//! A page is one file that loads nothing from the internet. The wings that make pages use it:
//! [`report`](crate::report), [`arena`](crate::arena) and [`lessons`](crate::lessons).
//!
//! ```text
//!  frame    the head of a page, its style and scripts; data for the scripts
//!  board    a position as SVG
//!  curves   curves over a common axis as SVG
//!  played   a game as the scripts read it -> lines: its moves and remarks
//! ```
//!
//! Scripts and styles stand beside these files: `game.js` has the class `Game`, which a page extends;
//! `positions.js` knows the rules and plays moves, `chart.js` draws values, `board.js` the pieces. Begin with
//! [`frame`].

pub mod board;
pub mod chart;
pub mod frame;
pub(crate) mod lines;
pub(crate) mod played;
