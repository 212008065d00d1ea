//! What the players of a match of engines said of their moves, in the comments that the programs for such
//! matches write.
//!
//! ```text
//!  +0.18/5 0.004s                       cutechess, fastchess and Zugwerk: score, depth, time
//!  +M1/12 1.2s, Black mates             mate in one ply, and the end of the game
//!  +0.35/12 0.045s, n=8120, sd=15       fastchess, with more numbers
//!  (Nf3) +0.25/13 12 0                  Arena: the expected answer first, the time in seconds
//!  +0.35 20/31 120 456700               OpenBench: score, depths, milliseconds, nodes
//!  d=56, mt=8120, n=456700, wv=0.35     TCEC: depth, milliseconds, nodes, the value for White
//!  book                                 a move of the opening book
//! ```
//!
//! `M` counts the plies to the mate, so a player's own mate is at an odd number and the opponent's at an even
//! one: `+M3` is mate in two moves, `-M2` is mated in one. The first versions of Zugwerk counted moves. Their
//! games have the tag `Event "zugwerk match"`, which later ones do not have. A game with a number of plies
//! that cannot be (`+M2`, `-M1`) is taken to count moves, too, whoever wrote it. `#3` counts moves
//! everywhere.

use std::time::Duration;

use shakmaty::Color;

use super::{
    clocks::time,
    computer::mate_in_moves,
    earlier::{without_commands, without_ours},
};
use crate::chess::{
    pgn::Game,
    value::{MATE, TABLE_WIN, Value, announced_mate, is_mate, plies_to_mate},
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

/// What the number behind an `M` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MateUnit {
    Plies,
    Moves,
}

/// The tag `Event` of our games in which `M` counts moves.
pub(crate) const EVENT_WITH_MOVES: &str = "zugwerk match";

/// Returns what the players said of each move of the main line. Our own analysis is not taken for it.
#[must_use]
pub fn of_game(game: &Game) -> Vec<Option<EngineNote>> {
    by_move(game, read)
}

/// Returns the value of each move of the main line as its player saw it. A comment may also be nothing but
/// the value, as in the compact games of OpenBench.
#[must_use]
pub fn values(game: &Game) -> Vec<Option<Value>> {
    let alone = |comment: &str, unit| {
        let value = read_value(comment.trim(), unit).flatten()?;
        Some(EngineNote { value: Some(value), ..EngineNote::default() })
    };
    let with_value = |comment: &str, unit| read(comment, unit).filter(|note| note.value.is_some());
    let notes = by_move(game, |comment, unit| with_value(comment, unit).or_else(|| alone(comment, unit)));
    notes.into_iter().map(|note| note?.value).collect()
}

/// What `read` finds in the comments of each move, or what stands there in the notation of TCEC.
fn by_move(game: &Game, read: impl Fn(&str, MateUnit) -> Option<EngineNote>) -> Vec<Option<EngineNote>> {
    let plain = without_ours(game);
    let first = game.start.turn();
    let notes = |unit| -> Vec<Option<EngineNote>> {
        let note =
            |comment: &str, player| read(comment, unit).or_else(|| named_numbers(comment, player, unit));
        let moves = plain.movetext.moves.iter().zip([first, !first].into_iter().cycle());
        moves
            .map(|(annotated, player)| annotated.comments().find_map(|comment| note(comment, player)))
            .collect()
    };
    let in_plies = notes(MateUnit::Plies);
    let mut values = in_plies.iter().flatten().filter_map(|note| note.value);
    let counts_moves = game.tag("Event") == Some(EVENT_WITH_MOVES) || values.any(is_impossible_mate);
    if counts_moves { notes(MateUnit::Moves) } else { in_plies }
}

/// Whether `value` is a mate after a number of plies at which the other side moves.
fn is_impossible_mate(value: Value) -> bool {
    let plies = MATE - value.abs();
    is_mate(value) && plies > 0 && (plies % 2 == 1) != (value > 0)
}

