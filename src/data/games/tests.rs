use std::fs;

use shakmaty::KnownOutcome;

use super::*;
use crate::{
    data::{Blocks, Ply, Termination, Variant, Writer, game::tests::sample_games, tally},
    position::{PackedMove, Position},
};

/// The header of a file of sample games, some of which are of Chess960.
fn header() -> Header {
    Header { seed: Some(3), variant: Variant::Chess960, ..Header::new(Kind::Games, "a test") }
}

/// Writes the sample games `times` times, in blocks. The header says only at the end that there are games of Chess960.
fn write(path: &Path, times: u64) -> Vec<u8> {
    let begun = Header { variant: Variant::Standard, ..header() };
    let mut writer = GameWriter::create(path, &begun).unwrap();
    for round in 0..times {
        sample_games().iter().for_each(|game| writer.write(game));
        writer.end_game(round + 1).unwrap();
    }
    writer.finish().unwrap();
    fs::read(path).unwrap()
}

#[test]
fn games_are_read_back_as_games_and_as_positions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    write(&path, 100);
    let each: u64 = sample_games().iter().map(|game| game.plies().len() as u64).sum();
    let blocks: Vec<GameBlock> = Games::open(&path).unwrap().map(Result::unwrap).collect();
    assert!(blocks.len() >= 2, "{} blocks", blocks.len());
    let full = BLOCK_RECORDS as u64..BLOCK_RECORDS as u64 + each;
    let (last, others) = blocks.split_last().unwrap();
    assert!(others.iter().all(|block| full.contains(&block.tally.records)), "each is closed when it is full");
    assert!(last.tally.records < full.end);
    let games: Vec<_> = blocks.iter().flat_map(|block| block.games.clone()).collect();
    assert!(games.chunks(10).all(|chunk| chunk == sample_games()) && games.len() == 1000);
    let (found, sum) = tally(&path).unwrap();
    assert_eq!((found, sum), (Some(header()), Totals { records: 100 * each, games: 1000, next: 100 }));
    let mut expected = Vec::new();
    sample_games().iter().for_each(|game| game.records(&mut expected).unwrap());
    let read: Vec<_> = Blocks::open(&path).unwrap().flat_map(|block| block.unwrap().records).collect();
    assert!(read.chunks(expected.len()).all(|chunk| chunk == expected));
    let groups: usize = Blocks::open(&path).unwrap().map(|block| block.unwrap().by_game().len()).sum();
    assert_eq!(groups, 1000);
}

#[test]
fn appending_goes_on_behind_the_last_whole_block_wherever_the_file_was_torn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("torn");
    let bytes = write(&path, 100);
    let ends: Vec<u64> = {
        let mut games = Games::open(&path).unwrap();
        let mut ends = vec![games.position()];
        while games.next().is_some() {
            ends.push(games.position());
        }
        ends
    };
    for end in (0..bytes.len()).step_by(97).chain([bytes.len()]) {
        fs::write(&path, &bytes[..end]).unwrap();
        let mut next = 0;
        let writer = GameWriter::append(&path, &header(), |_| Ok(()), |tally| next = tally.next).unwrap();
        writer.finish().unwrap();
        let kept = *ends.iter().rfind(|&&whole| whole <= end as u64).unwrap_or(&ends[0]);
        assert_eq!(fs::read(&path).unwrap(), bytes[..kept as usize], "cut at {end}");
        assert_eq!(next == 0, kept == ends[0], "cut at {end}");
    }
}

#[test]
fn damage_and_other_files_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("damaged");
    let bytes = write(&path, 100);
    let mut damaged = bytes.clone();
    damaged[400] ^= 1;
    fs::write(&path, &damaged).unwrap();
    let mut games = Games::open(&path).unwrap();
    assert!(matches!(games.next(), Some(Err(DataError::Damaged { .. }))));
    assert!(games.next().unwrap().is_ok(), "the next block can be read");
    for blocks in [bytes.len() / 2, bytes.len() - 1] {
        fs::write(&path, &bytes[..blocks]).unwrap();
        let last = Games::open(&path).unwrap().last().unwrap();
        assert!(matches!(last, Err(DataError::Torn { .. })));
    }
    for (foreign, expected) in [(&b""[..], "empty"), (b"PK\x03\x04 and more of it", "not a data file")] {
        fs::write(&path, foreign).unwrap();
        assert!(Games::open(&path).unwrap_err().to_string().contains(expected));
    }
    fs::write(&path, b"ZWDATA\r\n\x01\0\0\0").unwrap();
    assert!(matches!(Games::open(&path), Err(DataError::Kind { expected: Kind::Games })));
    let positions = folder.path().join("positions");
    Writer::create(&positions, &Header::new(Kind::Positions, "a test")).unwrap().finish().unwrap();
    assert!(matches!(Games::open(&positions), Err(DataError::Kind { expected: Kind::Games })));
    assert!(matches!(GameWriter::append(&path, &header(), |_| Ok(()), |_| ()), Err(DataError::NoHeader)));
}

/// The bytes are as they were written, but the rules do not allow the game.
#[test]
fn a_block_with_a_game_that_cannot_be_replayed_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("unplayable");
    let start = Position::default();
    let ply = Ply::new(PackedMove::new(start.find_move("e2e4").unwrap()).unwrap(), 0);
    let twice = TrainingGame::new(&start, vec![ply; 2], KnownOutcome::Draw, Termination::Unknown).unwrap();
    let mut writer = GameWriter::create(&path, &header()).unwrap();
    for game in [&sample_games()[0], &twice, &sample_games()[0]] {
        writer.write(game);
        writer.flush().unwrap();
    }
    writer.finish().unwrap();
    let mut games = Games::open(&path).unwrap();
    assert!(games.next().unwrap().is_ok());
    let second = games.position();
    assert!(matches!(games.next(), Some(Err(DataError::Damaged { at })) if at == second));
    assert!(games.next().unwrap().is_ok(), "the next block can be read");
}

#[test]
fn the_number_of_the_next_game_may_be_of_any_size() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("next");
    let mut writer = GameWriter::create(&path, &header()).unwrap();
    let numbers = [1, u64::from(u32::MAX), 1 << 32, 0x0123_4567_89ab_cdef, u64::MAX];
    for &next in &numbers {
        writer.write(&sample_games()[0]);
        writer.end_game(next).unwrap();
        writer.flush().unwrap();
    }
    writer.finish().unwrap();
    let read = Games::open(&path).unwrap().map(|block| block.unwrap().tally.next);
    assert!(read.eq(numbers));
}

#[test]
fn one_file_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("busy");
    let first = GameWriter::create(&path, &header()).unwrap();
    assert!(matches!(GameWriter::append(&path, &header(), |_| Ok(()), |_| ()), Err(DataError::Busy)));
    drop(first);
    assert!(GameWriter::append(&path, &header(), |_| Ok(()), |_| ()).is_ok());
}

#[test]
fn a_block_that_cannot_be_written_is_not_written_again_behind_its_part() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games");
    fs::write(&path, "").unwrap();
    let mut writer = GameWriter::on(Sink::on(fs::File::open(&path).unwrap()));
    sample_games().iter().for_each(|game| writer.write(game));
    writer.flush().unwrap_err();
    writer.finish().unwrap();
}
