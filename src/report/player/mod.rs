//! What many games say of one player: points, accuracy, and the mistakes by what they have in common. Every
//! count is a list of the positions behind it.

mod weaknesses;

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashSet},
};

use shakmaty::Color;

pub use weaknesses::Weakness;

use super::{GameRecord, Mistake, Phase, Place, SideRecord, Theme, record::CLOCKS};

/// The span of the ratings that are counted together.
const RATINGS: u32 = 200;
/// The most openings that are listed.
const OPENINGS: usize = 12;

/// Games that are counted together.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// What they have in common.
    pub name: String,
    /// All games; some may have no result.
    pub games: Vec<Place>,
    /// The games that were won.
    pub won: Vec<Place>,
    /// The games that were drawn.
    pub drawn: Vec<Place>,
    /// The games that were lost.
    pub lost: Vec<Place>,
    /// The mean accuracy of the games that have one, in percent.
    pub accuracy: Option<f64>,
    /// The average loss of a move, in centipawns.
    pub average_loss: Option<f64>,
}

impl Results {
    fn of<'g>(name: String, games: impl Iterator<Item = &'g Own<'g>>) -> Self {
        let games: Vec<&Own<'_>> = games.collect();
        let places = |points: Option<f64>| {
            let such = games.iter().filter(|own| points.is_none() || own.game.points(own.side) == points);
            such.map(|own| own.place()).collect()
        };
        let summaries = || games.iter().map(|own| own.record().summary);
        let losses = summaries().filter_map(|summary| Some(summary.average_loss? * summary.moves as f64));
        let moves: usize = summaries().map(|summary| summary.moves).sum();
        Self {
            name,
            games: places(None),
            won: places(Some(1.0)),
            drawn: places(Some(0.5)),
            lost: places(Some(0.0)),
            accuracy: mean(summaries().filter_map(|summary| summary.accuracy)),
            average_loss: (moves > 0).then(|| losses.sum::<f64>() / moves as f64),
        }
    }

    /// The points, and the games with a result.
    #[must_use]
    pub fn points(&self) -> (f64, usize) {
        let points = self.won.len() as f64 + 0.5 * self.drawn.len() as f64;
        (points, self.won.len() + self.drawn.len() + self.lost.len())
    }
}

/// Mistakes and blunders that are counted together.
#[derive(Clone, Debug)]
pub struct Mistakes {
    /// What they have in common.
    pub name: &'static str,
    /// The number of moves among which they are; `None` where moves without a mistake cannot be counted.
    pub moves: Option<usize>,
    /// The positions after them.
    pub places: Vec<Place>,
    /// Those that missed a chance.
    pub missed: Vec<Place>,
    /// Those with an exercise.
    pub exercises: Vec<Place>,
    /// The expected score that they cost together, in points.
    pub cost: f64,
}

impl Mistakes {
    fn of<'g>(name: &'static str, moves: Option<usize>, all: impl Iterator<Item = &'g Mistake>) -> Self {
        let all: Vec<&Mistake> = all.collect();
        let places = |wanted: fn(&Mistake) -> bool| {
            all.iter().filter(|mistake| wanted(mistake)).map(|mistake| mistake.place).collect()
        };
        Self {
            name,
            moves,
            places: places(|_| true),
            missed: places(|mistake| mistake.is_missed_chance),
            exercises: places(|mistake| mistake.has_exercise),
            cost: all.iter().map(|mistake| mistake.cost).sum(),
        }
    }

    /// The mistakes in a hundred moves.
    #[must_use]
    pub fn rate(&self) -> Option<f64> {
        let moves = self.moves.filter(|moves| *moves > 0)?;
        Some(100.0 * self.places.len() as f64 / moves as f64)
    }
}

