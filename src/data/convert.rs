//! Converts files of positions in the order of their games, as in version 1, to files of games.

use std::{ops::ControlFlow, path::Path};

use super::{Blocks, DataError, GameWriter, Header, Kind, Source, TrainingGame};

/// The result of a conversion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Converted {
    /// Positions read.
    pub read: u64,
    /// Positions written.
    pub written: u64,
    /// Games written.
    pub games: u64,
    /// Pieces of games: one for each game, and one more at each gap, where positions of the game are missing because
    /// they occurred earlier in the file.
    pub pieces: u64,
    /// Positions left out because they are unplayable or their move is illegal.
    pub unplayable: u64,
    /// Damaged blocks skipped.
    pub damaged: u64,
}

/// The reason why a file could not be converted or exported.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// The input cannot be read.
    #[error(transparent)]
    Input(#[from] DataError),
    /// The output cannot be written.
    #[error(transparent)]
    Output(DataError),
    /// The file holds games already.
    #[error("it already contains games")]
    Games,
    /// The positions belong to no games.
    #[error("its positions are loose, so they cannot be converted to games")]
    Loose,
    /// The caller has ended it.
    #[error("interrupted")]
    Interrupted,
}

impl ConvertError {
    /// The error of writing the output.
    pub(super) fn output(error: impl Into<DataError>) -> Self {
        Self::Output(error.into())
    }
}

