//! The numbers of the evaluator, and nothing else: the output of `zugwerk tune`, fitted to our own games.
//!
//! `docs/tuning.md` has the commands that made them. Do not edit: tune. What each term counts is told in `terms.rs`.
//!
//! Grids are seen from White's side, as printed on a page: a8 top left, h1 bottom right. Rows begin with the lowest
//! index; ranks count from the side's own first, which is 0. Midgame before endgame. Centipawns.

/// One number for each square, a8 first.
pub type Grid = [i16; 64];

/// A midgame and an endgame value.
pub type Pair = (i16, i16);

/// What a piece of each role (pawn, knight, bishop, rook, queen, king) is worth in the midgame.
pub const MATERIAL_MG: [i16; 6] = [93, 298, 306, 489, 903, 0];

/// What a piece of each role (pawn, knight, bishop, rook, queen, king) is worth in the endgame.
pub const MATERIAL_EG: [i16; 6] = [101, 295, 309, 503, 903, 0];

/// Midgame tables by role: what the square adds to the material.
#[rustfmt::skip]
pub const TABLES_MG: [Grid; 6] = [
    [ // Pawn
        0,    0,    0,    0,    0,    0,    0,    0,
       21,   46,   26,   16,   69,   38,   40,   26,
        1,   22,   -8,   34,   35,  -19,  -11,   -4,
      -15,    3,   -6,    6,    6,   -2,   -6,  -11,
      -19,  -12,  -11,   -1,   -3,  -12,  -11,  -19,
      -21,  -14,  -17,  -15,  -12,  -17,   -6,  -18,
      -21,   -7,   -5,  -24,  -24,   -4,    1,  -16,
        0,    0,    0,    0,    0,    0,    0,    0,
    ],
    [ // Knight
     -128,  -21,  -37,    2,   -1,  -11,  -21,  -72,
      -37,  -11,    6,   17,   16,   31,  -31,  -19,
       -1,    6,    9,   11,   37,   25,    8,    0,
       11,    8,   20,   21,   24,   16,   13,   -5,
        3,    5,   21,   21,   18,   15,   24,   11,
       -8,   11,   12,   10,   25,   16,   16,  -12,
       -7,   -6,    3,   14,   13,   -2,    8,  -29,
      -53,    1,    6,   -2,   10,  -21,    1,  -11,
    ],
    [ // Bishop
      -16,  -51,  -23,  -39,   21,  -26,   -5,  -11,
      -18,  -14,  -18,   -1,  -19,    9,    1,  -23,
       -4,    9,    5,   21,   35,   -6,   12,   -4,
       -8,    2,   26,   26,   11,   -3,    7,   -2,
       -4,    6,   14,   14,   18,   12,    0,    3,
       -2,   18,   11,    8,    4,   14,    6,   -5,
      -11,    8,   14,    1,    6,    0,   10,  -13,
       -4,  -13,   -2,   12,    3,   -7,  -15,  -28,
    ],
    [ // Rook
        2,   12,   -2,  -14,   -5,  -18,   19,    3,
      -34,   -8,    3,   10,   17,    5,   12,    9,
        3,   28,   31,   26,   24,   15,   28,   16,
       -4,  -18,    7,   12,   -6,    5,   -5,    5,
      -13,  -15,  -11,   -4,   -1,  -12,  -23,  -12,
      -11,    1,   -5,    3,  -10,   -7,   -4,  -14,
      -16,   -2,    3,    6,    2,    1,   -8,  -17,
       -8,   -6,    2,    4,    3,    3,  -10,  -11,
    ],
    [ // Queen
        3,   14,    2,    4,   33,    2,   23,   -7,
      -12,  -15,   15,    9,    5,    4,   23,   -9,
      -11,    6,    1,   12,   10,   19,   19,   12,
      -11,   -6,   -2,   -2,   -8,   -8,   16,   -2,
       -8,   -9,   -1,   -4,   -4,    1,    2,   -4,
      -19,    2,  -13,   -4,  -11,   -3,    5,  -12,
       -9,    0,    8,    1,    4,    9,   -7,  -12,
       -3,    7,    0,   -3,   -6,  -24,   -2,  -37,
    ],
    [ // King
       -4,  -18,   -5,   -3,    4,   29,    0,  -16,
       12,  -11,  -25,    1,    3,   -2,   -1,  -27,
       32,  -38,   -3,   -2,  -13,  -13,    0,  -10,
        0,   -7,  -16,  -10,   -7,   -2,  -13,  -29,
       30,    2,  -24,  -37,  -27,  -18,    0,  -46,
      -26,  -22,  -17,  -10,   -1,   -7,  -16,  -38,
      -16,   -1,    6,   -9,   -2,    7,    6,    0,
      -19,    9,   13,   -6,   18,    3,    8,    2,
    ],
];

