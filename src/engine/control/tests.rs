//! Tests of the engine and its search thread, without a protocol.

use std::{
    fmt::Display,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicI64, Ordering},
        mpsc::Receiver,
    },
};

use shakmaty::Move;

use super::*;
use crate::{
    chess::value::Value,
    engine::{
        eval::{Evaluator, Material},
        search::{Observer, Report},
    },
};

/// A call that a listener received.
#[derive(Debug, PartialEq, Eq)]
enum Call {
    BestMove(Option<Move>),
    Problem(String),
    Ready,
}

#[derive(Clone)]
struct TestListener {
    calls: Sender<Call>,
    /// The move of the last report.
    last: Arc<Mutex<Option<Move>>>,
}

fn listener() -> (TestListener, Receiver<Call>) {
    let (calls, receiver) = mpsc::channel();
    (TestListener { calls, last: Arc::default() }, receiver)
}

impl Observer for TestListener {
    fn iteration(&mut self, report: &Report) {
        *self.last.lock().unwrap() = report.pv.first().copied();
    }

    fn problem(&mut self, problem: &dyn Display) {
        let _ = self.calls.send(Call::Problem(problem.to_string()));
    }
}

impl Listener for TestListener {
    fn best_move(&mut self, best: Option<Move>, _: Option<Move>) {
        let _ = self.calls.send(Call::BestMove(best));
    }

