//! Compares static exchange evaluation with an independent computation.
//!
//! The definition is that of `src/chess/position/see.rs`: on the target square both sides capture in turn
//! with their least valuable attacker and stop when that is better; sliders join in from behind; pins are
//! ignored; only the first move promotes; a king captures only undefended pieces; castling is worth 0. The
//! values of `positions/see.epd` were computed by a plain recursive swap over python-chess's attack sets.

use std::{fs, path::Path};

use zugwerk::chess::position::{Position, see::material_gain};

/// Whether the exchange is worth exactly `value`.
fn assert_worth(fen: &str, uci: &str, value: i32) {
    let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let m = position.find_move(uci).unwrap_or_else(|error| panic!("{uci} in {fen}: {error}"));
    assert!(position.see_at_least(m, value), "{uci} in {fen} is worth at least {value}");
    assert!(!position.see_at_least(m, value + 1), "{uci} in {fen} is worth no more than {value}");
    for margin in [1, 50, 100, 300, 2000] {
        assert!(
            position.see_at_least(m, value - margin),
            "{uci} in {fen}: {value} is more than {margin} less"
        );
        assert!(
            !position.see_at_least(m, value + margin),
            "{uci} in {fen}: {value} is less than {margin} more"
        );
    }
}

#[test]
fn exchanges_are_worth_what_an_independent_swap_says() {
    let rows = include_str!("../../positions/see.epd").lines().filter(|line| !line.starts_with('#'));
    let mut count = 0;
    for row in rows {
        let [fen, uci, value] = *row.split("; ").collect::<Vec<_>>() else { panic!("malformed: {row}") };
        assert_worth(fen, uci, value.parse().unwrap());
        count += 1;
    }
    assert!(count >= 150, "{count} rows");
}

#[test]
fn pins_are_ignored_as_documented() {
    // The bishop protects d5 although the rook on e1 pins it to its king.
    assert_worth("4k3/8/4b3/3p4/4P3/8/8/K3R3 w - - 0 1", "e4d5", 0);
}

#[test]
fn later_captures_do_not_promote() {
    // Black's pawn recaptures on the last rank; its promotion is not counted.
    assert_worth("k7/8/8/8/8/8/2p5/1r1R3K w - - 0 1", "d1b1", 0);
}

#[test]
fn the_gain_of_a_move_is_what_it_takes_and_what_its_pawn_becomes() {
    let position = Position::from_fen("r2q3r/1P3k2/8/3pP3/8/2n5/1P6/R3K2R w KQ d6 0 1").unwrap();
    for (uci, gain) in [
        ("b7a8q", 500 + 800),
        ("b7b8n", 200),
        ("b2c3", 300),
        ("e5d6", 100), // en passant
        ("b2b4", 0),
        ("e1h1", 0), // castling
    ] {
        assert_eq!(material_gain(position.find_move(uci).unwrap()), gain, "{uci}");
    }
}

#[test]
#[ignore = "needs ZUGWERK_POSITIONS"]
fn external_tables_hold() {
    let folder = std::env::var("ZUGWERK_POSITIONS").expect("ZUGWERK_POSITIONS names a folder with see/*.tsv");
    for name in ["see-published.tsv", "see-generated.tsv"] {
        let text = fs::read_to_string(Path::new(&folder).join("see").join(name)).unwrap();
        let rows: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
        for row in &rows {
            let fields: Vec<_> = row.split('\t').collect();
            assert_worth(fields[0], fields[1], fields[2].parse().unwrap());
        }
        println!("{name}: {} rows", rows.len());
    }
}
