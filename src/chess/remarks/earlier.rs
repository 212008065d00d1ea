//! What an earlier analysis of ours has written into a game, so that it can be recognised and taken back.

use super::Judgement;
use crate::chess::pgn::{Annotated, Game, Movetext, Remark};

/// The comment at the beginning of our variations.
pub(crate) const OURS: &str = "Zugwerk";
/// The prefix of our words on a move with our sign.
pub(crate) const SIGNED: &str = "Zugwerk: ";
/// The prefix of our words on a move with another annotator's sign.
pub(crate) const UNSIGNED: &str = "Zugwerk, beside the sign: ";

/// Praise of a move without which the game would be lost.
pub(crate) const HOLDS: &str = "the only move that holds";
/// Praise of a move without which the win would be gone.
pub(crate) const WINS: &str = "the only move that wins";
/// The beginning of the praise of a sacrifice.
pub(crate) const SACRIFICE: &str = "a sound sacrifice of ";
/// The glyph of a move that is praised: `!`.
pub(crate) const GOOD: u8 = 1;

/// The first words of the reasons of a judgement. Each reason is written with one of them, so that it is
/// recognised later.
pub(crate) mod verbs {
    pub(crate) const ALLOWS: &str = "allows";
    pub(crate) const GIVES: &str = "gives";
    pub(crate) const HANDS: &str = "hands";
    pub(crate) const LETS: &str = "lets";
    pub(crate) const LOSES: &str = "loses";
    pub(crate) const MAKES: &str = "makes";
    pub(crate) const MISSES: &str = "misses";
    pub(crate) const SHORTENS: &str = "shortens";
    /// A reason of one word.
    pub(crate) const STALEMATE: &str = "stalemate";
    pub(crate) const THROWS: &str = "throws";
    pub(crate) const TURNS: &str = "turns";
    pub(crate) const WORSENS: &str = "worsens";

    /// All of them.
    pub(super) const ALL: [&str; 12] =
        [ALLOWS, GIVES, HANDS, LETS, LOSES, MAKES, MISSES, SHORTENS, STALEMATE, THROWS, TURNS, WORSENS];
}

/// Returns `game` without the results of an earlier analysis, and without evaluations.
pub(crate) fn without_ours(game: &Game) -> Game {
    let mut game = game.clone();
    for remark in &mut game.movetext.before {
        if let Remark::Comment(text) = remark {
            *text = without_evaluations(text);
        }
    }
    game.movetext.before.retain(|remark| !matches!(remark, Remark::Comment(text) if text.is_empty()));
    game.movetext.moves.iter_mut().for_each(take_back);
    game
}

/// Removes the results of an earlier analysis, and other evaluations.
fn take_back(annotated: &mut Annotated) {
    let mut sign = None;
    for remark in &mut annotated.remarks {
        if let Remark::Comment(text) = remark {
            *text = without_evaluations(text);
            let Some((prefix, words, rest)) = verdict(text) else { continue };
            sign = sign.or_else(|| glyph(words).filter(|_| prefix == SIGNED));
            *text = rest.to_owned();
        }
    }
    // What a person has added to our line stays, and so does the line.
    let ours = |line: &Movetext| {
        matches!(&line.before[..], [Remark::Comment(text)] if text == OURS)
            && line.moves.iter().all(|annotated| annotated.remarks.is_empty())
    };
    annotated.remarks.retain(|remark| match remark {
        Remark::Comment(text) => !text.is_empty(),
        Remark::Variation(line) => !ours(line),
        Remark::Glyph(_) => true,
    });
    let sign = sign.map(|glyph| Remark::Glyph(glyph.into()));
    if let Some(at) = sign.and_then(|sign| annotated.remarks.iter().position(|remark| *remark == sign)) {
        annotated.remarks.remove(at);
    }
}

/// Splits `comment` into what the report puts before its words, the words, and the rest; `None` if the words
/// are not ours.
fn verdict(comment: &str) -> Option<(&'static str, &str, &str)> {
    let signed = |prefix| Some((prefix, comment.strip_prefix(prefix)?));
    let (prefix, words) = signed(SIGNED).or_else(|| signed(UNSIGNED))?;
    let (words, rest) = words.split_at_checked(sentence(words)?)?;
    is_verdict(words).then(|| (prefix, words, rest.strip_prefix('.').unwrap_or(rest).trim_start()))
}

/// The length of the first sentence of `text`, without its full stop. The dots of a move's number do not end
/// it.
fn sentence(text: &str) -> Option<usize> {
    let is_number = |word: &str| word.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit());
    let mut ends = text.split_inclusive(' ').scan(0, |end, word| {
        *end += word.len();
        Some((*end, word))
    });
    let (end, word) = ends.find(|(_, word)| word.trim_end().ends_with('.') && !is_number(word.trim_end()))?;
    Some(end - (word.len() - word.trim_end().len()) - 1)
}

