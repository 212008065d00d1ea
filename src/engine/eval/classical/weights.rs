//! The weights of the classical evaluator, fitted to our own games (`docs/network.md`).
//!
//! `terms.rs` describes what each term counts.
//!
//! Grids are printed from White's perspective: a8 top left, h1 bottom right. Rows begin with the lowest
//! index. Ranks are counted from the side's own first rank, which is 0. Middlegame before endgame.
//! Centipawns.

/// One number for each square, a8 first.
pub type Grid = [i16; 64];

/// A middlegame and an endgame value.
pub type Pair = (i16, i16);

/// The value of a piece of each role (pawn, knight, bishop, rook, queen, king) in the middlegame.
pub const MATERIAL_MG: [i16; 6] = [79, 299, 303, 480, 907, 0];

/// The value of a piece of each role (pawn, knight, bishop, rook, queen, king) in the endgame.
pub const MATERIAL_EG: [i16; 6] = [100, 293, 304, 502, 911, 0];

/// Middlegame tables by role, added to the material.
#[rustfmt::skip]
pub const TABLES_MG: [Grid; 6] = [
    [ // Pawn
        0,    0,    0,    0,    0,    0,    0,    0,
       34,   90,   50,   28,   80,   37,   11,   53,
      -21,    7,  -16,   32,  -10,   -9,  -22,  -28,
      -25,   -8,  -13,   -1,    1,   -6,   -4,  -17,
      -22,  -13,  -10,   -2,   -2,   -3,   -5,  -22,
      -22,  -14,  -11,   -8,   -2,  -12,    2,  -25,
      -22,   -8,  -11,  -11,   -8,   -7,   10,  -19,
        0,    0,    0,    0,    0,    0,    0,    0,
    ],
    [ // Knight
      -74,  -21,  -55,   -4,  -29,  -48,   -6, -111,
      -15,  -45,    1,   22,   16,   27,  -22,   10,
       -9,   15,   -1,   26,   37,   31,   16,    4,
       25,   18,   18,   31,   26,   25,   16,   20,
       10,   28,   21,   18,   22,   25,   20,   20,
      -13,   10,    2,    6,   11,    8,    9,  -13,
      -33,   -3,   -8,    2,    5,   -3,   15,    3,
      -40,  -12,    4,    7,  -11,  -19,  -10,  -16,
    ],
    [ // Bishop
       -6,  -37,  -76,  -20,  -31,  -40,   -7,  -34,
      -33,  -20,  -26,  -32,  -24,    0,  -11,  -22,
       -6,  -12,   11,   25,   20,   -4,   17,   11,
        4,   16,   10,   23,   23,   16,   18,   10,
       17,   11,   13,   21,   24,   12,    5,    2,
        4,   19,    9,    9,    4,   12,   15,    1,
       20,   11,   20,    5,    6,   11,   15,    6,
        6,   -3,   -2,   -4,   -5,  -11,  -11,  -14,
    ],
    [ // Rook
       29,   41,   50,   21,  -20,   18,    1,   19,
        0,    4,   14,   17,   37,    6,    4,   -6,
        8,   -4,   18,   22,   30,   16,   15,   -8,
      -16,  -18,   20,   10,    5,   20,   -9,   -4,
      -28,  -27,   -5,    0,   -6,  -13,  -21,  -28,
      -23,   -8,  -16,   -7,  -10,   -9,   -3,  -15,
      -16,   -8,    3,    4,   -2,   -8,    4,  -34,
      -11,   -9,    1,    0,    1,  -10,  -21,  -13,
    ],
    [ // Queen
        5,    2,    6,    7,   17,   30,   17,   37,
       -8,   -5,    3,    9,    3,    7,   12,   23,
        4,    2,   -9,   10,  -11,   19,    4,   -4,
       -2,    4,   -7,  -10,   -6,   12,    4,    5,
       -2,  -16,    0,   -7,    1,  -11,    3,   -4,
       -6,   -1,  -11,   -2,   -1,   -3,   -5,   -4,
      -19,   -6,    8,   -1,    8,   12,   11,  -37,
        4,    0,   -1,   -2,   -7,   -1,  -14,  -37,
    ],
    [ // King
      -20,   38,   27,   65,   37,   23,   15,  -26,
       12,   20,   26,   23,   57,    4,   22,   11,
       51,   20,  -33,    3,  -31,    1,   14,   20,
       57,   18,   11,  -10,   -9,  -20,  -22,  -22,
       38,   26,   31,  -10,  -20,   -5,   11,  -34,
       56,   12,  -30,   -4,   -8,  -29,    0,  -30,
       15,   12,    3,  -18,   -6,   -8,    2,    5,
      -51,   17,   12,  -19,    4,   -6,    2,  -14,
    ],
];

