//! The time of each move, from the clock readings in a game's comments.
//!
//! `[%clk 0:04:58]` is the time left after a move, `[%emt 0:00:02]` the time it took.

use std::{mem, time::Duration};

use crate::chess::{
    clock::{Stage, TimeControl},
    pgn::Game,
};

/// Returns the time of each move; `None` if it is unknown.
#[must_use]
pub fn times(game: &Game) -> Vec<Option<Duration>> {
    let controls = ["White", "Black"].map(|side| control(game, side));
    let mut left = controls.each_ref().map(|stages| Some(stages.as_ref()?.first()?.start()));
    let readings = self::left(game);
    let first = usize::from(game.start.turn().is_black());
    let moves = game.movetext.moves.iter().enumerate();
    moves
        .map(|(ply, annotated)| {
            let side = (first + ply) % 2;
            let now = readings[ply];
            let before = mem::replace(&mut left[side], now);
            let taken = || {
                let added = increment(controls[side].as_deref()?, ply as u32 / 2 + 1)?;
                before?.checked_add(added)?.checked_sub(now?)
            };
            annotated.comments().find_map(|comment| time(argument(comment, "[%emt ")?)).or_else(taken)
        })
        .collect()
}

/// Returns the time that is left after each move, by its clock reading; `None` without one.
///
/// `1:59` may be minutes and seconds, or hours and minutes. It is the latter if all readings of the game have
/// two parts and its time control allows so much.
#[must_use]
pub fn left(game: &Game) -> Vec<Option<Duration>> {
    let moves = game.movetext.moves.iter();
    let texts: Vec<Option<&str>> =
        moves.map(|annotated| annotated.comments().find_map(|comment| argument(comment, "[%clk "))).collect();
    let hours = |text: &str| time(&format!("{text}:00"));
    let starts = ["White", "Black"].map(|side| Some(control(game, side)?.first()?.start()));
    let most = starts.into_iter().flatten().min();
    let is_hours =
        |text: &&str| text.matches(':').count() == 1 && hours(text) <= most && hours(text).is_some();
    if most.is_some() && texts.iter().flatten().all(is_hours) {
        return texts.into_iter().map(|text| hours(text?)).collect();
    }
    texts.into_iter().map(|text| time(text?)).collect()
}

/// The stages of the time control of `side`, which is `White` or `Black`. There are none if it is not known.
/// `None` if it cannot be read.
fn control(game: &Game, side: &str) -> Option<Vec<Stage>> {
    // `?` is an unknown time control, and so is an empty tag; `-` is none, and so is `inf` of cutechess-cli.
    let known = |name: &str| game.tag(name).filter(|tag| !["?", "-", "inf", ""].contains(tag));
    match known(&format!("{side}TimeControl")).or_else(|| known("TimeControl")) {
        Some(text) => TimeControl::from_pgn(text).ok().map(|control| control.stages().to_vec()),
        None => Some(Vec::new()),
    }
}

/// The increment of a player's move with this number, from 1; zero without `stages`. It is `None` for the
/// last move of a stage and for the first one of the next, because the reading between them may or may not
/// have the new time.
fn increment(stages: &[Stage], number: u32) -> Option<Duration> {
    let mut coming = stages.iter();
    let Some(mut stage) = coming.next() else { return Some(Duration::ZERO) };
    let mut left = number;
    while let Some(moves) = stage.moves.filter(|&moves| moves < left) {
        left -= moves;
        stage = coming.next().unwrap_or(stage);
    }
    let between = stage.moves == Some(left) || (left == 1 && number > 1);
    (!between).then_some(stage.increment)
}

/// Returns what stands behind `command` in `comment`.
fn argument<'c>(comment: &'c str, command: &str) -> Option<&'c str> {
    let (_, rest) = comment.split_once(command)?;
    Some(rest.split_once(']')?.0.trim())
}