/// Endgame tables by role: what the square adds to the material.
#[rustfmt::skip]
pub const TABLES_EG: [Grid; 6] = [
    [ // Pawn
        0,    0,    0,    0,    0,    0,    0,    0,
        5,   42,   29,   44,   32,   33,   24,   13,
       -4,    7,    8,   12,    4,    0,   -3,   15,
       -5,   -2,  -11,    6,    0,  -15,   -5,   -5,
      -12,   -7,  -12,    2,   -1,  -15,   -5,   -5,
      -12,   -5,  -12,    0,   -6,  -15,  -10,   -4,
       -5,    0,   -6,  -27,  -36,  -10,   -5,   -4,
        0,    0,    0,    0,    0,    0,    0,    0,
    ],
    [ // Knight
      -73,  -22,   -8,    2,    0,    4,  -29,  -27,
      -27,   -4,   -2,   17,   10,  -20,   -6,   -4,
       -6,    7,   42,   37,   14,   28,   15,  -20,
       -9,   10,   25,   31,   27,   22,    0,    9,
       -9,    2,   24,   24,   23,   16,    3,   -5,
      -24,    8,    8,   20,   18,    9,   10,    6,
       -7,  -10,  -10,    7,    8,    9,  -20,   -3,
      -34,  -11,   -9,    2,   -2,    4,   -1,  -78,
    ],
    [ // Bishop
      -12,   12,    9,  -10,  -12,  -12,    0,  -12,
        9,    2,    7,   14,    4,  -11,   -7,   10,
       -7,   18,   10,    4,   -1,    7,   10,   -4,
        3,    8,   -5,    1,    9,    7,   -1,   -2,
       -8,    1,    5,    5,    5,    6,   -4,   -6,
      -21,   -2,    4,    6,   10,   -3,    3,   -5,
      -22,  -12,   -5,    1,   -5,    5,   -7,   -6,
       -8,   -1,   -6,   -4,   -2,   -2,    7,    0,
    ],
    [ // Rook
        4,    7,    8,   11,   15,   17,    8,    7,
       10,    4,    0,    1,   -2,    7,    1,    1,
       -5,   -9,   -9,   -6,   -5,   -4,   -8,   -1,
        2,    6,    4,   -2,    3,    4,   -3,    5,
        3,   11,    6,    1,    3,    4,    1,    4,
       -1,   -3,    2,    3,    2,    3,    4,    0,
      -10,   -5,   -2,   -5,   -2,   -4,   -9,   -4,
       -9,  -12,  -10,  -10,   -9,  -11,   -4,  -11,
    ],
    [ // Queen
       14,   -4,   -8,   -1,    9,   -2,  -10,   -3,
       16,   27,    3,    7,   30,   10,   -8,   -1,
        2,    8,   20,   14,   41,   22,   -2,    4,
        2,   14,   -1,   41,   50,   22,   -6,    2,
        7,   25,    3,   32,   21,   10,  -10,   13,
        5,   -8,   20,    5,    8,    9,  -17,   10,
      -35,   13,  -33,   -6,  -10,  -45,  -40,   -7,
      -29,  -46,  -35,  -15,  -34,  -27,  -67,   -4,
    ],
    [ // King
      -43,  -14,  -14,  -13,  -19,    4,    8,  -59,
        7,   25,   17,   -1,   13,   28,   29,    0,
       -9,   25,   22,   21,   20,   32,   35,   -6,
      -13,   12,   18,   23,   22,   19,   20,   -1,
      -34,   -1,   14,   26,   20,   19,    9,   -6,
       -5,    4,   11,    3,    4,    9,   12,   -2,
      -12,   -3,  -11,  -13,  -18,  -12,  -11,   -9,
      -13,  -15,  -30,  -42,  -46,  -25,  -14,  -29,
    ],
];

/// Having the move.
pub const TEMPO: [Pair; 1] = [(9, 3)];

/// Having both bishops.
pub const BISHOP_PAIR: [Pair; 1] = [(22, 38)];

