//! Weights as the Rust text of `src/eval/classical/weights.rs`.

use std::fmt::Write as _;

use super::TaperedWeights;
use crate::eval::classical::terms::TERMS;

const HEAD: &str = "\
//! The weights of the classical evaluator, as printed by `zugwerk tune`, fitted to our own games.
//!
//! `docs/tuning.md` lists the commands. Do not edit by hand; run the tuner. `terms.rs` describes what each term
//! counts.
//!
//! Grids are printed from White's perspective: a8 top left, h1 bottom right. Rows begin with the lowest index.
//! Ranks are counted from the side's own first rank, which is 0. Middlegame before endgame. Centipawns.

/// One number for each square, a8 first.
pub type Grid = [i16; 64];

/// A middlegame and an endgame value.
pub type Pair = (i16, i16);
";

const ROLES: [&str; 6] = ["Pawn", "Knight", "Bishop", "Rook", "Queen", "King"];

/// Rounds weights to whole centipawns.
#[must_use]
pub fn rounded(weights: &TaperedWeights) -> Vec<[i16; 2]> {
    weights.iter().map(|pair| pair.map(|weight| weight.round() as i16)).collect()
}

/// Returns the text of `src/eval/classical/weights.rs` for `weights`; the first six times 64 are sums of material and
/// table value.
#[must_use]
pub fn source(weights: &[[i16; 2]]) -> String {
    let mut text = HEAD.to_owned();
    let material: [[i16; 2]; 6] =
        std::array::from_fn(|role| material(role, &weights[64 * role..64 * (role + 1)]));
    for (half, (suffix, stage)) in [("MG", "middlegame"), ("EG", "endgame")].into_iter().enumerate() {
        let values = material.map(|pair| pair[half].to_string()).join(", ");
        let _ = write!(
            text,
            "\n/// The value of a piece of each role (pawn, knight, bishop, rook, queen, king) in the {stage}.\n\
             pub const MATERIAL_{suffix}: [i16; 6] = [{values}];\n"
        );
    }
    for (half, (suffix, stage)) in [("MG", "Middlegame"), ("EG", "Endgame")].into_iter().enumerate() {
        let _ = write!(
            text,
            "\n/// {stage} tables by role, added to the material.\n\
             #[rustfmt::skip]\npub const TABLES_{suffix}: [Grid; 6] = [\n"
        );
        for role in 0..6 {
            let square = |square: usize| weights[64 * role + square][half] - material[role][half];
            grid(&mut text, ROLES[role], square, role == 0);
        }
        text.push_str("];\n");
    }
    for term in TERMS {
        row(&mut text, term.name, term.about, &weights[term.first..term.first + term.len]);
    }
    text
}

/// The mean over the squares that a piece can stand on; 0 for kings, which are never missing.
fn material(role: usize, weights: &[[i16; 2]]) -> [i16; 2] {
    let squares = if role == 0 { &weights[8..56] } else { weights };
    let mean = |half: usize| {
        let sum: i32 = squares.iter().map(|pair| i32::from(pair[half])).sum();
        (f64::from(sum) / squares.len() as f64).round() as i16
    };
    if role == 5 { [0; 2] } else { [mean(0), mean(1)] }
}

fn grid(text: &mut String, name: &str, weight: impl Fn(usize) -> i16, is_pawn: bool) {
    let _ = writeln!(text, "    [ // {name}");
    for rank in (0..8).rev() {
        let unused = is_pawn && (rank == 0 || rank == 7);
        let cells = (0..8).map(|file| if unused { 0 } else { weight(8 * rank + file) });
        let cells: Vec<String> = cells.map(|weight| format!("{weight:>5},")).collect();
        let _ = writeln!(text, "    {}", cells.join(""));
    }
    text.push_str("    ],\n");
}

fn row(text: &mut String, name: &str, about: &str, weights: &[[i16; 2]]) {
    text.push('\n');
    for line in about.lines() {
        let _ = writeln!(text, "///{line}");
    }
    let pairs: Vec<String> = weights.iter().map(|[mg, eg]| format!("({mg}, {eg})")).collect();
    if let [pair] = &*pairs {
        let _ = writeln!(text, "pub const {name}: [Pair; 1] = [{pair}];");
        return;
    }
    let _ = writeln!(text, "#[rustfmt::skip]\npub const {name}: [Pair; {}] = [", weights.len());
    for pairs in pairs.chunks(8) {
        let cells: Vec<String> = pairs.iter().map(|pair| format!("{pair:>12},")).collect();
        let _ = writeln!(text, "    {}", cells.join(""));
    }
    text.push_str("];\n");
}
