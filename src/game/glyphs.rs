//! Signs of annotators as numeric annotation glyphs.

/// The glyph that `sign` stands for, if it is one.
///
/// Those up to `?!` are the standard's; those behind are what Informant's signs are written as in plain text and in
/// Unicode, with the numbers of the standard's table of glyphs.
pub(super) fn of_sign(sign: &str) -> Option<u16> {
    Some(match sign {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        "□" => 7,
        "=" => 10,
        "∞" => 13,
        "+=" | "+/=" | "⩲" => 14,
        "=+" | "=/+" | "⩱" => 15,
        "+/-" | "±" => 16,
        "-/+" | "∓" => 17,
        "+-" => 18,
        "-+" => 19,
        "N" => 146,
        _ => return None,
    })
}
