//! Tests of `datagen` from outside: runs, how they end and go on, and the files that they write.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use zugwerk::workshop::data::{Blocks, GameWriter, Header};

use crate::calls::{Folder, called, command, generate, records};

/// The number of positions in the whole blocks of a file, if it exists.
fn whole_records(file: &str) -> usize {
    let blocks = Blocks::open(Path::new(file)).into_iter().flatten();
    blocks.map_while(Result::ok).map(|block| block.records.len()).sum()
}

#[test]
fn games_are_generated_resumed_and_shown() {
    let folder = Folder::new("data-generated");
    let (whole, parts) = (folder.path("whole.zwd"), folder.path("parts.zwd"));
    let said = generate(&whole, "3000", &["--seed", "5", "--threads", "2"]);
    generate(&parts, "1000", &["--seed", "5"]);
    generate(&parts, "3000", &["--seed", "5", "--resume"]);
    let made = records(&whole);
    assert_eq!(made, records(&parts), "resumed with one thread or played at once with two");
    assert!(made.len() >= 3000 && said.starts_with(&format!("{} positions of ", made.len())), "{said}");

    let (shown, _) = called(0, &["data", "show", &whole]);
    assert!(shown.contains("games of standard chess by `datagen`"), "{shown}");
    assert!(shown.contains(&format!("\n{} positions, ", made.len())), "{shown}");
    let (verified, _) = called(0, &["data", "verify", &whole, &parts]);
    assert_eq!(verified.matches(" 0 invalid\n").count(), 2, "{verified}");
}

