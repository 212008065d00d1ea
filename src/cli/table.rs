//! Tables on the terminal, with one look for all tools.

use comfy_table::{CellAlignment, Table, presets::NOTHING};

/// `rows` under `head`, each column as wide as its widest cell; those in `left` are flush left, the others flush right. It
/// ends with a line break.
pub(super) fn table<const N: usize>(
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
    left: &[usize],
) -> String {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(head).add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        let flush = if left.contains(&index) { CellAlignment::Left } else { CellAlignment::Right };
        column.set_cell_alignment(flush);
    }
    // Cells have a blank on each side.
    let lines =
        table.lines().map(|line| line.strip_prefix(' ').unwrap_or(&line).trim_end().to_owned() + "\n");
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = [["a".to_owned(), "1".to_owned()], ["long".to_owned(), "1000".to_owned()]];
        assert_eq!(table(["name", "n"], rows, &[0]), "name     n\na        1\nlong  1000\n");
    }
}
