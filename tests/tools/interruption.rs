//! Tests of Ctrl-C.

use std::{
    fs,
    process::{Child, Command, Output, Stdio},
};

use crate::calls::{command, stderr, stdout};

/// Ctrl-C: what there is so far is printed.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_tool_tells_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("long.epd").display().to_string();
    fs::write(&suite, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n".repeat(1000)).unwrap();
    for args in [&["analyse", "--depth", "100", "--json"][..], &["epd", &suite, "--nodes", "20000", "--json"]]
    {
        let output = interrupted(command(args).stdout(Stdio::piped()).spawn().unwrap());
        assert_eq!(output.status.code(), Some(130), "{args:?}: {output:?}");
        let told: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        assert!(told["complete"] == false || told[0]["total"].as_u64().unwrap() < 1000, "{args:?}: {told}");
    }
    for (args, told) in [
        (&["bench", "60"][..], "interrupted: "),
        (&["play", "--white", "nodes:1000000", "--black", "random", "--games", "1000"], " against random: "),
        (&["play", "--white", "minimax:20", "--black", "random"], " against random: 0"),
        (&["study", "--depth", "20"], "\nInterrupted. Missing rows: "),
        (&["tree", "--depth", "20", "--algorithm", "minimax"], ", interrupted"),
        (&["tree", "--depth", "20", "--algorithm", "deepening"], ", interrupted"),
        (&["tree", "--depth", "20", "--algorithm", "search", "--quiescence"], ", interrupted"),
    ] {
        let child = command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let output = interrupted(child.unwrap());
        assert_eq!(output.status.code(), Some(130), "{args:?}: {output:?}");
        let said = stdout(&output) + &stderr(&output);
        assert!(said.contains(told), "{args:?}: {said}");
    }
}

/// The sum of no times is not -0.
#[cfg(target_os = "linux")]
#[test]
fn a_suite_without_a_result_took_no_time() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("endless.epd").display().to_string();
    fs::write(&suite, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n").unwrap();
    let child = command(&["epd", &suite, "--depth", "200"]).stdout(Stdio::piped()).spawn();
    let told = stdout(&interrupted(child.unwrap()));
    assert!(told.contains("0 of 0 solved (0.0 %); 0 nodes, 0.0 s"), "{told}");
}

/// Interrupts a program some time after it handles the signal.
#[cfg(target_os = "linux")]
fn interrupted(child: Child) -> Output {
    let status = format!("/proc/{}/status", child.id());
    let handles_interrupts = || {
        let status = fs::read_to_string(&status).unwrap();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(mask.trim(), 16).unwrap() & 2 != 0
    };
    while !handles_interrupts() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    child.wait_with_output().unwrap()
}

/// Ctrl-C while a tool reads: it waits for a pipe that nobody writes to.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_tool_leaves_no_unfinished_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let pipe = path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let output = path("output");
    let names = || fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let args = ["data", "pack", &pipe, "--output", &output];
    let mut child = command(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while !names().any(|name| name.to_string_lossy().ends_with(".part")) {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let output = interrupted(child);
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert_eq!(names().count(), 1, "the pipe, not {:?}", names().collect::<Vec<_>>());
}
