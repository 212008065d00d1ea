//! A soak finds every kind of fault, reports each in one line, and fails; a correct engine passes.

use std::path::Path;
use std::process::{Command, Output};

use crate::double_with;

/// Soaks a double with `fault` in two stages.
fn soak(fault: &str) -> Output {
    let plan = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("soak-{fault}.txt"));
    // A busy machine delays moves, so the others have more time.
    let limits = if fault == "slow" { "st=0.1,margin=100" } else { "st=0.1,margin=400" };
    let stages =
        format!("# pondering, then Chess960\ngames=2,{limits},ponder=on\n\ngames=2,{limits},chess960=on\n");
    std::fs::write(&plan, stages).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_zugwerk"));
    command.args(["match", "--patience", "5", "--engine", &double_with("Double", fault, "")]);
    command.arg("--soak").arg(&plan).output().unwrap()
}

#[test]
fn a_sound_engine_passes() {
    for double in ["none", "ponders"] {
        let output = soak(double);
        let (told, stderr) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{double}: {told}{stderr}");
        assert!(told.ends_with("soak: 4 games, 0 faults\n"), "{told}");
        assert_eq!(told.lines().count(), 3, "a line for every stage and the sum: {told}");
    }
}

#[test]
fn every_fault_fails_it_and_is_told_in_a_line() {
    for (fault, told) in [
        ("illegal", "makes an illegal move: e1e5"),
        ("silent", "stalls: no bestmove"),
        ("crash", "crashes: exit code 3"),
        ("slow", "loses on time: used "),
        ("bad-pv", "illegal pv in "),
        ("truncated-pv", "truncated pv in "),
        ("unlike-pv", "best move unlike pv in "),
        ("no-score", "missing score in "),
        ("bad-ponder", "illegal ponder move in "),
        ("early-bestmove", "unasked: bestmove a1a1"),
        ("ponders-early", "unasked: bestmove "),
        ("garbage", "lines that are not UCI"),
    ] {
        let output = soak(fault);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{fault}: {stderr}");
        let named = |line: &&str| line.starts_with("stage 1/2, game 1.") && line.contains(told);
        assert!(stderr.lines().any(|line| named(&line)), "{fault}: {stderr}");
        let sum = String::from_utf8_lossy(&output.stdout);
        let faults: usize = sum.trim().rsplit(' ').nth(1).unwrap().parse().unwrap();
        assert_eq!(faults, stderr.lines().filter(|line| line.contains(", game ")).count(), "{fault}");
    }
}

#[test]
fn a_crash_when_the_engine_quits_is_a_fault_of_each_stage() {
    let output = soak("fails-at-quit");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    for stage in ["1/2", "2/2"] {
        for player in ["Double", "Double-2"] {
            let told = format!(
                "stage {stage}, {player}: when it quits, it crashes: exit code 7 (double: no goodbye)"
            );
            assert_eq!(stderr.lines().filter(|line| **line == told).count(), 1, "{told}: {stderr}");
        }
    }
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("soak: 4 games, 4 faults\n"));
}

/// As in a match, the settings of `--each` give way to those of the player, and both to those of the stage.
#[test]
fn own_settings_take_precedence() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (plan, log) = (folder.join("soak-own.txt"), folder.join("soak-own.log"));
    std::fs::write(&plan, "games=2,depth=1,option.Threads=3\n").unwrap();
    let _ = std::fs::remove_file(&log);
    let own = "tc=7+1,option.Hash=2,option.Threads=2";
    let mut command = Command::new(env!("CARGO_BIN_EXE_zugwerk"));
    command.args(["match", "--each", "st=0.1,option.Hash=1,option.Threads=1"]);
    command.args(["--engine", &double_with("Double", "none", own)]);
    let output = command.arg("--soak").arg(&plan).arg("--log").arg(&log).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "the double does not announce the options: {output:?}");
    let log = std::fs::read_to_string(&log).unwrap();
    for told in ["setoption name Hash value 2", "setoption name Threads value 3", "go wtime 7000 "] {
        assert!(log.lines().any(|line| line.contains(&format!(" > {told}"))), "{told}: {log}");
    }
    for other in ["Hash value 1", "Threads value 1", "Threads value 2", "movetime"] {
        assert!(!log.contains(other), "{other}");
    }
}

#[test]
fn a_bad_plan_is_refused_in_one_line() {
    let refusal = |plan: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zugwerk"));
        let output = command.args(["match", "--soak"]).arg(plan).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    let plan = Path::new(env!("CARGO_TARGET_TMPDIR")).join("soak-bad.txt");
    std::fs::write(&plan, "games=2,tc=1\ngames=2,tc=x\n").unwrap();
    let told = refusal(&plan);
    assert!(told.contains("line 2: tc=x: expected [moves/]seconds"), "{told}");
    let told = refusal(Path::new("/nonexistent/plan"));
    assert!(told.contains("--soak /nonexistent/plan: expected short, long or a file"), "{told}");
    assert_eq!(told.lines().count(), 1);
}
