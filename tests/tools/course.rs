//! The course in `docs/course`: its prose agrees with its table and its transcripts.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use zugwerk::{engine::search::Techniques, workshop::train::BUCKETS};

/// The pages: file and text.
fn pages() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/course");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.map(|file| (file.clone(), fs::read_to_string(&file).unwrap())).collect()
}

/// The number of a page.
fn number(file: &Path) -> Option<u32> {
    file.file_name()?.to_str()?.split('-').next()?.parse().ok()
}

/// The rows of a table of the index, the one whose first column is `first`: the name in it, and the cell of
/// `column`.
fn table(first: &str, column: usize) -> BTreeMap<String, String> {
    let index = include_str!("../../docs/course/README.md");
    let rows = index.lines().skip_while(|line| !line.starts_with(&format!("| {first} |")));
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let rows = rows.skip(2).take_while(|line| line.starts_with('|')).map(cells);
    let name = |cell: &str| cell.split('`').nth(1).unwrap_or_default().to_owned();
    rows.map(|cells| (name(&cells[1]), cells[column].clone())).collect()
}

#[test]
fn every_technique_has_a_row_and_the_pages_say_what_the_table_says() {
    let (table, others) = (table("without", 3), table("technique", 2));
    for name in Techniques::NAMES {
        assert!(table.contains_key(*name) != others.contains_key(*name), "one row for {name}");
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
    assert!(told >= 10, "the pages tell {told} numbers");
}

/// The prose and the transcripts in the parts of a page that show the idea at work and say when it is wrong.
fn shown(text: &str) -> (String, String) {
    let (mut prose, mut transcripts) = (String::new(), String::new());
    let (mut is_shown, mut is_transcript) = (false, false);
    for line in text.lines() {
        match line {
            _ if line.starts_with("## ") => {
                is_shown = ["## See it work", "## When it is wrong"].contains(&line);
            }
            _ if line.starts_with("```") => is_transcript = !is_transcript,
            _ if is_shown && is_transcript => transcripts.extend([line, "\n"]),
            _ if is_shown => prose.extend([line, "\n"]),
            _ => {}
        }
    }
    (prose, transcripts)
}

/// The nodes that `bench` has counted in `transcripts`.
fn benches(transcripts: &str) -> Vec<f64> {
    let counts = transcripts.lines().filter(|line| line.ends_with(" nps"));
    counts.filter_map(|line| line.split_once(" nodes ")?.0.parse().ok()).collect()
}

#[test]
fn shares_of_nodes_are_those_of_the_transcripts() {
    let mut told = 0;
    for (file, text) in pages() {
        let (prose, transcripts) = shown(&text);
        let benches = benches(&transcripts);
        let pairs = || benches.iter().flat_map(|few| benches.iter().map(move |many| (few, many)));
        let shares =
            prose.split(" %").filter_map(|before| before.split_whitespace().last()?.parse::<f64>().ok());
        for share in shares.filter(|_| benches.len() > 1) {
            let is_share = |(few, many): (&f64, &f64)| {
                [100.0 * (many / few - 1.0), 100.0 * (1.0 - few / many)].map(f64::round).contains(&share)
            };
            assert!(pairs().any(is_share), "{share} % of {benches:?} in {}", file.display());
            told += 1;
        }
    }
    assert!(told >= 8, "the pages tell {told} shares");
}

#[test]
fn values_are_those_of_the_transcripts() {
    let is_value = |word: &&str| {
        word.starts_with(['+', '-']) && word.len() > 4 && word.as_bytes()[word.len() - 3] == b'.'
    };
    for (file, text) in pages() {
        let (prose, transcripts) = shown(&text);
        for value in prose.split_whitespace().map(|word| word.trim_end_matches(['.', ','])).filter(is_value) {
            assert!(transcripts.contains(value), "{value} in {}", file.display());
        }
    }
}

/// The values for White in the rows of `study` whose first column is `name`.
fn values<'t>(transcripts: &'t str, name: &str) -> Vec<&'t str> {
    let rows = transcripts.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix("  "));
    rows.filter_map(|row| row.split_whitespace().nth(1)).collect()
}