/// Reads a comment of TCEC on a move of `player`.
fn named_numbers(comment: &str, player: Color, unit: MateUnit) -> Option<EngineNote> {
    let numbers: Vec<(&str, &str)> =
        comment.split(',').filter_map(|number| number.trim().split_once('=')).collect();
    let number =
        |name: &str| numbers.iter().find(|(known, _)| *known == name).map(|(_, number)| number.trim());
    let value = read_value(number("wv")?, unit)?;
    Some(EngineNote {
        value: value.map(|value| player.fold_wb(value, -value)),
        depth: Some(number("d")?.parse().ok()?),
        time: number("mt").and_then(|time| Some(Duration::from_millis(time.parse().ok()?))),
        nodes: number("n").and_then(|nodes| nodes.parse().ok()),
        words: String::new(),
    })
}

/// Returns the words in a comment of a player, such as `White mates`. `None` if it is not one as a whole.
pub(crate) fn words(comment: &str) -> Option<String> {
    read(comment, MateUnit::Plies).map(|note| note.words)
}

/// Reads a comment of a player. `None` if it is not one as a whole.
fn read(comment: &str, unit: MateUnit) -> Option<EngineNote> {
    let comment = without_commands(comment, "[%", |_, rest| rest);
    let (numbers, words) = comment.split_once(',').unwrap_or((&comment, ""));
    let note = numbers_of(numbers.trim(), unit)?;
    let words = words.split(", ").map(str::trim).filter(|word| !word.is_empty());
    let (numbers, words): (Vec<_>, Vec<_>) = words.partition(|word| word.contains('='));
    let nodes = numbers.iter().find_map(|number| number.strip_prefix("n=")?.split(' ').next()?.parse().ok());
    Some(EngineNote { nodes: nodes.or(note.nodes), words: words.join(", "), ..note })
}

/// Reads the part of a comment before the first comma.
fn numbers_of(text: &str, unit: MateUnit) -> Option<EngineNote> {
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
        value: read_value(score, unit)?,
        depth: Some(depth),
        time,
        nodes,
        words: String::new(),
    })
}

