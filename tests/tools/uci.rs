//! Tests of options and lines of UCI as arguments.

use crate::calls::printed;

#[test]
fn option_flags_set_defaults_and_leave_uci_running() {
    let text = printed(&["--MultiPV=3", "--Move Overhead=100", "--uci-showwdl", "go depth 2", "quit"]);
    assert!(text.contains(" multipv 3 ") && text.contains(" wdl "), "{text}");
    assert!(printed(&["--Hash=64", "--SyzygyPath=/no/such/folder", "uci"]).contains("\nuciok\n"));
    assert_eq!(printed(&["--hash=64"]), "", "standard input is at its end");
}

#[test]
fn arguments_are_lines_each_search_finishing_before_the_next() {
    let text =
        printed(&["position startpos moves e2e4", "go depth 6", "position startpos", "go depth 3", "quit"]);
    let ends: Vec<&str> = text.lines().filter(|l| l.starts_with("bestmove")).collect();
    assert_eq!(ends.len(), 2, "{text}");
    assert!(text.contains("info depth 6 "), "the first search was not cut short:\n{text}");
    assert!(printed(&["go perft 2", "quit"]).contains("Nodes searched: 400"));
    assert_eq!(printed(&["go infinite", "stop", "quit"]).matches("bestmove").count(), 1);
    assert_eq!(printed(&["go infinite"]).matches("bestmove").count(), 1, "the end of the lines stops it");
    assert!(printed(&["bench 1"]).trim_end().ends_with("nps"));
}