/// Endgame tables by role, added to the material.
#[rustfmt::skip]
pub const TABLES_EG: [Grid; 6] = [
    [ // Pawn
        0,    0,    0,    0,    0,    0,    0,    0,
       26,   50,   43,   44,   11,   50,   45,   12,
       -3,    7,    4,  -15,    0,   10,    5,    5,
       -3,   -1,  -16,  -11,  -18,  -13,   -5,   -8,
       -9,   -5,  -11,  -12,  -11,  -10,   -7,  -10,
      -14,   -6,  -14,   -3,  -16,  -16,   -9,  -12,
       -5,   -1,   -9,  -14,  -17,    0,   -2,   -8,
        0,    0,    0,    0,    0,    0,    0,    0,
    ],
    [ // Knight
      -36,  -16,   11,  -15,   -6,  -14,  -24,  -22,
      -17,    7,    3,    5,   -1,  -12,    3,  -10,
        1,    4,   19,    6,    5,   -1,    3,   -7,
       -9,    6,   15,   19,   21,   12,   11,  -12,
       14,   -2,   12,   22,   20,   19,   12,   -8,
       -8,   -5,    4,   17,   13,    4,    1,    4,
       -8,    5,   -5,   -1,    9,    3,  -14,   -3,
      -13,   -2,  -25,    7,   14,   -5,    3,  -19,
    ],
    [ // Bishop
       -6,    9,   17,    0,   -2,   20,    0,    5,
       10,    9,   11,    8,    2,   -3,   11,    6,
        3,   14,   14,   -2,   16,   14,   -2,  -15,
        1,    5,   14,   17,    5,    5,   -1,  -21,
      -20,   13,   11,    5,    4,    4,   -3,   -7,
      -11,  -10,    5,    5,    3,   -3,   -4,  -10,
       -9,  -19,   -8,   -8,  -12,  -16,  -12,  -25,
      -19,    1,  -10,  -17,   -6,   -5,   -2,    2,
    ],
    [ // Rook
       -4,   -3,   -1,    7,   16,    6,   14,   -2,
        5,    2,    1,   -8,  -11,    1,    8,    8,
       -1,    7,   -4,   -9,  -13,    0,    3,   10,
       13,   13,   -5,   -7,   -3,   -3,    7,    3,
       16,   19,    5,   -4,    5,    2,    6,    8,
        4,   -5,    6,    1,   -5,    3,   -7,    1,
       -8,   -1,    0,   -2,   -7,   -2,  -25,    2,
      -10,   -9,  -13,  -14,  -12,   -6,   -8,  -15,
    ],
    [ // Queen
      -40,   -3,   -1,   12,  -12,    3,  -26,  -21,
        3,   -3,    6,    1,   21,   18,   19,  -27,
      -28,    9,   10,   13,   65,   44,   12,    0,
        5,    7,   31,   27,   25,   14,   19,   12,
      -13,   25,    5,   35,   25,   33,   22,   10,
        5,  -12,   18,   13,    6,   17,   36,    4,
        7,  -10,  -39,   -4,  -20,  -34,  -28,    5,
      -50,  -39,  -37,  -43,  -49,  -27,  -64,  -16,
    ],
    [ // King
     -143,  -61,  -34,  -89,  -24,  -29,  -22,  -58,
      -41,   19,   -1,    5,  -14,    2,   25,  -24,
       -4,   29,   39,   18,   29,   33,   31,   -8,
       -1,   24,   22,   29,   34,   31,   35,    3,
       -3,   14,   11,   27,   29,   20,   17,   15,
       -5,    7,   17,    9,   13,   17,   13,    0,
      -11,    7,   -1,    2,   -5,    0,    6,   -5,
        8,  -20,  -22,  -26,  -37,  -22,  -12,  -22,
    ],
];

