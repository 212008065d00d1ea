//! The position a search works on: a shakmaty board, its hash key, and the line of positions that led to it.
//!
//! Moves are made by copying (136 bytes, cheaper than unmaking) and taken back by popping the copy. shakmaty supplies
//! the rules; this module adds what an engine needs and shakmaty does not have: an incrementally kept key
//! ([`key`]), the squares a move touches ([`Delta`]), draws by repetition, null moves, staged generators and the guard
//! for remembered moves ([`Legality`]), and static exchange evaluation ([`see`]).
//!
//! Positions are always set up in Chess960 mode, which accepts both ways of writing castling; how moves are printed is
//! the protocol's business.

mod chess960;
mod delta;
mod generate;
pub mod key;
mod legality;
mod packed;
pub mod see;
mod upcoming;

use shakmaty::{
    Bitboard, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, Move, Position as _, PositionError,
    Role, Setup,
    attacks::{ray, rook_attacks},
    fen::{Fen, ParseFenError},
    uci::{IllegalUciMoveError, ParseUciMoveError, UciMove},
};

pub use chess960::chess960;
pub use delta::{Delta, Placement, destination, en_passant_victim};
pub use legality::Legality;
pub use packed::PackedMove;

use legality::piece_attacks;

/// A chess position with its history.
#[derive(Clone, Debug)]
pub struct Position {
    current: State,
    /// The positions before the current one, oldest first.
    line: Vec<State>,
    /// The keys of `line`, side by side: what a look for repetitions walks over.
    keys: Vec<u64>,
}

#[derive(Clone, Debug)]
struct State {
    chess: Chess,
    key: u64,
    pawn_key: u64,
    piece_keys: [u64; 2],
    material_key: u64,
    checkers: Bitboard,
    /// Plies since the last capture, pawn move, null move or the beginning of the line: how far a repetition can lie back.
    reversible: u32,
}

impl State {
    /// `chess` as the beginning of a line.
    fn new(chess: Chess) -> Self {
        Self {
            key: key::from_scratch(&chess),
            pawn_key: key::pawns_from_scratch(&chess),
            piece_keys: key::pieces_from_scratch(&chess),
            material_key: key::material_from_scratch(&chess),
            checkers: chess.checkers(),
            chess,
            reversible: 0,
        }
    }
}

impl Default for Position {
    /// The standard starting position.
    fn default() -> Self {
        Self::new(Chess::new())
    }
}

impl Position {
    /// Wraps a shakmaty position, with no history.
    #[must_use]
    pub fn new(chess: Chess) -> Self {
        Self { current: State::new(chess), line: Vec::new(), keys: Vec::new() }
    }

    /// Reads a FEN of one to six fields; X-FEN and Shredder-FEN castling rights are understood in every game.
    ///
    /// Castling rights without their rook, impossible en-passant squares, too much material and checks that no game
    /// could produce are tolerated, since GUIs send them.
    ///
    /// # Errors
    ///
    /// [`FenError`] for text that is no FEN, and for boards the rules cannot play on: not one king a side, pawns on
    /// the first or last rank, or the side not to move in check.
    pub fn from_fen(fen: &str) -> Result<Self, FenError> {
        let fen: Fen = fen.parse()?;
        Self::from_setup(fen.into_setup()).map_err(FenError::Position)
    }

