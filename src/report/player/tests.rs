//! Counts over small games made by hand.

use super::*;
use crate::report::Summary;

fn side(name: &str, elo: Option<u32>) -> SideRecord {
    SideRecord {
        name: Some(name.into()),
        elo,
        summary: Summary { moves: 10, average_loss: Some(20.0), accuracy: Some(80.0), ..Summary::default() },
        in_phases: [4, 4, 2],
        with_clocks: [0, 2, 8, 0, 0, 0],
        mistakes: Vec::new(),
        won_at: None,
        lost_at: None,
    }
}

fn game(number: usize, names: [&str; 2], result: &str, opening: &str) -> GameRecord {
    let [white, black] = names;
    GameRecord {
        number,
        date: String::new(),
        opening: opening.into(),
        result: result.into(),
        sides: [side(white, Some(1490)), side(black, Some(1610))],
    }
}

fn mistake(game: usize, position: usize, theme: Theme, phase: Phase, clock: Option<usize>) -> Mistake {
    Mistake {
        place: Place { game, position },
        label: String::new(),
        why: String::new(),
        theme,
        is_missed_chance: position.is_multiple_of(2),
        phase,
        clock,
        cost: 0.25,
        has_exercise: position < 30,
    }
}

/// Three games of Ann: she wins with White, draws with Black what stood won, and loses with White.
fn games() -> Vec<GameRecord> {
    let mut games = vec![
        game(1, ["Ann", "Bob"], "1-0", "B90 Sicilian Defense: Najdorf Variation"),
        game(2, ["Cid", "ANN"], "1/2-1/2", "C41 Philidor Defense"),
        game(4, ["ann ", "Bob"], "0-1", "B20 Sicilian Defense"),
        game(5, ["Bob", "Cid"], "0-1", "C41 Philidor Defense"),
    ];
    games[0].sides[0].lost_at = Some(12);
    games[1].sides[1].won_at = Some(27);
    games[1].sides[1].mistakes = vec![
        mistake(2, 28, Theme::Fork, Phase::Endgame, Some(1)),
        mistake(2, 40, Theme::Position, Phase::Endgame, Some(1)),
    ];
    games[2].sides[0].mistakes = vec![
        mistake(4, 11, Theme::Fork, Phase::Opening, Some(2)),
        mistake(4, 35, Theme::Mate, Phase::Endgame, Some(1)),
    ];
    games
}

fn places(all: &[Place]) -> String {
    all.iter().map(Place::to_string).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_player_is_found_in_whichever_spelling() {
    let mut games = games();
    assert_eq!(in_every_game(&games), None, "game 5 is of others");
    assert!(Player::of("Eve", &games).is_none());
    games.pop();
    assert_eq!(in_every_game(&games), Some("Ann"));
    assert_eq!(in_every_game(&games[..1]), None, "of one game both may be meant");
    assert_eq!(in_every_game(&[games[0].clone(), games[2].clone()]), None, "Ann and Bob");
    let player = Player::of("aNN", &games).unwrap();
    assert_eq!((player.name.as_str(), places(&player.total.games).as_str()), ("Ann", "1 2 4"));
}

#[test]
fn points_are_counted_by_what_games_have_in_common() {
    let player = Player::of("ann", &games()).unwrap();
    let counted = |all: &[Results]| -> Vec<String> {
        let one = |results: &Results| {
            let Results { name, games, won, drawn, lost, .. } = results;
            format!("{name}: {} = {} + {} + {}", places(games), places(won), places(drawn), places(lost))
        };
        all.iter().map(one).collect()
    };
    assert_eq!(counted(&player.by_colour), ["with White: 1 4 = 1 +  + 4", "with Black: 2 =  + 2 + "]);
    assert_eq!(player.by_colour[0].points(), (1.0, 2));
    assert_eq!(player.by_colour[1].points(), (0.5, 1));
    assert_eq!(
        counted(&player.by_opening),
        ["Sicilian Defense (White): 1 4 = 1 +  + 4", "Philidor Defense (Black): 2 =  + 2 + "]
    );
    assert_eq!(counted(&player.by_rating), ["1400 to 1599: 2 =  + 2 + ", "1600 to 1799: 1 4 = 1 +  + 4"]);
    assert_eq!((player.total.accuracy, player.total.average_loss), (Some(80.0), Some(20.0)));
    assert_eq!(player.course.len(), 3);
}

#[test]
fn rare_openings_stand_together() {
    let games: Vec<_> = (0..20)
        .map(|number| game(number + 1, ["Ann", "Bob"], "1-0", &format!("A00 Opening {}", number.min(14))))
        .collect();
    let openings = Player::of("Ann", &games).unwrap().by_opening;
    assert_eq!((openings.len(), openings[0].games.len()), (OPENINGS + 1, 6));
    assert_eq!((openings[OPENINGS].name.as_str(), openings[OPENINGS].games.len()), ("others", 3));
}

#[test]
fn mistakes_are_counted_by_theme_phase_and_clock() {
    let player = Player::of("ann", &games()).unwrap();
    let counted = |all: &[Mistakes]| -> Vec<String> {
        all.iter().map(|one| format!("{}: {}, {:?}", one.name, places(&one.places), one.moves)).collect()
    };
    assert_eq!(
        counted(&player.by_theme),
        ["Forks: 2.28 4.11, None", "Mates: 4.35, None", "The position: 2.40, None"]
    );
    assert_eq!(places(&player.by_theme[0].missed), "2.28");
    assert_eq!(places(&player.by_theme[0].exercises), "2.28 4.11");
    assert_eq!(
        counted(&player.by_phase),
        ["opening: 4.11, Some(12)", "middlegame: , Some(12)", "endgame: 2.28 2.40 4.35, Some(6)"]
    );
    assert_eq!(player.by_phase[2].rate(), Some(50.0));
    assert_eq!(
        counted(&player.by_clock),
        ["10 to 30 seconds: 2.28 2.40 4.35, Some(6)", "30 to 60 seconds: 4.11, Some(24)"]
    );
}

#[test]
fn won_games_that_were_not_won_and_lost_ones_that_were_saved() {
    let player = Player::of("ann", &games()).unwrap();
    assert_eq!((places(&player.not_won), places(&player.saved)), ("2.27".into(), "1.12".into()));
}

/// Of 30 moves with four mistakes, six with little time have three: 0.8 would be usual, 2.2 mistakes too many
/// cost 0.55 points. In the endgame it is the same.
#[test]
fn things_to_work_on_are_what_costs_most() {
    let weaknesses = Player::of("ann", &games()).unwrap().weaknesses;
    let named: Vec<_> =
        weaknesses.iter().map(|weakness| (weakness.name.as_str(), places(&weakness.exercises))).collect();
    assert_eq!(
        named,
        [
            ("The endgame, with more mistakes than elsewhere", "2.28".into()),
            ("Moves with 10 to 30 seconds left, with more mistakes than elsewhere", "2.28".into()),
            ("Forks", "2.28 4.11".to_owned()),
        ]
    );
    assert!(
        (weaknesses[0].cost - 0.55).abs() < 1e-9 && (weaknesses[2].cost - 0.5).abs() < 1e-9,
        "{weaknesses:?}"
    );
}
