//! What a move loses or misses in material, counted along its lines.

use shakmaty::{Color, Move, Position as _, Role};

use super::{Case, LONGEST, after, patterns};
use crate::chess::remarks::earlier::verbs::{GIVES, LETS, LOSES, MISSES};
use crate::{
    chess::{
        notation::{self, numbered},
        position::Position,
        value::material_value,
    },
    words::counted,
};

/// The men that are counted, the strongest first.
const MEN: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// The value of a man, in pawns.
pub(in crate::report) fn worth(role: Role) -> i32 {
    material_value(role) / material_value(Role::Pawn)
}

/// How far the search of captures looks, in plies.
const TAKING: u32 = 8;

/// More than all men together.
const WORTH_OF_ALL: i32 = 200;

/// The longest line in the words for the loss of a pawn, in plies. For more it is [`LONGEST`].
const FOR_A_PAWN: usize = 16;

/// The longest line in a sentence, in plies. In place of a longer one the sentence says `in the end`.
const SHOWN: usize = 8;

/// The most searches that lengthen a line.
const SEARCHES: usize = 6;

/// How many men of each of [`MEN`] a line costs a player and the other side. A new queen is a cost of −1.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Cost {
    own: [i32; 5],
    other: [i32; 5],
}

impl Cost {
    /// The cost for `player` from `before` to `after`.
    fn of(player: Color, before: &Position, after: &Position) -> Self {
        let men = |position: &Position, side| {
            MEN.map(|role| {
                let board = position.chess().board();
                (board.by_color(side) & board.by_role(role)).count() as i32
            })
        };
        let lost = |side| {
            let (before, after) = (men(before, side), men(after, side));
            std::array::from_fn(|index| before[index] - after[index])
        };
        Self { own: lost(player), other: lost(!player) }
    }

    /// The material that the player gains, in pawns.
    fn gain(&self) -> i32 {
        MEN.iter()
            .zip(self.other.iter().zip(self.own))
            .map(|(role, (other, own))| worth(*role) * (other - own))
            .sum()
    }
}

/// What a line brings the player who plays its first move.
struct Outcome<'l> {
    /// The position before the line.
    position: &'l Position,
    line: &'l [Move],
    /// What it costs after each ply, and whether the position is quiet then.
    counts: Vec<(Cost, bool)>,
    /// What the player has gained when all that is attacked in the end is taken, in pawns.
    gain: i32,
}

/// What a line costs at a quiet place, and the number of plies up to there.
struct Count {
    cost: Cost,
    plies: usize,
}

impl<'l> Outcome<'l> {
    fn of(position: &'l Position, line: &'l [Move]) -> Self {
        let (player, mut after) = (position.turn(), position.clone());
        let mut counts = vec![(Cost::of(player, position, position), true)];
        for &m in line {
            after.play(m);
            counts.push((Cost::of(player, position, &after), is_quiet(&after)));
        }
        let open = taken(&after, 0, WORTH_OF_ALL, TAKING);
        let gain = counts.last().map_or(0, |(cost, _)| cost.gain());
        let gain = if after.turn() == player { gain + open } else { gain - open };
        Self { position, line, counts, gain }
    }

    /// Where the loss (`sign` −1) or the win (1) can be counted: the first quiet place with a part of it, or,
    /// if no place in sight is quiet, the first end of an exchange that brings more than a pawn. It must not
    /// be taken back later.
    fn count(&self, sign: i32) -> Option<Count> {
        let all = sign * self.gain;
        let has =
            |plies: usize, least: i32| (least..=all + 1).contains(&(sign * self.counts[plies].0.gain()));
        let longest = if all > 1 { LONGEST } else { FOR_A_PAWN };
        let within = |longest: usize| 0..self.counts.len().min(longest + 1);
        let quiet = within(longest).find(|&plies| self.counts[plies].1 && has(plies, 1));
        // The move played is not shown.
        let shown = SHOWN + usize::from(sign < 0);
        let exchanged = || within(shown).find(|&plies| has(plies, 2) && self.ends_exchange(plies));
        let plies = quiet.filter(|&plies| plies <= shown).or_else(exchanged).or(quiet)?;
        Some(Count { cost: self.counts[plies].0, plies })
    }

    /// Whether the first `plies` end an exchange: the next move does not take on its square, and is no answer
    /// to a check.
    fn ends_exchange(&self, plies: usize) -> bool {
        let Some((last, next)) = self.line[..plies].last().zip(self.line.get(plies)) else { return false };
        let answers = next.is_capture() && next.to() == last.to();
        !answers && !after(self.position, &self.line[..plies]).is_check()
    }