/// A passed pawn, by rank.
#[rustfmt::skip]
pub const PASSED: [Pair; 8] = [
          (0, 0),    (-9, 10),    (-9, 11),  (-13, -10),    (-6, 13),   (-18, 39),    (43, 33),      (0, 0),
];

/// A passed pawn whose next square is occupied by the enemy, by rank.
#[rustfmt::skip]
pub const PASSED_BLOCKED: [Pair; 8] = [
          (0, 0),   (-8, -10),    (-1, -3),     (0, -6),   (-3, -13),   (-6, -20),  (-21, -27),      (0, 0),
];

/// A passed pawn beyond the middle, by the steps of its own king to the square before it.
#[rustfmt::skip]
pub const PASSED_OWN_KING: [Pair; 8] = [
        (30, 32),   (-25, 61),     (8, 32),    (11, 18),     (7, 10),     (-3, 7),    (14, -2),   (-13, 10),
];

/// A passed pawn beyond the middle, by the steps of the enemy king to the square before it.
#[rustfmt::skip]
pub const PASSED_ENEMY_KING: [Pair; 8] = [
       (17, -15),   (18, -15),    (19, -3),     (6, 16),    (-5, 37),   (-17, 51),   (-27, 68),    (-3, 56),
];

/// A pawn without own pawns on the files beside it, by file from the edge.
#[rustfmt::skip]
pub const ISOLATED: [Pair; 4] = [
         (6, -7),    (1, -14),    (-3, -4),   (-1, -11),
];

/// A pawn with an own pawn in front of it.
pub const DOUBLED: [Pair; 1] = [(-8, -3)];

/// A pawn that no own pawn can come to support, and whose next square an enemy pawn attacks.
pub const BACKWARD: [Pair; 1] = [(-1, -9)];

/// A pawn with an own pawn beside it, by rank.
#[rustfmt::skip]
pub const PHALANX: [Pair; 8] = [
          (0, 0),     (2, -2),      (2, 1),      (5, 6),     (5, 18),    (39, 63),    (41, 98),      (0, 0),
];

/// A pawn supported by an own pawn, by rank.
#[rustfmt::skip]
pub const SUPPORTED: [Pair; 8] = [
          (0, 0),      (0, 0),      (6, 0),      (5, 1),     (11, 6),     (1, 24),    (64, 61),      (0, 0),
];

/// The nearest own pawn in front of the king on its file and those beside it: by file from the edge (rows), and
/// the rank of the pawn, 0 for none.
#[rustfmt::skip]
pub const SHELTER: [Pair; 32] = [
         (0, -4),    (6, -14),    (9, -13),     (6, -5),    (-2, -7),   (-45, 20),   (-39, 42),      (0, 0),
       (-11, -2),     (5, -7),     (1, -4),    (-3, -3),    (-3, -4),    (32, -1),    (24, 22),      (0, 0),
        (-3, -9),     (5, -5),     (0, -1),     (0, -8),   (-14, -2),    (-12, 7),   (-24, 20),      (0, 0),
         (-6, 1),     (0, 19),     (2, -3),     (2, -2),     (-5, 3),     (-3, 5),   (-10, 21),      (0, 0),
];

/// The nearest enemy pawn in front of the king on the same files, the same way.
#[rustfmt::skip]
pub const STORM: [Pair; 32] = [
        (1, -12),   (-35, 45),   (-27, 34),     (-5, 2),     (-2, 0),     (7, -7),     (5, -9),      (0, 0),
        (-5, -6),    (29, 71),   (-21, 31),    (12, -7),    (-1, -4),     (5, -7),     (1, -8),      (0, 0),
        (-2, -6),    (-4, 39),   (-34, 27),    (-4, -1),    (-4, -4),    (-3, -2),     (6, -7),      (0, 0),
         (-8, 0),    (15, 36),     (7, 25),     (-3, 3),    (-2, -3),      (3, 2),    (-3, -1),      (0, 0),
];

/// Squares a knight attacks that no own piece occupies and no enemy pawn attacks, by number.
#[rustfmt::skip]
pub const KNIGHT_MOBILITY: [Pair; 9] = [
       (-8, -23),     (5, -7),      (8, 0),     (10, 9),    (14, 11),    (17, 14),    (19, 10),     (19, 4),
        (24, -8),
];

