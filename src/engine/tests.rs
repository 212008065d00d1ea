//! Tests of the engine's phases, without a protocol.

use std::{
    sync::{
        Mutex,
        mpsc::{self, Receiver, Sender},
    },
    time::Duration,
};

use super::*;
use crate::{
    eval::{EvaluatorChoice, Material},
    search::Report,
    value::Value,
};

/// A call that a listener received.
#[derive(Debug, PartialEq, Eq)]
enum Call {
    BestMove(Option<Move>),
    Problem(String),
    Ready,
}

#[derive(Clone)]
struct TestListener(Sender<Call>);

fn listener() -> (TestListener, Receiver<Call>) {
    let (sender, receiver) = mpsc::channel();
    (TestListener(sender), receiver)
}

impl Observer for TestListener {
    fn iteration(&mut self, _: &Report) {}

    fn problem(&mut self, problem: &dyn Display) {
        let _ = self.0.send(Call::Problem(problem.to_string()));
    }
}

impl Listener for TestListener {
    fn best_move(&mut self, best: Option<Move>, _: Option<Move>) {
        let _ = self.0.send(Call::BestMove(best));
    }

    fn ready(&mut self) {
        let _ = self.0.send(Call::Ready);
    }
}

/// An evaluator that is used whatever is chosen.
trait Only: Evaluator + Default {}

impl<E: Only> Choose for E {
    fn choose(_: &EvaluatorChoice) -> Result<Self, String> {
        Ok(Self::default())
    }

    fn plays_like(&self, _: &Self) -> bool {
        true
    }
}

impl Only for Material {}
impl Only for Bomb {}

/// An evaluator that panics on request.
#[derive(Clone, Default)]
struct Bomb;

static FUSE: AtomicBool = AtomicBool::new(true);

impl Evaluator for Bomb {
    fn evaluate(&mut self, _: &Position) -> Value {
        assert!(!FUSE.load(Ordering::Relaxed), "boom");
        0
    }
}

#[test]
fn a_search_that_panics_is_reported_and_still_answered() {
    let (listener, calls) = listener();
    let mut engine = Engine::<Bomb>::default();
    engine.go(Limits::depth(3), &listener);
    engine.wait();
    let Ok(Call::Problem(problem)) = calls.recv() else { panic!("the panic is reported") };
    assert!(problem.contains("boom"), "{problem}");
    let Ok(Call::BestMove(Some(best))) = calls.recv() else { panic!("and answered") };
    assert!(engine.position().legal_moves().contains(&best));
    FUSE.store(false, Ordering::Relaxed);
    engine.go(Limits::depth(2), &listener);
    engine.wait();
    assert!(matches!(calls.try_recv(), Ok(Call::BestMove(Some(_)))), "the engine lives on");
    assert!(calls.try_recv().is_err());
}

#[test]
fn changes_wait_for_the_search_to_end() {
    let (mut listener, calls) = listener();
    let mut engine = Engine::<Material>::default();
    engine.go(Limits { infinite: true, ..Limits::default() }, &listener);
    engine.set_option("Threads", "2", &mut listener).unwrap();
    engine.new_game();
    assert_eq!(engine.pending, [Effect::SetThreads, Effect::ClearHash]);
    assert!(!engine.ends_by_itself());
    engine.prepare(&listener);
    assert_eq!(engine.pending.len(), 2, "the search has the memory");
    assert_eq!(calls.recv(), Ok(Call::Ready), "told at once");
    engine.stop();
    engine.wait();
    engine.prepare(&listener);
    assert_eq!(engine.pending, []);
    engine.wait();
    assert!(matches!(calls.try_recv(), Ok(Call::BestMove(Some(_)))));
    assert_eq!(calls.try_recv(), Ok(Call::Ready));
}

#[test]
fn only_a_new_value_clears_the_hash() {
    let (mut listener, _) = listener();
    let mut engine = Engine::<Material>::default();
    for (name, old, new) in [("Syzygy50MoveRule", "true", "false"), ("Without", "", "null_move")] {
        engine.set_option(name, old, &mut listener).unwrap();
        assert_eq!(engine.pending, [], "{name} has this value already");
        engine.set_option(name, new, &mut listener).unwrap();
        assert_eq!(engine.pending, [Effect::ClearHash], "{name}");
        engine.pending.clear();
    }
    engine.set_option("Evaluator", "material", &mut listener).unwrap();
    assert_eq!(engine.pending, [], "another choice, but the same evaluator");
    engine.set_option("Clear Hash", "", &mut listener).unwrap();
    assert_eq!(engine.pending, [Effect::ClearHash]);
}

#[test]
fn readiness_is_told_once_for_each_time_it_is_asked_for_and_a_refused_size_in_one_line() {
    let (mut listener, calls) = listener();
    let mut engine = Engine::<Material>::default();
    engine.prepare(&listener);
    engine.new_game();
    engine.prepare(&listener);
    engine.wait();
    assert_eq!((calls.try_recv(), calls.try_recv()), (Ok(Call::Ready), Ok(Call::Ready)));
    engine.set_option("Hash", "33554432", &mut listener).unwrap();
    engine.prepare(&listener);
    engine.wait();
    let Ok(Call::Problem(problem)) = calls.try_recv() else { panic!("the size is refused") };
    assert!(problem.contains("33554432 MiB") && problem.contains("stays at 16 MiB"), "{problem}");
    assert_eq!(calls.try_recv(), Ok(Call::Ready));
    assert!(calls.try_recv().is_err());
}

/// Records the times of all reports.
#[derive(Clone, Default)]
struct Times(Arc<Mutex<Vec<Duration>>>);

impl Observer for Times {
    fn iteration(&mut self, report: &Report) {
        self.0.lock().unwrap().push(report.time);
    }
}

impl Listener for Times {
    fn best_move(&mut self, _: Option<Move>, _: Option<Move>) {}
    fn ready(&mut self) {}
}

#[test]
fn time_does_not_run_backwards_when_a_weak_player_draws_another_line() {
    let mut engine = Engine::<Material>::default();
    let mut listener = Times::default();
    for (name, value) in [("UCI_LimitStrength", "true"), ("UCI_Elo", "910"), ("MultiPV", "5")] {
        engine.set_option(name, value, &mut listener).unwrap();
    }
    for _ in 0..20 {
        engine.go(Limits::depth(2), &listener);
        engine.wait();
        let times = mem::take(&mut *listener.0.lock().unwrap());
        assert!(times.len() >= 10 && times.is_sorted(), "{times:?}");
    }
}

#[test]
fn dropping_the_engine_ends_its_search() {
    let (listener, calls) = listener();
    let mut engine = Engine::<Material>::default();
    engine.go(Limits { infinite: true, ..Limits::default() }, &listener);
    drop(engine);
    assert!(matches!(calls.try_recv(), Ok(Call::BestMove(Some(_)))));
}
