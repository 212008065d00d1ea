//! A tree in the DOT language, for Graphviz (`dot -Tsvg tree.dot`).

use std::fmt::Write as _;

use shakmaty::Color;

use super::{Item, Picture};
use crate::study::Mark;

/// Writes `picture` as a DOT graph.
#[must_use]
pub fn draw(picture: &Picture) -> String {
    let mut text = String::from(
        "digraph tree {\n  rankdir=LR;\n  node [shape=box, fontname=\"DejaVu Sans\", fontsize=10];\n",
    );
    let shortfall = picture.shortfall().unwrap_or_default();
    let title =
        [&picture.title, &picture.root.fen(), &picture.explanation, &shortfall].map(|line| escape(line));
    let _ = writeln!(text, "  labelloc=t;\n  label=\"{}\";", title.join("\\n"));
    for (index, item) in picture.nodes.iter().enumerate() {
        let _ = writeln!(text, "  n{index} [{}];", attributes(item));
    }
    for (index, item) in picture.nodes.iter().enumerate() {
        for &child in &item.children {
            let style = match &picture.nodes[child] {
                child if child.principal => " [penwidth=3]",
                child if child.mark == Mark::Pruned => " [style=dashed]",
                _ => "",
            };
            let _ = writeln!(text, "  n{index} -> n{child}{style};");
        }
    }
    text.push_str("}\n");
    text
}

fn attributes(item: &Item) -> String {
    let mut lines = vec![format!("{}  {}", item.label, item.value)];
    lines.extend((!item.window.is_empty()).then(|| item.window.clone()));
    lines.extend((!item.tag.is_empty()).then(|| item.tag.to_owned()));
    lines.extend((item.hidden > 0).then(|| format!("+{} not drawn", item.hidden)));
    let label: Vec<String> = lines.iter().map(|line| escape(line)).collect();
    let style = match (item.mark, item.mover) {
        (Mark::Pruned, _) => "style=dashed, fontcolor=gray40",
        (_, Color::White) => "style=filled, fillcolor=white",
        (_, Color::Black) => "style=filled, fillcolor=gray30, fontcolor=white",
    };
    let width = if item.principal { ", penwidth=3" } else { "" };
    format!("label=\"{}\", {style}{width}", label.join("\\n"))
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
