//! Zobrist keys, updated move by move.
//!
//! The key is the Polyglot one. The en-passant file is included only if the capture is legal, so equal keys
//! mean "the same position" as the repetition rule defines it (FIDE 9.2.3). The terms are shakmaty's public
//! ones. shakmaty's own `update_zobrist_hash` returns no key for many moves; this one always does.
//!
//! A second key covers the pawns alone. Tables for pawn structure and for corrections by pawn structure use
//! it; few moves change it. Two more keys cover the pieces of one side without its pawns.
//!
//! Invariant: the keys equal `Chess::zobrist_hash(EnPassantMode::Legal)`, [`pawns_from_scratch`] and
//! [`pieces_from_scratch`] (`tests/engine/incremental.rs`).
//!
//! Reference: A. L. Zobrist, "A New Hashing Method with Application for Game Playing", 1970.

use shakmaty::{
    Board, CastlingSide, Chess, Color, EnPassantMode, Piece, Position as _, Role, Square,
    zobrist::{Zobrist64, ZobristValue as _},
};

use super::{Delta, Placement};

/// Returns the key of `chess`, computed from scratch.
#[must_use]
pub fn from_scratch(chess: &Chess) -> u64 {
    chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}

/// Returns the pawn key of `chess`, computed from scratch: the same terms, of the pawns only. Zero without
/// pawns.
#[must_use]
pub fn pawns_from_scratch(chess: &Chess) -> u64 {
    chess.board().iter().map(|(square, piece)| pawn((piece, square))).fold(0, |key, term| key ^ term)
}

/// Returns the keys of the pieces of `chess` without its pawns, of Black and of White, computed from scratch.
#[must_use]
pub fn pieces_from_scratch(chess: &Chess) -> [u64; 2] {
    let mut keys = [0; 2];
    for (square, of) in chess.board() {
        keys[of.color as usize] ^= piece((of, square));
    }
    keys
}

/// Updates `key` by the placements of a move with this `delta`; [`rights_changed`] is applied separately.
#[must_use]
#[inline(always)]
pub fn advance_placements(key: u64, delta: &Delta) -> u64 {
    let moved = placement(delta.from) ^ placement(delta.to);
    key ^ turn() ^ moved ^ delta.also_removed.map_or(0, placement) ^ delta.also_added.map_or(0, placement)
}

/// Returns the change of the key by castling rights and en passant, for a move from `before` to `after`.
#[must_use]
#[inline(always)]
pub fn rights_changed(before: &Chess, after: &Chess) -> u64 {
    let passing = before.maybe_ep_square().is_some() || after.maybe_ep_square().is_some();
    if passing || before.castles().castling_rights() != after.castles().castling_rights() {
        rights_terms(before, after)
    } else {
        0
    }
}

/// The part of [`rights_changed`] for positions where a right may have changed; most moves skip it.
#[inline(never)]
fn rights_terms(before: &Chess, after: &Chess) -> u64 {
    let mut terms = en_passant(before) ^ en_passant(after);
    if before.castles().castling_rights() != after.castles().castling_rights() {
        terms ^= castling(before) ^ castling(after);
    }
    terms
}

/// Updates a pawn key by the `delta` of a move.
#[must_use]
#[inline(always)]
pub fn advance_pawns(key: u64, delta: &Delta) -> u64 {
    // Castling adds a rook, never a pawn.
    key ^ pawn(delta.from) ^ pawn(delta.to) ^ delta.also_removed.map_or(0, pawn)
}

/// Updates the piece keys by the `delta` of a move.
#[inline(always)]
pub fn advance_pieces(keys: &mut [u64; 2], delta: &Delta) {
    keys[delta.from.0.color as usize] ^=
        piece(delta.from) ^ piece(delta.to) ^ delta.also_added.map_or(0, piece);
    if let Some(removed) = delta.also_removed {
        keys[removed.0.color as usize] ^= piece(removed);
    }
}

/// Mixes the kings of the same position into a pawn key.
#[must_use]
#[inline]
pub fn with_kings(pawn_key: u64, board: &Board) -> u64 {
    Color::ALL.into_iter().fold(pawn_key, |key, color| {
        key ^ board.king_of(color).map_or(0, |king| placement((color.king(), king)))
    })
}

/// Returns the key after a null move in `before`.
#[must_use]
#[inline]
pub fn advance_null(key: u64, before: &Chess) -> u64 {
    key ^ turn() ^ en_passant(before)
}

/// Mixes the counter of the fifty-move rule into `key`, for a table of search results: from 16 plies on,
/// every eight plies make another key, and from `NEAR_LIMIT` on every ply. A value that was found near the
/// limit is wrong at a lower counter. The technique is known from Stockfish.
#[must_use]
#[inline(always)]
pub fn with_counter(key: u64, halfmoves: u32) -> u64 {
    if halfmoves < 16 { key } else { key ^ counter_term(halfmoves) }
}

/// The term of the counter in [`with_counter`]; most positions skip it.
#[cold]
fn counter_term(halfmoves: u32) -> u64 {
    mix_bits(if halfmoves < NEAR_LIMIT { halfmoves / 8 } else { halfmoves }.into())
}

/// From this counter of the fifty-move rule on, in plies, one ply more or less often changes the value of a
/// position.
const NEAR_LIMIT: u32 = 90;