    fn ready(&mut self) {
        let _ = self.calls.send(Call::Ready);
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
impl Only for Fused {}

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

/// An evaluator that counts material, and panics when no evaluation is left to it and its clones.
#[derive(Clone, Default)]
struct Fused;

static LEFT: AtomicI64 = AtomicI64::new(-1);

impl Evaluator for Fused {
    fn evaluate(&mut self, position: &Position) -> Value {
        assert_ne!(LEFT.fetch_sub(1, Ordering::Relaxed), 0, "the fuse has burnt down");
        Material.evaluate(position)
    }
}

#[test]
fn a_search_that_panics_is_reported_and_still_answered() {
    let (listener, calls) = listener();
    let mut engine = Engine::<Bomb>::start().unwrap();
    engine.go(Limits::depth(3), listener.clone());
    engine.wait();
    let Ok(Call::Problem(problem)) = calls.recv() else { panic!("the panic is reported") };
    assert!(problem.contains("boom"), "{problem}");
    let Ok(Call::BestMove(Some(best))) = calls.recv() else { panic!("and answered") };
    assert!(engine.position().legal_moves().contains(&best));
    FUSE.store(false, Ordering::Relaxed);
    engine.go(Limits::depth(2), listener);
    engine.wait();
    assert!(matches!(calls.try_recv(), Ok(Call::BestMove(Some(_)))), "the engine lives on");
    assert!(calls.try_recv().is_err());
}

#[test]
fn a_panic_of_any_thread_is_answered_with_the_best_move_so_far() {
    let (listener, calls) = listener();
    let mut engine = Engine::<Fused>::start().unwrap();
    for threads in ["1", "2", "8"] {
        engine.set_option("Threads", threads, listener.clone()).unwrap();
        for evaluations in [0, 1, 100, 5000, 50_000] {
            LEFT.store(evaluations, Ordering::Relaxed);
            engine.go(Limits::default(), listener.clone());
            // A search without limits answers when it is stopped.
            let Ok(Call::Problem(problem)) = calls.recv() else { panic!("the panic is reported") };
            assert!(problem.contains("the fuse has burnt down"), "{problem}");
            engine.stop();
            let Ok(Call::BestMove(Some(best))) = calls.recv() else { panic!("and answered") };
            let reported = listener.last.lock().unwrap().take();
            assert!(engine.position().legal_moves().contains(&best));
            assert!(reported.is_none_or(|last| last == best), "what is reported last is played");
            assert!(reported.is_some() || evaluations < 5000, "{threads} threads, {evaluations} evaluations");
        }
        LEFT.store(-1, Ordering::Relaxed);
        engine.go(Limits::depth(5), listener.clone());
        engine.wait();
        assert!(matches!(calls.try_recv(), Ok(Call::BestMove(Some(_)))), "the engine lives on");
        listener.last.lock().unwrap().take();
    }
}

#[test]
fn changes_wait_for_the_search_to_end() {
    let (listener, calls) = listener();
    let mut engine = Engine::<Material>::start().unwrap();
    engine.go(Limits { infinite: true, ..Limits::default() }, listener.clone());
    engine.set_option("Hash", "33554432", listener.clone()).unwrap();
    engine.new_game(listener.clone());
    assert!(!engine.ends_by_itself());
    engine.prepare(listener.clone());
    assert_eq!(calls.recv(), Ok(Call::Ready), "told at once");
    engine.stop();
    engine.wait();
    engine.prepare(listener);
    engine.wait();
    assert!(matches!(calls.try_recv(), Ok(Call::BestMove(Some(_)))));
    let rest: Vec<_> = calls.try_iter().collect();
    let refused = |call: &Call| matches!(call, Call::Problem(problem) if problem.contains("33554432 MiB"));
    assert_eq!(rest.iter().filter(|call| refused(call)).count(), 1, "{rest:?}");
    assert_eq!(rest.iter().filter(|call| **call == Call::Ready).count(), 1, "{rest:?}");
}

#[test]
fn only_a_new_value_clears_the_hash() {
    let (listener, _) = listener();
    let mut engine = Engine::<Material>::start().unwrap();
    let nodes = |engine: &mut Engine<Material>| {
        let reports = Reports::default();
        engine.go(Limits::depth(8), reports.clone());
        engine.wait();
        reports.0.lock().unwrap().last().map(|report| report.nodes)
    };
    // A search that begins with a full table visits fewer nodes.
    let is_kept = |engine: &mut Engine<Material>, name: &str, value: &str| {
        nodes(engine);
        let known = nodes(engine);
        engine.set_option(name, value, listener.clone()).unwrap();
        nodes(engine) <= known
    };
    for (name, old, new) in [("Syzygy50MoveRule", "true", "false"), ("Without", "", "capture_history")] {
        assert!(is_kept(&mut engine, name, old), "{name} has this value already");
        assert!(!is_kept(&mut engine, name, new), "{name}");
    }
    assert!(is_kept(&mut engine, "Evaluator", "material"), "another choice, but the same evaluator");
    assert!(!is_kept(&mut engine, "Clear Hash", ""));
}

#[test]
fn readiness_is_told_once_for_each_time_it_is_asked_for_and_a_refused_size_in_one_line() {
    let (listener, calls) = listener();
    let mut engine = Engine::<Material>::start().unwrap();
    engine.prepare(listener.clone());
    engine.new_game(listener.clone());
    engine.prepare(listener.clone());
    engine.wait();
    assert_eq!((calls.try_recv(), calls.try_recv()), (Ok(Call::Ready), Ok(Call::Ready)));
    engine.set_option("Hash", "33554432", listener.clone()).unwrap();
    engine.prepare(listener);
    engine.wait();
    let Ok(Call::Problem(problem)) = calls.try_recv() else { panic!("the size is refused") };
    assert!(problem.contains("33554432 MiB") && problem.contains("stays at 16 MiB"), "{problem}");
    assert_eq!(calls.try_recv(), Ok(Call::Ready));
    assert!(calls.try_recv().is_err());
}

/// Records all reports.
#[derive(Clone, Default)]
struct Reports(Arc<Mutex<Vec<Report>>>);

impl Observer for Reports {
    fn iteration(&mut self, report: &Report) {
        self.0.lock().unwrap().push(report.clone());
    }
}

impl Listener for Reports {
    fn best_move(&mut self, _: Option<Move>, _: Option<Move>) {}
    fn ready(&mut self) {}
}

#[test]
fn time_does_not_run_backwards_when_a_weak_player_draws_another_line() {
    let mut engine = Engine::<Material>::start().unwrap();
    let reports = Reports::default();
    for (name, value) in [("UCI_LimitStrength", "true"), ("UCI_Elo", "910"), ("MultiPV", "5")] {
        engine.set_option(name, value, reports.clone()).unwrap();
    }
    for _ in 0..20 {
        engine.go(Limits::depth(2), reports.clone());
        engine.wait();
        let times: Vec<_> = reports.0.lock().unwrap().drain(..).map(|report| report.time).collect();
        assert!(times.len() >= 10 && times.is_sorted(), "{times:?}");
    }
}

#[test]
fn dropping_the_engine_ends_its_search() {
    let (listener, calls) = listener();
    let mut engine = Engine::<Material>::start().unwrap();
    engine.go(Limits { infinite: true, ..Limits::default() }, listener);
    drop(engine);
    assert!(matches!(calls.try_recv(), Ok(Call::BestMove(Some(_)))));
}
