//! Values of the chess evaluation, and nothing else: our own starting values, set by hand.

use crate::chess::{Piece, PieceKind, Square};
use crate::eval::Tapered;
use crate::eval::sums::Worth;
use crate::eval::tapered::t;
use crate::game::Side;

/// The phase of a game with all its pieces: see [`PHASES`].
pub(super) const FULL_PHASE: i32 = 24;
/// What a piece adds to the phase, by kind: minor pieces 1, rooks 2, queens 4.
const PHASES: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// Material by kind.
const MATERIAL: [Tapered; 6] = [
    t(82, 108),
    t(335, 305),
    t(350, 325),
    t(475, 560),
    t(1010, 1010),
    t(0, 0),
];

/// Piece-square values of one kind: rank by file, White's view, the eighth rank in the first
/// row. Files a to d; e to h mirror them.
type Half = [[(i32, i32); 4]; 8];

const PAWN: Half = [
    [(0, 0); 4],
    [(55, 90), (70, 85), (65, 80), (75, 75)],
    [(0, 50), (18, 48), (28, 38), (34, 32)],
    [(-10, 22), (4, 18), (6, 8), (18, 2)],
    [(-18, 8), (-4, 6), (4, -2), (16, -6)],
    [(-18, 0), (-4, 2), (0, -2), (4, 0)],
    [(-22, 4), (0, 4), (-8, 4), (-14, 6)],
    [(0, 0); 4],
];
const KNIGHT: Half = [
    [(-140, -60), (-70, -40), (-40, -22), (-20, -16)],
    [(-50, -32), (-28, -12), (24, -18), (22, -2)],
    [(-25, -24), (22, -14), (42, 10), (54, 12)],
    [(-6, -16), (8, 6), (28, 20), (40, 26)],
    [(-10, -16), (6, 2), (16, 18), (20, 26)],
    [(-22, -22), (-4, -6), (10, 0), (16, 14)],
    [(-28, -36), (-24, -20), (-8, -12), (2, -4)],
    [(-70, -38), (-22, -40), (-28, -20), (-18, -14)],
];
const BISHOP: Half = [
    [(-24, -12), (-14, -16), (-40, -10), (-36, -8)],
    [(-22, -8), (8, -6), (-8, 2), (-10, -6)],
    [(-6, 2), (18, -4), (32, 0), (26, -2)],
    [(-4, 0), (4, 6), (16, 10), (36, 10)],
    [(0, -6), (10, 2), (10, 10), (24, 12)],
    [(4, -8), (16, -2), (14, 8), (10, 10)],
    [(8, -14), (16, -14), (16, -6), (2, 0)],
    [(-20, -16), (2, -8), (-12, -14), (-14, -4)],
];
const ROOK: Half = [
    [(18, 14), (22, 14), (14, 18), (32, 14)],
    [(16, 16), (20, 16), (42, 12), (46, 8)],
    [(-2, 10), (18, 8), (18, 6), (22, 4)],
    [(-18, 8), (-8, 6), (8, 8), (16, 2)],
    [(-28, 4), (-16, 4), (-10, 4), (0, 0)],
    [(-34, -2), (-18, -2), (-14, -6), (-10, -4)],
    [(-34, -6), (-14, -8), (-10, -4), (-4, -4)],
    [(-16, -6), (-12, 0), (2, 0), (12, -4)],
];
const QUEEN: Half = [
    [(-14, 4), (10, 16), (20, 22), (28, 24)],
    [(-8, 0), (-26, 22), (4, 30), (2, 42)],
    [(2, -4), (0, 6), (16, 18), (20, 40)],
    [(-14, 8), (-16, 24), (-8, 26), (-6, 42)],
    [(-6, -6), (-12, 20), (-6, 20), (-6, 36)],
    [(-8, -10), (2, -12), (-4, 12), (-2, 8)],
    [(-18, -22), (-6, -24), (8, -24), (8, -14)],
    [(-8, -34), (-14, -30), (-8, -26), (8, -26)],
];
const KING: Half = [
    [(-40, -68), (10, -24), (6, -14), (-20, -14)],
    [(16, -14), (10, 14), (-10, 18), (-10, 16)],
    [(0, 6), (16, 24), (8, 26), (-16, 22)],
    [(-24, -6), (-16, 22), (-22, 28), (-34, 30)],
    [(-44, -16), (-22, 6), (-36, 22), (-50, 28)],
    [(-16, -20), (-10, 0), (-28, 12), (-42, 22)],
    [(8, -28), (12, -8), (-16, 4), (-46, 14)],
    [(-8, -56), (32, -34), (14, -20), (-20, -22)],
];

