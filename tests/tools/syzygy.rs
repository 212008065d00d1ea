//! Tests of `zugwerk syzygy`.

use crate::calls::{called, printed, refused};

#[test]
fn missing_tables_are_reported() {
    let fen = "8/8/8/8/3pP3/8/8/k1K5 b - e3 0 1";
    let nowhere = ["syzygy", "--syzygy", "/nonexistent", fen];
    assert!(refused(&nowhere).contains("/nonexistent: "));
    let empty = tempfile::tempdir().unwrap();
    let empty = empty.path().display().to_string();
    assert!(refused(&["syzygy", "--syzygy", &empty, "--fen", fen]).contains("no Syzygy tables in "));
}

#[test]
#[ignore = "needs ZUGWERK_SYZYGY, all Syzygy tables of three and four pieces"]
fn with_tables_every_move_has_a_result() {
    let fen = "8/8/8/8/3pP3/8/8/k1K5 b - e3 0 1";
    let tables = std::env::var("ZUGWERK_SYZYGY").expect("ZUGWERK_SYZYGY names a folder");
    let text = printed(&["syzygy", "--syzygy", &tables, "--fen", fen]);
    let first: Vec<&str> = text.lines().nth(3).unwrap().split_whitespace().collect();
    assert_eq!(first, ["dxe3", "draw", "0"], "{text}");
    called(1, &["syzygy", "--syzygy", &tables, "--fen", "8/4k3/8/pp6/8/PP6/4K3/8 w - - 0 1"]);
}
