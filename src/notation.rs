//! Moves and values as people write them.

use shakmaty::{Move, san::SanPlus};

use crate::{
    position::Position,
    value::{INFINITE, Score, Value},
};

/// Legal move `m` of `position` in standard algebraic notation, with `+` or `#`.
///
/// ```
/// use zugwerk::{notation::san, position::Position};
/// let start = Position::default();
/// assert_eq!(san(&start, start.find_move("g1f3").unwrap()), "Nf3");
/// ```
#[must_use]
pub fn san(position: &Position, m: Move) -> String {
    SanPlus::from_move(position.chess().clone(), m).to_string()
}

/// `moves`, to be played one after the other from `position`, in standard algebraic notation.
#[must_use]
pub fn san_line(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    moves
        .iter()
        .map(|&m| {
            let text = san(&position, m);
            position.play(m);
            text
        })
        .collect()
}

/// `moves` with move numbers: `12. Nf3 Nc6 13. Bb5`, or `12... Nc6 13. Bb5` if Black begins.
#[must_use]
pub fn numbered(position: &Position, moves: &[Move]) -> String {
    use shakmaty::Position as _;
    let mut number = position.chess().fullmoves().get();
    let mut white = position.turn().is_white();
    let mut words = Vec::with_capacity(moves.len());
    for (index, text) in san_line(position, moves).into_iter().enumerate() {
        words.push(match (white, index) {
            (true, _) => format!("{number}. {text}"),
            (false, 0) => format!("{number}... {text}"),
            (false, _) => text,
        });
        if !white {
            number += 1;
        }
        white = !white;
    }
    words.join(" ")
}

/// A value in pawns with its sign, or the moves to mate after a `#`.
///
/// ```
/// use zugwerk::{notation::pawns, value::{mate_in, mated_in}};
/// assert_eq!(pawns(135), "+1.35");
/// assert_eq!(pawns(0), "0.00");
/// assert_eq!(pawns(mate_in(3)), "#2");
/// assert_eq!(pawns(mated_in(2)), "#-1");
/// ```
#[must_use]
pub fn pawns(value: Value) -> String {
    if value.abs() >= INFINITE {
        return if value > 0 { "∞".into() } else { "-∞".into() };
    }
    match Score::from(value) {
        Score::Cp(0) => "0.00".into(),
        Score::Cp(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(0) => if value < 0 { "#-0" } else { "#0" }.into(),
        Score::Mate(moves) => format!("#{moves}"),
    }
}
