//! What the analysis of another program has written into a game, as Lichess does it: `[%eval 0.55]` after
//! each move, and after a bad one `(0.17 → 0.55) Mistake. Nf3 was best.`, with the better line.

use crate::chess::{
    pgn::Game,
    value::{Value, announced_mate, plies_to_mate},
};

/// How the sentences begin.
const SENTENCES: [&str; 5] = [
    "Inaccuracy.",
    "Mistake.",
    "Blunder.",
    "Lost forced checkmate sequence.",
    "Checkmate is now unavoidable.",
];

/// Returns the value after each move of the main line by `[%eval …]`, for White.
#[must_use]
pub fn values(game: &Game) -> Vec<Option<Value>> {
    let moves = game.movetext.moves.iter();
    moves.map(|annotated| annotated.comments().find_map(value)).collect()
}

/// Reads `[%eval 0.17]`, `[%eval 0.17,20]` with a depth, or `[%eval #-3]`. With a depth ChessBase writes
/// centipawns, without a point: `[%eval 17,20]`.
fn value(comment: &str) -> Option<Value> {
    let (_, rest) = comment.split_once("[%eval ")?;
    let (value, _) = rest.split_once(']')?;
    let (value, depth) = value.split_once(',').unwrap_or((value, ""));
    let value = value.trim();
    match value.strip_prefix('#') {
        Some(moves) => mate_in_moves(moves),
        None => {
            let unit = if depth.is_empty() || value.contains('.') { 100.0 } else { 1.0 };
            let centipawns = value.parse::<f64>().ok()? * unit;
            (centipawns.abs() < 20_000.0).then_some(centipawns.round() as Value)
        }
    }
}

/// Reads the number of moves to a mate. Its sign says who mates, also before a zero.
pub(super) fn mate_in_moves(text: &str) -> Option<Value> {
    let moves = text.parse::<i16>().ok()?;
    Some(announced_mate(!text.starts_with('-'), plies_to_mate(moves.into())))
}

/// A sentence of such an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sentence<'c> {
    /// The better move that it names, in SAN.
    pub better: Option<&'c str>,
}

/// Reads `comment`, without its commands, if it is such a sentence and nothing more. What a person may say,
/// such as `Mistake.`, is none: there are values before it, or a better move behind it.
#[must_use]
pub fn sentence(comment: &str) -> Option<Sentence<'_>> {
    let (has_values, words) = match comment.strip_prefix('(').and_then(|rest| rest.split_once(") ")) {
        Some((values, words)) if values.contains('→') => (true, words),
        _ => (false, comment),
    };
    let rest = SENTENCES.iter().find_map(|begin| words.strip_prefix(begin))?;
    match rest.split_whitespace().collect::<Vec<&str>>()[..] {
        [] => has_values.then_some(Sentence { better: None }),
        [better, "was", "best."] => Some(Sentence { better: Some(better) }),
        ["Best", "move", "was", better] => Some(Sentence { better: Some(better.trim_end_matches('.')) }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{
        pgn::read_games,
        value::{mate_in, mated_in},
    };

    #[test]
    fn values_are_read() {
        let pgn = "1. e4 {[%eval 0.17] [%clk 0:03:00]} e5 {a} {[%eval -1.5,20]} 2. Nf3 {[%eval #3]} Nc6 {[%eval #-2]} \
                   3. Bb5 {[%eval x]} a6 {[%eval -106,29] [%wdl 1,444,555]} *";
        let game = read_games(pgn.as_bytes()).unwrap().remove(0).unwrap();
        assert_eq!(
            values(&game),
            [Some(17), Some(-150), Some(mate_in(5)), Some(mated_in(4)), None, Some(-106)]
        );
    }

    #[test]
    fn sentences_are_recognised() {
        for (comment, better) in [
            ("(0.17 → 0.55) Inaccuracy. Nf3 was best.", Some("Nf3")),
            ("Mistake. O-O was best.", Some("O-O")),
            ("Inaccuracy. Best move was Nf3.", Some("Nf3")),
            ("(Mate in 3 → 4.21) Lost forced checkmate sequence. Qf7# was best.", Some("Qf7#")),
            ("(-0.30 → Mate in 2) Checkmate is now unavoidable. g3 was best.", Some("g3")),
            ("(0.00 → 8.50) Blunder.", None),
        ] {
            assert_eq!(sentence(comment), Some(Sentence { better }), "{comment}");
        }
        for comment in [
            "",
            "Blunder",
            "Blunder.",
            "Blunder. I saw Nf3 too late.",
            "(a joke) Mistake.",
            "Mistake. Nf3 was best. Really",
            "é",
        ] {
            assert_eq!(sentence(comment), None, "{comment}");
        }
    }
}