    /// Whether a pawn of `side` is promoted before the men are counted.
    fn promotes(&self, side: Color, plies: usize) -> bool {
        let is_first = side == self.position.turn();
        let moves = self.line[..plies].iter().enumerate();
        moves.filter(|(ply, _)| ply.is_multiple_of(2) == is_first).any(|(_, m)| m.is_promotion())
    }

    /// The moves up to where the men are counted, without the first `skipped`, and the position before them.
    fn shown(&self, skipped: usize, plies: usize) -> (Position, &[Move]) {
        (after(self.position, &self.line[..skipped]), &self.line[skipped..plies])
    }

    /// The move after the first `skipped`, if nothing else is taken before the men are counted.
    fn only_capture(&self, skipped: usize, plies: usize) -> Option<&Move> {
        let (first, rest) = self.line[..plies].get(skipped..)?.split_first()?;
        let is_only = first.is_capture() && !rest.iter().any(|m| m.is_capture());
        // En passant the pawn is beside the square.
        (is_only && !first.is_en_passant()).then_some(first)
    }
}

/// Whether material can be counted in a position: nobody is in check, or wins something by taking if he is to
/// move.
fn is_quiet(position: &Position) -> bool {
    // Neither on one square nor in any series of captures.
    let is_still = |position: &Position| {
        let mut moves = position.legal_moves().into_iter().filter(|m| m.is_capture() || m.is_promotion());
        !moves.any(|m| position.see_at_least(m, 1)) && taken(position, 0, 1, TAKING) == 0
    };
    let mut passed = position.clone();
    passed.play_or_pass(None);
    !position.is_check() && is_still(position) && is_still(&passed)
}

/// The material that the side to move wins in an alpha-beta search of `plies` in which each side takes
/// something or stops.
fn taken(position: &Position, mut alpha: i32, beta: i32, plies: u32) -> i32 {
    alpha = alpha.max(0);
    let moves = position.legal_moves().into_iter().filter(|m| m.is_capture() || m.is_promotion());
    let mut gains: Vec<(i32, Move)> = moves
        .map(|m| (m.capture().map_or(0, worth) + m.promotion().map_or(0, |role| worth(role) - 1), m))
        .collect();
    gains.sort_by_key(|(gain, _)| -gain);
    for (gain, m) in gains {
        if alpha >= beta || plies == 0 {
            break;
        }
        alpha = alpha.max(gain - taken(&after(position, &[m]), gain - beta, gain - alpha, plies - 1));
    }
    alpha
}

/// The capture with which the side to move wins most, and what it wins, in pawns.
pub(in crate::report) fn best_capture(position: &Position) -> Option<(Move, i32)> {
    let captures = position.legal_moves().into_iter().filter(|m| m.is_capture() && !m.is_promotion());
    let answered = |m| taken(&after(position, &[m]), 0, WORTH_OF_ALL, TAKING);
    let gains = captures.map(|m| (m, m.capture().map_or(0, worth) - answered(m)));
    gains.filter(|(_, gain)| *gain > 0).max_by_key(|(_, gain)| *gain)
}

/// What the player of the first move gains in `line`, when all that is attacked in the end is taken, in
/// pawns.
pub(in crate::report) fn gain_of(position: &Position, line: &[Move]) -> i32 {
    Outcome::of(position, line).gain
}

/// The line with what `best_line` finds behind its end, until it ends quietly.
pub(in crate::report) fn settled(
    position: &Position,
    line: &[Move],
    best_line: &mut dyn FnMut(&Position) -> Vec<Move>,
) -> Vec<Move> {
    let (mut end, mut line) = (after(position, line), line.to_vec());
    for _ in 0..SEARCHES {
        if line.is_empty() || line.len() >= LONGEST || is_quiet(&end) {
            break;
        }
        for m in best_line(&end).into_iter().take(LONGEST - line.len()) {
            end.play(m);
            line.push(m);
            if is_quiet(&end) {
                break;
            }
        }
    }
    line
}

/// Compares the material after the move played and its refutation with that after the better line.
pub(super) fn words(case: &Case<'_>) -> Option<String> {
    let bad_line = [&[case.played], &case.refutation[..]].concat();
    let bad = Outcome::of(case.before, &bad_line);
    let good = Outcome::of(case.before, &case.better);
    if good.gain <= bad.gain {
        return None;
    }
    if -bad.gain >= good.gain { loss(&bad) } else { win(&good) }
}

