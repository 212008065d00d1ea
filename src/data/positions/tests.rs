use std::{
    fs,
    path::{Path, PathBuf},
};

use shakmaty::KnownOutcome;
use tempfile::TempDir;

use super::*;
use crate::data::{GameWriter, game::tests::sample_games};
use crate::position::{PackedMove, Position};

/// The size of a block's head.
const HEAD: usize = 16;

/// Returns a separate folder for each test, and the path of a file in it that does not exist.
fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions");
    (folder, path)
}

/// Returns `count` different records.
fn records(count: usize) -> Vec<Record> {
    let position = Position::default();
    let m = PackedMove::new(position.find_move("e2e4").unwrap()).unwrap();
    let record = |score| Record::new(&position, score, m, KnownOutcome::Draw).unwrap();
    (0..count as i32).map(record).collect()
}

/// Continues a file of positions with any header.
fn append(path: &Path, each: impl FnMut(Totals)) -> Result<Writer, DataError> {
    Writer::append(path, &header(), |_| Ok(()), each)
}

/// Writes `games` games of `each` records and returns the bytes.
fn write(path: &Path, games: usize, each: usize) -> Vec<u8> {
    let mut writer = Writer::create(path, &header()).unwrap();
    for game in records(games * each).chunks(each) {
        writer.write_game(game).unwrap();
    }
    writer.finish().unwrap();
    fs::read(path).unwrap()
}

fn header() -> Header {
    Header::new(Kind::Positions, "a test")
}

/// The number of bytes before the blocks of a file with [`header`].
fn head() -> usize {
    let (_folder, path) = place();
    write(&path, 0, 1).len()
}

fn tally(path: &Path) -> Totals {
    let mut tally = Totals::default();
    for block in Blocks::open(path).unwrap() {
        let block = block.unwrap();
        tally.records += block.records.len() as u64;
        tally.games += u64::from(block.games);
    }
    tally
}

#[test]
fn what_is_written_is_read_in_blocks_of_whole_games() {
    let (_folder, path) = place();
    let bytes = write(&path, 50, 100);
    let read: Vec<_> = Blocks::open(&path).unwrap().flat_map(|block| block.unwrap().records).collect();
    assert_eq!(read, records(5000));
    let mut blocks = Blocks::open(&path).unwrap();
    assert_eq!(blocks.position(), head() as u64);
    let games: Vec<_> = blocks.by_ref().map(|block| block.unwrap().games).collect();
    assert_eq!((games, blocks.position()), (vec![21, 21, 8], bytes.len() as u64));
    assert!(matches!(Writer::create(&path, &header()), Err(DataError::Io(_))), "it is not overwritten");
}

#[test]
fn a_game_without_positions_is_counted() {
    let (_folder, path) = place();
    let mut writer = Writer::create(&path, &header()).unwrap();
    writer.write_game(&[]).unwrap();
    writer.finish().unwrap();
    assert_eq!(tally(&path), Totals { records: 0, games: 1, next: 0 });
}

#[test]
fn a_game_of_any_length_is_in_one_block() {
    let (_folder, path) = place();
    let mut writer = Writer::create(&path, &described()).unwrap();
    let games = [10, LOOSE_RECORDS + 5, 1, MOST_RECORDS, 2, MOST_RECORDS - 2];
    let long = vec![records(1)[0]; MOST_RECORDS + 1];
    games.iter().for_each(|&length| writer.write_game(&long[..length]).unwrap());
    let error = writer.write_game(&long).unwrap_err().to_string();
    assert!(error.contains("a game of 1048577 positions"), "{error}");
    writer.write(long[0]).unwrap();
    writer.write_game(&long[..3]).unwrap();
    writer.finish().unwrap();
    let blocks: Vec<Block> = Blocks::open(&path).unwrap().map(Result::unwrap).collect();
    let sizes: Vec<(u32, usize)> = blocks.iter().map(|block| (block.games, block.records.len())).collect();
    assert_eq!(
        sizes,
        [(2, LOOSE_RECORDS + 15), (1, 1), (1, MOST_RECORDS), (2, MOST_RECORDS), (0, 1), (1, 3)]
    );
    assert!(blocks.iter().all(|block| block.by_game().len() == 1), "none of its positions is loose");
}

