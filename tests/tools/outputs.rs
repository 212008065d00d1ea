//! Tests of files that are written: what exists, what is replaced, standard output.

use std::fs;

use zugwerk::engine::eval::network::{Architecture, Network};

use crate::calls::{command, printed, refusal, refused, training_data, zugwerk};

/// A game with scores.
const SCORED: &str = "[Result \"0-1\"]\n\n1. f3 {-0.50} 1... e5 {+0.50} 2. g4 {-M2} 2... Qh4# {+M1} 0-1\n";

/// One policy for all output files: an existing one is refused at once, `--force` replaces it, `-` is
/// standard output.
#[test]
fn output_files_are_replaced_only_with_force() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let games = path("games.pgn");
    fs::write(&games, SCORED).unwrap();
    for (args, flag) in [
        (&["tree", "--depth", "1"][..], "-o"),
        (&["analyse", &games, "--depth", "1"], "-o"),
        (&["analyse", &games, "--depth", "1"], "--html"),
        (&["data", "pack", &games], "--output"),
    ] {
        let name = if flag == "--html" { "mine.html" } else { "mine.svg" };
        let mine = path(name);
        fs::write(&mine, "mine").unwrap();
        let said = refused(&[args, &[flag, &mine]].concat());
        assert!(said.contains(&format!("{name} exists: --force replaces it")), "{args:?}: {said}");
        assert_eq!(fs::read(&mine).unwrap(), b"mine", "{args:?}");
        let done = zugwerk(&[args, &[flag, &mine, "--force"]].concat());
        assert_eq!(done.status.code(), Some(0), "{args:?}: {done:?}");
        let written = fs::read(&mine).unwrap();
        assert_ne!(written, b"mine", "{args:?}");
        if flag == "--output" || flag == "-o" {
            let names: &[&str] = if cfg!(unix) { &["-", "/dev/stdout"] } else { &["-"] };
            for name in names {
                let done = zugwerk(&[args, &[flag, name]].concat());
                let told = (done.status.code(), &done.stdout);
                assert_eq!(told, (Some(0), &written), "{args:?} {name}");
            }
        }
    }
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 3, "no temporary file: {left:?}");
    let folder = folder.path().display().to_string();
    refused(&["data", "pack", &games, "--output", &folder, "--force"]);
}

/// `--force` without a file to write has no effect, so it is refused.
#[test]
fn force_needs_an_output_file() {
    let said = refused(&["tree", "--force"]);
    assert!(said.contains("--output"), "{said}");
}

/// The pages of all games are checked before the first game is analysed.
#[test]
fn a_series_of_pages_is_refused_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (games, series) = (path("games.pgn"), path("g-%.html"));
    fs::write(&games, SCORED.repeat(2)).unwrap();
    let analyse = ["analyse", &games, "--depth", "1", "--html", &series];
    fs::write(path("g-2.html"), "mine").unwrap();
    let said = refused(&analyse);
    assert!(said.contains("g-2.html exists: --force replaces it"), "{said}");
    assert!(!fs::exists(path("g-1.html")).unwrap(), "refused before the work");
    let said = refused(&[&analyse[..], &["--output", &path("g-1.html"), "--force"]].concat());
    assert!(said.contains("expected two different outputs, got"), "{said}");
    let input = path("g-3.html");
    fs::write(&input, SCORED).unwrap();
    let said = refused(&["analyse", &input, "--depth", "1", "--html", &series, "--force"]);
    assert!(said.contains("expected other files than the inputs"), "{said}");
    let said = refused(&["analyse", &games, "--depth", "1", "--html", &path("%/page.html")]);
    assert!(said.contains("expected % in the name of the file alone"), "{said}");
    assert_eq!(fs::read(path("g-2.html")).unwrap(), b"mine");
    printed(&[&analyse[..], &["--force"]].concat());
    for name in ["g-1.html", "g-2.html"] {
        assert!(fs::read_to_string(path(name)).unwrap().starts_with("<!DOCTYPE html>"), "{name}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4);
}

/// Not even `--force` lets a tool write over what it reads.
#[test]
fn no_input_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let games = path("games.pgn");
    fs::write(&games, SCORED).unwrap();
    // The name of a page, so that `tree` and `analyse` could write it.
    let network = path("network.html");
    let architecture = Architecture { neurons: 32, buckets: 8 };
    fs::write(&network, Network::random(architecture, 11).to_bytes()).unwrap();
    for (args, input) in [
        (&["data", "pack", &games, "--output", &games][..], &games),
        (&["tree", "--depth", "1", "--eval-file", &network, "--output", &network], &network),
        (&["analyse", &games, "--depth", "1", "--eval-file", &network, "--html", &network], &network),
    ] {
        let before = fs::read(input).unwrap();
        let said = refused(&[args, &["--force"]].concat());
        assert!(said.contains("expected another file than the inputs"), "{args:?}: {said}");
        assert!(fs::read(input).unwrap() == before, "{args:?}");
    }
}

