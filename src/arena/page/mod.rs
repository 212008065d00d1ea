//! A match as a web page: one file that loads nothing from the internet.
//!
//! [`MatchPage`] is given each game as it is entered into the standings, and [`MatchPage::draw`] makes the
//! page of all of them. All statistics are those of the match ([`MatchReport`]); the page only keeps their
//! course.
//!
//! ```text
//!  MatchPage    the course of the result, what each player used by move number, results by opening
//!   -> charts   Elo and its error, the test, depth, speed and time
//!   -> tables   results, players, openings, pairs, games
//! ```
//!
//! A game is data, which the scripts of every page with games show with both players' scores.

mod charts;
mod tables;

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use chrono::{DateTime, Utc};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use shakmaty::{Color, Outcome};

use crate::{
    arena::{
        players::{info::Info, tally::Effort},
        record::{from_games::fault, report::MatchReport, standings::Standings},
        schedule::Fixture,
        stats::elo::Trinomial,
    },
    chess::{
        pgn::{
            Game,
            opening_names::{self, Opening},
        },
        remarks::engine_notes,
        value::Score,
    },
    pages::{board, frame, played::Played},
    words::counted,
};

/// The number of games that one can step through, and that are in the list of games: the last ones. Each
/// takes about 5 kB.
pub const MOST_GAMES: usize = 200;

/// The time between two versions of the page of a running match.
pub const RENEWAL: Duration = Duration::from_secs(60);

/// The number of players up to which there are charts by move number, with a curve for each.
const MOST_CURVES: usize = 20;

/// What a page knows of a match.
#[derive(Clone, Debug)]
pub struct MatchPage {
    players: Vec<String>,
    course: Course,
    /// What each player used in its moves with each number, from 1.
    by_move: Vec<Vec<Effort>>,
    /// The results by opening.
    openings: BTreeMap<String, OpeningResults>,
    /// The last games, the oldest first.
    games: VecDeque<Entered>,
    entered: usize,
    lacks: Lacks,
}

/// The results of an opening; all finished games count.
#[derive(Clone, Copy, Debug, Default)]
struct OpeningResults {
    /// From White's perspective.
    white: Trinomial,
    /// From that of the first player of the pairing.
    first: Trinomial,
}

/// A game that was entered.
#[derive(Clone, Debug)]
struct Entered {
    fixture: Fixture,
    result: String,
    opening: String,
    plies: usize,
    ending: String,
    is_fault: bool,
    game: Game,
}

/// What no game of the match says.
#[derive(Clone, Copy, Debug)]
struct Lacks {
    scores: bool,
    depths: bool,
    nodes: bool,
    times: bool,
}

/// The result after so many games, in at most [`MOST_POINTS`] points.
#[derive(Clone, Debug)]
struct Course {
    points: Vec<Point>,
    last: Option<Point>,
    /// The number of games from one point to the next.
    step: u64,
}

/// The result of the first pairing after some games.
#[derive(Clone, Copy, Debug)]
struct Point {
    games: u64,
    /// Elo with its bounds.
    elo: Option<[f64; 3]>,
    llr: Option<f64>,
}

/// The maximum number of points of a curve.
const MOST_POINTS: usize = 200;

impl Course {
    fn note(&mut self, point: Point) {
        if point.games.is_multiple_of(self.step) {
            self.points.push(point);
        }
        self.last = Some(point);
        if self.points.len() > MOST_POINTS {
            self.step *= 2;
            self.points.retain(|point| point.games.is_multiple_of(self.step));
        }
    }

    /// The points, with the last one.
    fn all(&self) -> Vec<Point> {
        let is_new = |last: &Point| self.points.last().is_none_or(|point| point.games < last.games);
        self.points.iter().copied().chain(self.last.filter(is_new)).collect()
    }
}

impl MatchPage {
    /// A page of a match between these players, before its first game.
    #[must_use]
    pub fn new(players: &[&str]) -> Self {
        Self {
            players: players.iter().map(|&name| name.to_owned()).collect(),
            course: Course { points: Vec::new(), last: None, step: 1 },
            by_move: vec![Vec::new(); players.len()],
            openings: BTreeMap::new(),
            games: VecDeque::new(),
            entered: 0,
            lacks: Lacks { scores: true, depths: true, nodes: true, times: true },
        }
    }

