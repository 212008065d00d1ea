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
            include_str!("../../docs/course/09-null-move.md"),
            "without aspiration, null_move, reverse_futility, pv_pruning",
            "without aspiration, reverse_futility, pv_pruning",
        ),
        (include_str!("../../docs/course/11-singular-extensions.md"), "search", "without singular"),
    ] {
        let transcripts = shown(page).1;
        let values = [finds, misses].map(|name| values(&transcripts, name));
        assert!(values.iter().all(|values| values.len() == 1), "{values:?}");
        assert_eq!(values.map(|values| values[0].starts_with('#')), [true, false], "{finds}; {misses}");
    }
}

#[test]
fn the_pages_on_the_network_know_its_outputs() {
    for (page, words) in [
        (include_str!("../../docs/course/18-network.md"), "sets of weights"),
        (include_str!("../../docs/how-zugwerk-thinks.md"), "output layers"),
    ] {
        assert!(page.contains(&format!(" {BUCKETS} {words}")), "{BUCKETS} {words}");
    }
}

/// The arguments of the commands of a page: those in its transcripts, and those in comments, which draw its diagrams.
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
    let number = |file: &Path| file.file_name()?.to_str()?.split('-').next()?.parse::<u32>().ok();
    let mut told = 0;
    for (file, page) in pages().into_iter().filter(|(file, _)| matches!(number(file), Some(2..=10))) {
        assert!(commands(&page, "<!-- zugwerk tree ").count() == 1, "no tree in {}", file.display());
        assert!(
            page.lines().any(|line| line.starts_with("zugwerk tree ") && line.ends_with(" -o tree.html")),
            "{}",
            file.display()
        );
        told += 1;
    }
    assert_eq!(told, 9);
}
