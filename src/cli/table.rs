//! Tables on the terminal, with one look for all tools.

use comfy_table::{CellAlignment, ColumnConstraint, Table, presets::NOTHING};

/// `rows` under `head`, each column as wide as its widest cell; those in `left` are flush left, the others flush right. A
/// column whose cells are all empty is left out. The table ends with a line break.
pub(super) fn table<const N: usize>(
    head: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
    left: &[usize],
) -> String {
    let rows: Vec<[String; N]> = rows.into_iter().collect();
    let is_empty = |index: usize| !rows.is_empty() && rows.iter().all(|row| row[index].is_empty());
    let hidden: Vec<bool> = (0..N).map(is_empty).collect();
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(head).add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        let flush = if left.contains(&index) { CellAlignment::Left } else { CellAlignment::Right };
        column.set_cell_alignment(flush);
        if hidden[index] {
            column.set_constraint(ColumnConstraint::Hidden);
        }
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

    #[test]
    fn empty_columns_are_left_out() {
        let row = ["a", "", "1"].map(str::to_owned);
        assert_eq!(table(["name", "memo", "n"], [row], &[0]), "name  n\na     1\n");
    }
}
