//! Tests of files: what is written is read again, and what is partial, damaged or foreign is told apart.

use std::{
    fs,
    path::{Path, PathBuf},
};

use shakmaty::{Color, KnownOutcome};
use tempfile::TempDir;

use super::{file::RawBlocks, game::tests::sample_games, sink::Sink, writer::BLOCK_RECORDS, *};
use crate::chess::{
    position::{PackedMove, Position},
    value::Value,
};

/// Returns a separate folder for each test, and the path of a file in it that does not exist.
fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    (folder, path)
}

/// The header of a file of sample games, some of which are of Chess960.
fn header() -> Header {
    Header { seed: Some(3), variant: Variant::Chess960, ..Header::new("a test") }
}

/// Writes the sample games `times` times, in blocks, and returns the bytes.
fn write_samples(path: &Path, times: u64) -> Vec<u8> {
    let mut writer = GameWriter::create(path, &header()).unwrap();
    for round in 0..times {
        sample_games().iter().for_each(|game| writer.write(game));
        writer.end_game(round + 1).unwrap();
    }
    writer.finish().unwrap();
    fs::read(path).unwrap()
}

/// The starts of the blocks of a file, and its end.
fn ends(path: &Path) -> Vec<usize> {
    let mut blocks = Blocks::open(path).unwrap();
    let mut ends = vec![blocks.position() as usize];
    while blocks.next().is_some() {
        ends.push(blocks.position() as usize);
    }
    ends
}

/// Continues a file of games with any header; returns the games in the blocks that it keeps, and what it cuts
/// off.
fn append(path: &Path) -> Result<(u64, Option<Cut>), DataError> {
    let mut games = 0;
    let (writer, cut) = GameWriter::append(path, &header(), |_| Ok(()), |tally| games += tally.games)?;
    writer.finish()?;
    Ok((games, cut))
}

/// The games of a file.
pub(crate) fn games(path: &Path) -> Vec<TrainingGame> {
    let mut games = Vec::new();
    for frame in RawBlocks::open(path).unwrap() {
        let body = frame.unwrap().body;
        let mut rest = &*body;
        while !rest.is_empty() {
            games.push(TrainingGame::read(&mut rest).unwrap());
        }
    }
    games
}

/// The record of a line `FEN | score | result | move`, with score and result for White.
pub(crate) fn record(line: &str) -> Record {
    let [fen, score, result, m] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("{line}") };
    let position = Position::from_fen(fen).unwrap();
    let white: Value = score.parse().unwrap();
    let winner = match result {
        "1.0" => Some(Color::White),
        "0.5" => None,
        "0.0" => Some(Color::Black),
        _ => panic!("{line}"),
    };
    let best = PackedMove::new(position.find_move(m).unwrap()).unwrap();
    let score = position.turn().fold_wb(white, -white);
    Record::new(&position, score, best, KnownOutcome::from_winner(winner)).unwrap()
}

/// Writes each of `records` as a game of one ply.
pub(crate) fn write(path: &Path, records: &[Record]) {
    let mut writer = GameWriter::create(path, &Header::new("a test")).unwrap();
    for (record, next) in records.iter().zip(1..) {
        let ply = Ply { played: record.best_move(), score: record.score() };
        let position = record.position().unwrap();
        let game = TrainingGame::new(&position, vec![ply], record.result(), Termination::Unknown);
        writer.write(&game.unwrap());
        writer.end_game(next).unwrap();
    }
    writer.finish().unwrap();
}

fn records(path: &Path) -> Vec<Record> {
    Blocks::open(path).unwrap().flat_map(|block| block.unwrap().records).collect()
}

#[test]
fn games_are_read_back_as_games_and_as_positions() {
    let (_folder, path) = place();
    write_samples(&path, 100);
    let each: u64 = sample_games().iter().map(|game| game.plies().len() as u64).sum();
    let blocks: Vec<Block> = Blocks::open(&path).unwrap().map(Result::unwrap).collect();
    assert!(blocks.len() >= 2, "{} blocks", blocks.len());
    let full = BLOCK_RECORDS..BLOCK_RECORDS + each as usize;
    let (last, others) = blocks.split_last().unwrap();
    assert!(others.iter().all(|block| full.contains(&block.records.len())), "each is closed when it is full");
    assert!(last.records.len() < full.end);
    assert!(games(&path).chunks(10).all(|chunk| chunk == sample_games()));
    assert_eq!(games(&path).len(), 1000);
    let sum = Totals { records: 100 * each, games: 1000, next: 100 };
    assert_eq!(tally(&path).unwrap(), (header(), sum));
    let mut expected = Vec::new();
    sample_games().iter().for_each(|game| game.records(&mut expected).unwrap());
    assert!(records(&path).chunks(expected.len()).all(|chunk| chunk == expected));
    assert_eq!(blocks.iter().map(|block| block.games).sum::<u64>(), 1000);
}

