//! Moves as the scripts of a page read them. `src/pages/positions.js` plays them.

use serde::Serialize;
use shakmaty::{EnPassantMode, Move, Position as _, Square};

use crate::chess::{
    notation::san,
    pgn::{Annotated, Movetext, Remark, sign},
    position::Position,
    remarks::{computer, earlier::without_commands, engine_notes},
};

/// A line of moves with its remarks.
#[derive(Debug, Serialize)]
pub(crate) struct ScriptLine {
    /// The remarks before the first move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    before: Vec<Said>,
    moves: Vec<Step>,
}

/// A move; most have no remarks.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Step {
    Plain(String),
    Remarked { m: String, signs: String, said: Vec<Said> },
}

/// A remark.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Said {
    Comment(String),
    Variation(ScriptLine),
    /// A sentence of the analysis of another program, and its better line.
    Computer {
        computer: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        better: Option<ScriptLine>,
    },
    /// Coloured squares and arrows, such as `Gd4` and `Re2e4`.
    Shapes {
        shapes: Vec<String>,
    },
}

impl ScriptLine {
    /// The line `text`, played from `position`. (Games that can be read have at most 100 nested lines.)
    pub(crate) fn of(text: &Movetext, position: &Position) -> Self {
        let mut position = position.clone();
        let moves = text.moves.iter().map(|annotated| {
            let said = said(&annotated.remarks, &position);
            let m = played(&mut position, annotated.m);
            let signs = signs(annotated);
            if said.is_empty() && signs.is_empty() {
                Step::Plain(m)
            } else {
                Step::Remarked { m, signs, said }
            }
        });
        let moves = moves.collect();
        Self { before: said(&text.before, &position), moves }
    }
}

impl ScriptLine {
    /// Whether it begins with the better move that a sentence names.
    fn begins_with_better(&self, sentence: &str) -> bool {
        let first = self.moves.first().map(|step| match step {
            Step::Plain(m) | Step::Remarked { m, .. } => m.trim_end_matches('^'),
        });
        let better = computer::sentence(sentence).and_then(|sentence| sentence.better);
        // Four letters of squares stand before the SAN.
        first.zip(better).is_some_and(|(first, better)| first.get(4..) == Some(better))
    }
}

/// Writes `moves`, played from `position`, with blanks between them.
pub(crate) fn written(position: &Position, moves: &[Move]) -> String {
    let mut position = position.clone();
    moves.iter().map(|&m| played(&mut position, Some(m))).collect::<Vec<_>>().join(" ")
}

/// Plays `m` and writes it: its squares, its SAN, and `^` if a pawn can take en passant after it (`e2e4e4^`).
/// Castling is `e1h1O-O`, king takes rook, and a null move `0000--`.
fn played(position: &mut Position, m: Option<Move>) -> String {
    let text = m.map_or_else(|| "--".into(), |m| san(position, m));
    let squares = m.and_then(|m| Some(format!("{}{}", m.from()?, m.to()))).unwrap_or_else(|| "0000".into());
    position.play_or_pass(m);
    let en_passant = position.chess().ep_square(EnPassantMode::Legal).map_or("", |_| "^");
    squares + &text + en_passant
}

fn said(remarks: &[Remark], position: &Position) -> Vec<Said> {
    let mut all = Vec::new();
    for remark in remarks {
        match remark {
            Remark::Comment(text) => {
                let plain = plain(text);
                if computer::sentence(&plain).is_some() {
                    all.push(Said::Computer { computer: plain, better: None });
                } else if !plain.is_empty() {
                    all.push(Said::Comment(plain));
                }
                let shapes = shapes(text);
                all.extend((!shapes.is_empty()).then_some(Said::Shapes { shapes }));
            }
            Remark::Variation(line) => {
                let line = ScriptLine::of(line, position);
                let sentence = all.iter_mut().find_map(|said| match said {
                    Said::Computer { computer, better: better @ None }
                        if line.begins_with_better(computer) =>
                    {
                        Some(better)
                    }
                    _ => None,
                });
                match sentence {
                    Some(better) => *better = Some(line),
                    None => all.push(Said::Variation(line)),
                }
            }
            Remark::Glyph(_) => {}
        }
    }
    all
}

/// The usual signs of the glyphs.
fn signs(annotated: &Annotated) -> String {
    annotated.glyphs().filter_map(sign).collect()
}

/// Returns a comment without commands to programs (`[%clk …]`, `[%csl …]`), and without the numbers of a
/// playing engine, which the chart shows.
fn plain(comment: &str) -> String {
    engine_notes::words(comment)
        .unwrap_or_else(|| without_commands(comment, "[%", |_, rest| rest).trim().to_owned())
}

/// The squares of `[%csl Gd4,Rd5]` and the arrows of `[%cal Ge2e4]` in a comment, each with the letter of its
/// colour.
fn shapes(comment: &str) -> Vec<String> {
    let commands = ["[%csl ", "[%cal "].into_iter().flat_map(|command| comment.split(command).skip(1));
    let words = commands.filter_map(|rest| rest.split_once(']')).flat_map(|(words, _)| words.split(','));
    let is_shape = |word: &&str| {
        let squares = word.strip_prefix(['R', 'G', 'B', 'Y']).unwrap_or_default();
        [2, 4].contains(&squares.len())
            && squares.as_bytes().chunks(2).all(|square| Square::from_ascii(square).is_ok())
    };
    words.map(str::trim).filter(is_shape).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_arrows_are_read() {
        assert_eq!(
            shapes("x [%csl Gd4, Ra1][%clk 0:01:00] [%cal Ye2e4,Xe2e4,Ge2,Ge2e9] y"),
            ["Gd4", "Ra1", "Ye2e4", "Ge2"]
        );
        assert_eq!(shapes("[%cal Ge2e4 [%csl é"), [""; 0]);
    }

    #[test]
    fn a_sentence_has_the_line_that_it_names() {
        let pgn = "1. e4 e5 2. Qh5 {(0.2 → -0.4) Inaccuracy. Nf3 was best.} (2. Bc4 {mine}) (2. Nf3 Nc6) *";
        let game = crate::chess::pgn::read_games(pgn.as_bytes()).unwrap().remove(0).unwrap();
        let line = serde_json::to_value(ScriptLine::of(&game.movetext, &game.start)).unwrap();
        let said = &line["moves"][2]["said"];
        assert_eq!(said[0]["better"]["moves"][0], "g1f3Nf3", "{said}");
        assert_eq!(said[1]["moves"][0]["m"], "f1c4Bc4", "{said}");
    }

    #[test]
    fn moves_have_what_a_script_needs_to_play_them() {
        let start = Position::from_fen("r3k2r/2p5/8/3P4/8/8/P6P/R3K2R b KQkq - 0 1").unwrap();
        let mut position = start.clone();
        let moves = ["c7c5", "d5c6", "e8g8", "e1c1"].map(|text| {
            let m = position.find_move(text).unwrap();
            position.play(m);
            m
        });
        assert_eq!(written(&start, &moves), "c7c5c5^ d5c6dxc6 e8h8O-O e1a1O-O-O");
    }
}
