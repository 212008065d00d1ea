use std::{collections::HashMap, fs};

use shakmaty::{Color, KnownOutcome, Piece, Role};
use tempfile::TempDir;

use super::*;
use crate::{
    data::{GameWriter, Ply, Termination, TrainingGame},
    position::{PackedMove, Position},
};

/// The number of positions in one game.
const PLIES: usize = 32;

/// The files of White's and Black's king and of White's and Black's knight on their first ranks at the start of game
/// `number`, of 3136 games.
fn files(number: usize) -> [usize; 4] {
    let (kings, knights) = (number % 64, number / 64);
    let beside = |king: usize, file: usize| if file < king { file } else { file + 1 };
    let (white, black) = (kings % 8, kings / 8);
    [white, black, beside(white, knights % 7), beside(black, knights / 7)]
}

/// Returns game `number`: all pawns go two steps, so that no position occurs twice, in any game. The score of a position is
/// its number, and each game has another result than the one before.
fn game(number: usize) -> TrainingGame {
    let [king, black_king, knight, black_knight] = files(number);
    let rank = |king: usize, knight: usize, pieces: [char; 2]| -> String {
        let letter = |file| match file {
            file if file == king => pieces[0],
            file if file == knight => pieces[1],
            _ => '1',
        };
        (0..8).map(letter).collect()
    };
    let (first, last) = (rank(king, knight, ['K', 'N']), rank(black_king, black_knight, ['k', 'n']));
    let start = Position::from_fen(&format!("{last}/pppppppp/8/8/8/8/PPPPPPPP/{first} w - - 0 1")).unwrap();
    let (mut position, mut plies) = (start.clone(), Vec::new());
    for ply in 0..PLIES {
        let (file, step) = (char::from(b'a' + (ply / 4) as u8), ply / 2 % 2);
        let ranks = if ply % 2 == 0 { [2 + step, 3 + step] } else { [7 - step, 6 - step] };
        let m = position.find_move(&format!("{file}{}{file}{}", ranks[0], ranks[1])).unwrap();
        let score = ((number * PLIES + ply) % 30_000) as i32;
        plies.push(Ply { played: PackedMove::new(m).unwrap(), score });
        position.play(m);
    }
    let result = [KnownOutcome::Draw, KnownOutcome::from_winner(Some(Color::White))][number % 2];
    TrainingGame::new(&start, plies, result, Termination::Unknown).unwrap()
}

/// Returns the number of a position.
fn number(record: &Record) -> usize {
    let file = |color: Color, role: Role| {
        let mut placed = record.pieces().filter(|(_, piece)| *piece == Piece { color, role });
        placed.next().unwrap().0.file() as usize
    };
    let sides = [Color::White, Color::Black].map(|side| (file(side, Role::King), file(side, Role::Knight)));
    let knights = sides.map(|(king, knight)| if knight < king { knight } else { knight - 1 });
    let game = 64 * (knights[0] + 7 * knights[1]) + sides[0].0 + 8 * sides[1].0;
    game * PLIES + usize::from(record.ply())
}

/// Returns a folder with a file of `count` games.
fn games(count: usize) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.zwd");
    let mut writer = GameWriter::create(&path, &Header::new(DataKind::Games, "a test")).unwrap();
    for number in 0..count {
        writer.write(&game(number));
        writer.end_game(0).unwrap();
    }
    writer.finish().unwrap();
    (folder, path)
}

fn plan(input: &Path) -> Shuffle {
    Shuffle {
        inputs: vec![input.to_owned()],
        seed: 5,
        filter: Filter::default(),
        unique: false,
        validation_share: 0.1,
    }
}

fn run(plan: &Shuffle, training: &Path, validation: Option<&Path>) -> Result<Shuffled, ShuffleError> {
    plan.run(training, validation, |_| ControlFlow::Continue(()))
}

fn records(path: &Path) -> Vec<Record> {
    Blocks::open(path).unwrap().flat_map(|block| block.unwrap().records).collect()
}

#[test]
fn every_position_is_kept_and_the_seed_decides_the_order() {
    for unique in [false, true] {
        let (folder, input) = games(500);
        let path = |name| folder.path().join(name);
        let plan = Shuffle { unique, ..plan(&input) };
        let counts = run(&plan, &path("one"), None).unwrap();
        assert_eq!(
            (counts.read, counts.training, counts.games),
            (500 * PLIES as u64, 500 * PLIES as u64, 500)
        );
        let mut numbers: Vec<_> = records(&path("one")).iter().map(number).collect();
        run(&plan, &path("again"), None).unwrap();
        run(&Shuffle { seed: 6, ..plan }, &path("other"), None).unwrap();
        assert_eq!(fs::read(path("one")).unwrap(), fs::read(path("again")).unwrap());
        assert_ne!(fs::read(path("one")).unwrap(), fs::read(path("other")).unwrap());
        numbers.sort_unstable();
        assert!(numbers.into_iter().eq(0..500 * PLIES), "unique: {unique}");
    }
}

