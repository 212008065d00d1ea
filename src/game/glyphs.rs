//! Annotation signs and their numeric annotation glyphs (NAGs).

/// Signs and their glyph numbers; if several signs have the same glyph, the first is used for output.
///
/// Those up to `?!` are the standard's. The others are Informant's signs in plain text and Unicode, with the numbers of
/// the standard's table of glyphs.
const SIGNS: [(&str, u16); 21] = [
    ("!", 1),
    ("?", 2),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("⩲", 14),
    ("+=", 14),
    ("+/=", 14),
    ("⩱", 15),
    ("=+", 15),
    ("=/+", 15),
    ("±", 16),
    ("+/-", 16),
    ("∓", 17),
    ("-/+", 17),
    ("+-", 18),
    ("-+", 19),
];
/// The glyph of a theoretical novelty. Its sign `N` is only read, because it looks like a knight.
const NOVELTY: u16 = 146;

/// The glyph of `sign`, if it is one.
pub(super) fn of_sign(sign: &str) -> Option<u16> {
    let known = SIGNS.iter().find(|(known, _)| *known == sign).map(|(_, glyph)| *glyph);
    known.or_else(|| (sign == "N").then_some(NOVELTY))
}

/// Splits off the sign at the end of `word`, the longest one, if there is one; returns what stands before it, and its glyph.
pub(super) fn split(word: &str) -> Option<(&str, u16)> {
    let split = SIGNS.iter().filter_map(|(sign, glyph)| Some((word.strip_suffix(sign)?, *glyph)));
    split.min_by_key(|(before, _)| before.len())
}

/// The usual sign of `glyph`, if there is one.
///
/// ```
/// use zugwerk::game::sign;
/// assert_eq!((sign(6), sign(14), sign(140)), (Some("?!"), Some("⩲"), None));
/// ```
#[must_use]
pub fn sign(glyph: u16) -> Option<&'static str> {
    SIGNS.iter().find(|(_, known)| *known == glyph).map(|(sign, _)| *sign)
}
