//! Annotation signs and their numeric annotation glyphs (NAGs).

/// Glyph numbers and their signs, of which the first is used for output.
///
/// Those up to `?!` are the standard's. The others are Informant's signs in plain text and Unicode, with the
/// numbers of the standard's table of glyphs; of those with a number for each side, as ChessBase does,
/// White's stands for both.
const SIGNS: [(u16, &[&str]); 21] = [
    (1, &["!"]),
    (2, &["?"]),
    (3, &["!!", "‼"]),
    (4, &["??", "⁇"]),
    (5, &["!?", "⁉"]),
    (6, &["?!", "⁈"]),
    (7, &["□"]),
    (10, &["="]),
    (13, &["∞"]),
    (14, &["⩲", "+=", "+/="]),
    (15, &["⩱", "=+", "=/+"]),
    (16, &["±", "+/-"]),
    (17, &["∓", "-/+"]),
    (18, &["+-"]),
    (19, &["-+"]),
    (20, &["+--"]),
    (21, &["--+"]),
    (36, &["↑"]),
    (40, &["→"]),
    (132, &["⇆"]),
    (138, &["⊕"]),
];
/// The glyph of a theoretical novelty. Its signs `N` and `TN` are only read, because they look like a knight.
const NOVELTY: u16 = 146;

/// How the signs for the idea of a move begin, which stand before the moves that it intends: `/\Qd2`.
const IDEAS: [&str; 3] = ["/\\", "∆", "△"];

/// The glyph of `sign`, if it is one.
pub(super) fn of_sign(sign: &str) -> Option<u16> {
    let known = SIGNS.iter().find(|(_, signs)| signs.contains(&sign)).map(|(glyph, _)| *glyph);
    known.or_else(|| ["N", "TN"].contains(&sign).then_some(NOVELTY))
}

/// Whether `word` is the idea of a move with the move that it intends.
pub(super) fn is_idea(word: &str) -> bool {
    IDEAS.iter().any(|sign| word.starts_with(sign))
}

/// Splits off the sign at the end of `word`, the longest one, if there is one; returns what stands before it,
/// and its glyph.
pub(super) fn split(word: &str) -> Option<(&str, u16)> {
    let signs = SIGNS.iter().flat_map(|(glyph, signs)| signs.iter().map(|sign| (*sign, *glyph)));
    let split = signs.filter_map(|(sign, glyph)| Some((word.strip_suffix(sign)?, glyph)));
    split.min_by_key(|(before, _)| before.len())
}

/// The usual sign of `glyph`, if there is one.
///
/// ```
/// use zugwerk::chess::pgn::sign;
/// assert_eq!((sign(6), sign(14), sign(140)), (Some("?!"), Some("⩲"), None));
/// ```
#[must_use]
pub fn sign(glyph: u16) -> Option<&'static str> {
    SIGNS.iter().find(|(known, _)| *known == glyph).map(|(_, signs)| signs[0])
}
