//! Why a move is bad, in a sentence that its lines prove: a mate, material, a pattern such as a fork, a draw.
//! Where they prove nothing, what changed.
//!
//! Two lines speak about a move: the one that refutes it, and the better one. Material is counted on the
//! board where such a line has become quiet. A line that ends in the middle of an exchange is lengthened by
//! searches of its end.

mod changes;
mod material;
mod patterns;
mod theme;

use shakmaty::{Bitboard, Move, Position as _, Rank, attacks::king_attacks};

pub(super) use material::{best_capture, gain_of, settled, worth};
pub use theme::Theme;

use super::{GameReport, LINE_LENGTH, MateSlip, opinions::seen_from_before, standing::Standing};
use crate::chess::remarks::earlier::verbs::{
    ALLOWS, GIVES, HANDS, LETS, LOSES, MAKES, MISSES, SHORTENS, STALEMATE, THROWS, TURNS, WORSENS,
};
use crate::chess::{
    notation::{numbered, pawns},
    position::Position,
    remarks::Judgement,
    value::{DRAW, Value},
};

/// What proves a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Proof {
    /// A forced mate is allowed or missed.
    Mate,
    /// Material, counted at the end of a line.
    Material,
    /// A fork, a skewer, a discovered attack or a pin, seen on the board.
    Pattern,
    /// A draw is allowed, or one is missed.
    Draw,
    /// The values before and after the move.
    Values,
}

/// Why a move is bad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// What proves it.
    pub proof: Proof,
    /// The sentence, without its beginning and its full stop: `loses the knight on f6: 31. Qxf6`.
    pub words: String,
}

impl Reason {
    /// The sentence without the moves or the values that prove it.
    #[must_use]
    pub fn short(&self) -> &str {
        self.words.split(':').next().unwrap_or_default()
    }
}

/// The value from which one side is clearly better, in centipawns.
pub(super) const CLEAR: Value = 150;

/// The number of men up to which a value of 0.00 is that of a draw.
const FEW_MEN: usize = 10;

/// The most plies of a line that is lengthened.
const LONGEST: usize = 24;

/// A move in question with its two lines, from the position before it.
struct Case<'r> {
    before: &'r Position,
    played: Move,
    /// The best answer and what follows.
    refutation: Vec<Move>,
    /// The better move and what follows; empty if there is none.
    better: Vec<Move>,
}

impl GameReport {
    /// Says why the moves are bad. `best_line` searches the best line of a position, for lines that end in an
    /// exchange; it is empty if there was no time. Inaccuracies get only what is proved.
    pub(super) fn give_reasons(&mut self, best_line: &mut dyn FnMut(&Position) -> Vec<Move>) {
        let mut reasons: Vec<_> = (0..self.moves.len()).map(|ply| self.reason(ply, best_line)).collect();
        // What the reply missed is what the move lost.
        for ply in 1..reasons.len() {
            let (before, reply) = reasons.split_at_mut(ply);
            if let (Some(reason @ Reason { proof: Proof::Values, .. }), Some(reply)) =
                (&mut before[ply - 1], &reply[0])
                && let Some(words) =
                    from_the_other_side(&reply.words, self.moves[ply - 1].m.is_some_and(Move::is_capture))
            {
                *reason = Reason { proof: reply.proof, words };
            }
        }
        self.moves.iter_mut().zip(reasons).for_each(|(judged, reason)| judged.reason = reason);
    }

    fn reason(&self, ply: usize, best_line: &mut dyn FnMut(&Position) -> Vec<Move>) -> Option<Reason> {
        let judged = &self.moves[ply];
        let judgement = judged.judgement?;
        let reason = |proof, words| Some(Reason { proof, words });
        if let Some(words) = self.mate(ply, best_line) {
            return reason(Proof::Mate, words);
        }
        let (before, after) = (&self.positions[ply], &self.positions[ply + 1]);
        if after.legal_moves().is_empty() {
            return reason(Proof::Draw, STALEMATE.into());
        }
        let case = Case {
            before,
            played: judged.m?,
            refutation: material::settled(after, self.refutation(ply), best_line),
            better: material::settled(before, &judged.better, best_line),
        };
        if let Some(words) = material::words(&case) {
            return reason(Proof::Material, words);
        }
        if let Some(words) = patterns::words(&case) {
            return reason(Proof::Pattern, words);
        }
        let words = match judgement {
            Judgement::Inaccuracy => None,
            _ => material::words_for_refutation(&case),
        };
        if let Some(words) = words {
            return reason(Proof::Material, words);
        }
        let values = [self.opinions[ply].value, seen_from_before(self.opinions[ply + 1].value)];
        let shown = [ply, ply + 1].map(|ply| pawns(self.white_value(ply))).join(" to ");
        if let Some(words) = draw(before, values) {
            return reason(Proof::Draw, format!("{words}: {shown}"));
        }
        match judgement {
            Judgement::Inaccuracy => None,
            _ => {
                let seen = changes::words(&case).map(|words| format!("; {words}")).unwrap_or_default();
                reason(Proof::Values, format!("{}: {shown}{seen}", change(values)))
            }
        }
    }

