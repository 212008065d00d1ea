//! What the pieces do where they stand: mobility, attack on the king, threats, files, blockades.
//!
//! One walk over the pieces of each side, each piece's attacks looked up once. Nothing of it is incremental: a move
//! changes the reach of too many pieces.
//!
//! Reference: chessprogramming.org, "Mobility", "King Safety".

use shakmaty::{
    Bitboard, Board, Color, Role, Square,
    attacks::{bishop_attacks, king_attacks, knight_attacks, rook_attacks},
};

use super::{
    pawns::{attacked, next_square, relative_rank},
    terms::{
        BISHOP_MOBILITY, BISHOP_PAIR, KING_ATTACK, KING_LINES, KNIGHT_MOBILITY, MINOR_THREAT, PASSED_BLOCKED,
        PAWN_THREAT, QUEEN_MOBILITY, ROOK_FILE, ROOK_MOBILITY, ROOK_THREAT, SAFE_CHECK, Tally, Term,
    },
};

/// What the walk must know of a role.
struct Kind {
    role: Role,
    mobility: Term,
    /// What it counts for when it attacks pieces that no pawn defends, if that counts.
    threat: Option<Term>,
    /// The units it adds to an attack on the king, besides one for each square of the king's surroundings.
    units: usize,
}

const KNIGHT: Kind =
    Kind { role: Role::Knight, mobility: KNIGHT_MOBILITY, threat: Some(MINOR_THREAT), units: 2 };
const BISHOP: Kind =
    Kind { role: Role::Bishop, mobility: BISHOP_MOBILITY, threat: Some(MINOR_THREAT), units: 2 };
const ROOK: Kind = Kind { role: Role::Rook, mobility: ROOK_MOBILITY, threat: Some(ROOK_THREAT), units: 3 };
const QUEEN: Kind = Kind { role: Role::Queen, mobility: QUEEN_MOBILITY, threat: None, units: 4 };

/// Counts the pieces of both sides, White's less Black's; `passed` are the passed pawns of both.
#[must_use]
#[inline]
pub fn activity<T: Tally>(board: &Board, passed: Bitboard) -> T {
    side::<T>(board, Color::White, passed) - side::<T>(board, Color::Black, passed)
}

// Inlined for each colour, as everything below: the colour, the roles and the places of the weights become constants.
#[inline(always)]
fn side<T: Tally>(board: &Board, us: Color, passed: Bitboard) -> T {
    let (ours, occupied) = (board.by_color(us), board.occupied());
    let mut walk = Walk::<T>::new(board, us);
    for square in board.knights() & ours {
        walk.piece(&KNIGHT, knight_attacks(square), walk.knight_checks);
    }
    for square in board.bishops() & ours {
        walk.piece(&BISHOP, bishop_attacks(square, occupied), walk.diagonals);
    }
    for square in board.rooks() & ours {
        walk.piece(&ROOK, rook_attacks(square, occupied), walk.straights);
        walk.rook_file(square);
    }
    for square in board.queens() & ours {
        let attacks = rook_attacks(square, occupied) | bishop_attacks(square, occupied);
        walk.piece(&QUEEN, attacks, walk.straights | walk.diagonals);
    }
    walk.king_attack();
    walk.pawns(passed);
    if (board.bishops() & ours).more_than_one() {
        walk.tally.count(BISHOP_PAIR.at(0), 1);
    }
    walk.tally
}

/// A walk over the pieces of one side: what it looks at, and what it has found.
struct Walk<'b, T> {
    board: &'b Board,
    us: Color,
    ours: Bitboard,
    theirs: Bitboard,
    /// Squares that count as mobility.
    free: Bitboard,
    /// Enemy pieces that no pawn defends.
    loose: Bitboard,
    /// The enemy king and the squares around it.
    king_zone: Bitboard,
    /// From where a knight gives check.
    knight_checks: Bitboard,
    /// From where a bishop or queen gives check.
    diagonals: Bitboard,
    /// From where a rook or queen gives check.
    straights: Bitboard,
    /// The pieces that attack the king's surroundings.
    attackers: usize,
    /// What their attack amounts to.
    units: usize,
    tally: T,
}

impl<'b, T: Tally> Walk<'b, T> {
    #[inline(always)]
    fn new(board: &'b Board, us: Color) -> Self {
        let (ours, theirs, occupied) = (board.by_color(us), board.by_color(!us), board.occupied());
        let defended = attacked(!us, board.pawns() & theirs);
        let king = board.king_of(!us).unwrap_or(Square::A1);
        Self {
            board,
            us,
            ours,
            theirs,
            free: !ours & !defended,
            loose: theirs & !defended & !board.kings(),
            king_zone: king_attacks(king).with(king),
            knight_checks: knight_attacks(king),
            diagonals: bishop_attacks(king, occupied),
            straights: rook_attacks(king, occupied),
            attackers: 0,
            units: 0,
            tally: T::default(),
        }
    }

    /// A piece with its `attacks`; `checks` are the squares from where it would give check.
    #[inline(always)]
    fn piece(&mut self, kind: &Kind, attacks: Bitboard, checks: Bitboard) {
        let reach = attacks & self.free;
        self.tally.count(kind.mobility.at(reach.count()), 1);
        if (reach & checks & !self.king_zone).any() {
            self.tally.count(SAFE_CHECK.at(kind.role as usize - 1), 1);
        }
        let near_king = attacks & self.king_zone;
        if near_king.any() {
            self.attackers += 1;
            self.units += kind.units + near_king.count();
        }
        if let Some(threat) = kind.threat {
            self.threats(threat, attacks & self.loose);
        }
    }

    #[inline(always)]
    fn threats(&mut self, threat: Term, victims: Bitboard) {
        for victim in victims {
            if let Some(role) = self.board.role_at(victim) {
                self.tally.count(threat.at(role as usize - 1), 1);
            }
        }
    }

    #[inline(always)]
    fn rook_file(&mut self, rook: Square) {
        let pawns = self.board.pawns() & Bitboard::from(rook.file());
        if (pawns & self.ours).is_empty() {
            self.tally.count(ROOK_FILE.at(usize::from(pawns.is_empty())), 1);
        }
    }

    /// One attacker alone is none.
    #[inline(always)]
    fn king_attack(&mut self) {
        self.tally.count(KING_LINES.at((self.straights | self.diagonals).count()), 1);
        if self.attackers >= 2 {
            let row = if (self.board.queens() & self.ours).any() { ATTACK_ROW } else { 0 };
            self.tally.count(KING_ATTACK.at(row + self.units.min(ATTACK_ROW - 1)), 1);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, passed: Bitboard) {
        let (us, pawns) = (self.us, self.board.pawns());
        let victims = attacked(us, pawns & self.ours) & self.theirs & !pawns & !self.board.kings();
        self.threats(PAWN_THREAT, victims);
        for pawn in passed & self.ours {
            if next_square(us, pawn).is_some_and(|stop| self.theirs.contains(stop)) {
                self.tally.count(PASSED_BLOCKED.at(relative_rank(us, pawn)), 1);
            }
        }
    }
}

/// How many sizes of attack there are, with and without a queen.
const ATTACK_ROW: usize = KING_ATTACK.len / 2;
