//! What an earlier analysis of ours has written into a game, so that it can be recognised and taken back.

use super::Judgement;
use crate::chess::pgn::{Annotated, Game, Movetext, Remark};

/// The comment at the beginning of our variations.
pub(crate) const OURS: &str = "Zugwerk";
/// The prefix of our words on a move with our sign.
pub(crate) const SIGNED: &str = "Zugwerk: ";
/// The prefix of our words on a move with another annotator's sign.
pub(crate) const UNSIGNED: &str = "Zugwerk, beside the sign: ";

/// Returns `game` without the results of an earlier analysis, and without evaluations.
pub(crate) fn without_ours(game: &Game) -> Game {
    let mut game = game.clone();
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
            let fault = || Judgement::ALL.into_iter().find(|fault| words.starts_with(fault.word()));
            sign = sign.or_else(|| (prefix == SIGNED).then(fault).flatten());
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
    let glyph = sign.map(|fault| Remark::Glyph(fault.nag().into()));
    if let Some(at) = glyph.and_then(|glyph| annotated.remarks.iter().position(|remark| *remark == glyph)) {
        annotated.remarks.remove(at);
    }
}

/// Splits `comment` into what the report puts before its words, the words, and the rest; `None` if the words are not ours.
fn verdict(comment: &str) -> Option<(&'static str, &str, &str)> {
    let signed = |prefix| Some((prefix, comment.strip_prefix(prefix)?));
    let (prefix, words) = signed(SIGNED).or_else(|| signed(UNSIGNED))?;
    let (words, rest) = words.split_once('.')?;
    is_verdict(words).then(|| (prefix, words, rest.trim_start()))
}

/// Whether `words` have the form of the words of a judgement.
fn is_verdict(words: &str) -> bool {
    words.split(", ").all(|word| {
        let slip = word.strip_prefix("allows mate in ").or_else(|| word.strip_prefix("misses mate in "));
        slip.is_some_and(|moves| moves.parse::<u32>().is_ok())
            || Judgement::ALL.iter().any(|judgement| judgement.word() == word)
    })
}

/// Returns `comment` without `[%eval …]`, and without the value and the depth that the report writes after it. Those of a
/// playing engine have its time behind them.
fn without_evaluations(comment: &str) -> String {
    let plain = without_commands(comment, "[%eval", |rest| {
        let (word, behind) = rest.trim_start().split_once(' ').unwrap_or((rest.trim_start(), ""));
        if is_value_and_depth(word) && !begins_with_time(behind) { behind } else { rest }
    });
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the first word of `comment` is a number of seconds, `0.045s`.
pub(crate) fn begins_with_time(comment: &str) -> bool {
    let seconds = comment.split([' ', ',']).next().and_then(|word| word.strip_suffix('s'));
    seconds.is_some_and(|seconds| seconds.parse::<f64>().is_ok())
}

/// Returns `comment` without its commands to programs that begin with `command`; `skip` shortens the text after each.
pub(crate) fn without_commands(comment: &str, command: &str, skip: impl Fn(&str) -> &str) -> String {
    let (mut kept, mut rest) = (String::new(), comment);
    while let Some((before, from_command)) = rest.split_once(command)
        && let Some((_, after)) = from_command.split_once(']')
    {
        kept += before;
        rest = skip(after);
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