const fn half(kind: PieceKind) -> &'static Half {
    match kind {
        PieceKind::Pawn => &PAWN,
        PieceKind::Knight => &KNIGHT,
        PieceKind::Bishop => &BISHOP,
        PieceKind::Rook => &ROOK,
        PieceKind::Queen => &QUEEN,
        PieceKind::King => &KING,
    }
}

/// What each piece on each square is worth, by dense indices.
pub(super) static WORTH: [[Worth; 64]; Piece::COUNT] = {
    let mut table = [[Worth {
        score: t(0, 0),
        phase: 0,
    }; 64]; Piece::COUNT];
    let mut p = 0;
    while p < Piece::COUNT {
        let mut sq = 0;
        while sq < 64 {
            table[p][sq] = worth(Piece::ALL[p], Square::ALL[sq]);
            sq += 1;
        }
        p += 1;
    }
    table
};

const fn worth(piece: Piece, sq: Square) -> Worth {
    let kind = piece.kind();
    let rank = sq.index() / 8;
    let file = sq.index() % 8;
    let row = match piece.side() {
        Side::First => 7 - rank,
        Side::Second => rank,
    };
    let (middle, end) = half(kind)[row][if file < 4 { file } else { 7 - file }];
    let score = MATERIAL[kind.index()].plus(t(middle, end));
    Worth {
        score: match piece.side() {
            Side::First => score,
            Side::Second => t(-score.middle(), -score.end()),
        },
        phase: PHASES[kind.index()],
    }
}

/// For each square a piece attacks that no enemy pawn guards, above or below the usual number.
pub(super) const MOBILITY: [(i32, Tapered); 6] = [
    (0, t(0, 0)),
    (4, t(5, 5)),
    (6, t(5, 6)),
    (7, t(3, 6)),
    (13, t(2, 5)),
    (0, t(0, 0)),
];
/// Two bishops.
pub(super) const BISHOP_PAIR: Tapered = t(28, 52);
/// A rook on a file without pawns, and on one without own pawns.
pub(super) const ROOK_OPEN_FILE: Tapered = t(34, 8);
pub(super) const ROOK_HALF_OPEN_FILE: Tapered = t(14, 8);
/// A pawn that no enemy pawn can stop, by its relative rank.
pub(super) const PASSED: [Tapered; 8] = [
    t(0, 0),
    t(-4, 8),
    t(-6, 12),
    t(-4, 34),
    t(16, 62),
    t(44, 112),
    t(70, 170),
    t(0, 0),
];
/// In the endgame, for each step the kings are nearer to or farther from the square ahead of a
/// passed pawn, times its relative rank beyond the third.
pub(super) const PASSED_ENEMY_KING: Tapered = t(0, 5);
pub(super) const PASSED_OWN_KING: Tapered = t(0, -3);
/// A passed pawn whose next square is occupied.
pub(super) const PASSED_BLOCKED: Tapered = t(-6, -22);
/// A pawn without own pawns on the files beside it.
pub(super) const ISOLATED: Tapered = t(-10, -14);
/// A pawn behind another of its own.
pub(super) const DOUBLED: Tapered = t(-6, -20);
/// A pawn guarded by a pawn.
pub(super) const SUPPORTED: Tapered = t(10, 8);
/// A piece attacked by a pawn.
pub(super) const PAWN_THREAT: Tapered = t(56, 38);
/// A rook or queen attacked by a minor piece.
pub(super) const MINOR_THREAT: Tapered = t(34, 30);
/// A knight or bishop that a pawn guards and no enemy pawn can drive away.
pub(super) const OUTPOST: Tapered = t(26, 16);
/// A pawn one or two ranks in front of its king, on its file or beside it.
pub(super) const SHELTER_NEAR: Tapered = t(17, 0);
pub(super) const SHELTER_FAR: Tapered = t(9, 0);
/// No own pawn on the king's file or one beside it.
pub(super) const SHELTER_GAP: Tapered = t(-18, 4);
/// Weight of each attack by a piece of a kind on the squares around the enemy king.
pub(super) const KING_ATTACK: [i32; 6] = [0, 9, 7, 8, 11, 0];
/// Weight of a safe check by a piece of a kind.
pub(super) const SAFE_CHECK: [i32; 6] = [0, 26, 18, 30, 24, 0];
/// Attack weight is squared and divided by this.
pub(super) const KING_ATTACK_DIVISOR: i32 = 24;
/// Without a queen the attack counts this share, in percent.
pub(super) const QUEENLESS_ATTACK: i32 = 45;
/// The right to move.
pub(super) const TEMPO: i32 = 18;