/// Reads `+0.18` or `-M4`; the inner `None` is the `?` of an engine that has said none.
fn read_value(text: &str, unit: MateUnit) -> Option<Option<Value>> {
    if text == "?" {
        return Some(None);
    }
    if text.contains('#') {
        return mate_in_moves(&text.replacen('#', "", 1)).map(Some);
    }
    let is_negative = text.starts_with('-');
    let size = text.strip_prefix(['+', '-']).unwrap_or(text);
    if let Some(distance) = size.strip_prefix('M') {
        let distance = distance.parse::<u32>().ok()?;
        let moves = i32::try_from(distance).unwrap_or(i32::MAX) * if is_negative { -1 } else { 1 };
        let plies = if unit == MateUnit::Moves { plies_to_mate(moves) } else { distance as usize };
        return Some(Some(announced_mate(!is_negative, plies)));
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
    use crate::chess::{
        pgn::read_games,
        value::{Score, mate_in},
    };

    #[test]
    fn comments_of_engine_matches_are_understood() {
        let note = |comment: &str| {
            let EngineNote { value, depth, time, words, .. } =
                read(comment, MateUnit::Plies).unwrap_or_else(|| panic!("{comment}"));
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
            ("-M4/12 1.2s", (None, Some(-2), Some(12), Some(1200), none())),
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
            assert_eq!(read(comment, MateUnit::Plies).unwrap().nodes, Some(81), "{comment}");
        }
        assert_eq!(read("+0.35/12 0.045s, sd=15", MateUnit::Plies).unwrap().nodes, None);
        assert_eq!(read("+0.35 20/31 120 456700", MateUnit::Plies).unwrap().nodes, Some(456_700));
        assert_eq!(
            read("(Nf3) +0.25/13 12 0", MateUnit::Plies).unwrap().nodes,
            None,
            "Arena's last number is none"
        );
    }

    #[test]
    fn tcec_gives_values_for_white() {
        let pgn = "1. e4 {d=56, sd=71, mt=8120, tl=7, s=9, n=81, pv=e4 e5, wv=0.35, R50=50} \
                   e5 {d=50, mt=1, n=9, wv=0.30,} 2. Nf3 {d=9, wv=M5} Nc6 {d=9, wv=-M5} *";
        let game = read_games(pgn.as_bytes()).unwrap().remove(0).unwrap();
        let notes: Vec<EngineNote> = of_game(&game).into_iter().map(Option::unwrap).collect();
        assert_eq!(values(&game), [Some(35), Some(-30), Some(mate_in(5)), Some(mate_in(5))]);
        assert_eq!((notes[0].depth, notes[0].nodes), (Some(56), Some(81)));
        assert_eq!(notes[0].time, Some(Duration::from_millis(8120)));
    }

    /// The mates of `moves`, each with the number of its ply, as the players saw them.
    fn mates(tags: &str, moves: &str) -> Vec<i32> {
        let pgn = format!("{tags}\n\n{moves}");
        let game = read_games(pgn.as_bytes()).unwrap().remove(0).unwrap();
        let mates = of_game(&game).into_iter().map(|note| match Score::from(note.unwrap().value.unwrap()) {
            Score::Mate(moves) => moves,
            Score::Cp(_) => 0,
        });
        mates.collect()
    }

    #[test]
    fn mates_are_counted_as_their_program_counts() {
        let start = "[FEN \"7k/R7/8/8/8/8/1R6/7K w - - 0 1\"]";
        let white = ["Rb1", "Rb2", "Rb1", "Rb2", "Rb1"];
        let game = |mates: [[&str; 2]; 5]| -> String {
            let moves = white.iter().zip(["Kg8", "Kh8"].iter().cycle()).zip(mates);
            moves.map(|((w, b), [m, n])| format!("{w} {{{m}/9 0.1s}} {b} {{{n}/9 0.1s}} ")).collect()
        };
        let plies = [["+M9", "-M8"], ["+M7", "-M6"], ["+M5", "-M4"], ["+M3", "-M2"], ["+M1", "-M2"]];
        let moves = [["+M5", "-M4"], ["+M4", "-M3"], ["+M3", "-M2"], ["+M2", "-M1"], ["+M1", "-M1"]];
        let signs = moves.map(|pair| pair.map(|mate| if mate == "+M5" { "#5" } else { mate }));
        let expected = [5, -4, 4, -3, 3, -2, 2, -1, 1, -1];
        assert_eq!(mates(start, &game(plies)), expected);
        assert_eq!(mates(start, &game(moves)), expected, "+M4 and -M3 are no plies");
        assert_eq!(mates(start, &game(signs)), expected);
        let swapped =
            |pairs: [[&str; 2]; 5]| game(pairs).replace("+M", "x").replace("-M", "+M").replace('x', "-M");
        assert_eq!(mates(start, &swapped(moves)), expected.map(|mate: i32| -mate), "for the other side");
        let ambiguous = "1. Rb1 {+M3/9 0.1s} Kg8 {-M2/9 0.1s}";
        assert_eq!(mates(start, ambiguous), [2, -1]);
        assert_eq!(mates(&format!("[Event \"zugwerk match\"]\n{start}"), ambiguous), [3, -2]);
        assert_eq!(mates(start, "1. Rb1 {#3/9 0.1s} Kg8 {#-2/9 0.1s} 2. Rb2 {-#2/9 0.1s}"), [3, -2, -2]);
        assert_eq!(
            mates(start, "1. Rb1 {+M999/9 0.1s} Kg8 {-M4294967295/9 0.1s} 2. Rb2 {-M0/9 0.1s}"),
            [120, -120, 0]
        );
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
            assert_eq!(read(comment, MateUnit::Plies), None, "{comment}");
        }
    }
}
