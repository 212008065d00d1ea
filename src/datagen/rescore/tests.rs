use std::fs;

use super::*;
use crate::{
    data::{Filter, Reader, Record, Shuffle},
    datagen::{Place, Recipe, Run},
    eval::Classical,
};

const BENCH: Signature = Signature { depth: 1, nodes: 1 };

fn name() -> data::Evaluator {
    data::Evaluator { name: "classical".to_owned(), hash: None }
}

fn searcher() -> Searcher<Classical> {
    Searcher::new(1)
}

fn records(path: &Path) -> Vec<Record> {
    Reader::open(path).unwrap().map(Result::unwrap).collect()
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

#[test]
fn positions_stay_and_scores_are_those_of_the_new_search() {
    let folder = tempfile::tempdir().unwrap();
    for (number, input) in files(folder.path(), 300).iter().enumerate() {
        let output = folder.path().join(format!("new{number}"));
        let go = |output: &Path, threads| {
            rescore(input, output, 100)
                .run((name(), BENCH), searcher, threads, false, &Stop::default(), |_| ())
                .unwrap()
        };
        let done = go(&output, 2);
        let (old, new) = (records(input), records(&output));
        assert_eq!((done.positions, done.total), (old.len() as u64, old.len() as u64));
        let place = |records: &[Record]| {
            records.iter().map(|it| Record::identity_of(&it.to_bytes())).collect::<Vec<_>>()
        };
        assert_eq!(place(&old), place(&new));
        assert!(old.iter().zip(&new).filter(|(old, new)| old.score() != new.score()).count() > 100);
        assert!(new.iter().all(|it| it.legal_move(&it.position().unwrap()).is_some()));
        let other = folder.path().join(format!("other{number}"));
        go(&other, 1);
        assert_eq!(fs::read(other).unwrap(), fs::read(output).unwrap(), "with any number of threads");
    }
}

#[test]
fn a_stopped_run_goes_on_where_it_was_and_only_as_it_began() {
    let folder = tempfile::tempdir().unwrap();
    let [games, _] = files(folder.path(), 5000);
    let [output, whole] = ["new", "whole"].map(|name| folder.path().join(name));
    let plan = rescore(&games, &output, 20);
    let stop = Stop::default();
    let run = |resume, stop: &Stop, each: &mut dyn FnMut(Rescored)| {
        plan.run((name(), BENCH), searcher, 1, resume, stop, each)
    };
    let first = run(false, &stop, &mut |_| stop.stop()).unwrap();
    assert!(first.positions > 0 && first.positions < first.total, "{first:?}");
    let other = rescore(&games, &output, 30);
    let refused = other.run((name(), BENCH), searcher, 1, true, &Stop::default(), |_| ());
    assert!(refused.unwrap_err().to_string().contains("`nodes` is 30, and was 20"));
    fs::create_dir(folder.path().join("other")).unwrap();
    let namesake = folder.path().join("other/games");
    for (seed, positions, complaint) in [
        (2, 5000, "the checksum of the input's header is "),
        (1, 10, "the number of positions in the first "),
    ] {
        self::games(namesake.clone(), seed, positions);
        let refused = rescore(&namesake, &output, 20)
            .run((name(), BENCH), searcher, 1, true, &Stop::default(), |_| ())
            .unwrap_err()
            .to_string();
        assert!(refused.contains(complaint), "{refused}");
        fs::remove_file(&namesake).unwrap();
    }
    let last = run(true, &Stop::default(), &mut |_| ()).unwrap();
    assert_eq!(last.positions, last.total);
    let at_once = rescore(&games, &whole, 20);
    at_once.run((name(), BENCH), searcher, 2, false, &Stop::default(), |_| ()).unwrap();
    assert_eq!(fs::read(&output).unwrap(), fs::read(&whole).unwrap());
    assert!(run(false, &Stop::default(), &mut |_| ()).is_err(), "it is not overwritten");
}
