//! Good moves that deserve a word: the only one that holds or wins, and a sacrifice that is right.
//!
//! Praise is rare on purpose. A move that anybody would play gets none: one of two legal moves, a mate, a
//! promotion, a recapture, a capture that wins a piece at once. Neither do only moves that follow a praised
//! one.

use shakmaty::{Move, Role};

use super::{
    GameReport,
    marks::win_chances,
    opinions::seen_from_before,
    reasons::{CLEAR, best_capture, gain_of, settled, worth},
};
use crate::chess::{
    notation::{self, numbered},
    position::Position,
    remarks::{
        Judgement,
        earlier::{HOLDS, SACRIFICE, WINS},
    },
    value::{MATE_BOUND, Value, material_value},
};

/// The value from which a position counts as won, in centipawns.
const WON: Value = 300;

/// The value above which a sacrifice needs no courage, unless it mates.
const DECIDED: Value = 600;

/// The gain of a capture that anybody would play, in centipawns.
const PIECE: Value = material_value(Role::Knight) - material_value(Role::Pawn);

/// The number of moves of a player after a praised one that are not praised as only moves.
const AFTER_PRAISE: usize = 4;

/// The nodes of a first glance at the other moves.
const GLANCE: u64 = 2_000;

impl GameReport {
    /// Praises the sacrifices. `best_line` searches the best line of a position, for lines that end in an
    /// exchange.
    pub(super) fn praise_sacrifices(&mut self, best_line: &mut dyn FnMut(&Position) -> Vec<Move>) {
        for ply in 0..self.moves.len() {
            self.moves[ply].praise = self.sacrifice(ply, best_line);
        }
    }

    /// Praises the only moves that hold or win, after the sacrifices. `best_of` searches the best value among
    /// moves of a position, with a number of nodes or else within the limits of the analysis; it is `None` if
    /// there was no time.
    pub(super) fn praise_only_moves(
        &mut self,
        mut best_of: impl FnMut(&Position, &[Move], Option<u64>) -> Option<Value>,
    ) {
        for ply in 0..self.moves.len() {
            let mut own_moves = (0..=AFTER_PRAISE).filter_map(|moves| ply.checked_sub(2 * moves));
            if !own_moves.any(|own| self.moves[own].praise.is_some()) {
                self.moves[ply].praise = self.only_move(ply, &mut best_of).map(str::to_owned);
            }
        }
    }

    /// The move at `ply`, if it is the choice of the search and not obvious.
    fn candidate(&self, ply: usize) -> Option<Move> {
        let (position, judged) = (&self.positions[ply], &self.moves[ply]);
        let m =
            judged.m.filter(|m| self.opinions[ply].pv.first() == Some(m) && judged.judgement.is_none())?;
        let last = ply.checked_sub(1).and_then(|last| self.moves[last].m).filter(|last| last.is_capture());
        let takes_back = m.is_capture() && last.is_some_and(|last| last.to() == m.to());
        let is_over = self.positions[ply + 1].legal_moves().is_empty();
        let is_obvious = takes_back || is_over || m.is_promotion() || position.legal_moves().len() < 3;
        (!is_obvious).then_some(m)
    }