/// Whether `words` are ours: a value with its depth, praise, or a judgement and perhaps its reason.
fn is_verdict(words: &str) -> bool {
    let words = match words.split_once(", ") {
        Some((value, rest)) if is_value_and_depth(value) => rest,
        _ => words,
    };
    let (judgement, reason) = words.split_once(", ").unwrap_or((words, ""));
    let is_fault = Judgement::ALL.iter().any(|known| known.word() == judgement)
        && (reason.is_empty()
            || reason.split([' ', ':']).next().is_some_and(|verb| verbs::ALL.contains(&verb)));
    is_fault || is_praise(words) || is_value_and_depth(words)
}

fn is_praise(words: &str) -> bool {
    [HOLDS, WINS].contains(&words) || words.starts_with(SACRIFICE)
}

/// The glyph that stands with our words.
fn glyph(words: &str) -> Option<u8> {
    let mut parts = words.split(", ");
    let fault = parts.find_map(|part| Judgement::ALL.into_iter().find(|fault| fault.word() == part));
    fault.map(Judgement::nag).or_else(|| words.split(", ").any(is_praise).then_some(GOOD))
}

/// Returns `comment` without `[%eval …]`, and without the value and the depth that version 1.0.0 wrote after
/// it. Those of a playing engine have its time behind them.
fn without_evaluations(comment: &str) -> String {
    let plain = without_commands(comment, "[%eval", |eval, rest| {
        let (word, behind) = rest.trim_start().split_once(' ').unwrap_or((rest.trim_start(), ""));
        let value = word.split_once('/').map(|(value, _)| value.trim_start_matches('+'));
        let is_same = value == Some(eval.trim()) && is_value_and_depth(word);
        if is_same && !begins_with_time(behind) { behind } else { rest }
    });
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the first word of `comment` is a number of seconds, `0.045s`.
fn begins_with_time(comment: &str) -> bool {
    let seconds = comment.split([' ', ',']).next().and_then(|word| word.strip_suffix('s'));
    seconds.is_some_and(|seconds| seconds.parse::<f64>().is_ok())
}

/// Returns `comment` without its commands to programs that begin with `command`; `skip` gets what each says,
/// and shortens the text after it.
pub(crate) fn without_commands<'c>(
    comment: &'c str,
    command: &str,
    skip: impl Fn(&str, &'c str) -> &'c str,
) -> String {
    let (mut kept, mut rest) = (String::new(), comment);
    while let Some((before, from_command)) = rest.split_once(command)
        && let Some((says, after)) = from_command.split_once(']')
    {
        kept += before;
        rest = skip(says, after);
    }
    kept + rest
}

/// Whether `word` has the form `+0.35/12` or `#-3/20`.
fn is_value_and_depth(word: &str) -> bool {
    let Some((value, depth)) = word.split_once('/') else { return false };
    let value = match value.strip_prefix('#') {
        Some(moves) => moves.parse::<i32>().is_ok(),
        None => value.contains('.') && value.parse::<f64>().is_ok_and(f64::is_finite),
    };
    value && depth.parse::<u32>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_words_end_at_their_full_stop() {
        for (comment, words, rest) in [
            ("Zugwerk: blunder. mine", "blunder", "mine"),
            (
                "Zugwerk: blunder, loses the knight on f6: 31. Qxf6. mine",
                "blunder, loses the knight on f6: 31. Qxf6",
                "mine",
            ),
            (
                "Zugwerk: mistake, gives a rook for a pawn: 9... Nxa2 10. Bb3. I saw it. Really",
                "mistake, gives a rook for a pawn: 9... Nxa2 10. Bb3",
                "I saw it. Really",
            ),
            ("Zugwerk: +0.35/12. mine", "+0.35/12", "mine"),
            (
                "Zugwerk: #-3/12, blunder, allows mate in 3: 9. Qh5+.",
                "#-3/12, blunder, allows mate in 3: 9. Qh5+",
                "",
            ),
            (
                "Zugwerk: inaccuracy, shortens the game to mate in 2: 29... Ne2. mine",
                "inaccuracy, shortens the game to mate in 2: 29... Ne2",
                "mine",
            ),
            ("Zugwerk: the only move that holds.", "the only move that holds", ""),
            (
                "Zugwerk: a sound sacrifice of the queen on b8: 16... Nxb8. !!",
                "a sound sacrifice of the queen on b8: 16... Nxb8",
                "!!",
            ),
            (
                "Zugwerk, beside the sign: mistake, lets the advantage go: +2.10 to +0.30.",
                "mistake, lets the advantage go: +2.10 to +0.30",
                "",
            ),
        ] {
            let (_, found, behind) = verdict(comment).expect(comment);
            assert_eq!((found, behind), (words, rest));
        }
        for comment in [
            "Zugwerk: I like this.",
            "Zugwerk: blunder? No.",
            "Zugwerk: blunder, I think.",
            "Zugwerk: blunder without an end",
            "Zugwerk: 31. Qxf6.",
            "Zugwerk: 31. ",
            "Zugwerk: the only move that wins, I think.",
            "Zugwerk: +0.35/12 or so.",
            "Zugwerk: ",
        ] {
            assert!(verdict(comment).is_none(), "{comment}");
        }
    }
}