    /// The mate that the move at `ply` allows or misses, with its first move. Another search may find that a
    /// longer mate was forced already.
    fn mate(&self, ply: usize, best_line: &mut dyn FnMut(&Position) -> Vec<Move>) -> Option<String> {
        let judged = &self.moves[ply];
        let slip = judged.mate_slip?;
        let (position, line) = match slip {
            MateSlip::Allows(_) => (&self.positions[ply + 1], self.refutation(ply)),
            MateSlip::Misses(_) => (&self.positions[ply], &judged.better[..]),
        };
        let on = if mates_on_back_rank(position, line) { " on the back rank" } else { "" };
        let first = line.first().map(|&m| format!(": {}", numbered(position, &[m])));
        let words = match slip {
            MateSlip::Allows(moves) if is_mated(&self.positions[ply], best_line) => {
                format!("{SHORTENS} the game to mate in {moves}")
            }
            _ => slip.to_string(),
        };
        Some(format!("{words}{on}{}", first.unwrap_or_default()))
    }

    /// The line that answers the move at `ply` best.
    #[must_use]
    pub fn refutation(&self, ply: usize) -> &[Move] {
        let line = &self.opinions[ply + 1].pv;
        &line[..line.len().min(LINE_LENGTH)]
    }
}

/// The position after `line`.
fn after(position: &Position, line: &[Move]) -> Position {
    let mut after = position.clone();
    for &m in line {
        after.play(m);
    }
    after
}

/// Whether the side to move is mated at the end of its best line.
fn is_mated(position: &Position, best_line: &mut dyn FnMut(&Position) -> Vec<Move>) -> bool {
    let end = after(position, &best_line(position));
    end.is_checkmate() && end.turn() == position.turn()
}

/// Whether `line` mates a king on its first rank behind its own men, along the rank.
fn mates_on_back_rank(position: &Position, line: &[Move]) -> bool {
    let end = after(position, line);
    let (side, board) = (end.turn(), end.chess().board());
    let Some(king) = board.king_of(side).filter(|_| end.is_checkmate()) else { return false };
    let rank = Bitboard::from_rank(side.fold_wb(Rank::First, Rank::Eighth));
    let is_on = |square| rank.contains(square);
    let in_front = king_attacks(king) & !rank;
    is_on(king) && end.checkers().into_iter().all(is_on) && board.by_color(side).is_superset(in_front)
}

/// What a move does to a draw, by the values before and after it for its player. A value of 0.00 counts as a
/// draw only with few men: with more, a repetition in the search may be all that it means.
fn draw(position: &Position, [before, after]: [Value; 2]) -> Option<String> {
    if position.chess().board().occupied().count() > FEW_MEN {
        return None;
    }
    match (before, after) {
        (CLEAR.., DRAW) => Some(format!("{LETS} the win go, for a draw")),
        (DRAW, _) if after <= -CLEAR => Some(format!("{THROWS} the draw away")),
        _ => None,
    }
}

/// What has changed, by the values before and after the move for its player. None of the phrases claims more
/// than where both stand. docs/analyse.md has the table.
fn change(values: [Value; 2]) -> String {
    use Standing::{Better, Level, Lost, Won, Worse};
    let [before, after] = values.map(Standing::of);
    match (before, after) {
        (Won, Won) | (Better, Better) => format!("{LETS} a part of the advantage go"),
        (Won, Better) => format!("{LETS} the win shrink to an advantage"),
        (Won, Level) => format!("{LETS} the win go"),
        (Won, Worse) => format!("{TURNS} a won game into a worse one"),
        (Won, Lost) => format!("{TURNS} a won game into a lost one"),
        (Better, Level) => format!("{LETS} the advantage go"),
        (Better, Worse) => format!("{HANDS} the advantage over"),
        (Better, Lost) => format!("{TURNS} a better game into a lost one"),
        (Level, Worse) => format!("{GIVES} the opponent the better game"),
        (Level, Lost) => format!("{GIVES} the opponent a winning game"),
        (Worse, Worse) => format!("{MAKES} a bad position worse"),
        (Worse, Lost) => format!("{MAKES} a bad position lost"),
        (Lost, Lost) => format!("{MAKES} a lost position worse"),
        _ => format!("{WORSENS} the position"),
    }
}