#[test]
fn appending_goes_on_behind_the_last_whole_block_wherever_the_file_was_cut() {
    let (_folder, path) = place();
    let bytes = write_samples(&path, 100);
    let ends = ends(&path);
    for end in (0..bytes.len()).step_by(97).chain([bytes.len()]) {
        fs::write(&path, &bytes[..end]).unwrap();
        let (games, cut) = append(&path).unwrap();
        let kept = *ends.iter().rfind(|&&whole| whole <= end).unwrap_or(&ends[0]);
        assert_eq!(fs::read(&path).unwrap(), bytes[..kept], "cut at {end}");
        assert_eq!(games == 0, kept == ends[0], "cut at {end}");
        let expected = Cut { at: kept as u64, bytes: end.saturating_sub(kept) as u64 };
        assert_eq!(cut, Some(expected).filter(|cut| cut.bytes > 0), "cut at {end}");
    }
}

/// A power failure may leave them in place of the blocks that were being written.
#[test]
fn zero_bytes_at_the_end_are_cut_off() {
    let (_folder, path) = place();
    let bytes = write_samples(&path, 200);
    let ends = ends(&path);
    let [.., last, end] = ends[..] else { panic!("{ends:?}") };
    for zeros in [1, 28, 10_000] {
        for (cut, kept) in [
            (end, end),
            (end - 100, last),
            (last + 28, last),
            (last, last),
            (ends[0], ends[0]),
            (9, ends[0]),
            (0, ends[0]),
        ] {
            fs::write(&path, [&bytes[..cut], &vec![0; zeros]].concat()).unwrap();
            append(&path).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes[..kept], "cut at {cut}, {zeros} zero bytes");
        }
    }
}

#[test]
fn reading_ends_at_the_first_damaged_block() {
    let (_folder, path) = place();
    let bytes = write_samples(&path, 200);
    let [_, second, third, .., last, end] = ends(&path)[..] else { panic!() };
    let before = Blocks::open(&path).unwrap().next().unwrap().unwrap().records.len() as u64;
    // In the body, in the length (also so that it leads behind the end), and in the marker.
    for (place, is_damaged) in
        [(second + 100, true), (second + 8, true), (second + 11, true), (second, true), (last + 100, false)]
    {
        let mut bytes = bytes.clone();
        bytes[place] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let mut blocks = Blocks::open(&path).unwrap();
        let error = blocks.by_ref().find_map(Result::err).unwrap();
        assert!(error.is_damage() && blocks.next().is_none(), "{error}");
        if is_damaged {
            let text = error.to_string();
            assert!(
                matches!(error, DataError::Damaged { at, before: whole, .. } if (at, whole) == (second as u64, before))
            );
            assert!(
                text.contains(&format!("at byte {second} is damaged; the {before} positions before")),
                "{text}"
            );
            assert!(matches!(append(&path), Err(DataError::Damaged { .. })));
            assert_eq!(fs::read(&path).unwrap(), bytes, "refused, it was not changed");
        } else {
            assert!(matches!(error, DataError::Partial { at, .. } if at == last as u64), "{error}");
            append(&path).unwrap();
            assert_eq!(fs::read(&path).unwrap(), bytes[..last], "a damaged last block is cut off");
        }
    }
    // As the message says.
    fs::write(&path, &bytes[..second]).unwrap();
    assert_eq!(records(&path).len() as u64, before);
    fs::write(&path, &bytes[..third - 1]).unwrap();
    assert!(matches!(Blocks::open(&path).unwrap().last(), Some(Err(DataError::Partial { .. }))));
    assert_eq!(end, bytes.len());
}

/// Only the last block can be incomplete, so its length is damaged.
#[test]
fn a_block_that_seems_to_reach_behind_the_end_is_damaged_if_another_follows() {
    let (_folder, path) = place();
    let bytes = write_samples(&path, 200);
    let [first, .., before_last, _, end] = ends(&path)[..] else { panic!() };
    for (at, length) in [(first, end - first - 28), (first, 1 << 20), (before_last, 1 << 20)] {
        let mut bytes = bytes.clone();
        bytes[at + 8..at + 12].copy_from_slice(&(length as u32).to_le_bytes());
        fs::write(&path, &bytes).unwrap();
        let error = Blocks::open(&path).unwrap().find_map(Result::err).unwrap();
        assert!(matches!(error, DataError::Damaged { at: found, .. } if found == at as u64), "{error}");
        append(&path).unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), bytes, "refused, it was not changed");
    }
}