#[test]
fn records_are_kept_with_their_games() {
    let (_folder, path) = place();
    write(&path, 3, 10);
    let mut block = Blocks::open(&path).unwrap().next().unwrap().unwrap();
    assert_eq!(block.by_game().len(), 30, "the plies do not grow");
    let mut number = 0;
    block.retain(|_| {
        number += 1;
        number % 2 == 0
    });
    assert_eq!(
        block.records.iter().map(Record::score).collect::<Vec<_>>(),
        (0..15).map(|n| 2 * n + 1).collect::<Vec<_>>()
    );
}

/// Otherwise they would look like one game, as their plies grow and their results are the same.
#[test]
fn loose_records_belong_to_no_game() {
    let (_folder, path) = place();
    let mut records = Vec::new();
    sample_games()[0].records(&mut records).unwrap();
    let mut writer = Writer::create(&path, &header()).unwrap();
    records.iter().for_each(|record| writer.write(*record).unwrap());
    writer.write_game(&records).unwrap();
    writer.finish().unwrap();
    let games = Blocks::open(&path).unwrap().map(|block| block.unwrap().by_game().len());
    assert_eq!(games.collect::<Vec<_>>(), [records.len(), 1]);
}

#[test]
fn appending_goes_on_behind_the_last_whole_block_wherever_the_file_was_torn() {
    let (_folder, path) = place();
    let bytes = write(&path, 3, BLOCK_RECORDS);
    let block = HEAD + BLOCK_RECORDS * Record::SIZE;
    let last = head() + 2 * block;
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
        let mut writer = append(&path, |tally| games += tally.games).unwrap();
        assert_eq!(games, whole, "cut at {end}");
        writer.write_game(&records(1)).unwrap();
        writer.finish().unwrap();
        let records = whole * BLOCK_RECORDS as u64 + 1;
        assert_eq!(tally(&path), Totals { records, games: whole + 1, next: 0 }, "cut at {end}");
    }
}

#[test]
fn a_damaged_block_is_reported_and_the_next_one_read() {
    let (_folder, path) = place();
    let mut bytes = write(&path, 3, BLOCK_RECORDS);
    let block = HEAD + BLOCK_RECORDS * Record::SIZE;
    let second = head() + block;
    bytes[second + HEAD + 28] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let mut reader = Blocks::open(&path).unwrap();
    assert!(reader.next().unwrap().is_ok());
    assert!(matches!(reader.next().unwrap(), Err(DataError::Damaged { at }) if at == second as u64));
    assert!(reader.next().unwrap().is_ok() && reader.next().is_none());
    assert!(matches!(append(&path, |_| ()), Err(DataError::Damaged { .. })));
    assert_eq!(fs::read(&path).unwrap(), bytes, "refused, it was not changed");

    fs::write(&path, &bytes[..second + block]).unwrap();
    let mut games = 0;
    drop(append(&path, |tally| games += tally.games).unwrap());
    assert_eq!((games, fs::read(&path).unwrap().len()), (1, second), "a damaged last block is cut off");
}

