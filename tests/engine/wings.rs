//! Holds the imports of the files against the rule of the wings: what each of them may see. Within a folder
//! no files import each other in a circle.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The wings of the library, each with those that it may import. The binary's `cli` may import all.
const WINGS: [(&str, &[&str]); 8] = [
    ("lessons", &["engine", "pages", "chess"]),
    ("report", &["engine", "pages", "rules", "chess"]),
    ("arena", &["pages", "rules", "chess"]),
    ("workshop", &["engine", "rules", "chess"]),
    ("engine", &["chess"]),
    ("pages", &["chess"]),
    ("rules", &["chess"]),
    ("chess", &[]),
];

/// The parts of the engine, each with those that it may import.
const ENGINE: [(&str, &[&str]); 12] = [
    ("uci", &["Engine", "Listener", "hints", "bench", "diagram", "eval", "options", "search", "wdl"]),
    ("control", &["search_thread", "eval", "options", "search"]),
    ("search_thread", &["eval", "options", "search"]),
    ("bench", &["eval", "search"]),
    ("options", &["eval", "search"]),
    ("search", &["hints", "eval", "tt", "wdl"]),
    ("diagram", &["eval"]),
    ("tt", &["hints", "memory"]),
    ("eval", &[]),
    ("wdl", &[]),
    ("hints", &[]),
    ("memory", &[]),
];

/// The files beside the wings. All may import them, and they import only each other.
const BESIDE: [&str; 6] = ["files", "halt", "in_order", "random", "settings", "words"];

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
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
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
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ',' | '}' if depth == 0 => {
                members.push(text[start..at].trim());
                start = at + 1;
                if c == '}' {
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

/// What a program imports from `place`: the crate (an empty text), or one of its modules (`engine::`).
fn imports(program: &str, place: &str) -> BTreeSet<String> {
    let paths = paths_behind(program, "crate::");
    let inner = paths.iter().filter_map(|path| path.strip_prefix(place)?.split("::").next());
    inner.map(str::to_owned).collect()
}

/// The program in a file, without its tests.
fn program_in(path: &Path) -> String {
    program(&fs::read_to_string(path).unwrap())
}

/// The files and folders in `folder` that import each other in a circle. `mod.rs` is none of them: it lists
/// the others, and what it re-exports is imported from the file that it comes from.
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

/// The name of the file or folder of `path` in `folder`.
fn part(folder: &Path, path: &Path) -> String {
    let name = path.strip_prefix(folder).unwrap().iter().next().unwrap().to_str().unwrap();
    name.trim_end_matches(".rs").to_owned()
}

#[test]
fn no_wing_sees_more_than_it_may() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let lib = program_in(&source.join("lib.rs"));
    let modules = lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    let known = WINGS.iter().map(|(wing, _)| *wing).chain(BESIDE);
    assert_eq!(modules.collect::<BTreeSet<_>>(), known.collect::<BTreeSet<_>>());
    for path in files(&source).into_iter().filter(|path| !path.ends_with("tests.rs")) {
        let wing = part(&source, &path);
        let seen: &[&str] = match WINGS.iter().find(|(name, _)| *name == wing) {
            Some((_, seen)) => seen,
            None if BESIDE.contains(&wing.as_str()) => &[],
            None => continue,
        };
        let program = program_in(&path);
        let depth =
            path.strip_prefix(&source).unwrap().iter().count() - usize::from(path.ends_with("mod.rs"));
        let out = "super::".repeat(depth);
        assert!(!program.contains(&out), "{}: `{out}` leaves the wing, write `crate::`", path.display());
        for import in imports(&program, "") {
            let may = import == wing || seen.contains(&&*import) || BESIDE.contains(&&*import);
            assert!(may, "{}: `{wing}` may not see `{import}`", path.display());
        }
    }
}

#[test]
fn no_part_of_the_engine_sees_more_than_it_may() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/engine");
    for path in files(&folder).into_iter().filter(|path| !path.ends_with("tests.rs")) {
        let name = part(&folder, &path);
        let Some((_, seen)) = ENGINE.iter().find(|(part, _)| *part == name) else {
            assert_eq!(name, "mod", "a part without a rule");
            continue;
        };
        let program = program_in(&path);
        let depth =
            path.strip_prefix(&folder).unwrap().iter().count() - usize::from(path.ends_with("mod.rs"));
        let out = "super::".repeat(depth);
        assert!(!program.contains(&out), "{}: `{out}` leaves the part, write `crate::`", path.display());
        for import in imports(&program, "engine::") {
            let may = import == name || seen.contains(&&*import);
            assert!(may, "{}: `{name}` may not see `{import}`", path.display());
        }
    }
}

/// What two subcommands need stands in `cli/shared`, or in the library.
#[test]
fn no_subcommand_sees_another() {
    let cli = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cli");
    for path in ["commands", "shared"].iter().flat_map(|floor| files(&cli.join(floor))) {
        let program = program_in(&path);
        let place = path.strip_prefix(&cli).unwrap();
        let depth = place.iter().count() - usize::from(path.ends_with("mod.rs"));
        let out = if place.starts_with("commands") {
            "super::".repeat(depth - 1)
        } else {
            "super::super::".to_owned()
        };
        let is_door = depth == 1;
        assert!(is_door || !program.contains(&out), "{}: `{out}` leads to others", path.display());
        let seen = imports(&program, "cli::");
        assert!(seen.iter().all(|seen| seen == "shared"), "{}: sees {seen:?}", path.display());
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
    let program =
        "use crate::{\n    a::{b, c::d},\n    e,\n    f::G,\n};\nuse crate::h::I;\nlet j = crate::k::l();\n";
    assert_eq!(imports(program, "").into_iter().collect::<Vec<_>>(), ["a", "e", "f", "h", "k"]);
    assert_eq!(imports(program, "a::").into_iter().collect::<Vec<_>>(), ["b", "c"]);
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