/// The sentence of a move, made from that of its reply, which is bad too: where the reply misses the win of
/// the knight on g4, the move loses the knight on g4, or only allows that if it takes something itself.
/// `None` if the reply misses nothing.
fn from_the_other_side(missed: &str, takes: bool) -> Option<String> {
    let what = missed.strip_prefix(MISSES)?;
    Some(match (what.strip_prefix(" the win of"), what.strip_prefix(" the promotion of a pawn")) {
        (Some(men), _) if !takes => format!("{LOSES}{men}"),
        (_, Some(line)) => format!("{LETS} a pawn become a queen{line}"),
        _ => format!("{ALLOWS}{what}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{notation::read_move, pgn::read_games},
        engine::{
            eval::Classical,
            search::{Limits, Searcher, Stop},
        },
        report::{Values, analyse},
    };

    /// The moves of `text`, in SAN, played from `start`.
    pub(super) fn line(start: &Position, text: &str) -> Vec<Move> {
        let mut position = start.clone();
        let moves = text.split(' ').map(|text| {
            let m = read_move(position.chess(), text).expect(text);
            position.play(m);
            m
        });
        moves.collect()
    }

    #[test]
    fn what_changed_is_said_by_the_values() {
        for (values, expected) in [
            ([900, 400], "lets a part of the advantage go"),
            ([301, 149], "lets the win shrink to an advantage"),
            ([400, 10], "lets the win go"),
            ([400, -200], "turns a won game into a worse one"),
            ([400, -400], "turns a won game into a lost one"),
            ([290, 120], "lets a part of the advantage go"),
            ([200, 10], "lets the advantage go"),
            ([200, -200], "hands the advantage over"),
            ([200, -400], "turns a better game into a lost one"),
            ([60, -60], "worsens the position"),
            ([-97, -266], "gives the opponent the better game"),
            ([0, -400], "gives the opponent a winning game"),
            ([-130, -290], "makes a bad position worse"),
            ([-248, -773], "makes a bad position lost"),
            ([-400, -900], "makes a lost position worse"),
        ] {
            assert_eq!(change(values), expected, "{values:?}");
        }
    }

    /// With many men a value of 0.00 may be that of a repetition.
    #[test]
    fn a_draw_is_thrown_away_with_few_men() {
        let rook = Position::from_fen("8/5k2/8/8/8/8/1r4PK/R7 w - - 0 1").unwrap();
        assert_eq!(draw(&rook, [0, -300]).as_deref(), Some("throws the draw away"));
        assert_eq!(draw(&rook, [300, 0]).as_deref(), Some("lets the win go, for a draw"));
        assert_eq!(draw(&rook, [10, -300]), None);
        assert_eq!(draw(&Position::default(), [0, -300]), None);
    }

    #[test]
    fn what_the_reply_misses_is_what_the_move_loses() {
        for (missed, lost) in [
            ("misses the win of the knight on g4: 13. Qxg4", Some("loses the knight on g4: 13. Qxg4")),
            ("misses the promotion of a pawn: 57. a8=Q", Some("lets a pawn become a queen: 57. a8=Q")),
            ("misses a fork of king and rook: 9. Nc7+", Some("allows a fork of king and rook: 9. Nc7+")),
            ("misses mate in 2: 9. Qh5+", Some("allows mate in 2: 9. Qh5+")),
            ("lets the advantage go: +2.10 to +0.30", None),
        ] {
            assert_eq!(from_the_other_side(missed, false).as_deref(), lost);
        }
        let missed = "misses the win of the knight on e5: 13... dxe5";
        let allowed = "allows the win of the knight on e5: 13... dxe5";
        assert_eq!(from_the_other_side(missed, true).as_deref(), Some(allowed), "after a capture");
    }

    /// Otherwise a second analysis would not recognise the sentence as ours.
    #[test]
    fn sentences_are_taken_back_by_a_second_analysis() {
        let game = |annotated: &str| read_games(annotated.as_bytes()).unwrap().remove(0).unwrap();
        let annotated = |game| {
            let mut searcher = Searcher::<Classical>::new(1);
            analyse(1, game, &mut searcher, &Limits::nodes(3000), &Stop::default(), |_, _| ())
                .annotated(Values::Text)
        };
        let once = annotated(game(
            "1. e4 e5 2. Nf3 d6 3. Bc4 Qe7 4. Nc3 Qg5 5. Nxg5 h6 6. Nf3 a6 7. Nxe5 dxe5 8. Qh5 *",
        ));
        let text = once.to_pgn();
        assert!(text.replace('\n', " ").contains(", blunder, "), "{text}");
        assert_eq!(annotated(game(&text)).to_pgn(), text);
    }
}
