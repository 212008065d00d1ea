//! PGN, written: tags, moves with `{score/depth time}` comments, and the reason of the end.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use chrono::{DateTime, Utc};
use shakmaty::san::SanPlus;
use shakmaty::{Color, Position};

use super::limits::Limits;
use super::referee::{Note, Played};
use super::spec::PlayerSpec;
use crate::value::Score;

/// The longest line of moves, in characters (PGN standard, 4.3: export format).
const WIDTH: usize = 80;

/// What the tags of a game need beside the game.
#[derive(Debug, Clone, Copy)]
pub struct Heading<'a> {
    /// The match.
    pub event: &'a str,
    /// The game within it.
    pub round: &'a str,
    /// Who had White.
    pub white: &'a PlayerSpec,
    /// Who had Black.
    pub black: &'a PlayerSpec,
}

/// Writes one game and flushes it, in one piece: whatever happens next, the file ends with a whole game.
///
/// # Errors
/// Those of `out`.
pub fn write_game(out: &mut dyn Write, heading: &Heading<'_>, game: &Played) -> io::Result<()> {
    let text = format!("{}\n{}\n", tags(heading, game), movetext(game));
    out.write_all(text.as_bytes())?;
    out.flush()
}

fn tags(heading: &Heading<'_>, game: &Played) -> String {
    let began = DateTime::<Utc>::from(game.began);
    let mut tags = vec![
        ("Event", heading.event.to_owned()),
        ("Site", "?".to_owned()),
        ("Date", began.format("%Y.%m.%d").to_string()),
        ("Round", heading.round.to_owned()),
        ("White", heading.white.name.clone()),
        ("Black", heading.black.name.clone()),
        ("Result", game.ending.outcome().to_string()),
    ];
    if game.line.is_chess960() {
        tags.push(("Variant", "Chess960".to_owned()));
    }
    if let Some(fen) = game.line.start_fen() {
        tags.extend([("SetUp", "1".to_owned()), ("FEN", fen)]);
    }
    tags.push(("PlyCount", game.line.moves().len().to_string()));
    tags.push(("Termination", game.ending.termination().to_owned()));
    let (white, black) = (control(&heading.white.limits), control(&heading.black.limits));
    if white == black {
        tags.push(("TimeControl", white));
    } else {
        tags.extend([("WhiteTimeControl", white), ("BlackTimeControl", black)]);
    }
    tags.push(("UTCDate", began.format("%Y.%m.%d").to_string()));
    tags.push(("UTCTime", began.format("%H:%M:%S").to_string()));
    tags.push(("GameDuration", hours(game.took)));
    let mut text = String::new();
    for (name, value) in tags {
        let value = value.replace('\\', r"\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{}\"]", printable(&value));
    }
    text
}

/// The tag `TimeControl`: a fixed time per move is a period of one move, and no clock is `-`.
fn control(limits: &Limits) -> String {
    match (limits.clock, limits.move_time) {
        (Some(clock), _) => clock.to_string(),
        (None, Some(time)) => format!("1/{}", time.as_secs_f64()),
        (None, None) => "-".to_owned(),
    }
}

fn movetext(game: &Played) -> String {
    let book = game.line.moves().len() - game.notes.len();
    let mut text = Wrapped::default();
    let mut position = game.line.start().clone();
    for (ply, &mv) in game.line.moves().iter().enumerate() {
        match position.turn() {
            Color::White => text.push(&format!("{}.", position.fullmoves())),
            Color::Black if ply == 0 => text.push(&format!("{}...", position.fullmoves())),
            Color::Black => {}
        }
        text.push(&SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
        match ply.checked_sub(book) {
            Some(ply) => text.push(&comment(&game.notes[ply])),
            None => text.push("{book}"),
        }
    }
    let reason = game.ending.to_string().replace('{', "(").replace('}', ")");
    text.push(&format!("{{{}}}", printable(&reason)));
    text.push(game.ending.outcome().as_str());
    text.finish()
}

/// `{+0.31/12 0.045s [%clk 0:00:01.935]}`: the mover's score in pawns (or `+M3`), depth, time used, and its clock after.
fn comment(note: &Note) -> String {
    let mut text = "{".to_owned();
    let _ = match note.score {
        Some(Score::Cp(cp)) => write!(text, "{:+.2}", f64::from(cp) / 100.0),
        Some(Score::Mate(moves)) if moves > 0 => write!(text, "+M{moves}"),
        Some(Score::Mate(moves)) => write!(text, "-M{}", moves.unsigned_abs()),
        None => write!(text, "?"),
    };
    let _ = write!(text, "/{} {:.3}s", note.depth.unwrap_or(0), note.used.as_secs_f64());
    if let Some(clock) = note.clock {
        let _ = write!(text, " [%clk {}.{:03}]", hours(clock), clock.subsec_millis());
    }
    text + "}"
}

/// `h:mm:ss`.
fn hours(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Control characters would break the format, wherever they came from.
fn printable(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '?' } else { letter }).collect()
}