/// The statistics of a player.
#[derive(Clone, Debug)]
pub struct Player {
    /// The name, as the first game has it.
    pub name: String,
    /// All games of the player.
    pub total: Results,
    /// The games with White and with Black.
    pub by_colour: Vec<Results>,
    /// The games by colour and opening, the most frequent first; the rest are together.
    pub by_opening: Vec<Results>,
    /// The games by the rating of the opponent, in spans of 200.
    pub by_rating: Vec<Results>,
    /// The mistakes by their theme, the most frequent first; themes without a mistake are missing.
    pub by_theme: Vec<Mistakes>,
    /// The mistakes by phase.
    pub by_phase: Vec<Mistakes>,
    /// The mistakes by the time left; empty without clock readings.
    pub by_clock: Vec<Mistakes>,
    /// Games that stood won, and were not won, each at its last won position.
    pub not_won: Vec<Place>,
    /// Games that stood lost, and were not lost, each at its last lost position.
    pub saved: Vec<Place>,
    /// Accuracy, in percent, and average loss, in centipawns, of each game that has them.
    pub course: Vec<(usize, f64, f64)>,
    /// What to work on, what costs most first; at most three.
    pub weaknesses: Vec<Weakness>,
}

/// A game of the player.
struct Own<'g> {
    game: &'g GameRecord,
    side: Color,
}

impl Own<'_> {
    fn place(&self) -> Place {
        Place { game: self.game.number, position: 0 }
    }

    fn record(&self) -> &SideRecord {
        self.game.side(self.side)
    }
}

/// Whether two names are the same, in whichever spelling of upper and lower case.
#[must_use]
pub fn is_same(one: &str, other: &str) -> bool {
    one.trim().to_lowercase() == other.trim().to_lowercase()
}

/// Returns the side of the player `name` in a game; White if both have that name.
#[must_use]
pub fn side_of(game: &GameRecord, name: &str) -> Option<Color> {
    let has_name = |side: &Color| game.side(*side).name.as_deref().is_some_and(|own| is_same(own, name));
    Color::ALL.into_iter().find(has_name)
}

/// Returns the only name that is in each of several games; `None` if there is none or more than one.
#[must_use]
pub fn in_every_game(games: &[GameRecord]) -> Option<&str> {
    let [first, second, ..] = games else { return None };
    let names = |game: &GameRecord| -> HashSet<String> {
        game.sides.iter().filter_map(|side| Some(side.name.as_deref()?.trim().to_lowercase())).collect()
    };
    let mut common = &names(first) & &names(second);
    for game in &games[2..] {
        common.retain(|name| side_of(game, name).is_some());
    }
    let only = common.iter().next().filter(|_| common.len() == 1)?;
    let own = first.sides.iter().filter_map(|side| side.name.as_deref());
    own.into_iter().find(|name| is_same(name, only))
}

impl Player {
    /// Returns the statistics of the player `name`; `None` if no game has the name.
    #[must_use]
    pub fn of(name: &str, games: &[GameRecord]) -> Option<Self> {
        let own: Vec<Own<'_>> =
            games.iter().filter_map(|game| Some(Own { game, side: side_of(game, name)? })).collect();
        let name = own.first()?.record().name.clone()?;
        let (by_theme, by_phase, by_clock) = (by_theme(&own), by_phase(&own), by_clock(&own));
        let (not_won, saved) = (not_won(&own), saved(&own));
        let weaknesses = weaknesses::of(&own, [&by_theme, &by_phase, &by_clock], &not_won);
        let course = own.iter().filter_map(|own| {
            let summary = own.record().summary;
            Some((own.game.number, summary.accuracy?, summary.average_loss?))
        });
        Some(Self {
            name,
            total: Results::of("All games".into(), own.iter()),
            by_colour: by_colour(&own),
            by_opening: by_opening(&own),
            by_rating: by_rating(&own),
            by_theme,
            by_phase,
            by_clock,
            not_won,
            saved,
            course: course.collect(),
            weaknesses,
        })
    }
}

fn mean(numbers: impl Iterator<Item = f64> + Clone) -> Option<f64> {
    let count = numbers.clone().count();
    (count > 0).then(|| numbers.sum::<f64>() / count as f64)
}