/// Also if what is damaged says where the next block begins.
#[test]
fn sound_blocks_behind_damage_are_found() {
    let (_folder, path) = place();
    let bytes = write(&path, 4, BLOCK_RECORDS);
    let block = HEAD + BLOCK_RECORDS * Record::SIZE;
    let second = head() + block;
    let sizes = [0, 1, BLOCK_RECORDS as u32 + 1, MOST_RECORDS as u32, u32::MAX].map(u32::to_le_bytes);
    let wrong = sizes.iter().map(|size| (second + 8, &size[..]));
    let zeros = vec![0; 100];
    for (place, wrong) in wrong.chain([(second, &b"?"[..]), (second, &zeros)]) {
        let mut bytes = bytes.clone();
        bytes[place..place + wrong.len()].copy_from_slice(wrong);
        fs::write(&path, &bytes).unwrap();
        let (sound, errors): (Vec<_>, Vec<_>) = Blocks::open(&path).unwrap().partition(Result::is_ok);
        let errors: Vec<_> = errors.into_iter().filter_map(Result::err).collect();
        assert!(matches!(errors[..], [DataError::Damaged { at }] if at == second as u64), "{errors:?}");
        assert_eq!(sound.len(), 3);
        assert!(matches!(append(&path, |_| ()), Err(DataError::Damaged { at }) if at == second as u64));
        assert_eq!(fs::read(&path).unwrap(), bytes, "refused, it was not changed");
    }
    let mut bytes = bytes[..second + block].to_vec();
    bytes[second] = b'?';
    fs::write(&path, &bytes).unwrap();
    let errors: Vec<_> = Blocks::open(&path).unwrap().filter_map(Result::err).collect();
    assert!(matches!(errors[..], [DataError::Lost { at }] if at == second as u64), "{errors:?}");
    assert!(matches!(append(&path, |_| ()), Err(DataError::Lost { .. })));
    assert_eq!(fs::read(&path).unwrap(), bytes, "refused, it was not changed");
}

/// To examine every block that seems to begin in such a file would take hours.
#[test]
fn a_file_of_false_blocks_is_given_up_soon() {
    let (_folder, path) = place();
    let most = (MAX_BODY / Record::SIZE) as u32;
    let false_block = [&b"ZWBK"[..], &[0; 4], &most.to_le_bytes(), &[0; 4]].concat();
    let mut bytes = write(&path, 1, 1);
    let sound = bytes[head()..].to_vec();
    bytes.extend(false_block.repeat(1 << 20));
    bytes.extend(sound);
    fs::write(&path, &bytes).unwrap();
    let mut blocks = Blocks::open(&path).unwrap();
    blocks.next().unwrap().unwrap();
    let at = blocks.position();
    assert!(matches!(blocks.next(), Some(Err(DataError::Lost { at: lost })) if lost == at));
    assert!(blocks.next().is_none());
    assert!(append(&path, |_| ()).is_err(), "it may have other blocks");
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

/// A power failure may leave them in place of the blocks that were being written.
#[test]
fn zero_bytes_at_the_end_are_cut_off() {
    let (_folder, path) = place();
    let bytes = write(&path, 3, BLOCK_RECORDS);
    let block = HEAD + BLOCK_RECORDS * Record::SIZE;
    let last = head() + 2 * block;
    for zeros in [1, HEAD, 2 * block] {
        for (end, whole) in [
            (bytes.len(), 3),
            (bytes.len() - 100, 2),
            (last + HEAD, 2),
            (last, 2),
            (head(), 0),
            (9, 0),
            (0, 0),
        ] {
            fs::write(&path, [&bytes[..end], &vec![0; zeros]].concat()).unwrap();
            let mut games = 0;
            append(&path, |tally| games += tally.games).unwrap().finish().unwrap();
            assert_eq!(games, whole, "cut at {end}, {zeros} zero bytes");
            assert_eq!(fs::read(&path).unwrap(), bytes[..head() + whole as usize * block]);
        }
    }
}

#[test]
fn other_files_are_refused() {
    let (_folder, path) = place();
    for (bytes, version) in
        [(&b"rnbqkbnr/pppppppp"[..], false), (b"ZW", false), (b"ZWDATA\r\n\x03\0\0\0", true)]
    {
        fs::write(&path, bytes).unwrap();
        let error = Blocks::open(&path).unwrap_err();
        assert!(matches!(error, DataError::Version(3)) == version, "{error}");
        assert!(matches!(error, DataError::Foreign) != version, "{error}");
        assert!(!error.is_damage(), "{error}");
    }
    fs::write(&path, b"1. e4").unwrap();
    assert!(matches!(append(&path, |_| ()), Err(DataError::Foreign)));
    assert_eq!(fs::read(&path).unwrap(), b"1. e4");
    let old = b"ZWDATA\r\n\x01\0\0\0";
    fs::write(&path, old).unwrap();
    assert!(matches!(append(&path, |_| ()), Err(DataError::NoHeader)));
    assert_eq!(fs::read(&path).unwrap(), old);
}

#[test]
fn one_file_has_one_writer() {
    let (_folder, path) = place();
    let first = Writer::create(&path, &header()).unwrap();
    assert!(matches!(append(&path, |_| ()), Err(DataError::Busy)));
    drop(first);
    assert!(append(&path, |_| ()).is_ok());
}

fn described() -> Header {
    Header { seed: Some(9), blocks_belong_together: true, ..Header::new(Kind::Positions, "a test") }
}

#[test]
fn a_file_of_games_is_not_written_to_as_one_of_positions() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    let header = Header::new(Kind::Games, "a test");
    GameWriter::create(&old, &header).unwrap().finish().unwrap();
    for refused in [append(&old, |_| ()), Writer::create(&new, &header)] {
        assert!(matches!(refused, Err(DataError::Kind { expected: Kind::Positions })));
    }
    assert!(!new.exists());
}