/// Text that breaks its lines before [`WIDTH`].
#[derive(Default)]
struct Wrapped {
    text: String,
    column: usize,
}

impl Wrapped {
    /// Adds words, breaking lines between them.
    fn push(&mut self, words: &str) {
        for word in words.split(' ') {
            let length = word.chars().count();
            if self.column > 0 {
                let fits = self.column + 1 + length < WIDTH;
                self.text.push(if fits { ' ' } else { '\n' });
                self.column = if fits { self.column + 1 } else { 0 };
            }
            self.text.push_str(word);
            self.column += length;
        }
    }

    fn finish(mut self) -> String {
        self.text.push('\n');
        self.text
    }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::super::ending::{Ending, Fault};
    use super::super::line::Line;
    use super::super::pgn_reader::read_games;
    use super::*;

    fn spec(list: &str) -> PlayerSpec {
        PlayerSpec::parse("cmd=x", list).unwrap()
    }

    fn played(fen: &str, moves: &str, book: usize) -> Played {
        let mut line = Line::from_fen(fen, false).unwrap();
        for text in moves.split_whitespace() {
            line.play(line.read_move(text).unwrap());
        }
        let note = Note {
            score: Some(Score::Cp(-35)),
            depth: Some(7),
            used: Duration::from_millis(45),
            clock: Some(Duration::from_millis(61_935)),
        };
        Played {
            notes: vec![note; line.moves().len() - book],
            line,
            ending: Ending::Forfeit {
                loser: Color::White,
                fault: Fault::IllegalMove { text: "{x}\n".to_owned() },
            },
            began: SystemTime::UNIX_EPOCH,
            took: Duration::from_secs(3725),
        }
    }

    fn written(game: &Played) -> String {
        let (white, black) = (spec("name=A \"a\",tc=2+0.02"), spec("name=B,st=0.1"));
        let heading = Heading { event: "E", round: "3.1", white: &white, black: &black };
        let mut out = Vec::new();
        write_game(&mut out, &heading, game).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_game_is_written_with_everything_and_read_back() {
        let game = played("4k3/8/8/8/8/8/4P3/4K2R b K - 0 9", "e8d8 e1g1 d8c8", 1);
        let text = written(&game);
        for part in [
            "[Date \"1970.01.01\"]\n[Round \"3.1\"]\n[White \"A \\\"a\\\"\"]\n[Black \"B\"]\n[Result \"0-1\"]\n",
            "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K2R b K - 0 9\"]\n[PlyCount \"3\"]\n",
            "[Termination \"illegal move\"]\n[WhiteTimeControl \"2+0.02\"]\n[BlackTimeControl \"1/0.1\"]\n",
            "[GameDuration \"1:02:05\"]\n\n9... Kd8 {book} 10. O-O {-0.35/7 0.045s [%clk 0:01:01.935]} Kc8 {-0.35/7 0.045s\n",
            "{White makes an illegal move: (x)?} 0-1\n",
        ] {
            assert!(text.contains(part), "{part}\n is not in\n{text}");
        }
        assert!(text.lines().all(|line| line.len() < WIDTH));
        let back = read_games(text.as_bytes(), usize::MAX, false).unwrap();
        assert_eq!(back[0].line.moves(), game.line.moves());
        assert_eq!(back[0].tag("White"), "A \"a\"");
        assert_eq!(back[0].outcome, Some(game.ending.outcome()));
    }

    #[test]
    fn chess960_and_empty_games_are_read_back_too() {
        let fen = "1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w KQkq - 0 1";
        let text = written(&played(fen, "e1g1 e8b8", 0));
        assert!(text.contains("[Variant \"Chess960\"]") && text.contains(" w GBgb - 0 1"), "{text}");
        let back = read_games(text.as_bytes(), usize::MAX, false).unwrap();
        assert_eq!(back[0].line.moves().len(), 2);
        let text = written(&played(fen, "", 0));
        assert_eq!(read_games(text.as_bytes(), usize::MAX, false).unwrap().len(), 1);
    }
}