    /// Enters `game`, which was played as `fixture`; `standings` are those after it.
    pub fn enter(&mut self, fixture: &Fixture, game: Game, standings: &Standings) {
        self.entered += 1;
        self.note_moves(fixture, &game);
        let listed = opening_names::of_game(&game.positions());
        // Tags name the opening of a book, which is only where the game begins.
        let opening = listed.map(|(Opening { eco, name }, _)| format!("{eco} {name}"));
        let opening =
            opening.or_else(|| opening_names::title(&game, None)).unwrap_or_else(|| "unknown".into());
        if let Some(half_points) = white_half_points(&game) {
            let results = self.openings.entry(opening.clone()).or_default();
            results.white.note(half_points);
            results.first.note(if fixture.leg == 0 { half_points } else { 2 - half_points });
        }
        let first = &standings.pairings[0];
        self.course.note(Point {
            games: standings.played(),
            elo: first
                .pairs
                .estimate()
                .map(|estimate| [estimate.elo.low, estimate.elo.value, estimate.elo.high]),
            llr: standings.sprt.map(|sprt| sprt.llr()),
        });
        let (ending, is_fault) = ending_of(&game);
        let (result, plies) = (game.result.clone(), game.movetext.moves.len());
        self.games.push_back(Entered { fixture: *fixture, result, opening, plies, ending, is_fault, game });
        if self.games.len() > MOST_GAMES {
            self.games.pop_front();
        }
    }

    /// Counts what the players used in each move.
    fn note_moves(&mut self, fixture: &Fixture, game: &Game) {
        let first = game.start.ply();
        for (ply, unsaid) in (first..).zip(engine_notes::of_game(game)) {
            let Some(unsaid) = unsaid else { continue };
            let player = if ply % 2 == 0 { fixture.white } else { fixture.black };
            self.lacks.scores &= unsaid.value.is_none();
            self.lacks.depths &= unsaid.depth.is_none();
            self.lacks.nodes &= unsaid.nodes.is_none();
            self.lacks.times &= unsaid.time.is_none();
            // A move of the book.
            let Some(used) = unsaid.time else { continue };
            let number = (ply / 2) as usize;
            let efforts = &mut self.by_move[player];
            efforts.resize(efforts.len().max(number + 1), Effort::default());
            let milliseconds = u64::try_from(used.as_millis()).ok();
            let (depth, nodes) = (unsaid.depth.filter(|&depth| depth > 0), unsaid.nodes);
            let score = unsaid.value.map(Score::from);
            efforts[number].note(used, &Info { score, depth, nodes, time: milliseconds, ..Info::default() });
        }
    }

    /// What `player` used in all its moves, as the games say.
    #[must_use]
    pub fn effort(&self, player: usize) -> Effort {
        let mut sum = Effort::default();
        self.by_move[player].iter().for_each(|effort| sum.add(effort));
        sum
    }

