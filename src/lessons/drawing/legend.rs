//! The legend of a tree: each sign in it and its meaning.

use shakmaty::Color;

use super::{Item, Picture};
use crate::lessons::Mark;

/// A sign and its meaning.
#[derive(Clone, Debug)]
pub struct Sign {
    /// Its appearance.
    pub sample: SignStyle,
    /// Its meaning.
    pub meaning: &'static str,
}

/// The appearance of a sign.
#[derive(Clone, Debug)]
pub enum SignStyle {
    /// A node.
    Node(Box<Item>),
    /// The tag of a node with this mark.
    Tag(Mark, &'static str),
    /// Plain text.
    Text(&'static str),
}

/// The signs in `picture`.
#[must_use]
pub fn of(picture: &Picture) -> Vec<Sign> {
    let nodes = &picture.nodes[..];
    let any = |holds: &dyn Fn(&Item) -> bool| nodes.iter().any(holds);
    let written = |sign: char| any(&|item| item.value.contains(sign) || item.window.contains(sign));
    let node = |mover, mark, principal, label: &str, value: &str| {
        let (label, value) = (label.to_owned(), value.to_owned());
        let (window, squares, note) = (String::new(), String::new(), String::new());
        let (children, tag, hidden) = (Vec::new(), "", 0);
        let item =
            Item { children, label, value, window, mark, tag, mover, principal, hidden, squares, note };
        SignStyle::Node(Box::new(item))
    };
    let searched = Mark::Searched;
    let pruned = || node(Color::White, Mark::Pruned, false, "Nf3", "?");
    let is_pruned = |item: &Item| item.mark == Mark::Pruned;
    let many = |item: &Item| is_pruned(item) && item.label.ends_with(" moves");
    let deep = |item: &Item| item.window.starts_with(|sign: char| sign.is_ascii_digit());
    let is_mate = |item: &Item| item.value == "#0" || item.value == "#-0";
    let text = SignStyle::Text;
    let mut signs = vec![
        (true, node(Color::White, searched, false, "Nf3", ""), "White's move"),
        (true, node(Color::Black, searched, false, "Nf6", ""), "Black's move"),
        (any(&|item| item.principal), node(Color::White, searched, true, "Nf3", ""), "on the best line"),
        (any(&is_pruned), pruned(), "not searched; the label says why, or else a cut-off came first"),
        (any(&many), text("9 moves"), "this many moves were not searched"),
        (any(&|item| item.label == "pass"), text("pass"), "a null move: the side to move passes"),
        (any(&|item| item.label == "(itself)"), text("(itself)"), "another search of the same node"),
        (true, text("+0.35"), "the value for White, in pawns"),
        (written('≥') || written('≤'), text("≥ ≤"), "bounds: the value is at least, at most this"),
        (written('#'), text("#2 #-2"), "mate in 2 moves: by White, by Black"),
        (any(&is_mate), text("#0 #-0"), "checkmate: by White, by Black"),
        (written('('), text("(a, b)"), "the window: alpha and beta, for White"),
        (any(&deep), text("3"), "before the window: the depth of the search, in plies"),
        (written('↓'), text("↓2"), "two plies less deep (a reduction)"),
        (written('↑'), text("↑1"), "one ply deeper (an extension)"),
        (written('↻'), text("↻"), "searched before, less deep or with a narrower window"),
        (any(&|item| item.hidden > 0), text("+12"), "this many nodes below it are not drawn"),
    ];
    let mut tags: Vec<(Mark, &str)> = nodes.iter().map(|item| (item.mark, item.tag)).collect();
    tags.sort_by_key(|&(mark, tag)| (mark == Mark::Pruned, tag));
    tags.dedup();
    let tags = tags.into_iter().filter(|(_, tag)| !tag.is_empty());
    signs.extend(tags.map(|(mark, tag)| (true, SignStyle::Tag(mark, tag), meaning(tag))));
    let there = signs.into_iter().filter(|(stands_there, ..)| *stands_there);
    there.map(|(_, sample, meaning)| Sign { sample, meaning }).collect()
}

/// The meaning of the tag of a node; empty for an unknown tag.
#[must_use]
pub fn meaning(tag: &str) -> &'static str {
    match tag {
        "cut-off" => "left early: one move is so good that the other side will avoid this node",
        "memo" => "the value was remembered from another visit",
        "end" => "mate or draw",
        "unfinished" => "the search was interrupted before the value was known",
        "table" => "the transposition table knew the value",
        "endgame tables" => "the endgame tables know the result",
        "mate distance" => "a shorter mate is known",
        "reverse futility" => "the evaluation is so far above beta that no search was needed",
        "razoring" => "the evaluation is so far below alpha that only captures were searched",
        "null move" => "even a pass reached beta",
        "probcut" => "a capture reached more than beta in a shallow search",
        "multi-cut" => "several moves reach beta",
        "stand pat" => "the evaluation reaches beta without a move",
        "late" => "quiet, and late in the order of the moves",
        "futile" => "quiet, and the evaluation is too far below alpha",
        "not worth it" => "loses material, or did badly before",
        _ => "",
    }
}
