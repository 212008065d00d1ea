//! Tests of `zugwerk net`, and of the flags that choose an evaluator.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use zugwerk::engine::eval::network::{Architecture, Network};

use crate::calls::{printed, refused};

/// Returns the count in the last line of a benchmark.
fn nodes(args: &[&str]) -> String {
    printed(args).lines().last().unwrap().split(' ').next().unwrap().to_owned()
}

fn random() -> Network {
    let architecture = Architecture { neurons: 32, buckets: 8 };
    Network::random(architecture, 11)
}

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).unwrap();
    path
}

fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn show_tells_architecture_hash_and_provenance() {
    let network = random();
    let path = file("shown.zwn", &network.to_bytes());
    let text = printed(&["net", "show", name(&path)]);
    assert!(text.contains("architecture  768-32x2-8 squared\n"), "{text}");
    assert!(text.contains(&format!("hash          {}\n", network.hash())), "{text}");
    assert!(text.contains("\"random\": 11"), "{text}");
}

/// The network in `nets/` is the embedded one, unless the variable `EVALFILE` names another file.
#[test]
fn the_network_in_nets_is_inside_the_program() {
    if env::var_os("EVALFILE").is_some_and(|name| !name.is_empty()) {
        return;
    }
    let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("nets")).unwrap();
    let mut files = files.map(|entry| entry.unwrap().path());
    let Some(path) = files.find(|path| path.extension().is_some_and(|ending| ending == "zwn")) else {
        assert!(refused(&["net", "show"]).contains("built without one"));
        return;
    };
    assert_eq!(printed(&["net", "show"]), printed(&["net", "show", name(&path)]));
    assert_eq!(nodes(&["bench", "3"]), nodes(&["bench", "3", "--evaluator", "network"]));
    assert!(printed(&["uci", "quit"]).contains("option name Evaluator type combo default network "));
}

#[test]
fn what_is_no_network_is_refused_with_a_reason() {
    let bytes = random().to_bytes();
    let mut changed = bytes.clone();
    changed[3000] ^= 1;
    for (content, reason) in [
        (&bytes[..bytes.len() - 9], "truncated"),
        (&changed[..], "damaged"),
        (&b"# a text"[..], "not a network"),
        (&[][..], "not a network"),
    ] {
        let path = file("refused.zwn", content);
        for args in [["net", "show"], ["bench", "--eval-file"], ["eval", "--eval-file"]] {
            let said = refused(&[args[0], args[1], name(&path)]);
            assert!(said.contains(reason) && said.contains("refused.zwn"), "{said}");
        }
    }
    assert!(refused(&["net", "show", "/no/such/file"]).contains("/no/such/file"));
}

#[test]
fn every_tool_takes_any_evaluator() {
    let path = file("tools.zwn", &random().to_bytes());
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let classical = nodes(&["bench", "3", "--evaluator", "classical"]);
    let material = nodes(&["bench", "3", "--evaluator", "material"]);
    let network = nodes(&["bench", "3", "--eval-file", name(&path)]);
    assert!(classical != material && material != network && classical != network);
    assert_eq!(network, nodes(&["bench", "3", "--evaluator", "network", "--eval-file", name(&path)]));
    for args in [&["eval"][..], &["analyse", "--depth", "2"], &["study", "--depth", "1"]] {
        let with = |more: &[&str]| printed(&[args, &["--fen", fen], more].concat());
        assert_ne!(with(&["--eval-file", name(&path)]), with(&["--evaluator", "material"]), "{args:?}");
    }
    assert!(refused(&["bench", "1", "--evaluator", "best"]).contains("classical"));
    let both = ["bench", "1", "--evaluator", "classical", "--eval-file", name(&path)];
    assert!(refused(&both).contains("--eval-file only with a network"));
}