/// `--force` replaces what a file contains, and nothing else about it.
#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_permissions_and_the_links_to_it() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let (file, link) = (elsewhere.path().join("secret.svg"), folder.path().join("link.svg"));
    let games = folder.path().join("games.pgn").display().to_string();
    fs::write(&games, "1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    symlink(&file, &link).unwrap();
    let output = link.display().to_string();
    for args in [&["tree", "--depth", "1"][..], &["analyse", &games, "--depth", "1"]] {
        fs::write(&file, "mine").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        printed(&[args, &["--output", &output, "--force"]].concat());
        assert!(link.is_symlink(), "{args:?}");
        assert_ne!(fs::read(&file).unwrap(), b"mine", "{args:?}");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{args:?}");
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1, "no temporary file");
    }
}

/// Standard output has the file alone; the rest is on standard error.
#[test]
fn a_file_on_standard_output_is_alone_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("games.pgn"), SCORED).unwrap();
    let pack = |output: &str| zugwerk(&["data", "pack", &path("games.pgn"), "--output", output]);
    let (stream, file) = (pack("-"), pack(&path("games.zwd")));
    assert_eq!(stream.stdout, fs::read(path("games.zwd")).unwrap());
    let told = String::from_utf8(stream.stderr).unwrap();
    assert!(told.contains("4 positions of 1 game") && file.stderr.is_empty(), "{told}");
}

/// `-` is never the name of a file: what cannot be a stream refuses it.
#[test]
fn what_cannot_be_a_stream_refuses_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let data = training_data(folder.path());
    let players = ["--engine", "self", "--engine", "self", "--each", "nodes=1", "--games", "2"];
    let programs = ["play", "--white", "greedy", "--black", "random"];
    for args in [
        &[&["match"], &players[..], &["--pgn", "-"]].concat()[..],
        &[&["match"], &players[..], &["--log", "-"]].concat()[..],
        &["datagen", "-", "--positions", "1", "--nodes", "1"],
        &["train", "--stream", "games", "--validation", &data, "--positions", "9", "--output", "-"],
        &["spsa", "--state", "-"],
        &[&programs[..], &["--pgn", "-"]].concat()[..],
    ] {
        let said = refusal(command(args).current_dir(folder.path()));
        assert!(said.contains("not standard output"), "{args:?}: {said}");
        let left = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 1, "{args:?}: only the data");
    }
}

/// If this were found at the end of the work, the result would be lost.
#[test]
fn a_folder_is_no_output() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("games.pgn"), "1. e4 1-0\n").unwrap();
    for output in [path("."), path("new/")] {
        for more in [&[][..], &["--force"]] {
            let said = refused(&[&["data", "pack", &path("games.pgn"), "--output", &output], more].concat());
            assert!(said.contains("expected a file, got a folder"), "{said}");
        }
    }
    let said = refused(&["data", "pack", &path("games.pgn"), "--output", &path("games.pgn/games.zwd")]);
    let reason = if cfg!(windows) { "games.zwd: " } else { "games.zwd: not a directory" };
    assert!(said.contains(reason) && !said.contains(".part"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_named_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link.svg");
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    let args = ["tree", "--depth", "1", "-o", link.to_str().unwrap(), "--force"];
    assert!(refused(&args).contains("got a link that leads nowhere"));
}