/// Writes the positions of `input` as games to `output`, a new file. `recipe` is the recipe in its header. `each` receives
/// the number of bytes read.
///
/// # Errors
///
/// [`ConvertError`]; damage in the input too, unless `skip_damaged`. The output is incomplete then.
pub fn convert(
    input: &Path,
    output: &Path,
    recipe: serde_json::Value,
    skip_damaged: bool,
    mut each: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<Converted, ConvertError> {
    let mut blocks = Blocks::open(input)?;
    if blocks.kind() == Kind::Games {
        return Err(ConvertError::Games);
    }
    // Positions from the trees of a game's searches do not follow each other.
    if blocks.header().is_some_and(|header| header.blocks_belong_together) {
        return Err(ConvertError::Loose);
    }
    let sources = vec![Source::new(input, blocks.header())];
    let header = Header { recipe, ..Header::new(Kind::Games, "data convert") }.with_sources(sources);
    let mut writer = GameWriter::create(output, &header).map_err(ConvertError::output)?;
    let mut counts = Converted::default();
    while let Some(block) = blocks.next() {
        match block {
            Ok(block) if block.games == 0 && !block.records.is_empty() => return Err(ConvertError::Loose),
            Ok(block) => {
                for records in block.by_game() {
                    let (pieces, unplayable) = TrainingGame::from_records(records);
                    pieces.iter().for_each(|game| writer.write(game));
                    counts.read += records.len() as u64;
                    counts.written += records.len() as u64 - unplayable;
                    counts.games += 1;
                    counts.pieces += pieces.len() as u64;
                    counts.unplayable += unplayable;
                    writer.end_game(0).map_err(ConvertError::output)?;
                }
            }
            Err(error) if skip_damaged && error.is_damage() => counts.damaged += 1,
            Err(error) => return Err(error.into()),
        }
        if each(blocks.position()).is_break() {
            return Err(ConvertError::Interrupted);
        }
    }
    writer.finish().map_err(ConvertError::output)?;
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use shakmaty::Square;

    use super::*;
    use crate::{
        data::{Record, Variant, Writer, game::tests::sample_games, testing::make_old},
        position::PackedMove,
    };

    fn go(input: &Path, output: &Path, skip: bool) -> Result<Converted, ConvertError> {
        convert(input, output, serde_json::Value::Null, skip, |_| ControlFlow::Continue(()))
    }

    fn variant(path: &Path) -> Variant {
        Blocks::open(path).unwrap().header().unwrap().variant
    }

    fn header() -> Header {
        Header::new(Kind::Positions, "a test")
    }

    fn records(path: &Path) -> Vec<Record> {
        Blocks::open(path).unwrap().flat_map(|block| block.unwrap().records).collect()
    }

    #[test]
    fn positions_from_trees_are_no_games() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let header = Header { blocks_belong_together: true, ..header() };
        let mut records = Vec::new();
        sample_games()[0].records(&mut records).unwrap();
        let mut writer = Writer::create(&path("trees"), &header).unwrap();
        writer.write_game(&records).unwrap();
        writer.finish().unwrap();
        assert!(matches!(go(&path("trees"), &path("new"), false), Err(ConvertError::Loose)));
    }

    #[test]
    fn positions_with_gaps_become_games_and_nothing_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mut writer = Writer::create(&path("one"), &header()).unwrap();
        let mut kept = Vec::new();
        for (number, game) in sample_games().iter().enumerate() {
            let mut records = Vec::new();
            game.records(&mut records).unwrap();
            // Duplicates dropped at the beginning, in the middle, and everywhere.
            match number % 3 {
                0 => drop(records.drain(..1)),
                1 => drop(records.drain(1..2)),
                _ => {}
            }
            writer.write_game(&records).unwrap();
            kept.extend(records);
        }
        writer.finish().unwrap();
        make_old(&path("one"));
        let counts = go(&path("one"), &path("two"), false).unwrap();
        let read = records(&path("two"));
        assert_eq!(read, kept);
        assert_eq!(
            (counts.read, counts.written, counts.unplayable),
            (kept.len() as u64, kept.len() as u64, 0)
        );
        assert!(counts.pieces > counts.games, "{counts:?}");
        assert_eq!(variant(&path("two")), Variant::Chess960, "version 1 does not tell");
        let blocks: Vec<_> = Blocks::open(&path("two")).unwrap().map(Result::unwrap).collect();
        let games: usize = blocks.iter().map(|block| block.by_game().len()).sum();
        assert_eq!(games as u64, counts.games, "pieces of a game stay together");

        assert!(matches!(go(&path("two"), &path("three"), false), Err(ConvertError::Games)));
        let mut bytes = fs::read(path("one")).unwrap();
        bytes.pop();
        fs::write(path("torn"), bytes).unwrap();
        assert!(matches!(go(&path("torn"), &path("three"), false), Err(ConvertError::Input(_))));
        assert_eq!(go(&path("torn"), &path("four"), true).unwrap().damaged, 1);
    }

    #[test]
    fn what_is_not_playable_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let mut writer = Writer::create(&path("one"), &header()).unwrap();
        for (game, broken) in sample_games().iter().zip([&[3][..], &[], &[0, 2]]) {
            let mut records = Vec::new();
            game.records(&mut records).unwrap();
            for &at in broken {
                // Nothing can move from there.
                let m = PackedMove::from_bits(u16::from(Square::H5) | u16::from(Square::H6) << 6).unwrap();
                records[at] = records[at].with_score(5, m);
            }
            writer.write_game(&records).unwrap();
        }
        writer.finish().unwrap();
        let counts = go(&path("one"), &path("two"), false).unwrap();
        let read: usize = sample_games()[..3].iter().map(|game| game.plies().len()).sum();
        assert_eq!((counts.read, counts.written, counts.unplayable), (read as u64, read as u64 - 3, 3));
        assert_eq!(records(&path("two")).len(), read - 3);
        assert_eq!(variant(&path("two")), Variant::Standard);
    }

    #[test]
    fn the_header_contains_the_recipe() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        Writer::create(&one, &header()).unwrap().finish().unwrap();
        let recipe = serde_json::json!("datagen --nodes 200");
        convert(&one, &two, recipe.clone(), false, |_| ControlFlow::Continue(())).unwrap();
        let blocks = Blocks::open(&two).unwrap();
        assert_eq!(blocks.header().map(|header| &header.recipe), Some(&recipe));
    }

    #[test]
    fn loose_positions_are_no_games() {
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        let mut writer = Writer::create(&one, &header()).unwrap();
        let mut records = Vec::new();
        sample_games()[0].records(&mut records).unwrap();
        writer.write(records[0]).unwrap();
        writer.finish().unwrap();
        assert!(matches!(go(&one, &two, false), Err(ConvertError::Loose)));
    }
}
