//! Games of a match as PGN: tags and comments of a finished game.
//!
//! [`crate::chess::pgn`] implements the format itself.

use std::fmt::Write as _;
use std::io::{self, Write};

use chrono::{DateTime, Utc};

use crate::arena::MatchPlan;
use crate::arena::ending::Ending;
use crate::arena::players::limits::PlayerLimits;
use crate::arena::referee::{FinishedGame, Note};
use crate::chess::clock::hours;
use crate::chess::pgn::{Annotated, Game, Remark, opening_names};
use crate::chess::position::Position;
use crate::chess::value::{Score, plies_to_mate};

/// The tag `Event` of our games. Those with `zugwerk match` are older, and count mates in moves
/// ([`crate::chess::remarks::engine_notes`]).
pub const EVENT: &str = "Match by Zugwerk";

/// Writes one game of `plan` in one piece and flushes it, so that the file ends with a whole game.
///
/// # Errors
/// Those of `out`.
pub fn write_game(out: &mut dyn Write, plan: &MatchPlan, played: &FinishedGame) -> io::Result<()> {
    out.write_all(record(plan, played, plan.pgn_detail).to_pgn().as_bytes())?;
    out.flush()
}

/// Returns one game of `plan` with tags and comments, which in `detail` also tell nodes and seconds left.
#[must_use]
pub fn record(plan: &MatchPlan, played: &FinishedGame, detail: bool) -> Game {
    let mut game = Game {
        start: Position::new(played.line.start().clone()),
        result: played.ending.outcome().to_string(),
        ..Game::default()
    };
    if played.line.is_chess960() {
        game.set_chess960();
    }
    set_tags(&mut game, plan, played);
    let moves = played.line.moves();
    let book = moves.len() - played.notes.len();
    for (ply, &m) in moves.iter().enumerate() {
        let note = |ply: usize| comment(&played.notes[ply], detail);
        let mut text = ply.checked_sub(book).map_or_else(|| "book".into(), note);
        if ply + 1 == moves.len() {
            text += &format!(", {}", without_braces(&played.ending));
        }
        game.movetext.moves.push(Annotated { m: Some(m), remarks: vec![Remark::Comment(text)] });
    }
    if moves.is_empty() {
        game.movetext.before.push(Remark::Comment(without_braces(&played.ending)));
    }
    name_opening(&mut game, &played.opening);
    game
}

fn set_tags(game: &mut Game, plan: &MatchPlan, played: &FinishedGame) {
    let fixture = &played.fixture;
    let [white, black] = [fixture.white, fixture.black].map(|player| &plan.players[player]);
    let began = DateTime::<Utc>::from(played.began);
    let date = began.format("%Y.%m.%d").to_string();
    game.set_tag("Event", EVENT);
    game.set_tag("Date", &date);
    game.set_tag("Round", fixture.round_tag());
    game.set_tag("White", &white.name);
    game.set_tag("Black", &black.name);
    if let Some(fen) = played.line.start_fen() {
        game.set_tag("FEN", fen);
    }
    game.set_tag("PlyCount", played.line.moves().len().to_string());
    game.set_tag("Termination", played.ending.termination());
    let (white, black) = (control(&white.limits), control(&black.limits));
    if white == black {
        game.set_tag("TimeControl", white);
    } else {
        game.set_tag("WhiteTimeControl", white);
        game.set_tag("BlackTimeControl", black);
    }
    game.set_tag("UTCDate", date);
    game.set_tag("UTCTime", began.format("%H:%M:%S").to_string());
    // With two digits of hours, as in other match programs.
    game.set_tag("GameDuration", format!("{:0>8}", hours(played.took)));
}

