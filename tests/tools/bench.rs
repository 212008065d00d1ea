//! Tests of `zugwerk bench`.

use crate::calls::{printed, refused};

#[test]
fn bench_ends_with_nodes_and_speed_and_always_counts_the_same() {
    let nodes = || {
        let text = printed(&["bench", "3"]);
        assert_eq!(text.lines().count(), zugwerk::engine::bench::positions().count() + 1, "and the total");
        let words: Vec<String> = text.lines().last().unwrap().split(' ').map(str::to_owned).collect();
        assert_eq!([&*words[1], &*words[3]], ["nodes", "nps"], "{words:?}");
        assert!(words[2].parse::<u64>().is_ok(), "{words:?}");
        words[0].parse::<u64>().unwrap()
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn techniques_can_be_switched_off_in_bench_and_tree() {
    for tool in [&["bench", "4"][..], &["tree", "--algorithm", "search", "--depth", "4"]] {
        let less = [tool, &["--without=quiescence"]].concat();
        // The last line of a benchmark has the speed.
        let lines = |text: String| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let told = |args| {
            lines(printed(args)).into_iter().filter(|line| !line.ends_with(" nps")).collect::<Vec<_>>()
        };
        assert_ne!(told(tool), told(&less), "{tool:?}");
        let error = refused(&[tool, &["--without", "nul_move"]].concat());
        assert!(error.contains("similar value exists: 'null_move'"), "{error}");
    }
}
