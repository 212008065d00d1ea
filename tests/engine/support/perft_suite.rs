//! Positions with perft counts: published ones, our own file, and a folder of suites if available.

use std::{fs, path::Path};

/// A position and the number of positions at some depths below it.
pub(crate) struct Row {
    pub(crate) fen: String,
    /// Depth and count, in order of depth.
    pub(crate) counts: Vec<(u32, u64)>,
}

/// The starting position and the five usual test positions (chessprogramming.org, "Perft Results").
const PUBLISHED: &str = "
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902 ;D4 197281 ;D5 4865609
r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 ;D1 48 ;D2 2039 ;D3 97862 ;D4 4085603
8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 ;D1 14 ;D2 191 ;D3 2812 ;D4 43238 ;D5 674624
r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1 ;D1 6 ;D2 264 ;D3 9467 ;D4 422333
rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8 ;D1 44 ;D2 1486 ;D3 62379 ;D4 2103487
r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10 ;D1 46 ;D2 2079 ;D3 89890 ;D4 3894594
";

/// The suites of the folder in `ZUGWERK_POSITIONS`.
const EXTERNAL: [&str; 6] = ["standard", "tricky", "checks", "random", "chess960", "dfrc"];

/// The published positions.
pub(crate) fn published() -> Vec<Row> {
    rows(PUBLISHED)
}

/// Our own positions, reached by random moves.
pub(crate) fn random() -> Vec<Row> {
    rows(include_str!("../../../positions/perft.epd"))
}

/// The suites in the folder in the environment variable `ZUGWERK_POSITIONS`, by name.
pub(crate) fn external() -> Vec<(&'static str, Vec<Row>)> {
    let folder =
        std::env::var("ZUGWERK_POSITIONS").expect("ZUGWERK_POSITIONS names a folder with perft/*.epd");
    let read = |name| {
        let file = Path::new(&folder).join("perft").join(name).with_extension("epd");
        rows(&fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display())))
    };
    EXTERNAL.into_iter().map(|name| (name, read(name))).collect()
}

/// Parses lines of the form `FEN ;D1 20 ;D2 400`; other fields are skipped.
fn rows(text: &str) -> Vec<Row> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let row = |line: &str| {
        let mut fields = line.split(';').map(str::trim);
        let fen = fields.next().expect("a position").to_owned();
        let count = |field: &str| {
            let (depth, nodes) = field.strip_prefix('D')?.split_once(' ')?;
            Some((depth.parse().ok()?, nodes.parse().ok()?))
        };
        let counts: Vec<_> = fields.filter_map(count).collect();
        assert!(!counts.is_empty(), "no counts in `{line}`");
        Row { fen, counts }
    };
    lines.map(row).collect()
}

impl Row {
    /// The depth and count of the deepest count of at most `nodes`, if there is one.
    pub(crate) fn deepest(&self, nodes: u64) -> Option<(u32, u64)> {
        let affordable = self.counts.iter().filter(|(_, count)| *count <= nodes);
        affordable.max_by_key(|(depth, _)| depth).copied()
    }
}

/// Calls `check` with every row, in parallel.
pub(crate) fn for_each_in_parallel(rows: &[Row], check: impl Fn(&Row) + Sync) {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for part in 0..threads {
            let check = &check;
            scope.spawn(move || rows.iter().skip(part).step_by(threads).for_each(check));
        }
    });
}
