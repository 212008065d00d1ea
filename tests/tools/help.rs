//! Tests of help.

use crate::calls::{command, printed, stdout};

#[test]
fn help_and_version() {
    assert_eq!(printed(&["--version"]), format!("zugwerk {}\n", env!("CARGO_PKG_VERSION")));
    let help = printed(&["--help"]);
    for part in ["bench", "match", "eval", "--move-overhead=", "Exit codes: 0"] {
        assert!(help.contains(part), "{part} is missing in\n{help}");
    }
    assert!(!help.contains("table_cutoffs"), "not all techniques:\n{help}");
}

/// The subcommands that the help of `tool` lists.
fn listed(tool: &[&str]) -> Vec<String> {
    let help = printed(&[&["help"], tool].concat());
    let list = help.split_once("\nCommands:\n").map_or("", |(_, rest)| rest);
    let list = list.lines().take_while(|line| !line.is_empty());
    let names = list.filter_map(|line| line.strip_prefix("  ")?.split_once(' ')).map(|(name, _)| name);
    names.filter(|&name| !name.is_empty() && name != "help").map(str::to_owned).collect()
}

#[test]
fn every_tool_explains_itself_with_an_example() {
    let tools = listed(&[]);
    assert!(tools.len() >= 15, "{tools:?}");
    for tool in &tools {
        explains_itself(&[tool]);
        listed(&[tool]).iter().for_each(|part| explains_itself(&[tool, part]));
    }
}

fn explains_itself(tool: &[&str]) {
    let help = at_width("1000", tool);
    let (_, examples) =
        help.split_once("\nExample").unwrap_or_else(|| panic!("{tool:?} has no example:\n{help}"));
    assert!(examples.contains(&format!("zugwerk {}", tool.join(" "))), "{tool:?}:\n{help}");
    assert!(help.contains("\nExit codes: 0 "), "{tool:?}:\n{help}");
    let narrow = at_width("80", tool);
    for line in narrow.lines() {
        assert!(line.chars().count() <= 80, "{tool:?}: {line}");
    }
    for line in examples.lines().filter(|line| line.starts_with("  ")) {
        assert!(narrow.contains(&format!("{line}\n")), "{tool:?}: an example is broken: {line}");
    }
}

/// The help of `tool` in a terminal of `columns`.
fn at_width(columns: &str, tool: &[&str]) -> String {
    stdout(&command(&[&["help"], tool].concat()).env("COLUMNS", columns).output().unwrap())
}
