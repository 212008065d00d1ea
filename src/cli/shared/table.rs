//! Tables and text in the same format for all tools, no wider than the terminal.

use std::env;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Row, Table, presets};
use console::Term;
use textwrap::{Options, WordSplitter};

/// The minimum width.
const LEAST: usize = 20;

/// The maximum width of a line of output, in characters: the environment variable `COLUMNS`, or else the
/// width of the terminal. There is no limit for pipes and files.
pub(crate) fn width() -> usize {
    let said = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let term = Term::stdout();
    let seen = || term.is_term().then(|| term.size_checked()).flatten().map(|(_, columns)| columns.into());
    said.or_else(seen).unwrap_or(usize::MAX).max(LEAST)
}

/// `text` with too long lines broken between words.
pub(crate) fn fit(text: &str) -> String {
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

/// `rows` under `head`, ending with a line break. The columns `left` are text, aligned left and cut where
/// there is no room. The others are numbers, aligned right and whole. A column whose cells are all empty is
/// left out.
pub(crate) fn table<const N: usize>(
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
    let rows: Vec<[String; N]> = rows.into_iter().collect();
    let is_used = |&column: &usize| rows.is_empty() || rows.iter().any(|row| !row[column].is_empty());
    let columns: Vec<usize> = (0..N).filter(is_used).collect();
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_truncation_indicator("…");
    if let Ok(width) = u16::try_from(width) {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    table.set_header(columns.iter().map(|&column| head[column]));
    for row in &rows {
        let mut cells = Row::from(columns.iter().map(|&column| &row[column]));
        cells.max_height(1);
        table.add_row(cells);
    }
    for (&column, shown) in columns.iter().zip(table.column_iter_mut()) {
        let is_last = Some(&column) == columns.last();
        shown.set_padding((0, if is_last { 0 } else { 2 }));
        if !left.contains(&column) {
            shown.set_cell_alignment(CellAlignment::Right);
            shown.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    table.trim_fmt() + "\n"
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
    fn text_is_cut_and_numbers_are_not() {
        let row = ["Nf3", "1234567890", "a line of many words, which is long"].map(str::to_owned);
        let text = table_in(36, ["move", "nodes", "line"], [row], &[0, 2]);
        assert!(
            text.starts_with("move       nodes  line\nNf3   1234567890  a line") && text.contains('…'),
            "{text}"
        );
        assert!(text.lines().all(|line| line.chars().count() <= 36), "{text}");
    }

    #[test]
    fn long_lines_are_broken_between_words() {
        assert_eq!(fit_to(12, "short\nElo  +1.2 ± 3  LOS\n"), "short\nElo  +1.2 ±\n    3  LOS\n");
        assert_eq!(fit_to(usize::MAX, "a  b\n"), "a  b\n");
    }
}
