//! Tests of `zugwerk spsa`.

use crate::calls::printed;

#[test]
fn spsa_prints_the_numbers_for_open_bench() {
    let text = printed(&["spsa"]);
    assert_eq!(text.lines().count(), zugwerk::engine::search::params::ALL.len());
    for (line, param) in text.lines().zip(zugwerk::engine::search::params::ALL) {
        let fields: Vec<&str> = line.split(", ").collect();
        assert_eq!(fields[..2], [param.name, "int"], "{line}");
        let numbers: Vec<f64> = fields[2..].iter().map(|field| field.parse().unwrap()).collect();
        let [value, min, max, step, rate] = numbers[..] else { panic!("{line}") };
        assert!(min <= value && value <= max && step >= 0.5 && rate > 0.0, "{line}");
    }
    assert_eq!(printed(&["spsa", "--only", "lmr_pv"]).lines().count(), 1);
}

/// Without the feature `tune` the parameters are constants, which no match could change.
#[cfg(not(feature = "tune"))]
#[test]
fn spsa_plays_only_in_a_build_for_tuning() {
    for args in [&["spsa", "--iterations", "1"][..], &["spsa", "--only", "nothing"]] {
        crate::calls::refused(args);
    }
}
