//! Compares the list of layers in `src/lib.rs` with the imports of the files: no import points upwards, and the list is
//! up to date.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The modules of the library in the list, from the top down, each with its imports.
fn map(lib: &str) -> Vec<(String, BTreeSet<String>)> {
    let rows =
        lib.lines().skip_while(|line| *line != "//! # The layers").skip_while(|line| *line != "//! ```text");
    rows.skip(1)
        .take_while(|line| *line != "//! ```")
        .filter_map(|line| {
            let (module, imports) = line.trim_start_matches("//!").split_once(':')?;
            let imports = imports.split_whitespace().map(str::to_owned);
            Some((module.trim().to_owned(), imports.collect()))
        })
        .collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] });
    below.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The code of a file without comments and without the tests at its end.
fn program(text: &str) -> String {
    let program = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = program.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The first names after `crate::`, also in braces.
fn imports(program: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for rest in program.split("crate::").skip(1) {
        let (group, rest) = match rest.strip_prefix('{') {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let (mut depth, mut name, mut over) = (0, String::new(), false);
        for letter in rest.chars() {
            match letter {
                'a'..='z' | 'A'..='Z' | '0'..='9' | '_' if !over => name.push(letter),
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                '}' => break,
                ',' if depth == 0 => {
                    names.insert(std::mem::take(&mut name));
                    over = false;
                }
                _ if !group => break,
                letter if letter.is_whitespace() && name.is_empty() => {}
                _ => over = true,
            }
            if !group && over {
                break;
            }
        }
        names.insert(name);
    }
    names.retain(|name| name.starts_with(|letter: char| letter.is_ascii_lowercase()));
    names
}

#[test]
fn no_layer_looks_upwards() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let lib = fs::read_to_string(source.join("lib.rs")).unwrap();
    let map = map(&lib);
    let modules: BTreeSet<&str> = lib
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'))
        .collect();
    assert_eq!(map.iter().map(|(module, _)| module.as_str()).collect::<BTreeSet<_>>(), modules);
    let mut found: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for path in files(&source) {
        let place = path.strip_prefix(&source).unwrap();
        let top = place.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        let Some(&module) = modules.get(top) else { continue };
        if path.ends_with("tests.rs") {
            continue;
        }
        let program = program(&fs::read_to_string(&path).unwrap());
        let depth = place.iter().count() - usize::from(path.ends_with("mod.rs"));
        let out = "super::".repeat(depth);
        assert!(!program.contains(&out), "{}: `{out}` leaves the module, write `crate::`", path.display());
        found.entry(module).or_default().extend(imports(&program));
    }
    for (row, (module, stated)) in map.iter().enumerate() {
        let mut imports = found.remove(module.as_str()).unwrap_or_default();
        imports.remove(module);
        assert_eq!(*stated, imports, "what `{module}` imports; left the map in lib.rs");
        for import in stated {
            let below = map[row..].iter().any(|(other, _)| other == import);
            assert!(below, "`{module}` looks upwards at `{import}`");
        }
    }
}

#[test]
fn imports_are_found_however_they_are_written() {
    let program =
        "use crate::{\n    a::{b, c::d},\n    e,\n    f::G,\n};\nuse crate::h::I;\nlet j = crate::k::l();\n";
    assert_eq!(imports(program).into_iter().collect::<Vec<_>>(), ["a", "e", "f", "h", "k"]);
}

#[test]
fn module_files_have_one_style() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in files(&source) {
        let twin = path.with_extension("");
        assert!(!twin.is_dir(), "{} stands beside its folder: call it mod.rs within", path.display());
    }
}
