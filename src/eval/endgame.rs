//! Endgame knowledge that a sum of weights cannot express: material that cannot win, and how to mate a bare king.

use shakmaty::{Bitboard, Board, Color, Role, Square};

use crate::value::{EVAL_LIMIT, Value, material_value};

/// The corrections to the sum of the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scaling {
    /// The part of the advantage that counts, in 1/[`FULL_CHANCES`], by how well the remaining material can win.
    pub chances: Value,
    /// A bonus for driving a bare king towards mate, in centipawns for White.
    pub mop_up: Value,
}

impl Scaling {
    /// No corrections, as for nearly all positions.
    const NONE: Self = Self { chances: FULL_CHANCES, mop_up: 0 };

    /// Returns the corrections for `board` if White (or Black if `white_leads` is false) is ahead by the weights.
    #[must_use]
    #[inline]
    pub fn of(board: &Board, white_leads: bool) -> Self {
        let strong = Color::from_white(white_leads);
        Self::with(winning_chances(board, strong), board, strong)
    }

    /// Returns the corrections for a network.
    ///
    /// The network has learnt the value of opposite-coloured bishops. But its training games do not contain
    /// material that cannot win, or the mating of a bare king, so both corrections remain.
    #[must_use]
    #[inline]
    pub fn beside_network(board: &Board, white_leads: bool) -> Self {
        let strong = Color::from_white(white_leads);
        let pawns = (board.by_color(strong) & board.pawns()).any();
        let chances = if pawns { FULL_CHANCES } else { chances_without_pawns(board, strong) };
        Self::with(chances, board, strong)
    }

    #[inline]
    fn with(chances: Value, board: &Board, strong: Color) -> Self {
        let mop_up = if chances == FULL_CHANCES { strong.fold_wb(1, -1) * mop_up(board, strong) } else { 0 };
        Self { chances, mop_up }
    }

    /// Returns the value of a position for White, from the `sum` of its weights.
    #[must_use]
    #[inline]
    pub fn apply(self, sum: Value) -> Value {
        if self == Self::NONE {
            return sum.clamp(-EVAL_LIMIT, EVAL_LIMIT);
        }
        (sum * self.chances / FULL_CHANCES + self.mop_up).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }
}

/// Whether each side has a pawn. Then [`Scaling::beside_network`] corrects nothing.
#[must_use]
#[inline]
pub fn both_have_pawns(board: &Board) -> bool {
    (board.pawns() & board.white()).any() && (board.pawns() & board.black()).any()
}

/// The denominator of [`Scaling::chances`].
pub const FULL_CHANCES: Value = 64;

/// The part of an advantage of `strong` that can be turned into a win, in 1/[`FULL_CHANCES`].
///
/// Without pawns, a side that is ahead by at most a minor piece can rarely force mate. One or two knights alone cannot
/// force it; but against a pawn two knights sometimes can, because the pawn moves where a bare king would be stalemated
/// (A. Troitzky). With bishops of opposite colours and otherwise only pawns, the weaker side can block on squares of one
/// colour.
#[inline]
fn winning_chances(board: &Board, strong: Color) -> Value {
    if (board.by_color(strong) & board.pawns()).is_empty() {
        return chances_without_pawns(board, strong);
    }
    let only_bishops = (board.occupied() & !board.kings() & !board.pawns() & !board.bishops()).is_empty();
    if only_bishops && opposite_bishops(board) { FULL_CHANCES / 2 } else { FULL_CHANCES }
}

#[cold]
fn chances_without_pawns(board: &Board, strong: Color) -> Value {
    let ours = board.by_color(strong);
    let knights = ours & board.knights();
    let only_knights = (ours & !board.kings() & !knights).is_empty();
    if only_knights && knights.count() <= 2 {
        let may_win = knights.more_than_one() && board.pawns().any();
        return if may_win { FULL_CHANCES / 8 } else { 0 };
    }
    let lead = non_pawn_material(board, strong) - non_pawn_material(board, !strong);
    if lead <= material_value(Role::Bishop) { FULL_CHANCES / 8 } else { FULL_CHANCES }
}

/// The material of a side without king and pawns, by exchange values, in centipawns.
fn non_pawn_material(board: &Board, color: Color) -> Value {
    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .into_iter()
        .map(|role| material_value(role) * (board.by_color(color) & board.by_role(role)).count() as Value)
        .sum()
}

/// Whether each side has exactly one bishop, on squares of different colours.
#[cold]
fn opposite_bishops(board: &Board) -> bool {
    let bishops = board.bishops();
    (bishops & board.white()).single_square().is_some()
        && (bishops & board.black()).single_square().is_some()
        && (bishops & Bitboard::LIGHT_SQUARES).single_square().is_some()
}

/// The bonus of `strong` for the king positions when its opponent has only the king. It grows as the lone king
/// comes nearer to the edge (with bishop and knight: to a corner of the bishop's colour), and as the kings come
/// nearer to each other.
///
/// Reference: chessprogramming.org, "Mop-up Evaluation".
#[inline]
fn mop_up(board: &Board, strong: Color) -> Value {
    if board.by_color(!strong).more_than_one() || !board.by_color(strong).more_than_one() {
        return 0;
    }
    drive(board, strong)
}

#[cold]
fn drive(board: &Board, strong: Color) -> Value {
    let (Some(hunter), Some(hunted)) = (board.king_of(strong), board.king_of(!strong)) else { return 0 };
    let nearness = 14 - manhattan_distance(hunter, hunted);
    let ours = board.by_color(strong);
    let bishop_and_knight =
        ours.count() == 3 && (ours & board.bishops()).any() && (ours & board.knights()).any();
    let exile = if bishop_and_knight {
        let light = (ours & board.bishops() & Bitboard::LIGHT_SQUARES).any();
        let corners = if light { [Square::A8, Square::H1] } else { [Square::A1, Square::H8] };
        2 * (14 - corners.map(|corner| manhattan_distance(corner, hunted)).into_iter().min().unwrap_or(14))
    } else {
        3 * from_centre(hunted)
    };
    4 * nearness + 5 * exile
}

/// The distance in steps along ranks and files, 0 to 14.
fn manhattan_distance(a: Square, b: Square) -> Value {
    (a.file() - b.file()).abs() + (a.rank() - b.rank()).abs()
}

/// The [`manhattan_distance`] to the nearest of the four centre squares, 0 to 6.
fn from_centre(square: Square) -> Value {
    let off = |coordinate: i32| if coordinate < 4 { 3 - coordinate } else { coordinate - 4 };
    off(i32::from(square.file())) + off(i32::from(square.rank()))
}
