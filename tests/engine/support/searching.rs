//! Runs a search for a test: records all reports and checks the properties of every search.

use zugwerk::{
    chess::{
        position::Position,
        value::{MATE, is_mate},
    },
    engine::{
        eval::Evaluator,
        search::{Bound, Limits, Observer, Outcome, Report, Searcher, Settings, Stop},
    },
};

/// Records every report.
#[derive(Default)]
struct Recorder(Vec<Report>);

impl Observer for Recorder {
    fn iteration(&mut self, report: &Report) {
        self.0.push(report.clone());
    }
}

/// The result of a search and its reports.
pub(crate) struct Found {
    pub(crate) outcome: Outcome,
    pub(crate) reports: Vec<Report>,
}

/// Searches with `searcher` and checks the result.
pub(crate) fn search_with<E: Evaluator>(
    searcher: &mut Searcher<E>,
    position: &Position,
    limits: &Limits,
    settings: &Settings,
) -> Found {
    let mut recorder = Recorder::default();
    let outcome = searcher.search(position, limits, &Stop::default(), settings, &mut recorder);
    let found = Found { outcome, reports: recorder.0 };
    found.check(position, limits);
    found
}

impl Found {
    /// Checks the properties of every search: legal variations, complete mates, a last report of what is
    /// played.
    fn check(&self, position: &Position, limits: &Limits) {
        let Found { outcome, reports } = self;
        let fen = position.fen();
        for report in reports.iter().chain(&outcome.lines) {
            let end = play_out(position, report);
            let mate = is_mate(report.value) && report.bound == Bound::Exact;
            if mate {
                let plies = (MATE - report.value.abs()) as usize;
                assert_eq!(
                    report.pv.len(),
                    plies,
                    "the variation of a mate is complete: {report:?} in {fen}"
                );
                assert!(end.is_checkmate(), "the variation of a mate ends with it: {report:?} in {fen}");
                assert!(
                    !passes_a_draw(position, report),
                    "the game is drawn before the mate: {report:?} in {fen}"
                );
            }
        }
        assert!(reports.windows(2).all(|pair| pair[0].depth <= pair[1].depth), "depth falls in {fen}");
        assert!(reports.windows(2).all(|pair| pair[0].nodes <= pair[1].nodes), "nodes fall in {fen}");
        assert!(reports.windows(2).all(|pair| pair[0].time <= pair[1].time), "time runs backwards in {fen}");
        let allowed = |m| limits.search_moves.is_empty() || limits.search_moves.contains(&m);
        let legal: Vec<_> = position.legal_moves().into_iter().filter(|&m| allowed(m)).collect();
        assert_eq!(outcome.best.is_some(), !legal.is_empty(), "{fen}");
        let numbers = |lines: &[Report]| lines.iter().map(|line| line.multi_pv).collect::<Vec<_>>();
        let tail = &reports[reports.len().saturating_sub(outcome.lines.len())..];
        assert_eq!(
            numbers(tail),
            numbers(&outcome.lines),
            "the last reports are the lines in order, in {fen}"
        );
        let last = reports.iter().rev().find(|report| report.multi_pv == 1).expect("a report");
        assert_eq!((last.value, last.bound), (outcome.value(), outcome.lines[0].bound), "{fen}");
        assert_eq!(last.pv.first(), outcome.best.as_ref(), "what is reported last is played, in {fen}");
        assert_eq!(outcome.best, outcome.lines[0].pv.first().copied(), "{fen}");
        let Some(best) = outcome.best else { return };
        assert!(legal.contains(&best), "{best} in {fen}");
        if let Some(ponder) = outcome.ponder {
            let mut after = position.clone();
            after.play(best);
            assert!(after.legal_moves().contains(&ponder), "ponder move {ponder} after {best} in {fen}");
        }
    }
}

/// Returns the position after the variation of `report`; all moves must be legal.
fn play_out(position: &Position, report: &Report) -> Position {
    let mut position = position.clone();
    for &m in &report.pv {
        assert!(position.legal_moves().contains(&m), "{m} in {}: {report:?}", position.fen());
        position.play(m);
    }
    position
}

/// Whether the variation of `report` contains a position in which the game is drawn.
fn passes_a_draw(position: &Position, report: &Report) -> bool {
    let mut position = position.clone();
    report.pv.iter().any(|&m| {
        position.play(m);
        position.is_draw_by_rule() || position.is_repetition(0)
    })
}