/// Three tests of randomness. Each fails for a fair shuffle with a probability below one in ten thousand; the seed is
/// fixed, so it cannot fail by chance. They test where positions go (chi-squared over 20 parts before and after),
/// ascents and descents (runs), and whether neighbours of one game are separated.
#[test]
fn the_order_is_random() {
    for unique in [false, true] {
        let (folder, input) = games(1000);
        let output = folder.path().join("shuffled");
        run(&Shuffle { unique, ..plan(&input) }, &output, None).unwrap();
        let order: Vec<usize> = records(&output).iter().map(number).collect();
        let n = order.len();

        const PARTS: usize = 20;
        let mut table = [[0_u32; PARTS]; PARTS];
        for (place, &number) in order.iter().enumerate() {
            table[place * PARTS / n][number * PARTS / n] += 1;
        }
        let expected = (n / (PARTS * PARTS)) as f64;
        let chi: f64 =
            table.iter().flatten().map(|&seen| (f64::from(seen) - expected).powi(2) / expected).sum();
        // 19² = 361 degrees of freedom: mean 361, standard deviation √722 ≈ 26.9.
        assert!((chi - 361.0).abs() < 3.9 * 26.9, "unique {unique}: chi-squared {chi}");

        // The ascents of a random permutation: mean (n - 1) / 2, variance (n + 1) / 12.
        let ascents = order.windows(2).filter(|pair| pair[0] < pair[1]).count() as f64;
        let deviation = (ascents - (n as f64 - 1.0) / 2.0) / ((n as f64 + 1.0) / 12.0).sqrt();
        assert!(deviation.abs() < 3.9, "unique {unique}: {ascents} ascents, {deviation} deviations off");

        // Of the 31,999 other positions 31 are from the same game, so 31 pairs are expected, approximately Poisson
        // distributed.
        let together = order.windows(2).filter(|pair| pair[0] / PLIES == pair[1] / PLIES).count() as f64;
        assert!(
            (together - 31.0).abs() < 3.9 * 31_f64.sqrt(),
            "unique {unique}: {together} pairs of one game"
        );
    }
}

#[test]
fn games_are_dealt_out_whole() {
    let (folder, input) = games(1000);
    let (training, validation) = (folder.path().join("t"), folder.path().join("v"));
    let counts = run(&plan(&input), &training, Some(&validation)).unwrap();
    assert_eq!(counts.training + counts.validation, 1000 * PLIES as u64);
    assert_eq!(counts.validation, counts.validation_games * PLIES as u64);
    assert!((60..140).contains(&counts.validation_games), "a tenth of 1000: {counts:?}");
    let mut sides = HashMap::new();
    for (side, path) in [training, validation].iter().enumerate() {
        for record in records(path) {
            assert_eq!(*sides.entry(number(&record) / PLIES).or_insert(side), side, "a game on both sides");
        }
    }
}

#[test]
fn equal_positions_are_kept_once_on_one_side() {
    let (folder, input) = games(50);
    let (training, validation) = (folder.path().join("t"), folder.path().join("v"));
    let inputs = vec![input.clone(), input.clone(), input.clone()];
    let plan = Shuffle { inputs, unique: true, validation_share: 0.5, ..plan(&input) };
    let counts = run(&plan, &training, Some(&validation)).unwrap();
    assert_eq!((counts.read, counts.duplicates), (150 * PLIES as u64, 100 * PLIES as u64));
    let mut numbers: Vec<_> =
        [training, validation].iter().flat_map(|path| records(path)).map(|record| number(&record)).collect();
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(0..50 * PLIES));
}

