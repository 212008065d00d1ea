use super::*;
use crate::{
    arena::{
        line::Line,
        record::from_games::{FoundMatch, Heading, enter},
        schedule::Schedule,
        stats::sprt::Sprt,
    },
    chess::pgn::read_games,
};

/// The page of the games in `pgn`, and the report beside it.
fn page_of(pgn: &str, sprt: Option<Sprt>) -> (String, MatchReport) {
    let games: Vec<Game> = read_games(pgn.as_bytes()).unwrap().into_iter().map(Result::unwrap).collect();
    let headings: Vec<Heading> = games.iter().map(Heading::of).collect();
    let FoundMatch { players, schedule, numbers } = FoundMatch::of(&headings).unwrap();
    let players: Vec<&str> = players.iter().map(String::as_str).collect();
    let mut standings = Standings::new(&schedule, players.len(), sprt);
    let mut page = MatchPage::new(&players);
    for (game, number) in games.into_iter().zip(numbers) {
        let mut line = Line::new(game.start.chess().clone(), false);
        game.moves().into_iter().flatten().for_each(|m| line.play(m));
        let fixture = schedule.fixture(number);
        enter(&game, &line, &fixture, &mut standings);
        page.enter(&fixture, game, &standings);
    }
    let report = MatchReport::of(&players, &schedule, &standings);
    (page.draw(&report, None), report)
}

/// A game with comments as our matches write them.
fn game(white: &str, black: &str, round: &str, moves: &str, result: &str, end: &str) -> String {
    format!(
        "[White \"{white}\"]\n[Black \"{black}\"]\n[Round \"{round}\"]\n[Result \"{result}\"]\n[Termination \"{end}\"]\n\n\
         {moves} {result}\n\n"
    )
}

const LONG: &str = "1. e4 {book} e5 {+0.20/8 0.100s, n=5000} 2. Nf3 {+0.30/9 0.200s, n=9000} Nc6 {-0.10/7 0.050s, n=1000, White resigns}";
const SHORT: &str = "1. d4 {+0.10/6 1.000s} d5 {0.00/5 2.000s} 2. c4 {+0.20/7 3.000s}";

#[test]
fn two_players_have_a_course_pairs_and_what_they_used() {
    let games = [
        game("A", "B", "1.1", LONG, "1-0", "normal"),
        game("B", "A", "1.2", SHORT, "1/2-1/2", "time forfeit"),
        game("A", "B", "2.1", SHORT, "1/2-1/2", "normal"),
        game("B", "A", "2.2", LONG, "1-0", "normal"),
    ];
    let (page, report) = page_of(&games.concat(), Some(Sprt::default()));
    let estimate = report.pairings[0].by_pairs.unwrap().to_string();
    for part in [
        "<h1>A – B</h1>",
        "<p class=\"how\">4 games",
        "A – B: +1 =2 -1",
        &estimate,
        "Elo over the games",
        "LLR between its bounds",
        "Median depth in plies",
        "Thousand nodes a second",
        "Seconds a move",
        "1 × time forfeit",
        "C44 King's Knight Opening: Normal Variation",
        "White resigns",
    ] {
        assert!(page.contains(part), "{part} in\n{page}");
    }
    assert!(!page.contains("Cross table") && !page.contains("left out"), "{page}");
    assert_eq!((page.matches("<tr data-game=").count(), page.matches("<section").count()), (4, 4));
    assert_eq!(page.matches("class=\"fault\"").count(), 1);
}

#[test]
fn more_players_have_a_cross_table() {
    let mut games = String::new();
    for (white, black, result) in [("A", "B", "1-0"), ("A", "C", "1-0"), ("B", "C", "0-1")] {
        games += &game(white, black, "1.1", LONG, result, "normal");
        games += &game(black, white, "1.2", SHORT, "1/2-1/2", "normal");
    }
    let (page, report) = page_of(&games, None);
    assert_eq!(report.players.iter().map(|player| player.points).sum::<f64>(), 6.0);
    assert!(page.contains("Cross table") && page.contains("<h1>Match of 3 players</h1>"));
    assert_eq!(page.matches("<td>1.5 of 2</td>").count(), 3);
    assert!(!page.contains("Elo over the games"));
    let place = |part: &str| page.find(part).unwrap();
    assert!(place("Cross table") < place("<h2>Pairings</h2>"), "the table comes first");
    assert_eq!(page.matches("<details><summary><b>").count(), 3, "a line for each pairing");
}

#[test]
fn few_pairs_have_no_infinite_interval() {
    let pair = |round| {
        game("A", "B", &format!("{round}.1"), LONG, "1-0", "normal")
            + &game("B", "A", &format!("{round}.2"), SHORT, "0-1", "normal")
    };
    let pairs = |count: u32| (1..=count).map(pair).collect::<String>();
    let (page, _) = page_of(&pairs(3), None);
    assert!(page.contains("By pairs: too few pairs for an interval"), "{page}");
    assert!(!page.contains("+inf"), "{page}");
}

