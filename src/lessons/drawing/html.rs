//! A tree as a web page to fold, search, walk through and play, with a board that shows the position of each
//! node.
//!
//! The tree itself is data. `tree.js` creates the nodes when they are unfolded, because there may be many
//! thousands.

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;
use shakmaty::Color;

use super::{
    Item, Picture,
    legend::{self, SignStyle, meaning},
    word,
};
use crate::{
    lessons::Mark,
    pages::{board, frame},
};

/// The data for the script of the page.
#[derive(Serialize)]
struct Data<'p> {
    nodes: Vec<Entry<'p>>,
    /// The meanings of the nodes' tags.
    meanings: BTreeMap<&'static str, &'static str>,
}

/// A node as the script reads it; the names are short, because there may be many nodes.
#[derive(Serialize)]
struct Entry<'p> {
    /// Label.
    l: &'p str,
    /// Value.
    v: &'p str,
    /// Window.
    #[serde(skip_serializing_if = "str::is_empty")]
    w: &'p str,
    /// Mark, a CSS class.
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
    /// The position as FEN; for pruned moves that are drawn as one, their names.
    #[serde(skip_serializing_if = "str::is_empty")]
    n: &'p str,
    /// The squares of the move.
    #[serde(skip_serializing_if = "str::is_empty")]
    u: &'p str,
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
            m: word(item.mark),
            t: item.tag,
            b: item.mover == Color::White,
            p: item.principal,
            h: item.hidden,
            n: &item.note,
            u: &item.squares,
            c: &item.children,
        }
    }
}

/// Draws `picture`; the result is a complete HTML file.
#[must_use]
pub fn draw(picture: &Picture) -> String {
    let tags = picture.nodes.iter().map(|item| item.tag).filter(|tag| !tag.is_empty());
    let data = Data {
        nodes: picture.nodes.iter().map(Entry::from).collect(),
        meanings: tags.map(|tag| (tag, meaning(tag))).collect(),
    };
    let button = |id, text| html! { button #(id) type="button" { (text) } " " };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (frame::head(&picture.title, include_str!("tree.css"), include_str!("tree.js")))
            body {
                (PreEscaped(board::symbols()))
                main {
                    h1 { (picture.title) }
                    p.how {
                        (picture.explanation) " "
                        @if let Some(shortfall) = picture.shortfall() { strong.short { (shortfall) } }
                    }
                    div.columns {
                        div.left {
                            div.board-place { (PreEscaped(board::draw(&picture.root))) }
                            div.replay {
                                button #play type="button" aria-label="Play the search" { "▶" }
                                input #step type="range" min="0" max="0" aria-label="Step of the search";
                                span #step-name {}
                            }
                            div {
                                div.window-line {}
                                div.state tabindex="0" { p { "The root: " code { (picture.root.fen()) } } }
                            }
                        }
                        div.right {
                            (legend_of(picture))
                            div.tools {
                                input #query type="text" placeholder="Search: Nf3, +0.35, memo…" aria-label="Search";
                                (button("next", "Next")) span #count role="status" {} " "
                                (button("line", "Best line")) (button("open", "Unfold a ply")) (button("close", "Fold all"))
                            }
                            ul #tree role="tree" aria-label=(picture.title) {}
                            noscript { p { "The tree needs scripts." } }
                        }
                    }
                }
                script #data type="application/json" { (frame::script_data(&data)) }
            }
        }
    };
    page.into_string()
}

fn legend_of(picture: &Picture) -> Markup {
    html! {
        details.legend {
            summary { "Legend" }
            dl {
                @for sign in legend::of(picture) {
                    dt {
                        @match sign.sample {
                            SignStyle::Node(item) => span.node.black[item.mover == Color::Black].pruned[item.mark == Mark::Pruned]
                                .principal[item.principal] { (item.label) " " (item.value) },
                            SignStyle::Tag(mark, tag) => span.tag.(word(mark)) { (tag) },
                            SignStyle::Text(text) => (text),
                        }
                    }
                    dd { (sign.meaning) }
                }
                dt { "▶" }
                dd { "plays the search: nodes appear when they are entered, and get their value when they are left" }
                dt { "α β" }
                dd { "on the line: the window between alpha and beta; a filled point is the value, an empty one the best value so far" }
                dt { "keys" }
                dd { "↑ ↓: node above, below; → ←: unfold, fold, or go to child, parent; *: unfold all siblings; Home, End" }
            }
        }
    }
}