/// What the refutation wins, although the better line loses as much.
pub(super) fn words_for_refutation(case: &Case<'_>) -> Option<String> {
    let bad_line = [&[case.played], &case.refutation[..]].concat();
    let bad = Outcome::of(case.before, &bad_line);
    if bad.gain < 0 { loss(&bad) } else { None }
}

/// What the move played loses, with the moves of its refutation up to where it is counted.
fn loss(bad: &Outcome<'_>) -> Option<String> {
    let Count { cost, plies } = bad.count(-1)?;
    let (from, line) = bad.shown(1, plies);
    let words = match men(cost.own, cost.other) {
        _ if bad.promotes(!bad.position.turn(), plies) => format!("{LETS} a pawn become a queen"),
        Some(Men { words, is_exchange: true, .. }) => format!("{GIVES} {words}"),
        Some(Men { words, only, .. }) => {
            let placed = placed(words, only, bad.only_capture(1, plies));
            format!("{LOSES} {placed}{}", cause(&from, line, only))
        }
        None => format!("{LOSES} material {}", in_pawns(&cost)),
    };
    Some(with_line(words, &from, line))
}

/// What the better line would win, with its moves up to where it is counted.
fn win(good: &Outcome<'_>) -> Option<String> {
    let Count { cost, plies } = good.count(1)?;
    let (from, line) = good.shown(0, plies);
    let words = match men(cost.other, cost.own) {
        _ if good.promotes(good.position.turn(), plies) => format!("{MISSES} the promotion of a pawn"),
        Some(Men { words, only, .. }) => {
            let placed = placed(words, only, good.only_capture(0, plies));
            format!("{MISSES} the win of {placed}{}", cause(&from, line, only))
        }
        None => format!("{MISSES} the win of material {}", in_pawns(&cost)),
    };
    Some(with_line(words, &from, line))
}

/// `loses a pawn: 31. Qxf6`, or `loses a pawn in the end` if the line is long.
fn with_line(words: String, from: &Position, line: &[Move]) -> String {
    if line.len() > SHOWN { words + " in the end" } else { format!("{words}: {}", numbered(from, line)) }
}

/// By what a man falls in a line that is shown; empty if nothing is known.
fn cause(from: &Position, line: &[Move], only: Option<Role>) -> String {
    let is_shown = line.len() <= SHOWN;
    is_shown.then(|| patterns::cause(from, line, only)).flatten().unwrap_or_default()
}

/// `worth 4 pawns`
fn in_pawns(cost: &Cost) -> String {
    format!("worth {}", counted(cost.gain().unsigned_abs().into(), "pawn", "pawns"))
}

/// `the knight on f6` instead of `a knight`, if `capture` takes the only man.
fn placed(words: String, only: Option<Role>, capture: Option<&Move>) -> String {
    match (only, capture) {
        (Some(role), Some(m)) => format!("the {} on {}", notation::role(role), m.to()),
        _ => words,
    }
}

/// The men that are lost for others.
struct Men {
    words: String,
    /// Whether others are won for them.
    is_exchange: bool,
    /// The role, if it is a single man.
    only: Option<Role>,
}

