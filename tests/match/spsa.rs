//! Tests of `zugwerk spsa` from outside: an interrupted run continues, and only with its original flags; only
//! an engine with the parameters is tuned.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::double_with;

fn state(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("spsa-{name}.json"));
    let _ = std::fs::remove_file(&path);
    path
}

fn spsa(state: &Path, args: &str) -> Output {
    spsa_of(&double_with("D", "tunable", ""), state, args)
}

fn spsa_of(engine: &str, state: &Path, args: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zugwerk"));
    command.args(["spsa", "--pairs", "1", "--engine", engine]);
    if !args.contains("--tc") {
        command.args(["--nodes", "1"]);
    }
    command.args(args.split_whitespace()).arg("--state").arg(state).output().unwrap()
}

fn json(path: &Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_run_goes_on_from_its_state() {
    let path = state("goes-on");
    let output = spsa(&path, "--iterations 3");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let whole = json(&path);
    assert_eq!(whole["done"], 3);
    assert!(!path.with_extension("json.lock").exists());
    // As if it had been killed after the second iteration, with a number at the limit of its range.
    let mut altered = whole.clone();
    let name = altered["numbers"].as_object().unwrap().keys().next().unwrap().clone();
    altered["done"] = 2.into();
    let printed = |output: &Output| {
        let text = String::from_utf8(output.stdout.clone()).unwrap();
        let line = text.lines().find(|line| line.starts_with(&format!("{name}, "))).unwrap().to_owned();
        line.split(", ").map(str::to_owned).collect::<Vec<_>>()
    };
    let most: f64 = printed(&output)[4].parse().unwrap();
    altered["numbers"][&name] = most.into();
    std::fs::write(&path, altered.to_string()).unwrap();
    let output = spsa(&path, "--iterations 3");
    assert!(String::from_utf8_lossy(&output.stderr).contains("2 of 3 iterations are done"));
    assert_eq!(json(&path)["done"], 3);
    let value: f64 = printed(&output)[2].parse().unwrap();
    let range = most - printed(&output)[3].parse::<f64>().unwrap();
    assert!(value > most - range / 4.0, "{name} began its last iteration at {most} and ended at {value}");
}

/// It is told once, however many processes crash, and costs no game.
#[test]
fn an_engine_that_crashes_when_it_quits_is_told() {
    let path = state("quits");
    let output = spsa_of(&double_with("D", "tunable-fails-at-quit", ""), &path, "--iterations 2");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert_eq!(told.matches("when it quits, it crashes: exit code 7").count(), 1, "{told}");
    assert_eq!(json(&path)["done"], 2);
}

#[test]
fn the_games_may_have_a_clock() {
    let path = state("clock");
    let output = spsa(&path, "--iterations 1 --tc 40/2+0.01~1");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let state = json(&path);
    assert_eq!((&state["done"], &state["plan"]["tc"]), (&1.into(), &"40/2+0.01~1".into()));
    for (args, told) in [
        ("--iterations 1 --tc 3", "it was begun with --tc 40/2+0.01~1, not with --tc 3"),
        ("--iterations 1", "it was begun without --nodes, not with --nodes 1"),
        ("--iterations 1 --tc 0", "--tc"),
    ] {
        let output = spsa(&path, args);
        assert!(String::from_utf8_lossy(&output.stderr).contains(told), "{args}");
        assert_eq!(output.status.code(), Some(2), "{args}");
    }
}

#[test]
fn other_flags_and_other_files_are_refused() {
    let path = state("refused");
    assert_eq!(spsa(&path, "--iterations 1").status.code(), Some(0));
    let refusal = |args: &str| {
        let output = spsa(&path, args);
        assert_eq!(output.status.code(), Some(2), "{args}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refusal("--iterations 2").contains("it was begun with --iterations 1, not with --iterations 2"));
    assert!(refusal("--iterations 1 --seed 7").contains("it was begun with --seed 1, not with --seed 7"));
    let mut older = json(&path);
    older["numbers"].as_object_mut().unwrap().remove("null_move_depth").unwrap();
    std::fs::write(&path, older.to_string()).unwrap();
    assert!(refusal("--iterations 1").contains("it was begun without the parameter null_move_depth"));
    std::fs::write(&path, "my diary").unwrap();
    assert!(refusal("--iterations 1").contains("not a state of spsa"));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "my diary");
    // No memory is large enough for it.
    std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    assert!(refusal("--iterations 1").contains("not a state of spsa"));
    assert!(!path.with_extension("json.lock").exists());
}

/// Runs `spsa` without playing.
fn shown(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_zugwerk")).arg("spsa").args(args).output().unwrap()
}

#[test]
fn a_state_is_printed_and_one_that_is_missing_is_not_the_defaults() {
    let path = state("printed");
    let name = path.to_str().unwrap();
    let output = shown(&["--state", name]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{told}");
    assert!(told.contains(name) && told.lines().count() == 1, "{told}");

    let numbers = r#"{"null_move_depth": 4.0, "null_move_reduction": 5.0}"#;
    std::fs::write(&path, format!(r#"{{"plan": {{}}, "done": 1, "numbers": {numbers}}}"#)).unwrap();
    let output = shown(&["--state", name, "--only", "null_move_depth"]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.starts_with("null_move_depth, int, 4, "), "{printed}");
    assert!(!printed.contains("null_move_reduction"), "{printed}");
    std::fs::write(&path, r#"{"plan": {}, "done": 1, "numbers": {"luck": 1.0}}"#).unwrap();
    let told = String::from_utf8(shown(&["--state", name]).stderr).unwrap();
    assert!(told.contains("luck is not a parameter to tune"), "{told}");
}

#[test]
fn each_name_of_only_must_begin_that_of_a_parameter() {
    for (names, wrong) in [
        ("null_move,nul_move_depth", "nul_move_depth: `zugwerk spsa` lists them"),
        ("null_move,", "an empty one"),
        ("", "an empty one"),
    ] {
        let output = shown(&["--only", names]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{names}: {told}");
        let expected = format!("--only: expected names of parameters, or their beginnings, got {wrong}");
        assert!(told.contains(&expected), "{names}: {told}");
    }
}

#[test]
fn an_engine_without_the_parameters_is_refused() {
    let path = state("without");
    let refusal = |engine: &str| {
        let output = spsa_of(engine, &path, "--iterations 1");
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), output.stdout.len(), path.exists()),
            (Some(2), 0, false),
            "{stderr}"
        );
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        stderr
    };
    let told = refusal(&double_with("D", "none", ""));
    assert!(told.contains(" (plus) does not announce the option '"), "{told}");
    if !cfg!(feature = "tune") {
        for engine in ["self", "cmd=self", "self,option.Hash=4"] {
            assert!(refusal(engine).contains("playing needs a build with `--features tune`"), "{engine}");
        }
    }
}

/// With a clock more games than the cores carry are refused, as in a match.
#[test]
fn a_clock_limits_the_games_at_a_time() {
    let path = state("load");
    let output = spsa(&path, "--iterations 1 --tc 10 --concurrency 9000");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("--concurrency 9000: expected at most "), "{stderr}");
}

#[test]
fn files_of_similar_names_are_left_alone() {
    let path = state("neighbours");
    let neighbours = ["json.lock", "json.new"].map(|ending| path.with_extension(ending));
    neighbours.iter().for_each(|path| std::fs::write(path, "mine").unwrap());
    assert_eq!(spsa(&path, "--iterations 1").status.code(), Some(0));
    assert_eq!(json(&path)["done"], 1);
    for path in neighbours {
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine", "{}", path.display());
    }
}

#[test]
fn a_second_run_is_kept_out() {
    let path = state("alone");
    let lock = std::fs::File::create(path.with_extension("json.lock")).unwrap();
    lock.lock().unwrap();
    let output = spsa(&path, "--iterations 1");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("another run is writing to it"));
    assert!(path.with_extension("json.lock").exists(), "the lock of that run stays");
}
