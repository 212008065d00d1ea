//! What the players of a match of engines said of their moves, in the comments that the programs for such matches write.
//!
//! ```text
//!  +0.18/5 0.004s                       cutechess, fastchess and Zugwerk: score, depth, time
//!  -M3/12 1.2s, Black mates             a mate, and the end of the game
//!  +0.35/12 0.045s, n=8120, sd=15       fastchess, with more numbers
//!  (Nf3) +0.25/13 12 0                  Arena: the expected answer first, the time in seconds
//!  +0.35 20/31 120 456700               OpenBench: score, depths, milliseconds, nodes
//!  d=56, mt=8120, n=456700, wv=0.35     TCEC: depth, milliseconds, nodes, the value for White
//!  book                                 a move of the opening book
//! ```

use std::time::Duration;

use shakmaty::Color;

use super::{
    clocks::time,
    earlier::{without_commands, without_ours},
};
use crate::chess::{
    pgn::Game,
    value::{MAX_PLY, TABLE_WIN, Value, mate_in, mated_in},
};

/// What a player said of a move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineNote {
    /// The value, for the player.
    pub value: Option<Value>,
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The time that the move took.
    pub time: Option<Duration>,
    /// The positions searched.
    pub nodes: Option<u64>,
    /// The words behind it, such as `White mates`; empty if there are none.
    pub words: String,
}

/// Returns what the players said of each move of the main line. Our own analysis is not taken for it.
#[must_use]
pub fn of_game(game: &Game) -> Vec<Option<EngineNote>> {
    by_move(&without_ours(game), read)
}

/// What `read` finds in the comments of each move, or what stands there in the notation of TCEC.
fn by_move(game: &Game, read: impl Fn(&str) -> Option<EngineNote>) -> Vec<Option<EngineNote>> {
    let first = game.start.turn();
    let players = [first, !first].into_iter().cycle();
    let moves = game.movetext.moves.iter().zip(players);
    let note = |comment: &str, player| read(comment).or_else(|| named_numbers(comment, player));
    moves.map(|(annotated, player)| annotated.comments().find_map(|comment| note(comment, player))).collect()
}

/// Returns the value of each move of the main line as its player saw it. A comment may also be nothing but the value,
/// as in the compact games of OpenBench.
#[must_use]
pub fn values(game: &Game) -> Vec<Option<Value>> {
    let alone = |comment: &str| {
        let value = read_value(comment.trim()).flatten()?;
        Some(EngineNote { value: Some(value), ..EngineNote::default() })
    };
    let with_value = |comment: &str| read(comment).filter(|note| note.value.is_some());
    let notes = by_move(game, |comment| with_value(comment).or_else(|| alone(comment)));
    notes.into_iter().map(|note| note?.value).collect()
}

/// Reads a comment of TCEC on a move of `player`.
fn named_numbers(comment: &str, player: Color) -> Option<EngineNote> {
    let numbers: Vec<(&str, &str)> =
        comment.split(',').filter_map(|number| number.trim().split_once('=')).collect();
    let number =
        |name: &str| numbers.iter().find(|(known, _)| *known == name).map(|(_, number)| number.trim());
    let value = read_value(number("wv")?)?;
    Some(EngineNote {
        value: value.map(|value| player.fold_wb(value, -value)),
        depth: Some(number("d")?.parse().ok()?),
        time: number("mt").and_then(|time| Some(Duration::from_millis(time.parse().ok()?))),
        nodes: number("n").and_then(|nodes| nodes.parse().ok()),
        words: String::new(),
    })
}

/// Reads a comment of a player. `None` if it is not one as a whole.
pub(crate) fn read(comment: &str) -> Option<EngineNote> {
    let comment = without_commands(comment, "[%", |_, rest| rest);
    let (numbers, words) = comment.split_once(',').unwrap_or((&comment, ""));
    let note = numbers_of(numbers.trim())?;
    let words = words.split(", ").map(str::trim).filter(|word| !word.is_empty());
    let (numbers, words): (Vec<_>, Vec<_>) = words.partition(|word| word.contains('='));
    let nodes = numbers.iter().find_map(|number| number.strip_prefix("n=")?.split(' ').next()?.parse().ok());
    Some(EngineNote { nodes: nodes.or(note.nodes), words: words.join(", "), ..note })
}

/// Reads the part of a comment before the first comma.
fn numbers_of(text: &str) -> Option<EngineNote> {
    if ["book", "(book)"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return Some(EngineNote::default());
    }
    let answer = text.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let mut words = answer.map_or(text, |(_, behind)| behind).split_whitespace();
    let first = words.next()?;
    // OpenBench writes a blank instead of the first `/`.
    let is_of_openbench = !first.contains('/');
    let (score, depth) = first.split_once('/').or_else(|| Some((first, words.next()?)))?;
    let depth = depth.split('/').next()?.parse().ok()?;
    let spent = words.next();
    let read_time = |word: &str| match word.parse() {
        Ok(milliseconds) if is_of_openbench => Some(Duration::from_millis(milliseconds)),
        _ => time(word.strip_suffix('s').unwrap_or(word)),
    };
    let time = spent.map(|word| read_time(word).ok_or(())).transpose().ok()?;
    let numbers: Vec<&str> = words.collect();
    let nodes = numbers.first().filter(|_| is_of_openbench).and_then(|nodes| nodes.parse().ok());
    let is_whole = numbers.iter().all(|word| word.parse::<f64>().is_ok());
    is_whole.then_some(EngineNote {
        value: read_value(score)?,
        depth: Some(depth),
        time,
        nodes,
        words: String::new(),
    })
}

