//! Endgame knowledge that a sum of weights cannot express: material that cannot win, and material that mates
//! a bare king.

use shakmaty::{Bitboard, Board, Color, File, Position as _, Rank, Role, Square, attacks};

use super::king_pawn;
use crate::chess::{
    position::Position,
    value::{KNOWN_WIN, Value, material_value, ordinary},
};

/// The corrections to the sum of the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scaling {
    /// The part of the advantage that counts, in 1/[`FULL_CHANCES`], by how well the remaining material can
    /// win.
    pub chances: Value,
    /// A bonus for driving a bare king back, in centipawns for White.
    pub mop_up: Value,
    /// The value for White, instead of the sum, where the game is a known win; 0 elsewhere.
    pub known_win: Value,
}

impl Scaling {
    /// No corrections, as for nearly all positions.
    const NONE: Self = Self { chances: FULL_CHANCES, mop_up: 0, known_win: 0 };

    /// Returns the corrections for `position` if White (or Black if `white_leads` is false) is ahead by the
    /// weights.
    #[must_use]
    #[inline]
    pub fn of(position: &Position, white_leads: bool) -> Self {
        let mut scaling = Self::beside_network(position, white_leads);
        if scaling == Self::NONE && opposite_bishops(position.chess().board()) {
            scaling.chances = FULL_CHANCES / 2;
        }
        scaling
    }

    /// Returns the corrections for a network.
    ///
    /// The network has learnt the value of opposite-coloured bishops. But its training games do not contain
    /// material that cannot win, or the mating of a bare king, so both corrections remain.
    #[must_use]
    #[inline]
    pub fn beside_network(position: &Position, white_leads: bool) -> Self {
        let (board, strong) = (position.chess().board(), Color::from_white(white_leads));
        let known_win = known_win(board);
        if known_win != 0 {
            return Self { known_win, ..Self::NONE };
        }
        let chances = winning_chances(position, strong);
        let mop_up = if chances == FULL_CHANCES { mop_up(board, strong) } else { 0 };
        Self { chances, mop_up, known_win }
    }

    /// Returns the value of a position for White, from the `sum` of its weights.
    #[must_use]
    #[inline]
    pub fn apply(self, sum: Value) -> Value {
        match self.known_win {
            0 => ordinary(sum * self.chances / FULL_CHANCES + self.mop_up),
            known_win => known_win,
        }
    }
}

/// Whether each side has a pawn, and there is a knight, a rook or a queen. Then [`Scaling::beside_network`]
/// corrects nothing.
#[must_use]
#[inline]
pub fn needs_no_correction(board: &Board) -> bool {
    let pawns = board.pawns();
    (pawns & board.white()).any()
        && (pawns & board.black()).any()
        && (board.knights() | board.rooks_and_queens()).any()
}

/// The denominator of [`Scaling::chances`].
pub const FULL_CHANCES: Value = 64;

/// The part of an advantage of `strong` that can be turned into a win, in 1/[`FULL_CHANCES`], by its material
/// and, in endings whose result is known, by the squares.
#[inline]
fn winning_chances(position: &Position, strong: Color) -> Value {
    let board = position.chess().board();
    if (board.by_color(strong) & board.pawns()).is_empty() {
        return chances_without_pawns(board, strong);
    }
    if bare_king_draws(position) || wrong_bishop(board, strong) { 0 } else { FULL_CHANCES }
}

/// Without pawns, a side that is ahead by at most a minor piece can rarely force mate. One or two knights
/// alone cannot force it; but against a pawn two knights sometimes can, because the pawn moves where a bare
/// king would be stalemated (A. Troitzky).
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

/// Whether a bare king holds the draw, by rules without an exception:
///
/// * against a pawn alone: `king_pawn`;
/// * in or next to the corner before pawns on a rook's file, if no piece helps them but bishops that do not
///   attack the corner;
/// * there against a pawn on the seventh rank and a knight that does not attack the corner, while the other
///   king is at least three steps from it: the knight must protect the pawn, and a king that comes nearer
///   stalemates.
#[must_use]
#[inline]
pub fn bare_king_draws(position: &Position) -> bool {
    let board = position.chess().board();
    let against =
        |strong: Color| !board.by_color(!strong).more_than_one() && bare_king_holds(position, strong);
    against(Color::White) || against(Color::Black)
}

