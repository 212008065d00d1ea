use std::fs;

use super::*;
use crate::{
    data::{Filter, Shuffle, Writer, testing::make_old},
    datagen::{Place, Recipe, Run},
    eval::Classical,
};

const BENCH: Signature = Signature { depth: 1, nodes: 1 };

fn name() -> data::EvaluatorId {
    data::EvaluatorId { name: "classical".to_owned(), hash: None }
}

fn searcher() -> Searcher<Classical> {
    Searcher::new(1)
}

fn records(path: &Path) -> Vec<Record> {
    Blocks::open(path).unwrap().flat_map(|block| block.unwrap().records).collect()
}

/// Makes a file of games.
fn games(path: PathBuf, seed: u64, positions: u64) {
    let recipe = Recipe { seed, nodes: 20, hash: 1, max_plies: 40, ..Recipe::default() };
    let mut run = Run::create(recipe, Place { path, shard: None }, name(), BENCH).unwrap();
    run.play(searcher, 2, positions, &Stop::default(), |_| ()).unwrap();
    run.finish().unwrap();
}

/// Makes a file of games, and one with the same positions shuffled.
fn files(folder: &Path, positions: u64) -> [PathBuf; 2] {
    let [games, loose] = ["games", "loose"].map(|name| folder.join(name));
    self::games(games.clone(), 1, positions);
    let shuffle = Shuffle {
        inputs: vec![games.clone()],
        seed: 1,
        filter: Filter::default(),
        unique: false,
        validation_share: 0.0,
        skip_damaged: false,
    };
    shuffle.run(&loose, None, |_| std::ops::ControlFlow::Continue(())).unwrap();
    [games, loose]
}

fn rescore(input: &Path, output: &Path, nodes: u64) -> Rescore {
    Rescore { input: input.to_owned(), output: output.to_owned(), nodes, hash: 1 }
}

/// Rescores everything, or what is left.
fn run(plan: &Rescore, threads: usize, resume: bool) -> Result<Rescored, RescoreError> {
    plan.run((name(), BENCH), searcher, threads, resume, &Stop::default(), |_| ())
}

#[test]
fn positions_stay_and_scores_are_those_of_the_new_search() {
    let folder = tempfile::tempdir().unwrap();
    for (number, input) in files(folder.path(), 300).iter().enumerate() {
        let output = folder.path().join(format!("new{number}"));
        let done = run(&rescore(input, &output, 100), 2, false).unwrap();
        let (old, new) = (records(input), records(&output));
        assert_eq!((done.positions, done.total), (old.len() as u64, old.len() as u64));
        let place = |records: &[Record]| {
            records.iter().map(|it| Record::identity_of(&it.to_bytes())).collect::<Vec<_>>()
        };
        assert_eq!(place(&old), place(&new));
        assert!(old.iter().zip(&new).filter(|(old, new)| old.score() != new.score()).count() > 100);
        assert!(new.iter().all(|it| it.legal_move(&it.position().unwrap()).is_some()));
        let other = folder.path().join(format!("other{number}"));
        run(&rescore(input, &other, 100), 1, false).unwrap();
        assert_eq!(fs::read(other).unwrap(), fs::read(output).unwrap(), "with any number of threads");
    }
}

/// The header and the blocks of a file.
fn read(path: &Path) -> (Header, Vec<Item>) {
    let (header, items) = open(path).unwrap();
    (header.unwrap(), items.map(Result::unwrap).collect())
}

fn write_blocks(path: &Path, header: &Header, items: &[Item]) {
    let mut sheet = Sheet::create(path, header).unwrap();
    for (number, item) in (1..).zip(items) {
        write(&mut sheet, item, number).unwrap();
    }
    sheet.finish().unwrap();
}