/// The bytes are as they were written, but the rules do not allow the game.
#[test]
fn a_block_with_a_game_that_cannot_be_replayed_is_damaged() {
    let (_folder, path) = place();
    let start = Position::default();
    let ply = Ply { played: PackedMove::new(start.find_move("e2e4").unwrap()).unwrap(), score: 0 };
    let twice = TrainingGame::new(&start, vec![ply; 2], KnownOutcome::Draw, Termination::Unknown).unwrap();
    let mut writer = GameWriter::create(&path, &header()).unwrap();
    for game in [&sample_games()[0], &twice, &sample_games()[0]] {
        writer.write(game);
        writer.flush().unwrap();
    }
    writer.finish().unwrap();
    let mut blocks = Blocks::open(&path).unwrap();
    assert!(blocks.next().unwrap().is_ok());
    let (second, before) = (blocks.position(), sample_games()[0].plies().len() as u64);
    let error = blocks.next().unwrap().unwrap_err();
    assert!(
        matches!(error, DataError::Damaged { at, before: whole, .. } if (at, whole) == (second, before)),
        "{error}"
    );
    assert!(blocks.next().is_none());
}

#[test]
fn the_number_of_the_next_game_may_be_of_any_size() {
    let (_folder, path) = place();
    let numbers = [1, u64::from(u32::MAX), 1 << 32, 0x0123_4567_89ab_cdef, u64::MAX];
    let mut writer = GameWriter::create(&path, &header()).unwrap();
    for &next in &numbers {
        writer.write(&sample_games()[0]);
        writer.end_game(next).unwrap();
        writer.flush().unwrap();
    }
    writer.finish().unwrap();
    let mut read = Vec::new();
    drop(GameWriter::append(&path, &header(), |_| Ok(()), |tally| read.push(tally.next)).unwrap());
    assert_eq!(read, numbers);
}

#[test]
fn a_block_that_could_not_be_written_is_not_written_again_behind_its_part() {
    let (_folder, path) = place();
    fs::write(&path, "").unwrap();
    let mut writer = GameWriter::on(Sink::on(fs::File::open(&path).unwrap()), &header());
    sample_games().iter().for_each(|game| writer.write(game));
    writer.flush().unwrap_err();
    writer.finish().unwrap();
}

#[test]
fn other_files_are_refused() {
    let (_folder, path) = place();
    for (bytes, expected) in [
        (&b""[..], "the file is empty"),
        (b"rnbqkbnr/pppppppp", "not a data file"),
        (b"ZW", "not a data file"),
        (b"ZWDATA\r\n\x01\0\0\0", "expected version 2 of the format, got 1"),
        (b"ZWDATA\r\n\x03\0\0\0", "expected version 2 of the format, got 3"),
    ] {
        fs::write(&path, bytes).unwrap();
        let error = Blocks::open(&path).unwrap_err();
        assert!(error.to_string() == expected && !error.is_damage(), "{error}");
        if !bytes.is_empty() && bytes != b"ZW" {
            append(&path).unwrap_err();
            assert_eq!(fs::read(&path).unwrap(), bytes, "refused, it was not changed");
        }
    }
}

#[test]
fn one_file_has_one_writer() {
    let (_folder, path) = place();
    let first = GameWriter::create(&path, &header()).unwrap();
    assert!(matches!(append(&path), Err(DataError::Busy)));
    drop(first);
    append(&path).unwrap();
}

#[test]
fn a_header_is_read_back_and_appending_heeds_it() {
    let (_folder, path) = place();
    let bytes = write_samples(&path, 1);
    assert_eq!(Blocks::open(&path).unwrap().header(), &header());
    let refused = GameWriter::append(&path, &header(), |_| Err(DataError::Busy), |_| ());
    assert!(matches!(refused, Err(DataError::Busy)));
    for end in [0, 5, 12, 15, 20, 25] {
        fs::write(&path, &bytes[..end]).unwrap();
        let error = Blocks::open(&path).unwrap_err().to_string();
        assert_eq!(error.ends_with("the file ends within it"), end >= 12, "cut at {end}: {error}");
        append(&path).unwrap();
        assert_eq!(Blocks::open(&path).unwrap().header(), &header(), "cut at {end}: begun again");
    }
    for (length, expected) in [(1 << 24, "its length is wrong"), ((1 << 24) + 1, "it is too long")] {
        let mut too_long = bytes.clone();
        too_long[12..16].copy_from_slice(&u32::to_le_bytes(length));
        for end in [bytes.len(), bytes.len() - 10] {
            fs::write(&path, &too_long[..end]).unwrap();
            let error = Blocks::open(&path).unwrap_err().to_string();
            assert!(end < bytes.len() || error.contains(expected), "{error}");
            append(&path).unwrap_err();
            assert_eq!(fs::read(&path).unwrap(), too_long[..end], "refused, it was not changed");
        }
    }
    let mut damaged = bytes.clone();
    damaged[30] ^= 1;
    fs::write(&path, &damaged).unwrap();
    assert!(matches!(Blocks::open(&path), Err(DataError::Header(_))));
    assert!(matches!(append(&path), Err(DataError::Header(_))));
}
