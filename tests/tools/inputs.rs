//! Tests of files that are read.

use std::fs;

use crate::calls::{called, command, printed, stdout};

#[test]
#[cfg(unix)]
fn a_pipe_is_read_like_a_file() {
    use std::io::Write as _;

    let piped = |args: &[&str], text: &str| {
        let (reader, mut writer) = std::io::pipe().unwrap();
        writer.write_all(text.as_bytes()).unwrap();
        drop(writer);
        command(args).stdin(reader).output().unwrap()
    };
    let solved = piped(&["epd", "/dev/stdin", "--depth", "1"], "4k3/8/8/8/8/8/8/QQ2K3 w - - bm Qa8;\n");
    assert!(stdout(&solved).contains(" of 1 solved"), "{solved:?}");
    let analysed = piped(&["analyse", "/dev/stdin", "--depth", "1"], "1. e4 e5 *\n");
    assert!(stdout(&analysed).contains("1. e4 "), "{analysed:?}");
}

/// Text files of Windows begin with a byte-order mark; old ones are in Latin-1.
#[test]
fn text_files_of_any_origin_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name).display().to_string();
        fs::write(&path, bytes).unwrap();
        path
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let other = "4k3/8/8/8/8/8/8/QQ2K3 w - - bm Qa8;";
    let marked = file("marked.epd", format!("\u{feff}{other}\r\n{start} bm e4;\r\n").as_bytes());
    let mut latin = format!("{other} id \"Gr").into_bytes();
    latin.extend([0xfc, b'n', b'f', b'"', b';', b'\n']);
    latin.extend(start.as_bytes());
    let latin = file("latin.epd", &latin);
    let (solved, said) = called(0, &["epd", &marked, "--nodes", "100"]);
    assert!(solved.contains(" of 2 solved") && said.is_empty(), "{solved}{said}");
    let told = printed(&["epd", &latin, "--nodes", "100", "--json"]);
    assert!(told.contains("Gr\u{fc}nf"), "{told}");
    let mac = file("mac.epd", format!("# two\r{other}\r{start} bm e4;\r").as_bytes());
    let (solved, said) = called(0, &["epd", &mac, "--nodes", "100"]);
    assert!(solved.contains(" of 2 solved") && said.is_empty(), "{solved}{said}");
    for openings in [&marked, &latin, &mac] {
        let generated = printed(&[&format!("genfens 1 seed 1 book {openings}"), "quit"]);
        assert!(generated.contains("info string genfens "), "{generated}");
    }
}