/// Distributes a small number over all bits by an odd constant (Knuth's multiplicative hashing).
#[inline]
pub(crate) fn mix_bits(number: u64) -> u64 {
    number.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[inline]
fn placement((piece, square): Placement) -> u64 {
    Zobrist64::zobrist_for_piece(square, piece).0
}

/// Returns the change of the key when `piece` moves between the two squares, in either direction.
pub(super) fn step(piece: Piece, from: Square, to: Square) -> u64 {
    placement((piece, from)) ^ placement((piece, to)) ^ turn()
}

/// The term of a pawn; zero for another piece.
#[inline]
fn pawn(placed: Placement) -> u64 {
    if placed.0.role == Role::Pawn { placement(placed) } else { 0 }
}

/// The term of a piece that is not a pawn; zero for a pawn.
#[inline]
fn piece(placed: Placement) -> u64 {
    if placed.0.role == Role::Pawn { 0 } else { placement(placed) }
}

/// The term of the side to move.
#[inline]
pub(super) fn turn() -> u64 {
    Zobrist64::zobrist_for_white_turn().0
}

#[inline]
fn en_passant(chess: &Chess) -> u64 {
    if chess.maybe_ep_square().is_none() {
        return 0;
    }
    chess.legal_ep_square().map_or(0, |square| Zobrist64::zobrist_for_en_passant_file(square.file()).0)
}

fn castling(chess: &Chess) -> u64 {
    let mut key = 0;
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            if chess.castles().has(color, side) {
                key ^= Zobrist64::zobrist_for_castling_right(color, side).0;
            }
        }
    }
    key
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::chess::position::Position;

    /// The key of the pawns, with the kings, of Black's pieces, of White's pieces.
    fn keys(fen: &str) -> [u64; 4] {
        let position = Position::from_fen(fen).unwrap();
        let with_kings = with_kings(position.pawn_key(), position.chess().board());
        let [black, white] = [Color::Black, Color::White].map(|side| position.piece_key(side));
        [position.pawn_key(), with_kings, black, white]
    }

    #[test]
    fn each_key_depends_on_what_it_covers_and_on_nothing_else() {
        let base = keys("4k3/4p3/8/3n4/8/5N2/4P3/4K3 w - - 0 1");
        for (change, fen, changed) in [
            ("the side to move", "4k3/4p3/8/3n4/8/5N2/4P3/4K3 b - - 5 9", [0, 0, 0, 0]),
            ("a white pawn's square", "4k3/4p3/8/3n4/8/4PN2/8/4K3 w - - 0 1", [1, 1, 0, 0]),
            ("a black pawn's square", "4k3/8/4p3/3n4/8/5N2/4P3/4K3 w - - 0 1", [1, 1, 0, 0]),
            ("a pawn more", "4k3/4p3/8/3n4/8/5N2/3PP3/4K3 w - - 0 1", [1, 1, 0, 0]),
            ("the white knight's square", "4k3/4p3/8/3n4/8/6N1/4P3/4K3 w - - 0 1", [0, 0, 0, 1]),
            ("the black knight's square", "4k3/4p3/8/4n3/8/5N2/4P3/4K3 w - - 0 1", [0, 0, 1, 0]),
            ("the white king's square", "4k3/4p3/8/3n4/8/5N2/4P3/3K4 w - - 0 1", [0, 1, 0, 1]),
            ("the black king's square", "3k4/4p3/8/3n4/8/5N2/4P3/4K3 w - - 0 1", [0, 1, 1, 0]),
            ("another piece", "4k3/4p3/8/3n4/8/5B2/4P3/4K3 w - - 0 1", [0, 0, 0, 1]),
            ("another colour", "4k3/4p3/8/3N4/8/5N2/4P3/4K3 w - - 0 1", [0, 0, 1, 1]),
        ] {
            let others = keys(fen).into_iter().zip(base);
            assert_eq!(
                others.map(|(key, base)| u8::from(key != base)).collect::<Vec<_>>(),
                changed,
                "{change}"
            );
        }
        let [none, kings, ..] = keys("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!(none, 0, "no pawns");
        assert_eq!(base[1], base[0] ^ kings, "the kings alone");
    }

    #[test]
    fn the_key_in_tables_changes_with_the_counter_every_eight_plies_and_near_the_limit_every_ply() {
        let [terms, others] = ["4k3/8/8/8/8/8/8/R3K3", "4k3/8/8/8/8/8/8/1R2K3"].map(|board| -> Vec<u64> {
            let at = |counter| Position::from_fen(&format!("{board} w - - {counter} 90")).unwrap();
            (0..=100).map(at).map(|position| position.table_key() ^ position.key()).collect()
        });
        assert_eq!(terms[0], 0);
        let lengths: Vec<usize> = terms.chunk_by(u64::eq).map(<[u64]>::len).collect();
        assert_eq!(lengths[..11], [16, 8, 8, 8, 8, 8, 8, 8, 8, 8, 2], "up to 89 plies");
        assert_eq!(lengths[11..], [1; 11]);
        assert_eq!(terms.iter().collect::<HashSet<_>>().len(), lengths.len(), "and never comes back");
        assert_eq!(terms, others, "alike in every position");
    }
}
