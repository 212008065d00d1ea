//! A tree as a web page one can fold and search. The page is one file and asks nobody for anything.

use serde::Serialize;
use shakmaty::Color;

use super::{Item, Picture, svg::escape};
use crate::study::Mark;

const PAGE: &str = include_str!("tree.html");

/// A node as the script of the page reads it; short names, for there may be many.
#[derive(Serialize)]
struct Entry<'p> {
    /// Label.
    l: &'p str,
    /// Value.
    v: &'p str,
    /// Window.
    #[serde(skip_serializing_if = "str::is_empty")]
    w: &'p str,
    /// Mark.
    m: &'static str,
    /// Tag.
    #[serde(skip_serializing_if = "str::is_empty")]
    t: &'static str,
    /// White's move.
    b: bool,
    /// Principal variation.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    p: bool,
    /// Hidden descendants.
    h: u64,
    /// Note.
    #[serde(skip_serializing_if = "str::is_empty")]
    n: &'p str,
    /// Children.
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    c: &'p [usize],
}

impl<'p> From<&'p Item> for Entry<'p> {
    fn from(item: &'p Item) -> Self {
        Self {
            l: &item.label,
            v: &item.value,
            w: &item.window,
            m: match item.mark {
                Mark::Searched => "",
                Mark::GameOver => "end",
                Mark::CutOff => "cut-off",
                Mark::Remembered => "memo",
                Mark::Pruned => "pruned",
            },
            t: item.tag,
            b: item.mover == Color::White,
            p: item.principal,
            h: item.hidden,
            n: &item.note,
            c: &item.children,
        }
    }
}

/// Draws `picture`; the result is a complete HTML file.
#[must_use]
pub fn draw(picture: &Picture) -> String {
    let entries: Vec<Entry<'_>> = picture.nodes.iter().map(Entry::from).collect();
    PAGE.replace("{{title}}", &escape(&picture.title))
        .replace("{{fen}}", &escape(&picture.fen))
        .replace("{{explanation}}", &escape(&picture.explanation))
        .replace("{{shortfall}}", &escape(&picture.shortfall().unwrap_or_default()))
        .replace("{{nodes}}", &script_data(&entries))
}

/// `data` as JSON that neither ends the script element it stands in nor, as `<!--<script>` would, goes on behind its end.
pub(crate) fn script_data(data: &impl Serialize) -> String {
    // Strings and numbers always serialise.
    serde_json::to_string(data).unwrap_or_default().replace('<', "\\u003c")
}