/// The side to move.
pub const TEMPO: [Pair; 1] = [(13, 12)];

/// Both bishops.
pub const BISHOP_PAIR: [Pair; 1] = [(17, 50)];

/// A passed pawn, by rank.
#[rustfmt::skip]
pub const PASSED: [Pair; 8] = [
          (0, 0),   (-25, 11),     (-8, 6),   (-22, -5),    (-6, 14),    (-1, 47),    (55, 44),      (0, 0),
];

/// A passed pawn whose next square is occupied by the enemy, by rank.
#[rustfmt::skip]
pub const PASSED_BLOCKED: [Pair; 8] = [
          (0, 0),  (-13, -17),    (8, -17),    (7, -10),    (6, -31),   (-9, -55),  (-48, -91),      (0, 0),
];

/// A passed pawn whose next square the enemy does not attack, by rank.
#[rustfmt::skip]
pub const PASSED_SAFE: [Pair; 8] = [
          (0, 0),      (2, 8),    (-4, 12),     (-4, 6),    (-8, 26),     (4, 44),    (12, 55),      (0, 0),
];

/// A passed pawn whose next square we attack, by rank.
#[rustfmt::skip]
pub const PASSED_HELD: [Pair; 8] = [
          (0, 0),    (17, -2),      (2, 7),      (9, 1),     (6, 10),    (40, 17),    (65, 58),      (0, 0),
];

/// A rook behind our passed pawn, with nothing between: our own; the enemy's.
#[rustfmt::skip]
pub const ROOK_BEHIND: [Pair; 2] = [
         (9, 15),   (-1, -38),
];

/// A passed pawn beyond the middle, by the distance of its own king to the square in front of it.
#[rustfmt::skip]
pub const PASSED_OWN_KING: [Pair; 8] = [
         (0, 50),     (6, 61),    (31, 35),     (0, 28),     (1, 14),      (3, 5),      (7, 2),   (-41, 25),
];

/// A passed pawn beyond the middle, by the distance of the enemy king to the square in front of it.
#[rustfmt::skip]
pub const PASSED_ENEMY_KING: [Pair; 8] = [
        (8, -16),   (24, -11),   (25, -11),     (6, 17),     (6, 43),    (-6, 57),   (-13, 65),    (-2, 67),
];

/// A pawn without own pawns on the adjacent files, by file from the edge.
#[rustfmt::skip]
pub const ISOLATED: [Pair; 4] = [
         (3, -6),   (-4, -16),   (-1, -12),   (-8, -14),
];

/// A pawn with an own pawn in front of it.
pub const DOUBLED: [Pair; 1] = [(-10, -1)];

/// A pawn that no own pawn can support, and whose next square an enemy pawn attacks.
pub const BACKWARD: [Pair; 1] = [(1, -15)];

/// A pawn with an own pawn next to it, by rank.
#[rustfmt::skip]
pub const PHALANX: [Pair; 8] = [
          (0, 0),     (3, -3),      (3, 3),      (5, 7),     (8, 23),    (59, 59),    (31, 63),      (0, 0),
];

/// A pawn supported by an own pawn, by rank.
#[rustfmt::skip]
pub const SUPPORTED: [Pair; 8] = [
          (0, 0),      (0, 0),      (9, 3),      (7, 5),    (15, 14),    (28, 48),    (86, 62),      (0, 0),
];