/// Names the men `lost` for the men `won`: `a knight`, `the exchange`, `the queen for a rook`. `None` if a
/// pawn is promoted, or if too many are exchanged to say it shortly.
fn men(mut lost: [i32; 5], mut won: [i32; 5]) -> Option<Men> {
    if lost.iter().chain(&won).any(|count| *count < 0) {
        return None;
    }
    // Men of a kind, and bishops and knights, are exchanged for each other.
    for (mine, theirs) in [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (2, 3), (3, 2)] {
        let both = lost[mine].min(won[theirs]);
        lost[mine] -= both;
        won[theirs] -= both;
    }
    let list = |counts: [i32; 5]| {
        let there = MEN.iter().zip(counts).filter(|(_, count)| *count > 0);
        let named = there.map(|(man, count)| match (count, notation::role(*man)) {
            (1, "queen") => "the queen".into(),
            (1, name) => format!("a {name}"),
            (2, name) => format!("two {name}s"),
            (_, name) => format!("{count} {name}s"),
        });
        named.collect::<Vec<String>>()
    };
    let (mine, theirs) = (list(lost), list(won));
    let named = |words, is_exchange: bool| {
        let is_single = lost.iter().sum::<i32>() == 1 && !is_exchange;
        let single = MEN.iter().zip(lost).find(|(_, count)| is_single && *count == 1);
        let only = single.map(|(man, _)| *man);
        Some(Men { words, is_exchange, only })
    };
    match (&mine[..], &theirs[..]) {
        ([rook], [minor]) if *rook == "a rook" && ["a bishop", "a knight"].contains(&minor.as_str()) => {
            Some(Men { words: "the exchange".into(), is_exchange: false, only: None })
        }
        ([_] | [_, _], []) => named(mine.join(" and "), false),
        ([_] | [_, _], [_] | [_, _]) => {
            named(format!("{} for {}", mine.join(" and "), theirs.join(" and ")), true)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::reasons::tests::line;

    /// The words on the first of `played`, which is followed by its refutation; instead of it there is the
    /// line `better`.
    fn words(fen: &str, played: &str, better: &str) -> Option<String> {
        let start = Position::from_fen(fen).unwrap();
        let moves = line(&start, played);
        let case = Case {
            before: &start,
            played: moves[0],
            refutation: moves[1..].to_vec(),
            better: line(&start, better),
        };
        super::words(&case)
    }

    #[test]
    fn material_is_counted_along_the_lines() {
        let queens = "6k1/5ppp/8/3r4/8/5N2/5PPP/3Q2K1 w - - 0 1";
        for (fen, played, better, expected) in [
            (
                "4k3/8/5n2/8/8/8/5Q2/4K3 b - - 0 31",
                "Kd7 Qxf6 Kc7 Qe6",
                "Ng8 Qg3 Kf7",
                Some("loses the knight on f6: 32. Qxf6"),
            ),
            (queens, "h3 Rxd1+ Kh2 h6", "Qxd5 h6 h3", Some("loses the queen on d1: 1... Rxd1+ 2. Kh2")),
            (queens, "Qa1 Rd8 h3", "Qxd5 h6 h3 Kf8", Some("misses the win of the rook on d5: 1. Qxd5")),
            (queens, "Qa1 Rd8 h3", "Qb1 h6 h3", None),
            (queens, "Qxd5 h6 h3 Kf8", "Qxd5 Kf8 h3 h6", None),
            ("r5k1/5ppp/8/8/8/1b6/5PPP/3R2K1 w - - 0 9", "h3 Bxd1", "Ra1 Rxa1#", None),
            (
                "r5k1/5ppp/8/8/4b3/8/5PPP/1R4K1 w - - 0 9",
                "h3 Bxb1 Kh2 h6",
                "Rc1 h6 h3 Kh7",
                Some("loses the rook on b1: 9... Bxb1"),
            ),
            (
                "6k1/5ppp/8/8/8/2n5/R4PPP/3B2K1 w - - 0 9",
                "h3 Nxa2 Bb3 h6 Bxa2 Kf8 h4",
                "Rd2 Nxd1 Rxd1",
                Some("loses the exchange: 9... Nxa2 10. Bb3 h6 11. Bxa2"),
            ),
            (
                "8/8/8/8/8/5k2/p7/2K5 w - - 0 1",
                "Kd2 a1=Q Kd3",
                "Kb2 Ke4 Kxa2",
                Some("lets a pawn become a queen: 1... a1=Q"),
            ),
        ] {
            assert_eq!(words(fen, played, better).as_deref(), expected, "{fen}: {played}");
        }
    }

    /// The pawn on b5 can be taken all the time, so that no place is quiet.
    #[test]
    fn an_exchange_is_counted_where_it_ends_if_no_place_is_quiet() {
        let fen = "6k1/7p/2n5/1p6/8/2N1P3/7P/3Q2K1 w - - 0 9";
        let said = words(fen, "Qd4 Nxd4 exd4 h6 h3 h5 h4 Kf8 Kf1", "Qd5 Kg7 h3 h6 Kf2");
        assert_eq!(said.as_deref(), Some("gives the queen for a knight: 9... Nxd4 10. exd4"));
    }

    #[test]
    fn nothing_is_said_where_a_line_ends_in_an_exchange() {
        let fen = "6k1/5ppp/8/2b5/3N4/8/5PPP/3R2K1 w - - 0 1";
        assert_eq!(words(fen, "h3 Bxd4", "Nb3 Bb6 h3 h6"), None, "White may take back");
        let fen = "6k1/5ppp/8/2b5/3N4/8/5PPP/4R1K1 w - - 0 1";
        let lost = words(fen, "h3 Bxd4", "Nb3 Bb6 h3 h6");
        assert_eq!(lost.as_deref(), Some("loses the knight on d4: 1... Bxd4"));
    }
}