/// A page that shows what a technique finds or misses has an example in which it does.
#[test]
fn examples_of_mates_tell_the_searches_apart() {
    for (page, finds, misses) in [
        (
            include_str!("../../docs/course/10-late-move-reductions.md"),
            "without late_move_reductions",
            "search",
        ),
        (include_str!("../../docs/course/11-pruning.md"), "without razoring", "search"),
        (include_str!("../../docs/course/12-singular-extensions.md"), "search", "without singular"),
    ] {
        let transcripts = shown(page).1;
        let values = [finds, misses].map(|name| values(&transcripts, name));
        assert!(values.iter().all(|values| !values.is_empty()), "{values:?}");
        assert_eq!(values.map(|values| values[0].starts_with('#')), [true, false], "{finds}; {misses}");
    }
}

/// The search without null move sees the zugzwang: another move, and a far better value.
#[test]
fn the_example_of_zugzwang_tells_the_searches_apart() {
    let transcripts = shown(include_str!("../../docs/course/09-null-move.md")).1;
    let seen = ["search", "without null_move"].map(|name| values(&transcripts, name));
    let seen = seen.map(|values| values[0].parse::<f64>().unwrap());
    assert!(seen[0] + 3.0 < seen[1], "{seen:?}");
}

/// The blocks of a page that are cut from the source, without those that are not.
fn code(page: &str) -> Vec<&str> {
    let blocks = page.split("-->\n```rust\n").skip(1);
    blocks.map(|block| block.split("\n```").next().unwrap_or_default()).collect()
}

#[test]
fn every_page_has_code_and_an_exercise_with_a_hint_and_a_solution() {
    let mut told = 0;
    for (file, page) in pages().into_iter().filter(|(file, _)| number(file).is_some()) {
        let code = code(&page);
        let lines = code.iter().map(|block| block.lines().count()).sum();
        assert!(matches!(lines, 10..=30), "{lines} lines of code in {}", file.display());
        assert_eq!(page.matches("```rust").count(), code.len(), "code not cut from {}", file.display());
        let folded: Vec<&str> = commands(&page, "<details>").collect();
        let expected = ["<summary>Hint</summary>", "<summary>Solution</summary>"];
        assert_eq!(folded, expected, "{}", file.display());
        told += 1;
    }
    assert_eq!(told, 20);
}

#[test]
fn the_pages_on_the_network_know_its_outputs() {
    for (page, words) in [
        (include_str!("../../docs/course/19-network.md"), "sets of weights"),
        (include_str!("../../docs/how-zugwerk-thinks.md"), "output layers"),
    ] {
        assert!(page.contains(&format!(" {BUCKETS} {words}")), "{BUCKETS} {words}");
    }
}

/// The arguments of the commands of a page: those in its transcripts, and those in comments, which draw its
/// diagrams.
fn commands<'p>(page: &'p str, begin: &'p str) -> impl Iterator<Item = &'p str> {
    page.lines().filter_map(move |line| line.strip_prefix(begin))
}

#[test]
fn every_position_has_a_diagram_on_its_page() {
    let mut drawn = 0;
    for (file, page) in pages() {
        let diagrams: Vec<&str> = commands(&page, "<!-- zugwerk board ").collect();
        let fens = commands(&page, "$ zugwerk ").filter_map(|command| {
            let words = command.split_once("--fen ").or_else(|| command.split_once("position fen "))?.1;
            let fen = words.trim_start_matches('\'').split(['\'', '"']).next()?;
            Some(if fen.starts_with("startpos") {
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
            } else {
                fen
            })
        });
        for fen in fens {
            assert!(diagrams.iter().any(|diagram| diagram.contains(fen)), "{fen} in {}", file.display());
        }
        for diagram in diagrams {
            let name = diagram.split_once(" -o ").unwrap().1.trim_end_matches(" -->");
            assert!(page.contains(&format!("](../pictures/{name})")), "{name} in {}", file.display());
            drawn += 1;
        }
    }
    assert!(drawn >= 15, "{drawn} diagrams");
}

/// The pages on searches show a tree, and the command for its page.
#[test]
fn pages_on_searches_have_a_tree() {
    let mut told = 0;
    for (file, page) in pages().into_iter().filter(|(file, _)| matches!(number(file), Some(2..=11))) {
        assert!(commands(&page, "<!-- zugwerk tree ").count() == 1, "no tree in {}", file.display());
        assert!(
            page.lines().any(|line| line.starts_with("zugwerk tree ") && line.ends_with(" -o tree.html")),
            "{}",
            file.display()
        );
        told += 1;
    }
    assert_eq!(told, 10);
}
