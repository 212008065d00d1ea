//! The layout of the nodes of a tree.
//!
//! A deep tree is drawn like folders and files ([`indented`]): one row for each node, indented by its ply.
//! Other trees are drawn from left to right ([`places`]), as compact as their outlines allow. Each subtree is
//! laid out separately and gets an *outline*: the first and the last row it uses in every column. Siblings
//! are then moved together until their outlines touch, and the parent is placed in the middle of its
//! children. Nothing overlaps, a parent is centred, and equal subtrees look equal.
//!
//! This is our own code because a tree of labelled boxes needs little. General graph crates order layers
//! instead (they do not keep siblings in search order), and the available tree-layout crates are
//! unmaintained.
//!
//! Reference: E. M. Reingold and J. S. Tilford, "Tidier Drawings of Trees", 1981.

/// The place of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Its distance from the root.
    pub column: usize,
    /// Its distance from the top, in rows; a fraction if it is centred between its children.
    pub row: f64,
}

/// Returns the place of every node of a tree, where `children[node]`, all greater than `node`, are the
/// children of `node`. The row of a node is its number.
#[must_use]
pub fn indented(children: &[&[usize]]) -> Vec<Place> {
    let row = |node| Place { column: 0, row: node as f64 };
    let mut places: Vec<Place> = (0..children.len()).map(row).collect();
    for (node, children) in children.iter().enumerate() {
        for &child in *children {
            places[child].column = places[node].column + 1;
        }
    }
    places
}

/// The first and last row that a subtree uses in each column, beginning with the column of its root.
type Outline = Vec<(f64, f64)>;

/// Returns the place of every node of a tree, where `children[node]` are the children of `node`, and 0 is the
/// root.
#[must_use]
pub fn places(children: &[&[usize]]) -> Vec<Place> {
    let mut places = vec![Place::default(); children.len()];
    if children.is_empty() {
        return places;
    }
    // Rows are first relative to each node's parent, then summed from the root.
    let outline = pack(0, children, &mut places);
    let top = outline.iter().map(|&(first, _)| first).fold(0.0, f64::min);
    places[0].row -= top;
    settle(0, children, &mut places);
    places
}

fn pack(node: usize, children: &[&[usize]], places: &mut [Place]) -> Outline {
    let mut rows = Vec::with_capacity(children[node].len());
    let mut together = Outline::new();
    for &child in children[node] {
        let outline = pack(child, children, places);
        let shift = clearance(&together, &outline);
        merge(&mut together, &outline, shift);
        rows.push(shift);
    }
    let middle = match (rows.first(), rows.last()) {
        (Some(first), Some(last)) => f64::midpoint(*first, *last),
        _ => 0.0,
    };
    for (&child, row) in children[node].iter().zip(rows) {
        places[child].row = row - middle;
    }
    let below = together.into_iter().map(|(first, last)| (first - middle, last - middle));
    std::iter::once((0.0, 0.0)).chain(below).collect()
}

/// The number of rows by which `lower` must move down to be clear of `upper`.
fn clearance(upper: &Outline, lower: &Outline) -> f64 {
    let shifts = upper.iter().zip(lower).map(|(&(_, last), &(first, _))| last + 1.0 - first);
    shifts.fold(f64::NEG_INFINITY, f64::max).max(if upper.is_empty() { 0.0 } else { f64::NEG_INFINITY })
}

fn merge(together: &mut Outline, outline: &Outline, shift: f64) {
    for (column, &(first, last)) in outline.iter().enumerate() {
        let moved = (first + shift, last + shift);
        match together.get_mut(column) {
            Some(rows) => *rows = (rows.0.min(moved.0), rows.1.max(moved.1)),
            None => together.push(moved),
        }
    }
}

fn settle(node: usize, children: &[&[usize]], places: &mut [Place]) {
    let here = places[node];
    for &child in children[node] {
        places[child].row += here.row;
        places[child].column = here.column + 1;
        settle(child, children, places);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indented_nodes_have_a_row_each() {
        let children: [&[usize]; 5] = [&[1, 4], &[2, 3], &[], &[], &[]];
        let places = indented(&children).into_iter().map(|Place { column, row }| (column, row));
        assert_eq!(places.collect::<Vec<_>>(), [(0, 0.0), (1, 1.0), (2, 2.0), (2, 3.0), (1, 4.0)]);
    }

    #[test]
    fn parents_stand_in_the_middle_and_nothing_overlaps() {
        let children: [&[usize]; 9] = [&[1, 2, 8], &[3, 4, 5], &[6], &[], &[], &[], &[7], &[], &[]];
        let places = places(&children);
        for (node, children) in children.iter().enumerate() {
            if let (Some(&first), Some(&last)) = (children.first(), children.last()) {
                assert_eq!(places[node].row, f64::midpoint(places[first].row, places[last].row));
            }
        }
        for (index, a) in places.iter().enumerate() {
            assert!(a.row >= 0.0);
            for b in &places[..index] {
                assert!(a.column != b.column || (a.row - b.row).abs() >= 1.0, "{a:?} {b:?}");
            }
        }
    }
}