#[test]
fn another_input_with_the_same_header_and_counts_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("other")).unwrap();
    let [games, positions] = ["games", "positions"].map(|name| folder.path().join(name));
    self::games(games.clone(), 1, 5000);
    let small_block = |records: &[Record]| {
        let mut block = Block::default();
        block.records.extend(records);
        Item::Positions(block)
    };
    let blocks: Vec<Item> = records(&games).chunks(1000).map(small_block).collect();
    write_blocks(&positions, &Header::new(Kind::Positions, "a test"), &blocks);
    for input in [games, positions] {
        let name = input.file_name().unwrap().display();
        let [namesake, whole, other] =
            ["other/", "whole-", "other-"].map(|prefix| folder.path().join(format!("{prefix}{name}")));
        let (header, mut items) = read(&input);
        match &mut items[1] {
            Item::Games(block) => block.games.reverse(),
            Item::Positions(block) => block.records.reverse(),
        }
        write_blocks(&namesake, &header, &items);
        let run = |input: &Path, output: &Path, resume| run(&rescore(input, output, 1), 1, resume);
        run(&input, &whole, false).unwrap();
        run(&namesake, &other, false).unwrap();
        let (header, items) = read(&whole);
        let begun = |blocks: usize| {
            let output = folder.path().join(format!("{name}-{blocks}"));
            write_blocks(&output, &header, &items[..blocks]);
            output
        };
        let same = begun(1);
        run(&namesake, &same, true).unwrap();
        assert_eq!(fs::read(same).unwrap(), fs::read(other).unwrap(), "the first block is equal");
        let output = begun(2);
        let before = fs::read(&output).unwrap();
        let error = run(&namesake, &output, true).unwrap_err().to_string();
        let (output_name, namesake, kind) = (output.display(), namesake.display(), header.kind);
        assert_eq!(
            error,
            format!("{output_name}: expected the {kind} of {namesake}, got others from block 2 on")
        );
        assert_eq!(fs::read(&output).unwrap(), before, "refused, it was not changed");
    }
}

#[test]
fn a_stopped_run_goes_on_where_it_was_and_only_as_it_began() {
    let folder = tempfile::tempdir().unwrap();
    let [games, _] = files(folder.path(), 5000);
    let [output, whole] = ["new", "whole"].map(|name| folder.path().join(name));
    let plan = rescore(&games, &output, 20);
    let stop = Stop::default();
    let first = plan.run((name(), BENCH), searcher, 1, false, &stop, |_| stop.stop()).unwrap();
    assert!(first.positions > 0 && first.positions < first.total, "{first:?}");
    let refused = |plan: Rescore| run(&plan, 1, true).unwrap_err().to_string();
    assert!(refused(rescore(&games, &output, 30)).contains("`nodes` is 30, and was 20"));
    fs::create_dir(folder.path().join("other")).unwrap();
    let namesake = folder.path().join("other/games");
    for (seed, positions, complaint) in
        [(2, 5000, "the checksum of the input's header is "), (1, 10, "got others from block 1 on")]
    {
        self::games(namesake.clone(), seed, positions);
        let refused = refused(rescore(&namesake, &output, 20));
        assert!(refused.contains(complaint), "{refused}");
        fs::remove_file(&namesake).unwrap();
    }
    let last = run(&plan, 1, true).unwrap();
    assert_eq!(last.positions, last.total);
    run(&rescore(&games, &whole, 20), 2, false).unwrap();
    assert_eq!(fs::read(&output).unwrap(), fs::read(&whole).unwrap());
    assert!(run(&plan, 1, false).is_err(), "it is not overwritten");
}

#[test]
fn a_killed_run_on_a_file_of_version_1_continues_to_the_same_header() {
    let record = |fen: &str| {
        let position = Position::from_fen(fen).unwrap();
        let best = PackedMove::new(position.legal_moves()[0]).unwrap();
        Record::new(&position, 0, best, shakmaty::KnownOutcome::Draw).unwrap()
    };
    let standard = record("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    let chess960 = record("1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w KQkq - 0 1");
    for records in [[standard, chess960], [chess960, standard]] {
        let folder = tempfile::tempdir().unwrap();
        let [input, whole, killed] = ["input", "whole", "killed"].map(|name| folder.path().join(name));
        let mut writer = Writer::create(&input, &Header::new(Kind::Positions, "a test")).unwrap();
        for record in records {
            writer.write(record).unwrap();
            writer.flush().unwrap();
        }
        writer.finish().unwrap();
        make_old(&input);
        let copy_at_first = |done: Rescored| {
            if done.positions == 1 {
                fs::copy(&whole, &killed).unwrap();
            }
        };
        let plan = rescore(&input, &whole, 1);
        plan.run((name(), BENCH), searcher, 1, false, &Stop::default(), copy_at_first).unwrap();
        let header = |path: &Path| Blocks::open(path).unwrap().header().unwrap().clone();
        assert_eq!(header(&whole).variant, Variant::Chess960);
        run(&rescore(&input, &killed, 1), 1, true).unwrap();
        assert_eq!(fs::read(&killed).unwrap(), fs::read(&whole).unwrap());
    }
}