/// Most files of these tests are too small to fill a chunk.
#[test]
fn a_file_of_several_buckets_gives_each_bucket_its_positions_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = Shared::new(folder.path()).unwrap();
    let entry = |number: usize| {
        let mut entry = [0; 1 + Record::SIZE];
        entry[..8].copy_from_slice(&number.to_le_bytes());
        entry
    };
    let counts = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK - 1, 3 * CHUNK];
    for number in 0..3 * CHUNK {
        for bucket in (0..SHARING).filter(|&bucket| number < counts[bucket]) {
            file.push(bucket, entry(SHARING * number + bucket)).unwrap();
        }
    }
    for (bucket, count) in counts.into_iter().enumerate().rev() {
        let expected: Vec<_> = (0..count).map(|number| entry(SHARING * number + bucket)).collect();
        assert!(file.read(bucket).unwrap() == expected, "bucket {bucket}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "it has no name");
}

#[test]
fn filters_are_counted() {
    let (folder, input) = games(10);
    let filter = Filter { first_ply: 10, ..Filter::default() };
    let counts = run(&Shuffle { filter, ..plan(&input) }, &folder.path().join("t"), None).unwrap();
    assert_eq!((counts.read, counts.filtered, counts.training, counts.games), (320, 100, 220, 10));
    // The scores are the numbers of the positions: of the fifth game some are larger, of the others beyond it all.
    let filter = Filter { score_limit: Some(150), ..Filter::default() };
    let counts = run(&Shuffle { filter, ..plan(&input) }, &folder.path().join("u"), None).unwrap();
    assert_eq!((counts.training, counts.games), (151, 5), "games without a position do not count");
}

#[test]
fn damage_is_an_error() {
    let (folder, input) = games(200);
    let bytes = fs::read(&input).unwrap();
    let output = folder.path().join("t");
    let mut flipped = bytes.clone();
    flipped[5000] ^= 1;
    for damaged in [&flipped[..], &bytes[..bytes.len() - 1], b""] {
        fs::write(&input, damaged).unwrap();
        let error = run(&plan(&input), &output, None).unwrap_err();
        assert!(matches!(error, ShuffleError::Input { .. }), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left");
    }
}

/// Two files, of which the second has the same positions and more, all loose.
#[test]
fn progress_is_told_and_ends_with_the_whole() {
    let (folder, one) = games(2150);
    let two = folder.path().join("two.zwd");
    let mut writer = PositionWriter::create(&two, Header::new(DataKind::Positions, "a test")).unwrap();
    let mut loose = records(&one);
    game(2150).records(&mut loose).unwrap();
    loose.iter().for_each(|record| writer.write(*record).unwrap());
    writer.finish().unwrap();
    let lengths = [&one, &two].map(|path| path.metadata().unwrap().len());
    for unique in [false, true] {
        let output = folder.path().join(format!("unique {unique}"));
        let filter = Filter { first_ply: 1, ..Filter::default() };
        let plan = Shuffle { inputs: vec![one.clone(), two.clone()], unique, filter, ..plan(&one) };
        let (mut reading, mut writing) = (Vec::new(), Vec::new());
        let told = |progress| {
            match progress {
                ShuffleProgress::Reading(done, total) => reading.push((done, total)),
                ShuffleProgress::Writing(done, total) => writing.push((done, total)),
            }
            ControlFlow::Continue(())
        };
        let counts = plan.run(&output, None, told).unwrap();
        assert_eq!((counts.loose, counts.games), (loose.len() as u64, 2150));
        let total = lengths[0] + lengths[1];
        assert!(reading.is_sorted() && reading.iter().all(|told| told.1 == total), "{reading:?}");
        assert!(reading.contains(&(lengths[0], total)) && reading.ends_with(&[(total, total)]));
        // Of 133,331 positions, with the duplicates.
        let total = counts.read - counts.filtered;
        assert_eq!((writing.len(), counts.duplicates > 0), (2, unique), "{writing:?}");
        assert!(writing.is_sorted() && writing.iter().all(|told| told.0 <= total && told.1 == total));
    }
}

#[test]
fn the_caller_can_end_it_and_no_file_is_replaced() {
    let (folder, input) = games(10);
    let output = folder.path().join("t");
    let ended = plan(&input).run(&output, None, |_| ControlFlow::Break(()));
    assert!(matches!(ended, Err(ShuffleError::Interrupted)));
    let before = fs::read(&input).unwrap();
    assert!(matches!(run(&plan(&input), &input, None), Err(ShuffleError::Output { .. })));
    assert_eq!(fs::read(&input).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the temporary files are gone");
}

#[test]
fn the_header_describes_the_shuffle() {
    let (folder, input) = games(3);
    let output = folder.path().join("o");
    let plan = Shuffle { inputs: vec![input.clone(), input.clone()], ..plan(&input) };
    run(&plan, &output, None).unwrap();
    let header = Blocks::open(&output).unwrap().header().clone();
    assert_eq!(header.seed, Some(plan.seed));
    let recipe = serde_json::json!({ "filter": plan.filter, "unique": false, "validation_share": 0.1 });
    assert_eq!(header.recipe, recipe);
    let crc32 = format!("{:08x}", crc32fast::hash(&fs::read(&input).unwrap()));
    let source = SourceFile { file: "games.zwd".to_owned(), crc32, positions: 3 * PLIES as u64 };
    assert_eq!(header.sources, [source.clone(), source]);
}