/// Reads `+0.18` or `-M3`; the inner `None` is the `?` of an engine that has said none.
fn read_value(text: &str) -> Option<Option<Value>> {
    if text == "?" {
        return Some(None);
    }
    let is_negative = text.starts_with('-');
    let size = text.strip_prefix(['+', '-']).unwrap_or(text);
    if let Some(moves) = size.strip_prefix(['M', '#']) {
        let plies = (2 * usize::from(moves.parse::<u16>().ok()?)).min(MAX_PLY);
        return Some(Some(if is_negative { mated_in(plies) } else { mate_in(plies.saturating_sub(1)) }));
    }
    let pawns = size
        .parse::<f64>()
        .ok()
        .filter(|_| size.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))?;
    let value = (pawns * 100.0).round().min(f64::from(TABLE_WIN)) as Value;
    size.contains('.').then_some(Some(if is_negative { -value } else { value }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{pgn::read_games, value::Score};

    #[test]
    fn comments_of_engine_matches_are_understood() {
        let note = |comment: &str| {
            let EngineNote { value, depth, time, words, .. } =
                read(comment).unwrap_or_else(|| panic!("{comment}"));
            let (cp, mate) = match value.map(Score::from) {
                Some(Score::Cp(cp)) => (Some(cp), None),
                Some(Score::Mate(moves)) => (None, Some(moves)),
                None => (None, None),
            };
            (cp, mate, depth, time.map(|time| time.as_millis()), words)
        };
        let none = String::new;
        for (comment, expected) in [
            ("+0.18/5 0.004s", (Some(18), None, Some(5), Some(4), none())),
            ("-M3/12 1.2s", (None, Some(-3), Some(12), Some(1200), none())),
            ("+M1/5 0s, White mates", (None, Some(1), Some(5), Some(0), "White mates".into())),
            ("0.00/1 0.01s", (Some(0), None, Some(1), Some(10), none())),
            ("book", (None, None, None, None, none())),
            ("(Book)", (None, None, None, None, none())),
            ("book, Draw by adjudication", (None, None, None, None, "Draw by adjudication".into())),
            ("(Nf3) +0.25/13 12 0", (Some(25), None, Some(13), Some(12_000), none())),
            ("(e2e4 e7e5) -1.5/13/20 1:02", (Some(-150), None, Some(13), Some(62_000), none())),
            ("+0.35/12 0.045s, tl=1.9s, n=81, pv=\"Nf3 Nc6\"", (Some(35), None, Some(12), Some(45), none())),
            ("+0.31/12 0.045s [%clk 0:00:01.935]", (Some(31), None, Some(12), Some(45), none())),
            ("?/0 0.001s, Black forfeits", (None, None, Some(0), Some(1), "Black forfeits".into())),
            ("+0.18/5", (Some(18), None, Some(5), None, none())),
            ("+0.35 20/31 120 456700", (Some(35), None, Some(20), Some(120), none())),
        ] {
            assert_eq!(note(comment), expected, "{comment}");
        }
    }

    #[test]
    fn nodes_are_read() {
        for comment in [
            "+0.35/12 0.045s, tl=1.9s, n=81",
            "-0.35/7 0.045s, n=81, tl=61.935s [%clk 0:01:01.935]",
            "+0.1/2 1s, n=81 [%clk 1:00]",
        ] {
            assert_eq!(read(comment).unwrap().nodes, Some(81), "{comment}");
        }
        assert_eq!(read("+0.35/12 0.045s, sd=15").unwrap().nodes, None);
        assert_eq!(read("+0.35 20/31 120 456700").unwrap().nodes, Some(456_700));
        assert_eq!(read("(Nf3) +0.25/13 12 0").unwrap().nodes, None, "Arena's last number is none");
    }

    #[test]
    fn tcec_gives_values_for_white() {
        let pgn = "1. e4 {d=56, sd=71, mt=8120, tl=7, s=9, n=81, pv=e4 e5, wv=0.35, R50=50} \
                   e5 {d=50, mt=1, n=9, wv=0.30,} 2. Nf3 {d=9, wv=M5} Nc6 {d=9, wv=-M5} *";
        let game = read_games(pgn.as_bytes()).unwrap().remove(0).unwrap();
        let notes: Vec<EngineNote> = of_game(&game).into_iter().map(Option::unwrap).collect();
        assert_eq!(values(&game), [Some(35), Some(-30), Some(mate_in(9)), Some(-mated_in(10))]);
        assert_eq!((notes[0].depth, notes[0].nodes), (Some(56), Some(81)));
        assert_eq!(notes[0].time, Some(Duration::from_millis(8120)));
    }

    #[test]
    fn our_analysis_is_not_taken_for_it() {
        let pgn = "1. e4 {[%eval 0.19] +0.19/4} e5 {[%eval 0.30] +0.30/4 +0.25/6 0.1s} *";
        let game = read_games(pgn.as_bytes()).unwrap().remove(0).unwrap();
        let depths: Vec<_> =
            of_game(&game).into_iter().map(|note| note.and_then(|note| note.depth)).collect();
        assert_eq!(depths, [None, Some(6)]);
    }

    #[test]
    fn what_people_say_is_not_taken_for_it() {
        for comment in [
            "",
            "1/2",
            "booked",
            "a book move",
            "+0.18/5 is what it said",
            "+0.18/5 0.004s or so",
            "+0.18",
            "0.18/x 1s",
            "(Nf3) is better",
            "3/4 1s",
            "+1e9.0/3 1s",
        ] {
            assert_eq!(read(comment), None, "{comment}");
        }
    }
}