#[test]
fn a_header_is_read_back_and_appending_heeds_it() {
    let (_folder, path) = place();
    let mut writer = Writer::create(&path, &described()).unwrap();
    writer.write_game(&records(10)).unwrap();
    writer.finish().unwrap();
    let blocks = Blocks::open(&path).unwrap();
    assert_eq!((blocks.header(), blocks.kind()), (Some(&described()), Kind::Positions));
    let games: Vec<usize> = blocks.map(|block| block.unwrap().by_game().len()).collect();
    assert_eq!(games, [1], "a block belongs together, whatever the plies");
    let refused = Writer::append(&path, &described(), |_| Err(DataError::Busy), |_| ());
    assert!(matches!(refused, Err(DataError::Busy)));
    assert!(matches!(
        GameWriter::append(&path, &Header::new(Kind::Games, "a test"), |_| Ok(()), |_| ()),
        Err(DataError::Kind { expected: Kind::Games })
    ));

    let bytes = fs::read(&path).unwrap();
    for end in [0, 5, 12, 15, 20, 25] {
        fs::write(&path, &bytes[..end]).unwrap();
        let error = Blocks::open(&path).unwrap_err().to_string();
        assert_eq!(error.ends_with("the file ends within it"), end >= 12, "cut at {end}: {error}");
        Writer::append(&path, &described(), |_| Ok(()), |_| ()).unwrap().finish().unwrap();
        assert_eq!(Blocks::open(&path).unwrap().header(), Some(&described()), "cut at {end}: begun again");
    }
    for (length, expected) in [(1 << 24, "its length is wrong"), ((1 << 24) + 1, "it is too long")] {
        let mut too_long = bytes.clone();
        too_long[12..16].copy_from_slice(&u32::to_le_bytes(length));
        for end in [bytes.len(), bytes.len() - 10] {
            fs::write(&path, &too_long[..end]).unwrap();
            let error = Blocks::open(&path).unwrap_err().to_string();
            assert!(end < bytes.len() || error.contains(expected), "{error}");
            Writer::append(&path, &described(), |_| Ok(()), |_| ()).unwrap_err();
            assert_eq!(fs::read(&path).unwrap(), too_long[..end], "refused, it was not changed");
        }
    }
    let mut damaged = bytes.clone();
    damaged[30] ^= 1;
    fs::write(&path, &damaged).unwrap();
    assert!(matches!(Blocks::open(&path), Err(DataError::Header(_))));
    assert!(matches!(append(&path, |_| ()), Err(DataError::Header(_))));
}