/// Such a file does not tell which games the run has played: they would be played again.
#[test]
fn a_run_does_not_continue_the_file_of_another_tool() {
    let folder = Folder::new("datagen-another-tool");
    let file = folder.path("made.zwd");
    let header = Header::new("another tool");
    GameWriter::create(Path::new(&file), &header).unwrap().finish().unwrap();
    let before = fs::read(&file).unwrap();
    let (_, err) = called(2, &["datagen", &file, "--positions", "200", "--resume"]);
    assert!(err.contains("expected a file by `datagen`, got one by `another tool`"), "{err}");
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
#[cfg_attr(not(unix), ignore = "needs signals")]
fn an_interrupted_run_keeps_what_is_finished() {
    let folder = Folder::new("data-interrupted");
    let file = folder.path("games.zwd");
    let args = ["datagen", &file, "--positions", "100000000", "--nodes", "100", "--hash", "1"];
    let mut child = command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while fs::metadata(&file).map_or(0, |file| file.len()) < 2000 {
        assert!(child.try_wait().unwrap().is_none(), "it goes on until it is interrupted");
        thread::sleep(Duration::from_millis(20));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    called(0, &["data", "verify", &file]);
}

#[test]
#[cfg_attr(not(unix), ignore = "needs signals")]
fn whatever_the_moment_a_killed_run_loses_no_whole_block_and_goes_on() {
    let folder = Folder::new("data-killed");
    let (file, whole) = (folder.path("games.zwd"), folder.path("whole.zwd"));
    let flags = ["--nodes", "50", "--hash", "1", "--threads", "2", "--seed", "4"];
    // Not the signal of Ctrl-C, which is ignored at first when the tests run in the background. The moments
    // after the start, in milliseconds, differ between machines.
    for (round, signal) in (0..20).zip(["-KILL", "-TERM"].into_iter().cycle()) {
        let more = if Path::new(&file).exists() { &["--resume"][..] } else { &[] };
        let args = [&["datagen", &file], &flags[..], more].concat();
        let mut child = command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let before = whole_records(&file);
        thread::sleep(Duration::from_millis(60 * (round * 7 % 20) + 5));
        let _ = Command::new("kill").args([signal, &child.id().to_string()]).status();
        child.wait().unwrap();
        let after = whole_records(&file);
        assert!(after >= before, "round {round}: {before} positions, then {after}");
    }
    let resume = |positions: &str| {
        called(0, &[&["datagen", &file], &flags[..], &["--resume", "--positions", positions]].concat())
    };
    if !Path::new(&file).exists() {
        called(0, &[&["datagen", &file], &flags[..], &["--positions", "1"]].concat());
    }
    resume("1");
    let positions = (records(&file).len() + 1).to_string();
    resume(&positions);
    called(0, &["data", "verify", &file]);
    called(0, &[&["datagen", &whole], &flags[..], &["--positions", &positions]].concat());
    assert_eq!(records(&file), records(&whole), "as if it had never been interrupted");
}

/// `--resume` is suggested only for a file that it can continue.
#[test]
fn an_existing_file_is_no_output_of_a_run() {
    let folder = Folder::new("data-existing");
    let path = |name: &str| folder.path(name);
    let (games, packed, mine) = (path("games.zwd"), path("packed.zwd"), path("mine"));
    let (begun, damaged) = (path("begun.zwd"), path("damaged.zwd"));
    generate(&games, "100", &[]);
    GameWriter::create(Path::new(&packed), &Header::new("data pack")).unwrap().finish().unwrap();
    fs::write(&mine, "mine").unwrap();
    // A killed run leaves such a file, which `--resume` begins again.
    fs::write(&begun, &fs::read(&games).unwrap()[..30]).unwrap();
    // The length of its header is damaged, and leads behind its end.
    let mut bytes = fs::read(&games).unwrap();
    bytes[14] ^= 1;
    fs::write(&damaged, bytes).unwrap();
    let (resume, new) = ("exists: --resume continues it", "exists: expected a new file");
    let run = ["datagen", "--positions", "9", "--nodes", "10", "--hash", "1"];
    for (tool, file, advice) in [
        (&run[..], &games, resume),
        (&run, &begun, resume),
        (&run, &packed, new),
        (&run, &mine, new),
        (&run, &damaged, new),
        (&[&run[..], &["--resume"]].concat(), &damaged, "the header is damaged: its length is wrong"),
    ] {
        let before = fs::read(file).unwrap();
        let (_, err) = called(2, &[tool, &[file]].concat());
        assert!(err.contains(advice) && err.lines().count() == 1, "{tool:?} {file}: {err}");
        assert_eq!(fs::read(file).unwrap(), before);
    }
}

#[test]
fn a_series_begins_only_where_there_is_no_other() {
    let folder = Folder::new("data-series");
    let path = |name: &str| folder.path(name);
    fs::write(path("sh-0002.zwd"), "mine").unwrap();
    let play = |code: i32, more: &[&str]| {
        let args = ["datagen", &path("sh.zwd"), "--shard", "100", "--nodes", "50", "--hash", "1"];
        called(code, &[&args, more].concat()).1
    };
    let err = play(2, &["--positions", "500"]);
    assert!(err.contains("sh-0002.zwd exists: ") && err.lines().count() == 1, "{err}");
    assert!(!Path::new(&path("sh-0001.zwd")).exists());
    assert_eq!(fs::read(path("sh-0002.zwd")).unwrap(), b"mine");
    fs::remove_file(path("sh-0002.zwd")).unwrap();
    play(0, &["--positions", "50"]);
    fs::write(path("sh-0003.zwd"), "mine").unwrap();
    let before = fs::read(path("sh-0001.zwd")).unwrap();
    let err = play(2, &["--positions", "500", "--resume"]);
    assert!(err.contains("sh-0002.zwd is missing") && err.lines().count() == 1, "{err}");
    assert_eq!(fs::read(path("sh-0001.zwd")).unwrap(), before);
    fs::remove_file(path("sh-0003.zwd")).unwrap();
    for other in ["sh-3.zwd", "sh-0009.txt", "sh-00x3.zwd", "other-0002.zwd"] {
        fs::write(path(other), "of no series").unwrap();
    }
    play(0, &["--positions", "150", "--resume"]);
}

#[test]
fn a_series_ends_where_another_file_comes_in_between() {
    let folder = Folder::new("data-series-between");
    let path = |name: &str| folder.path(name);
    let args = ["datagen", &path("sh.zwd"), "--shard", "200", "--nodes", "3000", "--hash", "1"];
    let child = command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while !Path::new(&path("sh-0001.zwd")).exists() {
        thread::sleep(Duration::from_millis(2));
    }
    fs::write(path("sh-0002.zwd"), "mine").unwrap();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{err}");
    let told =
        "sh-0002.zwd: it exists; expected a new file (the files before it are complete; without it --resume";
    assert!(err.contains(told) && err.lines().count() == 1, "{err}");
    assert_eq!(fs::read(path("sh-0002.zwd")).unwrap(), b"mine");
    assert!(records(&path("sh-0001.zwd")).len() >= 200);
    called(0, &["data", "verify", &path("sh-0001.zwd")]);
    let err = called(2, &[&args[..], &["--resume"]].concat()).1;
    assert!(err.contains("sh-0002.zwd: not a data file") && err.lines().count() == 1, "{err}");
    fs::remove_file(path("sh-0002.zwd")).unwrap();
    called(0, &[&args[..], &["--resume", "--positions", "250"]].concat());
}
