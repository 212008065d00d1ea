//! Calls of the program, and files for them.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use serde_json::Value;
use zugwerk::workshop::data::{Blocks, Record};

/// A call of the program with `args`, without standard input.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zugwerk"));
    command.args(args).stdin(Stdio::null());
    command
}

pub(crate) fn zugwerk(args: &[&str]) -> Output {
    command(args).output().expect("the binary starts")
}

/// Returns the standard output and error of a call that must end with `code`.
pub(crate) fn called(code: i32, args: &[&str]) -> (String, String) {
    let output = zugwerk(args);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("plain text");
    let (out, err) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(code), "{args:?}: {out}{err}");
    (out, err)
}

/// Returns the output of a successful call.
pub(crate) fn printed(args: &[&str]) -> String {
    called(0, args).0
}

/// Returns the JSON that a successful call prints.
pub(crate) fn json(args: &[&str]) -> Value {
    let text = printed(args);
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Returns what a call that must be refused says: one line, or a usage error of clap.
pub(crate) fn refused(args: &[&str]) -> String {
    refusal(&mut command(args))
}

/// The same as [`refused`], for a call that is more than its arguments.
pub(crate) fn refusal(call: &mut Command) -> String {
    let output = call.output().expect("the binary starts");
    assert_eq!(output.status.code(), Some(2), "{call:?}: {output:?}");
    assert!(output.stdout.is_empty(), "{call:?}: {output:?}");
    let said = String::from_utf8(output.stderr).expect("plain text");
    let is_ours = said.starts_with("zugwerk: ") && said.lines().count() == 1;
    let is_of_clap = said.starts_with("error: ") && said.ends_with("\nFor more information, try '--help'.\n");
    assert!(is_ours || is_of_clap, "{call:?}: {said}");
    said
}

/// A separate empty folder for each test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("plain text").to_owned()
    }
}

/// Plays fast games until `file` contains `positions`.
pub(crate) fn generate(file: &str, positions: &str, more: &[&str]) -> String {
    let args = ["datagen", file, "--positions", positions, "--nodes", "100", "--hash", "1"];
    called(0, &[&args, more].concat()).0
}

/// The positions of a file of training data.
pub(crate) fn records(file: &str) -> Vec<Record> {
    Blocks::open(Path::new(file)).unwrap().flat_map(|block| block.unwrap().records).collect()
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("plain text")
}

/// A file of training data with a few games.
pub(crate) fn training_data(folder: &Path) -> String {
    let path = folder.join("data.zwd").display().to_string();
    let flags = "--positions 300 --nodes 20 --hash 1 --evaluator material";
    printed(&[&["datagen", &path], &flags.split(' ').collect::<Vec<_>>()[..]].concat());
    path
}

pub(crate) const MIDDLEGAME: &str = "r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 7 11";

pub(crate) const PAWNS: &str = "7k/7P/7P/8/8/p7/8/7K b - - 0 1";

/// Starts the program with pipes for its input and output.
pub(crate) fn start(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_zugwerk"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// A call of the program with `input` on standard input.
pub(crate) fn with_input(args: &[&str], input: &str) -> Output {
    let mut child = start(args);
    // The program may end without reading all of it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the path of a file that does not exist.
pub(crate) fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

/// Returns a separate file for each test.
pub(crate) fn file(name: &str, content: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path
}