    /// Draws the page of the games entered so far; `report` has the statistics of the same games. While the
    /// match goes on, `written` is the present time: the page says it, and loads itself again. The result is
    /// a complete HTML file.
    #[must_use]
    pub fn draw(&self, report: &MatchReport, written: Option<DateTime<Utc>>) -> String {
        let title = match &self.players[..] {
            [one, other] => format!("{one} – {other}"),
            players => format!("Match of {} players", players.len()),
        };
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                (frame::head(
                    &title,
                    &[frame::GAME_STYLE, include_str!("page.css")].concat(),
                    &[frame::GAME_SCRIPT, include_str!("page.js")].concat(),
                ))
                body data-renewal=[written.map(|_| RENEWAL.as_secs())] {
                    (PreEscaped(board::symbols()))
                    main {
                        h1 { (title) }
                        p.how { (progress(report)) }
                        @if let Some(time) = written { p.how { (still_running(time)) } }
                        @for line in self.lacking() { p.how { (line) } }
                        @if self.players.len() > 2 { (tables::cross(report)) }
                        (tables::results(report))
                        (self.charts(report))
                        (tables::players(report))
                        (tables::openings(&self.openings, self.players.len() == 2))
                        (tables::pairs(self))
                        (tables::games(self))
                        noscript { p { "One can step through the games with JavaScript; without it, the PGN has them." } }
                        @for entered in self.games.iter().rev() { (self.stepping(entered)) }
                    }
                }
            }
        };
        page.into_string()
    }

    fn charts(&self, report: &MatchReport) -> Markup {
        let by_move = match self.players.len() <= MOST_CURVES {
            true => charts::by_move(&self.players, &self.by_move),
            false => Vec::new(),
        };
        html! {
            @if self.players.len() == 2 {
                div.figures {
                    @for chart in charts::course(&self.course.all(), report.sprt) { (plot(&chart)) }
                }
            }
            @if !by_move.is_empty() {
                h2 { "By move number" }
                div.figures { @for chart in by_move { (plot(&chart)) } }
            }
        }
    }

    /// A game to step through, which the script makes from its data.
    fn stepping(&self, entered: &Entered) -> Markup {
        let Fixture { number, white, black, .. } = entered.fixture;
        html! {
            section.game id={ "game" (number + 1) } hidden {
                h2 { (self.players[white]) " – " (self.players[black]) " " span.result { (entered.result) } }
                p.facts {
                    "Round " (entered.fixture.round_tag()) " · " (entered.opening) " · " (entered.ending) " · "
                    a href="#games" { "all games" }
                }
                script.data type="application/json" { (frame::script_data(&Played::of(&entered.game))) }
            }
        }
    }

    /// What the page cannot show, and why.
    fn lacking(&self) -> Vec<String> {
        let Lacks { scores, depths, nodes, times } = self.lacks;
        if self.entered == 0 {
            return Vec::new();
        }
        let missing = [(scores, "scores"), (depths, "depths"), (times, "times"), (nodes, "nodes")];
        let missing: Vec<&str> = missing.into_iter().filter_map(|(is, what)| is.then_some(what)).collect();
        let hint = if missing == ["nodes"] { " (--pgn-detail writes them)" } else { "" };
        let unsaid = (!missing.is_empty()).then(|| {
            format!(
                "The comments of the games say no {}{hint}; what they would show is left out.",
                missing.join(", no ")
            )
        });
        let older = self.entered - self.games.len();
        let cut = (older > 0).then(|| {
            format!(
                "The last {MOST_GAMES} games are on this page; {} only in the PGN.",
                counted(older as u64, "older one is", "older ones are")
            )
        });
        let crowd = (self.players.len() > MOST_CURVES)
            .then(|| format!("Charts by move number are for at most {MOST_CURVES} players."));
        unsaid.into_iter().chain(cut).chain(crowd).collect()
    }
}

/// A chart, which can be scrolled on a narrow screen.
fn plot(svg: &str) -> Markup {
    html! { div.figure tabindex="0" { (PreEscaped(svg)) } }
}

/// `120 of 400 games`, with what does not count.
fn progress(report: &MatchReport) -> String {
    let MatchReport { copies, abandoned, .. } = report;
    let mut text = report.progress();
    if *copies > 0 {
        text += &format!(", {copies} of them copies, which are not counted");
    }
    if !abandoned.is_empty() {
        text += &format!("; abandoned: {}", abandoned.join("; "));
    }
    text
}

fn still_running(written: DateTime<Utc>) -> String {
    format!(
        "The match goes on. Written on {}; the page loads itself again every minute while nothing on it is open.",
        written.format("%Y-%m-%d at %H:%M:%S UTC")
    )
}

/// White's half points; `None` without a result.
fn white_half_points(game: &Game) -> Option<usize> {
    match Outcome::from_ascii(game.result.as_bytes()).ok()? {
        Outcome::Known(known) => Some(match known.winner() {
            Some(Color::White) => 2,
            None => 1,
            Some(Color::Black) => 0,
        }),
        Outcome::Unknown => None,
    }
}

/// How the game ended, in the words of its last comment or of its tag, and whether a fault ended it.
fn ending_of(game: &Game) -> (String, bool) {
    let tag = game.tag("Termination").unwrap_or_default().to_owned();
    let words = engine_notes::of_game(game).pop().flatten().map(|unsaid| unsaid.words);
    (words.filter(|words| !words.is_empty()).unwrap_or(tag), fault(game).is_some())
}

#[cfg(test)]
mod tests;