/// The nearest own pawn in front of the king on its file and the adjacent files: by file from the edge
/// (rows), and the rank of the pawn, 0 for none.
#[rustfmt::skip]
pub const SHELTER: [Pair; 32] = [
       (-17, -1),    (7, -16),   (13, -13),    (6, -10),   (-14, -3),     (4, -2),    (-1, 34),      (0, 0),
        (-18, 4),     (6, -6),     (4, -7),    (-5, -6),    (-8, -4),      (1, 9),    (16, 26),      (0, 0),
       (-14, -1),    (10, -7),     (-1, 2),    (-4, -8),    (-3, -1),    (-22, 2),     (7, 11),      (0, 0),
        (-10, 0),    (-3, 12),     (1, -3),     (3, -7),     (2, -8),     (-5, 4),    (36, 20),      (0, 0),
];

/// The nearest enemy pawn in front of the king on the same files, in the same order.
#[rustfmt::skip]
pub const STORM: [Pair; 32] = [
        (0, -14),    (19, 56),   (-23, 33),    (-8, 11),    (6, -10),   (10, -13),    (8, -11),      (0, 0),
        (-4, -8),    (59, 84),   (-37, 59),     (11, 3),     (3, -9),     (5, -8),     (4, -5),      (0, 0),
        (-6, -9),    (-2, 58),   (-51, 47),      (1, 2),     (3, -4),    (3, -11),     (3, -6),      (0, 0),
         (-9, 0),   (-24, 49),   (-10, 36),    (-1, -4),    (-2, -5),     (4, -2),    (2, -11),      (0, 0),
];

/// Squares a knight attacks that no own piece occupies and no enemy pawn attacks, by number.
#[rustfmt::skip]
pub const KNIGHT_MOBILITY: [Pair; 9] = [
      (-14, -38),   (-2, -34),    (3, -17),     (6, -7),    (11, -2),     (13, 3),     (15, 1),    (19, -4),
       (24, -15),
];

/// The same for a bishop.
#[rustfmt::skip]
pub const BISHOP_MOBILITY: [Pair; 14] = [
       (-4, -26),    (4, -14),     (9, -5),     (11, 3),     (15, 8),     (18, 8),    (17, 12),    (18, 14),
        (22, 11),    (22, 12),     (29, 5),    (21, 11),     (47, 8),    (15, 12),
];

/// The same for a rook.
#[rustfmt::skip]
pub const ROOK_MOBILITY: [Pair; 15] = [
      (-48, -49),  (-38, -32),  (-37, -20),  (-31, -13),   (-30, -6),   (-30, -1),    (-31, 2),    (-29, 5),
       (-29, 10),   (-27, 11),   (-23, 14),   (-25, 17),   (-21, 18),   (-15, 19),    (-7, 21),
];

/// The same for a queen.
#[rustfmt::skip]
pub const QUEEN_MOBILITY: [Pair; 28] = [
        (2, -28),    (2, -10),    (1, -36),     (3, -9),      (4, 4),     (5, 19),     (8, 21),     (7, 28),
         (9, 40),     (9, 38),    (11, 43),    (11, 42),    (13, 40),    (14, 41),    (14, 39),    (16, 40),
        (15, 39),    (21, 27),    (24, 26),    (30, 15),     (36, 6),   (91, -52),    (46, -3),   (59, -49),
       (24, -16),   (15, -52),     (6, -2),    (2, -25),
];

/// A rook on a file without own pawns; without any pawns.
#[rustfmt::skip]
pub const ROOK_FILE: [Pair; 2] = [
        (10, -4),     (20, 0),
];

