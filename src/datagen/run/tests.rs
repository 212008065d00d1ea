use std::{fs, path::PathBuf};

use super::*;
use crate::{
    data::{Blocks, Reader, Record},
    position::Position,
};

/// A path of its own for each test, with nothing there.
fn path(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("zugwerk-datagen-{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

/// Games so short that a test can play some.
fn recipe(seed: u64) -> Recipe {
    Recipe { seed, nodes: 200, hash: 1, max_plies: 40, ..Recipe::default() }
}

fn play(run: &mut Run, recipe: &Recipe, threads: usize, target: u64) {
    run.play(recipe, threads, target, &Stop::default(), |_| ()).unwrap();
}

/// What a run of its own makes.
fn made(name: &str, recipe: &Recipe, threads: usize, target: u64) -> Vec<Record> {
    let path = path(name);
    let mut run = Run::create(&path).unwrap();
    play(&mut run, recipe, threads, target);
    let counts = run.counts();
    run.finish().unwrap();
    let records: Vec<_> = Reader::open(&path).unwrap().map(Result::unwrap).collect();
    assert_eq!(counts.positions, records.len() as u64);
    assert_eq!(counts.white + counts.draws + counts.black, counts.games);
    fs::remove_file(path).unwrap();
    records
}

#[test]
fn the_seed_alone_determines_the_file() {
    let one = made("one", &recipe(7), 1, 300);
    assert!(one.len() >= 300 && one.len() < 400);
    assert_eq!(one, made("three", &recipe(7), 3, 300));
    assert_ne!(one, made("other", &recipe(8), 1, 300));
}

#[test]
fn a_resumed_run_ends_where_an_uninterrupted_one_does() {
    let (path, recipe) = (path("resumed"), recipe(3));
    let mut run = Run::create(&path).unwrap();
    play(&mut run, &recipe, 2, 100);
    run.finish().unwrap();
    let mut run = Run::resume(&path).unwrap();
    assert!(run.counts().positions >= 100);
    play(&mut run, &recipe, 2, 300);
    run.finish().unwrap();
    let records: Vec<_> = Reader::open(&path).unwrap().map(Result::unwrap).collect();
    assert_eq!(records, made("uninterrupted", &recipe, 1, 300));
    fs::remove_file(path).unwrap();
}

#[test]
fn every_record_is_a_different_playable_position_of_a_balanced_game() {
    let mut keys = HashSet::new();
    for record in made("sound", &recipe(5), 1, 300) {
        let position = record.position().unwrap();
        assert!(keys.insert(position.key()), "{}", position.fen());
        assert!(record.legal_move(&position).is_some(), "{}", position.fen());
        assert!((8..40).contains(&record.ply()));
        assert_eq!(record.is_check(), position.is_check());
    }
}

#[test]
fn a_list_of_openings_is_used_once_and_what_repeats_is_dropped() {
    let path = path("book");
    let fen = |fen| Position::from_fen(fen).unwrap();
    let start = Position::default();
    let lost = fen("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1");
    let recipe = Recipe { starts: vec![start.clone(), lost, start], random_plies: 0..=0, ..recipe(1) };
    let mut run = Run::create(&path).unwrap();
    play(&mut run, &recipe, 2, 1000);
    let counts = run.counts();
    assert!(counts.games == 3 && counts.positions > 0, "{counts:?}");
    assert!(counts.duplicates >= counts.positions, "the same game twice: {counts:?}");
    run.finish().unwrap();
    let games: u32 = Blocks::open(&path).unwrap().map(|block| block.unwrap().games).sum();
    assert_eq!(games, 3);
    fs::remove_file(path).unwrap();
}

#[test]
fn a_raised_stop_ends_the_run_with_what_is_done() {
    let path = path("stopped");
    let mut run = Run::create(&path).unwrap();
    let stop = Stop::default();
    run.play(&recipe(1), 2, u64::MAX, &stop, |counts| {
        if counts.games == 3 {
            stop.stop();
        }
    })
    .unwrap();
    assert!(run.counts().games >= 3);
    fs::remove_file(path).unwrap();
}
