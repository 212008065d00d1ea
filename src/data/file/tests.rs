use std::{fs, path::PathBuf};

use shakmaty::KnownOutcome;

use super::*;
use crate::position::{PackedMove, Position};

/// A path of its own for each test, with nothing there.
fn path(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("zugwerk-data-{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

/// Different records, as many as are wanted.
fn records(count: usize) -> Vec<Record> {
    let position = Position::default();
    let m = PackedMove::new(position.find_move("e2e4").unwrap()).unwrap();
    let record = |score| Record::new(&position, score, m, KnownOutcome::Draw).unwrap();
    (0..count as i32).map(record).collect()
}

/// Writes `games` games of `each` records and returns the bytes.
fn write(path: &Path, games: usize, each: usize) -> Vec<u8> {
    let mut writer = Writer::create(path).unwrap();
    for game in records(games * each).chunks(each) {
        game.iter().for_each(|&record| writer.write(record).unwrap());
        writer.end_game().unwrap();
    }
    writer.finish().unwrap();
    fs::read(path).unwrap()
}

fn tally(path: &Path) -> Tally {
    let mut tally = Tally::default();
    for block in Blocks::open(path).unwrap() {
        let block = block.unwrap();
        tally.records += block.records.len() as u64;
        tally.games += u64::from(block.games);
    }
    tally
}

#[test]
fn what_is_written_is_read_in_blocks_of_whole_games() {
    let path = path("whole");
    write(&path, 50, 100);
    let read: Vec<_> = Reader::open(&path).unwrap().map(Result::unwrap).collect();
    assert_eq!(read, records(5000));
    let games: Vec<_> = Blocks::open(&path).unwrap().map(|block| block.unwrap().games).collect();
    assert_eq!(games, [21, 21, 8]);
    assert!(matches!(Writer::create(&path), Err(DataError::Io(_))), "it is not overwritten");
    fs::remove_file(path).unwrap();
}

#[test]
fn appending_goes_on_behind_the_last_whole_block_wherever_the_file_was_torn() {
    let path = path("torn");
    let bytes = write(&path, 3, BLOCK_RECORDS);
    let block = HEAD + BLOCK_RECORDS * Record::SIZE;
    let last = HEADER as usize + 2 * block;
    for (end, whole) in [
        (bytes.len(), 3),
        (bytes.len() - 1, 2),
        (last + 7, 2),
        (last, 2),
        (block, 0),
        (12, 0),
        (5, 0),
        (0, 0),
    ] {
        fs::write(&path, &bytes[..end]).unwrap();
        let mut games = 0;
        let mut writer = Writer::append(&path, |block| games += block.games).unwrap();
        assert_eq!(games, whole, "cut at {end}");
        writer.write(records(1)[0]).unwrap();
        writer.end_game().unwrap();
        writer.finish().unwrap();
        let records = u64::from(whole) * BLOCK_RECORDS as u64 + 1;
        assert_eq!(tally(&path), Tally { records, games: u64::from(whole) + 1 }, "cut at {end}");
    }
    fs::remove_file(path).unwrap();
}

#[test]
fn a_damaged_block_is_reported_and_the_next_one_read() {
    let path = path("damaged");
    let mut bytes = write(&path, 3, BLOCK_RECORDS);
    let block = HEAD + BLOCK_RECORDS * Record::SIZE;
    let second = HEADER as usize + block;
    bytes[second + HEAD + 28] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let mut reader = Blocks::open(&path).unwrap();
    assert!(reader.next().unwrap().is_ok());
    assert!(matches!(reader.next().unwrap(), Err(DataError::Damaged { at }) if at == second as u64));
    assert!(reader.next().unwrap().is_ok() && reader.next().is_none());
    assert!(matches!(Writer::append(&path, |_| ()), Err(DataError::Damaged { .. })));
    assert_eq!(fs::read(&path).unwrap(), bytes, "refused, it was not changed");

    fs::write(&path, &bytes[..second + block]).unwrap();
    let mut games = 0;
    drop(Writer::append(&path, |block| games += block.games).unwrap());
    assert_eq!((games, fs::read(&path).unwrap().len()), (1, second), "a damaged last block is cut off");

    bytes[second] = b'?';
    fs::write(&path, &bytes).unwrap();
    let errors: Vec<_> = Blocks::open(&path).unwrap().filter_map(Result::err).collect();
    assert!(matches!(errors[..], [DataError::Lost { at }] if at == second as u64), "{errors:?}");
    fs::remove_file(path).unwrap();
}

#[test]
fn other_files_are_refused() {
    let path = path("foreign");
    for (bytes, version) in
        [(&b"rnbqkbnr/pppppppp"[..], false), (b"ZW", false), (b"ZWDATA\r\n\x02\0\0\0", true)]
    {
        fs::write(&path, bytes).unwrap();
        let error = Blocks::open(&path).unwrap_err();
        assert!(matches!(error, DataError::Version(2)) == version, "{error}");
        assert!(matches!(error, DataError::Foreign) != version, "{error}");
    }
    fs::write(&path, b"1. e4").unwrap();
    assert!(matches!(Writer::append(&path, |_| ()), Err(DataError::Foreign)));
    assert_eq!(fs::read(&path).unwrap(), b"1. e4");
    fs::remove_file(path).unwrap();
}

#[test]
fn one_file_has_one_writer() {
    let path = path("busy");
    let first = Writer::create(&path).unwrap();
    assert!(matches!(Writer::append(&path, |_| ()), Err(DataError::Busy)));
    drop(first);
    assert!(Writer::append(&path, |_| ()).is_ok());
    fs::remove_file(path).unwrap();
}
