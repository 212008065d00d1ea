//! Tests of `Zugwerk.json`, which describes the engine to OpenBench.

use serde_json::Value;

/// Each preset fills a form of the server; a wrong key would leave a field empty without a word.
#[test]
fn the_description_for_open_bench_has_the_keys_that_the_server_reads() {
    const TEST: &str = "base_branch book_name both_options both_time_control test_bounds test_confidence win_adj draw_adj \
                        workload_size";
    const TUNE: &str = "book_name dev_options dev_time_control win_adj draw_adj";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Zugwerk.json");
    let engine: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let wanted = ["build", "datagen_presets", "nps", "private", "source", "test_presets", "tune_presets"];
    let mut found = keys(&engine);
    found.sort();
    assert_eq!(found, wanted);
    assert!(engine["source"].as_str().unwrap().starts_with("https://github.com/"));
    let mut build = keys(&engine["build"]);
    build.sort();
    assert_eq!(build, ["compilers", "cpuflags", "path", "systems"]);
    for (form, fields) in [("test_presets", TEST), ("tune_presets", TUNE), ("datagen_presets", TEST)] {
        assert!(engine[form]["default"].is_object(), "{form}");
        for (name, preset) in engine[form].as_object().unwrap() {
            for key in keys(preset) {
                assert!(fields.split(' ').any(|field| field == key), "{form}, {name}: {key}");
            }
        }
    }
}
