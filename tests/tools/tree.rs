//! Tests of `zugwerk tree`.

use std::{fs, path::PathBuf};

use crate::calls::{MIDDLEGAME, PAWNS, called, printed};

#[test]
fn trees_are_drawn_in_both_formats() {
    let minimax = printed(&["tree", "--fen", PAWNS, "--algorithm", "minimax"]);
    assert!(minimax.starts_with("<svg") && minimax.trim_end().ends_with("</svg>"));
    assert_eq!(minimax.matches(">?<").count(), 0, "minimax prunes nothing");
    let pruning = printed(&["tree", "--fen", PAWNS, "--algorithm", "alpha-beta"]);
    assert!(pruning.matches(">?<").count() > 1, "more than the legend's");
    for (algorithm, ending, sign) in [("prototype", "html", "<!DOCTYPE html>"), ("search", "svg", "<svg")] {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("tree-{algorithm}.{ending}"));
        printed(&["tree", "--fen", PAWNS, "--algorithm", algorithm, "--force", "-o", path.to_str().unwrap()]);
        let text = fs::read_to_string(path).unwrap();
        assert!(text.starts_with(sign), "{algorithm}");
        assert!(
            !text.contains("http://")
                || text.matches("http").count() == text.matches("http://www.w3.org").count()
        );
    }
    let search =
        printed(&["tree", "--fen", MIDDLEGAME, "--depth", "6", "--algorithm", "search", "--limit", "3000"]);
    for sign in ["↓1", "↻", ">table<", ">cut-off<", "The root's windows: ("] {
        assert!(search.contains(sign), "{sign}");
    }
    let deeper = ["tree", "--fen", MIDDLEGAME, "--depth", "2", "--algorithm", "search", "--quiescence"];
    assert!(printed(&deeper).len() > printed(&deeper[..7]).len());
    let (svg, told) = called(0, &["tree", "--fen", MIDDLEGAME, "--limit", "50"]);
    assert!(told.starts_with("Only the "), "{told}");
    let tree = svg.split("<g transform=\"translate(292 ").nth(1);
    assert!(tree.expect("the tree stands beside the board").matches("<rect").count() < 120);
    let (_, told) = called(0, &["tree", "--fen", PAWNS, "--depth", "1", "--limit", "1"]);
    assert!(told.starts_with("Only the 1 node that fits is drawn; "), "{told}");
}

/// Readable at the width of a page, and as wide as what is drawn.
#[test]
fn trees_fit_a_page() {
    let deep = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";
    for (fen, depth, algorithm) in [
        (PAWNS, "3", "minimax"),
        (PAWNS, "3", "search"),
        (deep, "9", "search"),
        (MIDDLEGAME, "4", "memo"),
        (PAWNS, "1", "alpha-beta"),
    ] {
        let svg =
            printed(&["tree", "--fen", fen, "--depth", depth, "--algorithm", algorithm, "--limit", "60"]);
        let number = |text: &str| text.split('"').next().unwrap().parse::<f64>().unwrap();
        let width = number(svg.split(" width=\"").nth(1).unwrap());
        assert!(width <= 960.0, "{algorithm}: {width}");
        let tree =
            svg.split("<g transform=\"translate(292 ").nth(1).expect("the tree stands beside the board");
        let boxes = tree.split("<rect x=\"").skip(1).map(|rest| {
            let wide = rest.split(" width=\"").nth(1).map_or(0.0, number);
            292.0 + number(rest) + wide
        });
        let right = boxes.fold(0.0, f64::max);
        assert!(
            right < width && right + 160.0 > width.min(960.0) || depth == "1",
            "{algorithm}: {right} of {width}"
        );
        assert!(svg.contains("class=\"edge\""), "the position at the root is drawn");
    }
}