    /// The position that `setup` describes, as tolerantly as [`from_fen`](Self::from_fen).
    ///
    /// # Errors
    ///
    /// shakmaty's, for boards the rules cannot play on.
    pub fn from_setup(setup: Setup) -> Result<Self, Box<PositionError<Chess>>> {
        let chess = setup
            .position::<Chess>(CastlingMode::Chess960)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)?;
        Ok(Self::new(chess))
    }

    /// The board and the state of play as shakmaty knows them.
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

    /// The key of the pawns alone, whoever is to move; see [`key`].
    #[must_use]
    #[inline]
    pub fn pawn_key(&self) -> u64 {
        self.current.pawn_key
    }

    /// The key of the pieces of `side` alone, pawns left out, whoever is to move; see [`key`].
    #[must_use]
    #[inline]
    pub fn piece_key(&self, side: Color) -> u64 {
        self.current.piece_keys[side as usize]
    }

    /// The key of the material on the board, wherever it stands; see [`key`].
    #[must_use]
    #[inline]
    pub fn material_key(&self) -> u64 {
        self.current.material_key
    }

    /// The pieces that give check to the side to move.
    #[must_use]
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.current.checkers
    }

    /// Whether the side to move is in check.
    #[must_use]
    #[inline]
    pub fn is_check(&self) -> bool {
        self.current.checkers.any()
    }

    /// Plies since the last capture or pawn move, as the fifty-move rule counts them.
    #[must_use]
    #[inline]
    pub fn halfmoves(&self) -> u32 {
        self.current.chess.halfmoves()
    }

    /// How many moves have been played since the position was set up (null moves included).
    #[must_use]
    pub fn plies_played(&self) -> usize {
        self.line.len()
    }

    /// How castling must be written here to be understood: as in Chess960 where only Chess960 has such castling rights.
    #[must_use]
    pub fn castling_mode(&self) -> CastlingMode {
        CastlingMode::detect(&self.chess().to_setup(EnPassantMode::Legal))
    }

    /// The half-moves before the position, by the counter of its FEN, which null moves leave alone.
    #[must_use]
    pub fn ply(&self) -> u64 {
        2 * u64::from(self.chess().fullmoves().get() - 1) + u64::from(self.turn().is_black())
    }

    /// The position as FEN, castling rights in X-FEN, the en-passant square only where the capture is legal.
    #[must_use]
    pub fn fen(&self) -> String {
        Fen::from_position(self.chess(), EnPassantMode::Legal).to_string()
    }

    /// Plays legal move `m` and returns what it changed on the board; [`undo`](Self::undo) takes it back.
    #[inline]
    pub fn play(&mut self, m: Move) -> Delta {
        self.play_announced(m, |_| {})
    }

    /// [`play`](Self::play), which before most of its work tells `announce` the key of the position to come: right but for
    /// changes of castling rights and of en passant, and early enough to fetch what is stored under it.
    #[inline(always)]
    pub fn play_announced(&mut self, m: Move, announce: impl FnOnce(u64)) -> Delta {
        let delta = Delta::of(self.turn(), m);
        let Self { current, line, keys } = self;
        let key = key::advance_placements(current.key, &delta);
        announce(key);
        keys.push(current.key);
        line.push(current.clone());
        let before = &line[line.len() - 1];
        current.chess.play_unchecked(m);
        current.key = key ^ key::rights_changed(&before.chess, &current.chess);
        current.pawn_key = key::advance_pawns(before.pawn_key, &delta);
        current.piece_keys = key::advance_pieces(before.piece_keys, &delta);
        current.material_key = key::advance_material(before.material_key, &delta);
        current.checkers = current.chess.checkers();
        current.reversible = if m.is_zeroing() { 0 } else { before.reversible + 1 };
        delta
    }

    /// Passes the move to the opponent; [`undo`](Self::undo) takes it back. Returns false, and does nothing, in check.
    pub fn play_null(&mut self) -> bool {
        let passed = self.current.chess.clone().swap_turn().or_else(PositionError::ignore_too_much_material);
        let Ok(chess) = passed else { return false };
        let passed = State {
            key: key::advance_null(self.current.key, &self.current.chess),
            pawn_key: self.current.pawn_key,
            piece_keys: self.current.piece_keys,
            material_key: self.current.material_key,
            checkers: Bitboard::EMPTY,
            chess,
            reversible: 0,
        };
        self.keys.push(self.current.key);
        self.line.push(std::mem::replace(&mut self.current, passed));
        true
    }

    /// Plays legal move `m`, or passes where there is none, as the lines of annotators do; what cannot pass stays as it is.
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

    /// All legal moves.
    #[must_use]
    pub fn legal_moves(&self) -> Vec<Move> {
        let legality = Legality::of(self);
        let mut moves = Vec::with_capacity(64);
        legality.tactical_moves(|m| moves.push(m));
        legality.quiet_moves(|m| moves.push(m));
        moves
    }

    /// The legal move written `text` in UCI notation; castling may be written `e1g1` or `e1h1`.
    ///
    /// # Errors
    ///
    /// [`MoveError`] for text that is no move, and for moves that are not legal here.
    pub fn find_move(&self, text: &str) -> Result<Move, MoveError> {
        let uci: UciMove = text.parse()?;
        Ok(uci.to_move(self.chess())?)
    }

    /// Whether the side to move stands checkmated.
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.is_check() && !Legality::of(self).any_move()
    }

    /// Whether the game is drawn whatever is played: by the fifty-move rule, which gives way to a mate on the hundredth
    /// ply, or for lack of material. Stalemate is not looked at: a search finds it for itself.
    #[must_use]
    #[inline]
    pub fn is_draw_by_rule(&self) -> bool {
        let chess = self.chess();
        // A pawn is enough for either side, and nearly always there: the long look is worth avoiding at every node.
        let enough = chess.board().pawns().any();
        (!enough && chess.is_insufficient_material()) || (chess.halfmoves() >= 100 && !self.is_checkmate())
    }

    /// Whether the position has been repeated, for a search that is `ply` plies below its root.
    ///
    /// A position that already stood at the root or below it counts at its second occurrence (whoever could profit
    /// from repeating once can do so again); one that stood only before the root needs its third.
    #[must_use]
    #[inline]
    pub fn is_repetition(&self, ply: usize) -> bool {
        let mut seen = 0;
        let reach = (self.current.reversible as usize).min(self.keys.len());
        // Nothing comes back sooner than after four plies.
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

    /// Whether the position can be a draw by rule or by repetition. Most cannot, and this is the quick way to know.
    #[must_use]
    #[inline]
    pub fn may_be_drawn(&self) -> bool {
        let chess = self.chess();
        chess.board().pawns().is_empty() || chess.halfmoves() >= 100 || self.current.reversible >= 4
    }

    /// Whether any position has stood twice since the last capture or pawn move.
    #[must_use]
    pub fn has_repeated(&self) -> bool {
        let reach = (self.current.reversible as usize).min(self.keys.len());
        let mut keys = self.keys[self.keys.len() - reach..].to_vec();
        keys.push(self.current.key);
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Whether `packed` promotes or goes where something stands or can be taken in passing: if not, it is no tactical move
    /// here, legal or not.
    #[must_use]
    #[inline]
    pub fn may_be_tactical(&self, packed: PackedMove) -> bool {
        let chess = self.chess();
        let to = packed.to();
        packed.promotion().is_some()
            || chess.board().occupied().contains(to)
            || chess.maybe_ep_square() == Some(to)
    }

    /// Whether legal move `m` gives check, without playing it.
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

    /// Whether `m` opens a line from one of the mover's sliders to `king`, `occupied` being the board after it.
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

/// Why a FEN was refused.
#[derive(Debug, thiserror::Error)]
pub enum FenError {
    /// The text does not follow the notation.
    #[error("{0}")]
    Syntax(#[from] ParseFenError),
    /// The text is a FEN, but chess cannot be played from the position.
    #[error("{0}")]
    Position(Box<PositionError<Chess>>),
}

impl From<PositionError<Chess>> for FenError {
    fn from(error: PositionError<Chess>) -> Self {
        FenError::Position(Box::new(error))
    }
}

/// Why a move was refused.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// The text is not a move in UCI notation.
    #[error("{0}")]
    Syntax(#[from] ParseUciMoveError),
    /// The move is not legal in the position.
    #[error("{0}")]
    Illegal(#[from] IllegalUciMoveError),
}
