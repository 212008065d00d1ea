//! Static exchange evaluation of every capture in `positions/see.epd`, with the thresholds that a search
//! uses.

use divan::{Bencher, black_box, counter::ItemsCount};
use shakmaty::Move;
use zugwerk::chess::position::Position;

fn main() {
    divan::main();
}

fn exchanges() -> Vec<(Position, Move)> {
    let rows = include_str!("../positions/see.epd").lines().filter(|line| !line.starts_with('#'));
    let exchange = |row: &str| {
        let mut fields = row.split("; ");
        let position = Position::from_fen(fields.next()?).ok()?;
        let m = position.find_move(fields.next()?).ok()?;
        Some((position, m))
    };
    rows.map(|row| exchange(row).expect("FEN; move; value")).collect()
}

#[divan::bench(args = [-100, 0, 1, 300])]
fn see_at_least(bencher: Bencher, threshold: i32) {
    let exchanges = exchanges();
    bencher.counter(ItemsCount::new(exchanges.len())).bench_local(|| {
        for (position, m) in &exchanges {
            black_box(position.see_at_least(*m, black_box(threshold)));
        }
    });
}