/// A book names the position where the games begin, not where the players went.
#[test]
fn an_opening_has_the_name_of_the_last_position_that_has_one() {
    let tags = "[ECO \"A00\"]\n[Opening \"Van't Kruijs Opening\"]\n";
    let fen = "[SetUp \"1\"]\n[FEN \"rnbqkbnr/ppp1pppp/8/3p4/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]\n";
    let moves = "2. d4 {+0.1/6 1.000s} Nf6 {0.00/5 2.000s} 3. Nf3 {+0.2/7 3.000s}";
    let (page, _) = page_of(&(tags.to_owned() + fen + &game("A", "B", "1.1", moves, "1-0", "normal")), None);
    assert!(page.contains("<th scope=\"row\">D04 Queen's Pawn Game") && !page.contains(">A00"), "{page}");
}

#[test]
fn the_page_of_a_running_match_says_when_it_was_written() {
    let (players, schedule) = (["A", "B"], Schedule::of_pairings([(0, 1)].into(), 1));
    let standings = Standings::new(&schedule, 2, None);
    let report = MatchReport::of(&players, &schedule, &standings);
    let page = MatchPage::new(&players);
    let now = DateTime::from_timestamp(1_700_000_000, 0);
    let running = page.draw(&report, now);
    assert!(
        running.contains("Written on 2023-11-14 at 22:13:20 UTC") && running.contains("data-renewal=\"60\"")
    );
    assert!(!page.draw(&report, None).contains("data-renewal"));
}

/// The part of the page with the cross tables.
fn cross_tables(page: &str) -> &str {
    let (_, tables) = page.split_once("<h2>Cross table</h2>").unwrap();
    tables.split_once("<h2>").unwrap().0
}

/// Two pairs of players have two tables, and the page says why, as does the JSON.
#[test]
fn players_without_common_games_have_no_common_table() {
    let mut games = String::new();
    for (white, black) in [("A", "B"), ("C", "D")] {
        games += &game(white, black, "1.1", LONG, "1-0", "normal");
        games += &game(black, white, "1.2", SHORT, "1/2-1/2", "normal");
    }
    let (page, report) = page_of(&games, None);
    assert!(page.contains("4 games") && page.contains("No games connect 2 groups of players."), "{page}");
    let tables = cross_tables(&page);
    assert_eq!((tables.matches("<caption>Group").count(), tables.matches("<td>–</td>").count()), (2, 0));
    let json = serde_json::to_value(&report).unwrap();
    let groups: Vec<_> =
        json["players"].as_array().unwrap().iter().map(|p| p["rating"]["group"].as_u64()).collect();
    assert_eq!(groups, [Some(1), Some(1), Some(2), Some(2)]);
    assert_eq!(
        (&json["groups"], &json["planned"], json["pairings"].as_array().unwrap().len()),
        (&2.into(), &().into(), 2)
    );
}

/// Of a tournament of 150 players the page has no table of 22,500 cells, and not every pairing.
#[test]
fn the_page_of_a_large_tournament_stays_small() {
    let mut games = String::new();
    for player in 1..150 {
        games += &game("hub", &format!("P{player}"), "1", "1. e4 e5", "1/2-1/2", "normal");
    }
    let (page, report) = page_of(&games, None);
    assert_eq!((report.players.len(), report.pairings.len(), report.groups), (150, 149, 1));
    assert!(page.contains("49 more pairings are left out"));
    assert_eq!(page.matches("<details><summary><b>").count(), 100);
    assert_eq!(cross_tables(&page).matches("<td").count(), 3 * 150, "rank, rating and points");
}

#[test]
fn what_the_games_do_not_say_is_left_out_and_named() {
    let plain = |white, black, round| game(white, black, round, "1. e4 e5", "1-0", "normal");
    let (page, _) = page_of(&[plain("A", "B", "1.1"), plain("B", "A", "1.2")].concat(), None);
    assert!(page.contains("say no scores, no depths, no times, no nodes"), "{page}");
    assert!(!page.contains("By move number"));
    let (page, _) = page_of(&game("A", "B", "1.1", SHORT, "1-0", "normal"), None);
    assert!(page.contains("say no nodes (--pgn-detail writes them)"), "{page}");
    assert!(page.contains("Median depth") && !page.contains("nodes a second</text>"));
}

#[test]
fn text_from_outside_is_escaped() {
    let bad = "<script>alert(1)</script>";
    let moves = format!("1. e4 {{+0.10/6 1.000s, {bad}}} e5 {{0.00/5 1.000s, {bad}}}");
    let (page, _) = page_of(&game(bad, "B", "1.1", &moves, "0-1", bad), None);
    assert!(
        !page.contains(bad) && page.contains("\\u003cscript>") && page.contains("&lt;script&gt;alert(1)"),
        "{page}"
    );
}

/// The points of a long match stay few, evenly spread, and the last one is there.
#[test]
fn a_long_course_has_few_points() {
    let mut course = Course { points: Vec::new(), last: None, step: 1 };
    for games in 1..=10_007 {
        course.note(Point { games, elo: None, llr: None });
    }
    let points: Vec<u64> = course.all().iter().map(|point| point.games).collect();
    assert!((MOST_POINTS / 2..=MOST_POINTS + 1).contains(&points.len()), "{}", points.len());
    assert_eq!(points.last(), Some(&10_007));
    assert!(points.windows(3).all(|three| three[2] == 10_007 || three[2] - three[1] == three[1] - three[0]));
}