/// Sets the tags that name the opening: those of the book, or else of the list of openings.
fn name_opening(game: &mut Game, by_book: &[(&'static str, String)]) {
    for (name, value) in by_book {
        game.set_tag(name, value);
    }
    if by_book.is_empty()
        && let Some((opening, _)) = opening_names::of_game(&game.positions())
    {
        game.set_tag("ECO", opening.eco);
        game.set_tag("Opening", opening.name);
    }
}

/// The tag `TimeControl`: a fixed time per move is a period of one move, and no clock is `-`.
fn control(limits: &PlayerLimits) -> String {
    match (&limits.clock, limits.move_time) {
        (Some(clock), _) => clock.to_pgn(),
        (None, Some(time)) => format!("1/{}", time.as_secs_f64()),
        (None, None) => "-".to_owned(),
    }
}

/// `+0.31/12 0.045s [%clk 0:00:01.935]`: the mover's score in pawns (or `+M3`, the plies to mate), depth,
/// time used, and its clock after. In `detail` the nodes and the seconds left stand behind the time used, as
/// fastchess writes them: `n=123456, tl=1.935s`.
fn comment(note: &Note, detail: bool) -> String {
    let mut text = match note.score {
        Some(Score::Cp(cp)) => format!("{:+.2}", f64::from(cp) / 100.0),
        Some(Score::Mate(moves)) => format!("{}M{}", if moves > 0 { '+' } else { '-' }, plies_to_mate(moves)),
        None => "?".to_owned(),
    };
    let _ = write!(text, "/{} {:.3}s", note.depth.unwrap_or(0), note.used.as_secs_f64());
    if let Some(nodes) = note.nodes.filter(|_| detail) {
        let _ = write!(text, ", n={nodes}");
    }
    if let Some(clock) = note.clock.filter(|_| detail) {
        let _ = write!(text, ", tl={}.{:03}s", clock.as_secs(), clock.subsec_millis());
    }
    if let Some(clock) = note.clock {
        let _ = write!(text, " [%clk {}.{:03}]", hours(clock), clock.subsec_millis());
    }
    text
}

/// Replaces braces, because the output of an engine must not end the comment.
fn without_braces(ending: &Ending) -> String {
    ending.to_string().replace('{', "(").replace('}', ")")
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use shakmaty::{ByColor, Color};

    use super::*;
    use crate::arena::Patience;
    use crate::arena::ending::Fault;
    use crate::arena::line::Line;
    use crate::arena::players::log::Log;
    use crate::arena::players::spec::PlayerSpec;
    use crate::arena::replay::read_games;
    use crate::arena::schedule::{Form, Schedule, openings::Openings};
    use crate::chess::remarks::engine_notes;
    use crate::rules::{Penalty, Rules};

    fn spec(list: &str) -> PlayerSpec {
        PlayerSpec::parse("cmd=x", list).unwrap()
    }

    fn played(fen: &str, moves: &str, book: usize) -> FinishedGame {
        let mut line = Line::from_fen(fen, false).unwrap();
        for text in moves.split_whitespace() {
            line.play(line.read_move(text).unwrap());
        }
        let note = Note {
            score: Some(Score::Cp(-35)),
            depth: Some(7),
            nodes: Some(1234),
            used: Duration::from_millis(45),
            clock: Some(Duration::from_millis(61_935)),
        };
        FinishedGame {
            fixture: Schedule::new(2, Form::RoundRobin, 3).fixture(4),
            notes: vec![note; line.moves().len() - book],
            line,
            opening: Vec::new(),
            ending: Ending::Forfeit {
                player: Color::White,
                fault: Fault::IllegalMove { penalty: Penalty::Lost, text: "{x}\n\u{1}".to_owned() },
            },
            tallies: ByColor::default(),
            began: SystemTime::UNIX_EPOCH,
            took: Duration::from_secs(3725),
        }
    }

    fn written(played: &FinishedGame) -> String {
        written_in(played, false)
    }

    fn written_in(played: &FinishedGame, pgn_detail: bool) -> String {
        let plan = MatchPlan {
            players: vec![spec("name=A \"a\",tc=40/2+0.02~1"), spec("name=B,st=0.1")],
            schedule: Schedule::new(2, Form::RoundRobin, 3),
            openings: Openings::built_in(),
            rules: Rules::default(),
            patience: Patience::default(),
            recover: false,
            lenient: false,
            log: Log::default(),
            concurrency: 1,
            pgn_detail,
            sprt: None,
        };
        let mut out = Vec::new();
        write_game(&mut out, &plan, played).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_game_is_written_with_everything_and_read_back() {
        let played = played("4k3/8/8/8/8/8/4P3/4K2R b K - 0 9", "e8d8 e1g1 d8c8", 1);
        let text = written(&played);
        for part in [
            "[Event \"Match by Zugwerk\"]\n[Site \"?\"]\n[Date \"1970.01.01\"]\n[Round \"3.1\"]\n[White \"A \\\"a\\\"\"]\n[Black \"B\"]\n",
            "[Result \"0-1\"]\n",
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K2R b K - 0 9\"]\n",
            "[PlyCount \"3\"]\n[Termination \"illegal move\"]\n",
            "[WhiteTimeControl \"40/2+0.02:1\"]\n[BlackTimeControl \"1/0.1\"]\n",
            "[GameDuration \"01:02:05\"]\n",
            "\n9... Kd8 {book} 10. O-O {-0.35/7 0.045s [%clk 0:01:01.935]} 10... Kc8",
            "White makes an illegal move: (x) ?} 0-1\n",
        ] {
            assert!(text.replace('\n', " ").contains(&part.replace('\n', " ")), "{part}\n is not in\n{text}");
        }
        let (game, line) = &read_games(text.as_bytes(), usize::MAX, false).unwrap()[0];
        assert_eq!(line.moves(), played.line.moves());
        assert_eq!(game.tag("White"), Some("A \"a\""));
        assert_eq!(game.result, played.ending.outcome().to_string());
        assert_eq!(read_games(text.as_bytes(), 2, false).unwrap()[0].1.moves().len(), 2, "cut");
    }

    #[test]
    fn a_comment_has_more_on_demand() {
        let played = played("4k3/8/8/8/8/8/4P3/4K2R b K - 0 9", "e8d8 e1g1 d8c8", 1);
        let text = written_in(&played, true).replace('\n', " ");
        assert!(text.contains("{-0.35/7 0.045s, n=1234, tl=61.935s [%clk 0:01:01.935]}"), "{text}");
    }

    /// As other programs for matches write them, and as we read them.
    #[test]
    fn mates_are_written_in_plies() {
        let mut played = played("4k3/8/8/8/8/8/4P3/4K2R w K - 0 9", "e1g1 e8d8 e2e4 d8c8 e4e5 c8b8", 0);
        let mates = [3, -2, 2, -1, 1, -1];
        for (note, moves) in played.notes.iter_mut().zip(mates) {
            note.score = Some(Score::Mate(moves));
        }
        let text = written(&played).replace('\n', " ");
        let written: Vec<&str> =
            text.split('{').skip(1).filter_map(|comment| Some(comment.split_once('/')?.0)).collect();
        assert_eq!(written, ["+M5", "-M4", "+M3", "-M2", "+M1", "-M2"]);
        let game =
            &read_games(text.replacen("  9.", "\n\n9.", 1).as_bytes(), usize::MAX, false).unwrap()[0].0;
        let read = engine_notes::values(game).into_iter().map(|value| value.map(Score::from));
        assert_eq!(read.collect::<Vec<_>>(), mates.map(|moves| Some(Score::Mate(moves))));
    }

    #[test]
    fn openings_have_names() {
        let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let mut played = played(start, "c7c5 g1f3", 2);
        let text = written(&played);
        assert!(text.contains("[ECO \"B") && text.contains("[Opening \"Sicilian Defense"), "{text}");
        played.opening = vec![("Opening", "by the book".to_owned())];
        let text = written(&played);
        assert!(!text.contains("[ECO") && text.contains("[Opening \"by the book\"]"), "{text}");
    }

    #[test]
    fn chess960_and_empty_games_are_read_back_too() {
        let fen = "1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w KQkq - 0 1";
        let text = written(&played(fen, "e1g1 e8b8", 0));
        assert!(text.contains("[Variant \"Chess960\"]") && text.contains(" w GBgb - 0 1"), "{text}");
        let back = read_games(text.as_bytes(), usize::MAX, false).unwrap();
        assert_eq!(back[0].1.moves().len(), 2);
        let text = written(&played(fen, "", 0));
        assert_eq!(read_games(text.as_bytes(), usize::MAX, false).unwrap().len(), 1);
    }

    #[test]
    fn an_illegal_move_is_named_with_its_game() {
        let error = read_games("1. e4 *\n\n1. e5 *".as_bytes(), usize::MAX, false).unwrap_err();
        assert!(error.to_string().starts_with("game 2: move 1: illegal e5"), "{error}");
    }
}