/// [`bare_king_draws`] for the king of `strong`'s opponent, which has nothing else.
fn bare_king_holds(position: &Position, strong: Color) -> bool {
    let board = position.chess().board();
    let (pawns, pieces) = {
        let ours = board.by_color(strong);
        (ours & board.pawns(), ours & !board.pawns() & !board.kings())
    };
    let (Some(pawn), Some(king), Some(other)) =
        (pawns.first(), board.king_of(!strong), board.king_of(strong))
    else {
        return false;
    };
    if pieces.is_empty() && !pawns.more_than_one() {
        return !king_pawn::wins(board, strong, position.turn());
    }
    let Some(corner) = held_corner(pawns, king, strong) else { return false };
    let held_by_knight = |knight: Square| {
        board.knights().contains(knight)
            && !attacks::knight_attacks(knight).contains(corner)
            && !pawns.more_than_one()
            && pawn.distance(corner) == 1
            && other.distance(corner) >= 3
    };
    pieces.is_subset(harmless_bishops(board, corner)) || pieces.single_square().is_some_and(held_by_knight)
}

/// The corner in which `pawns` of `strong` promote, all on one rook's file, if the other `king` is in it or
/// next to it.
fn held_corner(pawns: Bitboard, king: Square, strong: Color) -> Option<Square> {
    let file = pawns.first()?.file();
    let corner = Square::from_coords(file, strong.fold_wb(Rank::Eighth, Rank::First));
    let on_rooks_file = Bitboard::CORNERS.contains(corner) && pawns.is_subset(Bitboard::from(file));
    (on_rooks_file && king.distance(corner) <= 1).then_some(corner)
}

/// The bishops of both sides that never attack `corner`.
fn harmless_bishops(board: &Board, corner: Square) -> Bitboard {
    let squares = if corner.is_light() { Bitboard::DARK_SQUARES } else { Bitboard::LIGHT_SQUARES };
    board.bishops() & squares
}

/// Whether `strong` has only pawns on a rook's file and bishops that do not attack the corner in which they
/// promote, and the other king holds that corner with any pawns of its own, but none on the next file, where
/// one could be captured by a pawn.
///
/// Counted in 57,439 of our own games: 64 had such a position with a score of at least 100 for `strong`, and
/// 63 of these were drawn. Bishops of opposite colours, two pawns up, were drawn in 44 % of 140 games with
/// 140 to 179 centipawns, other endings in 37 %: too small a difference to correct the network.
fn wrong_bishop(board: &Board, strong: Color) -> bool {
    let (ours, theirs) = (board.by_color(strong), board.by_color(!strong));
    let (pawns, pieces) = (ours & board.pawns(), ours & !board.pawns() & !board.kings());
    let Some(king) = board.king_of(!strong) else { return false };
    let Some(corner) = held_corner(pawns, king, strong) else { return false };
    let next_file = Bitboard::from(if corner.file() == File::A { File::B } else { File::G });
    pieces.is_subset(harmless_bishops(board, corner))
        && theirs.is_subset(board.kings() | board.pawns())
        && (theirs & board.pawns() & next_file).is_empty()
}

/// The material of a side without king and pawns, by exchange values, in centipawns.
fn non_pawn_material(board: &Board, color: Color) -> Value {
    let pawns = (board.by_color(color) & board.pawns()).count() as Value;
    material(board, color) - pawns * material_value(Role::Pawn)
}

/// The material of a side by exchange values, in centipawns.
fn material(board: &Board, color: Color) -> Value {
    let worth =
        |role: Role| material_value(role) * (board.by_color(color) & board.by_role(role)).count() as Value;
    Role::ALL.into_iter().map(worth).sum()
}

/// Whether each side has exactly one bishop, on squares of different colours, and otherwise only pawns. The
/// weaker side can then block on squares of one colour.
#[inline]
fn opposite_bishops(board: &Board) -> bool {
    let bishops = board.bishops();
    (board.occupied() & !board.kings() & !board.pawns() & !bishops).is_empty()
        && (bishops & board.white()).single_square().is_some()
        && (bishops & board.black()).single_square().is_some()
        && (bishops & Bitboard::LIGHT_SQUARES).single_square().is_some()
}

/// The bonus for White of driving a bare king to the edge, by `strong`, whose material does not force mate
/// yet.
///
/// Reference: chessprogramming.org, "Mop-up Evaluation".
#[inline]
fn mop_up(board: &Board, strong: Color) -> Value {
    if board.by_color(!strong).more_than_one() || !board.by_color(strong).more_than_one() {
        return 0;
    }
    let (Some(hunter), Some(hunted)) = (board.king_of(strong), board.king_of(!strong)) else { return 0 };
    let bonus = 4 * (14 - manhattan_distance(hunter, hunted)) + 15 * from_centre(hunted);
    strong.fold_wb(bonus, -bonus)
}