fn by_colour(own: &[Own<'_>]) -> Vec<Results> {
    let games = |side| own.iter().filter(move |own| own.side == side);
    let sides = Color::ALL.into_iter().filter(|&side| games(side).next().is_some());
    sides.map(|side| Results::of(format!("with {}", side.fold_wb("White", "Black")), games(side))).collect()
}

fn by_opening(own: &[Own<'_>]) -> Vec<Results> {
    let mut families: BTreeMap<(String, bool), Vec<&Own<'_>>> = BTreeMap::new();
    for one in own.iter().filter(|own| !own.game.opening.is_empty()) {
        families.entry((one.game.family().into(), one.side.is_black())).or_default().push(one);
    }
    let mut families: Vec<_> = families.into_iter().collect();
    families.sort_by_key(|(_, games)| Reverse(games.len()));
    let listed = if families.len() > OPENINGS + 1 { OPENINGS } else { families.len() };
    let rest: Vec<&Own<'_>> = families.split_off(listed).into_iter().flat_map(|(_, games)| games).collect();
    let named = families.into_iter().map(|((name, is_black), games)| {
        let colour = if is_black { "Black" } else { "White" };
        Results::of(format!("{name} ({colour})"), games.iter().copied())
    });
    let others = (!rest.is_empty()).then(|| Results::of("others".into(), rest.iter().copied()));
    named.chain(others).collect()
}

fn by_rating(own: &[Own<'_>]) -> Vec<Results> {
    let mut spans: BTreeMap<u32, Vec<&Own<'_>>> = BTreeMap::new();
    for one in own {
        if let Some(elo) = one.game.side(!one.side).elo {
            spans.entry(elo / RATINGS * RATINGS).or_default().push(one);
        }
    }
    let named = |from: u32| format!("{from} to {}", from.saturating_add(RATINGS - 1));
    spans.into_iter().map(|(from, games)| Results::of(named(from), games.iter().copied())).collect()
}

fn mistakes<'g>(own: &'g [Own<'g>]) -> impl Iterator<Item = &'g Mistake> {
    own.iter().flat_map(|own| &own.record().mistakes)
}

fn by_theme(own: &[Own<'_>]) -> Vec<Mistakes> {
    let such = |theme: Theme| mistakes(own).filter(move |mistake| mistake.theme == theme);
    let all = Theme::ALL.map(|theme| Mistakes::of(theme.name(), None, such(theme)));
    let mut all: Vec<_> = all.into_iter().filter(|theme| !theme.places.is_empty()).collect();
    all.sort_by_key(|theme| Reverse(theme.places.len()));
    all
}

fn by_phase(own: &[Own<'_>]) -> Vec<Mistakes> {
    let phases = Phase::ALL.into_iter().enumerate().map(|(index, phase)| {
        let moves = own.iter().map(|own| own.record().in_phases[index]).sum();
        let such = mistakes(own).filter(move |mistake| mistake.phase == phase);
        Mistakes::of(phase.name(), Some(moves), such)
    });
    phases.filter(|phase| phase.moves > Some(0)).collect()
}

fn by_clock(own: &[Own<'_>]) -> Vec<Mistakes> {
    let clocks = CLOCKS.iter().enumerate().map(|(index, (name, _))| {
        let moves = own.iter().map(|own| own.record().with_clocks[index]).sum();
        let such = mistakes(own).filter(move |mistake| mistake.clock == Some(index));
        Mistakes::of(name, Some(moves), such)
    });
    clocks.filter(|clock| clock.moves > Some(0)).collect()
}

fn not_won(own: &[Own<'_>]) -> Vec<Place> {
    places(own, |own| own.record().won_at, |points| points < 1.0)
}

fn saved(own: &[Own<'_>]) -> Vec<Place> {
    places(own, |own| own.record().lost_at, |points| points > 0.0)
}

/// The games that stood in a way, at that position, and ended with such points.
fn places(
    own: &[Own<'_>],
    stood: impl Fn(&Own<'_>) -> Option<usize>,
    is_wanted: impl Fn(f64) -> bool,
) -> Vec<Place> {
    let ended = own.iter().filter(|own| own.game.points(own.side).is_some_and(&is_wanted));
    let placed = ended.filter_map(|own| Some(Place { position: stood(own)?, ..own.place() }));
    placed.collect()
}

#[cfg(test)]
mod tests;
