//! The position a search works on: a shakmaty board, its hash keys, and the positions before it.
//!
//! Before a move the position is copied, which is cheaper than unmaking the move; taking it back restores the
//! copy. shakmaty supplies the rules. This module adds what an engine needs beyond them: incremental keys
//! ([`key`]), the squares that a move changes ([`Delta`]), draws by repetition, null moves, staged
//! generators, the validation of stored moves ([`Legality`]), and static exchange evaluation ([`see`]).
//!
//! Positions are always set up in Chess960 mode, which accepts both notations of castling. The protocol
//! decides how moves are printed.

mod chess960;
mod delta;
mod flaws;
mod generate;
pub mod key;
mod legality;
mod null_move;
mod packed;
pub mod see;
mod threats;
mod upcoming;

use shakmaty::{
    Bitboard, Castles, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, Move, Position as _,
    PositionError, Role, Setup,
    attacks::{ray, rook_attacks},
    fen::{Fen, ParseFenError},
    san::{San, SanError},
    uci::{IllegalUciMoveError, ParseUciMoveError, UciMove},
};

pub use chess960::chess960;
pub use delta::{Delta, Placement, destination, en_passant_victim};
pub use flaws::fen_flaws;
pub use generate::is_tactical;
pub use legality::Legality;
pub(crate) use null_move::passed;
pub use packed::PackedMove;
pub use threats::Threats;

use legality::{ChecksAndPins, piece_attacks};

/// A chess position with its history.
#[derive(Clone, Debug)]
pub struct Position {
    current: Snapshot,
    /// The positions before the current one, oldest first.
    line: Vec<Snapshot>,
    /// The keys of `line`, contiguous for the repetition test.
    keys: Vec<u64>,
}

/// One position of the line, with its keys and counters.
#[derive(Clone, Debug)]
struct Snapshot {
    chess: Chess,
    key: u64,
    pawn_key: u64,
    piece_keys: [u64; 2],
    checks_and_pins: ChecksAndPins,
    /// Plies since the last capture, pawn move, null move or the beginning of the line: the range of the
    /// repetition test.
    reversible: u32,
    /// Plies since the last capture or pawn move, null moves not counted.
    halfmoves: u32,
}

impl Snapshot {
    /// Returns `chess` as the beginning of a line.
    fn new(chess: Chess) -> Self {
        Self {
            key: key::from_scratch(&chess),
            pawn_key: key::pawns_from_scratch(&chess),
            piece_keys: key::pieces_from_scratch(&chess),
            checks_and_pins: ChecksAndPins::of(&chess),
            halfmoves: chess.halfmoves(),
            chess,
            reversible: 0,
        }
    }
}

impl Default for Position {
    /// Returns the standard starting position.
    fn default() -> Self {
        Self::new(Chess::new())
    }
}

impl Position {
    /// Wraps a shakmaty position, without history.
    #[must_use]
    pub fn new(chess: Chess) -> Self {
        Self { current: Snapshot::new(chess), line: Vec::new(), keys: Vec::new() }
    }

