use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicUsize, Ordering},
};

use tempfile::TempDir;

use super::*;
use crate::{
    chess::{position::Position, value::Value},
    engine::eval::{Choose as _, Classical, EvaluatorChoice, EvaluatorKind, Material},
    rules::WinRule,
    workshop::data::{Blocks, Record, Termination, Variant, tests::games},
};

/// Games short enough for a test.
fn recipe(seed: u64) -> Recipe {
    Recipe { seed, nodes: 200, hash: 1, max_plies: 40, ..Recipe::default() }
}

fn evaluator() -> data::EvaluatorId {
    data::EvaluatorId { name: "material".to_owned(), hash: None }
}

const BENCH: Signature = Signature { depth: 1, nodes: 1 };

/// A start that is far from balanced.
const LOST: &str = "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1";

fn searcher() -> Searcher<Classical> {
    Searcher::new(1)
}

/// A separate folder for each test, and a file in it.
fn output(shard: Option<u64>) -> (TempDir, OutputPath) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("own.zwd");
    (folder, OutputPath { path, shard })
}

fn create(recipe: &Recipe, output: &OutputPath) -> Run {
    Run::create(recipe.clone(), output.clone(), evaluator(), BENCH).unwrap()
}

fn resume(recipe: &Recipe, output: &OutputPath) -> Result<Run, ContinueError> {
    Run::resume(recipe.clone(), output.clone(), evaluator(), BENCH).map(|(run, _)| run)
}

fn play(run: &mut Run, threads: usize, target: u64) {
    run.play(searcher, threads, target, &Stop::default(), |_| ()).unwrap();
}

fn records(path: &Path) -> Vec<Record> {
    Blocks::open(path).unwrap().flat_map(|block| block.unwrap().records).collect()
}

/// Plays and finishes a run.
fn finish(mut run: Run, threads: usize, target: u64) -> RunCounts {
    play(&mut run, threads, target);
    let counts = run.counts();
    run.finish().unwrap();
    counts
}

/// A separate run, finished, on a file of its own.
fn finished(recipe: &Recipe, threads: usize, target: u64) -> (TempDir, OutputPath, RunCounts) {
    let (folder, output) = output(None);
    let counts = finish(create(recipe, &output), threads, target);
    (folder, output, counts)
}

/// The records that a separate run makes.
fn made(recipe: &Recipe, threads: usize, target: u64) -> Vec<Record> {
    let (_folder, output, counts) = finished(recipe, threads, target);
    let records = records(&output.path);
    assert_eq!(counts.positions, records.len() as u64);
    assert_eq!(counts.white + counts.draws + counts.black, counts.games);
    assert_eq!(counts.games + counts.unbalanced, counts.next);
    records
}

#[test]
fn the_seed_alone_determines_the_file() {
    let one = made(&recipe(7), 1, 300);
    assert!(one.len() >= 300 && one.len() < 400);
    assert_eq!(one, made(&recipe(7), 3, 300));
    assert_ne!(one, made(&recipe(8), 1, 300));
}

#[test]
fn a_resumed_run_ends_where_an_uninterrupted_one_does() {
    let recipe = recipe(3);
    let (_folder, output, _) = finished(&recipe, 2, 100);
    let run = resume(&recipe, &output).unwrap();
    assert!(run.counts().positions >= 100);
    finish(run, 2, 300);
    assert_eq!(records(&output.path), made(&recipe, 1, 300));
}

#[test]
fn a_row_of_files_holds_what_one_file_would_and_goes_on_with_the_last() {
    let recipe = recipe(3);
    let (_folder, output) = output(Some(100));
    finish(create(&recipe, &output), 2, 250);
    let counts = finish(resume(&recipe, &output).unwrap(), 2, 500);
    let files: Vec<_> = (1..).map(|number| output.file(number)).take_while(|path| path.exists()).collect();
    assert!(files[0].ends_with("own-0001.zwd") && files.len() >= 3, "{files:?}");
    let parts: Vec<Vec<Record>> = files.iter().map(|path| records(path)).collect();
    let (_, full) = parts.split_last().unwrap();
    assert!(full.iter().all(|part| part.len() >= 100 && part.len() < 140));
    assert_eq!(parts.concat(), made(&recipe, 1, 500));
    assert_eq!(counts.positions, parts.concat().len() as u64);
    assert_eq!(output.taken(), Some(output.file(1)));
}

#[test]
fn a_file_that_comes_in_between_is_named_and_kept() {
    let (_folder, output) = output(Some(100));
    let mut run = create(&recipe(3), &output);
    std::fs::write(output.file(2), "mine").unwrap();
    let played = run.play(searcher, 1, 250, &Stop::default(), |_| ());
    let error = played.unwrap_err().to_string();
    assert!(error.ends_with("own-0002.zwd: it exists; expected a new file"), "{error}");
    assert!(records(&output.file(1)).len() >= 100, "it is complete before the next one is begun");
    run.finish().unwrap();
    assert_eq!(fs::read(output.file(2)).unwrap(), b"mine");
    fs::remove_file(output.file(2)).unwrap();
    finish(resume(&recipe(3), &output).unwrap(), 1, 250);
    let parts = [1, 2, 3]
        .map(|number| output.file(number))
        .map(|path| if path.exists() { records(&path) } else { vec![] });
    assert_eq!(parts.concat(), made(&recipe(3), 1, 250), "no game is lost");
}

