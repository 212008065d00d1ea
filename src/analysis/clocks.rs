//! The time of each move, from the clock readings in a game's comments.
//!
//! `[%clk 0:04:58]` is the time left after a move, `[%emt 0:00:02]` the time it took.

use std::time::Duration;

use crate::game::Game;

/// Returns the time of each move; `None` if it is unknown.
#[must_use]
pub fn times(game: &Game) -> Vec<Option<Duration>> {
    let (base, increment) = game.tag("TimeControl").and_then(control).unzip();
    let increment = increment.unwrap_or_default();
    let mut left = [base, base];
    let moves = game.movetext.moves.iter().enumerate();
    moves
        .map(|(ply, annotated)| {
            let told = |command: &str| annotated.comments().find_map(|comment| reading(comment, command));
            let now = told("[%clk ");
            let before = std::mem::replace(&mut left[ply % 2], now);
            let taken = || before?.checked_add(increment)?.checked_sub(now?);
            told("[%emt ").or_else(taken)
        })
        .collect()
}

/// Returns the time after `command` in `comment`.
fn reading(comment: &str, command: &str) -> Option<Duration> {
    let rest = &comment[comment.find(command)? + command.len()..];
    time(rest[..rest.find(']')?].trim())
}

/// Parses a time such as `1:02:03.5`, `02:03` or `3.5`.
fn time(text: &str) -> Option<Duration> {
    let parts: Option<Vec<f64>> = text.split(':').map(|part| part.parse().ok()).collect();
    let parts = parts.filter(|parts| parts.len() <= 3)?;
    let seconds = parts.iter().fold(0.0, |sum, part| 60.0 * sum + part);
    let plain = parts.iter().all(|part| part.is_sign_positive());
    Duration::try_from_secs_f64(seconds).ok().filter(|_| plain)
}

/// Parses a time control of one period, such as `300+3`, to base and increment.
fn control(text: &str) -> Option<(Duration, Duration)> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    Some((time(base)?, time(increment)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::read_games;

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
    fn nonsense_is_no_time() {
        for text in ["", "x", "1:2:3:4", "-5", "1e300", "inf", ":"] {
            assert_eq!(time(text), None, "{text}");
        }
    }
}