    /// Reads a FEN of one to six fields. X-FEN and Shredder-FEN castling rights are accepted in every game.
    ///
    /// Castling rights without a rook, impossible en-passant squares, too much material and impossible checks
    /// are tolerated, because GUIs send them. [`fen_flaws`] names what is dropped.
    ///
    /// # Errors
    ///
    /// [`FenError`] for text that is not a FEN, and for boards that the rules do not allow: not one king a
    /// side, pawns on the first or last rank, or the side not to move in check.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let fen: Fen = fen.parse()?;
        Self::from_setup(fen.into_setup()).map_err(FenError::Position)
    }

    /// Reads a FEN of a game of standard chess. Rights `K`, `Q`, `k` and `q` that this game does not have are
    /// dropped, as [`from_fen`](Self::from_fen) drops rights without a rook. Letters of files name a rook, so
    /// their rights are kept.
    ///
    /// ```
    /// use zugwerk::chess::position::Position;
    /// let castling = |fen| Position::from_standard_fen(fen).unwrap().fen();
    /// assert_eq!(castling("4k2r/8/8/8/8/8/8/R5K1 w Qk - 0 1"), "4k2r/8/8/8/8/8/8/R5K1 w k - 0 1");
    /// assert_eq!(castling("4k2r/8/8/8/8/8/8/R5K1 w Ah - 0 1"), "4k2r/8/8/8/8/8/8/R5K1 w Qk - 0 1");
    /// ```
    ///
    /// # Errors
    ///
    /// As [`from_fen`](Self::from_fen).
    pub fn from_standard_fen(text: &str) -> Result<Self, FenError> {
        let fen: Fen = text.parse()?;
        let mut setup = fen.into_setup();
        let mut fields = text.split([' ', '_']).filter(|field| !field.is_empty());
        let names_files = fields.nth(2).is_some_and(|castling| castling.contains(|c| !"KQkq-".contains(c)));
        if !names_files {
            let (Ok(castles) | Err(castles)) = Castles::from_setup(&setup, CastlingMode::Standard);
            setup.castling_rights = castles.castling_rights();
        }
        Self::from_setup(setup).map_err(FenError::Position)
    }

    /// Returns the position that `setup` describes, with the tolerance of [`from_fen`](Self::from_fen).
    ///
    /// # Errors
    ///
    /// shakmaty's error for boards that the rules do not allow.
    pub fn from_setup(setup: Setup) -> Result<Self, Box<PositionError<Chess>>> {
        let chess = setup
            .position::<Chess>(CastlingMode::Chess960)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)?;
        Ok(Self::new(chess))
    }

    /// The board and the state of play as shakmaty's type.
    #[must_use]
    #[inline]
    pub fn chess(&self) -> &Chess {
        &self.current.chess
    }

    /// The side to move.
    #[must_use]
    #[inline]
    pub fn turn(&self) -> Color {
        self.current.chess.turn()
    }

    /// The Zobrist key; see [`key`].
    #[must_use]
    #[inline]
    pub fn key(&self) -> u64 {
        self.current.key
    }

    /// The key of the position in a table of search results; see [`key::with_counter`].
    #[must_use]
    #[inline]
    pub fn table_key(&self) -> u64 {
        key::with_counter(self.current.key, self.current.halfmoves)
    }

    /// The key of the pawns alone, without the side to move; see [`key`].
    #[must_use]
    #[inline]
    pub fn pawn_key(&self) -> u64 {
        self.current.pawn_key
    }

    /// The key of the pieces of `side` without its pawns, and without the side to move; see [`key`].
    #[must_use]
    #[inline]
    pub fn piece_key(&self, side: Color) -> u64 {
        self.current.piece_keys[side as usize]
    }

    /// The pieces that give check to the side to move.
    #[must_use]
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.current.checks_and_pins.checkers
    }

    /// Whether the side to move is in check.
    #[must_use]
    #[inline]
    pub fn is_check(&self) -> bool {
        self.current.checks_and_pins.checkers.any()
    }

    /// The pieces of `side` that are pinned to its king.
    #[must_use]
    pub fn pinned(&self, side: Color) -> Bitboard {
        let board = self.chess().board();
        let king = board.king_of(side);
        king.map_or(Bitboard::EMPTY, |king| legality::blockers(board, king, !side) & board.by_color(side))
    }

    /// Plies since the last capture or pawn move, as the fifty-move rule counts them. Null moves do not
    /// change it.
    #[must_use]
    #[inline]
    pub fn halfmoves(&self) -> u32 {
        self.current.halfmoves
    }

    /// The number of moves played since the position was set up, including null moves.
    #[must_use]
    pub fn plies_played(&self) -> usize {
        self.line.len()
    }

    /// Returns a copy with as much of the history as can matter for draws. It is small, however long the line
    /// is; moves before it cannot be taken back.
    #[must_use]
    pub fn recent(&self) -> Self {
        // After more reversible plies the game is drawn by the fifty-move rule.
        let plies = self.line.len().min(self.current.reversible.min(100) as usize);
        let begin = self.line.len() - plies;
        Self {
            current: self.current.clone(),
            line: self.line[begin..].to_vec(),
            keys: self.keys[begin..].to_vec(),
        }
    }

    /// The notation of castling that this position needs: Chess960 if only Chess960 has its castling rights.
    #[must_use]
    pub fn castling_mode(&self) -> CastlingMode {
        CastlingMode::detect(&self.chess().to_setup(EnPassantMode::Legal))
    }

    /// The number of half-moves before the position, by the move counter of its FEN. Null moves count.
    #[must_use]
    pub fn ply(&self) -> u64 {
        2 * u64::from(self.chess().fullmoves().get() - 1) + u64::from(self.turn().is_black())
    }

    /// Returns the position as FEN, with castling rights in X-FEN and the en-passant square only if the
    /// capture is legal.
    #[must_use]
    pub fn fen(&self) -> String {
        Fen::from_position(self.chess(), EnPassantMode::Legal).to_string()
    }

    /// The [`table_key`](Self::table_key) after a legal move that changes `delta`, without changes of
    /// castling rights and en passant. It is known long before the position, so that a search can prefetch
    /// table entries.
    #[must_use]
    #[inline(always)]
    pub fn table_key_after(&self, delta: &Delta) -> u64 {
        let halfmoves = if delta.is_zeroing() { 0 } else { self.current.halfmoves.saturating_add(1) };
        key::with_counter(key::advance_placements(self.current.key, delta), halfmoves)
    }

    /// The [`table_key`](Self::table_key) after a null move.
    #[must_use]
    #[inline]
    pub fn table_key_after_null(&self) -> u64 {
        key::with_counter(key::advance_null(self.current.key, self.chess()), self.current.halfmoves)
    }

    /// Plays legal move `m` and returns the changes on the board; [`undo`](Self::undo) takes it back.
    #[inline(always)]
    pub fn play(&mut self, m: Move) -> Delta {
        let delta = Delta::of(self.turn(), m);
        let Self { current, line, keys } = self;
        let (reversible, halfmoves) = if delta.is_zeroing() {
            (0, 0)
        } else {
            (current.reversible + 1, current.halfmoves.saturating_add(1))
        };
        keys.push(current.key);
        let before = line.push_mut(current.clone());
        current.chess.play_unchecked(m);
        current.key =
            key::advance_placements(before.key, &delta) ^ key::rights_changed(&before.chess, &current.chess);
        current.pawn_key = key::advance_pawns(before.pawn_key, &delta);
        key::advance_pieces(&mut current.piece_keys, &delta);
        current.checks_and_pins = ChecksAndPins::of(&current.chess);
        (current.reversible, current.halfmoves) = (reversible, halfmoves);
        delta
    }

    /// Plays legal move `m`, or a null move for `None`, as in annotated variations; in check a null move does
    /// nothing.
    pub fn play_or_pass(&mut self, m: Option<Move>) {
        match m {
            Some(m) => drop(self.play(m)),
            None => drop(self.play_null()),
        }
    }

    /// Takes the last move back; does nothing at the beginning of the line.
    #[inline]
    pub fn undo(&mut self) {
        if let Some(earlier) = self.line.pop() {
            self.current = earlier;
            self.keys.pop();
        }
    }

    /// Returns all legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let legality = Legality::of(self);
        let mut moves = Vec::with_capacity(64);
        legality.tactical_moves(|m| moves.push(m));
        legality.quiet_moves(|m| moves.push(m));
        moves
    }

    /// Returns the legal move written `text` in UCI notation; castling may be written `e1g1` or `e1h1`, and,
    /// as Arena does in Chess960, `O-O` or `O-O-O`.
    ///
    /// # Errors
    ///
    /// [`MoveError`] for text that is not a move, and for moves that are illegal here.
    pub fn find_move(&self, text: &str) -> Result<Move, MoveError> {
        for (castling, side) in [("O-O", CastlingSide::KingSide), ("O-O-O", CastlingSide::QueenSide)] {
            if text.eq_ignore_ascii_case(castling) {
                return San::Castle(side).to_move(self.chess()).map_err(MoveError::Castling);
            }
        }
        let uci: UciMove = text.parse()?;
        Ok(uci.to_move(self.chess())?)
    }

    /// Whether the side to move is checkmated.
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !Legality::of(self).any_move()
    }

    /// Whether the game is drawn by insufficient material or by the fifty-move rule; a mate on the hundredth
    /// ply takes precedence. Stalemate is not tested, because the search detects it itself.
    #[must_use]
    #[inline]
    pub fn is_draw_by_rule(&self) -> bool {
        let chess = self.chess();
        // A pawn is sufficient material and nearly always present, so the slower test is seldom needed.
        let enough = chess.board().pawns().any();
        (!enough && chess.is_insufficient_material()) || (self.halfmoves() >= 100 && !self.is_checkmate())
    }

    /// Whether the position is a repetition, for a search `ply` plies below its root.
    ///
    /// An earlier occurrence at or below the root counts as a draw at the second occurrence: the side that
    /// profits can repeat again. A position that occurred only before the root needs its third occurrence.
    #[must_use]
    #[inline]
    pub fn is_repetition(&self, ply: usize) -> bool {
        let mut seen = 0;
        let reach = (self.current.reversible as usize).min(self.keys.len());
        // No position can recur in fewer than four plies.
        for distance in (4..reach + 1).step_by(2) {
            if self.keys[self.keys.len() - distance] == self.current.key {
                seen += 1;
                if distance <= ply || seen == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the position can be a draw by rule or by repetition. This quick test excludes most positions.
    #[must_use]
    #[inline]
    pub fn may_be_drawn(&self) -> bool {
        let chess = self.chess();
        chess.board().pawns().is_empty() || self.halfmoves() >= 100 || self.current.reversible >= 4
    }

    /// Whether a position has occurred twice since the last capture or pawn move.
    #[must_use]
    pub fn has_repeated(&self) -> bool {
        let reach = (self.current.reversible as usize).min(self.keys.len());
        let mut keys = self.keys[self.keys.len() - reach..].to_vec();
        keys.push(self.current.key);
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Whether `packed` promotes, or goes to an occupied square or to the en-passant square. If not, it is
    /// not a tactical move here, legal or not.
    #[must_use]
    #[inline]
    pub fn may_be_tactical(&self, packed: PackedMove) -> bool {
        let chess = self.chess();
        let to = packed.to();
        packed.promotion().is_some()
            || chess.board().occupied().contains(to)
            || chess.maybe_ep_square() == Some(to)
    }

    /// Whether legal move `m` gives check, computed without playing it.
    #[must_use]
    #[inline]
    pub fn gives_check(&self, m: Move) -> bool {
        let board = self.chess().board();
        let us = self.turn();
        let Some(king) = board.king_of(!us) else { return false };
        let Some(from) = m.from() else { return false };
        let occupied = board.occupied().without(from);
        match m {
            Move::Castle { king: ours, rook } => {
                let side = CastlingSide::from_king_side(ours < rook);
                let occupied = occupied.without(rook).with(side.king_to(us));
                rook_attacks(side.rook_to(us), occupied).contains(king)
            }
            _ => {
                let role = m.promotion().unwrap_or(m.role());
                let occupied = occupied.with(m.to());
                self.attacks_square(role, m.to(), king, occupied) || self.uncovers(m, king, occupied)
            }
        }
    }

    fn attacks_square(
        &self,
        role: Role,
        from: shakmaty::Square,
        target: shakmaty::Square,
        occupied: Bitboard,
    ) -> bool {
        match role {
            Role::Pawn => shakmaty::attacks::pawn_attacks(self.turn(), from).contains(target),
            Role::King => false,
            _ => piece_attacks(role, from, occupied).contains(target),
        }
    }

    /// Whether `m` opens a line from one of the mover's sliders to `king`; `occupied` is the board after the
    /// move.
    fn uncovers(&self, m: Move, king: shakmaty::Square, mut occupied: Bitboard) -> bool {
        let Some(from) = m.from() else { return false };
        if let Move::EnPassant { from, to } = m {
            occupied.discard(en_passant_victim(from, to));
        } else if ray(from, king).is_empty() {
            return false;
        }
        let board = self.chess().board();
        let sliders = (board.by_color(self.turn()) & board.sliders()).without(from);
        (board.attacks_to(king, self.turn(), occupied) & sliders).any()
    }

    /// Whether the side to move has a piece besides its king and pawns: the usual guard against zugzwang.
    #[must_use]
    #[inline]
    pub fn has_pieces(&self) -> bool {
        let board = self.chess().board();
        (board.by_color(self.turn()) & !board.pawns() & !board.kings()).any()
    }
}

/// The reason why a FEN was refused.
#[derive(Debug, thiserror::Error)]
pub enum FenError {
    /// The text is not a FEN.
    #[error(transparent)]
    Syntax(#[from] ParseFenError),
    /// The text is a FEN, but the rules do not allow the position.
    #[error("{0}")]
    Position(Box<PositionError<Chess>>),
}

/// The reason why a move was refused.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// The text is not a move in UCI notation.
    #[error(transparent)]
    Syntax(#[from] ParseUciMoveError),
    /// The move is not legal in the position.
    #[error(transparent)]
    Illegal(#[from] IllegalUciMoveError),
    /// Castling is not legal in the position.
    #[error(transparent)]
    Castling(SanError),
}

#[cfg(test)]
mod tests {
    use super::Position;

    /// Calls `test` with every position one move after those of `positions/perft.epd` and those of `more`.
    pub(super) fn one_move_after(more: &[&str], mut test: impl FnMut(&mut Position)) {
        let rows = include_str!("../../../positions/perft.epd").lines().filter(|row| !row.starts_with('#'));
        for row in rows.chain(more.iter().copied()) {
            let fen = row.split(';').next().unwrap_or_default().trim();
            let mut position = Position::from_fen(fen).unwrap();
            for m in position.legal_moves() {
                position.play(m);
                test(&mut position);
                position.undo();
            }
        }
    }
}
