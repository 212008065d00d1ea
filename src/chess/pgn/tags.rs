//! The tags of a game.

use super::{
    Game, Remark,
    tokens::{Part, Token, Tokens, is_space, plain},
};
use crate::chess::position::{Position, fen_flaws};

/// The names of tags that are known in any case.
const NAMES: [&str; 10] =
    ["Event", "Site", "Date", "Round", "White", "Black", "Result", "SetUp", "FEN", "Variant"];

/// Reads the tags from byte `begin` on into `game`, and the comments before and between them; a tag that
/// cannot be read becomes such a comment. Returns their end, and the error of the starting position.
pub(super) fn read_tags(part: &Part<'_>, begin: usize, game: &mut Game) -> (Result<(), String>, usize) {
    let (mut start, mut at) = (Ok(()), begin);
    loop {
        let rest = &part.text[at..];
        let inside = rest.trim_start_matches(is_space);
        let space = &rest[..rest.len() - inside.len()];
        let line = inside.lines().next().unwrap_or_default();
        if line.starts_with('%') && space.ends_with('\n') {
            at += space.len() + line.len();
            continue;
        }
        let is_tag_or_comment = line.starts_with(['[', '{', ';']);
        let before = is_tag_or_comment.then(|| comments_before_tag(part, at + space.len())).flatten();
        let Some((comments, have_empty_line, end)) = before else { return (start, at) };
        let is_first = at == begin;
        let behind_empty_line = !is_first && (space.matches('\n').count() > 1 || have_empty_line);
        let inside = part.text[end..].trim_start_matches(is_space);
        let tag = tag(inside);
        if tag.is_none() && is_last_tag(inside) {
            part.meet_end();
        }
        // The start of another game; this one has no moves.
        if behind_empty_line && tag.as_ref().is_none_or(|(name, ..)| game.tag(name).is_some()) {
            return (start, at);
        }
        game.movetext.before.extend(comments);
        let length = match tag {
            Some((name, value, length)) => {
                if name == "FEN" && game.tag(name).is_none() {
                    match Position::from_fen(&value) {
                        Ok(position) => {
                            game.start = position;
                            game.faults.extend(
                                fen_flaws(&value).into_iter().map(|flaw| format!("the FEN has {flaw}")),
                            );
                        }
                        Err(error) => start = Err(format!("cannot begin from \"{value}\": {error}")),
                    }
                }
                game.tags.push((name.to_owned(), value));
                length
            }
            None => {
                let length = broken_tag(inside);
                let text = plain(&inside[..length]);
                let shown: String = text.chars().take(40).collect();
                game.faults.push(format!("expected a tag, got {shown}"));
                game.movetext.before.push(Remark::Comment(text));
                length
            }
        };
        at = part.text.len() - inside.len() + length;
    }
}

/// Whether so few lines are known of `text` that the tag at its start may not be complete: it may have four
/// parts on four lines.
fn is_last_tag(text: &str) -> bool {
    text.lines().filter(|line| !line.trim_matches(is_space).is_empty()).nth(3).is_none()
}

/// The length of the tag at the start of `text` that cannot be read: a line, or two if the second only ends
/// it.
fn broken_tag(text: &str) -> usize {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let second = lines.next().filter(|second| {
        !first.trim_end().ends_with(']') && !second.starts_with('[') && second.trim_end().ends_with("\"]")
    });
    text[..first.len() + second.map_or(0, str::len)].trim_end().len()
}

/// Reads the comments before a tag, from byte `begin` on. Also returns whether an empty line stands among
/// them, or between them and the tag, and the beginning of the tag's line. `None` if something other than
/// comments and a tag follows.
fn comments_before_tag(part: &Part<'_>, begin: usize) -> Option<(Vec<Remark>, bool, usize)> {
    let mut tokens = Tokens::new(part, begin);
    let (mut comments, mut have_empty_line) = (Vec::new(), false);
    loop {
        match tokens.next()? {
            Token::Comment(text) if text.is_empty() => {}
            Token::Comment(text) => comments.push(Remark::Comment(text)),
            Token::Blank => {
                have_empty_line = true;
                tokens.skip_line();
            }
            Token::Tag => return Some((comments, have_empty_line, tokens.position())),
            _ => return None,
        }
    }
}

/// The name, value and length of the tag at the start of `text`.
fn tag(text: &str) -> Option<(&str, String, usize)> {
    let inside = text.strip_prefix('[')?.trim_start();
    let name = &inside[..inside.find(|c: char| c.is_whitespace() || c == '"')?];
    let quoted = inside[name.len()..].trim_start().strip_prefix('"')?;
    let (value, behind) = exact_value(quoted).or_else(|| loose_value(quoted))?;
    let known = NAMES.into_iter().find(|known| name.eq_ignore_ascii_case(known));
    (!name.is_empty()).then(|| (known.unwrap_or(name), value, text.len() - behind.len()))
}

/// Splits `quoted` at the next quote and the `]` after it; returns the value before and the text behind.
fn exact_value(quoted: &str) -> Option<(String, &str)> {
    let mut chars = quoted.char_indices();
    while let Some((index, c)) = chars.next() {
        match c {
            '\\' => _ = chars.next()?,
            '"' => {
                let behind = quoted[index + 1..].trim_start().strip_prefix(']')?;
                return Some((unescaped(&quoted[..index]), behind));
            }
            '\n' => return None,
            _ => {}
        }
    }
    None
}

/// Splits `quoted` at the last quote before the `]` that ends its line: other programs write quotes without a
/// backslash.
fn loose_value(quoted: &str) -> Option<(String, &str)> {
    let line = quoted.lines().next()?.trim_end();
    let value = line.strip_suffix(']')?.trim_end().strip_suffix('"')?;
    Some((unescaped(value), &quoted[line.len()..]))
}

/// Returns `value` with `\"` and `\\` replaced by the second character.
fn unescaped(value: &str) -> String {
    let mut plain = String::new();
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = chars.next_if(|&next| c == '\\' && (next == '"' || next == '\\'));
        plain.push(escaped.unwrap_or(c));
    }
    plain
}
