//! The course in `docs/course`: its numbers stand in one table, and its links lead somewhere.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use zugwerk::search::Techniques;

/// The pages: file and text.
fn pages() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/course");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.map(|file| (file.clone(), fs::read_to_string(&file).unwrap())).collect()
}

/// The rows of the table of the index: what is missing, and the Elo with its error.
fn table() -> BTreeMap<String, String> {
    let index = include_str!("../../docs/course/README.md");
    let rows = index.lines().skip_while(|line| !line.starts_with("| without |"));
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let rows = rows.skip(2).take_while(|line| line.starts_with('|')).map(cells);
    rows.map(|cells| (cells[1].split('`').nth(1).unwrap_or_default().to_owned(), cells[3].clone())).collect()
}

#[test]
fn every_technique_has_a_row_and_the_pages_say_what_the_table_says() {
    let table = table();
    for name in Techniques::NAMES {
        assert!(table.contains_key(*name), "no row for {name}");
    }
    let mut told = 0;
    for (file, text) in pages() {
        // `name` +1.0 ± 2.0
        for (before, after) in text.split("` ").zip(text.split("` ").skip(1)) {
            let name = before.rsplit('`').next().unwrap_or_default();
            let words: Vec<&str> = after.split_whitespace().take(3).collect();
            if let [elo, "±", error] = words[..] {
                let number = format!("{elo} ± {}", error.trim_end_matches([',', '.', ';']));
                assert_eq!(table.get(name), Some(&number), "{name} in {}", file.display());
                told += 1;
            }
        }
    }
    assert!(told >= 12, "the pages tell {told} numbers");
}

#[test]
fn every_link_of_the_course_leads_to_a_file() {
    for (file, text) in pages() {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = link.split('#').next().unwrap_or_default();
            if !path.is_empty() && !path.contains("://") {
                let target = file.parent().unwrap().join(path);
                assert!(target.exists(), "{link} in {}", file.display());
            }
        }
    }
}
