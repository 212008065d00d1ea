//! What changes on the board where neither material nor a pattern proves why a move is bad, by the ends of
//! its two lines.

use shakmaty::{Bitboard, Color, File, Move, Position as _, Rank, Role, Square, attacks::king_attacks};

use super::{Case, after};
use crate::{
    chess::position::Position,
    engine::eval::classical::{Tapered, pawns},
};

/// How soon an exchange of queens must come to be the reason, in plies.
const SOON: usize = 3;

/// What the move played brings about and the better one does not: `the queens are exchanged`.
pub(super) fn words(case: &Case<'_>) -> Option<String> {
    let bad_line = [&[case.played], &case.refutation[..]].concat();
    if let Some(words) = queens(case.before, &bad_line, &case.better) {
        return Some(words.into());
    }
    // The longer line would have had more time for everything.
    let plies = bad_line.len().min(case.better.len());
    let (bad_line, good_line) = (&bad_line[..plies], &case.better[..plies]);
    let ends = Ends {
        before: case.before,
        bad: &after(case.before, bad_line),
        good: &after(case.before, good_line),
        castles: [bad_line, good_line].map(|line| line.iter().step_by(2).any(|m| m.is_castle())),
    };
    ends.castling().or_else(|| ends.cover()).or_else(|| ends.passed_pawn())
}

/// Whether only one of the lines soon exchanges the queens.
fn queens(before: &Position, bad: &[Move], good: &[Move]) -> Option<&'static str> {
    let both_have_one = |position: &Position| {
        let board = position.chess().board();
        Color::ALL.into_iter().all(|side| (board.queens() & board.by_color(side)).any())
    };
    let end = |line: &[Move]| after(before, &line[..line.len().min(SOON)]);
    let is_exchange = |line: &[Move]| end(line).chess().board().queens().is_empty();
    let both_keep_one = |line: &[Move]| both_have_one(&end(line));
    match both_have_one(before) {
        true if is_exchange(bad) && both_keep_one(good) => Some("the queens are exchanged"),
        true if both_keep_one(bad) && is_exchange(good) => Some("the queens stay on the board"),
        _ => None,
    }
}

/// The position before the move, and the ends of the line that refutes it and of the better one.
struct Ends<'c> {
    before: &'c Position,
    bad: &'c Position,
    good: &'c Position,
    /// Whether the player castles in the bad line, and in the good one.
    castles: [bool; 2],
}

impl Ends<'_> {
    fn player(&self) -> Color {
        self.before.turn()
    }

    fn king(&self, position: &Position) -> Option<Square> {
        position.chess().board().king_of(self.player())
    }

    /// Whether the king stands on its first rank, beside the middle.
    fn is_castled(&self, position: &Position) -> bool {
        let first = self.player().fold_wb(Rank::First, Rank::Eighth);
        let is_beside = |king: Square| !matches!(king.file(), File::D | File::E | File::F);
        self.king(position).is_some_and(|king| king.rank() == first && is_beside(king))
    }

    /// The right to castle is lost, and kept or used in the better line.
    fn castling(&self) -> Option<String> {
        let has_right = |position: &Position| position.chess().castles().has_color(self.player());
        let [bad, good] = self.castles;
        let is_lost = has_right(self.before) && !has_right(self.bad) && !bad;
        let is_avoidable = has_right(self.good) || good;
        (is_lost && is_avoidable).then(|| "the king can no longer castle".into())
    }

    /// A castled king stays where it is, with fewer pawns in front of it.
    fn cover(&self) -> Option<String> {
        let king = self.king(self.before).filter(|_| self.is_castled(self.before))?;
        let near = king_attacks(king) & pawns::ahead(self.player(), king);
        let second = near.shift(self.player().fold_wb(8, -8));
        let pawns = |position: &Position| {
            (position.chess().board().by_piece(Role::Pawn.of(self.player())) & (near | second)).count()
        };
        let [before, bad, good] = [self.before, self.bad, self.good].map(pawns);
        let is_attacked = self.king(self.bad) == Some(king)
            && (self.bad.chess().board().queens() & self.others(self.bad)).any();
        (is_attacked && bad < before && bad < good).then(|| format!("the king on {king} has less cover"))
    }

    fn others(&self, position: &Position) -> Bitboard {
        position.chess().board().by_color(!self.player())
    }

    /// The other side gets a passed pawn beyond the middle, on a file where it had none.
    fn passed_pawn(&self) -> Option<String> {
        let passed = |position: &Position| {
            pawns::structure::<Tapered>(position.chess().board()).passed & self.others(position)
        };
        let [before, bad, good] = [self.before, self.bad, self.good].map(passed);
        let beyond = bad & self.player().fold_wb(Bitboard::SOUTH, Bitboard::NORTH);
        let is_new = |pawn: &Square| (Bitboard::from_file(pawn.file()) & (before | good)).is_empty();
        let pawn = beyond.into_iter().find(is_new)?;
        Some(format!("the pawn on {pawn} becomes a passed pawn"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::reasons::tests::line;

    fn said(fen: &str, bad: &str, good: &str) -> Option<String> {
        let before = Position::from_fen(fen).unwrap();
        let (bad, better) = (line(&before, bad), line(&before, good));
        words(&Case { before: &before, played: bad[0], refutation: bad[1..].to_vec(), better })
    }

    #[test]
    fn the_ends_of_the_lines_are_compared() {
        let queens = "3qk3/p7/8/8/8/8/P7/3QK3 w - - 0 1";
        assert_eq!(said(queens, "Qxd8+ Kxd8", "a3 a6").as_deref(), Some("the queens are exchanged"));
        assert_eq!(said(queens, "a3 a6", "Qxd8+ Kxd8").as_deref(), Some("the queens stay on the board"));
        let castling = "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1";
        assert_eq!(said(castling, "Ke2 a6", "O-O a6").as_deref(), Some("the king can no longer castle"));
        assert_eq!(said(castling, "O-O a6", "a3 a6"), None);
        // A queen that is lost is not exchanged, and a king that has castled may walk.
        assert_eq!(said("4k3/8/8/3r4/8/8/8/3QK3 w - - 0 1", "Qd4 Rxd4", "Ke2 Rxd1"), None);
        assert_eq!(said(castling, "O-O a6 Kh1 a5", "a3 a6 a4 a5"), None);
        let cover = "3q2k1/5ppp/8/8/8/7b/PP3PPP/3Q2K1 w - - 0 1";
        assert_eq!(said(cover, "f4 h6", "a3 Be6").as_deref(), Some("the king on g1 has less cover"));
        assert_eq!(said(cover, "a3 Be6", "f4 h6"), None);
        let passed = "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1";
        assert_eq!(said(passed, "Kf2 d4", "Kd2 Kd7"), None, "it was passed");
        let pawns = "4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1";
        assert_eq!(said(pawns, "c5 d4", "Kd2 Ke7").as_deref(), Some("the pawn on d4 becomes a passed pawn"));
    }
}