/// The value for White of a bare king against material that can force mate; 0 if neither king is such a king.
///
/// More material is worth more, and with the same material a position from which the mate is nearer.
#[inline]
fn known_win(board: &Board) -> Value {
    /// Nine queens are 8,100; more than that comes from a FEN.
    const MOST_MATERIAL: Value = 11_000;
    let of = |strong: Color| {
        if board.by_color(!strong).more_than_one() || !forces_mate(board, strong) {
            return 0;
        }
        let material = material(board, strong).min(MOST_MATERIAL);
        strong.fold_wb(1, -1) * (KNOWN_WIN + material + nearness_to_mate(board, strong))
    };
    of(Color::White) + of(Color::Black)
}

/// Whether the material of `strong` forces mate against a bare king.
fn forces_mate(board: &Board, strong: Color) -> bool {
    let ours = board.by_color(strong);
    let bishops = ours & board.bishops();
    let on_both_colours =
        (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & Bitboard::DARK_SQUARES).any();
    (ours & (board.queens() | board.rooks())).any()
        || on_both_colours
        || bishops.any() && (ours & board.knights()).any()
}

/// How near the mate of a bare king by `strong` is, 0 to 385: the lone king must go to the edge of the board,
/// with bishop and knight to a corner of the bishop's colour, and the other king must come near it. Tried
/// with 200 endings of bishop and knight against the best defence: with these weights all were won, with
/// others 88 to 199.
///
/// Reference: chessprogramming.org, "Mop-up Evaluation".
fn nearness_to_mate(board: &Board, strong: Color) -> Value {
    let (Some(hunter), Some(hunted)) = (board.king_of(strong), board.king_of(!strong)) else { return 0 };
    let (near, at_the_edge) = (7 - hunter.distance(hunted) as Value, from_centre(hunted));
    let ours = board.by_color(strong);
    let in_the_corner = if ours.count() == 3 && (ours & board.knights()).any() {
        let light = (ours & board.bishops() & Bitboard::LIGHT_SQUARES).any();
        let corners = if light { [Square::A8, Square::H1] } else { [Square::A1, Square::H8] };
        7 - corners.map(|corner| manhattan_distance(corner, hunted)).into_iter().min().unwrap_or(7)
    } else {
        0
    };
    20 * near + 15 * at_the_edge + 25 * in_the_corner
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

#[cfg(test)]
mod tests {
    use shakmaty::EnPassantMode;

    use super::*;
    use crate::chess::value::EVAL_LIMIT;

    /// Tests `fen` and the same position with colours exchanged.
    fn assert_draw(fen: &str, draw: bool) {
        let position = Position::from_fen(fen).unwrap();
        let mirror = Position::from_setup(position.chess().to_setup(EnPassantMode::Legal).into_mirrored());
        for position in [position, mirror.unwrap()] {
            assert_eq!(bare_king_draws(&position), draw, "{}", position.fen());
        }
    }

    /// The value of a known win for White, or of one for Black in the mirrored position.
    fn known(fen: &str) -> Value {
        let position = Position::from_fen(fen).unwrap();
        let mirror = Position::from_setup(position.chess().to_setup(EnPassantMode::Legal).into_mirrored());
        let [value, mirrored] =
            [position, mirror.unwrap()].map(|position| known_win(position.chess().board()));
        assert_eq!(value, -mirrored, "{fen}");
        value
    }

    #[test]
    fn a_bare_king_against_material_that_mates_is_a_known_win() {
        for (board, is_won) in [
            ("4k3/8/8/8/8/8/8/Q3K3", true),
            ("4k3/8/8/8/8/8/8/R3K3", true),
            ("4k3/8/8/8/8/8/P7/R3K3", true),
            ("4k3/8/8/8/8/8/8/BB2K3", true),
            ("4k3/8/8/8/8/8/8/BN2K3", true),
            ("4k3/8/8/8/8/8/8/QQQQKQQQ", true),
            ("4k3/8/8/8/8/8/8/B1B1K3", false),
            ("4k3/8/8/8/8/8/8/NN2K3", false),
            ("4k3/8/8/8/8/8/P7/B3K3", false),
            ("4k3/p7/8/8/8/8/8/Q3K3", false),
            ("4k3/8/8/8/8/8/8/4K3", false),
        ] {
            let value = known(&format!("{board} w - - 0 1"));
            assert_eq!(value != 0, is_won, "{board}");
            assert!(!is_won || (KNOWN_WIN..=EVAL_LIMIT).contains(&value), "{board}: {value}");
        }
    }

    #[test]
    fn a_known_win_grows_towards_mate() {
        let grows = |boards: &[&str]| {
            let values: Vec<_> = boards.iter().map(|board| known(&format!("{board} w - - 0 1"))).collect();
            assert!(values.is_sorted_by(|a, b| a < b), "{boards:?}: {values:?}");
        };
        grows(&[
            "8/8/8/3k4/8/3K4/8/2R5",
            "8/3k4/8/3K4/8/8/8/2R5",
            "3k4/8/3K4/8/8/8/8/2R5",
            "k7/8/1K6/8/8/8/8/2R5",
        ]);
        grows(&["3k4/8/8/8/8/8/8/K1R5", "3k4/8/8/3K4/8/8/8/2R5", "3k4/8/3K4/8/8/8/8/2R5"]);
        // The bishop is on dark squares.
        grows(&["k7/8/8/8/8/8/1N6/B3K3", "8/8/k7/8/8/8/1N6/B3K3", "7k/8/8/8/8/8/1N6/B3K3"]);
        grows(&["4k3/8/8/8/8/8/P7/R3K3", "4k3/8/8/8/8/8/8/RR2K3"]);
    }

    #[test]
    fn a_pawn_alone_wins_by_the_opposition() {
        assert_draw("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", false);
        assert_draw("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", false);
        assert_draw("8/4k3/8/4K3/4P3/8/8/8 w - - 0 1", true);
        assert_draw("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1", false);
    }

    #[test]
    fn a_king_in_the_corner_holds_pawns_on_the_rooks_file() {
        assert_draw("k7/8/1K6/P7/P7/P7/8/8 w - - 0 1", true);
        assert_draw("8/6k1/8/5K1P/7P/8/8/8 w - - 0 1", true);
        assert_draw("k7/8/1K6/P7/1P6/8/8/8 w - - 0 1", false);
        assert_draw("8/8/k7/8/P7/P7/2K5/8 w - - 0 1", false);
    }

    #[test]
    fn a_bishop_helps_a_pawn_on_the_rooks_file_if_it_attacks_the_corner() {
        assert_draw("7k/8/6K1/7P/8/8/4B3/8 w - - 0 1", true);
        assert_draw("7k/8/6K1/7P/8/8/3B4/8 w - - 0 1", false);
        assert_draw("8/1k6/8/P1K5/8/4B3/P7/5B2 w - - 0 1", false);
        assert_draw("8/1k6/8/P1K5/8/4B3/P6B/8 w - - 0 1", true);
        assert_draw("8/8/3k4/8/P1K5/4B3/8/8 w - - 0 1", false);
        assert_draw("7k/7p/6K1/7P/8/8/4B3/8 w - - 0 1", false);
    }

    #[test]
    fn a_bishop_of_the_wrong_colour_does_not_win_whatever_pawns_the_king_in_the_corner_has() {
        let chances = |fen: &str| {
            let position = Position::from_fen(fen).unwrap();
            Scaling::beside_network(&position, true).chances
        };
        for (drawn, fen) in [
            (true, "8/7k/8/5K2/7p/8/7P/5B2 w - - 2 56"),
            (true, "7k/8/5K2/7p/7P/1B6/8/8 b - - 0 58"),
            (true, "6k1/8/5p2/5B2/4Kp2/7p/7P/8 w - - 4 93"),
            (false, "8/8/3k4/5K2/7p/8/7P/5B2 w - - 2 56"), // the king is far from the corner
            (false, "8/7k/8/5K2/7p/8/7P/4B3 w - - 2 56"),  // the bishop attacks the corner
            (false, "8/7k/8/5K2/6p1/8/7P/5B2 w - - 2 56"), // the pawn may capture and leave the file
            (false, "8/7k/8/5K2/6Pp/8/7P/5B2 w - - 2 56"),
            (false, "8/7k/8/5K2/7p/8/7P/3N1B2 w - - 2 56"),
        ] {
            assert_eq!(chances(fen) == 0, drawn, "{fen}");
        }
    }

    #[test]
    fn a_knight_does_not_help_a_pawn_on_the_seventh_rank() {
        assert_draw("k7/P7/8/1NK5/8/8/8/8 w - - 0 1", true);
        assert_draw("8/Pk6/2N5/8/4K3/8/8/8 b - - 0 1", true);
        assert_draw("8/Pk6/1N6/8/4K3/8/8/8 w - - 0 1", false);
        assert_draw("k7/P7/K7/8/N7/8/8/8 w - - 0 1", false);
        assert_draw("k7/8/P7/1NK5/8/8/8/8 w - - 0 1", false);
    }
}
