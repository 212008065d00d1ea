//! Calls of the program, and folders for their files.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use serde_json::Value;
use zugwerk::data::{Blocks, Record};

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
