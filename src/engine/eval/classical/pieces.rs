//! Terms of the pieces: mobility, threats, files, and attacks on the enemy king.
//!
//! One walk goes over the pieces of each side and looks up the attacks of each piece once. Terms that need
//! the attacks of both sides are counted by [`contact`](super::contact) after both walks. Nothing here is
//! incremental, because a move changes the attacks of too many pieces.
//!
//! Reference: chessprogramming.org, "Mobility", "King Safety", "X-ray Attacks".

use shakmaty::{
    Bitboard, Board, Color, Role, Square,
    attacks::{bishop_attacks, king_attacks, knight_attacks, rook_attacks},
};

use super::{
    pawns::attacked,
    terms::{
        BISHOP_MOBILITY, BISHOP_PAIR, KNIGHT_MOBILITY, MINOR_THREAT, PAWN_THREAT, QUEEN_MOBILITY, ROOK_FILE,
        ROOK_MOBILITY, ROOK_THREAT, Tally, Term,
    },
};

/// The parameters of the walk for one role.
struct RoleTerms {
    role: Role,
    mobility: Term,
    /// The term for attacks on pieces that no pawn defends, if there is one.
    threat: Option<Term>,
    /// The units it adds to an attack on the king, besides one for each attacked square near the king.
    units: usize,
}

const KNIGHT: RoleTerms =
    RoleTerms { role: Role::Knight, mobility: KNIGHT_MOBILITY, threat: Some(MINOR_THREAT), units: 2 };
const BISHOP: RoleTerms =
    RoleTerms { role: Role::Bishop, mobility: BISHOP_MOBILITY, threat: Some(MINOR_THREAT), units: 2 };
const ROOK: RoleTerms =
    RoleTerms { role: Role::Rook, mobility: ROOK_MOBILITY, threat: Some(ROOK_THREAT), units: 3 };
const QUEEN: RoleTerms = RoleTerms { role: Role::Queen, mobility: QUEEN_MOBILITY, threat: None, units: 4 };

/// Counts the pieces of both sides, White's less Black's; `passed` are the passed pawns of both.
#[must_use]
#[inline]
pub fn activity<T: Tally>(board: &Board, passed: Bitboard) -> T {
    let mut white = Walk::<T>::along(board, Color::White);
    let mut black = Walk::<T>::along(board, Color::Black);
    white.meet(black.attacks, passed);
    black.meet(white.attacks, passed);
    white.tally - black.tally
}

/// The squares that a side attacks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attacks {
    /// By pawns and pieces.
    pub(super) army: Bitboard,
    /// By two pieces, or by a pawn and a piece.
    pub(super) twice: Bitboard,
    /// By the king.
    pub(super) king: Bitboard,
}

/// A walk over the pieces of one side: its inputs and its results.
pub(super) struct Walk<'b, T> {
    pub(super) board: &'b Board,
    pub(super) us: Color,
    pub(super) ours: Bitboard,
    pub(super) theirs: Bitboard,
    /// Squares that count as mobility.
    pub(super) free: Bitboard,
    /// Enemy pieces that no pawn defends.
    pub(super) loose: Bitboard,
    /// The enemy king and the squares around it.
    pub(super) king_zone: Bitboard,
    /// Squares from which a bishop or queen gives check.
    pub(super) diagonals: Bitboard,
    /// Squares from which a rook or queen gives check.
    pub(super) straights: Bitboard,
    /// The size of the attack on the king's surroundings; 0 without any.
    pub(super) units: usize,
    /// The squares that we attack.
    pub(super) attacks: Attacks,
    /// The free squares that our pieces attack, by role.
    pub(super) reach: [Bitboard; 7],
    pub(super) tally: T,
}

impl<'b, T: Tally> Walk<'b, T> {
    fn along(board: &'b Board, us: Color) -> Self {
        let mut walk = Self::new(board, us);
        walk.pawn_threats();
        let (ours, occupied) = (walk.ours, board.occupied());
        // Lines continue behind own pieces that move along the same line (x-rays).
        let (diagonal, straight) =
            (occupied ^ (board.queens() & ours), occupied ^ (board.rooks_and_queens() & ours));
        for square in board.knights() & ours {
            walk.piece(&KNIGHT, knight_attacks(square));
        }
        for square in board.bishops() & ours {
            walk.piece(&BISHOP, bishop_attacks(square, diagonal));
        }
        for square in board.rooks() & ours {
            walk.piece(&ROOK, rook_attacks(square, straight));
            walk.rook_file(square);
        }
        for square in board.queens() & ours {
            walk.piece(&QUEEN, rook_attacks(square, occupied) | bishop_attacks(square, occupied));
        }
        if (board.bishops() & ours).more_than_one() {
            walk.tally.count(BISHOP_PAIR.at(0), 1);
        }
        walk
    }

    fn new(board: &'b Board, us: Color) -> Self {
        let (ours, theirs, occupied) = (board.by_color(us), board.by_color(!us), board.occupied());
        let defended = attacked(!us, board.pawns() & theirs);
        let king = board.king_of(!us).unwrap_or(Square::A1);
        let attacks = Attacks {
            army: attacked(us, board.pawns() & ours),
            twice: Bitboard::EMPTY,
            king: king_attacks(board.king_of(us).unwrap_or(Square::A1)),
        };
        Self {
            board,
            us,
            ours,
            theirs,
            free: !ours & !defended,
            loose: theirs & !defended & !board.kings(),
            king_zone: king_attacks(king).with(king),
            diagonals: bishop_attacks(king, occupied),
            straights: rook_attacks(king, occupied),
            units: 0,
            attacks,
            reach: [Bitboard::EMPTY; 7],
            tally: T::default(),
        }
    }

    /// Counts a piece with its `attacks`.
    fn piece(&mut self, kind: &RoleTerms, attacks: Bitboard) {
        let reach = attacks & self.free;
        self.tally.count(kind.mobility.at(reach.count()), 1);
        self.reach[kind.role as usize] |= reach;
        self.attacks.twice |= self.attacks.army & attacks;
        self.attacks.army |= attacks;
        let near_king = attacks & self.king_zone;
        if near_king.any() {
            self.units += kind.units + near_king.count();
        }
        if let Some(threat) = kind.threat {
            self.threats(threat, attacks & self.loose);
        }
    }

    pub(super) fn threats(&mut self, threat: Term, victims: Bitboard) {
        for victim in victims {
            if let Some(role) = self.board.role_at(victim) {
                self.tally.count(threat.at(role as usize - 1), 1);
            }
        }
    }

    fn rook_file(&mut self, rook: Square) {
        let pawns = self.board.pawns() & Bitboard::from(rook.file());
        if (pawns & self.ours).is_empty() {
            self.tally.count(ROOK_FILE.at(usize::from(pawns.is_empty())), 1);
        }
    }

    /// Must be called before the walk over the pieces: it uses the attacks of the pawns alone.
    fn pawn_threats(&mut self) {
        let pawns = self.board.pawns();
        let victims = self.attacks.army & self.theirs & !pawns & !self.board.kings();
        self.threats(PAWN_THREAT, victims);
    }
}
