//! What a sum of weights cannot know: which material does not win, and how a bare king is driven to its mate.

use shakmaty::{Bitboard, Board, Color, Role, Square};

use crate::{
    position::see::see_value,
    value::{EVAL_LIMIT, Value},
};

/// How much of the sum of the weights counts, and what is added to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scaling {
    /// How much of the advantage counts, in 1/[`FULL_CHANCES`], as the material that is left can win.
    pub chances: Value,
    /// Driving a bare king to its mate, in centipawns for White.
    pub mop_up: Value,
}

impl Scaling {
    /// What holds on `board` if White, or else Black, is ahead by the weights.
    #[must_use]
    #[inline]
    pub fn of(board: &Board, white_leads: bool) -> Self {
        let strong = Color::from_white(white_leads);
        Self::with(winning_chances(board, strong), board, strong)
    }

    /// The same beside a network. It has learnt what opposite bishops are worth; but it is trained where games are
    /// played on, so that material which cannot win at all, and the way to mate a bare king, are better told than learnt.
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

    /// The value of a position, for White, from the `sum` of its weights.
    #[must_use]
    #[inline]
    pub fn apply(self, sum: Value) -> Value {
        (sum * self.chances / FULL_CHANCES + self.mop_up).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }
}

/// The denominator of [`winning_chances`].
pub const FULL_CHANCES: Value = 64;

/// How much of an advantage of `strong` can be turned into a win, in 1/[`FULL_CHANCES`].
///
/// Without pawns, a side that is ahead by no more than a minor piece can hardly ever force mate, and two knights never
/// can. With bishops of opposite colours and nothing else but pawns, the weaker side blocks one colour for good.
#[must_use]
#[inline]
pub fn winning_chances(board: &Board, strong: Color) -> Value {
    if (board.by_color(strong) & board.pawns()).is_empty() {
        return chances_without_pawns(board, strong);
    }
    let only_bishops = (board.occupied() & !board.kings() & !board.pawns() & !board.bishops()).is_empty();
    if only_bishops && opposite_bishops(board) { FULL_CHANCES / 2 } else { FULL_CHANCES }
}

#[cold]
fn chances_without_pawns(board: &Board, strong: Color) -> Value {
    let ours = board.by_color(strong);
    let only_knights = (ours & !board.kings() & !board.knights()).is_empty();
    if only_knights && (ours & board.knights()).count() <= 2 {
        return 0;
    }
    let lead = officers(board, strong) - officers(board, !strong);
    if lead <= see_value(Role::Bishop) { FULL_CHANCES / 8 } else { FULL_CHANCES }
}

/// The material of a side besides king and pawns, as in exchanges, in centipawns.
fn officers(board: &Board, color: Color) -> Value {
    [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .into_iter()
        .map(|role| see_value(role) * (board.by_color(color) & board.by_role(role)).count() as Value)
        .sum()
}

/// Whether each side has one bishop, and they stand on squares of different colours.
#[cold]
fn opposite_bishops(board: &Board) -> bool {
    let bishops = board.bishops();
    (bishops & board.white()).single_square().is_some()
        && (bishops & board.black()).single_square().is_some()
        && (bishops & Bitboard::LIGHT_SQUARES).single_square().is_some()
}

/// What `strong` gains by where the kings stand when its opponent has nothing but the king: the nearer to the edge the
/// lone king is (with bishop and knight: to a corner the bishop rules) and the nearer the kings, the sooner the mate.
///
/// Reference: chessprogramming.org, "Mop-up Evaluation".
#[must_use]
#[inline]
pub fn mop_up(board: &Board, strong: Color) -> Value {
    if board.by_color(!strong).more_than_one() || !board.by_color(strong).more_than_one() {
        return 0;
    }
    drive(board, strong)
}

#[cold]
fn drive(board: &Board, strong: Color) -> Value {
    let (Some(hunter), Some(hunted)) = (board.king_of(strong), board.king_of(!strong)) else { return 0 };
    let nearness = 14 - steps(hunter, hunted);
    let ours = board.by_color(strong);
    let bishop_and_knight =
        ours.count() == 3 && (ours & board.bishops()).any() && (ours & board.knights()).any();
    let exile = if bishop_and_knight {
        let light = (ours & board.bishops() & Bitboard::LIGHT_SQUARES).any();
        let corners = if light { [Square::A8, Square::H1] } else { [Square::A1, Square::H8] };
        2 * (14 - corners.map(|corner| steps(corner, hunted)).into_iter().min().unwrap_or(14))
    } else {
        3 * from_centre(hunted)
    };
    4 * nearness + 5 * exile
}

/// Distance in steps along ranks and files, 0 to 14.
fn steps(a: Square, b: Square) -> Value {
    (a.file() - b.file()).abs() + (a.rank() - b.rank()).abs()
}

/// Steps along ranks and files to the nearest of the four centre squares, 0 to 6.
fn from_centre(square: Square) -> Value {
    let off = |coordinate: i32| if coordinate < 4 { 3 - coordinate } else { coordinate - 4 };
    off(i32::from(square.file())) + off(i32::from(square.rank()))
}
