//! What a player should work on: what cost most.

use super::{Mistakes, Own, Theme, mistakes};
use crate::report::Place;

/// The most weaknesses to work on.
const MOST: usize = 3;
/// The fewest positions of a weakness to work on.
const FEWEST: usize = 2;
/// How much more frequent than elsewhere mistakes must be in a part of the games.
const OFTEN: f64 = 1.25;

/// Something to work on.
#[derive(Clone, Debug)]
pub struct Weakness {
    /// What it is: `Forks`.
    pub name: String,
    /// The positions behind it.
    pub places: Vec<Place>,
    /// Those with an exercise.
    pub exercises: Vec<Place>,
    /// The points that it cost, estimated.
    pub cost: f64,
}

impl Weakness {
    fn of(name: String, mistakes: &Mistakes, cost: f64) -> Self {
        let Mistakes { places, exercises, .. } = mistakes.clone();
        Self { name, places, exercises, cost }
    }
}

/// The weaknesses that cost most, the worst first: a theme, a phase or a time in which mistakes are more
/// frequent than elsewhere, or won games that were not won. Of a part only the mistakes beyond the usual
/// number count.
pub(super) fn of(
    own: &[Own<'_>],
    [themes, phases, clocks]: [&[Mistakes]; 3],
    not_won: &[Place],
) -> Vec<Weakness> {
    let themes = themes.iter().filter(|theme| theme.name != Theme::Position.name());
    let mut all: Vec<Weakness> =
        themes.map(|theme| Weakness::of(theme.name.into(), theme, theme.cost)).collect();
    let often = |(part, cost): (&Mistakes, f64), words: String| Weakness::of(words, part, cost);
    all.extend(
        worst(phases)
            .map(|worst| often(worst, format!("The {}, with more mistakes than elsewhere", worst.0.name))),
    );
    all.extend(worst(clocks).map(|worst| {
        often(worst, format!("Moves with {} left, with more mistakes than elsewhere", worst.0.name))
    }));
    all.push(wins(own, not_won));
    all.retain(|weakness| weakness.places.len() >= FEWEST);
    all.sort_by(|a, b| b.cost.total_cmp(&a.cost));
    all.truncate(MOST);
    all
}

/// The won games that were not won. Their exercises are the mistakes after which they were won no more.
fn wins(own: &[Own<'_>], not_won: &[Place]) -> Weakness {
    let last = |game: usize| not_won.iter().find(|place| place.game == game);
    let points = own.iter().filter(|own| last(own.game.number).is_some());
    let lets_go = mistakes(own).filter(|mistake| {
        let Place { game, position } = mistake.place;
        mistake.has_exercise && last(game).is_some_and(|last| last.position + 1 == position)
    });
    Weakness {
        name: "Winning won positions".into(),
        places: not_won.to_vec(),
        exercises: lets_go.map(|mistake| mistake.place).collect(),
        cost: points.filter_map(|own| Some(1.0 - own.game.points(own.side)?)).sum(),
    }
}

/// The part in which mistakes beyond the usual number cost most, with that cost.
fn worst(parts: &[Mistakes]) -> Option<(&Mistakes, f64)> {
    let sum = |count: fn(&Mistakes) -> usize| parts.iter().map(count).sum::<usize>() as f64;
    let (moves, mistakes) = (sum(|part| part.moves.unwrap_or(0)), sum(|part| part.places.len()));
    let beyond = |part: &Mistakes| {
        let count = part.places.len() as f64;
        let usual = part.moves.unwrap_or(0) as f64 * mistakes / moves;
        (count > OFTEN * usual).then(|| (count - usual) * part.cost / count)
    };
    let costs = parts.iter().filter_map(|part| Some((part, beyond(part)?)));
    costs.max_by(|(_, a), (_, b)| a.total_cmp(b))
}