    /// Whether every other move at `ply` would be a blunder that lets a draw or a win go.
    fn only_move(
        &self,
        ply: usize,
        best_of: &mut impl FnMut(&Position, &[Move], Option<u64>) -> Option<Value>,
    ) -> Option<&'static str> {
        let m = self.candidate(ply)?;
        let (position, value) = (&self.positions[ply], self.opinions[ply].value);
        let wins_a_piece = m.is_capture() && position.see_at_least(m, PIECE);
        if value <= -CLEAR || wins_a_piece {
            return None;
        }
        let others: Vec<Move> = position.legal_moves().into_iter().filter(|other| *other != m).collect();
        let mut words = None;
        for nodes in [Some(GLANCE), None] {
            let other = best_of(position, &others, nodes)?;
            let is_blunder = Judgement::of(value, other) == Some(Judgement::Blunder);
            words = match (value >= WON, other < CLEAR / 3) {
                _ if !is_blunder => return None,
                (true, true) => Some(WINS),
                _ if other <= -CLEAR => Some(HOLDS),
                _ => return None,
            };
        }
        words
    }

    /// A piece that the move at `ply` gives for less, in a position that is not worse after it. It is still
    /// missing when the best line is quiet; otherwise it was exchanged.
    fn sacrifice(&self, ply: usize, best_line: &mut dyn FnMut(&Position) -> Vec<Move>) -> Option<String> {
        let m = self.candidate(ply)?;
        let (before, after) = (&self.positions[ply], &self.positions[ply + 1]);
        let value = seen_from_before(self.opinions[ply + 1].value);
        let mates = value >= MATE_BOUND;
        let is_right = win_chances(value) >= win_chances(-CLEAR / 3);
        if !is_right || (self.opinions[ply].value > DECIDED && !mates) {
            return None;
        }
        let (capture, gain) = best_capture(after)?;
        let victim = capture.capture().filter(|role| *role != Role::Pawn)?;
        let given = gain - m.capture().map_or(0, worth);
        // What was lost anyhow is no sacrifice.
        let mut passed = before.clone();
        passed.play_or_pass(None);
        let was_lost = before.is_check() || best_capture(&passed).is_some_and(|(_, gain)| gain >= given);
        if given < 1 || was_lost {
            return None;
        }
        let line = settled(after, self.refutation(ply), best_line);
        if gain_of(before, &[&[m], &line[..]].concat()) >= 0 {
            return None;
        }
        let is_accepted = self.opinions[ply + 1].pv.first() == Some(&capture);
        let shown = if is_accepted { format!(": {}", numbered(after, &[capture])) } else { String::new() };
        Some(format!("{SACRIFICE}the {} on {}{shown}", notation::role(victim), capture.to()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::report;

    #[test]
    fn only_moves_and_sacrifices_are_praised() {
        for (fen, moves, expected) in [
            ("8/8/8/1k6/8/1K6/1P6/8 w - - 0 1", "1. Kc3 Kc5", Some(HOLDS)),
            // By a solution of king and pawn against king: one move wins here, and three there.
            ("8/8/6k1/8/4P3/4K3/8/8 w - - 0 1", "1. Kd4", Some(WINS)),
            ("8/3k4/8/4K3/4P3/8/8/8 w - - 0 1", "1. Kf6", None),
            ("8/4k3/8/8/4K3/4P3/8/8 b - - 0 1", "1... Ke6 2. Kd4", Some(HOLDS)),
            ("3qk3/8/8/8/8/8/8/3QK3 w - - 0 1", "1. Qxd8+ Kxd8", None),
            (
                "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 1 16",
                "16. Qb8+ Nxb8 17. Rd8#",
                Some("a sound sacrifice of the queen on b8: 16... Nxb8"),
            ),
        ] {
            let pgn = format!("[FEN \"{fen}\"]\n\n{moves} *");
            let report = report(&pgn, 20_000);
            let praised: Vec<&str> =
                report.moves.iter().filter_map(|judged| judged.praise.as_deref()).collect();
            assert_eq!(praised, expected.into_iter().collect::<Vec<_>>(), "{fen} {moves}");
        }
    }

    /// Both are taken back: the rook by a skewer, the knight by a fork.
    #[test]
    fn what_is_won_back_is_no_sacrifice() {
        for (fen, moves) in [
            ("3q4/p2k1ppp/3p4/8/8/8/PPP2PPP/3RR1K1 w - - 0 1", "1. Rxd6+ Kxd6 2. Rd1+"),
            ("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R b KQkq - 5 4", "4... Nxe4 5. Nxe4 d5"),
        ] {
            let report = report(&format!("[FEN \"{fen}\"]\n\n{moves} *"), 20_000);
            let praise = report.moves[0].praise.as_deref();
            assert!(praise.is_none_or(|words| !words.starts_with(SACRIFICE)), "{moves}: {praise:?}");
        }
    }
}
