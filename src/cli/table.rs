//! Tables and text in the same format for all tools, no wider than the terminal.

use std::{env, iter};

use console::{Alignment, Term, measure_text_width, pad_str};
use textwrap::{Options, WordSplitter};

/// The minimum width of a last column of text; if there is less room, it goes below the others.
const LAST: usize = 20;

/// The maximum width of a line of output, in characters: the environment variable `COLUMNS`, or else the width of the
/// terminal. There is no limit for pipes and files.
pub(super) fn width() -> usize {
    let said = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let term = Term::stdout();
    let seen = || term.is_term().then(|| term.size_checked()).flatten().map(|(_, columns)| columns.into());
    said.or_else(seen).unwrap_or(usize::MAX).max(LAST)
}

/// `text` with too long lines broken between words.
pub(super) fn fit(text: &str) -> String {
    fit_to(width(), text)
}

fn fit_to(width: usize, text: &str) -> String {
    let options = Options::new(width)
        .subsequent_indent("    ")
        .break_words(false)
        .word_splitter(WordSplitter::NoHyphenation);
    // Line by line, because the indent is for all lines but the first.
    text.split('\n').map(|line| textwrap::fill(line, &options)).collect::<Vec<_>>().join("\n")
}

/// `rows` under `head`, ending with a line break. Each column is as wide as its widest cell. The columns `left` are aligned
/// left, the others right. A column whose cells are all empty is left out.
///
/// Columns that do not fit beside the others go below them, with the first column repeated. The first column is cut if no
/// other fits beside it. A last column of text is cut to the width that is left.
pub(super) fn table<const N: usize>(
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
    left: &[usize],
) -> String {
    table_in(width(), head, rows, left)
}

fn table_in<const N: usize>(
    width: usize,
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
    left: &[usize],
) -> String {
    let mut rows: Vec<[String; N]> = iter::once(head.map(str::to_owned)).chain(rows).collect();
    let is_empty = |rows: &[[String; N]], column: usize| {
        rows.len() > 1 && rows[1..].iter().all(|row| row[column].is_empty())
    };
    let is_text = |column| column == N - 1 && left.contains(&column);
    let others = (1..N).filter(|&column| !is_text(column) && !is_empty(&rows, column));
    let widest = others.map(|column| wide(&rows, column)).chain(is_text(N - 1).then_some(LAST)).max();
    cut(&mut rows, 0, width.saturating_sub(2 + widest.unwrap_or(0)).max(width / 2));
    let mut blocks = vec![vec![0]];
    let mut used = wide(&rows, 0);
    for column in 1..N {
        if is_empty(&rows, column) {
            continue;
        }
        let mut needed = 2 + wide(&rows, column);
        if is_text(column) && used + needed > width {
            // What remains of the line, or of a new one.
            let room = width.saturating_sub(used + 2);
            let room = if room < LAST { width.saturating_sub(wide(&rows, 0) + 2) } else { room };
            cut(&mut rows, column, room);
            needed = 2 + wide(&rows, column);
        }
        match blocks.last_mut() {
            Some(block) if used + needed <= width => block.push(column),
            _ => {
                blocks.push(vec![0, column]);
                used = wide(&rows, 0);
            }
        }
        used += needed;
    }
    blocks.iter().map(|columns| block(&rows, columns, left)).collect::<Vec<_>>().join("\n")
}

/// Cuts the cells of a column to `room` characters.
fn cut<const N: usize>(rows: &mut [[String; N]], column: usize, room: usize) {
    for row in rows {
        row[column] = console::truncate_str(&row[column], room, "…").into_owned();
    }
}

/// Some columns of a table whose first row is its head.
fn block<const N: usize>(rows: &[[String; N]], columns: &[usize], left: &[usize]) -> String {
    let align = |column| if left.contains(&column) { Alignment::Left } else { Alignment::Right };
    let columns: Vec<_> = columns.iter().map(|&column| (column, wide(rows, column), align(column))).collect();
    let line = |row: &[String; N]| {
        let cells = columns.iter().map(|&(column, width, align)| pad_str(&row[column], width, align, None));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// The width of a column.
fn wide<const N: usize>(rows: &[[String; N]], column: usize) -> usize {
    rows.iter().map(|row| measure_text_width(&row[column])).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = [["a".to_owned(), "1".to_owned()], ["long".to_owned(), "1000".to_owned()]];
        assert_eq!(table_in(usize::MAX, ["name", "n"], rows, &[0]), "name     n\na        1\nlong  1000\n");
    }

    #[test]
    fn empty_columns_are_left_out() {
        let row = ["a", "", "1"].map(str::to_owned);
        assert_eq!(table_in(usize::MAX, ["name", "memo", "n"], [row], &[0]), "name  n\na     1\n");
    }

    #[test]
    fn columns_without_room_stand_below() {
        let row =
            ["Nf3", "1234567890", "1234567890", "a line of many words, which is long"].map(str::to_owned);
        let text = table_in(24, ["move", "nodes", "time", "line"], [row], &[0, 3]);
        let expected = "move       nodes\nNf3   1234567890\n\nmove        time\nNf3   1234567890\n\n\
                        move  line\nNf3   a line of many wo…\n";
        assert_eq!(text, expected);
        assert!(text.lines().all(|line| line.chars().count() <= 24));
    }

    #[test]
    fn the_last_column_is_cut_where_enough_of_it_remains() {
        let row = ["Nf3", "a line of many words, which is long"].map(str::to_owned);
        let text = table_in(30, ["move", "line"], [row], &[0, 1]);
        assert_eq!(text, "move  line\nNf3   a line of many words, w…\n");
    }

    #[test]
    fn a_first_column_leaves_room_for_the_others() {
        let row = ["a name of many words", "1234567890"].map(str::to_owned);
        let text = table_in(24, ["name", "n"], [row], &[0]);
        assert_eq!(text, "name                   n\na name of m…  1234567890\n");
    }

    #[test]
    fn long_lines_are_broken_between_words() {
        assert_eq!(fit_to(12, "short\nElo  +1.2 ± 3  LOS\n"), "short\nElo  +1.2 ±\n    3  LOS\n");
        assert_eq!(fit_to(usize::MAX, "a  b\n"), "a  b\n");
    }
}
