//! Signs of annotators as numeric annotation glyphs.

/// Signs and the glyphs they stand for; of several signs for one glyph the first is the one to show.
///
/// Those up to `?!` are the standard's; those behind are what Informant's signs are written as in plain text and in
/// Unicode, with the numbers of the standard's table of glyphs.
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
/// The glyph of a theoretical novelty, whose sign `N` is read but looks like a knight.
const NOVELTY: u16 = 146;

/// The glyph that `sign` stands for, if it is one.
pub(super) fn of_sign(sign: &str) -> Option<u16> {
    let known = SIGNS.iter().find(|(known, _)| *known == sign).map(|(_, glyph)| *glyph);
    known.or_else(|| (sign == "N").then_some(NOVELTY))
}

/// The sign that people know `glyph` by, if there is one.
///
/// ```
/// use zugwerk::game::sign;
/// assert_eq!((sign(6), sign(14), sign(140)), (Some("?!"), Some("⩲"), None));
/// ```
#[must_use]
pub fn sign(glyph: u16) -> Option<&'static str> {
    SIGNS.iter().find(|(_, known)| *known == glyph).map(|(sign, _)| *sign)
}