/// An attack on the enemy king without queen (first row) and with one, by units: see `pieces.rs` and
/// `contact.rs`.
#[rustfmt::skip]
pub const KING_ATTACK: [Pair; 52] = [
          (0, 0),      (0, 0),      (0, 0),     (-8, 2),    (-14, 0),   (-13, -4),    (-30, 2),    (-8, -7),
        (-16, 0),   (-11, -2),   (-14, -3),   (-11, -1),    (-14, 4),     (6, -7),     (3, -2),      (1, 1),
         (-5, 4),      (3, 3),    (19, -7),    (33, -6),     (25, 1),     (34, 5),     (12, 0),    (31, 20),
        (11, 11),     (12, 9),      (0, 0),      (0, 0),      (0, 0),    (-5, 16),    (-5, 18),    (-7, 15),
        (-7, 17),    (-7, 17),    (-1, 15),    (-1, 12),     (2, 22),    (10, 17),    (18, 22),    (29, 23),
        (24, 29),    (43, 24),    (46, 45),    (53, 43),    (72, 44),    (80, 85),    (84, 50),    (85, 62),
        (81, 53),    (63, 44),    (80, 53),    (85, 32),
];

/// A piece can give check from a square that no enemy piece attacks, by role.
#[rustfmt::skip]
pub const SAFE_CHECK: [Pair; 6] = [
          (0, 0),     (39, 2),     (5, 19),     (33, 3),     (8, 46),      (0, 0),
];

/// The squares of and around the enemy king that we attack and only the king defends, by number.
#[rustfmt::skip]
pub const KING_HOLES: [Pair; 10] = [
         (-5, 1),     (2, -3),     (4, -1),    (12, -2),    (12, -7),    (14, -4),    (-9, 14),    (15, 34),
         (7, 16),      (0, 0),
];

/// The squares a queen in the enemy king's place would attack, by number.
#[rustfmt::skip]
pub const KING_LINES: [Pair; 28] = [
          (0, 0),      (0, 0),      (0, 0),   (-37, 16),   (-34, 17),   (-12, -6),    (-7, -1),    (-2, -1),
         (0, -1),     (1, -4),     (2, -4),     (2, -1),     (4, -4),     (7, -7),     (8, -8),     (9, -7),
       (11, -10),    (12, -7),    (17, -9),    (19, -6),    (11, -2),      (6, 4),      (5, 9),     (8, 13),
        (13, 15),    (15, 26),    (59, 26),    (33, 35),
];

/// A pawn attacks a piece, by the piece's role.
#[rustfmt::skip]
pub const PAWN_THREAT: [Pair; 6] = [
          (0, 0),    (45, 25),    (42, 50),    (55, 21),     (45, 5),      (0, 0),
];

/// A knight or bishop attacks a piece that no pawn defends, by role.
#[rustfmt::skip]
pub const MINOR_THREAT: [Pair; 6] = [
        (-2, 10),     (6, 23),    (13, 25),    (40, 21),    (32, 64),      (0, 0),
];

/// A rook attacks a piece that no pawn defends, by role.
#[rustfmt::skip]
pub const ROOK_THREAT: [Pair; 6] = [
         (0, 13),    (10, 24),    (13, 28),     (-2, 2),    (53, 29),      (0, 0),
];

/// An enemy piece or pawn that we attack and nothing defends, by role.
#[rustfmt::skip]
pub const HANGING: [Pair; 6] = [
        (18, 28),    (21, 13),     (21, 8),    (24, -4),    (0, -26),      (0, 0),
];

/// An enemy piece or pawn that we attack twice and its side defends once and not by a pawn, by role.
#[rustfmt::skip]
pub const OUTNUMBERED: [Pair; 6] = [
        (15, 17),    (21, 26),    (28, 36),    (12, 15),   (-40, -1),      (0, 0),
];

/// A piece that a pawn would attack after an advance to a safe square, by role.
#[rustfmt::skip]
pub const PUSH_THREAT: [Pair; 6] = [
          (0, 0),    (15, 15),    (13, 18),      (9, 8),    (15, -6),      (0, 0),
];

/// Squares that we attack and the enemy defends with one piece and no pawn.
pub const RESTRICTED: [Pair; 1] = [(3, -1)];
