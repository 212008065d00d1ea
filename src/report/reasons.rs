//! Why a move is bad, in words that its lines prove: a mate, a stalemate, or material that is counted on the board along
//! the lines. Where the lines prove nothing there are no words.

use shakmaty::{Color, Move, Position as _, Role};

use super::{GameReport, LINE_LENGTH, MateSlip};
use crate::chess::{notation::numbered, position::Position};

/// The roles that are counted, with their names and their values in pawns.
const MEN: [(Role, &str, i32); 5] = [
    (Role::Queen, "queen", 9),
    (Role::Rook, "rook", 5),
    (Role::Bishop, "bishop", 3),
    (Role::Knight, "knight", 3),
    (Role::Pawn, "pawn", 1),
];

/// The longest line in the words, in plies.
const SHOWN: usize = 5;

/// How far the search of captures looks, in plies.
const TAKING: u32 = 8;

/// How many men of each of [`MEN`] a line costs both sides. A new queen is a cost of −1.
#[derive(Clone, Copy)]
struct Cost {
    own: [i32; 5],
    other: [i32; 5],
}

impl Cost {
    /// The cost for `player` from `before` to `after`.
    fn of(player: Color, before: &Position, after: &Position) -> Self {
        let men = |position: &Position, side| {
            MEN.map(|(role, ..)| {
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
            .map(|((.., value), (other, own))| value * (other - own))
            .sum()
    }
}

/// What a line brings a player who plays its first move.
struct Outcome {
    /// The cost after each ply; the first is that of no move.
    costs: Vec<Cost>,
    /// The number of plies after which the material was counted last.
    settled: usize,
    /// Whether a pawn is promoted before.
    promotes: bool,
}

impl Outcome {
    /// `None` if nothing can be said, because `against` can still win something where the line ends.
    fn of(position: &Position, line: &[Move], against: Color) -> Option<Self> {
        let mut after = position.clone();
        let mut costs = vec![Cost::of(position.turn(), position, position)];
        let mut settled = None;
        for &m in line {
            // What is taken behind the last quiet position might be taken back.
            settled = settled.filter(|_| !takes(&m));
            after.play(m);
            costs.push(Cost::of(position.turn(), position, &after));
            if is_quiet(&after, against) {
                settled = Some(costs.len() - 1);
            }
        }
        let settled = settled?;
        let promotes = line[..settled].iter().any(|m| m.is_promotion());
        Some(Self { costs, settled, promotes })
    }

    fn cost(&self) -> &Cost {
        &self.costs[self.settled]
    }

    /// The number of plies after which the player has for good what he has in the end, or more (`sign` 1), or less (−1).
    fn decided(&self, sign: i32) -> usize {
        let end = sign * self.cost().gain();
        let earlier = self.costs[..=self.settled].iter().rposition(|cost| sign * cost.gain() < end);
        earlier.map_or(0, |ply| ply + 1)
    }
}

fn takes(m: &Move) -> bool {
    m.is_capture() || m.is_promotion()
}

/// Whether `side` wins nothing by taking, also if it were to move.
fn is_quiet(position: &Position, side: Color) -> bool {
    if position.turn() == side {
        return taken(position, 0, 1, TAKING) == 0;
    }
    let mut passed = position.clone();
    !position.is_check() && {
        passed.play_or_pass(None);
        taken(&passed, 0, 1, TAKING) == 0
    }
}

/// The material that the side to move wins in an alpha-beta search of `plies` in which each side takes something or stops.
fn taken(position: &Position, mut alpha: i32, beta: i32, plies: u32) -> i32 {
    alpha = alpha.max(0);
    let value = |role: Role| MEN.iter().find(|(man, ..)| *man == role).map_or(0, |(.., value)| *value);
    let moves = position.legal_moves().into_iter().filter(takes);
    let mut gains: Vec<(i32, Move)> = moves
        .map(|m| (m.capture().map_or(0, value) + m.promotion().map_or(0, |role| value(role) - 1), m))
        .collect();
    gains.sort_by_key(|(gain, _)| -gain);
    for (gain, m) in gains {
        if alpha >= beta || plies == 0 {
            break;
        }
        let mut after = position.clone();
        after.play(m);
        alpha = alpha.max(gain - taken(&after, gain - beta, gain - alpha, plies - 1));
    }
    alpha
}

impl GameReport {
    /// Says why the move at `ply` is bad, such as `loses the knight on f6: 31. Qxf6`, if its lines prove it.
    #[must_use]
    pub fn reason(&self, ply: usize) -> Option<String> {
        let judged = &self.moves[ply];
        judged.judgement?;
        let refutation = self.refutation(ply);
        let (before, after) = (&self.positions[ply], &self.positions[ply + 1]);
        let with_move = |words: String, position, line: &[Move]| match line.first() {
            Some(&m) => format!("{words}: {}", numbered(position, &[m])),
            None => words,
        };
        match judged.mate_slip {
            Some(slip @ MateSlip::Allows(_)) => Some(with_move(slip.to_string(), after, refutation)),
            Some(slip @ MateSlip::Misses(_)) => Some(with_move(slip.to_string(), before, &judged.better)),
            None => material(before, judged.m?, refutation, &judged.better),
        }
    }

    /// The line that answers the move at `ply` best.
    #[must_use]
    pub fn refutation(&self, ply: usize) -> &[Move] {
        let line = &self.opinions[ply + 1].pv;
        &line[..line.len().min(LINE_LENGTH)]
    }
}

/// Compares the material after `played` and its `refutation` with that after the `better` line.
fn material(position: &Position, played: Move, refutation: &[Move], better: &[Move]) -> Option<String> {
    let mut after = position.clone();
    after.play(played);
    if after.legal_moves().is_empty() && !after.is_check() {
        return Some("stalemate".into());
    }
    let bad = Outcome::of(position, &[&[played], refutation].concat(), position.turn())?;
    let good = Outcome::of(position, better, !position.turn())?;
    let queens = |cost: [i32; 5]| -cost[0];
    if queens(bad.cost().other) > 0 && queens(good.cost().other) <= 0 {
        let plies = bad.costs.iter().position(|cost| queens(cost.other) > 0)?;
        return Some(format!(
            "lets a pawn become a queen{}",
            shown(&after, refutation, plies.checked_sub(1)?)
        ));
    }
    // The counts do not tell a queen that was traded from a pawn that became one.
    if bad.promotes || good.promotes {
        return None;
    }
    let (lost, won) = (bad.cost().gain(), good.cost().gain());
    if lost < 0 && won >= 0 {
        let Cost { own, other } = *bad.cost();
        // In the middle of an exchange, what was taken before would have to be counted, too.
        let words = if won == 0 || other == [0; 5] { men(own, other)? } else { return None };
        let plies = bad.decided(-1).checked_sub(1)?;
        return Some(format!(
            "loses {}",
            with_moves(&words, own, &after, refutation, plies, position.turn())?
        ));
    }
    if lost == 0 && won > 0 {
        let Cost { own, other } = *good.cost();
        let plies = good.decided(1);
        return Some(format!(
            "misses the win of {}",
            with_moves(&men(other, own)?, other, position, better, plies, !position.turn())?
        ));
    }
    None
}

/// Returns `words` for the men `taken` along a line after `plies` of its moves, with these moves; `the knight on f6` if its
/// first move takes it. `None` if `against` could then win something.
fn with_moves(
    words: &str,
    taken: [i32; 5],
    position: &Position,
    line: &[Move],
    plies: usize,
    against: Color,
) -> Option<String> {
    let mut after = position.clone();
    for &m in &line[..plies] {
        after.play(m);
    }
    if !is_quiet(&after, against) {
        return None;
    }
    let first = line.first().filter(|m| plies == 1 && m.is_capture());
    let only = MEN.iter().zip(taken).filter(|(_, count)| *count != 0);
    let is_alone = only.clone().count() == 1 && only.map(|(_, count)| count).sum::<i32>() == 1;
    let role = words.strip_prefix("a ").filter(|role| is_alone && !role.contains(' '));
    let words = match (first, role) {
        // En passant the pawn is beside the square.
        (Some(m), Some(role)) if !m.is_en_passant() => format!("the {role} on {}", m.to()),
        _ => words.to_owned(),
    };
    Some(words + &shown(position, line, plies))
}

/// The first `plies` moves of a line behind a colon, if they are few enough.
fn shown(position: &Position, line: &[Move], plies: usize) -> String {
    match plies {
        1..=SHOWN => format!(": {}", numbered(position, &line[..plies])),
        _ => String::new(),
    }
}

/// Names the men `lost` for the men `won`: `a knight`, `the exchange`, `a queen for a rook`. `None` if a pawn is promoted, or
/// if too many are exchanged to say it shortly.
fn men(mut lost: [i32; 5], mut won: [i32; 5]) -> Option<String> {
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
        let named = MEN.iter().zip(counts).filter(|(_, count)| *count > 0);
        let named = named.map(|((_, name, _), count)| match count {
            1 => format!("a {name}"),
            2 => format!("two {name}s"),
            _ => format!("{count} {name}s"),
        });
        named.collect::<Vec<String>>()
    };
    let (mine, theirs) = (list(lost), list(won));
    match (&mine[..], &theirs[..]) {
        ([rook], [minor]) if *rook == "a rook" && ["a bishop", "a knight"].contains(&minor.as_str()) => {
            Some("the exchange".into())
        }
        ([_] | [_, _], []) => Some(mine.join(" and ")),
        ([_], [_] | [_, _]) => Some(format!("{} for {}", mine[0], theirs.join(" and "))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words on the first of `played`, which is followed by its refutation; instead of it there is the line `better`.
    fn words(fen: &str, played: &str, better: &str) -> Option<String> {
        let start = Position::from_fen(fen).unwrap();
        let line = |text: &str| -> Vec<Move> {
            let mut position = start.clone();
            let moves = text.split(' ').map(|text| {
                let m = crate::chess::notation::read_move(position.chess(), text).unwrap();
                position.play(m);
                m
            });
            moves.collect()
        };
        let moves = line(played);
        material(&start, moves[0], &moves[1..], &line(better))
    }

    #[test]
    fn material_is_counted_along_the_lines() {
        let queens = "6k1/5ppp/8/3r4/8/5N2/5PPP/3Q2K1 w - - 0 1";
        for (fen, played, better, expected) in [
            (
                "4k3/8/5n2/8/8/8/5Q2/4K3 b - - 0 31",
                "Kd7 Qxf6 Kc7 Qe6",
                "Nd5 Qf3 Ke7",
                Some("loses the knight on f6: 32. Qxf6"),
            ),
            (queens, "h3 Rxd1+ Kh2 h6", "Qxd5 h6 h3", Some("loses the queen on d1: 1... Rxd1+")),
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
                "Ra8#",
                Some("loses the exchange: 9... Nxa2"),
            ),
            ("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", "Kg6", "Qf8+ Kh7 Kf5", Some("stalemate")),
            (
                "8/8/8/8/8/5k2/p7/2K5 w - - 0 1",
                "Kd2 a1=Q Kd3",
                "Kb2 Ke4 Kxa2",
                Some("lets a pawn become a queen: 1... a1=Q"),
            ),
            // Queens are traded and a pawn is promoted: that is no queen for a pawn.
            ("4q1k1/8/8/8/8/8/p3Q2P/5K2 w - - 0 1", "h3 Qxe2+ Kxe2 a1=Q Kd3", "Qb2 Kf7 Qa1 Kf8", None),
        ] {
            assert_eq!(words(fen, played, better).as_deref(), expected, "{fen}: {played}");
        }
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
