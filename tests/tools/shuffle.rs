//! Tests of `data shuffle` from outside.

use std::{fs, path::Path, process::Command};

use zugwerk::data::{Filter, Record};

use crate::calls::{Folder, called, command, generate, records};

/// The records in a canonical order, to compare them as sets.
fn sorted(file: &str) -> Vec<[u8; Record::SIZE]> {
    let mut bytes: Vec<_> = records(file).iter().map(Record::to_bytes).collect();
    bytes.sort_unstable();
    bytes
}

#[test]
fn a_shuffle_changes_the_order_alone() {
    let folder = Folder::new("shuffle-order");
    let path = |name: &str| folder.path(name);
    let (one, two) = (path("one.zwd"), path("two.zwd"));
    generate(&one, "500", &["--seed", "1"]);
    generate(&two, "500", &["--seed", "2"]);
    called(0, &["data", "shuffle", &one, &two, "--output", &path("shuffled.zwd")]);
    let all = [sorted(&one), sorted(&two)].concat();
    assert_ne!(records(&path("shuffled.zwd")), [records(&one), records(&two)].concat());
    assert!(sorted(&path("shuffled.zwd")).iter().all(|record| all.contains(record)));
    assert_eq!(records(&path("shuffled.zwd")).len(), all.len());
    called(0, &["data", "shuffle", &one, &two, "--output", &path("again.zwd")]);
    assert_eq!(
        fs::read(path("again.zwd")).unwrap(),
        fs::read(path("shuffled.zwd")).unwrap(),
        "the seed decides"
    );
    called(0, &["data", "shuffle", &one, "--quiet", "--first-ply", "20", "--output", &path("calm.zwd")]);
    let filter = Filter { first_ply: 20, ..Filter::QUIET };
    let calm = records(&one).iter().filter(|record| filter.admits(record)).count();
    assert_eq!(records(&path("calm.zwd")).len(), calm);

    let (shown, _) = called(0, &["data", "show", &path("shuffled.zwd")]);
    for file in [&one, &two] {
        let crc32 = zugwerk::data::checksum(Path::new(file)).unwrap();
        let source = format!(
            "from {}: {} positions, checksum {crc32:08x}",
            &file[file.len() - 7..],
            records(file).len()
        );
        assert!(shown.contains(&source), "{source} in {shown}");
    }
}

#[test]
fn equal_positions_and_games_are_on_one_side() {
    let folder = Folder::new("shuffle-sides");
    let path = |name: &str| folder.path(name);
    generate(&path("games.zwd"), "2000", &[]);
    let (training, validation) = (path("training.zwd"), path("validation.zwd"));
    let args = ["data", "shuffle", &path("games.zwd"), &path("games.zwd"), "--unique", "--output", &training];
    called(0, &[&args[..], &["--validation", &validation, "--validation-share", "0.3"]].concat());
    let both = [records(&training), records(&validation)].concat();
    let mut keys: Vec<_> = both.iter().map(|record| Record::identity_of(&record.to_bytes())).collect();
    keys.sort_unstable();
    assert!(keys.windows(2).all(|pair| pair[0] != pair[1]), "a position stands twice");
    assert!(!records(&validation).is_empty() && records(&validation).len() < records(&training).len());
}

#[test]
fn a_shuffle_into_standard_output_reports_on_standard_error() {
    let folder = Folder::new("data-shuffle-stream");
    let games = folder.path("games.zwd");
    generate(&games, "300", &[]);
    for (training, validation) in
        [("-", folder.path("validation.zwd")), (&folder.path("training.zwd"), "-".into())]
    {
        let args = ["data", "shuffle", &games, "--output", training, "--validation", &validation];
        let output = command(&args).args(["--validation-share", "0.5"]).output().unwrap();
        let file = folder.path("streamed.zwd");
        fs::write(&file, &output.stdout).unwrap();
        called(0, &["data", "verify", &file]);
        let err = String::from_utf8(output.stderr).unwrap();
        assert!(err.contains("duplicates dropped"), "{err}");
    }
}

#[test]
fn a_shuffle_warns_if_it_cannot_divide_by_game() {
    let folder = Folder::new("data-loose");
    let path = |name: &str| folder.path(name);
    generate(&path("games.zwd"), "300", &[]);
    let shuffle = |input: &str, output: &str, more: &[&str]| {
        called(0, &[&["data", "shuffle", &path(input), "--output", &path(output)], more].concat()).1
    };
    let (one, two) = (path("validation.zwd"), path("validation-2.zwd"));
    assert_eq!(shuffle("games.zwd", "training.zwd", &["--validation", &one]), "");
    let err = shuffle("training.zwd", "training-2.zwd", &["--validation", &two]);
    assert!(err.contains("belong to no game") && err.lines().count() == 1, "{err}");
    assert_eq!(shuffle("training.zwd", "training-3.zwd", &[]), "");
}

/// The games of the positions are told where they are known, and none that has no position there.
#[test]
fn a_shuffle_tells_the_games_of_the_positions() {
    let folder = Folder::new("data-games-told");
    let path = |name: &str| folder.path(name);
    generate(&path("games.zwd"), "300", &[]);
    let told = |more: &[&str]| {
        let args = ["data", "shuffle", &path("games.zwd"), "--force", "--output", &path("shuffled.zwd")];
        let (out, _) = called(0, &[&args, more].concat());
        out.lines().next().unwrap().to_owned()
    };
    assert!(told(&[]).ends_with(" games"), "{}", told(&[]));
    called(0, &["data", "shuffle", &path("games.zwd"), "--output", &path("loose.zwd")]);
    for more in [&["--first-ply", "9999"][..], &["--unique"], &[&path("loose.zwd")]] {
        assert!(told(more).ends_with(" positions"), "{}", told(more));
    }
}

/// macOS lets a program open 256.
#[test]
#[cfg(unix)]
fn a_shuffle_needs_few_open_files() {
    let folder = Folder::new("data-few-open-files");
    let (games, to) = (folder.path("games.zwd"), folder.path("to.zwd"));
    generate(&games, "300", &[]);
    let shuffle = ["data", "shuffle", &games, "--output", &to];
    let output = Command::new("sh")
        .args(["-c", "ulimit -n 100 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_zugwerk")])
        .args(shuffle)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(sorted(&to), sorted(&games));
}

#[test]
fn two_outputs_are_two_files() {
    let folder = Folder::new("data-two-outputs");
    let (games, one) = (folder.path("games.zwd"), folder.path("one.zwd"));
    generate(&games, "300", &[]);
    let shuffle = |one: &str, two: &str, more: &[&str]| {
        let args = ["data", "shuffle", &games, "--output", one, "--validation", two];
        called(2, &[&args, more].concat()).1
    };
    let same = folder.path("../data-two-outputs/one.zwd");
    for two in [&one, &same] {
        let err = shuffle(&one, two, &[]);
        assert!(err.contains("expected two different outputs") && err.lines().count() == 1, "{err}");
        assert!(!Path::new(&one).exists());
    }
    fs::write(&one, "mine").unwrap();
    for two in [&one, &same] {
        shuffle(&one, two, &["--force"]);
        assert_eq!(fs::read(&one).unwrap(), b"mine");
    }
    shuffle("-", "-", &[]);
    if cfg!(unix) {
        shuffle("-", "/dev/stdout", &[]);
    }
}
