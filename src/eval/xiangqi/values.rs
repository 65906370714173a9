//! Values of the xiangqi evaluation, and nothing else. Material follows the rule book (chariot 9,
//! cannon 4½, horse 4, advisor and elephant 2, soldier 1, across the river 2, on the last rank
//! 1); the cannon is worth more than the horse in the opening, when screens abound, and less in
//! the endgame. The rest are our own starting values, set by hand.

use crate::eval::Tapered;
use crate::eval::sums::Worth;
use crate::eval::tapered::t;
use crate::game::Side;
use crate::xiangqi::{Piece, PieceKind, Square};

/// The phase of a game with all its pieces: see [`PHASES`].
pub(super) const FULL_PHASE: i32 = 32;
/// What a piece adds to the phase, by kind: horses and cannons 2, chariots 4.
const PHASES: [i32; 7] = [0, 0, 0, 2, 4, 2, 0];

/// Material by kind.
const MATERIAL: [Tapered; 7] = [
    t(0, 0),
    t(195, 205),
    t(195, 205),
    t(390, 430),
    t(890, 920),
    t(450, 400),
    t(0, 0),
];

/// Piece-square values of one kind: the own back rank in the first row, files a to e; f to i
/// mirror them. The same for middle game and endgame.
type Half = [[i32; 5]; 10];

const KING: Half = {
    let mut half = [[0; 5]; 10];
    half[0] = [0, 0, 0, 4, 12];
    half[1] = [0, 0, 0, -14, -8];
    half[2] = [0, 0, 0, -26, -20];
    half
};
const ADVISOR: Half = {
    let mut half = [[0; 5]; 10];
    half[0] = [0, 0, 0, 0, 0];
    half[1] = [0, 0, 0, 0, 8];
    half[2] = [0, 0, 0, -8, 0];
    half
};
const BISHOP: Half = {
    let mut half = [[0; 5]; 10];
    half[0] = [0, 0, 0, 0, 0];
    half[2] = [-8, 0, 0, 0, 14];
    half[4] = [0, 0, -4, 0, 0];
    half
};
const KNIGHT: Half = [
    [-26, -22, -16, -20, -24],
    [-16, -10, -6, -8, -40],
    [-10, -4, 8, 6, -2],
    [-8, 4, 8, 14, 12],
    [2, 14, 16, 18, 22],
    [4, 18, 20, 26, 24],
    [10, 24, 28, 32, 30],
    [12, 28, 40, 36, 26],
    [8, 20, 34, 24, 2],
    [-6, 2, 10, 6, -8],
];
const ROOK: Half = [
    [-20, -4, -6, 4, -10],
    [-8, 0, -2, 6, 0],
    [-6, 2, 0, 8, 4],
    [0, 4, 2, 10, 8],
    [6, 8, 6, 14, 12],
    [6, 10, 8, 16, 14],
    [8, 10, 10, 18, 16],
    [6, 10, 8, 20, 22],
    [10, 14, 12, 22, 30],
    [4, 8, 6, 16, 14],
];
const CANNON: Half = [
    [-4, -2, 0, 4, 4],
    [-2, 0, 2, 4, 6],
    [0, 2, 4, 6, 14],
    [-2, 0, 2, 2, 6],
    [-2, 0, 2, 2, 10],
    [-2, 0, 2, 2, 12],
    [0, 2, 2, 4, 10],
    [2, 4, 2, -4, -6],
    [4, 6, 0, -8, -14],
    [10, 10, 4, -10, -14],
];
/// Material included.
const PAWN: Half = [
    [0; 5],
    [0; 5],
    [0; 5],
    [92, 0, 98, 0, 104],
    [94, 0, 108, 0, 110],
    [176, 184, 194, 204, 206],
    [190, 206, 218, 230, 228],
    [198, 220, 240, 258, 256],
    [196, 222, 250, 272, 276],
    [96, 100, 106, 116, 120],
];

const fn half(kind: PieceKind) -> &'static Half {
    match kind {
        PieceKind::King => &KING,
        PieceKind::Advisor => &ADVISOR,
        PieceKind::Bishop => &BISHOP,
        PieceKind::Knight => &KNIGHT,
        PieceKind::Rook => &ROOK,
        PieceKind::Cannon => &CANNON,
        PieceKind::Pawn => &PAWN,
    }
}

/// What each piece on each square is worth, by dense indices.
pub(super) static WORTH: [[Worth; Square::COUNT]; Piece::COUNT] = {
    let mut table = [[Worth {
        score: t(0, 0),
        phase: 0,
    }; Square::COUNT]; Piece::COUNT];
    let mut s = 0;
    while s < 2 {
        let mut k = 0;
        while k < PieceKind::ALL.len() {
            let piece = Piece {
                side: Side::ALL[s],
                kind: PieceKind::ALL[k],
            };
            let mut sq = 0;
            while sq < Square::COUNT {
                table[piece.index() as usize][sq] = worth(piece, sq);
                sq += 1;
            }
            k += 1;
        }
        s += 1;
    }
    table
};

/// Of a piece on the square with this dense index, ranks of nine from Red's back rank up.
const fn worth(piece: Piece, dense: usize) -> Worth {
    let (rank, file) = (dense / 9, dense % 9);
    let row = match piece.side {
        Side::First => rank,
        Side::Second => 9 - rank,
    };
    let place = half(piece.kind)[row][if file < 5 { file } else { 8 - file }];
    let score = MATERIAL[piece.kind as usize].plus(t(place, place));
    Worth {
        score: match piece.side {
            Side::First => score,
            Side::Second => t(-score.middle(), -score.end()),
        },
        phase: PHASES[piece.kind as usize],
    }
}

/// For each square a piece can go to, above or below the usual number.
pub(super) const ROOK_MOBILITY: (i32, Tapered) = (10, t(5, 6));
pub(super) const KNIGHT_MOBILITY: (i32, Tapered) = (4, t(11, 10));
pub(super) const CANNON_MOBILITY: (i32, Tapered) = (9, t(2, 4));
/// A piece to capture for a cannon, over its screen.
pub(super) const CANNON_TARGET: Tapered = t(6, 4);
/// A cannon that faces the enemy king with nothing between ("hollow cannon"): no man can step
/// in without becoming its screen.
pub(super) const HOLLOW_CANNON: Tapered = t(90, 50);
/// A cannon on the enemy king's file with two men between, neither of which may leave alone.
pub(super) const CANNON_PIN: Tapered = t(26, 12);
/// A pawn across the river beside another.
pub(super) const PAWN_PAIR: Tapered = t(14, 20);
/// Both advisors and both elephants are there; the more so the more the enemy has to attack with.
pub(super) const FULL_GUARD: Tapered = t(20, 16);
/// Weight of a piece in the enemy half as an attacker, by kind.
pub(super) const ATTACKER: [i32; 7] = [0, 0, 0, 3, 4, 3, 1];
/// Each attacker's unit counts this much, and this much more for each guard that is missing.
pub(super) const ATTACK_BASE: i32 = 3;
pub(super) const ATTACK_PER_GAP: i32 = 5;
/// The right to move.
pub(super) const TEMPO: i32 = 16;
