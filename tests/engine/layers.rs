//! Compares the list of layers in `src/lib.rs` with the imports of the files: no import points upwards, and the list is
//! up to date. Within a folder no files import each other in a circle.

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

/// The paths of the use tree that `text` begins with: `{a::{b, C}, d}` has `a::b`, `a::C` and `d`.
fn paths(text: &str) -> Vec<String> {
    if let Some(group) = text.strip_prefix('{') {
        return members(group).into_iter().flat_map(paths).collect();
    }
    let end = text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let below = rest.strip_prefix("::").map(paths).unwrap_or_default();
    if below.is_empty() && !name.is_empty() {
        return vec![name.to_owned()];
    }
    below.into_iter().map(|path| format!("{name}::{path}")).collect()
}

/// The members of the group in braces that `text` begins with, behind its opening brace.
fn members(text: &str) -> Vec<&str> {
    let (mut members, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                members.push(text[start..at].trim());
                start = at + 1;
                if letter == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    members
}

/// The paths behind `prefix` in a program.
fn paths_behind(program: &str, prefix: &str) -> Vec<String> {
    program.split(prefix).skip(1).flat_map(paths).collect()
}

/// The modules that a program imports from the crate.
fn imports(program: &str) -> BTreeSet<String> {
    let paths = paths_behind(program, "crate::");
    let names = paths.iter().filter_map(|path| path.split("::").next());
    names
        .filter(|name| name.starts_with(|letter: char| letter.is_ascii_lowercase()))
        .map(str::to_owned)
        .collect()
}

/// The program in a file, without its tests.
fn program_in(path: &Path) -> String {
    program(&fs::read_to_string(path).unwrap())
}

/// The files and folders in `folder` that import each other in a circle. `mod.rs` is none of them: it lists the others, and
/// what it re-exports is imported from the file that it comes from.
fn circles(source: &Path, folder: &Path) -> BTreeSet<String> {
    let place = folder.strip_prefix(source).unwrap();
    let of_crate: String = place.iter().map(|name| format!("{}::", name.to_str().unwrap())).collect();
    let mut within: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    for path in files(folder).into_iter().filter(|path| !path.ends_with("tests.rs")) {
        let name = path.strip_prefix(folder).unwrap().iter().next().unwrap().to_str().unwrap();
        within.entry(name.trim_end_matches(".rs").to_owned()).or_default().push(path);
    }
    let door = within.remove("mod").map(|files| program_in(&files[0])).unwrap_or_default();
    let re_exports: BTreeMap<String, String> = paths_behind(&door, "use ")
        .iter()
        .filter_map(|path| Some((path.rsplit_once("::")?.1.to_owned(), path.split_once("::")?.0.to_owned())))
        .collect();
    let mut imports: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, files) in &within {
        for path in files {
            let program = program_in(path);
            let depth =
                path.strip_prefix(folder).unwrap().iter().count() - usize::from(path.ends_with("mod.rs"));
            let mut paths = paths_behind(&program, "crate::");
            paths.retain_mut(|path| match path.strip_prefix(&of_crate) {
                Some(inner) => {
                    *path = inner.to_owned();
                    true
                }
                None => false,
            });
            let here = "super::".repeat(depth);
            let program = program.replace(&format!("super::{here}"), "elsewhere::");
            paths.extend(paths_behind(&program, &here));
            for path in &paths {
                let first = path.split("::").next().unwrap_or_default();
                let target =
                    within.get_key_value(first).or_else(|| within.get_key_value(re_exports.get(first)?));
                imports.entry(name).or_default().extend(target.map(|(target, _)| target.as_str()));
            }
        }
    }
    let leads_back = |start: &str| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
        while let Some(name) = open.pop() {
            for &next in imports.get(name).into_iter().flatten().filter(|next| **next != name) {
                if next == start {
                    return true;
                }
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        false
    };
    within.keys().filter(|name| leads_back(name)).cloned().collect()
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
        let program = program_in(&path);
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
fn no_files_import_each_other_in_a_circle() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let folders: BTreeSet<PathBuf> = files(&source)
        .iter()
        .filter_map(|path| path.parent())
        .filter(|folder| *folder != source)
        .map(Path::to_owned)
        .collect();
    let found: BTreeMap<String, String> = folders
        .iter()
        .map(|folder| {
            let circles = circles(&source, folder).into_iter().collect::<Vec<_>>().join(" ");
            (folder.strip_prefix(&source).unwrap().to_str().unwrap().replace('\\', "/"), circles)
        })
        .filter(|(_, circles)| !circles.is_empty())
        .collect();
    assert!(found.is_empty(), "files that import each other, by folder: {found:?}");
}

#[test]
fn imports_are_found_however_they_are_written() {
    let program = "use crate::{\n    a::{b, c::d},\n    e,\n    f::G,\n};\nuse crate::h::I;\nlet j = crate::k::l();\nuse crate::M;\n";
    assert_eq!(imports(program).into_iter().collect::<Vec<_>>(), ["a", "e", "f", "h", "k"]);
    assert_eq!(paths("{a::{b, c::{D, e::*}}, f as g}, h"), ["a::b", "a::c::D", "a::c::e", "f"]);
}

#[test]
fn module_files_have_one_style() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for path in files(&source) {
        let twin = path.with_extension("");
        assert!(!twin.is_dir(), "{} stands beside its folder: call it mod.rs within", path.display());
    }
}