#[test]
fn only_the_same_program_with_the_same_recipe_goes_on() {
    let (_folder, output, _) = finished(&recipe(3), 1, 50);
    let bytes = fs::read(&output.path).unwrap();
    let refused = |recipe: &Recipe, evaluator, bench| {
        let error = Run::resume(recipe.clone(), output.clone(), evaluator, bench).unwrap_err();
        assert_eq!(fs::read(&output.path).unwrap(), bytes, "refused, it was not changed");
        error.to_string()
    };
    let other = Recipe { nodes: 300, ..recipe(3) };
    assert!(refused(&other, evaluator(), BENCH).contains("`nodes` is 300, and was 200"));
    assert!(refused(&recipe(4), evaluator(), BENCH).contains("the seed is 4, and was 3"));
    let stranger = data::EvaluatorId { name: "network".to_owned(), hash: Some("ab".to_owned()) };
    assert!(refused(&recipe(3), stranger, BENCH).contains("the evaluator is network ab"));
    let newer = Signature { nodes: 2, ..BENCH };
    assert!(refused(&recipe(3), evaluator(), newer).contains("bench is 2 nodes"));
}

#[test]
fn every_record_is_a_playable_position_of_a_balanced_game() {
    for record in made(&recipe(5), 1, 300) {
        let position = record.position().unwrap();
        assert!(record.legal_move(&position).is_some(), "{}", position.fen());
        assert!((8..40).contains(&record.ply()));
        assert_eq!(record.is_check(), position.is_check());
    }
}

#[test]
fn games_begin_as_chess960_does_if_asked_and_the_file_says_so() {
    let recipe = Recipe { double_chess960: 0.5, ..recipe(5) };
    let (_folder, output, _) = finished(&recipe, 2, 300);
    assert_eq!(Blocks::open(&output.path).unwrap().header().variant, Variant::Chess960);
    for record in records(&output.path) {
        assert!(record.legal_move(&record.position().unwrap()).is_some());
    }
}

#[test]
fn the_length_of_a_game_is_counted_from_its_opening() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 300";
    let starts = vec![Position::from_fen(fen).unwrap()];
    let recipe = Recipe { starts, random_plies: 4..=4, max_plies: 20, draw: None, win: None, ..recipe(1) };
    let (_folder, output, _) = finished(&recipe, 1, 10);
    let game = &games(&output.path)[0];
    assert_eq!((game.ending, game.plies().len()), (Termination::TooLong, 16));
}

#[test]
fn a_game_that_the_rules_end_is_not_adjudicated() {
    let mate_in_one = Position::from_fen("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1").unwrap();
    let win = Some(WinRule { score: 1000, plies: 1 });
    let recipe =
        Recipe { starts: vec![mate_in_one], random_plies: 0..=0, balance: Value::MAX, win, ..recipe(1) };
    let (_folder, output, _) = finished(&recipe, 1, 1);
    let game = &games(&output.path)[0];
    assert_eq!((game.ending, game.plies().len()), (Termination::Checkmate, 1));
}

#[test]
fn a_book_of_unbalanced_openings_ends_with_an_error() {
    let (_folder, output) = output(None);
    let lost = Position::from_fen(LOST).unwrap();
    let recipe = Recipe { starts: vec![lost], random_plies: 0..=1, nodes: 10, ..recipe(1) };
    let mut run = create(&recipe, &output);
    let ended = run.play(searcher, 2, 1000, &Stop::default(), |_| ());
    assert!(matches!(ended, Err(RunError::Unbalanced(100))), "{ended:?}");
}

#[test]
fn a_raised_stop_ends_the_run_with_what_is_done() {
    let (_folder, output) = output(None);
    let mut run = create(&recipe(1), &output);
    let stop = Stop::default();
    run.play(searcher, 2, u64::MAX, &stop, |counts| {
        if counts.games == 3 {
            stop.stop();
        }
    })
    .unwrap();
    assert!(run.counts().games >= 3);
}

/// Panics during some game.
#[derive(Clone, Default)]
struct Failing;

static EVALUATED: AtomicUsize = AtomicUsize::new(0);

impl Evaluator for Failing {
    fn evaluate(&mut self, position: &Position) -> Value {
        assert!(EVALUATED.fetch_add(1, Ordering::Relaxed) != 20_000, "the evaluator is broken");
        Material.evaluate(position)
    }
}

#[test]
fn a_worker_that_fails_is_reported_and_not_waited_for() {
    let (_folder, output) = output(None);
    let mut run = create(&recipe(1), &output);
    let failing = || Searcher::<Failing>::new(1);
    let ended = run.play(failing, 3, u64::MAX, &Stop::default(), |_| ());
    let Err(RunError::Worker(WorkerFailed(said))) = ended else { panic!("{ended:?}") };
    assert!(said.contains("the evaluator is broken"), "{said}");
    let positions = run.counts().positions;
    run.finish().unwrap();
    assert_eq!(records(&output.path).len() as u64, positions, "what was finished before is kept");
}

#[test]
fn the_signature_tells_searches_apart() {
    let of = |kind| signature(&Standard::choose(&EvaluatorChoice { kind, file: None }).unwrap());
    assert_eq!(of(EvaluatorKind::Classical), of(EvaluatorKind::Classical));
    assert_ne!(of(EvaluatorKind::Classical), of(EvaluatorKind::Material));
}
