//! Finds the network to embed: the file in the variable `EVALFILE` (`make EVALFILE=path`, as OpenBench calls
//! it), or else the only one in `nets/`. Without either the program has none.

use std::{env, fs, path::PathBuf, process};

/// The first bytes of a network file: see `src/engine/eval/network/file/mod.rs`.
const MAGIC: &[u8] = b"ZWNET\r\n\x1a";

fn main() {
    println!("cargo::rustc-check-cfg=cfg(network)");
    println!("cargo::rerun-if-env-changed=EVALFILE");
    println!("cargo::rerun-if-changed=nets");
    let named = env::var_os("EVALFILE").filter(|name| !name.is_empty()).map(PathBuf::from);
    let Some(path) = named.or_else(shipped) else { return };
    match fs::read(&path).map(|bytes| bytes.starts_with(MAGIC)) {
        Ok(true) => {}
        Ok(false) => fail(&format!("expected a network, got another file: {}", path.display())),
        Err(error) => fail(&format!("{}: {error}", path.display())),
    }
    let path = fs::canonicalize(&path).unwrap_or(path);
    println!("cargo::rerun-if-changed={}", path.display());
    println!("cargo::rustc-cfg=network");
    println!("cargo::rustc-env=ZUGWERK_NETWORK={}", path.display());
}

/// Returns the network in `nets/`.
fn shipped() -> Option<PathBuf> {
    let entries = fs::read_dir("nets").ok()?.filter_map(Result::ok).map(|entry| entry.path());
    let mut found = entries.filter(|path| path.extension().is_some_and(|extension| extension == "zwn"));
    let network = found.next();
    if found.next().is_some() {
        fail("expected one network (*.zwn) in nets/, got more; or name one as EVALFILE");
    }
    network
}

fn fail(problem: &str) -> ! {
    println!("cargo::error={problem}");
    process::exit(1)
}
