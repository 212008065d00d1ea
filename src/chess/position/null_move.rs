//! Null moves: the side to move passes.

use shakmaty::{Chess, EnPassantMode, Move, Position as _, PositionError};

use super::{Position, Snapshot, key, legality::ChecksAndPins};

impl Position {
    /// Plays a null move; [`undo`](Self::undo) takes it back. In check it returns false and does nothing.
    pub fn play_null(&mut self) -> bool {
        if self.is_check() {
            return false;
        }
        let Some(chess) = passed(&self.current.chess) else { return false };
        let passed = Snapshot {
            key: key::advance_null(self.current.key, &self.current.chess),
            checks_and_pins: ChecksAndPins::of(&chess),
            chess,
            reversible: 0,
            ..self.current
        };
        self.keys.push(self.current.key);
        self.line.push(std::mem::replace(&mut self.current, passed));
        true
    }
}

/// Returns `chess` after a null move of a side that is not in check.
///
/// shakmaty's `swap_turn` examines the whole position again, which is slow. A piece put where it stands
/// changes as little: the side to move, the en-passant square, and the counters of the FEN, which then count
/// the null move. The piece must have no castling rights, nor be a pawn, which would reset the counter of the
/// fifty-move rule. A side without such a piece passes the slow way.
pub(crate) fn passed(chess: &Chess) -> Option<Chess> {
    let board = chess.board();
    let pieces = board.by_color(chess.turn()) & !(board.pawns() | board.kings());
    let idle = pieces & !chess.castles().castling_rights();
    let Some((from, role)) = idle.first().and_then(|square| Some((square, board.role_at(square)?))) else {
        let mut setup = chess.to_setup(EnPassantMode::Always);
        setup.halfmoves = setup.halfmoves.saturating_add(1);
        setup.fullmoves = setup.fullmoves.saturating_add(u32::from(setup.turn.is_black()));
        setup.swap_turn();
        return setup.position(chess.castles().mode()).or_else(PositionError::ignore_too_much_material).ok();
    };
    let mut chess = chess.clone();
    chess.play_unchecked(Move::Normal { role, from, capture: None, to: from, promotion: None });
    Some(chess)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::position::tests::one_move_after;

    /// After every null move the position is the one that shakmaty's `swap_turn` returns.
    #[test]
    fn a_null_move_changes_the_side_to_move_and_nothing_else_on_the_board() {
        let mut passed = 0;
        let only_rooks_that_may_castle = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 3 9";
        one_move_after(&[only_rooks_that_may_castle], |position| {
            let (before, halfmoves, ply) = (position.chess().clone(), position.halfmoves(), position.ply());
            let swapped = before.clone().swap_turn().or_else(PositionError::ignore_too_much_material);
            assert_eq!(position.play_null(), swapped.is_ok(), "{}", position.fen());
            if let Ok(swapped) = swapped {
                let expected = Snapshot::new(swapped);
                let Snapshot { chess, key, pawn_key, piece_keys, checks_and_pins, .. } = &position.current;
                assert_eq!(chess.board(), expected.chess.board());
                assert_eq!(chess.turn(), !before.turn());
                assert_eq!(chess.castles().castling_rights(), before.castles().castling_rights());
                assert_eq!(chess.maybe_ep_square(), None);
                assert_eq!((*key, *pawn_key), (expected.key, expected.pawn_key), "{}", position.fen());
                assert_eq!(*piece_keys, expected.piece_keys);
                assert_eq!(*checks_and_pins, expected.checks_and_pins, "checkers and blockers");
                assert_eq!(position.halfmoves(), halfmoves, "it is not a move without progress");
                assert_eq!(position.ply(), ply + 1, "it counts, whatever piece can stand for it");
                assert_eq!(position.current.reversible, 0, "no repetition reaches across it");
                position.undo();
                passed += 1;
            }
            assert_eq!(*position.chess(), before);
            assert_eq!(position.halfmoves(), halfmoves);
        });
        assert!(passed > 500, "{passed} null moves");
    }

    #[test]
    fn moves_and_null_moves_count_on_from_the_number_in_the_fen() {
        let mut position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 30").unwrap();
        assert_eq!(position.ply(), 58);
        position.play_or_pass(position.find_move("e2e4").ok());
        assert_eq!((position.ply(), position.fen().as_str()), (59, "4k3/8/8/8/4P3/8/8/4K3 b - - 0 30"));
        position.play_or_pass(None);
        assert_eq!((position.ply(), position.turn()), (60, shakmaty::Color::White));
    }
}