/// The same of a bishop.
#[rustfmt::skip]
pub const BISHOP_MOBILITY: [Pair; 14] = [
         (7, -9),      (9, 4),     (13, 9),    (16, 10),    (15, 17),    (15, 20),    (17, 18),    (16, 23),
        (19, 22),    (18, 23),    (16, 23),    (31, 18),    (24, 17),    (48, 12),
];

/// The same of a rook.
#[rustfmt::skip]
pub const ROOK_MOBILITY: [Pair; 15] = [
      (-30, -40),  (-20, -17),  (-16, -11),   (-14, -6),    (-14, 1),    (-16, 3),    (-15, 4),    (-15, 5),
        (-17, 9),   (-15, 11),   (-11, 12),   (-19, 17),   (-19, 17),   (-12, 15),    (-2, 14),
];

/// The same of a queen.
#[rustfmt::skip]
pub const QUEEN_MOBILITY: [Pair; 28] = [
       (-2, -18),   (-2, -26),     (-3, 9),     (-2, 5),     (-2, 8),      (0, 6),      (1, 6),     (1, 16),
         (1, 17),     (3, 17),     (1, 25),     (5, 23),     (9, 15),     (8, 25),     (5, 28),     (7, 25),
        (12, 19),    (14, 14),    (15, 17),     (24, 5),     (33, 0),   (39, -26),   (39, -22),   (37, -39),
        (9, -31),  (-8, -108),   (-6, -21),  (-14, -43),
];

/// A rook on a file without own pawns; without any pawns.
#[rustfmt::skip]
pub const ROOK_FILE: [Pair; 2] = [
         (8, -2),    (15, -6),
];

/// An attack on the enemy king without queen (first row) and with one, by units: see `pieces.rs`.
#[rustfmt::skip]
pub const KING_ATTACK: [Pair; 48] = [
          (0, 0),      (0, 0),      (0, 0),      (0, 0),      (0, 0),      (0, 0),     (3, -2),     (4, -3),
        (-1, -4),     (9, -3),    (22, -4),     (18, 1),     (-1, 6),    (12, 10),     (7, 23),    (14, 21),
        (38, 31),    (27, 29),  (-16, -21),    (13, 14),      (0, 0),     (11, 8),      (0, 0),      (0, 0),
          (0, 0),      (0, 0),      (0, 0),      (0, 0),      (0, 0),      (0, 0),     (6, 24),     (8, 42),
         (5, 28),     (3, 35),    (14, 24),    (20, 26),    (27, 45),    (41, 38),    (42, 36),    (54, 49),
        (75, 53),    (59, 40),    (43, 19),    (39, 16),    (37, 13),     (36, 9),     (15, 3),      (2, 0),
];

/// A piece can safely give check with its next move, by role.
#[rustfmt::skip]
pub const SAFE_CHECK: [Pair; 6] = [
          (0, 0),      (8, 5),      (8, 9),     (15, 5),     (6, 30),      (0, 0),
];

/// The squares a queen in the enemy king's place would attack, by number.
#[rustfmt::skip]
pub const KING_LINES: [Pair; 28] = [
          (0, 0),      (0, 0),      (0, 0),    (14, 24),   (-24, 16),    (-10, 5),     (-8, 3),     (-6, 5),
         (-4, 5),     (-2, 2),    (-3, -1),     (-2, 0),     (-2, 2),     (0, -1),     (3, -4),     (6, -6),
         (7, -7),    (18, -8),    (18, -9),    (18, -8),    (22, -7),    (14, -1),    (27, -2),     (11, 5),
         (21, 9),    (17, 16),    (24, 17),    (22, 22),
];

/// A pawn attacks a piece, by the piece's role.
#[rustfmt::skip]
pub const PAWN_THREAT: [Pair; 6] = [
          (0, 0),    (39, 19),    (34, 40),    (49, 19),     (29, 3),      (0, 0),
];

/// A knight or bishop attacks a piece that no pawn defends, by role.
#[rustfmt::skip]
pub const MINOR_THREAT: [Pair; 6] = [
        (-1, 10),     (9, 17),    (14, 18),     (49, 8),    (30, 36),      (0, 0),
];

/// A rook attacks a piece that no pawn defends, by role.
#[rustfmt::skip]
pub const ROOK_THREAT: [Pair; 6] = [
        (-4, 17),    (12, 18),    (18, 14),     (3, 11),    (42, 27),      (0, 0),
];