/// Parses a time such as `1:02:03.5`, `1:02:03,5`, `02:03` or `3.5`.
pub(super) fn time(text: &str) -> Option<Duration> {
    let parts: Option<Vec<f64>> = text.split(':').map(|part| part.replace(',', ".").parse().ok()).collect();
    let parts = parts.filter(|parts| parts.len() <= 3)?;
    let seconds = parts.iter().fold(0.0, |sum, part| 60.0 * sum + part);
    let plain = parts.iter().all(|part| part.is_sign_positive());
    Duration::try_from_secs_f64(seconds).ok().filter(|_| plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::read_games;

    fn seconds(pgn: &str) -> Vec<Option<f64>> {
        let game = read_games(pgn.as_bytes()).unwrap().remove(0).unwrap();
        times(&game).into_iter().map(|time| time.map(|time| time.as_secs_f64())).collect()
    }

    #[test]
    fn times_come_from_the_clocks() {
        let moves = "1. e4 {[%clk 0:04:58]} e5 {[%clk 0:05:02.5]} 2. d4 {x [%clk 0:04:00]} d5 3. c4 {[%clk 0:03:00]} *";
        let known = [Some(5.0), Some(0.5), Some(61.0), None, Some(63.0)];
        assert_eq!(seconds(&format!("[TimeControl \"300+3\"]\n\n{moves}")), known);
        let [_, _, third, ..] = seconds(moves)[..] else { panic!() };
        assert_eq!(third, Some(58.0), "without an increment");
        assert_eq!(seconds(moves)[..2], [None, None], "the first clock is not known");
        assert_eq!(seconds("[TimeControl \"1e19+1e19\"]\n\n1. e4 {[%clk 0:00:01]} *"), [None]);
        assert_eq!(seconds("1. e4 {[%emt 0:00:07]} e5 {[%emt nan]} *"), [Some(7.0), None]);
    }

    #[test]
    fn every_period_has_an_increment_of_its_own() {
        let clocks = ["0:01:40", "0:01:38", "0:02:06", "0:02:08", "0:02:05", "0:02:09", "0:02:00", "0:02:00"];
        let white = |tag: &str| {
            let text: String = clocks
                .iter()
                .zip(["Nf3", "Ng1"].iter().cycle())
                .zip(["Nf6", "Ng8"].iter().cycle())
                .map(|((clock, white), black)| format!("{white} {{[%clk {clock}]}} {black} "))
                .collect();
            seconds(&format!("{tag}\n\n{text}*")).into_iter().step_by(2).collect::<Vec<_>>()
        };
        let period = white("[TimeControl \"2/100+3:30+5\"]");
        let known = [Some(3.0), None, None, Some(3.0), Some(8.0), Some(1.0), Some(14.0), Some(5.0)];
        assert_eq!(period[..], known, "the second reading may have the new time or not");
        assert_eq!(white("[TimeControl \"100+5\"]")[..2], [Some(5.0), Some(7.0)]);
        assert_eq!(
            white("[TimeControl \"0+60\"]")[0],
            Some(20.0),
            "without a base, the first increment is there"
        );
        for written in ["1:40+5", "0:01:40+5", "50/0:01:40+5"] {
            let times = white(&format!("[TimeControl \"{written}\"]"));
            assert_eq!(times[..2], [Some(5.0), Some(7.0)], "{written}");
        }
        assert_eq!(
            white("[WhiteTimeControl \"100+5\"]\n[BlackTimeControl \"7\"]")[..2],
            [Some(5.0), Some(7.0)]
        );
        let repeated = white("[TimeControl \"3/100\"]");
        assert_eq!(repeated[2..], [None, None, Some(3.0), None, None, Some(0.0)], "the last period repeats");
        for unknown in ["?", "-", "inf", ""] {
            assert_eq!(white(&format!("[TimeControl \"{unknown}\"]")), white(""), "{unknown}");
        }
        let other = white("[WhiteTimeControl \"?\"]\n[TimeControl \"100+5\"]");
        assert_eq!(other[..2], [Some(5.0), Some(7.0)], "the tag for both sides counts then");
        for unreadable in ["*60", "soon", "0/40", "40/100+x", "100+5:30", "1/100"] {
            assert_eq!(white(&format!("[TimeControl \"{unreadable}\"]")), [None; 8], "{unreadable}");
        }
    }

    #[test]
    fn the_clocks_of_a_game_that_black_begins_are_their_own() {
        let tags = "[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\"]\n[WhiteTimeControl \"100+5\"]\n[BlackTimeControl \"60+1\"]";
        let moves =
            "1... Ke7 {[%clk 0:00:58]} 2. Ke2 {[%clk 0:01:35]} Ke8 {[%clk 0:00:50]} 3. Ke1 {[%clk 0:01:30]}";
        assert_eq!(seconds(&format!("{tags}\n\n{moves} *")), [Some(3.0), Some(10.0), Some(9.0), Some(10.0)]);
    }

    #[test]
    fn two_parts_are_hours_if_the_time_control_allows_it() {
        let first = |control: &str, clocks: [&str; 2]| {
            let pgn = format!(
                "[TimeControl \"{control}\"]\n\n1. e4 {{[%clk {}]}} e5 {{[%clk {}]}} *",
                clocks[0], clocks[1]
            );
            let game = read_games(pgn.as_bytes()).unwrap().remove(0).unwrap();
            left(&game)[0].map(|left| left.as_secs_f64())
        };
        assert_eq!(first("300", ["4:59", "4:58"]), Some(299.0));
        assert_eq!(first("7200", ["1:59", "1:58"]), Some(7140.0));
        assert_eq!(first("7200", ["1:59", "4:58"]), Some(119.0));
        assert_eq!(first("7200", ["1:59", "1:58:00"]), Some(119.0));
        assert_eq!(first("?", ["1:59", "1:58"]), Some(119.0));
        assert_eq!(first("60", ["0:00:59,9", "0:00:59,8"]), Some(59.9));
    }

    #[test]
    fn nonsense_is_no_time() {
        for text in ["", "x", "1:2:3:4", "-5", "1e300", "inf", ":"] {
            assert_eq!(time(text), None, "{text}");
        }
    }
}
